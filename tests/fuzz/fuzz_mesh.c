#include "fuzz_cells.h"

#include <stdlib.h>
#include <string.h>

/** Most nodes of a cell, and points of a block: a hexahedron of order 3. */
#define NODES 64
#define FACES_MAX 200

/** Numbers of nodes that are right for a type; 0: many are. */
static const struct
{
  uint8_t type;
  uint8_t nodes;
} types[] = { { 1, 1 }, { 2, 0 }, { 3, 2 }, { 4, 0 }, { 5, 3 }, { 6, 0 }, { 7, 0 }, { 8, 4 },
  { 9, 4 }, { 10, 4 }, { 11, 8 }, { 12, 8 }, { 13, 6 }, { 14, 5 }, { 15, 10 }, { 16, 12 },
  { 21, 3 }, { 22, 6 }, { 23, 8 }, { 24, 10 }, { 25, 20 }, { 26, 15 }, { 27, 13 }, { 28, 9 },
  { 29, 27 }, { 30, 6 }, { 31, 12 }, { 32, 18 }, { 33, 24 }, { 34, 7 }, { 35, 4 }, { 36, 0 },
  { 37, 19 }, { 42, 0 }, { 42, 0 }, { 42, 8 }, { 68, 4 }, { 69, 10 }, { 70, 6 }, { 71, 20 },
  { 71, 15 }, { 72, 27 }, { 72, 12 }, { 72, 64 }, { 73, 18 }, { 73, 40 }, { 75, 3 }, { 76, 6 },
  { 77, 9 }, { 78, 10 }, { 79, 8 }, { 79, 27 }, { 80, 18 }, { 0, 0 }, { 41, 4 }, { 60, 10 },
  { 255, 3 } };

/** A block as it is put together. */
typedef struct draft
{
  fuzz_bytes* bytes;
  int points;
  int count;
  int64_t offsets[FUZZ_CELLS + 1];
  int64_t ids[FUZZ_CELLS * NODES];
  int64_t face_offsets[FUZZ_CELLS + 1];
  int32_t faces[FUZZ_CELLS * FACES_MAX];
  uint8_t types[FUZZ_CELLS];
} draft;

static void* copy(const void* data, size_t bytes)
{
  void* memory = malloc(bytes ? bytes : 1);
  if (memory && bytes)
  {
    memcpy(memory, data, bytes);
  }
  return memory;
}

/** An array of ids of either type; of what does not fit the low bits are kept. */
static void* copy_ids(const int64_t* ids, int64_t count, sq_type type)
{
  int32_t narrow[FUZZ_CELLS * NODES + 1];
  for (int64_t i = 0; i < count; ++i)
  {
    narrow[i] = (int32_t)ids[i];
  }
  return type == SQ_INT32 ? copy(narrow, (size_t)count * sizeof(*narrow))
                          : copy(ids, (size_t)count * sizeof(*ids));
}

static void take_points(fuzz_bytes* bytes, int count, sq_cells* block)
{
  double x[3 * NODES];
  float narrow[3 * NODES];
  for (int i = 0; i < 3 * count; ++i)
  {
    x[i] = fuzz_coordinate(bytes);
    double least = x[i] > 1e38 ? 1e38 : x[i];
    narrow[i] = (float)(least < -1e38 ? -1e38 : least);
  }
  int wide = fuzz_byte(bytes) % 2;
  block->points.count = count;
  block->points.dimension = 3;
  block->points.type = wide ? SQ_FLOAT64 : SQ_FLOAT32;
  block->points.data = wide ? copy(x, (size_t)count * 3 * sizeof(*x))
                            : copy(narrow, (size_t)count * 3 * sizeof(*narrow));
}

/** The faces of a polyhedron, of the points of its own from `first` on. */
static void take_faces(draft* d, int64_t first, int nodes, int64_t* at)
{
  int64_t begin = *at;
  int faces = fuzz_below(d->bytes, 10);
  d->faces[(*at)++] = faces;
  for (int f = 0; f < faces && *at - begin < FACES_MAX - 20; ++f)
  {
    int size = fuzz_below(d->bytes, 9);
    d->faces[(*at)++] = size;
    for (int k = 0; k < size; ++k)
    {
      d->faces[(*at)++] = nodes ? (int32_t)d->ids[first + fuzz_below(d->bytes, nodes)] : 0;
    }
  }
  d->faces[begin] = fuzz_byte(d->bytes) < 250 ? d->faces[begin] : (int32_t)fuzz_number(d->bytes);
}

static void take_cell(draft* d, int c)
{
  int kinds = (int)(sizeof(types) / sizeof(*types));
  int kind = fuzz_below(d->bytes, kinds);
  int nodes = types[kind].nodes ? types[kind].nodes : fuzz_below(d->bytes, 13);
  int64_t first = d->offsets[c];
  /* A cell of consecutive points, or of any. */
  int from = fuzz_byte(d->bytes), shuffled = from >= 128;
  d->types[c] = types[kind].type;
  nodes = d->points ? nodes : 0;
  for (int k = 0; k < nodes; ++k)
  {
    d->ids[first + k] = (shuffled ? fuzz_byte(d->bytes) : from + k) % d->points;
  }
  d->offsets[c + 1] = first + nodes;
  d->face_offsets[c + 1] = d->face_offsets[c];
  if (types[kind].type == SQ_CELL_POLYHEDRON)
  {
    take_faces(d, first, nodes, d->face_offsets + c + 1);
  }
}

