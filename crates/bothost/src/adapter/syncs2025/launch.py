"""Runs a bot of the SYNCS 2025 competition unchanged.

    python3 launch.py BOT.py

Speaks the protocol of the host on stdin and stdout. For every game it makes the folder that the bot expects
(submissionN/ with submission.py and io/to_engine.pipe, io/from_engine.pipe), runs the bot in a child process there,
and tells it the game as the original engine would: frames, queries, events and their numbers. What the bot imports as
`helper` and `lib` is already loaded here and is there at once in the child, unless the bot or the machine brings its
own. Standard library only. What goes wrong on the bot's side ends as the fault that the host has for it.
"""

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
from functools import partial

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [HERE] + [path for path in sys.path if path not in ("", HERE)]

import helper.game  # noqa: E402  (ours, for the child too)
import helper.utils  # noqa: E402, F401
from helper.client_state import ClientSate  # noqa: E402
from helper.state_mutator import StateMutator  # noqa: E402
from lib.messages import read_event  # noqa: E402
from lib.pieces import (  # noqa: E402
    MAP_CENTER,
    MONASTARY_IDENTIFIER,
    StructureType,
    Tile,
    make_tile,
)

# A move may have this many characters: the original's engine reads no longer count.
LONGEST_MOVE = 999
EDGES = {"N": "top_edge", "E": "right_edge", "S": "bottom_edge", "W": "left_edge"}
SIDES = {edge: side for side, edge in EDGES.items()}
WORDS = {StructureType.CITY: "city", StructureType.ROAD: "road", StructureType.ROAD_START: "road"}
OLDEST_PYTHON = (3, 12)


def say(message):
    os.write(1, json.dumps(message, separators=(",", ":")).encode() + b"\n")


def tell(*lines):
    print(*lines, sep="\n", file=sys.stderr, flush=True)


class InvalidMove(Exception):
    """The bot's move is against the rules."""


class InvalidMessage(Exception):
    """What the bot sent is no move at all."""


class Closed(Exception):
    """The bot has closed a pipe, but lives."""


class Died(Exception):
    """The bot has ended."""


# The bot as a process.


class Process:
    """A bot's process in one game."""

    # How the last one ended.
    last_status = 0

    def __init__(self, bot, seat, seats, seed, patience_ms):
        self.folder = make_folder(bot, seat, seats)
        self.heard, self.decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        leash = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(leash[1])
            run(bot, self.folder, seed, leash[0])
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
        while True:
            frame = self.frame()
            if frame is not None:
                return frame
            for _, event in self.poll.poll():
                data = os.read(self.input, 1 << 16) if event & select.POLLIN else b""
                if not data:
                    raise self.gone()
                self.heard += self.decoder.decode(data)

    def frame(self):
        """The next frame that has come whole."""
        count, comma, rest = self.heard[: len(str(LONGEST_MOVE)) + 1].partition(",")
        if not comma and len(count) <= len(str(LONGEST_MOVE)) and (not count or count.isdigit()):
            return None
        if not comma or not count.isdigit() or not count.isascii():
            wrong, self.heard = self.heard[:40], ""
            raise InvalidMessage("expected a frame COUNT,JSON of at most %d characters, found %r" % (LONGEST_MOVE, wrong))
        begin = len(count) + 1
        end = begin + int(count)
        if len(self.heard) < end:
            return None
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


def run(bot, folder, seed, leash):
    """In the child: becomes the bot. Never returns."""
    status = 1
    try:
        os.chdir(folder)
        for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, "io/submission.log", os.O_WRONLY | os.O_CREAT)):
            opened = os.open(name, flags, 0o664)
            os.dup2(opened, number)
            os.close(opened)
        hold(leash)
        own = [folder, os.path.dirname(os.path.abspath(bot))]
        others = [path for path in sys.path if path != HERE]
        sys.path[:] = own + others + [HERE]
        offer_packages(own + others)
        sys.argv = ["submission.py"]
        source = open("submission.py", "rb").read()
        if b"random" in source:
            import random

            random.seed(seed)
        space = {"__name__": "__main__", "__file__": "submission.py", "__builtins__": __builtins__}
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


