"""Games among movers and zombies, and the competitions of the original.

`get_mover(owner, owners, numbers, turn_order, num_rounds)` returns a mover: a callable of two boards. Movers
are called in this process; the engine does everything else. It also plays itself for the `T800.make_moves`
and `zombie.make_moves` of this package, which is faster.

A game draws its seed from numpy's global generator. `np.random.seed` therefore makes a run repeatable,
including zombies and coins.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import _meeple
from meeple._words import whole
from meeple.game17._shared import shared
from meeple.game17.game17 import apply_diff, board_diff, create_board, print_board, update_board

__all__ = [
    "NumPyEncoder",
    "apply_diff",
    "battle_royale",
    "board_diff",
    "create_board",
    "game17",
    "make_moves_zombie",
    "print_board",
    "replay",
    "round_robin",
    "single",
    "update_board",
    "vs_zombies",
]

Board = npt.NDArray[np.int64]
#: A function that makes a mover.
Factory = Callable[..., Callable[[Board, Board], Any]]
#: Finds in an observation the number of rounds after the current one.
_ROUNDS_LEFT = re.compile(r'"rounds_left":(\d+)')
#: Factories by the ids of the players.
Movers = Mapping[Any, Factory]

NumPyEncoder: type[json.JSONEncoder] = shared.encoder()
make_moves_zombie = shared.zombie_moves

#: Players whose moves the engine makes itself, with their agents.
_AGENTS = ((shared.t800_moves, "t800"), (shared.zombie_moves, "zombie"))


@lru_cache(maxsize=8)
def _rules(size: int, rounds: int) -> _meeple.Game:
    return _meeple.Game("game17", [("size", str(size)), ("rounds", str(rounds))], 0)


def _boards(seen: str, size: int) -> tuple[Board, Board]:
    """Owners and numbers of an observation, read without making Python objects of all numbers."""

    def board(name: str) -> Board:
        start = seen.index(f'"{name}":[') + len(name) + 4
        values = np.fromstring(seen[start : seen.index("]", start)], dtype=np.int64, sep=",")
        return values.reshape((size, size))

    return board("owners"), board("numbers")


def _agent(mover: Any) -> str | None:
    """The engine's agent that plays like a mover; `None` if there is none."""
    if type(mover) is not shared.BasicMover:
        return None
    return next((agent for moves, agent in _AGENTS if mover.make_moves is moves), None)


def _seats(players: Movers, squares: int) -> dict[int, Any]:
    """Players by their seats. An id that no square can have (a name, or a number too large) gets no turn, as
    in the original."""
    ids = range(squares)
    return {ids.index(player): player for player in players if player in ids}


def _play(
    players: Movers, board_size: int, num_rounds: int, recorded: bool
) -> tuple[dict[int, int], dict[Any, float], str]:
    """Plays a game. Returns squares by owner, mean CPU seconds per turn by player (-1 without a turn), and
    the record's text."""
    size, rounds = whole("board_size", board_size, 1, 64), whole("num_rounds", num_rounds, 0)
    seats = _seats(players, size * size)
    seed = int(np.random.randint(0, np.iinfo(np.int64).max, dtype=np.int64))
    # The engine has no game without rounds, so only the start of a game with a single round is used.
    native = _rules(size, max(rounds, 1)).seeded(seed)
    if not recorded:
        native.keep_no_events()
    for seat in range(size * size):
        if seat not in seats:
            native.seat_agent(seat, "zombie")
    while native.step_chance():
        pass
    seen = native.observation("all")
    order: list[int] = json.loads(seen)["turn_order"]
    made: dict[Any, Any] = {}
    for player, factory in players.items():
        owners, numbers = _boards(seen, size)
        made[player] = factory(owner=player, owners=owners, numbers=numbers, turn_order=list(order), num_rounds=rounds)
    movers = {seat: made[player] for seat, player in seats.items()}
    times: dict[Any, list[float]] = {player: [] for player in players}
    if rounds == 0:
        owners, numbers = _boards(seen, size)
        start = {"owners": owners, "numbers": numbers, "diffs": []}
        return dict.fromkeys(range(size * size), 1), dict.fromkeys(players, -1), json.dumps(start, cls=NumPyEncoder) + "\n"
    engine = {seat: agent for seat, mover in movers.items() if (agent := _agent(mover))}
    for seat, agent in engine.items():
        native.seat_agent(seat, agent)
    held = list(engine)
    while asked := native.run_until_asked(held):
        seat = asked[0]
        if seat in engine:
            began = time.process_time()
            native.agent_decides(seat)
            times[seats[seat]].append(time.process_time() - began)
            continue
        seen = native.observation("all")
        mover = movers[seat]
        if type(mover) is shared.BasicMover:
            # Rounds in which the player had no turn count too.
            mover.rounds_left = int(_ROUNDS_LEFT.findall(seen)[0]) + 1
        owners, numbers = _boards(seen, size)
        try:
            began = time.process_time()
            try:
                moves = mover(owners, numbers)
            finally:
                times[seats[seat]].append(time.process_time() - began)
            native.act_json(seat, json.dumps(shared.plain_moves(moves, size)))
        except (Exception, SystemExit) as error:
            # A player's mistake costs it the turn and nothing more.
            print(f"player {seat} skipped: {error}")
            native.act_fallback(seat)
    owners, _ = _boards(native.observation("all"), size)
    scores = {int(owner): int(count) for owner, count in zip(*np.unique(owners, return_counts=True), strict=True)}
    means = {player: sum(spent) / len(spent) if spent else -1 for player, spent in times.items()}
    text = ""
    if recorded:
        (text,) = _meeple.converted("game17", "record", ["export", "replay", "-o", "record"], native.replay([]))
    return scores, means, text


