#ifndef CPLAT_SYSTEM_H
#define CPLAT_SYSTEM_H

// What Swift cannot reach by itself: system calls that glibc declares only with _GNU_SOURCE, and an
// instruction of processors. Each function makes one call, or a few that belong together, and decides
// nothing; policy (retries, what to skip) stays in Swift.
// Symbols start with `plat_`, types with `Plat`. On failure a function returns -1 and leaves the
// reason in `errno`.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// What `statx(2)` says of an inode, where the kernel puts it: there is one a file, so none is copied.
typedef struct PlatStatus {
  uint32_t mask;
  uint32_t block_size;
  uint64_t attributes;
  uint32_t link_count;
  uint32_t owner;
  uint32_t group;
  /// Type and permission bits, as `st_mode`.
  uint16_t mode;
  uint16_t unused_mode;
  uint64_t inode;
  uint64_t size;
  /// 512-byte blocks.
  uint64_t blocks;
  uint64_t unused_times[5];
  int64_t change_seconds;
  uint32_t change_nanoseconds;
  uint32_t unused_change;
  int64_t modification_seconds;
  uint32_t modification_nanoseconds;
  uint32_t unused_modification[3];
  uint32_t device_major;
  uint32_t device_minor;
  /// The mount that the path led through, as the first field of /proc/self/mountinfo; 0 if unknown.
  uint64_t mount_id;
  uint64_t unused[13];
} PlatStatus;

enum {
  /// The attribute of the root of a mount.
  PLAT_MOUNT_ROOT = 0x2000,
};

/// The device number of a file system, as `makedev(3)` packs it.
uint64_t plat_device(uint32_t major, uint32_t minor);

/// Options of `plat_open_directory`, `plat_open_file` and `plat_status`.
enum {
  /// Follow a symbolic link at the end of the path.
  PLAT_FOLLOW = 1,
  /// Leave the access time alone; refused with EPERM for what other users own.
  PLAT_NO_ATIME = 2,
  /// Do not ask a server for news.
  PLAT_NO_SYNC = 4,
};

/// Opens a directory for reading, without blocking and without mounting anything. See `open(2)`.
int plat_open_directory(int at, const char *path, int options);

/// Closes what `plat_open_directory` has opened. See `close(2)`.
int plat_close_directory(int directory);

/// Opens a directory as a place to start from: it needs no permission to read, and cannot be read. See
/// O_PATH in `open(2)`.
int plat_open_place(int at, const char *path, int options);

/// Opens a file for reading, without waiting for whoever writes to a FIFO. See `open(2)`.
int plat_open_file(int at, const char *path, int options);

/// Fills `buffer` with as many directory records as fit. See `getdents64(2)`.
///
/// Returns the number of bytes written, 0 at the end of the directory, or -1.
ssize_t plat_read_directory(int directory, void *buffer, size_t capacity);

/// Reads the status of a path relative to a directory, or of `at` itself for an empty path, and
/// never triggers an automount. See `statx(2)`.
int plat_status(int at, const char *path, int options, PlatStatus *status);

/// Reads the status of an entry of a directory, which is not followed: `plat_status` for what a scan
/// does once an entry.
int plat_entry_status(int at, const char *name, PlatStatus *status);

/// Asks for memory of `count` bytes now that will be written to soon, and not page by page. See
/// MADV_POPULATE_WRITE in `madvise(2)`; where that is unknown, nothing happens.
void plat_populate(void *memory, size_t count);

/// Moves an entry on one file system, unless something has the new name already. See `renameat2(2)`.
int plat_rename_exclusively(int from, const char *name, int to, const char *new_name);

/// Reads what identifies the file system of an open file, as `f_fsid` and `f_type` of `fstatfs(2)`.
int plat_file_system(int file, uint64_t *identifier, uint64_t *type);

/// Reads the UUID of the file system of an open file into 16 bytes; see FS_IOC_GETFSUUID.
int plat_file_system_uuid(int file, uint8_t *uuid);

/// Opens a copy of a mount without what is mounted on it, which only this descriptor leads to. Needs
/// CAP_SYS_ADMIN. See `open_tree(2)`.
int plat_clone_mount(const char *path);

/// The ID of the calling thread, by which /proc/self/task knows it. See `gettid(2)`.
int32_t plat_thread_id(void);

/// Returns the number of processors that the calling thread may run on. See `sched_getaffinity(2)`.
int plat_usable_processors(void);

/// Gives the calling thread a table of open files of its own, with nothing but the standard streams in
/// it: a descriptor that it opens is known to no other thread, and closed when it ends. Where the kernel
/// cannot, the thread goes on with the table that all share. See CLOSE_RANGE_UNSHARE in
/// `close_range(2)`.
void plat_separate_descriptors(void);

/// Makes `malloc` give large blocks back to the system when they are freed, and use few arenas, so
/// that memory in use stays near what is needed. See `mallopt(3)`. Returns 0 on failure.
int plat_limit_malloc(void);

/// Computes the CRC-32C of bytes (Castagnoli; RFC 3720, appendix B.4) with the instructions that
/// processors have for it. Returns 0 if this one has none, and then leaves `*sum` alone.
int plat_crc32c(const void *bytes, size_t count, uint32_t *sum);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif  // CPLAT_SYSTEM_H
