"""Databases that are not as they should be."""
import os
import random
import signal
import sqlite3
import time

import plat
from harness import case, expect, expect_numbers, expect_status, need


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


@case("one flipped bit, 200 times: an error that says why, or the exact answer", limit=60)
def single_bits(c):
    c.empty_files("a", 3_000, lambda number: "%05d-%s" % (number, "name" * (number % 4)))
    for index in range(40):
        c.file("d%d/x" % index, 1_000 * index)
    expect_status(c.save(), 0)
    right = c.walk()
    with open(c.database, "rb") as file:
        sound = file.read()
    generator = random.Random(1)
    found = 0
    for _ in range(200):
        content = bytearray(sound)
        content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
        with open(c.database, "wb") as file:
            file.write(content)
        outcome = c.query()
        if outcome.status == 0:
            expect_numbers(outcome, right)
        else:
            expect(outcome.status in (3, 4) and outcome.message, "no reason is given")
        check = c.snapshots("check")
        expect(check.status in (0, 3, 4), "status %d of a check" % check.status)
        if check.status == 0:
            expect_status(outcome, 0)
            listed = c.run(plat.names(c.program, c.tree, c.database))
            expect_status(listed, 0)
            names = listed.output.count(b"\0")
            expect(names == right.files + right.directories - 1, "%d names" % names)
        else:
            found += 1
    expect(found > 40, "only %d of 200 were found" % found)


@case("the disk is full at the first snapshot: no file is left, and the scan is told", limit=40)
def full_disk_at_first(c):
    c.tmpfs(c.folder + "/db", "-o", "size=300k")
    for index in range(100):
        c.empty_files("d%d" % index, 300, lambda _: os.urandom(12).hex())
    outcome = c.save()
    expect_status(outcome, 4, "no space left for the snapshot")
    c.expect_walk(outcome)
    expect(os.listdir(c.folder + "/db") == [], "something is left")


@case("a limit on file sizes leaves the snapshot before, whatever the limit", limit=60)
def limited_files(c):
    c.file("a/f", 30_000)
    before = c.walk()
    expect_status(c.save(), 0)
    for index in range(60):
        c.empty_files("d%d" % index, 300, lambda _: os.urandom(12).hex())
    with open(c.database, "rb") as file:
        sound = file.read()
    for step in range(1, 12):
        script = "ulimit -f %d; exec \"$@\"" % (64 * step)
        words = [c.program, "scan", "-q", "--database=" + c.database, c.tree]
        outcome = c.run(["bash", "-c", script, "bash"] + words)
        if outcome.status == 0:
            c.expect_walk(c.query())
            with open(c.database, "wb") as file:
                file.write(sound)
        else:
            expect_status(outcome, 4, "no space left for the snapshot")
            expect_numbers(c.query(), before)
        expect_status(c.snapshots("check"), 0)


