"""Bots of game17's original: make_moves(owner, rounds_left, owners, numbers), or get_mover(owner, owners, numbers,
turn_order, num_rounds) that gives a callable (owners, numbers). A module with both is basic.

Boards are numpy arrays; where numpy is not installed, those of the stand-in.
"""

import operator
import re
import time

GAME = "game17"
WANTED = "make_moves or get_mover (game17)"
# Nobody here looks at what others did: the board tells it all.
NEWS = False
# The modules of the original's package, and whether they are packages.
OFFERED = {"game17": True}
OFFERED.update(
    ("game17." + name, False) for name in ("game17", "zombie", "T800", "basic_mover", "game_runners", "cli")
)

# What stands in for a library that is not installed.
STAND_INS = {"numpy": "_meeple_numpy.py"}

# The version of the original that these follow.
VERSION = "1.0"

DIRECTIONS = "nsew"
STEPS = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1)}

np = None


def need_numpy():
    """Imports numpy, which takes longer than all the rest, when somebody needs it."""
    global np
    if np is None:
        import numpy

        np = numpy


# What bots import.


def find_owned_pieces(owner, owners, numbers):
    """Row, column and count of every square of the owner that has pieces: [k, 3]."""
    rows, columns = np.nonzero((owners == owner) & (numbers > 0))
    # Of the kind of `numbers`: a bot may plan with fractions of pieces.
    return np.array([rows, columns, numbers[rows, columns]], dtype=numbers.dtype).T


def destination(square, direction, board_size):
    """The square one step away, around the edge."""
    if isinstance(square, tuple):
        # As most bots have it: three times as quick as adding arrays of two.
        (row, column), (down, right) = square, STEPS[direction]
        return np.array(((row + down) % board_size, (column + right) % board_size))
    return (np.array(square) + np.array(STEPS[direction])) % board_size


def create_board(board_size=14):
    """Every id on one square, shuffled, and four pieces on each."""
    owners = np.arange(board_size * board_size)
    np.random.shuffle(owners)
    return owners.reshape((board_size, board_size)), np.full((board_size, board_size), 4, dtype=int)


def update_board(owner, moves, owners, numbers):
    """Does the moves of an owner, all or none, in place."""
    size = owners.shape[0]
    leaving, arriving = {}, {}
    for *square, direction, count in plain_moves(moves, size, float if numbers.dtype == float else whole):
        square = tuple(square)
        if count < 0:
            print("player %d skipped: expected no less than 0 pieces to leave, found %d" % (owner, count))
            return
        if owners[square] != owner:
            print("player %d skipped: expected squares of its own, found %s" % (owner, (square,)))
            return
        row, column = STEPS[direction]
        target = (square[0] + row) % size, (square[1] + column) % size
        leaving[square] = leaving.get(square, 0) + count
        arriving[target] = arriving.get(target, 0) + count
    for square, count in leaving.items():
        if count > numbers[square]:
            print("player %d skipped: expected at most %d pieces to leave, found %d" % (owner, numbers[square], count))
            return
    for square, count in leaving.items():
        numbers[square] -= count
    for square in sorted(arriving):
        count, staying = arriving[square], numbers[square]
        if count > 0:
            if count > staying:
                owners[square] = owner
            elif count == staying:
                # The original's draw, also where an owner's pieces join its own: seeded trials go as there.
                owners[square] = np.random.choice([owners[square], owner])
            numbers[square] = staying + count


def zombie_moves(owner, rounds_left, owners, numbers):
    """Every piece goes in a random direction."""
    moves = []
    for pieces in find_owned_pieces(owner, owners, numbers):
        shares = np.random.multinomial(pieces[2], [0.25] * 4)
        moves += [(pieces[:2], way, share) for way, share in zip(DIRECTIONS, shares) if share > 0]
    return moves


def t800_shares(neighbours, count):
    """With which probability a piece goes to each neighbour: never to where too few are expected to arrive."""
    weights = [float(value) + 0.01 for value in neighbours]
    while True:
        total = sum(weights)
        if total == 0:
            return np.array(weights)
        weights = [weight / total for weight in weights]
        few = [0 < weight * count < value for weight, value in zip(weights, neighbours)]
        if not any(few):
            return np.array(weights)
        weights = [0.0 if bad else weight for weight, bad in zip(weights, few)]


def t800_moves(owner, rounds_left, owners, numbers):
    """Pieces go where the expected arrivals match what stands there."""
    size = numbers.shape[0]
    moves = []
    for row, column, count in find_owned_pieces(owner, owners, numbers):
        around = [numbers[(row + down) % size, (column + right) % size] for down, right in STEPS.values()]
        shares = t800_shares(around, count)
        if shares.sum() > 0:
            going = zip(DIRECTIONS, np.random.multinomial(count, shares))
            moves += [((row, column), way, pieces) for way, pieces in going if pieces > 0]
    return moves


