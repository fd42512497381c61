#ifndef SQI_REAL_H
#define SQI_REAL_H
/**
 * Arithmetic in the type of the caller's coordinates, written once: float numbers are held in double and each result is rounded to
 * float. That gives the bits of the float operation, since 53 >= 2 * 24 + 2 (Figueroa 1995, "When is double rounding
 * innocuous?", for + - * / and the square root), and compilers make it one.
 */
#include "spatialqueries/sq_types.h"

#define SQI_REAL static inline __attribute__((always_inline))

SQI_REAL double sqi_real(const void* data, sq_type type, int64_t i)
{
  return type == SQ_FLOAT32 ? (double)((const float*)data)[i] : ((const double*)data)[i];
}

SQI_REAL double sqi_rounded(sq_type type, double x)
{
  return type == SQ_FLOAT32 ? (double)(float)x : x;
}

/** Rounds to the type. */
SQI_REAL void sqi_set_real(void* data, sq_type type, int64_t i, double x)
{
  if (type == SQ_FLOAT32)
  {
    ((float*)data)[i] = (float)x;
  }
  else
  {
    ((double*)data)[i] = x;
  }
}

SQI_REAL int sqi_is_finite(double x)
{
  return x - x == 0.0;
}

/** Calls function(type, dimension, ...) with constants, so that the compiler makes one loop for each; dimension 1 to 3. */
#define SQI_BY_DIMENSION(function, type, dimension, ...)    \
  ((dimension) == 1      ? function((type), 1, __VA_ARGS__) \
      : (dimension) == 2 ? function((type), 2, __VA_ARGS__) \
                         : function((type), 3, __VA_ARGS__))
#define SQI_BY_REAL(function, type, dimension, ...)                                        \
  ((type) == SQ_FLOAT32 ? SQI_BY_DIMENSION(function, SQ_FLOAT32, (dimension), __VA_ARGS__) \
                        : SQI_BY_DIMENSION(function, SQ_FLOAT64, (dimension), __VA_ARGS__))

#endif
