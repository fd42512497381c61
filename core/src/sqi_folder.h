#ifndef SQI_FOLDER_H
#define SQI_FOLDER_H
/**
 * Puts a folder in its place in one step: it is written beside, under a name of its own, and renamed. Whatever stops the program,
 * the place holds the old folder or the new one, whole. What a killed program leaves beside is called .sq-*.part.
 */
#include "spatialqueries/sq_context.h"

#include <limits.h>

typedef struct sqi_folder
{
  const char* path; /* as the caller gave it; for messages */
  int parent; /* file descriptors, -1: closed */
  int fresh;
  char name[NAME_MAX + 1]; /* in the parent */
  char fresh_name[NAME_MAX + 1]; /* "": none */
} sqi_folder;

/**
 * Makes an empty folder beside `path`. What `path` names must not exist, be an empty folder, or one that holds nothing but
 * the files of a container. SQ_INVALID_ARGUMENT, SQ_IO, SQ_OUT_OF_MEMORY; sqi_folder_end() is due in any case.
 */
sq_status sqi_folder_begin(sq_context* context, const char* path, sqi_folder* folder);

/** Renames the new folder to its place, makes that durable, and removes the old one. */
sq_status sqi_folder_commit(sq_context* context, sqi_folder* folder);

/** Removes the new folder unless it is in place, and closes what is open. */
void sqi_folder_end(sqi_folder* folder);

/** fsync, where the file system knows it. 0, or -1 with errno. */
int sqi_folder_sync(int fd);

#endif
