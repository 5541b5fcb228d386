"""File systems inside file systems."""
import json
import os
import subprocess
import sys

from harness import Skip, allocated, attempt, case, expect, expect_some, need, run


@case("a directory that is mounted beside itself counts once")
def bind_of_a_sibling(c):
    c.file("real/f", 3_000_000)
    c.file("real/g", 1)
    c.directory("view")
    c.bind(c.tree + "/real", c.tree + "/view")
    expect_some(c.scan(), allocated=c.walk(once=True).allocated)


@case("a file that is mounted over another one counts once")
def bind_of_a_file(c):
    c.file("real", 3_000_000)
    c.file("view", 0)
    c.bind(c.tree + "/real", c.tree + "/view")
    expect_some(c.scan(), allocated=c.walk(once=True).allocated)


@case("one file system leaves a tmpfs inside out")
def one_file_system(c):
    c.directory("m")
    c.tmpfs(c.tree + "/m")
    c.file("m/big", 5_000_000)
    c.file("a/f")
    rest = c.walk(one_file_system=True)
    # The mount point is listed.
    expect_some(
        c.scan(one_file_system=True), allocated=rest.allocated, files=1, issues=0,
    )


@case("a tmpfs inside is counted, and what it hides is not")
def all_file_systems(c):
    c.file("m/hidden", 9_000_000)
    c.tmpfs(c.tree + "/m")
    c.file("m/big", 5_000_000)
    c.file("f")
    c.expect_walk()


@case("what df says is in use was found, or is deleted and open, or hidden by a mount")
def the_account_of_df(c):
    c.tmpfs(c.tree)
    c.file("m/hidden", 7_000_000)
    c.file("m/d/small", 10_000)
    c.link("m/d/small", "m/d/again")
    c.tmpfs(c.tree + "/m")
    c.file("m/visible", 900_000)
    c.file("found", 5_000_000)
    c.file("gone\n\x1b[31m", 3_000_000)
    with open(c.path("gone\n\x1b[31m"), "rb") as gone:
        os.unlink(gone.name)
        space = os.statvfs(c.tree)
        for crossing in (True, False):
            options = {} if crossing else dict(one_file_system=True)
            (account,) = json.loads(c.scan(**options).output)["file_systems"]
            (hidden,) = account["hidden_directories"]
            (deleted,) = account["deleted_files"]["files"]
            expect(account["used"] == (space.f_blocks - space.f_bfree) * space.f_frsize, "used")
            expect(deleted["process_id"] == os.getpid(), "the process is %r" % deleted)
            expect(deleted["allocated_size"] == os.fstat(gone.fileno()).st_blocks * 512, "deleted")
            expect(hidden["path"] == c.tree + "/m" and hidden["entries"] == 4, "hidden: %r" % hidden)
            expect(account["found"] == allocated(c.tree + "/found"), "found")
            parts = account["found"] + deleted["allocated_size"] + hidden["allocated_size"]
            expect(account["used"] == parts, "in use %d, known %d" % (account["used"], parts))
        shown = c.show().output
    expect(b"hidden below the mount point" in shown, "people are told nothing")
    expect(b"\x1b" not in shown, "the name of a deleted file is written raw")


@case("btrfs: a subvolume and a snapshot have devices of their own and no mount")
def btrfs_subvolumes(c):
    need("btrfs")
    c.btrfs(c.tree)
    sub, copy = c.tree + "/sub", c.tree + "/copy"
    run(["btrfs", "subvolume", "create", sub])
    c.file("sub/f", 4_000_000)
    c.file("top", 1_000_000)
    run(["btrfs", "subvolume", "snapshot", "-r", sub, copy])
    run(["sync", "-f", c.tree])
    c.expect_walk()


def make_all_kinds(c):
    c.file("a/b/file", 300_000)
    c.link("a/b/file", "a/again")
    c.file("small", 5)
    c.symbolic_link("a", "link")
    os.mkfifo(c.path("a/pipe"))
    os.truncate(c.path("small"), 1 << 30)
    c.empty_files("many", 3_000)


def scan_twice(c):
    """Expects what lstat says of a first snapshot and, after changes, of a second that builds on it."""
    make_all_kinds(c)
    run(["sync", "-f", c.tree])
    c.expect_walk(c.save())
    c.file("a/b/more", 70_000)
    os.unlink(c.path("many/some-file-name-000007"))
    os.rename(c.path("a/b"), c.path("b"))
    run(["sync", "-f", c.tree])
    c.expect_walk(c.save())


@case("ext4, scanned again after changes")
def ext4(c):
    c.made_fs("ext4", c.tree)
    scan_twice(c)


@case("xfs, scanned again after changes")
def xfs(c):
    c.made_fs("xfs", c.tree)
    scan_twice(c)


@case("btrfs, scanned again after changes")
def btrfs(c):
    c.btrfs(c.tree)
    scan_twice(c)


@case("squashfs, which is packed and cannot be written")
def squashfs(c):
    make_all_kinds(c)
    at = c.folder + "/squashed"
    os.mkdir(at)
    c.squashed(at)
    c.expect_walk(c.scan(at), (), at)


@case("a directory that is mounted on itself is not hidden")
def mounted_on_itself(c):
    c.tmpfs(c.tree)
    c.file("d/f", 3_000_000)
    c.bind(c.tree + "/d", c.tree + "/d")
    outcome = c.expect_walk()
    account = json.loads(outcome.output)["file_systems"][0]
    expect(account["hidden_directories"] == [], "%r" % account["hidden_directories"])


@case("overlay: files carry other devices than directories, and one file system keeps them")
def overlay(c):
    for name in ("upper", "work", "lower1/d", "lower2"):
        os.makedirs(c.folder + "/" + name)
    c.tmpfs(c.folder + "/lower2")
    for name, size in (("lower1/d/a", 400_000), ("lower2/d/b", 700_000), ("lower2/c", 10)):
        c.file(c.folder + "/" + name, size)
    layers = "lowerdir={0}/lower1:{0}/lower2,upperdir={0}/upper,workdir={0}/work"
    c.mount(c.tree, "-t", "overlay", "overlay", "-o", layers.format(c.folder))
    c.file("new", 50_000)
    c.expect_walk(c.scan(one_file_system=True))


AUTOMOUNT = """
import ctypes, os, signal, sys
end, pipe = os.pipe()
options = "fd=%d,pgrp=%d,minproto=5,maxproto=5,direct" % (pipe, os.getpgrp())
libc = ctypes.CDLL(None)
refused = libc.mount(b"test", os.fsencode(sys.argv[1]), b"autofs", 0, options.encode())
os.close(pipe)
print(refused, flush=True)
signal.pause()
"""


@case("an automount point whose daemon never answers is not touched", limit=8)
def automount(c):
    c.directory("auto")
    c.file("f", 30_000)
    c.file("z/g", 9000)
    daemon = subprocess.Popen(
        [sys.executable, "-c", AUTOMOUNT, c.tree + "/auto"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        if daemon.stdout.readline() != b"0\n":
            raise Skip("autofs is refused")
        rest = allocated(c.tree, *map(c.path, ("f", "z", "z/g")))
        expect_some(c.scan(), allocated=rest, files=2)
        expect_some(c.scan(one_file_system=True), allocated=rest, files=2)
    finally:
        attempt(["umount", "-l", c.tree + "/auto"])
        daemon.kill()
        daemon.wait()
