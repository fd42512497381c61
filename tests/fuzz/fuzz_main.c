/** A fuzz target for libFuzzer. */
#include "fuzz_input.h"
#include "sq_test.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  fuzz_input(data, size);
  if (sqt_failures())
  {
    abort();
  }
  return 0;
}
