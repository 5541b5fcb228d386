#!/usr/bin/env python3
"""Runs the hard cases. Called by Scripts/check-hard, inside a mount namespace of its own.

Usage: run.py [--list] [--tsv FILE] [--keep] [--work DIR] PROGRAM [KIND|CASE]...
"""
import argparse
import importlib
import os
import pkgutil
import shutil
import signal
import sys
import tempfile

import cases
from harness import CASES, Case, Failure, Skip

# Python ignores these, and what it starts would ignore them, too.
for number in (signal.SIGPIPE, signal.SIGXFSZ):
    signal.signal(number, signal.SIG_DFL)


def load():
    for module in sorted(pkgutil.iter_modules(cases.__path__), key=lambda module: module.name):
        importlib.import_module("cases." + module.name)


def run_case(program, folder, limit, function, keep):
    """Runs a case, and returns its result, what went wrong, and the last run of the program."""
    os.mkdir(folder)
    os.chmod(folder, 0o755)
    case = Case(program, folder, limit)
    try:
        function(case)
        return "pass", "", case.last
    except Failure as failure:
        return "FAIL", str(failure), case.last
    except Skip as reason:
        return "skip", str(reason), None
    except Exception as error:
        return "FAIL", "the case itself failed: %r" % error, case.last
    finally:
        if not keep:
            case.clean_up()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1].strip())
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--tsv", help="write the results to a file, a case a line")
    parser.add_argument("--keep", action="store_true", help="leave the trees, for a look at them")
    parser.add_argument("--work", help="where trees are made (default: TMPDIR)")
    parser.add_argument("program")
    parser.add_argument("selection", nargs="*", metavar="KIND|CASE")
    options = parser.parse_args()

    load()
    chosen = [
        one for one in CASES
        if not options.selection or one[0] in options.selection or one[1] in options.selection
    ]
    if unknown := set(options.selection) - {word for one in CASES for word in one[:2]}:
        parser.error("no such kind or case: " + ", ".join(sorted(unknown)))
    if options.list:
        for kind, name, what, _, _ in chosen:
            print("%-10s %-30s %s" % (kind, name, what))
        return 0

    work = tempfile.mkdtemp(prefix="plat-hard-", dir=options.work)
    os.chmod(work, 0o755)
    # Other users have to reach the program, too.
    program = shutil.copy(options.program, work + "/plat")
    os.chmod(program, 0o755)
    results, counts = [], {"pass": 0, "FAIL": 0, "skip": 0}
    for kind, name, what, limit, function in chosen:
        result, reason, last = run_case(program, work + "/" + name, limit, function, options.keep)
        counts[result] += 1
        spent = "%6.2f s %4d MiB" % (last.seconds, last.memory) if last else ""
        print("%s  %-10s %-32s %s" % (result, kind, name, spent), flush=True)
        if reason:
            print("      %s: %s" % (what, reason), flush=True)
        results.append("\t".join((kind, name, result, spent, " ".join(reason.split()))) + "\n")
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as file:
            file.writelines(results)
    if not options.keep:
        shutil.rmtree(work)
    print("%d passed, %d failed, %d skipped" % (counts["pass"], counts["FAIL"], counts["skip"]))
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
