#ifndef FUZZ_CELLS_H
#define FUZZ_CELLS_H
/** Small meshes from bytes: mostly what is allowed, with what is not here and there. Arrays are as long as their lengths say, no longer. */
#include "fuzz_input.h"

#include "spatialqueries/sq_context.h"

#define FUZZ_BLOCKS 2
#define FUZZ_CELLS 6

/** The arrays of a block are on the heap, so that reading beyond them shows. */
typedef struct fuzz_mesh
{
  sq_cells blocks[FUZZ_BLOCKS];
} fuzz_mesh;

/** Returns how many blocks there are, 1 or 2. */
int32_t fuzz_take_mesh(fuzz_bytes* bytes, fuzz_mesh* mesh);

void fuzz_free_mesh(fuzz_mesh* mesh);

#endif
