#ifndef SQI_LOCATION_CHUNK_H
#define SQI_LOCATION_CHUNK_H
/** The rows of a few consecutive queries at a time, evaluated again for a compact location. */
#include "sqi_location.h"
#include "sqi_tetra_batch.h"

#define SQI_CHUNK 512

typedef struct sqi_chunk
{
  int64_t first; /* query */
  int32_t count;
  int64_t cell_offsets[SQI_CHUNK + 1];
  int64_t node_offsets[SQI_CHUNK + 1];
  sqi_row_place place;
  int64_t at[3]; /* where on the grid the next query is */
  /* The cell of the query before; -1: none. */
  int32_t number;
  int32_t block;
  int64_t id;
  int32_t is_tetra; /* then it has these nodes */
  int64_t ids[4];
  double points[12];
  /* Tetrahedra that wait for a batch: their queries, and where their weights go. */
  int32_t waiting;
  int32_t query[SQI_TETRA_LANES];
  sqi_tetra_batch batch;
} sqi_chunk;

/** What fills chunks; one chunk a thread. */
typedef struct sqi_chunks
{
  sqi_rows rows;
  sqi_tetra_weights tetra;
  sqi_chunk* chunks;
  int32_t threads;
  int32_t with_nodes; /* 0: cells alone are wanted */
  int64_t cell_room;
  int64_t node_room;
  int32_t* cell_blocks; /* rooms of all threads */
  int64_t* cell_ids;
  int32_t* node_blocks;
  int64_t* node_ids;
  double* node_weights;
} sqi_chunks;

/** For a compact location; to be closed, also after an error. */
sq_status sqi_chunks_open(
  sq_context* context, const sq_location* location, int with_nodes, sqi_chunks* chunks);
void sqi_chunks_close(sq_context* context, sqi_chunks* chunks);

/** The rows of as many of the queries begin ... end - 1 as there is room for, at least one and at most SQI_CHUNK. */
const sqi_chunk* sqi_chunk_fill(
  const sqi_chunks* chunks, int64_t begin, int64_t end, int32_t thread);

#endif
