"""Plays bots that were written as Python functions for the original games.

    python3 _meeple_adapter.py BOT.py

* game17: make_moves(owner, rounds_left, owners, numbers), or get_mover(owner, owners, numbers, turn_order,
  num_rounds) that gives a callable (owners, numbers). A module with both is basic.
* Incan Gold: a function (name, turn, backpack) that is true to leave.

Standard library only. Boards are numpy arrays if numpy is there; otherwise a list-like stand-in with the same
indexing. What the bot prints goes to stderr: stdout belongs to the messages.
"""

import importlib.util
import inspect
import json
import operator
import os
import random
import sys
import traceback
import types

try:
    import numpy
except ImportError:
    numpy = None

WAYS = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1)}

out = os.fdopen(os.dup(1), "wb", buffering=0)
os.dup2(2, 1)
sys.stdout = sys.stderr


def say(message):
    out.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


class Grid:
    """A square board as numpy would show it, as far as bots use it: [i, j], [i][j], shape, comparisons."""

    def __init__(self, rows):
        self.rows = rows

    @property
    def shape(self):
        return (len(self.rows), len(self.rows[0]) if self.rows else 0)

    @property
    def size(self):
        return self.shape[0] * self.shape[1]

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, at):
        if isinstance(at, Grid):
            return [value for row, mask in zip(self.rows, at.rows) for value, on in zip(row, mask) if on]
        if isinstance(at, (tuple, list)):
            row, column = at
            return self.rows[row][column]
        return self.rows[at]

    def __setitem__(self, at, value):
        if isinstance(at, (tuple, list)):
            self.rows[at[0]][at[1]] = value
        else:
            self.rows[at] = value

    def _each(self, other, what):
        size = range(self.shape[1])
        if isinstance(other, Grid):
            return Grid([[what(row[j], theirs[j]) for j in size] for row, theirs in zip(self.rows, other.rows)])
        return Grid([[what(row[j], other) for j in size] for row in self.rows])

    def __eq__(self, other):
        return self._each(other, operator.eq)

    def __ne__(self, other):
        return self._each(other, operator.ne)

    def __lt__(self, other):
        return self._each(other, operator.lt)

    def __le__(self, other):
        return self._each(other, operator.le)

    def __gt__(self, other):
        return self._each(other, operator.gt)

    def __ge__(self, other):
        return self._each(other, operator.ge)

    def __and__(self, other):
        return self._each(other, operator.and_)

    __rand__ = __and__

    def __or__(self, other):
        return self._each(other, operator.or_)

    __ror__ = __or__

    def __invert__(self):
        return Grid([[not value for value in row] for row in self.rows])

    def __add__(self, other):
        return self._each(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other):
        return self._each(other, operator.sub)

    def __mul__(self, other):
        return self._each(other, operator.mul)

    __rmul__ = __mul__

    __hash__ = None

    def copy(self):
        return Grid([list(row) for row in self.rows])

    def tolist(self):
        return [list(row) for row in self.rows]

    def flatten(self):
        return [value for row in self.rows for value in row]

    ravel = flatten

    def sum(self):
        return sum(map(sum, self.rows))

    def max(self):
        return max(map(max, self.rows))

    def min(self):
        return min(map(min, self.rows))

    def any(self):
        return any(map(any, self.rows))

    def all(self):
        return all(map(all, self.rows))

    def nonzero(self):
        found = [(i, j) for i, row in enumerate(self.rows) for j, value in enumerate(row) if value]
        return [i for i, _ in found], [j for _, j in found]

    def __repr__(self):
        return "Grid(%r)" % self.rows


def board(values, size):
    rows = [list(values[at : at + size]) for at in range(0, size * size, size)]
    return Grid(rows) if numpy is None else numpy.array(rows)


def find_owned_pieces(owner, owners, numbers):
    """Row, column and count of every square of the owner that has pieces."""
    size = len(owners)
    found = [
        (i, j, numbers[i, j])
        for i in range(size)
        for j in range(size)
        if owners[i, j] == owner and numbers[i, j] > 0
    ]
    return found if numpy is None else numpy.array(found, dtype=int).reshape(-1, 3)


def destination(square, direction, board_size):
    """The square one step away, around the edge."""
    down, right = WAYS[direction]
    to = (int(square[0] + down) % board_size, int(square[1] + right) % board_size)
    return to if numpy is None else numpy.array(to)


def zombie(owner, *board_state):
    """Every piece goes in a random direction."""
    owners, numbers = board_state[-2:]
    moves = []
    for i, j, count in find_owned_pieces(owner, owners, numbers):
        going = dict.fromkeys(WAYS, 0)
        for _ in range(int(count)):
            going[random.choice("nsew")] += 1
        moves += [((i, j), way, pieces) for way, pieces in going.items() if pieces]
    return moves


def get_mover_factory(make_moves):
    """A get_mover for a basic bot."""

    def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
        return Basic(make_moves, owner, num_rounds)

    return get_mover


