#include "sq_test.h"

#include "spatialqueries/sq_types.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/** Failures printed in full; a broken kernel fails thousands of checks in the same way. */
#define PRINTED 12

/* Cases that ask from several threads check there, too. */
static _Atomic int64_t checks;
static _Atomic int64_t failures;

int64_t sqt_failures(void)
{
  return failures;
}

int sqt_check(int ok, const char* file, int line, const char* format, ...)
{
  ++checks;
  if (ok)
  {
    return 1;
  }
  if (failures++ < PRINTED)
  {
    const char* base = strrchr(file, '/');
    va_list args;
    printf("  %s:%d: ", base ? base + 1 : file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

int sqt_check_int(long long got, long long want, const char* text, const char* file, int line)
{
  return sqt_check(got == want, file, line, "%s: got %lld, want %lld", text, got, want);
}

int sqt_check_near(
  double got, double want, double tolerance, const char* text, const char* file, int line)
{
  int ok = isnan(want) ? isnan(got) : got == want || fabs(got - want) <= tolerance;
  return sqt_check(ok, file, line, "%s: got %.17g, want %.17g, off by %.3g, allowed %.3g", text,
    got, want, fabs(got - want), tolerance);
}

int sqt_check_status(int got, int want, const char* text, const char* file, int line)
{
  return sqt_check(got == want, file, line, "%s: got \"%s\", want \"%s\"", text,
    sq_status_text((sq_status)got), sq_status_text((sq_status)want));
}

int sqt_check_bytes(const void* got, const void* want, int64_t count, int64_t size,
  const char* text, const char* file, int line)
{
  const char* a = (const char*)got;
  const char* b = (const char*)want;
  int64_t i = 0;
  while (i < count && !memcmp(a + i * size, b + i * size, (size_t)size))
  {
    ++i;
  }
  return sqt_check(
    i >= count, file, line, "%s: entry %lld of %lld differs", text, (long long)i, (long long)count);
}

static int run_case(const sqt_case* c)
{
  checks = failures = 0;
  c->run();
  if (!checks)
  {
    printf("  no check was made\n");
  }
  int failed = failures || !checks;
  printf("%s %s (%lld checks", failed ? "FAIL" : "PASS", c->name, (long long)checks);
  printf(failures ? ", %lld failed)\n" : ")\n", (long long)failures);
  fflush(stdout);
  return failed;
}

int sqt_main(int argc, char** argv, const sqt_case* cases, int count)
{
  const char* filter = argc > 1 ? argv[1] : "";
  int run = 0;
  int failed = 0;
  for (int i = 0; i < count; ++i)
  {
    if (strstr(cases[i].name, filter))
    {
      ++run;
      failed += run_case(cases + i);
    }
  }
  printf("%d of %d cases failed\n", failed, run);
  return failed || !run;
}
