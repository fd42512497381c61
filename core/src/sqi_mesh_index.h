#ifndef SQI_MESH_INDEX_H
#define SQI_MESH_INDEX_H
/** The inside of a mesh index, and how its cells are put in front of the kernels. */
#include "spatialqueries/sq_mesh_index.h"
#include "sqi_bvh.h"
#include "sqi_layouts.h"
#include "sqi_view.h"
#include "sqk_cell.h"

#include <stdatomic.h>

/**
 * What is worked out at build for cells that the kernels cannot take as they are: the triangles of polygons that are
 * not convex, the surfaces of polyhedra (sqi_mesh_index_faces.h).
 */
typedef struct sqi_cuts
{
  int32_t count;
  int64_t size;
  int32_t* number; /* count, ascending: which cell */
  int64_t* begin; /* count: where its data begins */
  int32_t* data; /* size */
} sqi_cuts;

/** Eight cells and what bounds them (sqi_mesh_index_leaf.h). */
typedef struct sqi_mesh_leaf sqi_mesh_leaf;

struct sq_mesh_index
{
  sq_allocator allocator;
  sq_cells* blocks;
  int64_t* first; /* block_count + 1: cells are numbered through all blocks */
  int32_t block_count;
  int32_t node_max; /* most nodes of a cell */
  int32_t corner_max; /* with the middles of its warped faces; at least 2 where there are nodes */
  int64_t face_max; /* longest face list of a polyhedron */
  int32_t max_dimension;
  int32_t by_global_id; /* ties go to the lowest global id */
  int64_t taken; /* cells that take part, without the copies of others (SQ_GHOST_DUPLICATE_CELL) */
  int64_t copy_count; /* copies that do */
  int64_t skipped;
  int64_t unsupported;
  sqi_cuts cuts;
  sqi_layouts layouts;
  uint8_t* states; /* sqi_cell_state of every cell; NULL: all are SQI_CELL_TAKEN */
  uint8_t* regular; /* a cell: sqk_cell.regular of a curved solid; NULL: there are none */
  /* What searches need, made when the first one asks for it (sqi_mesh_index_search.h): not to be looked at before. */
  sqi_bvh bvh; /* children that are leaves are numbers of `leaves`; there is no order */
  sqi_mesh_leaf* leaves;
  int32_t leaf_count;
  sq_mesh_index*
    copies; /* shares all but the tree, which is that of the duplicate cells; NULL: there are none */
  /* Not copied to the twin. */
  _Atomic int searchable;
  _Atomic int building; /* a thread is at it; others look at this meanwhile */
  _Atomic int64_t owed; /* nanoseconds that went into doing without, about (sq_locate_points.c) */
};

/** A cell as it is stored, in double. */
typedef struct sqi_mesh_cell
{
  const sq_cells* block;
  int32_t block_id;
  int64_t id; /* within the block */
  int64_t offset; /* of its first point id */
  int32_t number;
  int32_t count;
  int32_t type; /* as the kernels know it (sqk_shape_kind) */
  double* points; /* 3 * count */
  const sqk_layout* layout; /* of a Lagrange or Bezier cell, else NULL */
  double* rational; /* count, behind the points; NULL: none */
  double lo[3]; /* of the nodes */
  double hi[3];
  double largest; /* absolute coordinate of the nodes */
} sqi_mesh_cell;

/** Room for the cell with the most nodes; one a thread. */
typedef struct sqi_mesh_scratch
{
  double* points; /* 4 * node_max */
  double* local; /* 9 * corner_max: behind the nodes room for control points */
  double* weights; /* corner_max */
} sqi_mesh_scratch;

/** Cells of block b have the numbers first[b] to first[b + 1] - 1. */
static inline int32_t sqi_mesh_block_of(const sq_mesh_index* index, int64_t number)
{
  int32_t lo = 0;
  int32_t hi = index->block_count;
  while (hi - lo > 1)
  {
    int32_t middle = lo + (hi - lo) / 2;
    *(number < index->first[middle] ? &hi : &lo) = middle;
  }
  return lo;
}

/** Whether a cell of that number is a copy of another (SQ_GHOST_DUPLICATE_CELL), and so in the tree of `copies`. */
static inline int sqi_mesh_is_copy(const sq_mesh_index* index, int32_t number)
{
  int32_t b = sqi_mesh_block_of(index, number);
  const uint8_t* ghost = index->blocks[b].ghost;
  return ghost && (ghost[number - index->first[b]] & SQ_GHOST_DUPLICATE_CELL);
}