class Basic:
    """A basic bot as an advanced one."""

    def __init__(self, make_moves, owner, rounds):
        self.make_moves, self.owner, self.rounds_left = make_moves, owner, rounds

    def __call__(self, owners, numbers):
        self.rounds_left -= 1
        return self.make_moves(self.owner, self.rounds_left, owners, numbers)


def offer_helpers():
    """What bots import from the original's package, if it is not installed."""
    if importlib.util.find_spec("game17") is not None:
        return
    package = types.ModuleType("game17")
    package.__path__ = []
    package.find_owned_pieces, package.destination = find_owned_pieces, destination
    package.get_mover_factory = get_mover_factory
    sys.modules["game17"] = package
    for name in ("game17", "zombie"):
        module = types.ModuleType("game17." + name)
        module.find_owned_pieces, module.destination = find_owned_pieces, destination
        module.make_moves = zombie
        sys.modules["game17." + name] = module
        setattr(package, name, module)


def plain_moves(moves):
    """The moves as the protocol wants them. Numpy integers become plain ones; anything else must be right."""
    whole = operator.index
    plain = []
    for move in moves:
        square, direction, count = move
        row, column = square
        plain.append([whole(row), whole(column), str(direction), whole(count)])
    return plain


class Game17:
    """One episode of game17."""

    def __init__(self, bot, start):
        self.bot, self.me = bot, start["seat"]
        self.mover = None

    def first(self, message):
        """Makes the mover of this episode, from the board as it was set up."""
        obs, size = message["obs"], message["obs"]["size"]
        owners, numbers = obs["owners"], obs["numbers"]
        for event in message["ev"]:
            if event.get("event") == "board":
                owners, numbers = event["owners"], event["numbers"]
        rounds = obs["round"] + obs["rounds_left"] + 1
        order = list(obs["turn_order"]) if numpy is None else numpy.array(obs["turn_order"])
        return self.bot.get_mover(self.me, board(owners, size), board(numbers, size), order, rounds)

    def answer(self, message):
        obs, size = message["obs"], message["obs"]["size"]
        owners, numbers = board(obs["owners"], size), board(obs["numbers"], size)
        if hasattr(self.bot, "make_moves"):
            moves = self.bot.make_moves(self.me, obs["rounds_left"], owners, numbers)
        else:
            if self.mover is None:
                self.mover = self.first(message)
            moves = self.mover(owners, numbers)
        return {"m": plain_moves(moves)}


class IncanGold:
    """One episode of Incan Gold."""

    def __init__(self, bot, start):
        self.strategy, self.me = strategy_of(bot), start["seat"]
        names = start["names"]
        self.name = names[self.me] if names else "player %d" % (self.me + 1)

    def answer(self, message):
        obs, legal = message["obs"], message["legal"]
        leaves = self.strategy(self.name, obs["turn"], obs["backpack"])
        return {"a": legal.index("leave" if leaves else "stay")}


def strategy_of(bot):
    """The function `strategy`, or the only one of three arguments, or the only one named (name, turn, backpack)."""
    if callable(getattr(bot, "strategy", None)):
        return bot.strategy
    found = []
    for value in vars(bot).values():
        if inspect.isfunction(value) and value.__module__ == bot.__name__:
            if list(inspect.signature(value).parameters) == ["name", "turn", "backpack"]:
                found.append(value)
    return found[0] if len(found) == 1 else None


def load(path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("bot", path)
    bot = importlib.util.module_from_spec(spec)
    sys.modules["bot"] = bot
    spec.loader.exec_module(bot)
    return bot


def main():
    offer_helpers()
    bot = load(sys.argv[1])
    kinds = {}
    if hasattr(bot, "make_moves") or hasattr(bot, "get_mover"):
        kinds["game17"] = Game17
    if strategy_of(bot) is not None:
        kinds["incan-gold"] = IncanGold
    if not kinds:
        sys.exit(
            "expected make_moves, get_mover, or one strategy (name, turn, backpack); found none\n"
            "hint: with several strategies in the file, set  strategy = the_one_to_play"
        )
    episode = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["t"]
        if kind == "hello":
            name = os.path.splitext(os.path.basename(sys.argv[1]))[0]
            say({"t": "hello", "v": 1, "name": name, "games": sorted(kinds)})
        elif kind == "start":
            seed = int(message["seed"], 16)
            random.seed(seed)
            if numpy is not None:
                numpy.random.seed(seed & 0xFFFFFFFF)
            episode = kinds[message["game"]](bot, message)
            say({"t": "ready", "g": message["g"]})
        elif kind == "turn":
            answer = {"t": "move", "g": message["g"], "n": message["n"]}
            try:
                answer.update(episode.answer(message))
            except Exception as error:  # whatever the bot raises costs it this turn, not the game
                traceback.print_exc()
                answer["error"] = "%s: %s" % (type(error).__name__, error)
            say(answer)
        elif kind == "bad":
            print("refused, game %s, turn %s: %s" % (message["g"], message["n"], message["msg"]), file=sys.stderr)
        elif kind == "bye":
            break


main()
