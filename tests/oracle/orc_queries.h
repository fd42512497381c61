#ifndef ORC_QUERIES_H
#define ORC_QUERIES_H
/** Query points for a mesh of the suite, and their answers by brute force. */
#include "orc_geometry.h"
#include "orc_mesh.h"

typedef enum orc_query_kind
{
  ORC_UNIFORM, /* in the box of twice the size */
  ORC_CHORDS, /* between two random surface points: inside thin bodies too */
  ORC_LATTICE, /* multiples of 1/8 of the box: level with vertices, edges and faces */
  ORC_NEAR_3, /* 1e-3 diagonals off a random surface point */
  ORC_NEAR_9, /* 1e-9 diagonals off */
  ORC_ON_FACES, /* on a triangle, up to the rounding of the point */
  ORC_ON_EDGES,
  ORC_ON_CORNERS, /* exactly */
  ORC_FAR, /* 1e3 diagonals away */
  ORC_QUERY_KINDS
} orc_query_kind;

const char* orc_query_kind_name(orc_query_kind kind);

/** Writes 3 x count coordinates; the same for the same seed. */
void orc_make_queries(
  const orc_mesh* mesh, orc_query_kind kind, int64_t count, uint64_t seed, double* points);

typedef struct orc_answer
{
  orc_real distance; /* unsigned */
  orc_real winding; /* 0 unless asked for */
  int64_t triangle; /* the first at that distance */
} orc_answer;

orc_answer orc_answer_query(const orc_mesh* mesh, const double x[3], int winding);

orc_real orc_distance_to_triangle(const orc_mesh* mesh, int64_t triangle, const double x[3]);

#endif