def offer_packages(paths):
    """The bot's or the machine's own `helper` and `lib` come before ours, which are loaded already."""
    found = importlib.machinery.PathFinder.find_spec("helper", paths)
    places = found.submodule_search_locations if found else None
    if places and any(os.path.exists(os.path.join(place, "game.py")) for place in places):
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
    elif isinstance(error, (SyntaxError, ImportError)) and sys.version_info < OLDEST_PYTHON:
        tell(
            "this is Python %s, and the competition's bots may ask for %s or newer" % (here, wanted),
            "hint: name a newer one (--python /path/to/python3), or put it first on PATH",
        )


# The game as the original tells it.


def pos_of(cell):
    return [cell[0] + MAP_CENTER[0], cell[1] + MAP_CENTER[1]]


def cell_text(pos):
    return "%d,%d" % (pos[0] - MAP_CENTER[0], pos[1] - MAP_CENTER[1])


def model(tile_type, cell, turns):
    return {"tile_type": tile_type, "pos": pos_of(cell), "rotation": turns}


def in_hand(tile_type):
    return {"tile_type": tile_type, "pos": [0, 0], "rotation": 0}


def edge_of(spot):
    """The name of a place for a meeple: "city N" is top_edge, "field Nw" is field_Nw."""
    kind, _, side = spot.partition(" ")
    if kind == "monastery":
        return MONASTARY_IDENTIFIER
    return EDGES[side] if kind in ("city", "road") else spot.replace(" ", "_")


def rotations(tile_type):
    """How many ways of turning a tile look different."""
    tile = make_tile(tile_type)
    first = dict(tile.internal_edges), set(map(frozenset, joined_now(tile)))
    for turns in range(1, 4):
        tile.rotate_clockwise(1)
        if (dict(tile.internal_edges), set(map(frozenset, joined_now(tile)))) == first:
            return turns
    return 4


def joined_now(tile):
    return [[(at + tile.rotation) % 4 for at in group] for group in tile._joined]


