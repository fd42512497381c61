#ifndef SQI_PLAN_SUM_H
#define SQI_PLAN_SUM_H
/** Sums of a kernel over batches of sources. */
#include "spatialqueries/sq_plan_evaluate.h"

/** Sources in columns, so that eight are taken at once. */
typedef struct sqi_plan_batch
{
  double x[3][SQ_KERNEL_BATCH];
  double strength[SQ_KERNEL_BATCH];
  int64_t count;
} sqi_plan_batch;

/** Sum of strength K(x - source) in eight lanes that are added in one fixed order. */
typedef double (*sqi_plan_sum_function)(
  const sq_kernel* kernel, const double x[3], const sqi_plan_batch* batch);
double sqi_plan_sum_generic(
  const sq_kernel* kernel, const double x[3], const sqi_plan_batch* batch);
double sqi_plan_sum_avx2(const sq_kernel* kernel, const double x[3], const sqi_plan_batch* batch);
double sqi_plan_sum_avx512(const sq_kernel* kernel, const double x[3], const sqi_plan_batch* batch);

/** values[i] = strength_i K(x_i - y), the batch being targets: their strengths are not looked at. */
typedef void (*sqi_plan_values_function)(
  const sq_kernel* kernel, const sqi_plan_batch* targets, const double y[3], double* values);
void sqi_plan_values_generic(
  const sq_kernel* kernel, const sqi_plan_batch* targets, const double y[3], double* values);
void sqi_plan_values_avx2(
  const sq_kernel* kernel, const sqi_plan_batch* targets, const double y[3], double* values);
void sqi_plan_values_avx512(
  const sq_kernel* kernel, const sqi_plan_batch* targets, const double y[3], double* values);

/** Both at the best level. */
typedef struct sqi_plan_sums
{
  sq_kernel kernel;
  sqi_plan_sum_function sum;
  sqi_plan_values_function values;
} sqi_plan_sums;

/** Checks the kernel; `what` starts the message. */
sq_status sqi_plan_sums_begin(
  sq_context* context, const char* what, const sq_kernel* kernel, sqi_plan_sums* sums);

#endif
