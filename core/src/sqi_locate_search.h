#ifndef SQI_LOCATE_SEARCH_H
#define SQI_LOCATE_SEARCH_H
/** The searches of sq_locate() for one query. Deterministic: answers do not depend on the tree or on the seed. */
#include "sqi_mesh_index.h"

/** What all queries of a run have in common. */
typedef struct sqi_locate_rules
{
  const sq_mesh_index* index;
  sq_locate_options options;
  const double* floor_ulp; /* one a block: 4 epsilon of the coarser type of query and points */
  double floor_ulp_max;
} sqi_locate_rules;

/** What a search finds. */
typedef struct sqi_locate_answer
{
  int32_t number; /* of the lowest cell; -1: none */
  int32_t count; /* containing: cells at the best rank */
  int64_t weight_count; /* containing: of all these cells together */
  double distance;
  double
    r[3]; /* containing: parameters in the lowest cell where they are `plain` (sqk_cell_types.h) */
  int32_t plain;
  int32_t nodes_visited;
  int32_t cells_tested;
} sqi_locate_answer;

/** Sets the floor of the tolerance for queries of that type; `floor_ulp` has one number a block. */
void sqi_locate_set_floor(sqi_locate_rules* rules, sq_type query_type, double* floor_ulp);

/** Doubles that the scratch of one thread takes. */
static inline int64_t sqi_mesh_scratch_size(const sq_mesh_index* index)
{
  return (int64_t)14 * index->corner_max;
}

/** The scratch that lies in `room`, which is NULL for an index without cells. */
static inline sqi_mesh_scratch sqi_mesh_scratch_in(const sq_mesh_index* index, double* room)
{
  int64_t n = room ? index->corner_max : 0;
  sqi_mesh_scratch s = { room, room ? room + 4 * n : NULL, room ? room + 13 * n : NULL };
  return s;
}

/** A point is in a cell up to this length, the rounding of the cell's coordinates. */
double sqi_locate_fuzz(const sqi_mesh_cell* cell);

/** Distances up to `least` that differ by no more than this are equal: 4 ulp of the coordinates that they come from. */
static inline double sqi_locate_tie(double largest, double least)
{
  return least > 0.0 ? 4.0 * SQK_CELL_EPSILON * (largest + least) : 0.0;
}

/** How far from the cell a point may lie to be found in it. */
double sqi_locate_tolerance(const sqi_locate_rules* rules, const sqi_mesh_cell* cell);

/** Ranks of the cells of a query; the best wins. */
#define SQI_RANK_INSIDE 0
#define SQI_RANK_TOLERANCE 1
#define SQI_RANK_NONE 2

/**
 * Cells that hold x, or have it within tolerance: those at distance 0 if there are any. `list` (may be NULL) gets the numbers
 * of all of them in the order of ties; it has room for as many as an earlier run counted, and `worst` is their rank then, else
 * SQI_RANK_NONE.
 */
typedef void (*sqi_locate_containing)(const sqi_locate_rules* rules, const double x[3],
  const sqi_mesh_scratch* scratch, int32_t* list, int worst, sqi_locate_answer* answer);

/**
 * The nearest cell at distance <= options.max_distance, the lowest of those within rounding of the least distance.
 * `seed` is any cell (-1: none), tried first.
 */
typedef void (*sqi_locate_nearest)(const sqi_locate_rules* rules, const double x[3],
  const sqi_mesh_scratch* scratch, int32_t seed, sqi_locate_answer* answer);

/**
 * Reads cell `number`, which a search has found for x with the given status, and sets its weights at x in scratch->weights, its
 * parametric coordinates and its distance, to 4 ulp of the coordinates. Returns the number of weights; that of node k of
 * `hit` where hit->used, else of node k.
 */
typedef int32_t (*sqi_locate_evaluate)(const sqi_locate_rules* rules, const double x[3],
  const sqi_mesh_scratch* scratch, int32_t number, sq_sample_status status, sqi_mesh_cell* cell,
  sqk_cell_hit* hit);

typedef struct sqi_locate_functions
{
  sqi_locate_containing containing;
  sqi_locate_nearest nearest;
  sqi_locate_evaluate evaluate;
} sqi_locate_functions;

/** The searches for the instruction set of this machine; all give the same answers. */
sqi_locate_functions sqi_locate_choose(void);

#define SQI_LOCATE_LEVEL(level)                                                                    \
  void sqi_locate_containing_##level(const sqi_locate_rules* rules, const double x[3],             \
    const sqi_mesh_scratch* scratch, int32_t* list, int worst, sqi_locate_answer* answer);         \
  void sqi_locate_nearest_##level(const sqi_locate_rules* rules, const double x[3],                \
    const sqi_mesh_scratch* scratch, int32_t seed, sqi_locate_answer* answer);                     \
  int32_t sqi_locate_evaluate_##level(const sqi_locate_rules* rules, const double x[3],            \
    const sqi_mesh_scratch* scratch, int32_t number, sq_sample_status status, sqi_mesh_cell* cell, \
    sqk_cell_hit* hit);
SQI_LOCATE_LEVEL(generic)
SQI_LOCATE_LEVEL(avx2)
SQI_LOCATE_LEVEL(avx512)
#undef SQI_LOCATE_LEVEL

/** The values of a query come from the mean of the cell's nodes. */
static inline int sqi_locate_by_centroid(const sq_locate_options* options, sq_sample_status status)
{
  return options->nearest_by == SQ_NEAREST_CENTROID &&
    (options->mode == SQ_LOCATE_NEAREST || status == SQ_SAMPLE_NEAREST);
}

/**
 * Weights, parameters and closest point of a cell (not curved, no polyhedron) that is small beside its distance to x: what
 * sqk_cell_find() set is off by rounding of the distance, and becomes right to rounding of the cell.
 */
void sqi_locate_sharpen(const sq_mesh_index* index, const sqi_mesh_cell* cell, const double x[3],
  double distance, const sqi_mesh_scratch* scratch, sqk_cell_hit* hit);

/** Distance from x to the mean of the cell's nodes. */
double sqi_locate_centroid_distance(const sqi_mesh_cell* cell, const double x[3]);

#endif
