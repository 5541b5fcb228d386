"""Many entries, few means."""
import os

from harness import case, expect


@case("300,000 files in one directory take less than 150 MiB", limit=60)
def flat_directory(c):
    c.empty_files(".", 300_000)
    outcome = c.expect_walk()
    expect(outcome.memory < 150, "%d MiB" % outcome.memory)


@case("100,000 directories in one take less than 150 MiB", limit=60)
def flat_directories(c):
    # A disk takes minutes to remove them.
    c.tmpfs(c.tree)
    descriptor = os.open(c.tree, os.O_RDONLY)
    for index in range(100_000):
        os.mkdir("d%d" % index, dir_fd=descriptor)
    os.close(descriptor)
    outcome = c.expect_walk()
    expect(outcome.memory < 150, "%d MiB" % outcome.memory)


@case("wide and deep with 64 descriptors", limit=30)
def few_descriptors(c):
    for first in "abcd":
        for second in range(30):
            for third in ("x/p", "x/q", "x/r", "y/p", "y/q", "y/r"):
                c.file("%s/%d/%s/f" % (first, second, third), 5)
    c.file("deep/" + "l/" * 200 + "f", 5)
    c.limited("NOFILE", 64)
    c.expect_walk()


@case("200,000 files in an address space of 1 GiB", limit=60)
def little_memory(c):
    for index in range(200):
        c.empty_files("d%03d" % index, 1000)
    c.limited("AS", 1 << 30)
    c.expect_walk()
