"""Names are any bytes."""
import os
import pty
import re

from harness import case, expect, expect_some
from walk import Walk

CONTROL = [
    b"new\nline", b"tab\there", b"cr\rover", b"\x1b[31mred\x1b[0m", b"\x1b]0;pwned\x07",
    b"\x1b]52;c;cHduZWQ=\x07", b"bell\x07", b"back\x08\x08\x08space", b"\x1b[2J\x1b[H",
    b"form\x0cfeed", b"a\x01b", b"\xc2\x9b31m", b"plain",
]
INVALID = [
    b"zo\xe8.mp3", b"trunc\xe2\x82", b"over\xc0\xaf", b"sur\xed\xa0\x80", b"\xff\xfe",
    b"big\xf4\x90\x80\x80", b"caf\xe9", b"ok-\xc3\xa9",
]
LOOKALIKE = [
    "-rf", "--help", "-", " ", "   ", "dot.", "sp ", "\u200b", "\u200b\u200b", "\u00e9", "e\u0301",
    "Case", "case", "\u0130i", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "z" + "\u0301" * 120,
    "\u4e16\u754c" * 40, "x" * 255, "\U0001f600" * 63, "...", "..a", "*", "~", "$HOME", "%s%n%d",
    "C:\\x", "#", "\u05e9\u05dc\u05d5\u05dd", "\ufeffbom", "\u202egnp.exe",
]


def make(c, names):
    for index, name in enumerate(names):
        c.file(name, 5000 + index)


def expect_names(c):
    """Expects that the program lists every name, exactly and once."""
    listed = c.names()
    walk = Walk(c.tree)
    expect(sorted(listed) == sorted(walk.names), "the names listed are not those on disk")


def on_terminal(c):
    """What the program writes to a terminal."""
    main, terminal = pty.openpty()
    with open(terminal, "wb") as end:
        process = c.start([c.program, "scan", "--no-save", "--top=1000", c.tree], output=end)
    output = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # EIO: the program has closed the terminal.
            part = b""
        if not part:
            break
        output += part
    os.close(main)
    c.finish(process)
    return output


@case("nothing that controls a terminal reaches one")
def control_names(c):
    make(c, CONTROL)
    make(c, [b"dir\nwith\x1b[7mesc/in\nside"] + [name + b".d/f" for name in CONTROL])
    shown = c.show()
    drawn = re.sub(rb"\x1b\[[0-9;]*m|\r\n", b"\n", on_terminal(c))
    for output in (shown.output + shown.errors, drawn):
        bad = re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", output)
        expect(bad is None, "a control byte reaches the output")
        output.decode("utf-8")
    expect(shown.output.count(b"\n") < 60, "a name takes more than a line")
    expect_names(c)


@case("names that are not UTF-8: Latin-1, cut off, overlong, surrogates")
def invalid_utf8(c):
    make(c, INVALID + [b"d\xffir/f"])
    c.expect_walk()
    expect_names(c)


@case("names like options, of spaces only, of the same look, of 255 bytes")
def lookalike_names(c):
    make(c, LOOKALIKE + ["-d/-f"])
    c.expect_walk()
    expect_names(c)


@case("quotes, semicolons, % and _ mean nothing to a database")
def sql_names(c):
    names = (
        ("a_b", 3), ("axb", 5), ("a_b%", 7), ("x'); DROP TABLE directory;--", 2), ('"q"', 1),
        ("a_b2", 4), ("A_B", 6), ("a\\_b", 8),
    )
    for name, count in names:
        make(c, ["%s/f%d" % (name, index) for index in range(count)])
    c.save()
    for name, count in names:
        outcome = c.query(c.tree + "/" + name)
        expect_some(outcome, **vars(c.walk(c.tree + "/" + name)))
        expect_some(outcome, files=count)
