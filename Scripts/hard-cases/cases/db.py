"""Databases that are not as they should be."""
import os
import random
import signal
import sqlite3
import time

from harness import Failure, case, expect, expect_numbers, expect_status


@case("text is refused, and left as it is")
def text(c):
    content = "this is no database, just some text\n"
    c.file("f", 40_000)
    with open(c.database, "w") as file:
        file.write(content)
    for outcome in (c.query(), c.save(), c.query()):
        expect_status(outcome, 4, "not a file of snapshots")
    with open(c.database) as file:
        expect(file.read() == content, "the file was changed")


@case("an empty file, as a crash leaves it, holds nothing and can be used")
def empty_file(c):
    c.file("f", 40_000)
    open(c.database, "w").close()
    expect_status(c.query(), 3, "holds no snapshot")
    expect_status(c.save(), 0)
    c.expect_walk(c.query())


@case("the database of another program is refused, and left as it is")
def another_program(c):
    c.file("f", 40_000)
    with sqlite3.connect(c.database) as other:
        other.execute("CREATE TABLE precious(x)")
        other.execute("INSERT INTO precious VALUES('keep me')")
        other.execute("PRAGMA user_version = 77")
    other.close()
    with open(c.database, "rb") as file:
        before = file.read()
    expect_status(c.query(), 4, "another program")
    expect_status(c.save(), 4, "another program")
    with open(c.database, "rb") as file:
        expect(file.read() == before, "the file was changed")


@case("of 200 flipped bits come errors or right answers, never other numbers", limit=60)
def bit_rot(c):
    c.empty_files("a", 400)
    c.file("b/x", 99_999)
    c.directory("c")
    right = c.walk()
    for seed in range(20):
        if os.path.exists(c.database):
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(c.database + suffix):
                    os.unlink(c.database + suffix)
        expect_status(c.save(), 0)
        generator = random.Random(seed)
        with open(c.database, "r+b") as file:
            content = bytearray(file.read())
            for _ in range(200):
                content[generator.randrange(100, len(content))] ^= 1 << generator.randrange(8)
            file.seek(0)
            file.write(content)
        for outcome in (c.query(), c.save()):
            if outcome.status == 0:
                expect_numbers(outcome, right)
            else:
                expect_status(outcome, 4, c.database)


@case("the disk fills while a snapshot is written: the one before answers", limit=40)
def full_disk(c):
    c.tmpfs(c.folder + "/db", "-o", "size=600k")
    c.file("a/f", 30_000)
    before = c.walk()
    expect_status(c.save(), 0)
    for index in range(100):
        c.empty_files("d%d" % index, 300, lambda _: os.urandom(12).hex())
    expect_status(c.save(), 4, "no space left for the snapshot")
    expect_numbers(c.query(), before)


@case("with a home that cannot be written a scan warns and does its work")
def read_only_home(c):
    c.file("f", 30_000)
    c.as_nobody()
    c.tmpfs(c.folder + "/home", "-o", "ro")
    c.environment.pop("XDG_STATE_HOME")
    outcome = c.run([c.program, "scan", "--json", c.tree])
    expect_status(outcome, 0, "no snapshot is kept")
    c.expect_walk(outcome)


@case("without a home a scan warns and does its work")
def no_home(c):
    c.file("f", 30_000)
    for name in ("HOME", "XDG_STATE_HOME", "USER", "LOGNAME"):
        c.environment.pop(name, None)
    c.user = 54_321
    outcome = c.run([c.program, "scan", "--json", c.tree])
    expect_status(outcome, 0, "no snapshot is kept")
    c.expect_walk(outcome)


@case("three scans write to one database at once", limit=60)
def three_writers(c):
    for index in range(60):
        c.empty_files("d%d" % index, 50)
    c.file("f", 90_000)
    script = """
        for i in 1 2 3; do "$@" & all[i]=$!; done
        for one in "${all[@]}"; do wait "$one" || exit; done
    """
    words = [c.program, "scan", "-q", "--database=" + c.database, c.tree]
    expect_status(c.run(["bash", "-c", script, "bash"] + words), 0, "")
    c.expect_walk(c.query())
    listed = c.run([c.program, "snapshots", "list", "-q", "--database=" + c.database, c.tree])
    expect(listed.output.count(b"\n") == 4, "not three snapshots")


@case("killed while it writes: the snapshot before answers, and the next scan works", limit=60)
def killed_while_writing(c):
    c.file("a/f", 30_000)
    before = c.walk()
    expect_status(c.save(), 0)
    for index in range(100):
        c.empty_files("d%03d" % index, 1000)
    words = [c.program, "scan", "-q", "--database=" + c.database, c.tree]
    killed = 0
    for step in range(12):
        process = c.start(words)
        # Another moment each time; what matters is that some of them hit the writing.
        time.sleep(0.05 + 0.05 * step)
        os.kill(process.pid, signal.SIGKILL)
        try:
            c.finish(process)
        except Failure:
            killed += 1
        outcome = c.query()
        expect_status(outcome, 0)
        right = before if outcome.numbers.files == before.files else c.walk()
        expect_numbers(outcome, right)
    expect(killed > 0, "no scan was killed")
    expect_status(c.save(), 0)
    c.expect_walk(c.query())
