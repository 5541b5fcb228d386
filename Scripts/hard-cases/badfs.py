#!/usr/bin/env python3
"""A file system that misbehaves on purpose. Usage: badfs.py MODE DIRECTORY

Mounts itself on DIRECTORY, prints the number of its process, and serves until it is unmounted. It
speaks the kernel's FUSE protocol (linux/fuse.h, 7.31) on /dev/fuse, read only, in one thread.
"""
import ctypes
import errno
import os
import signal
import stat
import struct
import sys
import time

DIRECTORY, FILE, LINK, UNKNOWN = 4, 8, 10, 0  # d_type of readdir(3)
TYPES = {
    DIRECTORY: stat.S_IFDIR | 0o755,
    FILE: stat.S_IFREG | 0o644,
    LINK: stat.S_IFLNK | 0o777,
}


class Node:
    """An inode. `children` are (name, type that readdir tells, Node, error number or function)."""

    def __init__(self, kind, size=0, blocks=None, inode=None, links=1, children=(), **behaviour):
        self.kind, self.size, self.inode, self.links = kind, size, inode, links
        self.blocks = (size + 511) // 512 if blocks is None else blocks
        if kind == DIRECTORY and blocks is None:
            self.blocks, self.size = 8, 4096
        self.children = list(children)
        self.target = behaviour.get("target", b"x")
        self.delay = behaviour.get("delay", 0)
        self.open_error = behaviour.get("open_error", 0)
        self.list_error = behaviour.get("list_error", 0)
        self.is_endless = behaviour.get("is_endless", False)


def directory(*children, **behaviour):
    return Node(DIRECTORY, children=children, **behaviour)


def sub(name, *children, **behaviour):
    return (name, DIRECTORY, directory(*children, **behaviour))


def file(name, size=1000, **behaviour):
    return (name, FILE, Node(FILE, size, **behaviour))


def files(count):
    return [file("file%02d" % index) for index in range(count)]


def endless_depth():
    return directory(file("f", 1024), ("d", DIRECTORY, endless_depth))


def without_types(*children):
    return directory(*((name, UNKNOWN, node) for name, _, node in children))


def failing_to_open():
    codes = (errno.EIO, errno.EMFILE, errno.ENOMEM, errno.ENOTDIR, errno.ENOENT)
    bad = [sub("no-" + errno.errorcode[code], *files(3), open_error=code) for code in codes]
    return directory(*files(5), *bad, sub("sub", *files(5)))


def vanishing():
    gone = [("gone%d" % index, (FILE, DIRECTORY)[index % 2], errno.ENOENT) for index in range(10)]
    last = ("gone", DIRECTORY, errno.ENOENT)
    return directory(*files(5), *gone, sub("sub", *files(5), last))


MODES = {
    # Ten names, then an error.
    "read-error": lambda: directory(
        *files(5), sub("half", *files(10), list_error=errno.EIO), sub("whole", *files(10))
    ),
    "open-error": failing_to_open,
    "vanish": vanishing,
    # The type that readdir tells is not the type that lstat tells.
    "flip": lambda: directory(
        *files(5),
        ("was-directory", DIRECTORY, Node(FILE, 2000)),
        ("was-file", FILE, directory(*files(7))),
        ("became-link", DIRECTORY, Node(LINK, 1, 0, target=b".")),
        ("was-link", LINK, directory(*files(3))),
    ),
    "no-types": lambda: without_types(
        *files(5),
        ("sub", UNKNOWN, without_types(*files(5))),
        ("link", UNKNOWN, Node(LINK, 3, 0, target=b"sub")),
    ),
    "no-blocks": lambda: directory(
        file("a", 5_000_000, blocks=0),
        file("b", 7_000_000, blocks=0),
        sub("s", file("c", 1, blocks=0), blocks=0),
        blocks=0,
    ),
    "huge-sizes": lambda: directory(
        *(file("big%d" % index, 2**63 - 1, blocks=8) for index in range(3)), *files(2)
    ),
    "negative-blocks": lambda: directory(
        file("a", blocks=2**64 - 8), file("b", blocks=2**63), *files(2)
    ),
    # Numbers that merely collide: the link count is 1.
    "same-inodes": lambda: directory(
        sub("d1", *files(4), inode=777),
        sub("d2", *files(6), inode=777),
        file("f1", inode=888),
        file("f2", 3000, inode=888),
    ),
    "endless-depth": endless_depth,
    "endless-list": lambda: directory(is_endless=True),
    "slow": lambda: directory(
        *(sub("s%02d" % index, *files(50), delay=0.005) for index in range(60))
    ),
    "stopped": lambda: directory(*files(3)),
    "dead": lambda: directory(*files(3)),
}

