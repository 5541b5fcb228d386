"""Paths longer than PATH_MAX."""
import os

from harness import case, expect_some, expect_status


@case("5000 levels, a path of 20,000 bytes, with files on the way", limit=40)
def five_thousand_levels(c):
    def visit(level):
        if level % 500 == 0:
            with open("f", "wb") as file:
                file.write(os.urandom(3000))

    c.chain(5000, "qwe", visit)
    c.expect_walk()


@case("30,000 levels with a stack of 256 KiB and 64 descriptors", limit=60)
def thirty_thousand_levels(c):
    c.chain(30_000)
    c.limited("STACK", 256 << 10)
    c.limited("NOFILE", 64)
    c.expect_walk()


@case("a working directory deeper than PATH_MAX is '.'")
def working_directory_below_path_max(c):
    c.chain(30, "w" * 200)
    # A path that long cannot be given to chdir(2); a shell goes there and starts the program.
    go = 'cd "$0" && while cd -P ./w* 2>/dev/null; do :; done; exec "$@"'
    outcome = c.run(["bash", "-c", go, c.tree, c.program, "scan", "--json", "--no-save", "."])
    expect_status(outcome, 0)
    expect_some(outcome, files=1, directories=1, apparent=5000, issues=0)
