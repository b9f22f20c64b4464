"""Trained policies as players."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from meeple._errors import UsageError
from meeple.episode import Id, Turn, with_ids

#: A function that chooses for B decisions. It gets encoded observations, float32 `[B, features]`, and masks,
#: int8 `[B, n_actions]`. It returns ids, `[B]`.
Chooser = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], npt.ArrayLike]


class Policy:
    """A policy as a player of `sim`, `sweep`, `tournament` and `Episode.play`. `policy` makes it."""

    def __init__(self, choose: Chooser, name: str | None = None) -> None:
        if not callable(choose):
            raise UsageError(f"policy: expected a function of numbers and masks, found {choose!r}")
        self._choose = choose
        #: The player's name in tables.
        self.__name__ = name or getattr(choose, "__name__", type(choose).__name__)

    def __call__(self, numbers: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """The ids that the policy chooses for a batch, int64 `[B]`, as `Batch.send` takes them.

        Raises `UsageError` if the function returns anything but B whole numbers.
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
    """Makes a player from a function of a batch, `choose(numbers, masks)`. The function gets float32 `[B,
    features]` and int8 `[B, n_actions]`; a mask is 1 for legal ids. It returns B ids as whole numbers.

    The player decides by ids. A policy trained on `Batch`, Gymnasium or PettingZoo therefore plays the same
    actions here:

        def choose(numbers, masks):
            return np.where(masks, network(numbers), -np.inf).argmax(axis=1)

        meeple.sim(game, [meeple.policy(choose), "random"])

    A turn is a batch of one; `policy(choose)(rows.observations, rows.masks)` decides all rows of a `Batch`.
    """
    return Policy(choose, name)
