// Makes a directory tree that looks like a lived-in disk, for measuring scanners. The files are
// sparse, so a million of them takes inodes and directories, and hardly any blocks.
//
// Usage: make-tree [--entries N] [--seed N] [--flat N] [--chain N] DIR
//
// The same options give the same names, sizes and links. About 9 in 100 entries are directories,
// most of them near others made lately (mean depth about 15); files per directory and sizes are
// log-normal; 1 in 100 entries is a symbolic link and 1 in 200 another name of an earlier file. To
// these come one directory of `flat` files and one chain of `chain` directories in each other.
// Names are of the kinds found in repositories, caches and photo folders, 20 bytes on average.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PICK(array) ((array)[next_random() % COUNT(array)])

enum {
  NAME_SIZE = 256,
  PATH_SIZE = 4096,
  MIN_ENTRIES = 100,
  MAX_DEPTH = 18,
  MAX_FILES_PER_DIRECTORY = 20000,
  TOP_DIRECTORIES = 24,  // directories made first, all in the root
};

static const char *const directory_words[] = {
    "src", "lib", "include", "node_modules", "test", "tests", "docs", "assets", "images", "build",
    "Debug", "Release", "vendor", "python3", "site-packages", "__pycache__", "locale", "share",
    "data", "cache", "config", "Projects", "2023-08", "Vacation photos", "objects", "refs",
    "target", "deps", "dist", "components", "utils", "core", "internal", "examples", "resources",
    "fonts", "Contents", "MacOS", "Frameworks", "LC_MESSAGES",
};
static const char *const file_words[] = {
    "index", "main", "README", "utils", "test_models", "config", "package", "__init__", "module",
    "IMG", "DSC", "report-final", "Invoice", "notes", "helper", "parser", "compile_commands",
    "data", "setup", "types.generated", "view_controller", "changelog", "libfoo", "thumbnail",
    "session", "backup",
};
static const char *const suffixes[] = {
    ".js", ".ts", ".py", ".pyc", ".c", ".h", ".o", ".json", ".png", ".jpg", ".JPG", ".md", ".txt",
    ".so", ".html", ".css", ".map", ".swift", ".rs", ".pdf", ".mp4", ".zip", ".mo", ".xml", ".d.ts",
    "",
};

typedef struct Options {
  long entries;
  long seed;
  long flat;   // -1: a tenth of the entries, at most 100,000
  long chain;  // -1: a hundredth of the entries, at most 400
  const char *root;
} Options;

static struct {
  long directories;
  long files;
  long symbolic_links;
  long hard_links;
} made;

static _Noreturn void fail(const char *path) {
  fprintf(stderr, "make-tree: %s: %s\n", path, strerror(errno));
  exit(1);
}

static uint64_t random_state;

// xorshift64, by George Marsaglia (2003), doi:10.18637/jss.v008.i14.
static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void seed_random(long seed) {
  random_state = (uint64_t)seed * 0x9E3779B97F4A7C15u | 1;
  for (int round = 0; round < 20; round++) next_random();
}

// Uniform in [0, 1).
static double uniform(void) { return (double)(next_random() >> 11) * 0x1p-53; }

// Standard normal, by the method of Box and Muller (1958).
static double normal(void) {
  double radius = sqrt(-2 * log(uniform() + 1e-12));
  return radius * cos(2 * M_PI * uniform());
}

// Writes a file name that no other number gives in the same directory.
static void write_file_name(char *name, unsigned number) {
  // Picked before printing: C leaves the order in which arguments are evaluated open.
  double kind = uniform();
  uint64_t high = next_random(), low = next_random();
  const char *word = file_words[high % COUNT(file_words)];
  const char *second = file_words[low % COUNT(file_words)];
  const char *folder = directory_words[low % COUNT(directory_words)];
  const char *suffix = PICK(suffixes);
  if (kind < 0.12) {
    snprintf(name, NAME_SIZE, "%016llx%016llx%08x", (unsigned long long)high,
             (unsigned long long)low, number);
  } else if (kind < 0.35) {
    snprintf(name, NAME_SIZE, "%s_%04u%s", word, number, suffix);
  } else if (kind < 0.45) {
    snprintf(name, NAME_SIZE, "%s - %s (%u)%s", word, folder, number, suffix);
  } else if (kind < 0.55) {
    snprintf(name, NAME_SIZE, "%u%s", number, suffix);
  } else {
    snprintf(name, NAME_SIZE, "%s-%s%u%s", word, second, number, suffix);
  }
}

// Median 4 KiB, a heavy tail, at most 64 GB; 1 in 50 is empty.
static uint64_t random_file_size(void) {
  double size = fmin(exp(8.3 + 2.4 * normal()), 6.8e10);
  return uniform() < 0.02 ? 0 : (uint64_t)size;
}

static void make_file(int directory, const char *name) {
  int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) fail(name);
  if (ftruncate(file, (off_t)random_file_size()) < 0) fail(name);
  close(file);
  made.files++;
}

static int make_directory(int parent, const char *name) {
  if (mkdirat(parent, name, 0755) < 0) fail(name);
  int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail(name);
  made.directories++;
  return directory;
}

static void make_symbolic_link(int directory, const char *name) {
  char target[NAME_SIZE];
  const char *folder = PICK(directory_words);
  snprintf(target, sizeof target, "../%s/%s", folder, PICK(file_words));
  if (symlinkat(target, directory, name) < 0) fail(name);
  made.symbolic_links++;
}

