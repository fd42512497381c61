#ifndef SQT_POINT_SETS_H
#define SQT_POINT_SETS_H
/** Point sets that are hard on trees and plans: those of the reference's own tests, and some more. */
#include "sqt_tree.h"

typedef struct sqt_point_set
{
  const char* name;
  sq_points targets;
  sq_points sources; /* data NULL: self-interaction */
} sqt_point_set;

#define SQT_POINT_SETS 22

/** Set k, 0 to SQT_POINT_SETS - 1; release with sqt_point_set_free(). */
sqt_point_set sqt_point_set_make(int k);

void sqt_point_set_free(sqt_point_set* set);

#endif
