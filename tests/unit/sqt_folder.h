#ifndef SQT_FOLDER_H
#define SQT_FOLDER_H
/** Folders and files for tests: everything lies in one folder of its own below the working folder. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define SQT_PATH 4096

/** Makes a new empty folder; its name (relative) in `path`. */
void sqt_folder_new(char path[SQT_PATH]);

/** Removes it and all in it. */
void sqt_folder_remove(const char* path);

/** "folder/name" in `path`, which is returned. */
char* sqt_path(char path[SQT_PATH], const char* folder, const char* name);

/** The file's bytes and a 0 behind them, to be freed; NULL if it cannot be read. *bytes may be NULL. */
char* sqt_read_file(const char* path, int64_t* bytes);

/** Replaces the file. Checks that it worked. */
void sqt_write_file(const char* path, const void* data, int64_t bytes);

/** Entries of a folder, hidden ones too; -1 if it cannot be read. */
int sqt_count_entries(const char* path);

/** A hash of the names and bytes of all files below the folder; 0 if it is none. */
uint64_t sqt_hash_folder(const char* path);

#endif
