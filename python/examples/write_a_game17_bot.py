"""Writing a bot for game17, in three steps: a first idea, a measurement, a better idea.

Its output is in write_a_game17_bot.out: the same seed of numpy plays the same games.
"""

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from game17 import T800, battle_royale, destination, find_owned_pieces, get_mover_factory, vs_zombies

#: A move: its square, its direction, and the number of pieces.
Move = tuple[tuple[int, int], str, int]
Squares = npt.NDArray[Any]

BOARD, ROUNDS, GAMES = 8, 30, 20


def greedy(owner: int, rounds_left: int, owners: Squares, numbers: Squares) -> list[Move]:
    """A first idea: all pieces of a square go to the weakest neighbour that is not ours."""
    moves: list[Move] = []
    for row, column, count in find_owned_pieces(owner, owners, numbers):
        targets = {way: tuple(destination((row, column), way, len(owners))) for way in "nsew"}
        others = {way: numbers[target] for way, target in targets.items() if owners[target] != owner}
        if others:
            way = min(others, key=lambda way: others[way])
            if others[way] < count:
                moves.append(((row, column), way, count))
    return moves


def get_spreader(
    owner: int, owners: Squares, numbers: Squares, turn_order: list[int], num_rounds: int
) -> Callable[[Squares, Squares], list[Move]]:
    """A better idea, as an advanced bot, which may remember. Pieces among own squares walk to the border, in
    a direction drawn once per game. Pieces at the border attack with no more than they need."""
    inwards = np.random.choice(list("nsew"))

    def mover(owners: Squares, numbers: Squares) -> list[Move]:
        moves: list[Move] = []
        for row, column, count in find_owned_pieces(owner, owners, numbers):
            targets = {way: tuple(destination((row, column), way, len(owners))) for way in "nsew"}
            others = sorted((numbers[target], way) for way, target in targets.items() if owners[target] != owner)
            if not others:
                moves.append(((row, column), inwards, count))
            for defenders, way in others:
                if defenders < count:
                    moves.append(((row, column), way, defenders + 1))
                    count -= defenders + 1
        return moves

    return mover


bots = {"greedy": get_mover_factory(greedy), "spreader": get_spreader, "T800": get_mover_factory(T800.make_moves)}
np.random.seed(17)
for name, factory in bots.items():
    victories, _ = vs_zombies({0: factory}, num_games=GAMES, board_size=BOARD, num_rounds=ROUNDS)
    print(f"{name} against zombies: {victories[0]} of {GAMES} games")

# All bots play in one game. A threshold of 0 bans no bot for being slow.
with tempfile.TemporaryDirectory() as folder:
    players = dict(enumerate(bots.values()))
    ranks = battle_royale(players, folder, GAMES, BOARD, ROUNDS, time_threshold=0)
names = list(bots)
print("all together, best first: " + "; ".join(" = ".join(names[player] for player in sorted(rank)) for rank in ranks))
