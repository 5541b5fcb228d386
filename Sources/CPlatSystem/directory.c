#define _GNU_SOURCE

#include "CPlatSystem.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000U
#endif

// The kernel's headers have it from Linux 6.9 on.
struct plat_fs_uuid {
  uint8_t length;
  uint8_t uuid[16];
};
#define PLAT_IOC_GETFSUUID _IOR(0x15, 0, struct plat_fs_uuid)

// The C library has these from 2.36 on, the kernel from 5.2 and 5.9.
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

// Not by the functions of the C library: where there are threads, these let a thread be cancelled
// (pthread_cancel, which nobody calls), which costs two locked instructions a call.
int plat_open_directory(int at, const char *path, int options) {
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
  if (!(options & PLAT_FOLLOW)) flags |= O_NOFOLLOW;
  if (options & PLAT_NO_ATIME) flags |= O_NOATIME;
  return (int)syscall(SYS_openat, at, path, flags, 0);
}

int plat_close_directory(int directory) { return (int)syscall(SYS_close, directory); }

int plat_open_place(int at, const char *path, int options) {
  int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  if (!(options & PLAT_FOLLOW)) flags |= O_NOFOLLOW;
  return openat(at, path, flags);
}

int plat_open_file(int at, const char *path, int options) {
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (!(options & PLAT_FOLLOW)) flags |= O_NOFOLLOW;
  if (options & PLAT_NO_ATIME) flags |= O_NOATIME;
  return openat(at, path, flags);
}

int plat_rename_exclusively(int from, const char *name, int to, const char *new_name) {
  return renameat2(from, name, to, new_name, RENAME_NOREPLACE);
}

ssize_t plat_read_directory(int directory, void *buffer, size_t capacity) {
  return getdents64(directory, buffer, capacity);
}

#define SAME_PLACE(field, kernels)                                        \
  _Static_assert(offsetof(PlatStatus, field) == offsetof(struct statx, kernels) && \
                     sizeof(((PlatStatus *)0)->field) == sizeof(((struct statx *)0)->kernels), \
                 "PlatStatus is laid out as struct statx")
#ifdef STATX_ATTR_MOUNT_ROOT
_Static_assert(PLAT_MOUNT_ROOT == STATX_ATTR_MOUNT_ROOT, "the kernel's attribute");
#endif
_Static_assert(sizeof(PlatStatus) == sizeof(struct statx), "the kernel fills a PlatStatus");
SAME_PLACE(attributes, stx_attributes);
SAME_PLACE(link_count, stx_nlink);
SAME_PLACE(owner, stx_uid);
SAME_PLACE(group, stx_gid);
SAME_PLACE(mode, stx_mode);
SAME_PLACE(inode, stx_ino);
SAME_PLACE(size, stx_size);
SAME_PLACE(blocks, stx_blocks);
SAME_PLACE(change_seconds, stx_ctime.tv_sec);
SAME_PLACE(change_nanoseconds, stx_ctime.tv_nsec);
SAME_PLACE(modification_seconds, stx_mtime.tv_sec);
SAME_PLACE(modification_nanoseconds, stx_mtime.tv_nsec);
SAME_PLACE(device_major, stx_dev_major);
SAME_PLACE(device_minor, stx_dev_minor);
SAME_PLACE(mount_id, stx_mnt_id);

int plat_status(int at, const char *path, int options, PlatStatus *status) {
  int flags = AT_NO_AUTOMOUNT;
  if (!(options & PLAT_FOLLOW)) flags |= AT_SYMLINK_NOFOLLOW;
  if (options & PLAT_NO_SYNC) flags |= AT_STATX_DONT_SYNC;
  if (path[0] == 0) flags |= AT_EMPTY_PATH;
  // What a kernel does not know it leaves 0.
  return statx(at, path, flags, STATX_BASIC_STATS | STATX_MNT_ID, (struct statx *)status);
}

int plat_entry_status(int at, const char *name, PlatStatus *status) {
  return (int)syscall(SYS_statx, at, name, AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW,
                      STATX_BASIC_STATS | STATX_MNT_ID, status);
}

uint64_t plat_device(uint32_t major, uint32_t minor) { return makedev(major, minor); }

int plat_file_system(int file, uint64_t *identifier, uint64_t *type) {
  struct statfs answer;
  if (fstatfs(file, &answer) == -1) return -1;
  _Static_assert(sizeof(answer.f_fsid) == sizeof(*identifier), "f_fsid is 64 bits");
  memcpy(identifier, &answer.f_fsid, sizeof(*identifier));
  *type = (uint64_t)answer.f_type;
  return 0;
}

int plat_file_system_uuid(int file, uint8_t *uuid) {
  struct plat_fs_uuid answer = {0};
  if (ioctl(file, PLAT_IOC_GETFSUUID, &answer) == -1) return -1;
  memcpy(uuid, answer.uuid, sizeof(answer.uuid));
  return answer.length;
}

int plat_clone_mount(const char *path) {
  return (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC);
}

int32_t plat_thread_id(void) { return gettid(); }

// The kernel refuses a set that has no room for all the processors there may be.
typedef struct processors {
  cpu_set_t set[8];
} processors;

int plat_usable_processors(void) {
  processors all;
  if (sched_getaffinity(0, sizeof(all), all.set) == -1) return -1;
  return CPU_COUNT_S(sizeof(all), all.set);
}

void plat_separate_descriptors(void) {
#ifdef SYS_close_range
  (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_UNSHARE);
#endif
}

int plat_limit_malloc(void) {
  return mallopt(M_MMAP_THRESHOLD, 128 * 1024) && mallopt(M_TRIM_THRESHOLD, 256 * 1024) &&
         mallopt(M_ARENA_MAX, 2);
}

void plat_populate(void *memory, size_t count) {
#ifdef MADV_POPULATE_WRITE
  // Whole pages that lie within.
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = ((uintptr_t)memory + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)memory + count) / page * page;
  if (start < end) (void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
#else
  (void)memory, (void)count;
#endif
}
