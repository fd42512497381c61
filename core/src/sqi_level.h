#ifndef SQI_LEVEL_H
#define SQI_LEVEL_H
/**
 * Instruction set levels. A hot loop is compiled once for each (sq_add_levels in CMake, SQI_LEVEL being the level's name), and
 * calls go through the one that the processor runs. All give the same bits.
 */

/** Picks function `name`_avx512, `name`_avx2 or `name`_generic. */
#if defined(SQI_HAVE_X86_LEVELS)
#define SQI_LEVEL_CHOOSE(name) \
  (sqi_level() == 2 ? name##_avx512 : sqi_level() == 1 ? name##_avx2 : name##_generic)
#else
#define SQI_LEVEL_CHOOSE(name) (name##_generic)
#endif

/** The name of a function at the level being compiled. */
#define SQI_LEVEL_JOIN_(name, level) name##_##level
#define SQI_LEVEL_JOIN(name, level) SQI_LEVEL_JOIN_(name, level)
#define SQI_LEVEL_NAME(name) SQI_LEVEL_JOIN(name, SQI_LEVEL)

/** 0 generic, 1 avx2, 2 avx512, by the features that CMake compiles them with: clang 14 knows no level names. */
static inline int sqi_level(void)
{
#if defined(SQI_HAVE_X86_LEVELS)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
  {
    return 0;
  }
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")
    ? 2
    : 1;
#else
  return 0;
#endif
}

#endif
