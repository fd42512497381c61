#ifndef SQI_LAYOUTS_H
#define SQI_LAYOUTS_H
/** The layouts of the Lagrange and Bezier cells of a mesh: one of each type and orders. */
#include "spatialqueries/sq_context.h"
#include "sqk_layout.h"

typedef struct sqi_layouts
{
  int32_t count;
  int32_t node_max; /* most nodes of a layout */
  sqk_layout* list;
  int16_t* of_code; /* number in the list by sqi_layout_code(); NULL: no layouts */
} sqi_layouts;

typedef enum sqi_order_state
{
  SQI_ORDER_FITS = 0,
  SQI_ORDER_WRONG = 1, /* the number of points fits no order, or not the one given */
  SQI_ORDER_TOO_HIGH = 2
} sqi_order_state;

/** The orders of a Lagrange or Bezier cell with `count` points. `degrees`: 3 bytes, or NULL. */
sqi_order_state sqi_layout_orders(
  int type, int64_t count, const uint8_t* degrees, int32_t order[3]);

/** The layouts of all cells of these blocks, which have been checked; on error, too, the caller releases. */
sq_status sqi_layouts_build(
  sq_context* context, const sq_cells* blocks, int32_t block_count, sqi_layouts* layouts);

void sqi_layouts_release(const sq_allocator* allocator, sqi_layouts* layouts);

int64_t sqi_layouts_bytes(const sqi_layouts* layouts);

/** The layout of a cell that one was built for. */
const sqk_layout* sqi_layout_of(
  const sqi_layouts* layouts, int type, int64_t count, const uint8_t* degrees);

/** An interval, triangle or tetrahedron of an order, without its matrix; then the matrix that takes values at its lattice to control points. */
void sqi_layout_factor_set(sqk_layout_factor* factor, int dimension, int32_t order);
sq_status sqi_layout_factor_build(sq_context* context, sqk_layout_factor* factor);
void sqi_layout_factor_release(const sq_allocator* allocator, sqk_layout_factor* factor);

/** Places in the tables of lattice point number i of a factor, and the number of the lattice point with these places. */
void sqi_layout_lattice(const sqk_layout_factor* factor, int32_t i, uint8_t at[4]);
int32_t sqi_layout_place(const sqk_layout_factor* factor, const uint8_t* at);

/** VTK's order of the nodes: of node i its places in the tables of its functions (sqk_layout.h). */
void sqi_layout_nodes(int type, const int32_t order[3], uint8_t (*index)[4]);

#endif
