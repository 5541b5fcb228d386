"""Runs programs on one tree in turns, and prints what each of them cost.

Called by Scripts/bench, which builds the programs and the tree. Needs Python 3.9, nothing else.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Contender:
    """A program to measure. `SCRATCH` in its command stands for an empty folder."""

    name: str
    command: tuple
    floor: str  # the name of the contender that its figures are divided by
    state: str = ""  # a folder whose content is put into SCRATCH before


@dataclass(frozen=True)
class Run:
    """What one run cost: times in seconds, peak memory in bytes."""

    contender: str
    round: int
    status: int
    wall: float
    user: float
    system: float
    memory: int

    @property
    def cpu(self):
        return self.user + self.system


@dataclass(frozen=True)
class Summary:
    """The runs of one contender: times in seconds, memory in bytes, ratios to its floor."""

    contender: str
    cpu_median: float
    cpu_min: float
    cpu_ratio_of_medians: float
    cpu_ratio_of_minima: float
    wall_median: float
    wall_min: float
    wall_ratio_of_medians: float
    memory_median: int


class RunError(Exception):
    """A program is unknown, could not be run, or says that it failed."""


# Each does the work of `plat scan`: it looks at every file. Who keeps a tree, and who prints a
# line and forgets it, is not told apart here.
PEERS = {
    "du": ("du", "-s", "DIR"),
    "ncdu": ("ncdu", "-0", "-o", "/dev/null", "DIR"),
    "gdu": ("gdu", "-n", "-p", "DIR"),
    "duc": ("duc", "index", "-q", "-d", "SCRATCH/duc.db", "DIR"),
    "agedu": ("agedu", "-s", "DIR", "-f", "SCRATCH/agedu.dat"),
    "fdfind": ("fdfind", "-u", "-S", "+0b", ".", "DIR"),
    "fd": ("fd", "-u", "-S", "+0b", ".", "DIR"),
    "bfs": ("bfs", "DIR", "-printf", "%b\\n"),
    "find": ("find", "DIR", "-printf", "%b\\n"),
}


def floor_name(threads):
    return f"floor -t {threads}"


def make_contenders(options):
    """Returns the floor and plat at each thread count, and the peers that are installed."""
    contenders = []
    for threads in options.threads:
        name = floor_name(threads)
        contenders += [
            Contender(name, (options.floor, "-t", str(threads), options.directory), name),
            Contender(
                f"plat --threads {threads}",
                (options.plat, "scan", "--no-save", "--quiet", "--threads", str(threads))
                + (options.directory,),
                name,
            ),
        ]
    # As it is run by people: it chooses the number of threads by itself.
    contenders.append(
        Contender(
            "plat",
            (options.plat, "scan", "--no-save", "--quiet", options.directory),
            contenders[0].name,
        )
    )
    if options.rescans:
        contenders += make_rescans(options)
    for name in options.against:
        command = tuple(options.directory if word == "DIR" else word for word in PEERS[name])
        contenders.append(Contender(name, command, contenders[0].name))
    return contenders


def make_rescans(options):
    """Returns a scan at each level, which begins with a snapshot and adds one."""
    threads = options.threads[-1]
    return [
        Contender(
            f"plat --level {level}",
            (options.plat, "scan", "--quiet", "--threads", str(threads), "--level", level)
            + (options.directory,),
            floor_name(threads),
            options.state,
        )
        for level in ("full", "verified", "fast")
    ]


def make_snapshot(options):
    """Makes the snapshot that rescans begin with, of files that look months old."""
    environment = make_environment(options.state) | {"LD_PRELOAD": options.rescans}
    command = [options.plat, "scan", "--quiet", options.directory]
    status = subprocess.run(command, env=environment, check=False).returncode
    if status not in (0, 1):
        raise RunError(f"'{' '.join(command)}' ended with status {status}")


def make_environment(scratch):
    """Returns an environment in which no program finds what an earlier run stored."""
    environment = {key: word for key, word in os.environ.items() if key != "PLAT_DATABASE"}
    environment.update(
        LC_ALL="C", XDG_STATE_HOME=scratch, XDG_CACHE_HOME=scratch, XDG_DATA_HOME=scratch
    )
    return environment


def measure(tool, command, accepted=(0,), state=""):
    """Runs a command through Scripts/measure.c and returns its figures, as a dictionary."""
    with tempfile.TemporaryDirectory(prefix="plat-bench-") as scratch:
        if state:
            shutil.copytree(state, scratch, dirs_exist_ok=True)
        words = [word.replace("SCRATCH", scratch) for word in command]
        result = os.path.join(scratch, "result.json")
        process = subprocess.run(
            [tool, result] + words, env=make_environment(scratch), stderr=subprocess.PIPE
        )
        if process.returncode != 0:
            raise RunError(f"{tool}: {process.stderr.decode(errors='replace').strip()}")
        with open(result, encoding="utf-8") as file:
            figures = json.load(file)
    if figures["status"] not in accepted:
        message = process.stderr.decode(errors="replace").strip()[-500:]
        raise RunError(f"'{' '.join(command)}' ended with status {figures['status']}: {message}")
    return figures


def drop_caches(command):
    """Empties the kernel's caches, then reads the program back: the tree is cold, it is not."""
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3\n")
    subprocess.run(
        [command[0], "--version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def run_rounds(contenders, options, accepted):
    """Measures each contender once a round, in another order each time; prints as it goes."""
    width = max(len(contender.name) for contender in contenders)
    print(f"\n{'round':5}  {'':{width}}  {'user s':>8} {'system s':>8} {'wall s':>8} {'MiB':>8}")
    shuffled = random.Random(options.rounds)
    runs = []
    for number in range(1, options.rounds + 1):
        for contender in shuffled.sample(contenders, len(contenders)):
            if options.cold:
                drop_caches(contender.command)
            figures = measure(options.measure, contender.command, accepted, contender.state)
            run = Run(contender.name, number, **figures)
            runs.append(run)
            print(
                f"{number:5}  {contender.name:{width}}  {run.user:8.3f} {run.system:8.3f}"
                f" {run.wall:8.3f} {run.memory / MEBIBYTE:8.1f}",
                flush=True,
            )
    return runs


def summarize(contenders, runs):
    """Returns one summary per contender, in their order."""

    def figures(name, figure):
        return [getattr(run, figure) for run in runs if run.contender == name]

    def ratio(contender, figure, of):
        return of(figures(contender.name, figure)) / of(figures(contender.floor, figure))

    return [
        Summary(
            contender=contender.name,
            cpu_median=statistics.median(figures(contender.name, "cpu")),
            cpu_min=min(figures(contender.name, "cpu")),
            cpu_ratio_of_medians=ratio(contender, "cpu", statistics.median),
            cpu_ratio_of_minima=ratio(contender, "cpu", min),
            wall_median=statistics.median(figures(contender.name, "wall")),
            wall_min=min(figures(contender.name, "wall")),
            wall_ratio_of_medians=ratio(contender, "wall", statistics.median),
            memory_median=round(statistics.median(figures(contender.name, "memory"))),
        )
        for contender in contenders
    ]


def print_summaries(summaries):
    width = max(len(summary.contender) for summary in summaries)
    print(f"\n{'':{width}}  {'CPU s':^31}  {'wall s':^23}  {'peak':>8}")
    print(
        f"{'':{width}}  {'median':>7} {'min':>7} {'x floor':>7} {'of min':>7}"
        f"  {'median':>7} {'min':>7} {'x floor':>7}  {'MiB':>8}"
    )
    for row in summaries:
        print(
            f"{row.contender:{width}}  {row.cpu_median:7.3f} {row.cpu_min:7.3f}"
            f" {row.cpu_ratio_of_medians:7.2f} {row.cpu_ratio_of_minima:7.2f}"
            f"  {row.wall_median:7.3f} {row.wall_min:7.3f} {row.wall_ratio_of_medians:7.2f}"
            f"  {row.memory_median / MEBIBYTE:8.1f}"
        )


def print_memory(summaries, base, entries):
    print(f"\nMemory above that of 'plat --version' ({base / MEBIBYTE:.1f} MiB):")
    for row in summaries:
        if row.contender.split()[0] == "plat":
            print(f"  {row.contender}: {(row.memory_median - base) / entries:.1f} bytes per entry")


def read_tree(options):
    """Returns the counts of the tree. Reads it twice; the second time, every name is cached."""
    command = [options.floor, "-t", str(os.cpu_count() or 1), options.directory]
    for _ in range(2):
        process = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if process.returncode not in (0, 1):
            raise RunError(f"{options.floor} ended with status {process.returncode}")
    counts = ("entries", "directories", "others", "hard_linked_names", "unreadable")
    return {key: count for key, count in json.loads(process.stdout).items() if key in counts}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for tool in ("plat", "floor", "measure"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--threads", required=True, help="counts, separated by commas")
    parser.add_argument("--against", required=True, help="peers, 'installed' or 'none'")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--rescans", help="the library that makes it later, for rescans")
    parser.add_argument("--json")
    parser.add_argument("directory")
    options = parser.parse_args()
    options.threads = sorted({int(word) for word in options.threads.split(",")})
    options.against = choose_peers(options.against)
    return options


def choose_peers(words):
    if words == "none":
        return []
    if words == "installed":
        return [name for name in PEERS if shutil.which(name)]
    names = words.split(",")
    for name in names:
        if name not in PEERS:
            raise RunError(f"'{name}' is none of {', '.join(PEERS)}")
        if not shutil.which(name):
            raise RunError(f"{name} is not installed")
    return names


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="plat-bench-state-") as options.state:
        compare(options)


def compare(options):
    if options.json:
        open(options.json, "a", encoding="utf-8").close()  # better now than after the last round
    tree = read_tree(options)
    print(
        f"{options.directory}: {tree['entries']:,} entries, {tree['directories']:,} of them"
        f" directories; {'cold' if options.cold else 'warm'}, {options.rounds} rounds,"
        f" {os.cpu_count()} processors, load {os.getloadavg()[0]:.2f}"
    )
    if options.rescans:
        make_snapshot(options)
    contenders = make_contenders(options)
    for name in options.against:
        print(f"  {name}: {' '.join(PEERS[name])}")
    missing = [name for name in PEERS if not shutil.which(name)]
    if missing:
        print(f"  not installed: {', '.join(missing)}")
    base = min(measure(options.measure, (options.plat, "--version"))["memory"] for _ in range(5))
    # Scanners end with status 1 if something could not be read.
    accepted = (0, 1) if tree["unreadable"] else (0,)
    runs = run_rounds(contenders, options, accepted)
    summaries = summarize(contenders, runs)
    print_summaries(summaries)
    print_memory(summaries, base, tree["entries"])
    if options.json:
        document = {
            "schema": "plat/bench/1",
            "tree": tree,
            "cold": options.cold,
            "processors": os.cpu_count(),
            "base_memory": base,
            "runs": [asdict(run) for run in runs],
            "summaries": [asdict(summary) for summary in summaries],
        }
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    try:
        main()
    except (OSError, RunError) as error:
        sys.exit(f"bench: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
