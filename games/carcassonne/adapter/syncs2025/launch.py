"""Runs a bot of the SYNCS 2025 competition unchanged.

    python3 launch.py BOT.py

Speaks the protocol of the host on stdin and stdout. For every game it makes the folder that the bot expects
(submissionN/ with submission.py and io/to_engine.pipe, io/from_engine.pipe), runs the bot in a child process there,
and tells it the game as the original engine would: frames, queries, events and their numbers. What the bot imports as
`helper` and `lib` is already loaded here and is there at once in the child, unless the bot or the machine brings its
own. Standard library only. What goes wrong on the bot's side ends as the fault that the host has for it.
"""

import json
import os
import sys
from functools import partial

if sys.version_info < (3, 9):
    sys.exit(
        "expected Python 3.9 or newer, found %d.%d at %s\nhint: name a newer one (--python /path/to/python3), or put it"
        " first on PATH" % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [HERE] + [path for path in sys.path if path not in ("", HERE)]

import helper.game  # noqa: E402, F401  (ours, for the child too)
import helper.utils  # noqa: E402, F401
from _meeple_feed import Feed, InvalidMove  # noqa: E402
from _meeple_transport import Closed, Died, InvalidMessage, Process, end_like, tell  # noqa: E402
from lib.messages import read_event  # noqa: E402


def say(message):
    # Half a surrogate pair, which a bot may put into a text, can be told to nobody.
    os.write(1, json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode(errors="replace") + b"\n")


class Episode:
    """One game of a bot."""

    QUERIES = {"tile": "query_place_tile", "action": "query_place_meeple", "capture": "query_capture_meeple"}

    def __init__(self, bot, start):
        opts = start["opts"]
        if opts.get("lake") == "player":
            sys.exit("expected lake=auto, found lake=player\nhint: bots of this competition do not lay the lake themselves")
        self.feed = Feed(start["seat"], start["seats"], opts, self.ask_late)
        seed = int(start["seed"], 16)
        originals = self.feed.is_original
        self.process = Process(bot, start["seat"], start["seats"], seed, start["clock"]["start_ms"], originals)

    def ask(self, query, legal):
        """Asks the bot; the text of its action."""
        text = self.process.ask(query)
        try:
            move = read_event(json.loads(text))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidMessage(
                "expected a move in a frame of %s characters, found %r: %s" % (self.process.count, text[:200], error)
            ) from None
        return self.feed.action_of(move, query["query_type"], legal)

    def ask_late(self, query):
        self.ask(query, ["pass"])

    def answer(self, message):
        """The number of the legal action that the bot takes."""
        feed, legal, stage = self.feed, message["legal"], message["obs"]["stage"]
        late = None
        # A question about a tile ends the turn before it, of which no event need tell.
        for take in [*(partial(feed.take, event) for event in message["ev"]), *([feed.close] if stage == "tile" else [])]:
            try:
                take()
            except (InvalidMove, InvalidMessage) as error:
                # The answer to a question that the host had no reason to ask. What happened since is told all the same.
                late = error
                take()
        if late is not None:
            raise late
        if not feed.log:
            # The host has not told how the game began, as in its checks: there is nothing to ask the bot.
            return 0
        if stage == "tile":
            feed.begin_turn(feed.me)
            if not feed.extended and legal[0].startswith("discard "):
                # The original's bots cannot discard: there is nothing for them to say.
                return 0
        elif stage == "action":
            feed.asked = True
        text = self.ask(feed.query(self.QUERIES[stage], legal), legal)
        return legal.index(text)


def main():
    bot = os.path.abspath(sys.argv[1])
    episode = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["t"]
        if kind == "hello":
            name = os.path.splitext(os.path.basename(bot))[0]
            say({"t": "hello", "v": 1, "name": name, "games": ["carcassonne"]})
        elif kind == "start":
            if episode is not None:
                episode.process.stop()
            episode = Episode(bot, message)
            say({"t": "ready", "g": message["g"]})
        elif kind == "turn":
            answer = {"t": "move", "g": message["g"], "n": message["n"]}
            try:
                answer["a"] = episode.answer(message)
            except InvalidMove as error:
                answer["error"] = str(error)
            except InvalidMessage as error:
                answer["garbled"] = str(error)
            say(answer)
        elif kind == "bad":
            tell("refused, game %s, turn %s: %s" % (message["g"], message["n"], message["msg"]))
        elif kind in ("end", "bye") and episode is not None:
            episode.process.stop()
            episode = None
        if kind == "bye":
            break


if __name__ == "__main__":
    try:
        main()
    except Closed:
        tell("the bot has closed one of its pipes", "hint: keep both pipes open until the end")
        os.close(1)
        sys.stdin.read()
    except Died:
        # `Process` notes the status of the only child that there is.
        end_like(Process.last_status)
