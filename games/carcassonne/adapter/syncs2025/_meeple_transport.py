"""The bot as a process: its folder and pipes, frames in and out, and how it begins and ends.

What is imported here the bot's process has, too, so names are ones that no bot uses.
"""

import builtins
import codecs
import errno
import importlib.machinery
import json
import os
import select
import shutil
import signal
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
# A move may have this many characters: the original's engine reads no longer count.
MAX_MOVE = 999
OLDEST_PYTHON = (3, 12)
# A bot that writes half a frame and no more is told so after this time.
HALF_A_FRAME_MS = 500


def tell(*lines):
    print(*lines, sep="\n", file=sys.stderr, flush=True)


class InvalidMessage(Exception):
    """What the bot sent is no move at all."""


class Closed(Exception):
    """The bot has closed a pipe, but lives."""


class Died(Exception):
    """The bot has ended."""


class Process:
    """A bot's process in one game."""

    # How the last one ended.
    last_status = 0

    def __init__(self, bot, seat, seats, seed, patience_ms, originals):
        self.folder = make_folder(bot, seat, seats)
        self.heard, self.decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        # What the last frame said of itself, for whoever cannot read it.
        self.count = ""
        leash = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(leash[1])
            run(bot, self.folder, seed, leash[0], originals)
        os.close(leash[0])
        self.leash = leash[1]
        self.status = None
        self.open(patience_ms)

    def open(self, patience_ms):
        """Opens the pipes when the bot does."""
        pipes = [os.path.join(self.folder, "io", name) for name in ("to_engine.pipe", "from_engine.pipe")]
        self.input = os.open(pipes[0], os.O_RDONLY | os.O_NONBLOCK)
        self.output = None
        late = time.monotonic() + patience_ms / 1000 * 0.8
        while self.output is None:
            try:
                self.output = os.open(pipes[1], os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                if self.ended():
                    raise Died() from None
                if late is not None and time.monotonic() > late:
                    late = None
                    tell(
                        "the bot has not opened ./io/from_engine.pipe for reading",
                        "hint: helper.game.Game() opens both pipes; make it first, before anything that takes long",
                    )
                time.sleep(0.001)
        os.set_blocking(self.output, True)
        self.poll = select.poll()
        self.poll.register(self.input, select.POLLIN)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = Process.last_status = status
        return self.status is not None

    def gone(self):
        """A pipe was closed: has the bot ended?"""
        for _ in range(300):
            if self.ended():
                return Died()
            time.sleep(0.001)
        return Closed()

    def ask(self, query):
        """The bot's answer to a query."""
        text = json.dumps(query, separators=(",", ":"))
        left = memoryview(("%d,%s" % (len(text), text)).encode())
        try:
            while left:
                left = left[os.write(self.output, left) :]
        except BrokenPipeError:
            raise self.gone() from None
        told = False
        while True:
            frame = self.frame()
            if frame is not None:
                return frame
            if self.heard and not told and not self.poll.poll(HALF_A_FRAME_MS):
                told = True
                count, _, rest = self.heard.partition(",")
                tell("half a frame came: expected %s characters after the comma, found %d" % (count, len(rest)))
            for _, event in self.poll.poll():
                data = os.read(self.input, 1 << 16) if event & select.POLLIN else b""
                if not data:
                    raise self.gone()
                self.heard += self.decoder.decode(data)

    def frame(self):
        """The next frame that has come whole."""
        count, comma, rest = self.heard[: len(str(MAX_MOVE)) + 1].partition(",")
        if not comma and len(count) <= len(str(MAX_MOVE)) and (not count or count.isdigit()):
            return None
        if not comma or not count.isdigit() or not count.isascii():
            wrong, self.heard = self.heard[:40], ""
            raise InvalidMessage("expected a frame COUNT,JSON of at most %d characters, found %r" % (MAX_MOVE, wrong))
        begin = len(count) + 1
        end = begin + int(count)
        if len(self.heard) < end:
            return None
        self.count = count
        frame, self.heard = self.heard[begin:end], self.heard[end:]
        return frame

    def stop(self):
        """Ends the bot, whatever it does."""
        for descriptor in (self.input, self.output, self.leash):
            if descriptor is not None:
                os.close(descriptor)
        self.input = self.output = self.leash = None
        try:
            if not self.ended():
                os.kill(self.pid, signal.SIGKILL)
        except PermissionError:
            pass  # The leash ends it.
        while self.status is None:
            _, self.status = os.waitpid(self.pid, 0)


def make_folder(bot, seat, seats):
    """The folder of the original for one player, new for every game."""
    base = os.environ.get("TMPDIR") or os.getcwd()
    folder = os.path.join(base, "submission%d" % seat)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "io"), 0o775)
    os.makedirs(os.path.join(base, "input"), 0o775, exist_ok=True)
    for name in ("to_engine.pipe", "from_engine.pipe"):
        os.mkfifo(os.path.join(folder, "io", name), 0o660)
    with open(os.path.join(base, "input", "catalog.json"), "w", encoding="utf-8") as file:
        json.dump([{"team_id": number} for number in range(seats)], file)
    with open(os.path.join(folder, "submission.py"), "wb") as file:
        file.write(open(bot, "rb").read())
    return folder


