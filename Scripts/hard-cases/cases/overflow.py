"""Sizes whose sum does not fit."""
import os

from harness import case, expect, expect_some, expect_status

LARGEST = 2**64 - 1


@case("apparent sizes pass 2^63 in sum, and stay at the largest number beyond 2^64")
def huge_sparse_files(c):
    c.tmpfs(c.tree)
    for index in range(3):
        c.file("h%d" % index, 0)
        os.truncate(c.path("h%d" % index), 2**63 - 4096)
    c.file("r", 4096)
    right = c.walk()
    right.apparent = min(right.apparent, LARGEST)
    outcome = c.scan()
    expect_status(outcome, 0)
    expect_some(outcome, **vars(right))


@case("three files of 2^63-1 bytes")
def largest_sizes(c):
    c.bad_fs("huge-sizes")
    expect_some(c.scan(), apparent=LARGEST, allocated=18_432, files=5, directories=1)


@case("a negative number of blocks is no negative size")
def negative_blocks(c):
    c.bad_fs("negative-blocks")
    outcome = c.scan()
    expect_some(outcome, files=4, directories=1)
    expect(6144 <= outcome.numbers.allocated <= LARGEST, "it wraps")
