"""Drives a headless Chromium over its DevTools pipe: no port, no library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    names = ['chromium', 'chromium-browser', 'google-chrome']
    return next((path for path in map(shutil.which, names) if path), None)


class Browser:
    """One Chromium with one page. `requests` and `problems` collect what the page should not do."""

    def __init__(self, program, width=1440, height=900, scale=1):
        # Chromium makes sockets, whose paths have at most 107 bytes: not below a long TMPDIR.
        self.profile = tempfile.mkdtemp(prefix='plat-page-', dir='/tmp')
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        arguments = [program, '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run',
                     '--hide-scrollbars', '--disable-background-networking', '--disable-extensions',
                     '--remote-debugging-pipe', '--user-data-dir=' + self.profile, 'about:blank']
        log = open(os.path.join(self.profile, 'log'), 'wb')

        def take_pipes():
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        env=dict(os.environ, TMPDIR='/tmp'),
                                        preexec_fn=take_pipes, pass_fds=(3, 4))
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b''
        self.number = 0
        self.session = None
        self.events = []
        self.requests, self.problems = [], []
        targets = self.send('Target.getTargets')['targetInfos']
        page = next(target for target in targets if target['type'] == 'page')
        attached = self.send('Target.attachToTarget', targetId=page['targetId'], flatten=True)
        self.session = attached['sessionId']
        for domain in ['Page', 'Runtime', 'Network', 'Log', 'DOM', 'Accessibility']:
            self.send(domain + '.enable')
        self.resize(width, height, scale)

    def close(self):
        """Ends the browser."""
        os.close(self.output)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)

    # Messages

    def send(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.output, data):]
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]["message"]}')
                return answer['result']

    def receive(self):
        while b'\0' not in self.buffer:
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise RuntimeError('the browser has ended')
            self.buffer += piece
        data, self.buffer = self.buffer.split(b'\0', 1)
        message = json.loads(data)
        self.note(message.get('method'), message.get('params', {}))
        return message

    def note(self, method, parameters):
        if method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])
        elif method == 'Runtime.exceptionThrown':
            details = parameters['exceptionDetails']
            text = details.get('exception', {}).get('description') or details.get('text')
            self.problems.append('exception: ' + text)
        elif method == 'Log.entryAdded':
            self.problems.append('log: ' + parameters['entry']['text'])
        elif method == 'Runtime.consoleAPICalled':
            self.problems.append('console: ' + json.dumps(parameters['args'])[:300])
        if method:
            self.events.append(method)

    # The page

    def open(self, address):
        """Opens an address and waits until the page is ready."""
        self.send('Page.navigate', url='about:blank')
        self.requests, self.problems = [], []
        self.send('Page.navigate', url=address)
        self.wait('document.readyState === "complete" && globalThis.plat !== undefined')
        self.evaluate('plat.ready')
        self.settle()

    def evaluate(self, expression):
        answer = self.send('Runtime.evaluate', expression=expression, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        if 'exceptionDetails' in answer:
            details = answer['exceptionDetails']
            raise RuntimeError(details.get('exception', {}).get('description') or details['text'])
        return answer['result'].get('value')

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise RuntimeError('waited in vain for ' + condition)
            time.sleep(0.02)

    def settle(self):
        """Waits for two frames, and for a zoom to end."""
        self.evaluate('new Promise(done => { const next = () => plat.map.frame'
                      ' ? requestAnimationFrame(next) : requestAnimationFrame(() => done());'
                      ' requestAnimationFrame(next); })')

    def resize(self, width, height, scale=1, touch=False):
        self.send('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=scale, mobile=touch)
        self.send('Emulation.setTouchEmulationEnabled', enabled=touch)

    def prefer(self, **features):
        """Emulates preferences of the system, such as `color_scheme='dark'`."""
        self.send('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-' + name.replace('_', '-'), 'value': value}
            for name, value in features.items()])

    def press(self, key, shift=False):
        codes = {'Enter': (13, '\r'), ' ': (32, ' '), 'Escape': (27, ''), 'Backspace': (8, ''),
                 'Home': (36, ''), 'End': (35, ''), 'PageUp': (33, ''), 'PageDown': (34, ''),
                 'ArrowLeft': (37, ''), 'ArrowUp': (38, ''), 'ArrowRight': (39, ''),
                 'ArrowDown': (40, ''), 'Tab': (9, '')}
        code, text = codes.get(key, (ord(key[0].upper()), key))
        common = {'key': key, 'windowsVirtualKeyCode': code, 'modifiers': 8 if shift else 0}
        self.send('Input.dispatchKeyEvent', type='keyDown', text=text, **common)
        self.send('Input.dispatchKeyEvent', type='keyUp', **common)
        self.settle()

    def move(self, x, y):
        self.send('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def click(self, x, y, count=1):
        for number in range(1, count + 1):
            for kind in ['mousePressed', 'mouseReleased']:
                self.send('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left',
                          clickCount=number)
        self.settle()

    def tap(self, x, y):
        self.send('Input.dispatchTouchEvent', type='touchStart', touchPoints=[{'x': x, 'y': y}])
        self.send('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])
        self.settle()

    def type(self, text):
        self.send('Input.insertText', text=text)
        self.settle()

    def screenshot(self, path):
        data = self.send('Page.captureScreenshot', format='png')['data']
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))

    def print(self):
        return base64.b64decode(self.send('Page.printToPDF', preferCSSPageSize=True,
                                          printBackground=True)['data'])

    def accessibility(self):
        return self.send('Accessibility.getFullAXTree')['nodes']
