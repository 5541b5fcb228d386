"""Pictures."""
import re
import struct
import subprocess
import xml.etree.ElementTree

from harness import case, expect, expect_status, need

MARKUP = [
    "<script>pwn()<", '"onload="pwn()"', "'onclick='pwn()'", "&amp;", "&", "<", ">", "]]>", "<!--",
    "-->", "&#x3c;b&#x3e;", "<?xml pwn?>", "&bogus;", "a&b<c>\"d'",
]
GEOMETRY = ("x", "y", "width", "height", "d", "points", "transform", "viewBox")


def expect_svg(picture):
    """Expects an SVG that is well-formed, with finite numbers, and nothing that acts."""
    need("xmllint")
    checked = subprocess.run(["xmllint", "--noout", "-"], input=picture, capture_output=True)
    expect(checked.returncode == 0, checked.stderr.decode("utf-8", "replace")[:200])
    for element in xml.etree.ElementTree.fromstring(picture).iter():
        tag = element.tag.rpartition("}")[2]
        expect(tag not in ("script", "foreignObject", "iframe"), "an element <%s>" % tag)
        for name, value in element.attrib.items():
            expect(not name.startswith("on"), "an attribute %s" % name)
            if name in GEOMETRY:
                bad = re.search(r"nan|inf", value, re.IGNORECASE)
                expect(not bad and not (name in ("width", "height") and "-" in value), value)


def expect_png(picture, width, height):
    expect(picture[:8] == b"\x89PNG\r\n\x1a\n" and picture[-8:-4] == b"IEND", "no whole PNG")
    size = struct.unpack(">II", picture[16:24])
    expect(size == (width, height), "%dx%d" % size)


def expect_pictures(c, width=800, height=600):
    """Expects a right SVG and PNG of the tree, and returns both."""
    pictures = []
    for name in ("a.svg", "a.png"):
        outcome, picture = c.render(name, width, height)
        expect_status(outcome, 0)
        expect(picture is not None, "no picture")
        pictures.append(picture)
    expect_svg(pictures[0])
    expect_png(pictures[1], width, height)
    return pictures


@case("names that are markup stay text")
def markup(c):
    for name in MARKUP:
        c.file(name, 200_000)
    c.file("<g onload=pwn()>/f", 200_000)
    expect_pictures(c)


@case("only empty files")
def empty_files(c):
    for index in range(3):
        c.empty_files("d%d" % index, 30)
    c.tmpfs(c.tree + "/d2")
    expect_pictures(c)


@case("an empty directory without blocks: the total is 0")
def empty_directory(c):
    c.tmpfs(c.tree)
    expect_pictures(c)


@case("100,000 files in 200 by 150 pixels take bounded time and room")
def many_files(c):
    for index in range(100):
        c.empty_files("d%03d" % index, 1000)
        c.file("d%03d/f" % index)
    svg, _ = expect_pictures(c, 200, 150)
    expect(len(svg) < 1_000_000, "an SVG of %d bytes" % len(svg))


@case("sides of 40000, 0 and -5 pixels are refused and leave no file; 32767 is drawn")
def limits(c):
    c.file("a", 100_000)
    c.file("b", 50_000)
    for width, height in ((40_000, 100), (0, 0), (-5, 10)):
        for name in ("a.svg", "a.png"):
            outcome, picture = c.render(name, width, height)
            expect_status(outcome, 2)
            expect(picture is None, "a file is left")
    expect_pictures(c, 32_767, 2)


@case("one pixel")
def one_pixel(c):
    c.file("a", 100_000)
    c.file("d/b", 50_000)
    expect_pictures(c, 1, 1)


@case("the same tree gives the same bytes, whatever the order of threads")
def same_bytes(c):
    for first in range(6):
        for second in range(7):
            c.file("d%d/f%d" % (first, second), 5000)
    expect(expect_pictures(c) == expect_pictures(c), "two pictures differ")


@case("numbers in a picture have points in a locale with commas")
def comma_locale(c):
    c.environment["LC_ALL"] = "de_DE.UTF-8"
    for index in range(1, 8):
        c.file("f%d" % index, index * 33_333)
    svg, _ = expect_pictures(c)
    number = rb'(?:x|y|width|height)="[^"]*\d,\d'
    expect(not re.search(number, svg), "a decimal comma")
