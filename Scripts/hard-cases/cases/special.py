"""What is no file, link or directory, and the kernel's own file systems."""
import os
import socket
import stat

from harness import case, expect, expect_some


@case("FIFOs, sockets and devices are looked at and never opened", limit=5)
def special_files(c):
    os.mkfifo(c.path("fifo"))
    for name, kind, device in (("null", stat.S_IFCHR, (1, 3)), ("loop", stat.S_IFBLK, (7, 99))):
        os.mknod(c.path(name), kind | 0o600, os.makedev(*device))
    socket.socket(socket.AF_UNIX).bind(os.fsdecode(c.path("socket")))
    c.file("f", 10_000)
    os.mkfifo(c.path("d/.gitignore"))
    os.mkfifo(c.path("d/CACHEDIR.TAG"))
    c.expect_walk()


@case("/proc, where entries come and go, ends and occupies nothing", limit=60)
def proc(c):
    outcome = c.scan("/proc", one_file_system=True)
    expect_some(outcome, allocated=0)
    expect(outcome.numbers.files >= 500, "only %d files" % outcome.numbers.files)


@case("/sys/devices has many links and no blocks", limit=60)
def sys(c):
    outcome = c.scan("/sys/devices", one_file_system=True)
    c.expect_walk(outcome, ("issues",), "/sys/devices", one_file_system=True)