def run(bot, folder, seed, leash, originals):
    """In the child: becomes the bot. Never returns. `originals`: whether this game is one that the original's packages
    know."""
    status = 1
    try:
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # The host keeps the end of a log and drops the rest; a file would be full at some time.
        os.dup2(2, 1)
        hold(leash)
        own = [folder, *beside(bot)]
        others = [path for path in sys.path if path != HERE]
        sys.path[:] = own + others + [HERE]
        offer_packages(own + others, originals)
        sys.argv = ["submission.py"]
        source = open("submission.py", "rb").read()
        if b"random" in source:
            import random

            random.seed(seed)
        # As Python 3.9 and newer have it, of which bots make the folder that they are in.
        file = os.path.join(folder, "submission.py")
        space = {"__name__": "__main__", "__file__": file, "__builtins__": builtins}
        main = type(sys)("__main__")
        main.__dict__.update(space)
        sys.modules["__main__"] = main
        try:
            exec(compile(source, "submission.py", "exec"), main.__dict__)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            if status and not isinstance(end.code, int):
                tell(str(end.code))
        except BaseException as error:
            sys.stdout.flush()
            traceback.print_exc()
            explain(error)
        sys.stdout.flush()
    finally:
        os._exit(status & 0xFF)


def beside(bot):
    """The folder of the bot's own files. One that came alone is no module, whatever its name: a standard one may have it."""
    place, name = os.path.split(os.path.abspath(bot))
    others = [other for other in os.listdir(place) if other != name and not other.startswith(("_meeple", "__pycache__"))]
    return [place] if others else []


def hold(leash):
    """If the launcher may not signal others, a thread ends this process when the launcher lets go of it."""
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        import threading

        def wait():
            os.read(leash, 1)
            os._exit(0)

        threading.Thread(target=wait, daemon=True).start()


def offer_packages(paths, originals):
    """The bot's or the machine's own `helper` and `lib` come before ours, which are loaded already, in games that they
    know. They end at the first tile with a tower and at the first event that the original had not."""
    found = importlib.machinery.PathFinder.find_spec("helper", paths)
    places = found.submodule_search_locations if found else None
    place = next((place for place in places or () if os.path.exists(os.path.join(place, "game.py"))), None)
    if place is None:
        return
    if not originals:
        tell(
            "`helper` and `lib` are those of meeple: the ones at %s know no fields, no towers and no game without a river"
            % os.path.dirname(place),
            "hint: carcassonne/river and carcassonne/syncs are played with your own",
        )
        return
    for name in list(sys.modules):
        if name.partition(".")[0] in ("helper", "lib"):
            del sys.modules[name]


def explain(error):
    """What may help the author of a bot that failed."""
    here = "%d.%d" % sys.version_info[:2]
    wanted = "%d.%d" % OLDEST_PYTHON
    if isinstance(error, ModuleNotFoundError):
        tell(
            "the bot imports '%s', which is not there" % error.name,
            "hint: `helper` and `lib` come with meeple; anything else must be in the bot's folder or installed for %s"
            % sys.executable,
        )
    elif isinstance(error, (SyntaxError, ImportError)):
        place = "line %s: " % error.lineno if isinstance(error, SyntaxError) else ""
        tell(
            "%s: %s%s (this is Python %s; the competition's bots may ask for %s or newer)"
            % (type(error).__name__, place, getattr(error, "msg", error), here, wanted),
            "hint: if that is why, name a newer one (--python /path/to/python3), or put it first on PATH",
        )


def end_like(status):
    """Ends as the bot has ended, so that the host sees how."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        tell("the bot was ended by signal %d" % number)
        signal.signal(number, signal.SIG_DFL) if number not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), number)
    code = os.WEXITSTATUS(status)
    if code == 0:
        tell("the bot ended in the middle of the game", "hint: it must answer queries until it is stopped")
    os._exit(code)
