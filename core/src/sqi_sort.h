#ifndef SQI_SORT_H
#define SQI_SORT_H
/** Parallel stable radix sort. */
#include "spatialqueries/sq_context.h"

/**
 * Sorts `values` (and `keys` with them) by the low `bits` bits of the keys, ascending and stable: the same result for any number
 * of threads. Needs and gives back as much memory again. LSD radix sort with 8-bit digits; digits that are
 * the same everywhere cost nothing. count <= 2^32.
 */
sq_status sqi_sort(sq_context* context, uint64_t* keys, uint32_t* values, int64_t count, int bits);

#endif
