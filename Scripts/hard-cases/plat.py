"""How plat is called, and how its answers are read. Another scanner would need only this file."""
import json
import os
import re

from walk import Numbers

# Trees may be scanned with options of these names.
OPTIONS = {
    "one_file_system": lambda value: ["--one-file-system"],
    "exclude": lambda value: ["--exclude=" + value],
    "gitignore": lambda value: ["--gitignore"],
    "exclude_caches": lambda value: ["--exclude-caches"],
}


def scan(program, roots, database=None, **options):
    """The words that scan roots, keeping a snapshot if there is a database."""
    words = [program, "scan", "--json"]
    words += ["--database=" + database] if database else ["--no-save"]
    for name, value in options.items():
        words += OPTIONS[name](value)
    return words + ["--"] + list(roots)


def with_progress(words):
    """The same words, so that the program tells how far it is while it scans."""
    return words[:2] + ["--progress=json"] + words[2:]


def is_under_way(errors):
    """Whether what the program has told of its progress says that it has met an entry."""
    return re.search(rb'"event":"progress","entries":[1-9]', errors) is not None


def show(program, root):
    """The words that show a person where the space goes."""
    return [program, "scan", "--no-save", "--top=1000", root]


def query(program, directory, database):
    """The words that ask for the numbers of a directory, without a look at the disk."""
    return [program, "query", "list", "--json", "--database=" + database, directory]


def snapshots(program, verb, words, directory, database):
    """The words that do something with the snapshots of a directory."""
    return [program, "snapshots", verb, "--database=" + database, *words, directory]


def names(program, directory, database):
    """The words that list everything below a directory, each path ended by NUL."""
    return [program, "query", "list", "-q", "-r", "-0", "--database=" + database, directory]


def render(program, root, output, width, height, database):
    """The words that draw a picture."""
    size = "--size=%dx%d" % (width, height)
    return [program, "render", "--scan", size, "--output=" + output, "--database=" + database, root]


def numbers(output):
    """Reads the numbers in an answer in JSON, or returns None if it holds none."""
    try:
        answer = json.loads(os.fsdecode(output))
    except ValueError:
        return None
    answer = answer.get("directory", answer)
    return Numbers(
        apparent=answer["apparent_size"],
        allocated=answer["allocated_size"],
        files=answer["files"],
        directories=answer["directories"],
        others=answer["symbolic_links"] + answer["others"],
        issues=answer["issue_count"],
    )
