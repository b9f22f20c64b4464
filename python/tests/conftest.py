"""Parts that the tests share: the binary that the package is compared with, and all games."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import meeple
import pytest

# In the background of a shell Ctrl-C is ignored, and Python keeps that. Tests that send it would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: All games, and those that learners can play: their actions have ids, and they have an encoding.
GAMES = list(meeple.games())
LISTED = [name for name in GAMES if meeple.Game(name).encoding and meeple.Game(name).action_bound]
#: All presets, as `GAME/PRESET`.
PRESETS = [f"{name}/{preset['name']}" for name, game in meeple.games().items() for preset in game["presets"]]


def demo(game: str) -> list[str]:
    """The demo line-up of a game."""
    return list(meeple.games()[game.split("/")[0]]["demo"])


def taken(episode: meeple.Episode, seat: int, number: int) -> str:
    """The text of the action with an id."""
    other = episode.copy()
    other.apply_id(seat, number)
    held = dict(other._native.save()[1])
    mine = [step for step in other.steps[len(episode.steps) :] if step.startswith(f"{seat} ")]
    return held[seat] if seat in held else mine[0].split(" ", 1)[1]


@pytest.fixture(scope="session")
def binary() -> Callable[..., Any]:
    """Runs the binary. Returns its JSON, its text if `prints` is false, or its error message."""
    path = os.environ.get("MEEPLE_BINARY") or shutil.which("meeple")
    if not path:
        assert os.environ.get("CI") != "true", "MEEPLE_BINARY is not set"
        pytest.skip("MEEPLE_BINARY is not set: there is no binary to compare with")

    def run(*words: str, fails: bool = False, prints: bool = True) -> Any:
        done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == fails, done.stderr
        if fails:
            return done.stderr.removeprefix("error: ")
        return json.loads(done.stdout) if prints else None

    return run
