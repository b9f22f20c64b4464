"""Parts that environments of Gymnasium, PettingZoo and Stable-Baselines3 share: options, spaces, seeds,
drawings and names."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces

from meeple._errors import UsageError
from meeple._words import REWARDS as REWARDS
from meeple._words import Settings, whole
from meeple._words import chosen as chosen
from meeple.episode import Encoding, Game, with_ids
from meeple.laboratory import games

#: The observation of a seat: `observation` (float32) and `action_mask` (int8).
Seen = dict[str, np.ndarray[Any, Any]]

#: Pixels, uint8 `[height, width, 3]`.
Picture = np.ndarray[Any, np.dtype[np.uint8]]

#: Consequences of an illegal action: an exception, or the rules' fallback action in its place.
ON_ILLEGAL = ("raise", "fallback")


def encoding_of(game: Game) -> Encoding:
    """The encoding of a game. Raises `UsageError` for a game whose actions have no ids."""
    with_ids(game)
    if game.encoding is None:
        raise UsageError(f"{game.info['id']} has no encoding\nhint: play it by text or JSON, one episode at a time")
    return game.encoding


def observations(game: Game, extra: int = 0) -> spaces.Space[Any]:
    """The space of a seat's observations. Masks have `extra` ids after those of the game."""
    encoding = encoding_of(game)
    return masked(encoding.low(), encoding.high(), game.action_bound + extra)


def masked(low: np.ndarray[Any, Any], high: np.ndarray[Any, Any], bound: int) -> spaces.Space[Any]:
    """The space of observations within these bounds, with masks of `bound` ids."""
    return spaces.Dict(
        {
            "observation": spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (bound,), np.int8),
        }
    )


#: Render modes. `human` prints to the terminal at every step, and `rgb_array` gives a picture, uint8
#: `[height, width, 3]`. `ansi` gives a text, and `svg` a drawing as text.
RENDER_MODES = ("human", "rgb_array", "ansi", "svg")

#: Width of pictures, in pixels.
RENDER_WIDTH = 800


class Options(TypedDict, total=False):
    """Options of every environment."""

    #: Number of named players, within the bounds of the game.
    seats: int | None
    #: Variant parameters.
    set: Settings | None
    #: `utility` (-1 to 1 at the end, zero in sum; default) or `score` (the change of the learner's own
    #: score).
    reward: str
    #: `raise` or `fallback`. An action that the mask forbids is an exception, or the rules' fallback action
    #: replaces it and the info reports that.
    on_illegal: str
    #: Seed of the run whose episodes are played, from 0 to 2**64 - 1; drawn at random by default.
    seed: int | None
    #: `human`, `rgb_array`, `ansi` or `svg`; by default nothing is drawn.
    render_mode: str | None


def render_mode_of(mode: str | None) -> str | None:
    """Checks that a mode is one of `RENDER_MODES` or `None`, and returns it."""
    return None if mode is None else chosen("render_mode", mode, RENDER_MODES)


def rendered(
    mode: str | None, pixels: Callable[[], Picture], svg: Callable[[], str], screen: Callable[[], str]
) -> Any:
    """A table in a render mode: an array uint8 `[height, width, 3]`, or a text. `human` prints it; without a
    mode the result is `None`."""
    if mode is None:
        return None
    if mode == "rgb_array":
        return pixels()
    if mode == "svg":
        return svg()
    if mode == "ansi":
        return screen()
    print(screen(), flush=True)
    return None


def registered_names() -> Iterator[tuple[str, str]]:
    """The games whose actions have ids, each with its name in a registry: `meeple/NAME-vN`. N is the version
    of the game's rules."""
    for name, facts in games().items():
        if facts["actions"] != "structured":
            yield name, f"meeple/{name}-v{facts['rules_version']}"


def picture(drawn: tuple[int, int, bytearray]) -> Picture:
    """Pixels as an array, uint8 `[height, width, 3]`."""
    height, width, rgb = drawn
    return np.ndarray((height, width, 3), np.uint8, rgb)


class Run:
    """Position in a run: the next episode is number `index` of the run with this seed."""

    def __init__(self, seed: int | None) -> None:
        self.seed = None if seed is None else whole("seed", seed)
        self.index = -1

    def next(self, seed: int | None) -> tuple[int, int]:
        """Moves to the first episode of a new run if a seed is given, otherwise to the next episode."""
        if seed is not None:
            self.seed, self.index = whole("seed", seed), -1
        elif self.seed is None:
            self.seed = secrets.randbits(63)
        self.index += 1
        return self.seed or 0, self.index
