"""Ctrl-C, and patience."""
import signal

from harness import case, expect, expect_some


@case("a first scan is interrupted: nothing of it passes for the whole tree")
def interrupted_first_scan(c):
    c.bad_fs("slow")
    c.interrupt()
    outcome = c.query()
    expect(outcome.status == 3 and outcome.output == b"", "something is stored")


@case("a scan is told to end")
def terminated_scan(c):
    c.bad_fs("slow")
    c.interrupt(signal.SIGTERM)


@case("3000 lookups of 5 ms each end with the right numbers", limit=120)
def slow_server(c):
    c.bad_fs("slow")
    size = 61 * 4096 + 3000 * 1024
    expect_some(c.scan(), allocated=size, files=3000, directories=61, issues=0)