class BasicMover:
    """A basic bot as an advanced one."""

    def __init__(self, make_moves, owner, num_rounds):
        self.make_moves, self.owner, self.rounds_left = make_moves, owner, num_rounds

    def __call__(self, owners, numbers):
        self.rounds_left -= 1
        return self.make_moves(self.owner, self.rounds_left, owners, numbers)


def get_mover_factory(make_moves):
    """A get_mover for a basic bot."""

    def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
        return BasicMover(make_moves, owner, num_rounds)

    return get_mover


def board_diff(before, after):
    """Row, column and new value of whatever changed."""
    rows, columns = np.nonzero(before != after)
    return np.array([rows, columns, after[rows, columns]], dtype=int).T


def apply_diff(board, diff):
    """Makes these changes."""
    for row, column, value in diff:
        board[row, column] = value


def print_board(owners, numbers, colours=None, print_numbers=False):
    """Shows owners, and counts if asked, as plain text."""
    for ids, counts in zip(owners.tolist(), numbers.tolist()):
        print("".join("%4d" % owner for owner in ids))
        if print_numbers:
            print("".join("%4d" % count for count in counts))


def one_game(players, board_size=14, num_rounds=50):
    """Plays a game among movers and zombies: scores, mean times, record."""
    owners, numbers = create_board(board_size)
    record = {"owners": owners.copy(), "numbers": numbers.copy(), "diffs": []}
    order = owners.reshape((board_size * board_size,)).tolist()
    np.random.shuffle(order)
    movers = {
        owner: get_mover(
            owner=owner, owners=owners.copy(), numbers=numbers.copy(), turn_order=list(order), num_rounds=num_rounds
        )
        for owner, get_mover in players.items()
    }
    times = {owner: [] for owner in players}
    for number in range(num_rounds):
        for owner in order:
            if not (owners == owner).any():
                continue
            before = owners.copy(), numbers.copy()
            try:
                if owner in movers:
                    began = time.process_time()
                    try:
                        moves = movers[owner](owners.copy(), numbers.copy())
                    finally:
                        times[owner].append(time.process_time() - began)
                else:
                    moves = zombie_moves(owner, num_rounds - number - 1, owners, numbers)
                update_board(owner, moves, owners, numbers)
            except Exception as error:
                print("player %d skipped: %s" % (owner, error))
            record["diffs"].append(
                {
                    "round": number,
                    "owner": owner,
                    "owners": board_diff(before[0], owners),
                    "numbers": board_diff(before[1], numbers),
                }
            )
            if len(set(owners[numbers > 0].tolist())) == 1:
                break
        else:
            continue
        break
    ids = owners.reshape((board_size * board_size,)).tolist()
    scores = {owner: ids.count(owner) for owner in sorted(set(ids))}
    return scores, {owner: sum(spent) / len(spent) if spent else -1 for owner, spent in times.items()}, record


def vs_zombies(movers, num_games=100, board_size=14, num_rounds=50):
    """Victories and largest mean times of one player against zombies."""
    from collections import Counter

    if len(movers) != 1:
        raise ValueError("expected one player, found %d" % len(movers))
    victories, times = Counter(), Counter()
    for _ in range(num_games):
        scores, spent, _ = one_game(movers, board_size, num_rounds)
        for player in movers:
            if scores.get(player, 0) == max(scores.values()):
                victories[player] += 1
                times[player] = max(times[player], spent[player])
    return victories, times


def unavailable(name, instead):
    def absent(*arguments, **named):
        raise NotImplementedError("%s is not there for bots that are played by others; use %s" % (name, instead))

    return absent


def encoder():
    import json

    class NumPyEncoder(json.JSONEncoder):
        """Writes arrays as lists and their numbers as numbers."""

        def default(self, obj):
            if hasattr(obj, "tolist"):
                return obj.tolist()
            return super().default(obj)

    return NumPyEncoder


def fill(module):
    """Puts into a module of the package what bots import from it."""
    need_numpy()
    helpers = {
        "find_owned_pieces": find_owned_pieces,
        "destination": destination,
        "update_board": update_board,
        "create_board": create_board,
    }
    boards = {"print_board": print_board, "board_diff": board_diff, "apply_diff": apply_diff}
    watched = "meeple play, meeple tournament and meeple replay"
    runners = {name: unavailable(name, watched) for name in ("single", "replay", "round_robin", "battle_royale")}
    content = {
        "game17": dict(
            helpers, get_mover_factory=get_mover_factory, vs_zombies=vs_zombies, __version__=VERSION, **runners
        ),
        "game17.game17": dict(
            helpers,
            **boards,
            __version__=float(VERSION),
            matplotlib_to_rgb=unavailable("matplotlib_to_rgb", "meeple render"),
        ),
        "game17.zombie": dict(find_owned_pieces=find_owned_pieces, make_moves=zombie_moves),
        "game17.T800": dict(
            helpers, make_moves=t800_moves, zombie_strategy=t800_shares
        ),
        "game17.basic_mover": dict(get_mover_factory=get_mover_factory, BasicMover=BasicMover),
        "game17.game_runners": dict(
            helpers, **boards, game17=one_game, vs_zombies=vs_zombies, make_moves_zombie=zombie_moves, **runners
        ),
        "game17.cli": {name: unavailable(name, watched) for name in ("cli", "import_module", "load_modules")},
    }[module.__name__]
    vars(module).update(content, np=np)
    if module.__name__ == "game17":
        # Its modules are there once the package is.
        import importlib

        for name in OFFERED:
            if name.startswith("game17."):
                importlib.import_module(name)
    if module.__name__ == "game17.game_runners":
        module.NumPyEncoder = encoder()