/** Puts wrong numbers into the arrays. */
static void spoil(draft* d)
{
  int64_t ids = d->offsets[d->count];
  for (int times = fuzz_below(d->bytes, 4); times; --times)
  {
    int64_t value = fuzz_number(d->bytes);
    int64_t at = fuzz_byte(d->bytes);
    switch (fuzz_below(d->bytes, 4))
    {
      case 0:
        d->offsets[at % (d->count + 1)] = value;
        break;
      case 1:
        d->ids[ids ? at % ids : 0] = value;
        break;
      case 2:
        /* How long `faces` is nobody is told, so offsets stay within. */
        d->face_offsets[at % (d->count + 1)] = value % (d->face_offsets[d->count] + 1);
        break;
      default:
        d->faces[at % (d->face_offsets[d->count] + 1)] = (int32_t)value;
    }
  }
}

/** The optional arrays. */
static void take_extras(draft* d, sq_cells* block)
{
  static const uint8_t ghosts[] = { 0, 0, 0, SQ_GHOST_DUPLICATE_CELL, SQ_GHOST_HIDDEN_CELL, 255 };
  uint8_t ghost[FUZZ_CELLS], degrees[3 * FUZZ_CELLS];
  int64_t names[FUZZ_CELLS];
  double weights[NODES];
  int which = fuzz_byte(d->bytes);
  size_t n = (size_t)d->count;
  for (int c = 0; which & 15 && c < d->count; ++c)
  {
    ghost[c] = which & 1 ? ghosts[fuzz_below(d->bytes, 6)] : 0;
    for (int k = 0; k < 3; ++k)
    {
      degrees[3 * c + k] = which & 2 ? (uint8_t)fuzz_below(d->bytes, 20) : 0;
    }
    names[c] = which & 4 ? fuzz_number(d->bytes) : 0;
  }
  for (int i = 0; which & 8 && i < d->points; ++i)
  {
    weights[i] = fuzz_byte(d->bytes) % 8 ? 1.0 + fuzz_byte(d->bytes) : fuzz_coordinate(d->bytes);
  }
  block->ghost = which & 1 ? (const uint8_t*)copy(ghost, n) : NULL;
  block->degrees = which & 2 ? (const uint8_t*)copy(degrees, 3 * n) : NULL;
  block->global_ids = which & 4 ? (const int64_t*)copy(names, n * sizeof(*names)) : NULL;
  block->rational_weights =
    which & 8 ? (const double*)copy(weights, (size_t)d->points * sizeof(*weights)) : NULL;
}

static void take_block(fuzz_bytes* bytes, sq_cells* block)
{
  draft d;
  memset(&d, 0, sizeof(d));
  d.bytes = bytes;
  d.points = fuzz_below(bytes, NODES + 1);
  d.count = fuzz_below(bytes, FUZZ_CELLS + 1);
  take_points(bytes, d.points, block);
  for (int c = 0; c < d.count; ++c)
  {
    take_cell(&d, c);
  }
  int64_t ids = d.offsets[d.count];
  int64_t faces = d.face_offsets[d.count];
  size_t n = (size_t)d.count;
  spoil(&d);
  block->count = d.count;
  block->id_type = fuzz_byte(bytes) % 2 ? SQ_INT32 : SQ_INT64;
  block->types = (const uint8_t*)copy(d.types, n);
  block->offsets = copy_ids(d.offsets, d.count + 1, block->id_type);
  block->connectivity = copy_ids(d.ids, ids, block->id_type);
  block->connectivity_count = ids;
  if (faces)
  {
    block->face_offsets = (const int64_t*)copy(d.face_offsets, (n + 1) * sizeof(*d.face_offsets));
    block->faces = (const int32_t*)copy(d.faces, (size_t)faces * sizeof(*d.faces));
  }
  take_extras(&d, block);
}

int32_t fuzz_take_mesh(fuzz_bytes* bytes, fuzz_mesh* mesh)
{
  int32_t blocks = 1 + fuzz_below(bytes, FUZZ_BLOCKS);
  for (int32_t b = 0; b < blocks; ++b)
  {
    take_block(bytes, mesh->blocks + b);
  }
  return blocks;
}

void fuzz_free_mesh(fuzz_mesh* mesh)
{
  for (int b = 0; b < FUZZ_BLOCKS; ++b)
  {
    const sq_cells* block = mesh->blocks + b;
    const void* const arrays[] = { block->points.data, block->types, block->offsets,
      block->connectivity, block->face_offsets, block->faces, block->ghost, block->global_ids,
      block->degrees, block->rational_weights };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); ++i)
    {
      free((void*)(uintptr_t)arrays[i]);
    }
  }
}
