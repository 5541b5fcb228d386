"""Ways that lead back to where they began, or nowhere."""
from harness import case, expect, expect_some


@case("symbolic links to themselves, up, to each other, and to nothing are not followed")
def symbolic_links(c):
    for target, name in (
        ("self", "self"), ("..", "up"), ("/", "root"), ("b", "a"), ("a", "b"),
        ("/nowhere/x", "dangling"), ("../d", "d/d"), ("../big", "big"),
    ):
        c.symbolic_link(target, name)
    c.file("../big", 5_000_000)
    c.file("f")
    c.expect_walk()


@case("a directory that is mounted inside itself")
def bind_loop(c):
    c.directory("foo/bar/some/other")
    c.directory("foo/bar/some/where")
    c.file("foo/bar/f", 30_000)
    c.bind(c.tree + "/foo/bar", c.tree + "/foo/bar/some/other")
    expect_some(c.scan(), allocated=c.walk(once=True).allocated, files=1)


@case("siblings with one inode number and one link are different, and all counted")
def same_inodes(c):
    c.bad_fs("same-inodes")
    expect_some(c.scan(), allocated=26_624, files=12, directories=3)


@case("directories without end are ended by a signal, in bounded memory")
def endless_depth(c):
    c.bad_fs("endless-depth")
    outcome = c.interrupt()
    expect(outcome.memory < 500, "%d MiB" % outcome.memory)


@case("a listing without end is ended by a signal")
def endless_listing(c):
    c.bad_fs("endless-list")
    c.interrupt()
