"""How fast the package is: `python benches/python.py`, with a wheel that was built for release installed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import meeple
import numpy as np
from meeple import _meeple, game17, zoo
from meeple.game17 import T800
from meeple.gym import VectorEnv

SECONDS = 1.0


def rate(name: str, unit: str, work: Callable[[], int]) -> None:
    """Prints how many of something are done in a second of processor time; `work` does some and says how many."""
    work()
    began, done = time.process_time(), 0
    while (took := time.process_time() - began) < SECONDS:
        done += work()
    print(f"{name:55} {done / took:>14,.0f} {unit}/s")


def batch(game: str, lanes: int, seats: int) -> Callable[[], int]:
    many = meeple.Batch(game, lanes=lanes, seats=seats)
    rows = many.arrays()
    state = {"count": many.recv_into(rows)}

    def work() -> int:
        count = state["count"]
        state["count"], _ = many.step_into(rows.masks[:count].argmax(axis=1), rows)
        return count

    return work


def choosing(game: str, lanes: int, seats: int) -> Callable[[], int]:
    """What of `batch` is numpy's part: the first legal id of every row, of rows in the middle of their episodes."""
    many = meeple.Batch(game, lanes=lanes, seats=seats)
    rows = many.arrays()
    count = many.recv_into(rows)
    for _ in range(50):
        count, _ = many.step_into(rows.masks[:count].argmax(axis=1), rows)

    def work() -> int:
        rows.masks[:count].argmax(axis=1)
        return count

    return work


def aec(game: str) -> Callable[[], int]:
    env = zoo.env(game, seed=1)
    env.reset()

    def work() -> int:
        for _ in range(100):
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
            else:
                env.step(int(seen["action_mask"].argmax()))
        return 100

    return work


def vector(game: str, opponents: str, count: int) -> Callable[[], int]:
    envs = VectorEnv(game, opponents, num_envs=count, seats=2)
    state = {"mask": envs.reset(seed=1)[0]["action_mask"]}

    def work() -> int:
        state["mask"] = envs.step(state["mask"].argmax(axis=1))[0]["action_mask"]
        return count

    return work


def single(game: meeple.Game) -> Callable[[], int]:
    def work() -> int:
        episode, steps = game.episode(), 0
        while True:
            phase = episode.phase
            if phase.kind == "over":
                return steps
            if phase.kind == "chance":
                episode.step_chance()
            for seat in phase.seats:
                episode.apply(seat, 0)
            steps += max(1, len(phase.seats))

    return work


def zombies(runner: Any) -> Callable[[], int]:
    movers = {0: game17.get_mover_factory(T800.make_moves)}

    def work() -> int:
        runner.vs_zombies(movers, num_games=1)
        return 1

    return work


def in_python() -> ModuleType:
    """game17 in Python and numpy alone, zombies included, as its original plays: what hosts put beside bots."""
    runner = ModuleType("movers")
    exec(_meeple.adapter_file("game17", "_meeple_movers.py"), vars(runner))
    runner.need_numpy()
    return runner


def simulation() -> int:
    return meeple.sim("incan-gold", ["turn:7", "backpack:20", "random:0.2"], n=200_000).episodes


def main() -> None:
    code = "import time; began = time.perf_counter(); import numpy; half = time.perf_counter(); import meeple; "
    code += "print(f'import: {time.perf_counter() - half:.3f} s, and numpy {half - began:.3f} s')"
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout, end="")
    rate("sim, incan-gold, 3 agents", "episodes", simulation)
    rate("Batch, incan-gold, 3 seats, 4,096 lanes, step_into", "rows", batch("incan-gold", 4096, 3))
    rate("of it, choosing in numpy", "rows", choosing("incan-gold", 4096, 3))
    rate("Batch, carcassonne, 2 seats, 256 lanes, step_into", "rows", batch("carcassonne", 256, 2))
    rate("of it, choosing in numpy", "rows", choosing("carcassonne", 256, 2))
    rate("Batch, carcassonne/classic, the same", "rows", batch("carcassonne/classic", 256, 2))
    rate("zoo.env, incan-gold", "steps", aec("incan-gold"))
    rate("VectorEnv, incan-gold, turn:7, 64 tables", "steps", vector("incan-gold", "turn:7", 64))
    rate("Episode, incan-gold, 2 seats, by index", "steps", single(meeple.Game("incan-gold", 2)))
    rate("Episode, carcassonne, 2 seats, by index", "steps", single(meeple.Game("carcassonne", 2)))
    np.random.seed(1)
    rate("game17, vs_zombies, T800", "games", zombies(game17))
    np.random.seed(1)
    rate("the same in Python and numpy alone", "games", zombies(in_python()))
    print(f"numpy {np.__version__}, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
