#ifndef SQT_SYSCALLS_H
#define SQT_SYSCALLS_H
/**
 * Lets one call to the operating system fail, be cut short, or be the last thing that the program does. The program is linked with
 * --wrap (see CMakeLists.txt), so that every call the library makes counts.
 */
#include <stdint.h>

typedef enum sqt_fault
{
  SQT_NO_FAULT,
  SQT_FAIL, /* the call does nothing and sets errno */
  SQT_KILL_BEFORE, /* the program is killed in place of the call */
  SQT_KILL_AFTER /* the program is killed right after the call */
} sqt_fault;

/** From now on: call `at` (1, 2, ...) meets the fault. */
void sqt_arm(sqt_fault fault, int64_t at, int error);

/** Ends it; the number of calls since. */
int64_t sqt_disarm(void);

/** Every renameat2() fails with this, 0: none does. */
void sqt_no_exchange(int error);

/** write() takes at most so many bytes, 0: all; every second write is interrupted then. */
void sqt_short_writes(int64_t most);

#endif
