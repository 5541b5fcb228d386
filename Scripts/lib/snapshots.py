"""Measures what the snapshots of a tree cost.

Called by Scripts/bench-snapshots, which makes the tree. Needs Python 3.9, nothing else.
"""

import argparse
import glob
import os
import random
import sqlite3
import subprocess
import sys
import time

# Views and tables, and a column of each to add up.
READ_BY_DUCKDB = {
    "v_dir": "alloc",
    "v_growth": "alloc_growth",
    "v_trust": "dir",
    "snapshot": "size",
    "dirv": "files",
    "content": "own_alloc",
}

# What a lightly used disk changes in a day.
CHANGED = 0.0015


def run(words):
    """Runs a program, and returns its CPU and wall time in seconds."""
    started = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("%s: status %d: %s" % (" ".join(words), process.returncode, errors.decode()))
    return usage.ru_utime + usage.ru_stime, time.monotonic() - started


def directories(tree):
    """All directories of the tree, and the number of entries."""
    found, entries = [], 1
    for folder, names, files in os.walk(tree):
        found.append(folder)
        entries += len(names) + len(files)
    return sorted(found), entries


def change(generator, folders, count, day):
    """Changes entries in a fifth as many directories: adds, lengthens, renames and removes."""
    for folder in generator.sample(folders, max(1, count // 5)):
        for step in range(5):
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
            path = os.path.join(folder, generator.choice(names)) if names else None
            kind = generator.randrange(4)
            if path is None or kind == 0:
                with open(os.path.join(folder, "new-%d-%d" % (day, step)), "wb") as file:
                    file.truncate(generator.randrange(1 << 20))
            elif kind == 1:
                os.truncate(path, os.path.getsize(path) + 4096)
            elif kind == 2:
                os.rename(path, path + "~")
            else:
                os.unlink(path)


def show(what, value, limit=None):
    print("%-44s %12s%s" % (what, value, "  at most " + limit if limit else ""), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--duckdb", action="store_true")
    parser.add_argument("plat")
    parser.add_argument("work")
    options = parser.parse_args()
    tree, database = options.work + "/tree", options.work + "/snapshots.plat"
    scan = [options.plat, "scan", "-q", "--database=" + database, tree]
    folders, entries = directories(tree)

    bare, saving = [], []
    for _ in range(5):
        bare.append(run([options.plat, "scan", "-q", "--no-save", tree])[0])
        if os.path.exists(database):
            os.unlink(database)
        saving.append(run(scan)[0])
    first = os.path.getsize(database)
    show("bytes an entry", "%.1f" % (first / entries), "33")
    # The least of several: what other processes do adds to a time, and never takes from it.
    write = min(saving) - min(bare)
    show("first write / scan, CPU", "%.2f" % (write / min(bare)), "0.33")

    # While somebody reads, the log stays, and its size is what was written.
    reader = sqlite3.connect("file:%s?mode=ro" % database, uri=True)
    reader.execute("SELECT count(*) FROM snapshot").fetchone()
    run(scan)
    show("bytes written by an unchanged rescan", os.path.getsize(database + "-wal"), "65536")
    reader.close()

    generator = random.Random(1)
    for day in range(options.days - 1):
        change(generator, folders, int(entries * CHANGED), day)
        run(scan)
    ratio = os.path.getsize(database) / first
    show("%d daily snapshots / one" % options.days, "%.2f" % ratio, "1.3 at 30")

    common = ["--database=" + database, tree]
    for verb in (["list"], ["show", "latest"], ["show", "1"], ["path"]):
        wall = min(run([options.plat, "snapshots", *verb, *common])[1] for _ in range(7))
        show("snapshots %s, ms" % " ".join(verb), "%.1f" % (wall * 1000), "10")
    show("snapshots check, s", "%.1f" % run([options.plat, "snapshots", "check", *common])[1])
    if options.duckdb:
        read_by_duckdb(database)
    run([options.plat, "snapshots", "delete", "2", *common])
    run([options.plat, "snapshots", "check", *common])


def read_by_duckdb(database):
    import duckdb
    import duckdb_extension_sqlite_scanner as extension

    folder = os.path.dirname(extension.__file__)
    (library,) = glob.glob(folder + "/extensions/*/sqlite_scanner.duckdb_extension")
    connection = duckdb.connect()
    connection.execute("LOAD '%s'" % library)
    connection.execute("ATTACH '%s' AS store (TYPE sqlite, READ_ONLY)" % database)
    sqlite = sqlite3.connect("file:%s?mode=ro" % database, uri=True)
    for view, column in READ_BY_DUCKDB.items():
        # A bare count(*) asks for a ROWID, which not all tables have.
        query = "SELECT count(%s), sum(%s) FROM %%s%s" % (column, column, view)
        rows = connection.execute(query % "store.").fetchone()
        expected = sqlite.execute(query % "").fetchone()
        if tuple(map(int, rows)) != expected:
            sys.exit("%s: DuckDB reads %s, SQLite %s" % (view, rows, expected))
        show("rows of %s by DuckDB" % view, rows[0])


main()
