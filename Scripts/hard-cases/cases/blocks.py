"""What files occupy is not what they are long."""
import os

from harness import attempt, case, expect_some, need, run, Skip


@case("a file of 10 GiB without blocks, beside a small one")
def sparse_file(c):
    c.file("hole", 0)
    os.truncate(c.path("hole"), 10 << 30)
    c.file("full", 50_000)
    c.expect_walk()


@case("each reflinked copy counts with its blocks, as du has it")
def btrfs_reflinks(c):
    c.btrfs(c.tree)
    c.file("a", 20_000_000)
    for name in ("b", "c"):
        if attempt(["cp", "--reflink=always", c.path("a"), c.path(name)]).returncode != 0:
            raise Skip("no reflinks")
    with open(c.path("c"), "r+b") as file:
        file.write(os.urandom(1 << 20))
    run(["sync", "-f", c.tree])
    c.expect_walk()


@case("compressed and inline extents of btrfs")
def btrfs_compressed(c):
    c.btrfs(c.tree, "loop,compress-force=zstd")
    with open(c.path("compressed"), "wb") as file:
        file.write(b"a" * 30_000_000)
    for index in range(1, 6):
        c.file("inline%d" % index, index * 100)
    run(["sync", "-f", c.tree])
    c.expect_walk()


@case("a server that tells of no blocks: nothing is allocated, and lengths are kept")
def server_without_blocks(c):
    c.bad_fs("no-blocks")
    expect_some(c.scan(), allocated=0, apparent=12_000_001, files=3, directories=2, issues=0)


@case("directories of tmpfs have no blocks and odd sizes")
def directories_without_blocks(c):
    c.tmpfs(c.tree)
    c.directory("empty")
    c.file("a/b/c/f", 10)
    c.file("one", 4097)
    c.expect_walk()


@case("other names are shown in another locale, and numbers are not")
def comma_locale(c):
    need("localedef")
    run(["localedef", "-i", "de_DE", "-f", "UTF-8", c.folder + "/de_DE.UTF-8"])
    c.environment.update(LC_ALL="de_DE.UTF-8", LOCPATH=c.folder)
    for index in range(1, 8):
        c.file("f%d" % index, index * 33_333)
    c.expect_walk()
