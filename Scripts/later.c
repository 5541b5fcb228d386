// Lets a program believe that it is 100 days later, when loaded with LD_PRELOAD.
//
// A snapshot made so is of files that have not changed for months, as far as a rescan can know: no
// call sets when an inode changed last.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  long answer = syscall(SYS_clock_gettime, clock, time);
  if (answer == 0 && clock == CLOCK_REALTIME) time->tv_sec += 100 * 24 * 3600;
  return (int)answer;
}