@case("a database that another process keeps locked: a wait with an end, and a word", limit=90)
def locked(c):
    c.file("f", 40_000)
    expect_status(c.save(), 0)
    right = c.walk()
    other = sqlite3.connect(c.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    c.file("g", 50_000)
    outcome = c.save()
    expect_status(outcome, 4, "another process is writing to it")
    expect(25 < outcome.seconds < 60, "waited for %.1f s" % outcome.seconds)
    expect_numbers(c.query(), right)
    other.execute("ROLLBACK")
    other.close()
    expect_status(c.save(), 0)
    c.expect_walk(c.query())


@case("a database that may only be read is answered from, and not written to")
def read_only_database(c):
    c.file("f", 40_000)
    c.as_nobody()
    expect_status(c.save(), 0)
    right = c.walk()
    os.chown(c.folder + "/db", 0, 0)
    os.chown(c.database, 0, 0)
    os.chmod(c.database, 0o644)
    with open(c.database, "rb") as file:
        before = file.read()
    expect_numbers(c.query(), right)
    expect_status(c.save(), 4, "cannot be written")
    for verb in (["pin", "1"], ["delete", "1"], ["prune"]):
        expect_status(c.snapshots(*verb), 4, "cannot be written")
    expect_status(c.snapshots("check"), 0)
    with open(c.database, "rb") as file:
        expect(file.read() == before, "the file was changed")


@case("readers while scans write are never told to wait", limit=60)
def readers_while_writing(c):
    for index in range(50):
        c.empty_files("d%02d" % index, 200)
    expect_status(c.save(), 0)
    reader = sqlite3.connect("file:%s?mode=ro" % c.database, uri=True, timeout=0)
    words = [c.program, "scan", "-q", "--database=" + c.database, c.tree]
    reads, last = 0, 1
    for step in range(12):
        c.file("d%02d/new-%d" % (step, step), 100)
        process = c.start(words)
        while process.poll() is None:
            # An OperationalError here would be a locked database.
            newest = reader.execute("SELECT max(id) FROM snapshot").fetchone()[0]
            rows = reader.execute("SELECT count(*) FROM dirv WHERE until IS NULL").fetchone()[0]
            expect(newest >= last and rows == 51, "%d snapshots, %d directories" % (newest, rows))
            reads, last = reads + 1, newest
        expect(process.returncode == 0, "status %d" % process.returncode)
    reader.close()
    expect(reads > 50, "only %d reads" % reads)
    c.expect_walk(c.query())


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


def calls_of(c, words, call):
    """How many times a program makes a system call."""
    tracing = ["strace", "-f", "-qq", "-e", "trace=" + call, "-o", c.scratch + "/calls"]
    process = c.start(tracing + words)
    expect(process.wait() == 0, "status %d" % process.returncode)
    return c.read("calls").count(call.encode() + b"(")


def killed_at(c, words, call, number):
    """Runs a program, and kills it at one of its calls; returns whether it got that far."""
    inject = "inject=%s:signal=KILL:when=%d" % (call, number)
    tracing = ["strace", "-f", "-qq", "-e", "trace=" + call, "-e", inject, "-o", "/dev/null"]
    process = c.start(tracing + words)
    return process.wait() != 0


def empty_folder(folder):
    for name in os.listdir(folder):
        os.unlink(folder + "/" + name)


def stop_second_scans(c, count, stop):
    """Stops scans that add a snapshot, and expects that it is there or the one before answers.

    `stop` is given the words of a scan and the number of the try, and returns whether it was stopped.
    """
    c.file("a/f", 30_000)
    before = c.walk()
    expect_status(c.save(), 0)
    with open(c.database, "rb") as file:
        sound = file.read()
    for index in range(60):
        c.empty_files("d%03d" % index, 200, lambda _: os.urandom(9).hex())
    after = c.walk()
    words = [c.program, "scan", "-q", "--threads=1", "--database=" + c.database, c.tree]
    stopped = 0
    for step in range(-1, count):
        empty_folder(c.folder + "/db")
        with open(c.database, "wb") as file:
            file.write(sound)
        is_stopped = stop(words, step)
        outcome = c.query()
        is_stored = outcome.numbers is not None and outcome.numbers.files != before.files
        expect(is_stored or is_stopped, "a scan that ended well has kept nothing")
        expect_numbers(outcome, after if is_stored else before)
        expect_status(c.snapshots("check"), 0)
        stopped += is_stopped
    expect(stopped > count // 4, "only %d of %d scans were stopped" % (stopped, count))
    expect_status(c.save(), 0)
    c.expect_walk(c.query())


@case("killed at 50 of its writes: the snapshot before or this one answers", limit=60)
def killed_while_writing(c):
    need("strace")
    writes = 0

    def stop(words, step):
        nonlocal writes
        if step < 0:
            writes = calls_of(c, words, "pwrite64")
            return False
        return killed_at(c, words, "pwrite64", 1 + step * writes // 50)

    stop_second_scans(c, 50, stop)


@case("told to end at 50 moments: the snapshot before or this one answers", limit=60)
def ended_while_scanning(c):
    duration = 0

    def stop(words, step):
        nonlocal duration
        process = c.start(words)
        started = time.monotonic()
        if step < 0:
            process.wait()
            duration = time.monotonic() - started
            return False
        while process.poll() is None and time.monotonic() - started < step * duration / 50:
            pass
        if process.returncode is None:
            os.kill(process.pid, signal.SIGTERM)
        return process.wait() != 0

    stop_second_scans(c, 50, stop)


@case("killed at 50 of the writes of a first snapshot: none or a whole one is left", limit=60)
def killed_at_first(c):
    need("strace")
    for index in range(60):
        c.empty_files("d%03d" % index, 200)
    right = c.walk()
    words = [c.program, "scan", "-q", "--database=" + c.database, c.tree]
    writes = calls_of(c, words, "pwrite64")
    killed = 0
    for step in range(50):
        empty_folder(c.folder + "/db")
        killed += killed_at(c, words, "pwrite64", 1 + step * writes // 50)
        outcome = c.query()
        if outcome.status == 0:
            expect_numbers(outcome, right)
        else:
            expect_status(outcome, 3)
    expect(killed > 25, "only %d scans were killed" % killed)
    expect_status(c.save(), 0)
    expect(os.listdir(c.folder + "/db") == ["snapshots"], "something is left beside the database")
