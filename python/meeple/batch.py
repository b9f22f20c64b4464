"""Many episodes stepped together: one row for every owed decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from meeple._errors import UsageError
from meeple._words import Settings, refuse_copies, text, whole
from meeple.episode import Game

#: Agents of the game by seat. All other seats are decided by the caller.
Opponents = Mapping[int, str] | Mapping[np.integer[Any], str]


class _Shown:
    """Arrays of the same length. They are shown by their shapes, because their numbers would fill pages."""

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    def __repr__(self) -> str:
        arrays = ", ".join(f"{name} {array.dtype}{list(array.shape)}" for name, array in vars(self).items())
        return f"<{type(self).__name__}: {len(self)}; {arrays}>"


@dataclass(frozen=True, repr=False)
class Rows(_Shown):
    """The owed decisions, one row each, ordered by lane and seat. `len` is their number B."""

    #: The lane of every row, uint32 `[B]`.
    lanes: npt.NDArray[np.uint32]
    #: The lane's episode, by its index in the run, uint64 `[B]`.
    episodes: npt.NDArray[np.uint64]
    #: The seat that owes the decision, uint16 `[B]`.
    seats: npt.NDArray[np.uint16]
    #: By row: 1 for ids of legal actions, 0 for all others, int8 `[B, n_actions]`.
    masks: npt.NDArray[np.int8]
    #: By row: the seat's encoded observation, float32 `[B, features]`.
    observations: npt.NDArray[np.float32]


@dataclass(frozen=True, repr=False)
class LegalIds(_Shown):
    """The legal ids of rows in CSR form, which has no gaps as masks have. Those of row r are
    `ids[offsets[r]:offsets[r + 1]]`, in ascending order.

    `scipy.sparse.csr_array((ones, ids, offsets))` takes them unchanged. `len` is the number of rows B.
    """

    #: Offset of each row's first id, and of the end of the last row, int64 `[B + 1]`.
    offsets: npt.NDArray[np.int64]
    #: The ids, int32 `[offsets[-1]]`.
    ids: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: SupportsIndex) -> npt.NDArray[np.int32]:
        """The legal ids of a row."""
        row = range(len(self))[row]
        return self.ids[self.offsets[row] : self.offsets[row + 1]]

    def counts(self) -> npt.NDArray[np.int64]:
        """Number of legal ids by row, int64 `[B]`."""
        return np.diff(self.offsets)


@dataclass(frozen=True, repr=False)
class Ended(_Shown):
    """Ended episodes, in the order of their ends. `len` is their number E."""

    #: By episode: its lane, where the next episode has begun, int64 `[E]`.
    lanes: npt.NDArray[np.int64]
    #: By episode: its index in the run, int64 `[E]`.
    episodes: npt.NDArray[np.int64]
    #: By episode: its length in `game.info["length_unit"]`, int64 `[E]`.
    lengths: npt.NDArray[np.int64]
    #: By episode: the reason of its end, as an index into `game.info["ends"]`, int64 `[E]`.
    ends: npt.NDArray[np.int64]
    #: By episode and seat: the score, in the game's own points, int64 `[E, seats]`.
    scores: npt.NDArray[np.int64]
    #: By episode and seat: the place, counted from 1, int64 `[E, seats]`.
    places: npt.NDArray[np.int64]
    #: By episode and seat: the utility, from -1 to 1, float64 `[E, seats]`.
    utilities: npt.NDArray[np.float64]


class Batch:
    """Parallel episodes, one in each of `lanes` lanes. Lane l plays the episodes l, l + lanes, l + 2 lanes, …
    of the run.

    `opponents` are agents of the game by seat, the same in all lanes, or a list with such agents for each
    lane. `recv` returns the owed decisions, and `send` takes an id for each. Seats that decide simultaneously
    have a row each. A batch cannot be copied or pickled, because opponents may remember what they have seen.

    Raises `UsageError` for a game whose actions have no ids, an unknown agent, or a lane whose seats all have agents.
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
        self._rng = np.random.default_rng(whole("seed", seed))
        #: Maximal number of rows, exclusive upper bound of action ids, and numbers per observation.
        self.most_rows, self.action_bound, self.observation_size = self._native.sizes()

    def arrays(self) -> Rows:
        """Arrays with room for the maximal number of rows, for `recv_into` and `step_into`."""
        most = self.most_rows
        return Rows(
            np.zeros(most, np.uint32),
            np.zeros(most, np.uint64),
            np.zeros(most, np.uint16),
            np.zeros((most, self.action_bound), np.int8),
            np.zeros((most, self.observation_size), np.float32),
        )

    def recv(self) -> Rows:
        """The owed decisions, in new arrays."""
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
        """Writes the owed decisions into arrays of the caller. Returns their number.

        Rows after that number are undefined. Raises `UsageError` if an array has another dtype, shape or
        order than those of `arrays()`. Masks may also be uint8.
        """
        self._rows = self._native.observe_into(
            rows.lanes, rows.episodes, rows.seats, as_bytes(rows.masks), rows.observations
        )
        return self._rows

    def legal_ids(self) -> LegalIds:
        """The legal ids of the rows of the last `recv`, without the gaps of masks. After `send` there are no
        rows."""
        offsets, ids = self._native.legal_ids(self._rows)
        return LegalIds(np.frombuffer(offsets, np.int64), np.frombuffer(ids, np.int32))

    def sample(self, rng: np.random.Generator | None = None) -> npt.NDArray[np.int64]:
        """A random legal id for every row of the last `recv`, int64 `[B]`. All legal ids are equally likely.

        By default it draws from the batch's own generator, so the same seed of the batch gives the same ids.
        """
        legal = self.legal_ids()
        drawn = (self._rng if rng is None else rng).integers(0, legal.counts())
        ids: npt.NDArray[np.int64] = legal.ids[legal.offsets[:-1] + drawn].astype(np.int64)
        return ids

    def __getstate__(self) -> object:
        raise refuse_copies("a batch", "make one where it is used, with the same seed; Episode can be copied")

    def send(self, ids: npt.ArrayLike) -> Ended:
        """Takes an action for every row by its id, whole numbers `[B]`, and plays on until decisions are owed
        again.

        Returns the episodes that have ended. Raises `UsageError` for another shape, an id that is not below
        `action_bound`, or an illegal id. The batch is then unchanged.
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
        """Does `send`, and then `recv_into`. Returns the number of owed decisions and the ended episodes."""
        ended = self.send(ids)
        return self.recv_into(rows), ended

    def _ended(self, raw: bytes) -> Ended:
        seats = self.game.seats
        kind = np.dtype([("head", "<i8", 4), ("seat", [("score", "<i8"), ("place", "<i8"), ("utility", "<f8")], seats)])
        table: Any = np.frombuffer(raw, kind)
        head, seat = table["head"], table["seat"]
        columns = [head[:, column].copy() for column in range(4)]
        return Ended(*columns, *(seat[name].copy() for name in ("score", "place", "utility")))


def as_bytes(masks: Any) -> Any:
    """An int8 mask array as the uint8 array that the engines write, in the same memory. Other objects are
    returned unchanged, and refused when they are read."""
    return masks.view(np.uint8) if isinstance(masks, np.ndarray) and masks.dtype == np.int8 else masks


def as_game(game: str | Game, seats: int | None, set: Settings | None) -> Game:
    """The given game, or a new one with this name."""
    if not isinstance(game, Game):
        return Game(game, seats, set=set)
    if seats is not None or set is not None:
        raise UsageError("expected seats and settings where the game is set up, found both\nhint: Game(name, seats, set=…)")
    return game


def seated(game: Game, opponents: Opponents) -> list[str | None]:
    """By seat: its agent, or `None`."""
    players: list[str | None] = [None] * game.seats
    for seat, agent in opponents.items():
        players[whole("seat", seat, 0, game.seats - 1)] = text("opponent", agent)
    return players
