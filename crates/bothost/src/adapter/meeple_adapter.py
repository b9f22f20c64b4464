"""Plays bots that were written as Python functions or classes for the original games.

    python3 _meeple_adapter.py BOT.py MODULE...

What a bot of each original looks like, and what it may import, is in the modules named, which lie beside this file.
Each has GAME, the id; WANTED, what a bot is, in words; NEWS, whether players want to know what others did; OFFERED, the
modules that bots may import, and whether they are packages, which fill(module) fills; perhaps STAND_INS, the files that
stand in for what is not installed, by module; and player_in(bot), which gives what begins an episode, or None. Standard
library only. What the bot prints goes to stderr, and there is nothing for it to read: stdin and stdout belong to the
messages.
"""

import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import sys
import traceback

ORIGINALS = [importlib.import_module(name) for name in sys.argv[2:]]
# A bot that looks at the arguments finds its own file and nothing else.
del sys.argv[2:]

out = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
sys.stdout = sys.stderr
# A bot that asks a person finds that nobody is there, and does not take away what the host says.
heard = os.fdopen(os.dup(0), encoding="utf-8")
sys.stdin = open(os.devnull, encoding="utf-8")
os.dup2(sys.stdin.fileno(), 0)


# Made once: `json.dumps` would make one for every answer.
encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def say(message):
    # Half a surrogate pair, which a bot may put into a text, can be told to nobody.
    out.write(encode(message).encode(errors="replace") + b"\n")


class StandIns(importlib.abc.MetaPathFinder):
    """What bots import that is not installed. It is asked last, so whatever is installed or comes with the bot wins."""

    def find_spec(self, name, path=None, target=None):
        for original in ORIGINALS:
            file = getattr(original, "STAND_INS", {}).get(name)
            if file is not None:
                return importlib.util.spec_from_file_location(name, beside(file))
            if name in original.OFFERED:
                return importlib.util.spec_from_loader(name, Offer(original), is_package=original.OFFERED[name])
        return None


class Offer(importlib.abc.Loader):
    """Fills a module with what its original has there."""

    def __init__(self, original):
        self.original = original

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self.original.fill(module)


def beside(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def load(path):
    """The bot as a module, under its own name as in the originals, unless that is the name of something else."""
    folder, file = os.path.split(os.path.abspath(path))
    name = os.path.splitext(file)[0]
    sys.path.insert(0, folder)
    if not name.isidentifier() or name in sys.modules or name in sys.builtin_module_names:
        name = "bot"
    spec = importlib.util.spec_from_file_location(name, path)
    bot = importlib.util.module_from_spec(spec)
    sys.modules[name] = bot
    try:
        spec.loader.exec_module(bot)
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        sys.exit(refusal(file, error))
    return bot


def refusal(file, error):
    """Why a bot cannot be loaded, in words, with what can be done."""
    version = "Python %d.%d" % sys.version_info[:2]
    text = "expected a module that can be loaded, found an error in %s: %s: %s" % (file, type(error).__name__, error)
    if isinstance(error, ModuleNotFoundError):
        return text  # the host says what to do about modules
    if isinstance(error, SyntaxError):
        return text + "\nhint: it runs with %s (%s); if it is written for another version, name that with --python" % (
            version,
            sys.executable,
        )
    return text + "\nhint: the file is run once when the bot starts, with %s, its own folder and no input" % version


def players_in(bot, file):
    """What plays each game, by the game's id: a function that begins an episode."""
    found, unclear = {}, []
    for original in ORIGINALS:
        try:
            begin = original.player_in(bot)
        except ValueError as error:
            unclear.append(str(error))
        else:
            if begin is not None:
                found[original.GAME] = begin
    if not found:
        wanted = "; ".join(original.WANTED for original in ORIGINALS)
        sys.exit("%s: %s" % (file, "\n".join(unclear)) if unclear else "%s: expected %s; found none" % (file, wanted))
    return found


def begin_episode(players, message):
    seed = int(message["seed"], 16)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)
    try:
        return players[message["game"]](message), None
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        return None, "nothing to play with: %s: %s" % (type(error).__name__, error)


def main():
    sys.meta_path.append(StandIns())
    bot = load(sys.argv[1])
    file = os.path.basename(sys.argv[1])
    players = players_in(bot, file)
    episode = failure = None
    for line in heard:
        # Who is asked most may know a quicker way to read a question.
        read = getattr(episode, "read", None)
        message = read and read(line) or json.loads(line)
        kind = message["t"]
        if kind == "turn":
            answer = {"t": "move", "g": message["g"], "n": message["n"]}
            try:
                if episode is None:
                    raise RuntimeError(failure)
                answer.update(episode.answer(message))
            except (Exception, SystemExit) as error:  # whatever the bot raises costs it this turn, not the game
                traceback.print_exc()
                answer["error"] = "%s: %s" % (type(error).__name__, error)
            say(answer)
        elif kind == "start":
            episode, failure = begin_episode(players, message)
            say({"t": "ready", "g": message["g"]})
        elif kind == "hello":
            name = os.path.splitext(file)[0]
            news = any(original.NEWS for original in ORIGINALS if original.GAME in players)
            say({"t": "hello", "v": 1, "name": name, "games": sorted(players), "news": news, "setup": True})
        elif kind == "bad":
            print("refused, game %s, turn %s: %s" % (message["g"], message["n"], message["msg"]), file=sys.stderr)
        elif kind == "bye":
            break


main()
