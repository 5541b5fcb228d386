"""Trees of files for the pages, made of sparse files so that they take no space."""

import os
import random

START = 1_796_000_000
EXTENSIONS = ['c', 'so', 'txt', 'jpg', 'zip', 'db', 'log', 'pdf', 'mp4', 'flac', 'odd', 'py']

HOSTILE = [
    b'<img src=x onerror=document.title=1>.html', b'<script>document.title=1<', b'<!--<script>',
    b'invoice\xe2\x80\xaegnp.exe', b'new\nline\tand\x1b[31mred.log', b'bad\xff\xfe\x80utf8.txt',
    b' leading and trailing ', b'\xef\xbb\xbfbom.txt', b'quote"\'`&amp;.c', b'$(id)`id`.sh',
    b'back\\slash.txt', b'line\xe2\x80\xa8sep.txt', b'tag\xf3\xa0\x81\x81s.txt', b'__proto__',
    b'hasOwnProperty', b'zero\xe2\x80\x8bwidth', '日本語のファイル名.pdf'.encode(),
    'שלום.txt'.encode(), 'e\u0301clair👩\u200d🚀.png'.encode(), b'caf\xe9.txt',
]

# How some of them are shown; escapes stand out by colour and font.
SHOWN = {
    b'invoice\xe2\x80\xaegnp.exe': 'invoice\\u{202E}gnp.exe',
    b'new\nline\tand\x1b[31mred.log': 'new\\nline\\tand\\x1b[31mred.log',
    b'bad\xff\xfe\x80utf8.txt': 'bad\\xff\\xfe\\x80utf8.txt',
    b' leading and trailing ': '␣leading and trailing␣',
    b'\xef\xbb\xbfbom.txt': '\\u{FEFF}bom.txt',
    b'back\\slash.txt': 'back\\\\slash.txt',
    b'line\xe2\x80\xa8sep.txt': 'line\\u{2028}sep.txt',
    b'tag\xf3\xa0\x81\x81s.txt': 'tag\\u{E0041}s.txt',
    b'zero\xe2\x80\x8bwidth': 'zero\\u{200B}width',
    b'caf\xe9.txt': 'caf\\xe9.txt',
    b'<img src=x onerror=document.title=1>.html': '<img src=x onerror=document.title=1>.html',
    b'__proto__': '__proto__',
    'שלום.txt'.encode(): 'שלום.txt',
    '日本語のファイル名.pdf'.encode(): '日本語のファイル名.pdf',
    'e\u0301clair👩\u200d🚀.png'.encode(): 'e\u0301clair👩\u200d🚀.png',
}


def make_file(path, size, time):
    with open(path, 'wb') as file:
        file.truncate(size)
    os.utime(path, (time, time))


def make_busy(root, files, seed=3):
    """Makes a tree of directories in several levels, with sizes and dates as they come."""
    generator = random.Random(seed)
    directories, made = [os.fsencode(root)], 0
    os.makedirs(root)
    while made < files:
        parent = generator.choice(directories[-60:])
        directory = os.path.join(parent, b'directory-%d' % len(directories))
        os.mkdir(directory)
        directories.append(directory)
        scale = generator.lognormvariate(9, 1.2)
        days = generator.expovariate(1 / 500)
        for _ in range(min(generator.randrange(20, 400), files - made)):
            extension = EXTENSIONS[(len(directories) + generator.randrange(3)) % len(EXTENSIONS)]
            name = f'file-{generator.randrange(10**7)}-{made}.{extension}'.encode()
            age = int(86400 * (days + generator.expovariate(1 / 30)))
            make_file(os.path.join(directory, name),
                      int(scale * generator.lognormvariate(0, 1)), START - age)
            made += 1


def make_hostile(root):
    os.makedirs(root)
    deep = os.path.join(os.fsencode(root), '<b>дир\u202e<b>'.encode())
    os.mkdir(deep)
    for folder in [os.fsencode(root), deep]:
        for number, name in enumerate(HOSTILE):
            make_file(os.path.join(folder, name), 2_000_000 - 40_000 * number, START)


def make_long(root):
    """Makes directories in each other whose names do not fit beside each other, with files."""
    path = os.fsencode(root)
    for level in range(12):
        path = os.path.join(path, b'a-long-name-of-a-directory-%02d' % level)
        os.makedirs(path)
        for number in range(3):
            make_file(os.path.join(path, b'file-%d.txt' % number), 40_000, START)


def make_even(root):
    """Makes a tree of nearly 50,000 files of about one size, all large enough for a tile."""
    os.makedirs(root)
    for directory in range(248):
        folder = os.path.join(root, f'directory-{directory}')
        os.mkdir(folder)
        for number in range(200):
            name = f'file-{number}.{EXTENSIONS[(directory + number // 40) % len(EXTENSIONS)]}'
            make_file(os.path.join(folder, name), 10_000 + number, START - 9 * directory * 86400)


# More than 2^53 bytes in all, in files that common file systems allow.
HUGE_COUNT, HUGE_SIZE = 700, 15 * 2**40 + 1


def make_huge(root):
    os.makedirs(root)
    for number in range(HUGE_COUNT):
        make_file(os.path.join(root, f'huge-{number}.img'), HUGE_SIZE, START)


# What each owner has of a tree, where the one who makes it may give files away.
OWNED = {0: 700_000, 4_242: 200_000, 4_243: 90_000}


def make_owned(root):
    os.makedirs(root)
    for owner, size in OWNED.items():
        folder = os.path.join(root, f'of-{owner}')
        os.mkdir(folder)
        for number in range(4):
            path = os.path.join(folder, f'file-{number}.dat')
            make_file(path, size // 4, START)
            os.chown(path, owner, -1)


# Files by name: their sizes before and afterwards, and what the legend calls that.
GROWN = {
    'same': (300_000, 300_000, 'unchanged'), 'little': (200_000, 210_000, 'grown'),
    'more': (100_000, 150_000, 'grown >10%'), 'twice': (50_000, 200_000, 'grown >50%'),
    'less': (200_000, 150_000, 'shrunk >10%'), 'fresh': (0, 120_000, 'new'),
    'gone': (90_000, 0, None),
}


def make_grown(root, step):
    """Makes the files as they were (step 0) or are (step 1)."""
    os.makedirs(root, exist_ok=True)
    for name, sizes in GROWN.items():
        path = os.path.join(root, name)
        if sizes[step] > 0:
            make_file(path, sizes[step], START)
        elif os.path.exists(path):
            os.remove(path)