class Feed:
    """The game for one player: the original's events in their order, and what of them it has been sent."""

    # What may come between laying a tile and the end of the decision about a meeple.
    DURING = {"claimed", "floor", "closed", "captured", "exchanged", "ransomed"}

    def __init__(self, me, seats, opts, ask_late):
        self.me, self.seats = me, seats
        self.meeples, self.held = opts["meeples"], opts["hand"] - 1
        self.extended = opts["farms"] or opts["towers"]
        self.scores_first = opts.get("order") == "score-first"
        self.ask_late = ask_late
        self.state = ClientSate()
        self.mutator = StateMutator(self.state)
        self.log, self.sent = [], 0
        self.hand = []
        # Where meeples stand: (seat, cell, kind) and the edge they were put on, by the model of the tile.
        self.claims = []
        self.land, self.dealt, self.dealing = False, 0, []
        # Whose turn has been told, and who has laid a tile and not decided about a meeple.
        self.turn, self.open = None, None
        self.laid = None
        self.asked = True
        # What the bot sent for its last tile and meeple: the action, and index and rotation or the edge.
        self.own_tile, self.own_edge = None, None
        self.group = None

    def emit(self, kind, **fields):
        event = {"event_type": kind, **fields}
        self.mutator.commit(len(self.log), read_event(event))
        self.log.append(event)

    def query(self, kind, legal=None):
        update = {str(number): self.log[number] for number in range(self.sent, len(self.log))}
        self.sent = len(self.log)
        query = {"query_type": kind, "update": update}
        if self.extended and legal is not None:
            query["legal_moves"] = [move for move in map(self.move_of, legal) if move]
        return query

    def begin_turn(self, seat):
        if self.turn != seat:
            self.turn = seat
            self.emit("event_player_turn_started", player_id=seat)

    def close(self):
        """Whoever laid a tile has put no meeple on it."""
        if self.open is None:
            return
        seat = self.open
        if seat == self.me and not self.asked:
            # The host does not ask where there is nothing to choose; the original does.
            self.asked = True
            self.ask_late(self.query("query_place_meeple", ["pass"]))
        self.emit("move_place_meeple_pass", player_id=seat)
        self.decided()

    def decided(self):
        self.open, self.turn, self.own_edge = None, None, None

    def take(self, event):
        """Takes an event of the host's game."""
        kind = event["event"]
        goes_on = kind in self.DURING or (self.scores_first and kind in ("scored", "returned"))
        if kind == "ended":
            return
        if not goes_on:
            self.close()
        if kind != "returned" and self.group and self.group["told"]:
            self.group = None
        handle = getattr(self, "on_" + kind, None)
        if handle is not None:
            handle(event)

    def on_turn_order(self, event):
        self.order = event["order"]

    def on_started(self, event):
        seats = range(self.seats)
        you = {"player_id": self.me, "team_id": self.me, "points": 0, "tiles": [], "num_meeples": self.meeples}
        self.emit(
            "public_event_game_started",
            turn_order=self.order,
            you=you,
            players=[{"player_id": seat, "points": 0, "num_tiles": 0} for seat in seats],
            num_starting_meeples=self.meeples,
        )
        self.land = event["tile"] != "RS"
        self.emit("event_starting_tile_placed", tile_placed=model(event["tile"], (0, 0), 0))

    def on_drew(self, event):
        if event["seat"] != self.me:
            self.drew(event["seat"], None)

    def on_drew_tile(self, event):
        # With one tile in the hand everybody sees what is drawn, and nothing else is told of it.
        if event["seat"] == self.me or self.held == 0:
            self.drew(event["seat"], event["tile"])

    def drew(self, seat, tile):
        self.dealing.append(tile)
        dealt = self.land and self.dealt < self.held * self.seats
        if dealt:
            self.dealt += 1
            if len(self.dealing) < self.held:
                return
        tiles, self.dealing = self.dealing, []
        if seat == self.me:
            self.hand += tiles
            self.emit(
                "event_player_drew_tiles", player_id=seat, num_tiles=len(tiles), tiles=[in_hand(tile) for tile in tiles]
            )
        else:
            self.emit("public_event_player_drew_tiles", player_id=seat, num_tiles=len(tiles))
        if not dealt:
            self.begin_turn(seat)

    def on_discarded(self, event):
        seat, tile = event["seat"], event["tile"]
        self.begin_turn(seat)
        if seat == self.me:
            self.hand.remove(tile)
        self.emit("event_player_discarded_tile", player_id=seat, tile=in_hand(tile))

    def on_placed(self, event):
        seat, tile, turns = event["seat"], event["tile"], event["turns"]
        self.begin_turn(seat)
        self.laid = model(tile, event["cell"], turns)
        self.open = seat
        if seat != self.me:
            self.emit("public_move_place_tile", player_id=seat, tile=self.laid)
            return
        index = self.hand.index(tile)
        own, self.own_tile = self.own_tile, None
        # If the bot was too late, the host has laid another tile for it, and does not ask about a meeple.
        self.asked = own is None or own[0] != "place %s %s r%d" % (tile, cell_text(self.laid["pos"]), turns)
        if not self.asked:
            _, index, self.laid["rotation"] = own
        self.hand.pop(index)
        self.emit("move_place_tile", player_id=seat, tile=self.laid, player_tile_index=index)

    def on_lake(self, event):
        self.land = True
        self.emit("event_river_phase_completed", end_tile=model("RE", event["cell"], event["turns"]))

    def on_river_broken(self, event):
        self.land = True

    def on_claimed(self, event):
        seat, spot = event["seat"], event["spot"]
        edge = edge_of(spot)
        if seat == self.me and self.own_edge is not None and self.own_edge[0] == "claim " + spot:
            edge = self.own_edge[1]
        self.claims.append((seat, spot.partition(" ")[0], spot, self.laid, edge))
        self.emit("move_place_meeple", player_id=seat, tile=self.laid, placed_on=edge)
        self.decided()

    def on_scored(self, event):
        if self.group is None:
            self.group = {"source": event["source"], "points": {}, "told": False}
        self.group["points"][event["seat"]] = event["points"]

    def on_returned(self, event):
        seat, group = event["seat"], self.group
        group["told"] = True
        reward = group["points"].get(seat, 0)
        for claim in self.freed(seat, group["source"], pos_of(event["cell"]), event["meeples"], reward):
            self.claims.remove(claim)
            self.emit(
                "event_player_meeple_freed", player_id=seat, reward=reward, tile=claim[3], placed_on=claim[4]
            )
            reward = 0

    def freed(self, seat, kind, pos, count, reward):
        """The claims of a seat on the complete feature of this kind that reaches this tile."""
        own = [claim for claim in self.claims if claim[0] == seat and claim[1] == kind]
        if kind == "monastery":
            return [claim for claim in own if claim[3]["pos"] == pos]
        features, best = {}, None
        for claim in own:
            x, y = claim[3]["pos"]
            tile = self.state.map._grid[y][x]
            component = frozenset(self.state._traverse_connected_component(tile, claim[4]))
            complete = all(
                Tile.get_external_tile(edge, near.placed_pos, self.state.map._grid) for near, edge in component
            )
            if complete and any(near.placed_pos == tuple(pos) for near, _ in component):
                features.setdefault(component, []).append(claim)
        for claims in features.values():
            x, y = claims[0][3]["pos"]
            value = self.state._get_reward(self.state.map._grid[y][x], claims[0][4])
            fits = (len(claims) == count, value == reward)
            if best is None or fits > best[0]:
                best = (fits, claims)
        return best[1] if best else []

    def on_floor(self, event):
        self.emit(
            "event_floor_built", player_id=event["seat"], pos=pos_of(event["cell"]), height=event["height"]
        )
        self.decided()

    def on_closed(self, event):
        self.emit("event_tower_closed", player_id=event["seat"], pos=pos_of(event["cell"]))
        self.decided()

    def on_captured(self, event):
        pos, edge = pos_of(event["cell"]), event["post"]
        for claim in self.claims:
            if claim[3]["pos"] == pos and claim[2] == event["post"]:
                self.claims.remove(claim)
                edge = claim[4]
                break
        self.emit(
            "event_meeple_captured", player_id=event["seat"], owner_id=event["owner"], pos=pos, placed_on=edge
        )

    def on_exchanged(self, event):
        self.emit("event_prisoners_exchanged", player_ids=event["seats"])

    def on_ransomed(self, event):
        self.emit(
            "event_ransom_paid", player_id=event["seat"], captor_id=event["captor"], points=event["points"]
        )

    # Moves.

    def move_of(self, text):
        """A legal action of the host as the move that asks for it."""
        verb, _, rest = text.partition(" ")
        move = {"event_type": None, "player_id": self.me}
        if verb == "place":
            tile, cell, turns = rest.split(" ")
            pos = pos_of([int(number) for number in cell.split(",")])
            move["tile"] = {"tile_type": tile, "pos": pos, "rotation": int(turns[1:])}
            move["player_tile_index"] = self.hand.index(tile)
        elif verb == "discard":
            move["tile"] = in_hand(rest)
        elif verb == "claim":
            move.update(tile=self.laid, placed_on=edge_of(rest))
        elif verb in ("floor", "close"):
            move["pos"] = pos_of([int(number) for number in rest.split(",")])
        elif verb == "take":
            cell, _, post = rest.partition(" ")
            pos = pos_of([int(number) for number in cell.split(",")])
            move.update(pos=pos, placed_on=self.edge_at(pos, post))
        elif verb == "ransom":
            move["captor_id"] = int(rest)
        move["event_type"] = {
            "place": "move_place_tile",
            "discard": "move_discard_tile",
            "claim": "move_place_meeple",
            "pass": "move_place_meeple_pass",
            "floor": "move_build_floor",
            "close": "move_close_tower",
            "take": "move_capture_meeple",
            "decline": "move_capture_pass",
            "ransom": "move_pay_ransom",
        }[verb]
        return move

    def edge_at(self, pos, post):
        found = (claim[4] for claim in self.claims if claim[3]["pos"] == pos and claim[2] == post)
        return next(found, post)

    def action_of(self, move, query_type, legal):
        """The text of the host's action that a move asks for."""
        kind = move.event_type
        if move.player_id != self.me:
            raise InvalidMove("expected player_id %d, your own, found %d" % (self.me, move.player_id))
        read = getattr(self, "read_" + kind.removeprefix("move_"), None)
        if read is None or not kind.startswith("move_"):
            raise InvalidMessage("expected a move, found %s" % kind)
        text = read(move)
        if text not in legal:
            raise InvalidMove("%s is not allowed here: '%s' is not among the %d legal actions" % (kind, text, len(legal)))
        return text

    def read_place_tile(self, move):
        index, tile = move.player_tile_index, move.tile
        if not 0 <= index < len(self.hand):
            raise InvalidMove("expected a player_tile_index below %d, found %d" % (len(self.hand), index))
        if self.hand[index] != tile.tile_type:
            raise InvalidMove("tile %d of your hand is %s, found %s" % (index, self.hand[index], tile.tile_type))
        if not 0 <= tile.rotation <= 3:
            raise InvalidMove("expected a rotation from 0 to 3, found %d" % tile.rotation)
        turns = tile.rotation % rotations(tile.tile_type)
        text = "place %s %s r%d" % (tile.tile_type, cell_text(tile.pos), turns)
        self.own_tile = text, index, tile.rotation
        return text

    def read_discard_tile(self, move):
        return "discard %s" % move.tile.tile_type

    def read_place_meeple_pass(self, move):
        return "pass"

    def read_place_meeple(self, move):
        laid, edge = self.laid, move.placed_on
        if list(move.tile.pos) != laid["pos"]:
            raise InvalidMove("expected a meeple on the tile just laid at %s, found %s" % (laid["pos"], list(move.tile.pos)))
        if move.tile.rotation != laid["rotation"]:
            raise InvalidMove("the tile just laid has rotation %d, found %d" % (laid["rotation"], move.tile.rotation))
        if edge == MONASTARY_IDENTIFIER:
            return "claim monastery"
        if edge.startswith("field_"):
            return "claim " + edge.replace("_", " ")
        x, y = laid["pos"]
        tile = self.state.map._grid[y][x]
        if edge not in SIDES:
            places = ", ".join([*SIDES, MONASTARY_IDENTIFIER])
            raise InvalidMove("expected placed_on one of %s, found '%s'" % (places, edge))
        word = WORDS.get(tile.internal_edges[edge])
        if word is None:
            raise InvalidMove("there is no road or city at %s, only %s" % (edge, tile.internal_edges[edge].name))
        text = "claim %s %s" % (word, SIDES[tile.connected_edges(edge)[0]])
        self.own_edge = text, edge
        return text

    def read_build_floor(self, move):
        return "floor " + cell_text(move.pos)

    def read_close_tower(self, move):
        return "close " + cell_text(move.pos)

    def read_capture_meeple(self, move):
        pos = list(move.pos)
        found = (claim[2] for claim in self.claims if claim[3]["pos"] == pos and claim[4] == move.placed_on)
        return "take %s %s" % (cell_text(pos), next(found, move.placed_on))

    def read_capture_pass(self, move):
        return "decline"

    def read_pay_ransom(self, move):
        return "ransom %d" % move.captor_id


