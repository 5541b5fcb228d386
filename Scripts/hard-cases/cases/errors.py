"""What cannot be read is told, and the rest is counted."""
import os

from harness import allocated, case, expect, expect_some, expect_status


@case("a directory that the user may not read")
def unreadable_directory(c):
    c.file("no/f", 100_000)
    c.file("yes/g", 200_000)
    os.chmod(c.path("no"), 0o700)
    c.as_nobody()
    outcome = c.scan()
    expect_status(outcome, 1, "no: openat (Permission denied)")
    rest = allocated(c.tree, *map(c.path, ("no", "yes", "yes/g")))
    expect_some(outcome, allocated=rest, files=1, directories=3, issues=1)


@case("a root that the user may not read is no empty one")
def unreadable_root(c):
    c.file("f", 100_000)
    os.chmod(c.tree, 0o700)
    c.as_nobody()
    outcome = c.scan()
    expect_status(outcome, 3, ": Permission denied")
    expect(outcome.output == b"", "there is an answer")


@case("no thread can be started: that is said, and nothing waits for one")
def no_threads(c):
    c.file("f")
    c.as_nobody()
    c.limited("NPROC", 1)
    expect_status(c.scan(), 4, " threads can be started (")


@case("a root that does not exist is no empty one")
def missing_root(c):
    outcome = c.scan(c.folder + "/missing")
    expect_status(outcome, 3, "missing: No such file or directory")
    expect(outcome.output == b"", "there is an answer")


@case("of two roots one does not exist: the other is counted")
def one_missing_root(c):
    c.file("f", 40_000)
    outcome = c.scan(c.folder + "/missing", c.tree)
    expect_status(outcome, 1, "missing: ")
    c.expect_walk(outcome, ("issues",))


@case("the names read before a read error are kept")
def read_error_half_way(c):
    c.bad_fs("read-error")
    outcome = c.scan()
    expect_status(outcome, 1, "half: getdents64 (Input/output error)")
    expect_some(outcome, allocated=37_888, files=25, directories=3, issues=1)


@case("directories that cannot be opened, each for another reason")
def open_errors(c):
    c.bad_fs("open-error")
    outcome = c.scan()
    expect_status(outcome, 1, "no-EIO: ")
    expect_some(outcome, allocated=38_912, files=10, directories=7)
    # ENOENT and ENOTDIR are what a directory that was just replaced gives, and no issue then.
    expect(outcome.numbers.issues >= 3, "%d issues" % outcome.numbers.issues)


@case("a mount whose server has died")
def dead_mount(c):
    c.file("f", 60_000)
    c.file("z/g")
    c.directory("m")
    c.bad_fs("dead", c.tree + "/m")
    outcome = c.scan()
    expect_status(outcome, 1, "/m: ")
    rest = allocated(c.tree, *map(c.path, ("f", "z", "z/g")))
    expect_some(outcome, allocated=rest, files=2, issues=1)


@case("a mount whose server has stopped holds a scan up, and not the signal that ends it")
def stopped_mount(c):
    c.file("f", 60_000)
    c.directory("m")
    c.bad_fs("stopped", c.tree + "/m")
    outcome = c.interrupt()
    expect(b": does not answer" in outcome.errors, outcome.message)
