#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H
/** What a fuzz target is made of: a function of some bytes, and how it reads them. */
#include <stddef.h>
#include <stdint.h>

/** One run. Anything goes but a crash, a leak, or a CHECK that fails. */
void fuzz_input(const uint8_t* data, size_t size);

/** Bytes from the front on; behind the end there are zeros. */
typedef struct fuzz_bytes
{
  const uint8_t* data;
  size_t left;
} fuzz_bytes;

static inline int fuzz_byte(fuzz_bytes* bytes)
{
  if (!bytes->left)
  {
    return 0;
  }
  --bytes->left;
  return *bytes->data++;
}

/** 0 to count - 1. */
static inline int fuzz_below(fuzz_bytes* bytes, int count)
{
  return fuzz_byte(bytes) % count;
}

/** Small numbers, and those at the ends of the types. */
static inline int64_t fuzz_number(fuzz_bytes* bytes)
{
  static const int64_t odd[] = { -1, -2, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, INT64_MAX,
    INT64_MIN, INT64_MAX / 8, INT64_MAX / 3, (int64_t)UINT32_MAX, INT32_MAX / 16, 1 << 20 };
  int b = fuzz_byte(bytes);
  int count = (int)(sizeof(odd) / sizeof(*odd));
  return b < 256 - count ? b % 64 : odd[255 - b];
}

/** Mostly quarters from -2 to 2, where cells meet; some that are odd. */
static inline double fuzz_coordinate(fuzz_bytes* bytes)
{
  static const double odd[] = { -0.0, 1e-9, 1e-300, 5e-324, 1e30, -1e30, 1e300, -1.7e308, 1.7e308,
    1e-16, (double)__builtin_nanf(""), (double)__builtin_inff(), -(double)__builtin_inff(), 1e6 };
  int b = fuzz_byte(bytes);
  int count = (int)(sizeof(odd) / sizeof(*odd));
  if (b >= 256 - count)
  {
    return odd[255 - b];
  }
  return b < 136 ? (b % 17 - 8) * 0.25 : (b - 190) * 0.03125 + fuzz_byte(bytes) * 0x1p-30;
}

#endif