# Playing.


def player_in(bot):
    """Begins an episode of a module that can play; None for others."""
    if callable(getattr(bot, "make_moves", None)):
        factory = get_mover_factory(bot.make_moves)
    elif callable(getattr(bot, "get_mover", None)):
        factory = bot.get_mover
    else:
        return None
    need_numpy()
    return lambda start: Episode(factory, start)


def whole(count):
    """A count as a whole number; parts of a piece are cut off, as when they are added to a board of integers."""
    if isinstance(count, (str, bytes)):
        raise TypeError("expected a number of pieces, found %r" % (count,))
    return int(count)


def outside(index, size):
    return IndexError("expected a row or column from %d to %d, found %d" % (-size, size - 1, index))


def plain_moves(moves, size, read_count=whole):
    """The moves as row, column, direction and count, of plain Python numbers. Negative rows and columns count from the
    end, as indices of Python do."""
    plain, index, array = [], operator.index, np.ndarray
    for square, direction, count in moves:
        # An array gives its elements one by one, and each as an object of numpy.
        row, column = square.tolist() if isinstance(square, array) else square
        row, column = index(row), index(column)
        if not -size <= row < size:
            raise outside(row, size)
        if not -size <= column < size:
            raise outside(column, size)
        if direction not in STEPS:
            raise KeyError("expected one of n, s, e, w, found %r" % (direction,))
        plain.append((row % size, column % size, str(direction), read_count(count)))
    return plain


# A question as hosts usually write it.
QUESTION = re.compile(
    r'\{"t":"turn","g":(\d+),"n":(\d+),"sim":false,"obs":\{"size":(\d+),"round":(\d+),"rounds_left":(\d+),"to_move":\d+,'
    r'"owners":\[([^]]+)\],"numbers":\[([^]]+)\],"turn_order":\[[^]]*\],"ties":\[\]\},"ev":\[\],'
)


class Episode:
    """One game of a bot."""

    def __init__(self, factory, start):
        self.factory, self.me, self.mover = factory, start["seat"], None
        if start.get("obs") is not None:
            self.set_up(start["obs"], start["obs"]["owners"], start["obs"]["numbers"])

    def set_up(self, obs, owners, numbers):
        """Makes the mover from the board as it was at the beginning. The arrays are its own."""
        self.mover = self.factory(
            owner=self.me,
            owners=self.board(owners, obs["size"]),
            numbers=self.board(numbers, obs["size"]),
            turn_order=list(obs["turn_order"]),
            num_rounds=obs["round"] + obs["rounds_left"] + 1,
        )

    @staticmethod
    def board(values, size):
        """An array of its own: what was read is used once."""
        return np.asarray(values).reshape((size, size))

    def read(self, line):
        """A question in the form that hosts usually write, without making Python objects of a thousand numbers, most of
        which nobody looks at: a third of the time. None for all other lines."""
        found = QUESTION.match(line)
        if self.mover is None or not found or not hasattr(np, "fromstring"):
            return None
        game, number, size, rounds, rounds_left, owners, numbers = found.groups()
        owners, numbers = np.fromstring(owners, dtype=int, sep=","), np.fromstring(numbers, dtype=int, sep=",")
        size = int(size)
        if not len(owners) == len(numbers) == size * size:
            return None
        obs = {"size": size, "round": int(rounds), "rounds_left": int(rounds_left), "owners": owners, "numbers": numbers}
        return {"t": "turn", "g": int(game), "n": int(number), "obs": obs}

    def answer(self, message):
        obs = message["obs"]
        size = obs["size"]
        owners, numbers = obs["owners"], obs["numbers"]
        if self.mover is None:
            # A host that shows no table at the start. Who has moved before us is in the news, with the board.
            news = [event for event in message["ev"] if event.get("event") == "board"]
            began = news[0] if news else obs
            self.set_up(obs, began["owners"], began["numbers"])
        if type(self.mover) is BasicMover:
            # Rounds in which it had no turn count too.
            self.mover.rounds_left = obs["rounds_left"] + 1
        moves = self.mover(self.board(owners, size), self.board(numbers, size))
        return {"m": plain_moves(moves, size)}
