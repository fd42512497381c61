/** A fuzz target as a test: its inputs, one a line in hexadecimal, and every beginning of each. Lines that start with # say what was found. */
#include "fuzz_input.h"
#include "sq_test.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 8192

static int digit(int c)
{
  static const char digits[] = "0123456789abcdef";
  const char* at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/** The bytes of a line; how many. */
static size_t read_line(const char* line, uint8_t* out)
{
  size_t n = 0;
  for (; digit(line[0]) >= 0 && digit(line[1]) >= 0; line += 2)
  {
    out[n++] = (uint8_t)(16 * digit(line[0]) + digit(line[1]));
  }
  return n;
}

static void inputs(void)
{
  static char line[2 * LONGEST];
  static uint8_t bytes[LONGEST];
  FILE* file = fopen(SQ_FUZZ_INPUTS, "r");
  int count = 0;
  REQUIRE(file != NULL);
  while (fgets(line, (int)sizeof(line), file))
  {
    if (*line == '#')
    {
      continue;
    }
    size_t size = read_line(line, bytes);
    for (size_t part = 0; part <= size; part += part + 8 < size ? 8 : 1)
    {
      fuzz_input(bytes, part);
    }
    ++count;
    CHECK_TEXT(size && line[2 * size] == '\n', "input %d has an end", count);
  }
  (void)fclose(file);
  CHECK(count > 0);
}

static const sqt_case cases[] = { { "inputs", inputs } };
SQT_MAIN(cases)
