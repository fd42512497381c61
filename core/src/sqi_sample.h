#ifndef SQI_SAMPLE_H
#define SQI_SAMPLE_H
/** Arrays taken to queries by the rows of a location. */
#include "spatialqueries/sq_locate_grid.h"
#include "sqi_locate_rows.h"

/** The entries of a query's row of points or cells. */
typedef struct sqi_sample_row
{
  int64_t count;
  const int32_t* blocks;
  const int64_t* ids;
  const double* weights; /* NULL: all equal */
} sqi_sample_row;

/** The rows of consecutive queries, of a location or of a chunk of it. */
typedef struct sqi_sample_rows
{
  int64_t first;
  int64_t end;
  const int64_t* cell_offsets; /* of query `first` and so on */
  const int64_t* node_offsets;
  sqi_row_place place;
} sqi_sample_rows;

/** The row of one of them. */
sqi_sample_row sqi_sample_row_of(
  const sqi_sample_rows* all, sq_association association, int64_t query);

/** Value i of an array, as double. */
double sqi_sample_scalar(const void* data, sq_type type, int64_t i);

/** The entry with the largest weight, the lowest (block, id) of equals; -1 in an empty row. */
int64_t sqi_sample_dominant(const sqi_sample_row* r);

/** Writes the value of a query. */
void sqi_sample_write(const sq_sample* s, const sqi_sample_row* r, int64_t query);

/** Writes the values of queries begin ... end - 1. */
void sqi_sample_write_all(
  const sq_sample* s, const sqi_sample_rows* rows, int64_t begin, int64_t end);

#endif
