#ifndef SPATIALQUERIES_H
#define SPATIALQUERIES_H
/** Everything the library offers. */
#include "spatialqueries/sq_cells.h"
#include "spatialqueries/sq_context.h"
#include "spatialqueries/sq_locate_grid.h"
#include "spatialqueries/sq_mesh_index.h"
#include "spatialqueries/sq_mesh_query.h"
#include "spatialqueries/sq_plan.h"
#include "spatialqueries/sq_plan_evaluate.h"
#include "spatialqueries/sq_surface.h"
#include "spatialqueries/sq_surface_check.h"
#include "spatialqueries/sq_types.h"
#endif