LOOKUP, FORGET, GETATTR, READLINK, OPEN, READ, STATFS, RELEASE = 1, 2, 3, 5, 14, 15, 17, 18
FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = (
    25, 26, 27, 28, 29, 36, 38, 42,
)


class Server:
    """Answers the kernel's requests for one tree."""

    def __init__(self, device, root):
        self.device = device
        root.inode = root.inode or 1
        self.nodes, self.numbers = {1: root}, {root: 1}
        self.made = {}

    def number(self, node):
        """Returns the kernel's number of a node, and gives it an inode number if it has none."""
        if node not in self.numbers:
            number = len(self.nodes) + 1
            self.numbers[node], self.nodes[number] = number, node
            node.inode = node.inode or 100 + number
        return self.numbers[node]

    def attributes(self, node):
        links = 2 if node.kind == DIRECTORY else node.links
        times = (1_700_000_000,) * 3
        return struct.pack(
            "<6Q10I", node.inode, node.size, node.blocks, *times, 0, 0, 0,
            TYPES[node.kind], links, 0, 0, 0, 4096, 0,
        )

    def child(self, node, name):
        if node.is_endless:
            return Node(FILE, 10)
        for child_name, _, child in node.children:
            if child_name != name:
                continue
            if callable(child):
                key = (node, name)
                if key not in self.made:
                    self.made[key] = child()
                return self.made[key]
            return child
        return errno.ENOENT

    def entries(self, node, offset, room):
        """Returns as many records of a directory as fit, from an offset on."""
        output = b""
        while True:
            if node.is_endless:
                name, kind, inode = "file-%012d" % offset, FILE, 1_000_000 + offset
            elif offset < len(node.children):
                name, kind, child = node.children[offset]
                inode = child.inode or 5 if isinstance(child, Node) else 9
            else:
                return output
            encoded = os.fsencode(name)
            record = struct.pack("<QQII", inode, offset + 1, len(encoded), kind) + encoded
            record += b"\0" * (-len(record) % 8)
            if len(output) + len(record) > room or len(output) > 3500 and node.is_endless:
                return output
            output += record
            offset += 1

    def answer(self, operation, node, body):
        """Returns the answer to a request: bytes, or an error number."""
        if operation == INIT:
            return struct.pack(
                "<IIIIHHIIHHI7I", 7, 31, 1 << 17, 0, 16, 12, 1 << 17, 1, 0, 0, 0, *[0] * 7
            )
        if operation == LOOKUP:
            time.sleep(node.delay)
            child = self.child(node, os.fsdecode(body[:-1]))
            if isinstance(child, int):
                return child
            number = self.number(child)
            return struct.pack("<4Q2I", number, 0, 0, 0, 0, 0) + self.attributes(child)
        if operation == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(node)
        if operation == READLINK:
            return node.target
        if operation in (OPEN, OPENDIR):
            return node.open_error or struct.pack("<QII", 1, 0, 0)
        if operation == READDIR:
            _, offset, room = struct.unpack_from("<QQI", body)
            return self.entries(node, offset, room) or node.list_error or b""
        if operation == STATFS:
            return struct.pack("<5Q4I6I", 1000, 500, 500, 1000, 500, 512, 255, 512, 0, *[0] * 6)
        if operation in (RELEASE, FLUSH, RELEASEDIR, READ):
            return b""
        return errno.ENOSYS

    def serve(self):
        while True:
            try:
                request = os.read(self.device, 1 << 18)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT, errno.EAGAIN):
                    continue
                return
            length, operation, unique, number = struct.unpack_from("<IIQQ", request)
            if operation in (FORGET, INTERRUPT, BATCH_FORGET, DESTROY):
                continue
            answer = self.answer(operation, self.nodes.get(number), request[40:length])
            code, data = (answer, b"") if isinstance(answer, int) else (0, answer)
            try:
                os.write(self.device, struct.pack("<IiQ", 16 + len(data), -code, unique) + data)
            except OSError:
                pass  # The request was interrupted.


def main():
    mode, mount_point = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other" % device
    if libc.mount(b"badfs", os.fsencode(mount_point), b"fuse", 6, options.encode()) != 0:
        sys.exit("badfs: cannot mount: " + os.strerror(ctypes.get_errno()))
    process = os.fork()
    if process == 0:
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        Server(device, MODES[mode]()).serve()
        os._exit(0)
    os.close(device)
    os.stat(mount_point)
    if mode == "stopped":
        os.kill(process, signal.SIGSTOP)
    elif mode == "dead":
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    print(process)


if __name__ == "__main__":
    main()
