#ifndef SQK_CONFIG_H
#define SQK_CONFIG_H
/**
 * What makes one header serve C17, C++17 and CUDA. A kernel header includes this, <math.h> and other kernel
 * headers, and declares every function SQK_INLINE.
 */
#include <math.h>
#include <stdint.h>

#if defined(__CUDACC__)
#define SQK_INLINE static __host__ __device__ __forceinline__
#else
#define SQK_INLINE static inline
#endif

#if defined(__cplusplus)
#define SQK_RESTRICT __restrict__
#else
#define SQK_RESTRICT restrict
#endif

#endif
