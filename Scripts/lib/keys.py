"""Presses keys in plat browse during scans. Usage: keys.py PROGRAM RUNS LIMIT DIRECTORY..."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

COLUMNS, ROWS = 120, 36
WORK_LIMIT = 10  # ms of the processor, so that most of the 50 ms are for others on a busy machine
PACE = 0.04  # seconds from one key to the next, so that each is answered by a frame of its own

# What a person does, over and over: every key changes the screen.
KEYS = (
    ["\r", "j", "n", "G", "s", "\x7f"]
    + ["j"] * 6 + ["k"] * 3 + ["\r", "j", "j", "G", "g", "s", "s", "n", "n", "C", "M", "s", "\x7f"]
    + ["/", "1", "2", "\x1b[B", "\x1b[B", "\x1b"] + ["\t", "\x1b[B", "\x1b[C", "\t"]
    + ["t", "t", "t", "c", "c", "c", "c", "a", "a", "?", "?", "i", "i"]
)
QUESTIONS = [  # what a terminal is asked, and what it answers
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:0b0b/0e0e/1414\x1b\\"),
    (b"\x1b[c", b"\x1b[?62;22c"),
]
# The title says how old the scan is once it is complete.
AT_REST = re.compile(rb"just now| ago")
REPORT = re.compile(
    r"([\d,]+) frames, ([\d,]+) late, longest delay ([\d,]+) ms, longest work ([\d,]+) ms"
)


class Terminal:
    """A terminal that answers what it is asked."""

    def __init__(self, words, environment):
        self.end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            words, stdin=inner, stdout=inner, stderr=self.errors, env=environment,
            start_new_session=True,
        )
        os.close(inner)
        self.tail = b""
        self.is_at_rest = False

    def read(self, seconds):
        """Reads for some time, and returns whether anything came."""
        received = b""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self.end], [], [], left)[0]:
                break
            try:
                received = os.read(self.end, 1 << 16)
            except OSError:
                break
            self.tail += received
            self.is_at_rest = self.is_at_rest or AT_REST.search(self.tail) is not None
            for question, answer in QUESTIONS:
                for _ in range(self.tail.count(question)):
                    os.write(self.end, answer)
                self.tail = self.tail.replace(question, b"")
            # A question may arrive in two parts.
            self.tail = self.tail[-64:]
        return received != b""

    def press(self, key):
        os.write(self.end, key.encode())


def browse(program, directory):
    """Browses once; returns how many keys came during the scan, and what the program says at the end."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "HOME": home, "XDG_STATE_HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "COLORTERM": "truecolor", "PATH": os.environ["PATH"],
        }
        terminal = Terminal([program, "browse", "-v", "--read-only", directory], environment)
        while not terminal.read(0.02):
            if terminal.process.poll() is not None:
                sys.exit(f"{program} has ended by itself")
        during = 0
        is_last = False
        while not is_last:
            is_last = terminal.is_at_rest
            for key in KEYS:
                during += not terminal.is_at_rest
                terminal.press(key)
                terminal.read(PACE)
        terminal.press("q")
        while terminal.process.poll() is None:
            terminal.read(0.05)
        terminal.errors.seek(0)
        return during, terminal.errors.read().decode()


def main():
    program, runs, limit, *directories = sys.argv[1:]
    is_late = False
    for directory in directories:
        print(directory, flush=True)
        for run in range(1, int(runs) + 1):
            during, report = browse(program, directory)
            found = REPORT.search(report)
            if not found:
                sys.exit(f"{program} does not tell of its frames: {report}")
            frames, late, longest, work = (int(text.replace(",", "")) for text in found.groups())
            print(
                f"run {run}: {during} keys during the scan; {frames} frames, {late} late, "
                f"{longest} ms at most, {work} ms of work at a time at most",
                flush=True,
            )
            is_late = is_late or work > WORK_LIMIT or bool(limit) and late > int(limit)
    sys.exit(1 if is_late else 0)


main()
