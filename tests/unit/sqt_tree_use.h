#ifndef SQT_TREE_USE_H
#define SQT_TREE_USE_H
/** What saved folders are made of, and what can be done with one that was opened. */
#include "sqt_tree_folders.h"

/** The names of all files that a saved folder may have. */
#define SQT_SAVED_FILES 28
extern const char* const sqt_saved_files[SQT_SAVED_FILES];

/** Looks at all that was opened and calls what takes it, and checks that it works. */
void sqt_any_use(sq_context* context, const sqt_any* any);

#endif
