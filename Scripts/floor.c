// The floor under any scan that looks at every file: the system calls it cannot do without, and
// next to nothing besides. No tree is built, no name is kept, only sums. What a real scanner needs
// above this is the price of its tree; Scripts/bench prints the ratio.
//
// Usage: floor [-t THREADS] DIR...
//
// Per directory: openat from the descriptor of the parent, statx of the descriptor, getdents64
// until it returns 0, one statx per entry that is not a directory, close. Hard links are counted
// under each of their names, mount points are entered, symbolic links are not followed.
// Prints one line of JSON: counts, sizes in bytes, times in seconds. Exit status: 0, 1 if anything
// could not be read, 2 after a wrong command line.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 256, BUFFER_SIZE = 256 * 1024 };

// A directory to read, or one that is still open because directories below it are to be read.
typedef struct Directory {
  struct Directory *parent;
  struct Directory *next;  // in a stack
  atomic_uint users;       // itself, until it is read, and each child that is not yet released
  int descriptor;
  char name[];
} Directory;

typedef struct Sums {
  uint64_t directories;
  uint64_t others;
  uint64_t hard_linked_names;
  uint64_t unreadable;
  uint64_t allocated_size;
  uint64_t apparent_size;
} Sums;

// What the threads share: directories that somebody with nothing to do may take.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  Directory *stack;
  atomic_uint count;
  unsigned waiting;
  unsigned threads;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory) fail("floor");
  return memory;
}

static Directory *make_directory(Directory *parent, const char *name) {
  size_t length = strlen(name) + 1;
  Directory *directory = allocate(sizeof *directory + length);
  directory->parent = parent;
  directory->next = NULL;
  atomic_init(&directory->users, 1);
  directory->descriptor = -1;
  memcpy(directory->name, name, length);
  if (parent) atomic_fetch_add(&parent->users, 1);
  return directory;
}

// Gives up one use of a directory. The last one closes it, which gives up a use of its parent.
static void release(Directory *directory) {
  while (directory && atomic_fetch_sub(&directory->users, 1) == 1) {
    Directory *parent = directory->parent;
    if (directory->descriptor >= 0) close(directory->descriptor);
    free(directory);
    directory = parent;
  }
}

static void add_sizes(const struct statx *status, Sums *sums) {
  sums->allocated_size += status->stx_blocks * 512;
  if (!S_ISDIR(status->stx_mode)) sums->apparent_size += status->stx_size;
}

static void add_entry(Directory *directory, const char *name, Directory **stack, Sums *sums) {
  struct statx status;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (statx(directory->descriptor, name, flags, STATX_BASIC_STATS, &status) < 0) {
    sums->unreadable++;
  } else if (S_ISDIR(status.stx_mode)) {  // a file system that does not tell types in listings
    Directory *child = make_directory(directory, name);
    child->next = *stack;
    *stack = child;
  } else {
    add_sizes(&status, sums);
    sums->others++;
    if (status.stx_nlink > 1) sums->hard_linked_names++;
  }
}

static int is_dot_or_dot_dot(const char *name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

// Reads one directory: adds its entries to `sums`, and puts its subdirectories on `stack`.
static void read_directory(Directory *directory, char *buffer, Directory **stack, Sums *sums) {
  int from = directory->parent ? directory->parent->descriptor : AT_FDCWD;
  // A root may be a symbolic link; nothing below it is followed.
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (directory->parent ? O_NOFOLLOW : 0);
  directory->descriptor = openat(from, directory->name, flags);
  struct statx status;
  if (directory->descriptor < 0 ||
      statx(directory->descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status) < 0) {
    sums->unreadable++;
    release(directory);
    return;
  }
  add_sizes(&status, sums);
  sums->directories++;

  ssize_t size;
  while ((size = getdents64(directory->descriptor, buffer, BUFFER_SIZE)) > 0) {
    for (ssize_t offset = 0; offset < size;) {
      const struct dirent64 *entry = (const struct dirent64 *)(buffer + offset);
      offset += entry->d_reclen;
      if (is_dot_or_dot_dot(entry->d_name)) continue;
      if (entry->d_type == DT_DIR) {
        Directory *child = make_directory(directory, entry->d_name);
        child->next = *stack;
        *stack = child;
      } else {
        add_entry(directory, entry->d_name, stack, sums);
      }
    }
  }
  if (size < 0) sums->unreadable++;
  release(directory);
}

// Takes a directory from the pool; waits while others may still add some. NULL: all is read.
static Directory *take_from_pool(void) {
  pthread_mutex_lock(&pool.lock);
  pool.waiting++;
  while (!pool.stack && pool.waiting < pool.threads) {
    pthread_cond_wait(&pool.changed, &pool.lock);
  }
  Directory *taken = pool.stack;
  if (taken) {
    pool.waiting--;
    pool.stack = taken->next;
    taken->next = NULL;
    atomic_fetch_sub(&pool.count, 1);
  } else {
    pthread_cond_broadcast(&pool.changed);  // the last one to wait: the others can go home too
  }
  pthread_mutex_unlock(&pool.lock);
  return taken;
}

// Gives the older half of a stack to the pool: what lies deepest in it has most below it.
static void give_half_to_pool(Directory *stack) {
  Directory *last_kept = stack;
  for (Directory *ahead = stack->next; ahead && ahead->next; ahead = ahead->next->next) {
    last_kept = last_kept->next;
  }
  Directory *given = last_kept->next;
  if (!given) return;
  last_kept->next = NULL;
  unsigned count = 1;
  Directory *last_given = given;
  for (; last_given->next; last_given = last_given->next) count++;

  pthread_mutex_lock(&pool.lock);
  last_given->next = pool.stack;
  pool.stack = given;
  atomic_fetch_add(&pool.count, count);
  if (pool.waiting > 0) pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.lock);
}