/** Whether cell a comes before b in the order in which ties are broken. */
static inline int sqi_mesh_before(const sq_mesh_index* index, int32_t a, int32_t b)
{
  if (index->by_global_id)
  {
    int32_t block_a = sqi_mesh_block_of(index, a);
    int32_t block_b = sqi_mesh_block_of(index, b);
    int64_t id_a = index->blocks[block_a].global_ids[a - index->first[block_a]];
    int64_t id_b = index->blocks[block_b].global_ids[b - index->first[block_b]];
    if (id_a != id_b)
    {
      return id_a < id_b;
    }
  }
  return a < b;
}

/** What is known of a cell without its points: all but `points`, its layout, `rational` and the box. */
void sqi_mesh_cell_open(const sq_mesh_index* index, int32_t number, sqi_mesh_cell* cell);

/** The box of the nodes of a cell that has been opened, and `largest`. */
void sqi_mesh_cell_measure(sqi_mesh_cell* cell);

/** Reads the points of a cell into `points` (room for 4 * node_max) and measures its box. */
void sqi_mesh_cell_read(
  const sq_mesh_index* index, int32_t number, double* points, sqi_mesh_cell* cell);

/** The box that holds the cell; that of its nodes, except for curved cells. `room`: 6 * count, for Lagrange and Bezier cells. */
void sqi_mesh_cell_bounds(const sqi_mesh_cell* cell, double* room, double lo[3], double hi[3]);

/** The boxes of all Lagrange and Bezier cells, 6 numbers each, at their numbers; nothing where there are none. */
sq_status sqi_mesh_layout_boxes(sq_context* context, const sq_mesh_index* index, double* boxes);

/** Fills index->regular for the cells that take part. */
sq_status sqi_mesh_find_regular(sq_context* context, sq_mesh_index* index);

/** The number under which the kernels know the type of cell c. */
static inline int sqi_mesh_kind(const sq_cells* block, int64_t c)
{
  int type = sqi_cell_kind(block, c);
  return sqk_shape_is_layout(type)
    ? sqk_shape_kind(type, sqi_cell_offset(block, c + 1) - sqi_cell_offset(block, c))
    : sqk_shape_kind(type, 0);
}

/** The diagonal of a box, without overflow on the way. */
double sqi_box_diagonal(const double lo[3], const double hi[3]);

/** `view` of a cell for the kernels, relative to x; lengths in it are true ones times `scale`, a power of two. `local`: 9 * corner_max. */
void sqi_mesh_cell_view(const sq_mesh_index* index, const sqi_mesh_cell* cell, const double x[3],
  double* local, sqk_cell* view, double* scale);

/**
 * `view` of a cell whose nodes the caller has put into `local` (9 * corner_max) as the kernels want them; adds the middles
 * behind them.
 */
void sqi_mesh_cell_shape(
  const sq_mesh_index* index, const sqi_mesh_cell* cell, double* local, sqk_cell* view);

/** What the build finds out about a cell. */
typedef enum sqi_cell_state
{
  SQI_CELL_TAKEN = 0,
  SQI_CELL_TAKEN_CUT = 1, /* one of sqi_cuts */
  SQI_CELL_HIDDEN = 2, /* also cells without points */
  SQI_CELL_NOT_FINITE = 3,
  SQI_CELL_UNSUPPORTED = 4,
  SQI_CELL_STATES = 5 /* how many there are */
} sqi_cell_state;

/** Whether cell `number` takes part, maybe as a copy. */
static inline int sqi_mesh_takes(const sq_mesh_index* index, int64_t number)
{
  return !index->states || index->states[number] <= SQI_CELL_TAKEN_CUT;
}

/** Whether it does as a copy (1), or as none (0). */
static inline int sqi_mesh_takes_as(const sq_mesh_index* index, int64_t number, int copy)
{
  return sqi_mesh_takes(index, number) &&
    (index->copy_count && sqi_mesh_is_copy(index, (int32_t)number)) == copy;
}

/** Fills index->states, taken, copy_count, skipped, unsupported and max_dimension. Needs index->node_max. */
sq_status sqi_mesh_find_states(sq_context* context, sq_mesh_index* index);

/** Fills index->cuts and index->corner_max. */
sq_status sqi_cuts_build(sq_context* context, sq_mesh_index* index);

void sqi_cuts_release(const sq_allocator* allocator, sqi_cuts* cuts);

/** The data of a cell, NULL if there is none. */
static inline const int32_t* sqi_cuts_of(const sqi_cuts* cuts, int32_t number)
{
  /* Where all cells have some, a cell has those of its number. */
  int32_t lo = number < cuts->count && cuts->number[number] == number ? number : 0;
  int32_t hi = lo ? lo + 1 : cuts->count;
  while (hi - lo > 1)
  {
    int32_t middle = lo + (hi - lo) / 2;
    *(number < cuts->number[middle] ? &hi : &lo) = middle;
  }
  return hi > lo && cuts->number[lo] == number ? cuts->data + cuts->begin[lo] : NULL;
}

#endif