class Episode:
    """One game of a bot."""

    QUERIES = {"tile": "query_place_tile", "action": "query_place_meeple", "capture": "query_capture_meeple"}

    def __init__(self, bot, start):
        opts = start["opts"]
        if opts.get("lake") == "player":
            sys.exit("expected lake=auto, found lake=player\nhint: bots of this competition do not lay the lake themselves")
        self.feed = Feed(start["seat"], start["seats"], opts, self.ask_late)
        seed = int(start["seed"], 16)
        self.process = Process(bot, start["seat"], start["seats"], seed, start["clock"]["start_ms"])

    def ask(self, query, legal):
        """Asks the bot; the text of its action."""
        text = self.process.ask(query)
        try:
            move = read_event(json.loads(text))
        except (ValueError, TypeError, AttributeError) as error:
            raise InvalidMessage("expected a move, found %r: %s" % (text[:200], error)) from None
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
                # No kind of message that the host knows: it says so, and shows the reason.
                answer["t"] = "no move: %s" % error
            say(answer)
        elif kind == "bad":
            tell("refused, game %s, turn %s: %s" % (message["g"], message["n"], message["msg"]))
        elif kind in ("end", "bye") and episode is not None:
            episode.process.stop()
            episode = None
        if kind == "bye":
            break


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
