"""What the cases are written with: making trees, running the program, saying what is right."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import plat
from walk import Walk

CASES = []
HERE = os.path.dirname(os.path.abspath(__file__))
NOBODY = 65534

# Signs that a program has lost control, whatever its status says.
CRASH = re.compile(
    rb"Fatal error:|Traceback \(most recent|core dumped|stack overflow|AddressSanitizer"
)


class Failure(Exception):
    """The program did something wrong."""


class Skip(Exception):
    """The case cannot be made on this machine."""


def case(what, limit=20):
    """Makes a case of a function; `limit` is how many seconds a run of the program may take."""

    def register(function):
        kind = function.__module__.rpartition(".")[2]
        CASES.append((kind, function.__name__.replace("_", "-"), what, limit, function))
        return function

    return register


class Outcome:
    """A run of the program: its streams, how it ended, and what it took."""

    def __init__(self, output, errors, status, seconds, memory):
        self.output, self.errors, self.status = output, errors, status
        self.seconds, self.memory = seconds, memory
        self.numbers = plat.numbers(output)

    @property
    def message(self):
        return self.errors.decode("utf-8", "replace").strip()


class Case:
    """One case on disk: a folder with the tree, and the program under test.

    `tree` is the path of the directory to scan. What stands in the way of the program (another
    user, limits, another working directory) is set here, too, before it is run.
    """

    def __init__(self, program, folder, limit):
        self.program, self.folder, self.limit = program, folder, limit
        self.tree, self.database = folder + "/tree", folder + "/db/snapshots"
        self.working_directory = folder
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", HOME=folder + "/home")
        self.environment.update(XDG_STATE_HOME=folder + "/home/state", TERM="xterm-256color")
        self.environment.pop("PLAT_DATABASE", None)
        self.user = None
        self.limits = []
        self.scratch = folder + "/scratch"
        for path in (self.tree, folder + "/home", folder + "/db", self.scratch):
            os.makedirs(path)
        self._undo = []
        self.last = None

    # Making trees. Names are relative to the tree.

    def path(self, name):
        """The path of something in the tree, in directories that are made as needed."""
        path = os.path.join(os.fsencode(self.tree), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def file(self, name, size=1000):
        """Writes a file of random bytes, which no file system stores in fewer blocks."""
        with open(self.path(name), "wb") as file:
            file.write(os.urandom(size))

    def directory(self, name):
        os.makedirs(self.path(name), exist_ok=True)

    def link(self, old, new):
        os.link(self.path(old), self.path(new), follow_symlinks=False)

    def symbolic_link(self, target, name):
        os.symlink(target, self.path(name))

    def empty_files(self, directory, count, name="some-file-name-{:06}".format):
        """Makes many files, fast; `name` gives each number its name."""
        self.directory(directory)
        descriptor = os.open(self.path(directory), os.O_RDONLY)
        for index in range(count):
            flags = os.O_CREAT | os.O_WRONLY
            os.close(os.open(name(index), flags, 0o644, dir_fd=descriptor))
        os.close(descriptor)

    def chain(self, depth, name="d", visit=lambda level: None):
        """Makes directories inside each other, and a file of 5000 bytes in the last."""
        before = os.getcwd()
        os.chdir(self.tree)
        for level in range(depth):
            visit(level)
            os.mkdir(name)
            os.chdir(name)
        with open("bottom", "wb") as file:
            file.write(b"x" * 5000)
        os.chdir(before)

    def dated(self, date):
        """Gives everything in the tree the same modification time."""
        run(["find", self.tree, "-exec", "touch", "-h", "-d", date, "{}", "+"])

    # Mounts, which go away with the case.

    def mount(self, at, *words):
        if attempt(["mount", *words, at]).returncode != 0:
            raise Skip("mount %s is refused" % " ".join(words))
        self._undo.append(lambda: attempt(["umount", "-l", at]))

    def tmpfs(self, at, *options):
        self.mount(at, "-t", "tmpfs", *options, "none")

    def bind(self, source, at):
        self.mount(at, "--bind", source)

    def btrfs(self, at, options="loop"):
        self.made_fs("btrfs", at, options)

    def made_fs(self, type, at, options="loop"):
        """Makes a file system of 400 MiB in a file, and mounts it."""
        need("mkfs." + type)
        image = self.folder + "/%s.image" % type
        run(["truncate", "-s", "400M", image])
        run(["mkfs." + type, "-q", image])
        self.mount(at, "-o", options, image)

    def squashed(self, at):
        """Packs the tree into a squashfs, which can only be read, and mounts it."""
        need("mksquashfs")
        image = self.folder + "/squashfs.image"
        run(["mksquashfs", self.tree, image, "-quiet", "-no-progress"])
        self.mount(at, "-o", "loop", image)

    def bad_fs(self, mode, at=None):
        """Mounts a file system that misbehaves."""
        at = at or self.tree
        if not os.path.exists("/dev/fuse"):
            raise Skip("there is no /dev/fuse")
        made = attempt([sys.executable, HERE + "/badfs.py", mode, at])
        if made.returncode != 0:
            raise Skip(made.stderr.decode())

        def end(process=int(made.stdout)):
            for number in (signal.SIGCONT, signal.SIGKILL):
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            attempt(["umount", "-l", at])

        self._undo.append(end)

    def clean_up(self):
        for undo in reversed(self._undo):
            undo()
        run(["rm", "-rf", "--one-file-system", self.folder])

    # What stands in the program's way.

    def as_nobody(self):
        """Has the program run by a user who owns nothing but a home and a folder for a database."""
        self.user = NOBODY
        for path in (self.folder + "/home", self.folder + "/db"):
            os.chown(path, NOBODY, NOBODY)

    def limited(self, what, count):
        """Limits what the program may use: a name of RLIMIT_…, and how much of it."""
        self.limits.append((getattr(resource, "RLIMIT_" + what), count))

    # Running the program.

    def start(self, words, output=None):
        def prepare():
            for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            for what, count in self.limits:
                resource.setrlimit(what, (count, count))

        user = {} if self.user is None else dict(user=self.user, group=self.user, extra_groups=[])
        return subprocess.Popen(
            words,
            env=self.environment,
            cwd=self.working_directory,
            stdin=subprocess.DEVNULL,
            stdout=output or open(self.scratch + "/output", "wb"),
            stderr=open(self.scratch + "/errors", "wb"),
            preexec_fn=prepare,
            **user,
        )

    def finish(self, process, limit=None, signalled=()):
        """Waits until the program ends, and fails if it does not, or not of its own will."""
        started, deadline = time.monotonic(), time.monotonic() + (limit or self.limit)
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise Failure("no end within %g s" % (limit or self.limit))
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        outcome = Outcome(
            self.read("output"),
            self.read("errors"),
            process.returncode,
            time.monotonic() - started,
            usage.ru_maxrss // 1024,
        )
        self.last = outcome
        is_killed = outcome.status < 0 or outcome.status > 128
        if is_killed and outcome.status not in signalled or CRASH.search(outcome.errors):
            raise Failure("crashed (status %d): %s" % (outcome.status, outcome.message[:200]))
        return outcome

    def read(self, name):
        with open(self.scratch + "/" + name, "rb") as file:
            return file.read()

    def run(self, words):
        return self.finish(self.start(words))

    def scan(self, *roots, **options):
        """Scans the tree, or other roots, without keeping a snapshot."""
        return self.run(plat.scan(self.program, roots or [self.tree], **options))

    def save(self, *roots):
        """Scans the tree and keeps a snapshot."""
        return self.run(plat.scan(self.program, roots or [self.tree], self.database))

    def query(self, directory=None):
        return self.run(plat.query(self.program, directory or self.tree, self.database))

    def snapshots(self, verb, *words):
        """Runs a verb of `snapshots`, with its operands and options."""
        return self.run(plat.snapshots(self.program, verb, words, self.tree, self.database))

    def show(self):
        return self.run(plat.show(self.program, self.tree))

    def names(self):
        """Scans the tree, and returns the paths of everything in it as the program lists them."""
        self.save()
        output = self.run(plat.names(self.program, self.tree, self.database)).output
        return output.split(b"\0")[:-1]

    def render(self, name, width=800, height=600):
        """Draws the tree, and returns the run and the picture, or None if there is no file."""
        output = self.folder + "/" + name
        words = plat.render(self.program, self.tree, output, width, height, self.database)
        outcome = self.run(words)
        if not os.path.exists(output):
            return outcome, None
        with open(output, "rb") as file:
            return outcome, file.read()

    def need_option(self, option):
        """Skips the case if the program does not know an option yet."""
        if option.encode() not in self.run([self.program, "scan", "--help"]).output:
            raise Skip("there is no %s" % option)

    def interrupt(self, number=signal.SIGINT, within=1):
        """Ends a scan that is under way by a signal, and expects that it obeys at once."""
        words = plat.scan(self.program, [self.tree], self.database)
        process = self.start(plat.with_progress(words))
        deadline = time.monotonic() + 2
        while not plat.is_under_way(self.read("errors")) and time.monotonic() < deadline:
            time.sleep(0.01)
        # Unlike Popen.send_signal this does not reap a process that has ended.
        os.kill(process.pid, number)
        outcome = self.finish(process, within, signalled=(128 + number,))
        expect(outcome.status == 128 + number, "status %d after the signal" % outcome.status)
        expect(b"interrupted" in outcome.errors, "nothing is said of the signal")
        return outcome

    # Saying what is right.

    def walk(self, *roots, **options):
        """The numbers that lstat gives for the tree, or for other roots."""
        return Walk(*(roots or [self.tree]), **options).numbers

    def expect_walk(self, outcome=None, but=(), *roots, **options):
        """Expects that a scan has the numbers that lstat gives, and that it is complete."""
        outcome = outcome or self.scan()
        expect_numbers(outcome, self.walk(*roots, **options), but)
        return outcome


def expect(condition, what):
    if not condition:
        raise Failure(what)


def expect_numbers(outcome, right, but=()):
    """Expects all numbers of a scan, but those of some names."""
    if outcome.numbers is None:
        raise Failure("no answer (status %d): %s" % (outcome.status, outcome.message[:200]))
    for name, value in vars(right).items():
        found = getattr(outcome.numbers, name)
        expect(name in but or found == value, "%s: %d, right is %d" % (name, found, value))


def expect_some(outcome, **right):
    """Expects some numbers of a scan: `files=3`."""
    if outcome.numbers is None:
        raise Failure("no answer (status %d): %s" % (outcome.status, outcome.message[:200]))
    for name, value in right.items():
        found = getattr(outcome.numbers, name)
        expect(found == value, "%s: %d, right is %d" % (name, found, value))


def expect_status(outcome, status, says=None):
    """Expects a status, and what a message says."""
    expect(outcome.status == status, "status %d, right is %d" % (outcome.status, status))
    if says is not None:
        expect(says in outcome.message, "the message is %r, not %r" % (outcome.message, says))


def allocated(*paths):
    """What some inodes occupy themselves, in bytes."""
    return sum(os.lstat(path).st_blocks * 512 for path in paths)


def need(*programs):
    for program in programs:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            raise Skip("needs " + program)


def attempt(words):
    return subprocess.run(words, capture_output=True, timeout=120)


def run(words):
    made = attempt(words)
    if made.returncode != 0:
        raise Skip("%s: %s" % (words[0], made.stderr.decode("utf-8", "replace").strip()))
