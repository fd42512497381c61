#ifndef SQT_TREE_FOLDERS_H
#define SQT_TREE_FOLDERS_H
/** The structures whose saved folders the reference's release gives, too. */
#include "sqt_tree_mesh.h"

#include "spatialqueries/sq_plan.h"

typedef enum sqt_structure
{
  SQT_BVH,
  SQT_CLUSTER_TREE,
  SQT_AGGREGATES,
  SQT_PLAN
} sqt_structure;

typedef struct sqt_saved
{
  const char* name; /* of the folder */
  sqt_structure structure;
  uint64_t hash; /* sqt_hash_folder of what the reference saves */
} sqt_saved;

#define SQT_SAVED_COUNT 14
extern const sqt_saved sqt_saved_folders[SQT_SAVED_COUNT];

/** Builds it and saves it. */
sq_status sqt_save_folder(sq_context* context, int which, const char* folder);

/** One of the four. */
typedef struct sqt_any
{
  sqt_structure structure;
  sq_bvh* bvh;
  sq_cluster_tree* tree;
  sq_aggregates* aggregates;
  sq_plan* plan;
} sqt_any;

sq_status sqt_any_open(
  sq_context* context, sqt_structure structure, const char* folder, sqt_any* any);
sq_status sqt_any_save(sq_context* context, const sqt_any* any, const char* folder);
void sqt_any_destroy(sqt_any* any);

#endif