// Makes `count` entries in the directory at `path`, and remembers a file now and then in
// `link_target`, the path that the next hard link is another name of.
static void fill_directory(int root, int directory, const char *path, long count,
                           char *link_target) {
  char name[NAME_SIZE];
  for (long number = 0; number < count; number++) {
    write_file_name(name, (unsigned)number);
    double kind = uniform();
    if (kind < 0.01) {
      make_symbolic_link(directory, name);
    } else if (kind < 0.015 && link_target[0]) {
      if (linkat(root, link_target, directory, name, 0) < 0) fail(name);
      made.hard_links++;
    } else {
      make_file(directory, name);
      if (next_random() % 50 == 0) snprintf(link_target, PATH_SIZE, "%s/%s", path, name);
    }
  }
}

// The directory, of those numbered below `number`, in which directory `number` is made.
static long random_parent(long number, const unsigned char *depths) {
  if (number < TOP_DIRECTORIES) return 0;
  double kind = uniform();
  long parent;
  if (kind < 0.62) {
    long near = number < 60 ? number : 60;
    parent = number - 1 - (long)(next_random() % (uint64_t)near);
  } else if (kind < 0.9) {
    parent = number - 1 - (long)(uniform() * uniform() * (double)(number - 1));
  } else {
    parent = (long)(next_random() % (uint64_t)number);
  }
  while (depths[parent] > MAX_DEPTH) parent = (long)(next_random() % (uint64_t)number);
  return parent;
}

// Makes `directories` directories that hold `files` other entries between them.
static void make_branches(int root, long directories, long files) {
  char **paths = calloc((size_t)directories + 1, sizeof *paths);
  unsigned char *depths = calloc((size_t)directories + 1, 1);
  if (!paths || !depths) fail("memory");
  paths[0] = ".";
  double deviation = 1.25;
  double mean = log((double)files / (double)directories) - deviation * deviation / 2;
  char link_target[PATH_SIZE] = "";
  long left = files;
  for (long number = 1; number <= directories; number++) {
    long parent = random_parent(number, depths);
    const char *word = PICK(directory_words);
    const char *separator = next_random() & 1 ? "-" : "";
    if (asprintf(&paths[number], "%s/%s%s%lx", paths[parent], word, separator, number) < 0) {
      fail("memory");
    }
    depths[number] = depths[parent] + 1;
    int directory = make_directory(root, paths[number]);

    double share = exp(mean + deviation * normal());
    long count = (long)(fmin(share, MAX_FILES_PER_DIRECTORY) + uniform());
    if (count > left || number == directories) count = left;
    fill_directory(root, directory, paths[number], count, link_target);
    left -= count;
    close(directory);
  }
  for (long number = 1; number <= directories; number++) free(paths[number]);
  free(paths);
  free(depths);
}

static void make_flat_directory(int root, long count) {
  char name[NAME_SIZE];
  int directory = make_directory(root, "flat");
  for (long number = 0; number < count; number++) {
    write_file_name(name, (unsigned)number);
    make_file(directory, name);
  }
  close(directory);
}

static void make_chain(int root, long count) {
  char name[NAME_SIZE];
  int directory = dup(root);
  if (directory < 0) fail("dup");
  for (long level = 0; level < count; level++) {
    snprintf(name, sizeof name, "d%03ld", level);
    int child = make_directory(directory, name);
    close(directory);
    directory = child;
  }
  close(directory);
}

static _Noreturn void fail_usage(const char *message) {
  fprintf(stderr, "make-tree: %s\n", message);
  fputs("usage: make-tree [--entries N] [--seed N] [--flat N] [--chain N] DIR\n", stderr);
  exit(2);
}

static long parse_number(const char *word) {
  char *end;
  errno = 0;
  long number = strtol(word, &end, 10);
  if (errno || end == word || *end || number < 0) fail_usage("an option takes a count, 0 or more");
  return number;
}

static Options parse_arguments(int count, char **words) {
  static const struct option names[] = {
      {"entries", required_argument, NULL, 'e'}, {"seed", required_argument, NULL, 's'},
      {"flat", required_argument, NULL, 'f'},    {"chain", required_argument, NULL, 'c'},
      {NULL, 0, NULL, 0},
  };
  Options options = {.entries = 1000000, .seed = 1, .flat = -1, .chain = -1};
  opterr = 0;
  int letter;
  while ((letter = getopt_long(count, words, "", names, NULL)) != -1) {
    switch (letter) {
      case 'e': options.entries = parse_number(optarg); break;
      case 's': options.seed = parse_number(optarg); break;
      case 'f': options.flat = parse_number(optarg); break;
      case 'c': options.chain = parse_number(optarg); break;
      default: fail_usage("unknown option, or no value after an option");
    }
  }
  if (optind + 1 != count) fail_usage("one directory to make is needed");
  options.root = words[optind];
  if (options.entries < MIN_ENTRIES) fail_usage("a tree has 100 entries or more");
  if (options.flat < 0) options.flat = (long)fmin((double)options.entries / 10, 100000);
  if (options.chain < 0) options.chain = (long)fmin((double)options.entries / 100, 400);
  return options;
}

int main(int count, char **words) {
  Options options = parse_arguments(count, words);
  seed_random(options.seed);

  long special = options.flat + (options.flat > 0) + options.chain;
  long directories = options.entries * 9 / 100 - options.chain - (options.flat > 0);
  if (directories < 1) directories = 1;
  long files = options.entries - special - directories;
  if (files < directories) fail_usage("--flat and --chain leave no room within --entries");

  int root = make_directory(AT_FDCWD, options.root);
  made.directories = 0;  // the root is not one of the entries
  make_branches(root, directories, files);
  if (options.flat > 0) make_flat_directory(root, options.flat);
  make_chain(root, options.chain);
  printf("%s: %ld directories, %ld files, %ld symbolic links, %ld more names of files\n",
         options.root, made.directories, made.files, made.symbolic_links, made.hard_links);
  return 0;
}
