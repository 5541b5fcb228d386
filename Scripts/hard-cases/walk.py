"""What is right for a tree, by readdir and lstat alone: no code is shared with any scanner."""
import os
import resource
import stat
from dataclasses import dataclass


@dataclass
class Numbers:
    """What a scan comes to. Sizes are in bytes; `others` is all but files and directories."""

    apparent: int = 0
    allocated: int = 0
    files: int = 0
    directories: int = 0
    others: int = 0
    issues: int = 0


# Above this many levels the descriptors of the upper ones are given up and found again by "..".
OPEN_LEVELS = 4000


class Walk:
    """Walks through roots, every inode once as `du` counts it.

    With `once` a directory that is met again, through a bind mount or another root, is not counted
    again; several roots imply it. With `one_file_system` what is on another device is left out.
    """

    def __init__(self, *roots, once=False, one_file_system=False):
        self.numbers = Numbers()
        self.names = []
        self._once = once or len(roots) > 1
        self._device = None
        self._one_file_system = one_file_system
        self._seen = set()
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        for root in roots:
            self._add_root(os.fsencode(root))

    def _add_root(self, root):
        status = os.stat(root)
        if not stat.S_ISDIR(status.st_mode):
            self._count(status)
            return
        self._device = status.st_dev
        if self._count(status):
            self._add_directory(os.open(root, os.O_RDONLY | os.O_DIRECTORY), status)

    def _count(self, status):
        """Counts an entry, and returns whether it is met for the first time."""
        numbers, mode = self.numbers, status.st_mode
        is_directory = stat.S_ISDIR(mode)
        is_new = True
        if self._once or (not is_directory and status.st_nlink > 1):
            key = (status.st_dev, status.st_ino)
            is_new = key not in self._seen
            self._seen.add(key)
        if is_directory:
            numbers.directories += is_new
        elif is_new or status.st_nlink > 1:
            # Every name of a hard link is a file, and a bind-mounted file is the same one again.
            numbers.files += stat.S_ISREG(mode)
            numbers.others += not stat.S_ISREG(mode)
        if is_new:
            numbers.allocated += status.st_blocks * 512
            if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                numbers.apparent += status.st_size
        return is_new

    def _list(self, descriptor):
        try:
            return iter(os.listdir(descriptor))
        except OSError:
            self.numbers.issues += 1
            return iter(())

    def _add_directory(self, descriptor, status):
        """Walks without recursion, which would end at a thousand levels."""
        key = (status.st_dev, status.st_ino)
        ancestors = {key}
        stack = [[descriptor, self._list(descriptor), key, b""]]
        while stack:
            descriptor, names, key, path = stack[-1]
            name = next(names, None)
            if name is None:
                stack.pop()
                ancestors.discard(key)
                if stack and stack[-1][0] is None:
                    stack[-1][0] = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=descriptor)
                os.close(descriptor)
                continue
            child = self._visit(descriptor, name, ancestors)
            name = os.fsencode(name)
            if child is not False:
                # Paths of very deep trees would take more memory than the tree.
                inner = (path + b"/" + name if path else name) if len(path) < 8192 else path
                self.names.append(inner)
            if not child:
                continue
            opened, key = child
            ancestors.add(key)
            stack.append([opened, self._list(opened), key, inner])
            if len(stack) > OPEN_LEVELS:
                stack[-2][0] = None
                os.close(descriptor)

    def _visit(self, parent, name, ancestors):
        """Counts an entry.

        Returns a directory to enter with its identity, None, or False if nothing was counted.
        """
        try:
            status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError:
            self.numbers.issues += 1
            return False
        if not stat.S_ISDIR(status.st_mode):
            self._count(status)
            return None
        key = (status.st_dev, status.st_ino)
        if self._one_file_system and status.st_dev != self._device:
            return False
        if key in ancestors or not self._count(status):
            return False
        try:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            return os.open(name, flags, dir_fd=parent), key
        except OSError:
            self.numbers.issues += 1
            return None
