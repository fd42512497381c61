#ifndef SQ_TEST_H
#define SQ_TEST_H
/**
 * The harness of the C tests: one program a CTest test, several named cases a program.
 *
 * A program lists its cases and ends with SQT_MAIN(cases). It runs those whose name contains its
 * first argument (all without one), prints one line a case, and exits with 1 when a check failed. A case
 * that made no check has failed: it proves nothing.
 */
#include <stdint.h>

#define SQT_SKIP 77 /* CTest's SKIP_RETURN_CODE */

typedef struct sqt_case
{
  const char* name;
  void (*run)(void);
} sqt_case;

int sqt_main(int argc, char** argv, const sqt_case* cases, int count);

#define SQT_MAIN(cases)                                                        \
  int main(int argc, char** argv)                                              \
  {                                                                            \
    return sqt_main(argc, argv, cases, (int)(sizeof(cases) / sizeof(*cases))); \
  }

/** Counts a check; prints file, line and the printf text of the first failures. Returns `ok`. */
int sqt_check(int ok, const char* file, int line, const char* format, ...)
  __attribute__((format(printf, 4, 5)));

int sqt_check_int(long long got, long long want, const char* text, const char* file, int line);
int sqt_check_near(
  double got, double want, double tolerance, const char* text, const char* file, int line);
int sqt_check_status(int got, int want, const char* text, const char* file, int line);
/** Equal bytes; prints the position of the first difference. */
int sqt_check_bytes(const void* got, const void* want, int64_t count, int64_t size,
  const char* text, const char* file, int line);

/** Checks made and failed so far by the running case. */
int64_t sqt_failures(void);

#define CHECK(condition) sqt_check(!!(condition), __FILE__, __LINE__, "%s", #condition)
/** The text is a printf format with arguments. */
#define CHECK_TEXT(condition, ...) sqt_check(!!(condition), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_INT(got, want) \
  sqt_check_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
/** NaN is near NaN only. */
#define CHECK_NEAR(got, want, tolerance) \
  sqt_check_near((got), (want), (tolerance), #got, __FILE__, __LINE__)
#define CHECK_STATUS(got, want) sqt_check_status((int)(got), (int)(want), #got, __FILE__, __LINE__)
#define CHECK_SAME(got, want, count) \
  sqt_check_bytes(                   \
    (got), (want), (int64_t)(count), (int64_t)sizeof(*(got)), #got, __FILE__, __LINE__)
/** Leaves the (void) function when the check fails. */
#define REQUIRE(condition)   \
  do                         \
  {                          \
    if (!(CHECK(condition))) \
    {                        \
      return;                \
    }                        \
  } while (0)

#endif
