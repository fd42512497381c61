#ifndef SQ_TYPES_H
#define SQ_TYPES_H
/**
 * Statuses, scalar types and the views through which callers hand over their arrays.
 *
 * A view borrows: the library neither copies nor frees what it points to, and says at each call
 * whether the arrays must outlive the call. Sizes and ids are 64-bit throughout.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef SQ_API
#define SQ_API
#endif

#ifdef __cplusplus
#define SQ_BEGIN_DECLS \
  extern "C"           \
  {
#define SQ_END_DECLS }
#else
#define SQ_BEGIN_DECLS
#define SQ_END_DECLS
#endif

SQ_BEGIN_DECLS

/** Every fallible call returns one of these; sq_context_message() has the reason in one line. */
#define SQ_STATUS_LIST(X)                       \
  X(SQ_OK, 0, "ok")                             \
  X(SQ_INVALID_ARGUMENT, 1, "invalid argument") \
  X(SQ_INVALID_DATA, 2, "invalid data")         \
  X(SQ_TOO_LARGE, 3, "too large")               \
  X(SQ_OUT_OF_MEMORY, 4, "out of memory")       \
  X(SQ_UNSUPPORTED, 5, "unsupported")           \
  X(SQ_DEVICE, 6, "device")                     \
  X(SQ_CANCELLED, 7, "cancelled")               \
  X(SQ_IO, 8, "io")

#define SQ_STATUS_ENUM(name, value, text) name = value,
typedef enum sq_status
{
  SQ_STATUS_LIST(SQ_STATUS_ENUM)
} sq_status;
#undef SQ_STATUS_ENUM

/** The text of a status, "unknown status" for any other number; never NULL. */
SQ_API const char* sq_status_text(sq_status status);

/** Scalar types of caller arrays. */
typedef enum sq_type
{
  SQ_FLOAT32 = 0,
  SQ_FLOAT64 = 1,
  SQ_INT8 = 2,
  SQ_UINT8 = 3,
  SQ_INT16 = 4,
  SQ_UINT16 = 5,
  SQ_INT32 = 6,
  SQ_UINT32 = 7,
  SQ_INT64 = 8,
  SQ_UINT64 = 9
} sq_type;

/** Bytes of one scalar, 0 for a number that is no sq_type. */
SQ_API size_t sq_type_bytes(sq_type type);

/**
 * Points: `count` tuples of `dimension` coordinates, SQ_FLOAT32 or SQ_FLOAT64, packed.
 * `dimension` is 3 wherever the header of a call does not say otherwise.
 */
typedef struct sq_points
{
  const void* data;
  int64_t count;
  sq_type type;
  int32_t dimension;
} sq_points;

/** Ghost bits, those of VTK's vtkGhostType. */
#define SQ_GHOST_DUPLICATE_CELL 1
#define SQ_GHOST_REFINED_CELL 8
#define SQ_GHOST_HIDDEN_CELL 32
/** Cells that never take part: hidden ones, and those of AMR that finer ones lie over. */
#define SQ_GHOST_MASKED_CELL (SQ_GHOST_REFINED_CELL | SQ_GHOST_HIDDEN_CELL)

/**
 * Cell types are numbered as VTK's (vtkCellType.h); these are the ones the library knows: all that VTK 9.2 can instantiate but
 * the convex point set (41), which is what its Delaunay triangulation makes of it.
 */
