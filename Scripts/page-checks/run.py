#!/usr/bin/env python3
"""Runs the checks of a page in Chromium. Called by `Scripts/check-page`, which tells how."""

import argparse
import base64
import os
import re
import subprocess
import sys
import tempfile

import checks
import trees
from browser import Browser, find_chromium


class Pages:
    """The pages that the checks open, written by the program."""

    def __init__(self, program, folder, options):
        self.program, self.folder, self.kept = program, folder, options.pictures
        self.times = options.times
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, 'state'))
        self.environment.pop('PLAT_DATABASE', None)
        trees.make_busy(os.path.join(folder, 'busy'), options.files)
        trees.make_hostile(os.path.join(folder, 'hostile'))
        trees.make_huge(os.path.join(folder, 'huge'))
        self.hostile_root = os.fsencode(os.path.join(folder, 'hostile'))
        trees.make_long(os.path.join(folder, 'long'))
        trees.make_even(os.path.join(folder, 'even'))
        self.busy = self.render('busy')
        self.even = self.render('even')
        self.hostile = self.render('hostile')
        self.long = self.render('long')
        self.huge = self.render('huge')
        self.owned = None
        if os.geteuid() == 0:
            trees.make_owned(os.path.join(folder, 'owned'))
            self.owned = self.render('owned', '--color-by=owner')
        grown = os.path.join(folder, 'grown')
        trees.make_grown(grown, 0)
        subprocess.run([self.program, 'scan', '-q', grown], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)
        trees.make_grown(grown, 1)
        self.grown = self.render('grown', '--scan', '--color-by=growth')

    def path(self, name):
        return os.path.join(self.folder, name + '.html')

    def render(self, name, *options):
        subprocess.run([self.program, 'render', os.path.join(self.folder, name), '--apparent',
                        '-q', '-o', self.path(name), *options], env=self.environment, check=True)
        return 'file://' + self.path(name)

    def text(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def damaged(self, kind):
        """The address of a page whose data are damaged."""
        def damage(match):
            data = match[2]
            if kind == 'base64':
                data = data[:100] + '*' + data[101:]
            elif kind == 'short':
                data = data[:len(data) // 8 * 4]
            else:
                packed = bytearray(base64.b64decode(data))
                packed[len(packed) // 2] ^= 0x20
                data = base64.b64encode(bytes(packed)).decode()
            return match[1] + data + '<'
        text = re.sub(r'(id="data">)([^<]*)<', damage, self.text('hostile'))
        with open(self.path(kind), 'w', encoding='utf-8') as file:
            file.write(text)
        return 'file://' + self.path(kind)

    def keep(self, name, data):
        if self.kept:
            with open(os.path.join(self.kept, name), 'wb') as file:
                file.write(data)


def take_pictures(browser, pages, address):
    """Takes the pictures that a person looks at after a change of the page."""
    def picture(name, place='', size=(1440, 900), scale=1, touch=False, script=None, **system):
        browser.resize(*size, scale, touch)
        browser.prefer(**{'color_scheme': 'dark', **system})
        browser.open(address + place)
        if script:
            browser.evaluate(script)
            browser.settle()
        browser.screenshot(os.path.join(pages.kept, name + '.png'))

    first = 'plat.encodePath(plat.tree.first[0])'
    picture('dark', script='0')
    browser.move(400, 480)
    browser.settle()
    browser.screenshot(os.path.join(pages.kept, 'hover.png'))
    picture('light', '#color=age', color_scheme='light',
            script='plat.map.box.focus(); plat.select(plat.tree.first[plat.tree.first[0]], false)')
    picture('folder', '#color=folder')
    picture('owner', '#color=owner')
    picture('zoomed', script=f'location.hash = "p=" + {first}')
    picture('search', '#q=*.so*&old=365')
    picture('narrow', size=(480, 1000), touch=True)
    picture('large', scale=2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--files', type=int, default=50_000)
    parser.add_argument('--pictures')
    parser.add_argument('--page')
    parser.add_argument('--times', action='store_true')
    options = parser.parse_args()
    chromium = find_chromium()
    if not chromium:
        sys.exit('check-page: there is no Chromium on the PATH (Debian: chromium)')
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    failures = 0
    with tempfile.TemporaryDirectory(prefix='plat-page-') as folder:
        pages = Pages(options.program, folder, options)
        browser = Browser(chromium)
        try:
            for title, function in checks.CHECKS:
                try:
                    note = function(browser, pages)
                    print('ok   ' + title + (f' ({note})' if note else ''), flush=True)
                except (AssertionError, RuntimeError) as error:
                    failures += 1
                    print(f'FAIL {title}: {str(error)[:1500]}', flush=True)
            if options.pictures:
                page = os.path.abspath(options.page) if options.page else pages.path('busy')
                take_pictures(browser, pages, 'file://' + page)
        finally:
            browser.close()
    print(f'{len(checks.CHECKS) - failures} of {len(checks.CHECKS)} checks passed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
