#ifndef SQI_FOLDER_FILES_H
#define SQI_FOLDER_FILES_H
/** The files of a container's folder as a whole: are there others, and away with them. */
#include <stddef.h>

/**
 * 1: the folder holds nothing but what a container does, or nothing; 0: it holds something else (its name in `other`);
 * -1: errno says why it cannot be read. Links are looked at, not followed.
 */
int sqi_folder_is_container(int parent, const char* name, char* other, size_t size);

/** Removes the files of a container and its folders; others stay. Links are removed, not followed. 0, or -1 with errno. */
int sqi_folder_remove(int parent, const char* name);

#endif
