"""A tree that changes while it is read."""
import os
import subprocess
import sys

from harness import allocated, case, expect, expect_some, expect_status


@case("what is gone between readdir and lstat is no issue")
def vanished(c):
    c.bad_fs("vanish")
    outcome = c.scan()
    expect_status(outcome, 0)
    expect_some(outcome, allocated=18_432, files=10, directories=2, issues=0)


@case("readdir and lstat tell of different types")
def type_flips(c):
    c.bad_fs("flip")
    expect_some(c.scan(), allocated=29_696, files=16, directories=3, others=1)


@case("readdir tells no types at all")
def no_types(c):
    c.bad_fs("no-types")
    expect_some(c.scan(), allocated=18_432, files=10, directories=2, others=1, issues=0)


@case("the working directory was removed")
def working_directory_removed(c):
    go = 'cd "$0" && rmdir "$0" && exec "$@"'
    gone = c.folder + "/gone"
    os.mkdir(gone)
    outcome = c.run(["bash", "-c", go, gone, c.program, "scan", "--json", "--no-save"])
    if outcome.status == 0:
        expect_some(outcome, files=0)
    else:
        expect(outcome.message != "", "it is not said why")


# Ends by itself after some 5 s and 300 MB.
WRITER = """
import sys, time
with open(sys.argv[1], "ab", 0) as file:
    print(flush=True)
    for _ in range(5000): file.write(bytes(65536)); time.sleep(0.001)
"""


@case("a file that grows has a size between those before and after")
def growing_file(c):
    c.file("base", 1_000_000)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, c.path("log")], stdout=subprocess.PIPE
    )
    try:
        writer.stdout.readline()
        first = allocated(c.path("base"), c.path("log"))
        outcome = c.scan()
        last = allocated(c.tree, c.path("base"), c.path("log"))
    finally:
        writer.kill()
        writer.wait()
    expect(first <= outcome.numbers.allocated <= last, "not between %d and %d" % (first, last))
    expect_some(outcome, files=2)
