"""Many episodes stepped together: one row for every decision that is owed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple._errors import UsageError
from meeple._words import Settings, text, whole
from meeple.episode import Game

#: Agents of the game by seat; who sits elsewhere decides outside.
Opponents = Mapping[int, str]


@dataclass(frozen=True)
class Rows:
    """The decisions that are owed, by lane and seat."""

    #: The lane of every row.
    lanes: npt.NDArray[np.uint32]
    #: The lane's episode, by its index in the run.
    episodes: npt.NDArray[np.uint64]
    #: The seat that owes the decision.
    seats: npt.NDArray[np.uint16]
    #: By row, 1 where the id belongs to a legal action.
    masks: npt.NDArray[np.uint8]
    #: By row, what the seat knows as numbers.
    observations: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.lanes)


@dataclass(frozen=True)
class Ended:
    """Episodes that have ended, in the order in which they did."""

    #: The lane of each, which has begun its next episode.
    lanes: npt.NDArray[np.int64]
    #: Its index in the run.
    episodes: npt.NDArray[np.int64]
    #: Its length.
    lengths: npt.NDArray[np.int64]
    #: Why it ended, as an index into `game.info["ends"]`.
    ends: npt.NDArray[np.int64]
    #: By episode and seat, the game's own points.
    scores: npt.NDArray[np.int64]
    #: By episode and seat, the place from 1.
    places: npt.NDArray[np.int64]
    #: By episode and seat, from -1 to 1.
    utilities: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lanes)


class Batch:
    """So many episodes at a time, one in each lane: lane l plays the episodes l, l + lanes, l + 2 lanes, … of the run.

    `opponents` are agents of the game by seat, the same in all lanes, or a list of such, one for each lane. `recv` tells
    the decisions that are owed, `send` takes an id for each. Seats that decide at once are several rows.
    """

    def __init__(
        self,
        game: str | Game,
        lanes: int = 1,
        *,
        opponents: Opponents | Sequence[Opponents] | None = None,
        seed: int = 1,
        seats: int | None = None,
        set: Settings | None = None,
    ) -> None:
        self.game = as_game(game, seats, set)
        lanes = whole("lanes", lanes, 1, 2**24)
        by_lane = [opponents or {}] * lanes if opponents is None or isinstance(opponents, Mapping) else opponents
        if len(by_lane) != lanes:
            raise UsageError(f"opponents: expected one set of agents for each of {lanes} lanes, found {len(by_lane)}")
        players = [seated(self.game, agents) for agents in by_lane]
        self._native = self.game._native.batch(whole("seed", seed), players)
        self._rows = 0
        #: Most rows that can be owed at once, ids of actions, and numbers of an observation.
        self.most_rows, self.action_bound, self.observation_size = self._native.sizes()

    def arrays(self) -> Rows:
        """Arrays with room for all rows, for `recv_into` and `step_into`."""
        most = self.most_rows
        return Rows(
            np.zeros(most, np.uint32),
            np.zeros(most, np.uint64),
            np.zeros(most, np.uint16),
            np.zeros((most, self.action_bound), np.uint8),
            np.zeros((most, self.observation_size), np.float32),
        )

    def recv(self) -> Rows:
        """The decisions that are owed, in fresh arrays."""
        rows = self.arrays()
        count = self.recv_into(rows)
        return Rows(
            rows.lanes[:count],
            rows.episodes[:count],
            rows.seats[:count],
            rows.masks[:count],
            rows.observations[:count],
        )

    def recv_into(self, rows: Rows) -> int:
        """Writes the decisions that are owed into arrays of the caller's and returns how many there are.

        What stands behind that many rows means nothing.
        """
        self._rows = self._native.observe_into(
            rows.lanes, rows.episodes, rows.seats, rows.masks, rows.observations
        )
        return self._rows

    def send(self, ids: npt.ArrayLike) -> Ended:
        """Takes the id of a legal action for every row, in their order, and goes on until decisions are owed again.

        Returns the episodes that have ended. If an id is refused, nothing has changed.
        """
        given = np.asarray(ids)
        if given.dtype.kind not in "iu" and given.size > 0:
            raise UsageError(f"ids: expected whole numbers, found an array of {given.dtype}")
        if given.shape != (self._rows,):
            raise UsageError(
                f"ids: expected the shape ({self._rows},), found {given.shape}\n"
                "hint: one for every row of the last recv()"
            )
        if given.size > 0 and not 0 <= int(given.min()) <= int(given.max()) < self.action_bound:
            wrong = int(given.min()) if int(given.min()) < 0 else int(given.max())
            raise UsageError(f"ids: expected numbers from 0 to {self.action_bound - 1}, found {wrong}")
        ended = self._ended(self._native.step(np.ascontiguousarray(given, np.uint32)))
        self._rows = 0
        return ended

    def step_into(self, ids: npt.ArrayLike, rows: Rows) -> tuple[int, Ended]:
        """As `send`, and then `recv_into`: how many decisions are owed, and the episodes that have ended."""
        ended = self.send(ids)
        return self.recv_into(rows), ended

    def _ended(self, raw: bytes) -> Ended:
        seats = self.game.seats
        kind = np.dtype([("head", "<i8", 4), ("seat", [("score", "<i8"), ("place", "<i8"), ("utility", "<f8")], seats)])
        table: Any = np.frombuffer(raw, kind)
        head, seat = table["head"], table["seat"]
        columns = [head[:, column].copy() for column in range(4)]
        return Ended(*columns, *(seat[name].copy() for name in ("score", "place", "utility")))


def as_game(game: str | Game, seats: int | None, set: Settings | None) -> Game:
    """A game that is set up, or set up now."""
    if not isinstance(game, Game):
        return Game(game, seats, set=set)
    if seats is not None or set is not None:
        raise UsageError("expected seats and settings where the game is set up, found both\nhint: Game(name, seats, set=…)")
    return game


def seated(game: Game, opponents: Opponents) -> list[str | None]:
    """An agent or nobody for every seat."""
    players: list[str | None] = [None] * game.seats
    for seat, agent in opponents.items():
        players[whole("seat", seat, 0, game.seats - 1)] = text("opponent", agent)
    return players
