"""game17 in PettingZoo: the environments of `meeple.zoo`, with turns factored as in `meeple.game17.learning`.

Learners have the first seats, zombies all others. In AEC a seat is asked again until its turn is done.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from gymnasium import spaces

from meeple import zoo
from meeple._errors import IllegalAction, UsageError
from meeple._words import action_id, whole
from meeple.episode import Game
from meeple.game17.learning import FactoredTurn, factored_observations

__all__ = ["AEC", "Parallel", "env", "parallel_env"]


class _Table(zoo.Table):
    """A table whose turns are factored."""

    #: The turn that is being named, which also knows its seat.
    turn: FactoredTurn | None = None
    mover = -1
    #: The episode in which zombies have been seated.
    populated: Any = None

    def __getstate__(self) -> dict[str, Any]:
        # The copy of an episode has no seated agents.
        return {**self.__dict__, "populated": None}

    def reset(self, seed: int | None) -> tuple[int, ...]:
        self.turn = None
        return super().reset(seed)

    def count_ids(self) -> int:
        return FactoredTurn.ids(self.game.variant["size"])

    def count_players(self) -> int:
        named = self.game._asked[1]
        return 2 if named is None else named

    def space(self) -> spaces.Space[Any]:
        return factored_observations(self.game, self.bound)

    def settle(self) -> tuple[int, ...]:
        episode = self.episode
        if self.populated is not episode:
            for seat in range(len(self.names), self.game.seats):
                episode._native.seat_agent(seat, "zombie")
            self.populated = episode
        if self.turn is None:
            owing = episode._native.run_until_asked()
            if not owing:
                return ()
            self.mover = owing[0]
            seen = episode.observation("public")
            self.pieces = np.maximum(seen["numbers"], 1)
            self.turn = FactoredTurn(self.mover, seen["owners"], seen["numbers"])
        return (self.mover,)

    def legal_ids(self, seat: int) -> zoo.Mask:
        return self.turn.mask() if self.turn is not None and seat == self.mover else np.zeros(self.ids, np.int8)

    def numbers(self, seat: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        left = np.zeros(self.game.seats)
        if self.turn is not None and seat == self.mover:
            left = self.turn.left / self.pieces
        return np.append(self.episode.numbers(seat), left).astype(np.float32)

    def act(self, seat: int, action: object) -> zoo.Info:
        if self.turn is None or seat != self.mover:
            raise IllegalAction(f"seat {seat} owes no decision")
        info: zoo.Info = {}
        try:
            is_done = self.turn.take(action_id(action, self.ids))
        except IllegalAction as error:
            if self.on_illegal == "raise":
                raise
            info, is_done = {"illegal_action": str(error)}, True
        if is_done:
            self.episode.apply(seat, [list(move) for move in self.turn.moves])
            self.turn = None
        return info

    def labels(self) -> list[str]:
        return self.names + ["zombies"] * (self.game.seats - len(self.names))


def _game(options: zoo.Options) -> Game:
    """The game for this number of learners, two by default."""
    seats = whole("seats", options.pop("seats", None) or 2, 1, 4096)
    game = Game("game17", seats, set=options.pop("set", None))
    if seats > game.seats:
        raise UsageError(f"seats: expected at most {game.seats}, found {seats}")
    return game


class AEC(zoo.AEC):
    """The AEC environment: one seat acts at a time, move by move."""

    _tables = _Table


class Parallel(zoo.Parallel):
    """The parallel environment: all seats act at every step. A seat without a turn waits, with the last
    id."""

    _tables = _Table


def env(**options: Unpack[zoo.Options]) -> AEC:
    """The AEC environment. `options` are those of `meeple.zoo.AEC`; `seats` is 2 by default."""
    return AEC(_game(options), **options)


def parallel_env(**options: Unpack[zoo.Options]) -> Parallel:
    """The parallel environment. `options` are those of `meeple.zoo.Parallel`; `seats` is 2 by default."""
    return Parallel(_game(options), **options)
