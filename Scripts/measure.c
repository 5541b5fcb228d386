// Runs a command and writes what it cost as one line of JSON.
//
// Usage: measure RESULT COMMAND [ARGUMENT...]
//
// RESULT is the file to write. The command's standard output goes to /dev/null. A program of its
// own, and a small one, because the peak memory that Linux reports for a child starts at the size
// of the process that forked it: measured from Python, nothing seems to need less than 10 MiB.
// Exit status: 0 if the command ran, whatever its own status (which is in the result).
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

static void run(char **command) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) {
    _exit(CANNOT_RUN);
  }
  execvp(command[0], command);
  perror(command[0]);
  _exit(CANNOT_RUN);
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int main(int count, char **words) {
  if (count < 3) {
    fputs("usage: measure RESULT COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) run(words + 2);
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    perror("measure");
    return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);

  FILE *result = fopen(words[1], "w");
  if (!result) {
    perror(words[1]);
    return 1;
  }
  double wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  fprintf(result,
          "{\"status\": %d, \"wall\": %.6f, \"user\": %.6f, \"system\": %.6f, \"memory\": %ld}\n",
          code, wall, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss * 1024);
  return fclose(result) == 0 ? 0 : 1;
}
