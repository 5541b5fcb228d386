"""A second snapshot sees what has changed, however little shows it."""
import os
import shutil

from harness import attempt, case, expect, expect_numbers, expect_status, run, Skip


def expect_saved(c):
    """Expects that a snapshot has the right numbers, and that a query repeats them."""
    c.expect_walk(c.save())
    c.expect_walk(c.query())


@case("a file deep down grows in place: no time of a directory changes")
def growth_in_place(c):
    c.file("a/b/c/d/log", 10_000)
    c.dated("2020-01-01")
    expect_saved(c)
    with open(c.path("a/b/c/d/log"), "ab") as log:
        log.write(os.urandom(900_000))
    expect_saved(c)


@case("the same length and time, and other blocks: only the change time tells")
def hole_punched(c):
    date = "2021-05-05 05:05:05"
    c.file("d/f", 4_000_000)
    run(["sync", "-f", c.tree])
    c.dated(date)
    expect_saved(c)
    if attempt(["fallocate", "-p", "-o", "0", "-l", "3000000", c.path("d/f")]).returncode != 0:
        raise Skip("no holes can be punched")
    c.dated(date)
    run(["sync", "-f", c.tree])
    expect_saved(c)


@case("everything is dated 2090, changes, and is dated 1980")
def clocks_that_are_wrong(c):
    c.file("d/e/f", 20_000)
    c.dated("2090-01-01")
    expect_saved(c)
    c.file("d/e/f", 600_000)
    c.file("d/e/g", 30_000)
    c.dated("1980-01-01")
    expect_saved(c)


@case("a directory is renamed, two swap names, and times are put back")
def renames(c):
    c.file("a/in/f", 900_000)
    c.file("b/in/f", 10_000)
    c.file("c/f", 5000)
    c.dated("2015-01-01")
    expect_saved(c)
    for old, new in (("a", "t"), ("b", "a"), ("t", "b"), ("c", "renamed")):
        os.rename(c.path(old), c.path(new))
    c.dated("2015-01-01")
    expect_saved(c)
    expect_numbers(c.query(c.tree + "/b"), c.walk(c.tree + "/b"))


@case("the name that carried a size goes, another comes, a lone file gets a second name")
def hard_links_change(c):
    c.file("d1/f", 1_000_000)
    c.link("d1/f", "d2/g")
    c.file("d1/solo", 300_000)
    expect_saved(c)
    os.unlink(c.path("d1/f"))
    c.link("d2/g", "d2/h")
    c.link("d1/solo", "d2/solo2")
    expect_saved(c)


@case("a directory that can no longer be read is an issue, and neither deleted nor empty")
def became_unreadable(c):
    c.file("d/f", 500_000)
    c.file("e/g", 10_000)
    c.as_nobody()
    expect_saved(c)
    os.chmod(c.path("d"), 0o700)
    outcome = c.save()
    expect_status(outcome, 1, "/d: openat (Permission denied)")
    expect(outcome.numbers.issues == 1 and outcome.numbers.directories == 3, "it is not told")


@case("a directory becomes a mount point")
def mount_appears(c):
    c.file("m/x/f", 600_000)
    c.file("g")
    c.dated("2015-01-01")
    expect_saved(c)
    c.tmpfs(c.tree + "/m")
    c.file("m/x/h", 90_000)
    expect_saved(c)


@case("the root has gone: the scan fails, and the snapshot still answers")
def root_has_gone(c):
    c.file("d/f", 70_000)
    expect_saved(c)
    before = c.walk()
    shutil.move(c.tree, c.folder + "/moved")
    expect_status(c.save(), 3, "No such file or directory")
    expect_numbers(c.query(), before)


@case("nothing has changed")
def nothing_changes(c):
    for name in ("a/d", "a/e", "b/d", "b/e", "c/d"):
        c.file(name + "/f", 30_000)
    c.link("a/d/f", "c/d/l")
    for _ in range(3):
        expect_saved(c)
