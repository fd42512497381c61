/** The boxes of a search structure, to look at. */
#ifndef vtkSQTreeBoxes_h
#define vtkSQTreeBoxes_h

#include "spatialqueries/sq_mesh_query.h"

class vtkPolyData;

namespace vtkSQ
{
/** Six faces for every box of sq_mesh_index_boxes() at that depth; nothing for NULL. */
void DrawBoxes(const sq_mesh_index* index, int depth, vtkPolyData* output);
}
#endif
