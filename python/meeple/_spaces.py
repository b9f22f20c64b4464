"""Parts that environments of Gymnasium, PettingZoo and Stable-Baselines3 share: options, spaces, seeds, drawings, names."""

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

#: What a seat sees: `observation` (float32) and `action_mask` (int8).
Seen = dict[str, np.ndarray[Any, Any]]

#: Pixels, uint8 `[height, width, 3]`.
Picture = np.ndarray[Any, np.dtype[np.uint8]]

#: What becomes of an action that is not legal: an exception, or the rules' fallback action.
ON_ILLEGAL = ("raise", "fallback")


def encoding_of(game: Game) -> Encoding:
    """The encoding of a game whose actions have ids."""
    with_ids(game)
    if game.encoding is None:
        raise UsageError(f"{game.info['id']} has no encoding\nhint: play it by text or JSON, one episode at a time")
    return game.encoding


def observations(game: Game, extra: int = 0) -> spaces.Space[Any]:
    """The space of what a seat sees; `extra` ids stand behind those of the game."""
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


#: Ways to render: `human` prints to the terminal at every step, `rgb_array` is a picture uint8 `[height, width, 3]`, `ansi` a
#: text, `svg` a drawing as text.
RENDER_MODES = ("human", "rgb_array", "ansi", "svg")

#: The width of pictures in pixels.
RENDER_WIDTH = 800


class Options(TypedDict, total=False):
    """Options of every environment."""

    #: Players that are named, from the fewest to the most of the game.
    seats: int | None
    #: Parameters of the rules.
    set: Settings | None
    #: `utility` (-1 to 1 at the end, zero in sum; default) or `score` (the change of the own score).
    reward: str
    #: `raise` or `fallback`, for an action that the mask forbids: an exception, or the rules' fallback action, reported in the info.
    on_illegal: str
    #: Seed of the run whose episodes are played, from 0 to 2**64 - 1; drawn without one.
    seed: int | None
    #: `human`, `rgb_array`, `ansi` or `svg`; nothing is drawn without one.
    render_mode: str | None


def render_mode_of(mode: str | None) -> str | None:
    """One of `RENDER_MODES`, or nothing."""
    return None if mode is None else chosen("render_mode", mode, RENDER_MODES)


def rendered(
    mode: str | None, pixels: Callable[[], Picture], svg: Callable[[], str], screen: Callable[[], str]
) -> Any:
    """A table in a render mode: an array uint8 `[height, width, 3]`, a text, or `None` where there is no mode; `human` prints it."""
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
    """Games whose actions have ids, each with its name in a registry: `meeple/NAME-vN`, where N is the version of its rules."""
    for name, facts in games().items():
        if facts["actions"] != "structured":
            yield name, f"meeple/{name}-v{facts['rules_version']}"


def picture(drawn: tuple[int, int, bytearray]) -> Picture:
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