typedef enum sq_cell_type
{
  SQ_CELL_EMPTY = 0,
  SQ_CELL_VERTEX = 1,
  SQ_CELL_POLY_VERTEX = 2,
  SQ_CELL_LINE = 3,
  SQ_CELL_POLY_LINE = 4,
  SQ_CELL_TRIANGLE = 5,
  SQ_CELL_TRIANGLE_STRIP = 6,
  SQ_CELL_POLYGON = 7,
  SQ_CELL_PIXEL = 8,
  SQ_CELL_QUAD = 9,
  SQ_CELL_TETRA = 10,
  SQ_CELL_VOXEL = 11,
  SQ_CELL_HEXAHEDRON = 12,
  SQ_CELL_WEDGE = 13,
  SQ_CELL_PYRAMID = 14,
  SQ_CELL_PENTAGONAL_PRISM = 15,
  SQ_CELL_HEXAGONAL_PRISM = 16,
  SQ_CELL_QUADRATIC_EDGE = 21,
  SQ_CELL_QUADRATIC_TRIANGLE = 22,
  SQ_CELL_QUADRATIC_QUAD = 23,
  SQ_CELL_QUADRATIC_TETRA = 24,
  SQ_CELL_QUADRATIC_HEXAHEDRON = 25,
  SQ_CELL_QUADRATIC_WEDGE = 26,
  SQ_CELL_QUADRATIC_PYRAMID = 27,
  SQ_CELL_BIQUADRATIC_QUAD = 28,
  SQ_CELL_TRIQUADRATIC_HEXAHEDRON = 29,
  SQ_CELL_QUADRATIC_LINEAR_QUAD = 30,
  SQ_CELL_QUADRATIC_LINEAR_WEDGE = 31,
  SQ_CELL_BIQUADRATIC_QUADRATIC_WEDGE = 32,
  SQ_CELL_BIQUADRATIC_QUADRATIC_HEXAHEDRON = 33,
  SQ_CELL_BIQUADRATIC_TRIANGLE = 34,
  SQ_CELL_CUBIC_LINE = 35,
  SQ_CELL_QUADRATIC_POLYGON = 36,
  SQ_CELL_TRIQUADRATIC_PYRAMID = 37,
  SQ_CELL_POLYHEDRON = 42,
  SQ_CELL_LAGRANGE_CURVE = 68,
  SQ_CELL_LAGRANGE_TRIANGLE = 69,
  SQ_CELL_LAGRANGE_QUADRILATERAL = 70,
  SQ_CELL_LAGRANGE_TETRAHEDRON = 71,
  SQ_CELL_LAGRANGE_HEXAHEDRON = 72,
  SQ_CELL_LAGRANGE_WEDGE = 73,
  SQ_CELL_BEZIER_CURVE = 75,
  SQ_CELL_BEZIER_TRIANGLE = 76,
  SQ_CELL_BEZIER_QUADRILATERAL = 77,
  SQ_CELL_BEZIER_TETRAHEDRON = 78,
  SQ_CELL_BEZIER_HEXAHEDRON = 79,
  SQ_CELL_BEZIER_WEDGE = 80
} sq_cell_type;

/** Largest order of a Lagrange or Bezier cell along any of its parameters; cells beyond it are left out as unsupported. */
#define SQ_CELL_ORDER_MAX 16

/**
 * Cells of any type over one set of points (one block of a mesh).
 *
 * Cell c has the point ids connectivity[offsets[c]] ... connectivity[offsets[c + 1] - 1], in VTK's
 * order of corners for its type. `offsets` (count + 1 entries) and `connectivity`
 * (`connectivity_count` entries) are both of `id_type`, SQ_INT32 or SQ_INT64; `offsets` may be NULL
 * when every cell has `cell_size` points. `types` may be NULL when every cell is of type `type`.
 *
 * Polyhedra (SQ_CELL_POLYHEDRON): the faces of cell c are the stream
 * faces[face_offsets[c]] ... = face count, then for every face its point count and its point ids
 * (as vtkUnstructuredGrid::GetFaceStream). `face_offsets` has count + 1 entries; cells of other types
 * have an empty range. Both may be NULL where no cell is a polyhedron.
 *
 * `ghost` (may be NULL) has one byte of SQ_GHOST_... bits a cell.
 *
 * `global_ids` (may be NULL) has one number a cell. Where all blocks with cells have them, they settle ties in place of
 * (block, cell): the same cell wins however the mesh is cut into blocks.
 *
 * Lagrange and Bezier cells: `degrees` (may be NULL) has 3 bytes a cell, the orders along its parameters as VTK's
 * HigherOrderDegrees. They count for quadrilaterals, hexahedra and wedges (whose first two are one) with first byte > 0; the
 * others, and all without the array, have the one order that their number of points says.
 * `rational_weights` (may be NULL) has one number a point: Bezier cells are rational with it (VTK's RationalWeights). A cell
 * with a weight that is not positive and finite counts as one with a coordinate that is not finite.
 *
 * Ids out of range, decreasing offsets and the like are SQ_INVALID_DATA at build, with the cell named.
 */
typedef struct sq_cells
{
  sq_points points;
  int64_t count;
  const uint8_t* types;
  uint8_t type;
  int32_t cell_size;
  sq_type id_type;
  const void* offsets;
  const void* connectivity;
  int64_t connectivity_count;
  const int64_t* face_offsets;
  const int32_t* faces;
  const uint8_t* ghost;
  const int64_t* global_ids;
  const uint8_t* degrees;
  const double* rational_weights;
} sq_cells;

SQ_END_DECLS
#endif
