"""What is left out on request."""
import fnmatch
import os

from harness import allocated, attempt, case, expect, expect_some, need, run


@case("*.log leaves out files and directories at any depth, and not x.log.1")
def names_by_pattern(c):
    for name in (
        "x.log", "a/y.log", "a/b.log/z", "a/b.log/c/w", "logs/x.log.1", "logs/mylog", "a/.log",
    ):
        c.file(name, 10_000)
    kept, count = [c.tree], 0
    for path, directories, files in os.walk(c.tree):
        directories[:] = [name for name in directories if not fnmatch.fnmatch(name, "*.log")]
        files = [name for name in files if not fnmatch.fnmatch(name, "*.log")]
        kept += [os.path.join(path, name) for name in directories + files]
        count += len(files)
    expect_some(c.scan(exclude="*.log"), allocated=allocated(*kept), files=count, issues=0)


@case("a CACHEDIR.TAG counts with the right signature only, and a FIFO of that name is not read")
def cache_directories(c):
    c.need_option("--exclude-caches")
    signature = b"Signature: 8a477f597d28d172789f06886806bc55\n# x\n"
    tags = (("real", signature), ("fake", b"Signature: wrong\n"), ("short", b"Sig"))
    for name, content in tags:
        with open(c.path(name + "/CACHEDIR.TAG"), "wb") as tag:
            tag.write(content)
    c.directory("pipe")
    os.mkfifo(c.path("pipe/CACHEDIR.TAG"))
    c.directory("directory/CACHEDIR.TAG")
    for name in ("real", "fake", "short", "pipe", "directory"):
        c.file(name + "/data", 100_000)
    whole = c.walk()
    found = c.scan(exclude_caches=True).numbers
    gone = whole.allocated - found.allocated
    # Whether the directory and the tag themselves are kept is a matter of taste: tar keeps both.
    data, tag, top = (allocated(c.path("real" + name)) for name in ("/data", "/CACHEDIR.TAG", ""))
    expect(gone in (data, data + tag, data + tag + top), "%d bytes are left out" % gone)


@case("files that git ignores are left out, and no others")
def git_ignored(c):
    need("git")
    c.need_option("--gitignore")
    with open(c.path(".gitignore"), "w") as rules:
        rules.write("*.o\n/build/\n!keep.o\ngen/\n")
    with open(c.path("doc/.gitignore"), "w") as rules:
        rules.write("*.txt\n!important.txt\n")
    for name in (
        "a.o", "keep.o", "build/x", "src/build/y", "src/b.o", "src/keep.o", "src/gen/z",
        "doc/1.txt", "doc/important.txt", "doc/2.md", "top.txt",
    ):
        c.file(name, 3000)
    git = ["git", "--git-dir=" + c.folder + "/git", "--work-tree=" + c.tree]
    run(git + ["init", "-q"])
    kept = attempt(git + ["-C", c.tree, "ls-files", "-o", "--exclude-standard", "-z"]).stdout
    expect_some(c.scan(gitignore=True), files=kept.count(b"\0"), issues=0)