def read_record(text: str) -> dict[str, Any]:
    """Reads a record, with boards and changes as arrays."""
    record: dict[str, Any] = json.loads(text)
    diffs = record["diffs"]
    for name in ("owners", "numbers"):
        record[name] = np.array(record[name], dtype=np.int64)
        # A single array with rows for each turn is two and a half times as fast as an array for each.
        numbers = chain.from_iterable(chain.from_iterable(diff[name] for diff in diffs))
        changes = np.fromiter(numbers, dtype=np.int64).reshape((-1, 3))
        end = 0
        for diff in diffs:
            start, end = end, end + len(diff[name])
            diff[name] = changes[start:end]
    return record


def game17(
    players: Movers, board_size: int = 14, num_rounds: int = 50
) -> tuple[dict[int, int], dict[Any, float], dict[str, Any]]:
    """Plays a game. Returns squares by owner, mean CPU seconds per turn by player, and the record."""
    scores, times, text = _play(players, board_size, num_rounds, recorded=True)
    return scores, times, read_record(text)


def _unrecorded(
    players: Movers, board_size: int = 14, num_rounds: int = 50
) -> tuple[dict[int, int], dict[Any, float], None]:
    scores, times, _ = _play(players, board_size, num_rounds, recorded=False)
    return scores, times, None


# The helper that counts victories, which bots get too, plays its games by this function.
shared.one_game = _unrecorded


def vs_zombies(
    movers: Movers, num_games: int = 100, board_size: int = 14, num_rounds: int = 50
) -> tuple[Counter[Any], Counter[Any]]:
    """Counts victories of one player against zombies. Also returns its largest mean time in a game that it
    won.

    Raises `ValueError` unless there is exactly one player.
    """
    victories, times = shared.vs_zombies(movers, num_games, board_size, num_rounds)
    return victories, times


def single(
    movers: Movers,
    board_size: int = 14,
    num_rounds: int = 50,
    display_counts: bool = False,
    colours: Mapping[Any, str] | None = None,
) -> None:
    """Plays a game, shows it, and prints squares and times."""
    scores, times, record = game17(movers, board_size, num_rounds)
    replay(record, display_counts, colours)
    print(printed(["squares"], [[str(owner), str(count)] for owner, count in scores.items()]))
    print(printed(["times"], [[str(player), f"{mean:.6f}"] for player, mean in times.items()]), end="")


def replay(
    game: Mapping[str, Any], display_counts: bool = False, colours: Mapping[Any, str] | None = None
) -> None:
    """Shows a record: on a terminal as a film, which slows down as owners vanish; otherwise its last
    board."""
    looks = [f"{player}:{colour}" for player, colour in (colours or {}).items()]
    looks += ["counts"] if display_counts else []
    is_film = sys.stdout.isatty()
    screens = _meeple.RecordScreens("game17", json.dumps(game, cls=NumPyEncoder), looks, is_film)
    owners, numbers = np.array(game["owners"]), np.array(game["numbers"])
    last = ""
    for turn, last in enumerate(screens):
        if turn > 0:
            shared.apply_diff(owners, game["diffs"][turn - 1]["owners"])
            shared.apply_diff(numbers, game["diffs"][turn - 1]["numbers"])
        if is_film:
            sides = len(np.unique(owners[numbers > 0]))
            print("\x1b[H\x1b[J" + last, end="", flush=True)
            time.sleep(1 / max(sides, 1))
    if not is_film:
        print(last, end="")


