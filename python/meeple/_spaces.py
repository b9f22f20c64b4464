"""What environments of Gymnasium and PettingZoo share: spaces, rewards, seeds, refusals."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces

from meeple._errors import UsageError
from meeple._words import REWARDS as REWARDS
from meeple._words import chosen as chosen
from meeple._words import whole
from meeple.episode import Encoding, Game, with_ids

#: What a seat sees: `observation` (float32) and `action_mask` (int8).
Seen = dict[str, np.ndarray[Any, Any]]

#: What becomes of an action that is not legal: an exception, or the rules' fallback action.
ON_ILLEGAL = ("raise", "fallback")


def encoding_of(game: Game) -> Encoding:
    """The encoding of a game whose actions have ids."""
    with_ids(game)
    if game.encoding is None:
        raise UsageError(f"{game.info['id']} has no encoding\nhint: play it by text or JSON, one episode at a time")
    return game.encoding


def observations(game: Game, extra: int = 0) -> spaces.Space[Any]:
    """What a seat sees; `extra` ids stand behind those of the game."""
    encoding = encoding_of(game)
    return spaces.Dict(
        {
            "observation": spaces.Box(encoding.low(), encoding.high(), dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (game.action_bound + extra,), np.int8),
        }
    )


#: Ways to render: `human` prints to the terminal at every step, `rgb_array` is a picture uint8 `[height, width, 3]`, `ansi` a
#: text, `svg` a drawing as text.
RENDER_MODES = ("human", "rgb_array", "ansi", "svg")

#: The width of pictures in pixels.
RENDER_WIDTH = 800


def render_mode_of(mode: str | None) -> str | None:
    """One of `RENDER_MODES`, or nothing."""
    return None if mode is None else chosen("render_mode", mode, RENDER_MODES)


def picture(drawn: tuple[int, int, bytearray]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Pixels as an array, uint8 `[height, width, 3]`."""
    height, width, rgb = drawn
    return np.ndarray((height, width, 3), np.uint8, rgb)


class Run:
    """Which episode comes next: number `index` of the run with this seed."""

    def __init__(self, seed: int | None) -> None:
        self.seed = None if seed is None else whole("seed", seed)
        self.index = -1

    def next(self, seed: int | None) -> tuple[int, int]:
        """A new run if there is a seed, else the next episode of this one."""
        if seed is not None:
            self.seed, self.index = whole("seed", seed), -1
        elif self.seed is None:
            self.seed = secrets.randbits(63)
        self.index += 1
        return self.seed or 0, self.index
