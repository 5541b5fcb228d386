"""What may be given as a root, and how."""
import os

from harness import allocated, case, expect_some


@case("a file")
def file_as_root(c):
    c.file("f", 12_345)
    size = allocated(c.path("f"))
    expect_some(c.scan(c.tree + "/f"), allocated=size, apparent=12_345, files=1, directories=0)


@case("a symbolic link to a directory means the directory")
def symbolic_link_as_root(c):
    c.file("real/f", 777_777)
    os.symlink("tree/real", c.folder + "/link")
    c.expect_walk(c.scan(c.folder + "/link"), (), c.tree + "/real")


@case("'.', slashes at the end, './' and 'x/../.' mean the same tree")
def spellings(c):
    c.file("s/f", 40_000)
    c.working_directory = c.tree
    for root in (".", c.tree + "///", "./s/../.", c.folder + "/./tree/s/.."):
        c.expect_walk(c.scan(root))


@case("a parent, its child, and the parent again are one total, counted once")
def overlapping_roots(c):
    c.file("c/f", 500_000)
    c.file("g", 300_000)
    child = c.tree + "/c"
    for roots in ((c.tree, child, c.tree), (child, c.tree), (c.tree, c.tree)):
        c.expect_walk(c.scan(*roots))


@case("a hard link between two roots counts once")
def roots_that_share_a_file(c):
    c.file("b1/f", 600_000)
    c.link("b1/f", "b2/f")
    c.file("b2/own")
    roots = (c.tree + "/b1", c.tree + "/b2")
    c.expect_walk(c.scan(*roots), (), *roots)
