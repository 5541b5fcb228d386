#!/usr/bin/env python3
"""Reads a page that `plat render -o FILE.html` wrote, without its script, and prints it as JSON.

Usage: unpack.py FILE

An implementation of the format of its own: tests compare what it reads with the tree that was
written. Fails if the page is not what it should be: its policy, its digests, its lengths.
"""

import base64
import hashlib
import html.parser
import json
import re
import sys
import zlib

KINDS = ['file', 'directory', 'symbolic link', 'other', 'group', 'counted elsewhere']


class Document(html.parser.HTMLParser):
    """The elements of a page, and the text of those that have an id or are style or script."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.attributes, self.policy = {}, {}, [], None
        self.key = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements[tag] = self.elements.get(tag, 0) + 1
        values = dict(attributes)
        self.attributes += [name for name, _ in attributes]
        self.key = values.get('id') or tag
        self.texts.setdefault(self.key, '')
        if values.get('http-equiv') == 'Content-Security-Policy':
            self.policy = values['content']

    def handle_endtag(self, tag):
        self.key = None

    def handle_data(self, data):
        if self.key:
            self.texts[self.key] += data


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_policy(document):
    """Fails unless the policy allows the script and the style of the page, and nothing else."""
    rules = dict(rule.split(' ', 1) for rule in document.policy.split('; '))
    assert rules == {
        'default-src': "'none'", 'base-uri': "'none'", 'form-action': "'none'",
        'script-src': f"'sha256-{digest(document.texts['script'])}'",
        'style-src': f"'sha256-{digest(document.texts['style'])}'",
        'require-trusted-types-for': "'script'", 'trusted-types': "'none'",
    }, 'the policy is ' + document.policy
    assert not [name for name in document.attributes if name == 'style' or name.startswith('on')]


def varints(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def read_columns(meta, packed):
    assert len(packed) == meta['z']
    raw = zlib.decompress(packed)
    assert len(raw) == meta['raw'] == sum(meta['cols'])
    columns, start = [], 0
    for length in meta['cols']:
        columns.append(raw[start:start + length])
        start += length
    return columns


def read_entries(meta, columns):
    kinds, counts, sizes, times, names, owners, growths = columns
    counts, sizes, times = varints(counts), varints(sizes), varints(times)
    names = names.split(b'\0')
    assert len(kinds) == meta['n'] and len(names) == meta['n'] + 1 and names[-1] == b''
    entries, parents, time, last, others = [], [-1], 0, {}, 0
    for number, byte in enumerate(kinds):
        kind, parent = KINDS[byte >> 4], parents[number]
        entry = {'kind': kind, 'category': byte & 15, 'parent': parent, 'name': names[number].hex(),
                 'depth': 0 if parent < 0 else entries[parent]['depth'] + 1}
        size = next(sizes) * meta['unit']
        if kind == 'directory':
            parents += [number] * next(counts)
        elif kind == 'group':
            entry['items'] = next(counts)
            entry['files'] = entry['items'] - next(counts)
        else:
            size = last[parent] - size if parent in last else size
            last[parent] = size
        if kind != 'directory':
            step = next(times)
            time += -(step + 1) // 2 if step % 2 else step // 2
            entry['time'] = time
            entry['owner'] = (meta['owners'] + [None])[owners[others]]
            entry['growth'] = growths[others] if 'growth' in meta else None
            others += 1
        entry['size'] = size
        entries.append(entry)
    assert len(parents) == len(entries) and len(owners) == others
    assert len(growths) == (others if 'growth' in meta else 0)
    assert [next(column, None) for column in (counts, sizes, times)] == [None] * 3
    return entries


def add_up(entries):
    """Adds what is below a directory to its size, which is at most 2^64 - 1, and counts files."""
    for entry in entries:
        entry.setdefault('files', 1 if entry['kind'] in ('file', 'counted elsewhere') else 0)
    for entry in reversed(entries[1:]):
        parent = entries[entry['parent']]
        parent['size'] = min(parent['size'] + entry['size'], 2**64 - 1)
        parent['files'] += entry['files']


def check_order(entries):
    """Fails unless runs are sorted by size, then name, with the group last."""
    runs = {}
    for entry in entries[1:]:
        key = (entry['kind'] == 'group', -entry['size'], bytes.fromhex(entry['name']))
        assert runs.get(entry['parent'], key) <= key, 'a run is out of order'
        runs[entry['parent']] = key


def unpack(path):
    with open(path, 'rb') as file:
        text = file.read().decode('utf-8')
    document = Document(text)
    check_policy(document)
    assert re.fullmatch(r'[^<>&]*', document.texts['meta'])
    meta = json.loads(document.texts['meta'])
    columns = read_columns(meta, base64.b64decode(document.texts['data'], validate=True))
    entries = read_entries(meta, columns)
    add_up(entries)
    check_order(entries)
    assert entries[0]['size'] == int(meta['total']) and entries[0]['files'] == meta['files']
    assert sum(entry.get('items', 0) for entry in entries) == meta['grouped']
    return {'title': document.texts['title'], 'elements': document.elements,
            'noscript': document.texts.get('noscript', ''), 'meta': meta, 'entries': entries}


if __name__ == '__main__':
    json.dump(unpack(sys.argv[1]), sys.stdout)
