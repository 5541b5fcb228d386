"""Several names of one inode."""
import os

from harness import case, expect


@case("three names of one file in one directory are one file's space")
def three_names_in_one_directory(c):
    c.file("a", 1_048_576)
    c.link("a", "b")
    c.link("a", "c")
    c.file("other", 300_000)
    c.expect_walk()


@case("40 inodes with 500 names each over 200 directories take no quadratic time", limit=10)
def twenty_thousand_names(c):
    for inode in range(40):
        first = "d000/i%02d" % inode
        c.file(first, 5000 + inode)
        for name in range(1, 500):
            c.link(first, "d%03d/l%02d-%03d" % (name % 200, inode, name))
    c.expect_walk()


@case("symbolic links, FIFOs and empty files have several names, too")
def links_of_other_kinds(c):
    c.symbolic_link("target-that-is-long-enough-to-be-counted", "s")
    os.mkfifo(c.path("p"))
    c.file("e", 0)
    for old, new in (("s", "s2"), ("s", "d/s3"), ("p", "p2"), ("e", "e2")):
        c.link(old, new)
    c.file("big", 123_456)
    c.expect_walk()


@case("which name carries the size does not depend on the threads")
def charge_is_the_same_each_time(c):
    for index in range(40):
        c.file("d%02d/f" % index, 5000)
        c.link("d%02d/f" % index, "e%02d/f" % (39 - index))
    answers = set()
    for _ in range(10):
        c.save()
        answers.add(c.query().output.partition(b'"rows"')[2])
    expect(len(answers) == 1, "%d different answers" % len(answers))
