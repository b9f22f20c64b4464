"""Trained policies as players."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from meeple._errors import UsageError
from meeple.episode import Id, Turn, with_ids

#: Chooses for a batch of B decisions: from numbers, float32 `[B, features]`, and masks, int8 `[B, n_actions]`, the ids, `[B]`.
Chooser = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.ArrayLike]


class Policy:
    """A policy as a player of `sim`, `sweep`, `tournament` and `Episode.play`; `policy` makes it."""

    def __init__(self, choose: Chooser, name: str | None = None) -> None:
        if not callable(choose):
            raise UsageError(f"policy: expected a function of numbers and masks, found {choose!r}")
        self._choose = choose
        #: What it is called in tables.
        self.__name__ = name or getattr(choose, "__name__", type(choose).__name__)

    def __call__(self, numbers: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """The ids for a batch, int64 `[B]`, as `Batch.send` takes them.

        Raises `UsageError` if the function gives anything but B whole numbers.
        """
        ids = np.asarray(self._choose(numbers, masks))
        if ids.shape != (len(masks),) or ids.dtype.kind not in "iu":
            raise UsageError(
                f"policy: expected {len(masks)} whole numbers of the shape ({len(masks)},), found {ids.dtype} of {ids.shape}\n"
                "hint: one id for every row of the masks"
            )
        return ids.astype(np.int64)

    def act(self, turn: Turn) -> Id:
        """Decides one turn, as a batch of one. Raises `UsageError` if the game has no ids or no encoding."""
        with_ids(turn.game)
        if turn.game.encoding is None:
            raise UsageError(f"policy: expected a game with an encoding, found {turn.game.info['id']}")
        return Id(self(turn.numbers[None], turn.mask[None])[0])

    def __repr__(self) -> str:
        return f"<Policy {self.__name__}>"


def policy(choose: Chooser, name: str | None = None) -> Policy:
    """A player from a function of a batch: `choose(numbers, masks)` is given float32 `[B, features]` and int8 `[B, n_actions]`, which
    is 1 where an id is legal, and returns B ids as whole numbers.

    It decides by ids, so what was trained on `Batch`, Gymnasium or PettingZoo plays the same actions here:

        def choose(numbers, masks):
            return np.where(masks, network(numbers), -np.inf).argmax(axis=1)

        meeple.sim(game, [meeple.policy(choose), "random"])

    A turn is a batch of one; `policy(choose)(rows.observations, rows.masks)` decides all rows of a `Batch`.
    """
    return Policy(choose, name)