static void *work(void *argument) {
  Sums *total = argument;
  Sums sums = {0};
  char *buffer = allocate(BUFFER_SIZE);
  Directory *stack = NULL;
  for (;;) {
    if (!stack) stack = take_from_pool();
    if (!stack) break;
    Directory *directory = stack;
    stack = directory->next;
    read_directory(directory, buffer, &stack, &sums);
    int pool_is_low =
        atomic_load_explicit(&pool.count, memory_order_relaxed) < 2 * pool.threads;
    if (pool.threads > 1 && stack && pool_is_low) give_half_to_pool(stack);
  }
  free(buffer);
  *total = sums;
  return NULL;
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void print_result(const Sums *sums, double wall) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"threads\": %u, \"entries\": %" PRIu64 ", \"directories\": %" PRIu64
         ", \"others\": %" PRIu64 ", \"hard_linked_names\": %" PRIu64 ", \"unreadable\": %" PRIu64
         ", \"allocated_size\": %" PRIu64 ", \"apparent_size\": %" PRIu64
         ", \"wall_seconds\": %.6f, \"user_seconds\": %.6f, \"system_seconds\": %.6f"
         ", \"peak_memory\": %ld}\n",
         pool.threads, sums->directories + sums->others, sums->directories, sums->others,
         sums->hard_linked_names, sums->unreadable, sums->allocated_size, sums->apparent_size,
         wall, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss * 1024);
}

static void add(Sums *total, const Sums *part) {
  total->directories += part->directories;
  total->others += part->others;
  total->hard_linked_names += part->hard_linked_names;
  total->unreadable += part->unreadable;
  total->allocated_size += part->allocated_size;
  total->apparent_size += part->apparent_size;
}

static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void parse_arguments(int count, char **words) {
  long threads = 1;
  int letter, wrong = 0;
  while ((letter = getopt(count, words, "t:")) != -1) {
    char *end = "";
    if (letter == 't') threads = strtol(optarg, &end, 10);
    wrong |= letter != 't' || *end || threads < 1 || threads > MAX_THREADS;
  }
  if (wrong || optind == count) {
    fprintf(stderr, "usage: floor [-t THREADS] DIR...    THREADS: 1 to %d\n", MAX_THREADS);
    exit(2);
  }
  pool.threads = (unsigned)threads;
}

int main(int count, char **words) {
  parse_arguments(count, words);
  raise_descriptor_limit();
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);

  for (int index = optind; index < count; index++) {
    Directory *root = make_directory(NULL, words[index]);
    root->next = pool.stack;
    pool.stack = root;
    atomic_fetch_add(&pool.count, 1);
  }
  static pthread_t threads[MAX_THREADS];
  static Sums parts[MAX_THREADS];
  for (unsigned index = 0; index < pool.threads; index++) {
    if (pthread_create(&threads[index], NULL, work, &parts[index])) fail("floor: pthread_create");
  }
  Sums total = {0};
  for (unsigned index = 0; index < pool.threads; index++) {
    pthread_join(threads[index], NULL);
    add(&total, &parts[index]);
  }

  clock_gettime(CLOCK_MONOTONIC, &end);
  double wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  print_result(&total, wall);
  return total.unreadable ? 1 : 0;
}