class _Standings:
    """Winners of games, banned players, and times of all players."""

    def __init__(self, players: Iterable[Any], threshold: float) -> None:
        self.players = list(players)
        self.threshold = threshold
        self.banned: set[Any] = set()
        self.longest = dict.fromkeys(self.players, 0.0)
        #: By game: its players, and the winners among them.
        self.games: list[tuple[tuple[Any, ...], list[Any]]] = []

    def add(self, scores: Mapping[int, int], times: Mapping[Any, float]) -> None:
        """Counts a game. Players who were too slow in it are banned from then on."""
        best = max(scores.values())
        self.games.append((tuple(times), [player for player in times if scores.get(player, 0) == best]))
        for player, mean in times.items():
            self.longest[player] = max(self.longest[player], mean)
            if 0 < self.threshold < mean:
                self.banned.add(player)

    def victories(self, erased: bool) -> Counter[Any]:
        """Games won by players who are not banned. With `erased`, games of banned players count for
        nobody."""
        won: Counter[Any] = Counter({player: 0 for player in self.players if player not in self.banned})
        for players, winners in self.games:
            if not (erased and self.banned.intersection(players)):
                won.update(player for player in winners if player not in self.banned)
        return won

    def groups(self, erased: bool) -> list[set[Any]]:
        """Groups of players with equal numbers of victories, best first. Banned players come last."""
        won = self.victories(erased)
        groups = [{player for player in won if won[player] == count} for count in sorted(set(won.values()), reverse=True)]
        return groups + ([set(self.banned)] if self.banned else [])

    def summary(self, erased: bool) -> str:
        """A table of games won and longest mean time, with a row for every player."""
        won, times = self.victories(erased), _seconds(self.longest.values())
        rows = [[str(player), str(won.get(player, "banned")), spent] for player, spent in zip(self.players, times, strict=True)]
        return printed(["games won", "max time"], rows)

    def winners(self) -> str:
        """The winner of each pair's game, without games of banned players."""
        counted = [game for game in self.games if game[1] and not self.banned.intersection(game[0])]
        rows = [[f"{first} vs {second}", ", ".join(map(str, sorted(won)))] for (first, second), won in counted]
        return printed(["winner"], rows)


def _created(output_directory: Any) -> Path:
    """The folder for results, created if it is missing."""
    folder = Path(output_directory)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def battle_royale(
    movers: Movers,
    output_directory: Any,
    num_games: int = 100,
    board_size: int = 14,
    num_rounds: int = 50,
    time_threshold: float = 0.01,
) -> list[set[Any]]:
    """Plays games with all players at one table. Returns groups of equal victories, best first, and writes
    files to `output_directory`.

    A player with more than `time_threshold` mean CPU seconds per turn in a game plays no more, and comes
    last.
    """
    folder, standings = _created(output_directory), _Standings(movers, time_threshold)
    for number in range(num_games):
        playing = {player: factory for player, factory in movers.items() if player not in standings.banned}
        scores, times, text = _play(playing, board_size, num_rounds, recorded=True)
        (folder / f"battle-royale-{number}.json").write_text(text, encoding="utf-8")
        standings.add(scores, times)
    (folder / "battle-royale-summary.txt").write_text(standings.summary(erased=False), encoding="utf-8")
    return standings.groups(erased=False)


def round_robin(
    movers: Movers,
    output_directory: Any,
    board_size: int = 14,
    num_rounds: int = 50,
    time_threshold: float = 0.01,
    group: int | None = None,
) -> list[set[Any]]:
    """Plays a game for every pair. Returns groups of equal victories, best first. Writes files to
    `output_directory`, named after `group`."""
    folder, standings = _created(output_directory), _Standings(movers, time_threshold)
    # Group 0 counts as none, as in the original.
    part = f"-{group}" if group else ""
    for pair in combinations(movers, 2):
        if standings.banned.intersection(pair):
            continue
        scores, times, text = _play({player: movers[player] for player in pair}, board_size, num_rounds, recorded=True)
        (folder / f"{pair[0]} vs {pair[1]}.json").write_text(text, encoding="utf-8")
        standings.add(scores, times)
    (folder / f"round-robin{part}.txt").write_text(standings.winners(), encoding="utf-8")
    (folder / f"round-robin-summary{part}.txt").write_text(standings.summary(erased=True), encoding="utf-8")
    return standings.groups(erased=True)


def printed(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as the original's library prints it: the first column is left-aligned, all others are
    right-aligned."""
    if not rows:
        return f"Empty DataFrame\nColumns: [{', '.join(header)}]\nIndex: []\n"
    table = [["", *header], *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(header) + 1)]
    lines = [" ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]) for row in table]
    return "\n".join(lines) + "\n"


def _seconds(values: Iterable[float]) -> list[str]:
    """Seconds as the original's library prints them: at most six decimals, with room for a sign if any number
    has a point."""
    values = list(values)
    room = " " if any(value > 0 for value in values) else ""

    def shown(value: float) -> str:
        if value == 0:
            return "0"
        number, places = f"{value:.6f}".split(".")
        return f"{number}.{places.rstrip('0') or '0'}"

    return [room + shown(value) for value in values]
