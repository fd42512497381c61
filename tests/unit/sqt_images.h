#ifndef SQT_IMAGES_H
#define SQT_IMAGES_H
/** Distorted cells of one type, and images of parameters in them. */
#include "orc_random.h"
#include "sqi_layouts.h"
#include "sqt_context.h"

/** Cells of a mesh: straight, bent a little to strongly, thick and flat. */
#define SQT_IMAGE_CELLS 8

typedef struct sqt_shape
{
  const char* name;
  uint8_t type;
  int32_t count; /* points of a cell */
  uint8_t degrees[3]; /* 0: none given */
  int32_t rational;
} sqt_shape;

/** All shapes with shape functions: fixed types, then Lagrange and Bezier cells. */
extern const sqt_shape sqt_shapes[];
extern const int sqt_shape_count;

typedef struct sqt_images
{
  sq_cells block;
  int kind; /* sqk_shape_kind */
  sqi_layouts layouts;
  double* points;
  double* rational;
  uint8_t* degrees;
  int64_t* ids;
} sqt_images;

/** `bend`: how strongly cells are bent, 1 for the usual. Layouts are the context's. */
sqt_images sqt_images_make(sq_context* context, const sqt_shape* shape, double bend, orc_random* r);
void sqt_images_free(sq_context* context, sqt_images* images);

/** Parameters in the domain: every second one on faces, edges and corners, or 1e-9 from them. */
void sqt_images_parameters(const sqt_images* images, int64_t number, orc_random* r, double at[3]);

/** The weights of a cell's nodes at parameters, and its point there. */
void sqt_images_weights(const sqt_images* images, int64_t cell, const double r[3], double* w);
void sqt_images_point(const sqt_images* images, int64_t cell, const double r[3], double x[3]);

#endif
