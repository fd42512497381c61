// The public headers link from C++: declarations are extern "C", structs brace-initialise, enums convert as in C++.
#include "spatialqueries/spatialqueries.h"

#include <cmath>
#include <cstdio>
#include <vector>

int main()
{
  const std::vector<double> points = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  const std::vector<long long> ids = { 0, 1, 2 };
  sq_cells block = {};
  block.points = sq_points{ points.data(), 3, SQ_FLOAT64, 3 };
  block.count = 1;
  block.type = SQ_CELL_TRIANGLE;
  block.cell_size = 3;
  block.id_type = SQ_INT64;
  block.connectivity = ids.data();
  block.connectivity_count = 3;

  sq_context* context = nullptr;
  sq_surface* surface = nullptr;
  sq_mesh_index* index = nullptr;
  const double x[3] = { 0.25, 0.25, 2.0 };
  const sq_points queries = { x, 1, SQ_FLOAT64, 3 };
  double distance = 0.0;
  sq_distance_outputs outputs = {};
  outputs.distance = &distance;
  int ok = sq_context_create(nullptr, &context) == SQ_OK;
  ok = ok && sq_surface_build(context, &block, 1, nullptr, &surface) == SQ_OK;
  ok = ok && sq_surface_distance(context, surface, &queries, nullptr, &outputs) == SQ_OK;
  ok = ok && sq_mesh_index_build(context, &block, 1, &index) == SQ_OK;
  ok = ok && std::fabs(distance) == 2.0;
  std::printf("%s: distance %g, %s\n", ok ? "PASS" : "FAIL", distance, sq_context_message(context));
  sq_mesh_index_destroy(index);
  sq_surface_destroy(surface);
  sq_context_destroy(context);
  return ok ? 0 : 1;
}
