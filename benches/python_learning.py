"""Ratios that learners meet: `VectorEnv` against `Env`, `meeple.spiel` against OpenSpiel's own games, lazy turns against eager ones.

`python benches/python_learning.py [vector] [spiel] [turns]`, with a wheel that was built for release installed. Both sides of a ratio
run in turns, by processor time, so that other work on the machine meets both.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import meeple
import numpy as np

SLICE_S = 0.1
SLICES = 10

#: Work in pieces: each `next` does one and gives how many moves it made and how long they took, choosing apart.
Pieces = Iterator[tuple[int, float]]


def rates(sides: dict[str, Pieces], slices: int = SLICES) -> dict[str, float]:
    """Moves per second of processor time, of several sides in turns."""
    done, took = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0.0)
    for _ in range(slices):
        for name, pieces in sides.items():
            until = time.process_time() + SLICE_S
            while time.process_time() < until:
                count, seconds = next(pieces)
                done[name], took[name] = done[name] + count, took[name] + seconds
    return {name: done[name] / took[name] for name in sides}


def drawn(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal id by row."""
    rows, ids = np.nonzero(masks)
    starts = np.searchsorted(rows, np.arange(len(masks)))
    counts = np.bincount(rows, minlength=len(masks))
    return ids[np.minimum(starts + rng.integers(0, np.maximum(counts, 1)), len(ids) - 1)]


def env(game: str, opponents: str, steps: int = 200) -> Pieces:
    from meeple.gym import Env

    one, rng, clock = Env(game, opponents, seats=2), np.random.default_rng(1), time.process_time
    seen, _ = one.reset(seed=1)
    while True:
        took = 0.0
        for _ in range(steps):
            ids = np.flatnonzero(seen["action_mask"])
            action = int(ids[rng.integers(len(ids))])
            began = clock()
            seen, _, over, _, _ = one.step(action)
            if over:
                seen, _ = one.reset()
            took += clock() - began
        yield steps, took


def vector(game: str, opponents: str, count: int, threads: int = 1) -> Pieces:
    from meeple.gym import VectorEnv

    many = VectorEnv(game, opponents, num_envs=count, seats=2, threads=threads, autoreset_mode="SameStep")
    rng, clock = np.random.default_rng(1), time.process_time
    seen, _ = many.reset(seed=1)
    while True:
        actions = drawn(seen["action_mask"], rng)
        began = clock()
        seen = many.step(actions)[0]
        yield count, clock() - began


def batch(game: str, opponents: str, count: int) -> Pieces:
    many = meeple.Batch(game, lanes=count, seats=2, opponents={1: opponents})
    rows, clock = many.arrays(), time.process_time
    many.recv_into(rows)
    while True:
        ids = many.sample()
        began = clock()
        many.step_into(ids, rows)
        yield count, clock() - began


def vectors(counts: tuple[int, ...] = (8, 32, 128)) -> None:
    print("steps per second of processor time, one thread, random legal actions, choosing apart")
    for game, opponents in (
        ("carcassonne", "random"),
        ("carcassonne/classic", "random"),
        ("cartolan", "random"),
        ("privateers", "random"),
        ("incan-gold", "random"),
        ("carcassonne", "greedy"),
        ("cartolan", "merchant"),
    ):
        sides = {"Env": env(game, opponents), "Batch 128": batch(game, opponents, 128)}
        sides |= {f"VectorEnv {count}": vector(game, opponents, count) for count in counts}
        told = rates(sides)
        shown = ", ".join(f"{name} {rate:,.0f} ({rate / told['Env']:.2f})" for name, rate in told.items())
        print(f"{game} against {opponents}: {shown}", flush=True)


def moves(game: Any, tensors: bool, episodes: int = 1) -> Pieces:
    """Random play of a game of OpenSpiel: a look at who decides, the legal actions, perhaps a tensor, and a move."""
    rng, clock = random.Random(1), time.process_time
    while True:
        count, began = 0, clock()
        for _ in range(episodes):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    numbers, shares = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(numbers, shares)[0])
                    continue
                if state.is_simultaneous_node():
                    legal = [state.legal_actions(seat) or [0] for seat in range(state.num_players())]
                    if tensors:
                        _ = [state.observation_tensor(seat) for seat in range(state.num_players())]
                    state.apply_actions([rng.choice(ids) for ids in legal])
                    count += len(legal)
                    continue
                legal = state.legal_actions()
                if tensors:
                    state.observation_tensor(state.current_player())
                state.apply_action(legal[int(rng.random() * len(legal))])
                count += 1
        yield count, clock() - began


def nothing() -> Any:
    """A game in Python that does nothing for 40 moves: what OpenSpiel's calls into Python cost by themselves."""
    import pyspiel

    kinds = pyspiel.GameType
    kind = kinds(
        short_name="meeple_benchmark_of_nothing",
        long_name="Nothing",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=7,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=40,
    )
    ids = list(range(7))

    class Observer:
        def __init__(self) -> None:
            self.tensor = np.zeros(126, np.float32)
            self.dict = {"nothing": self.tensor}

        def set_from(self, state: Any, player: int) -> None:
            pass

        def string_from(self, state: Any, player: int) -> str:
            return ""

    class Nothing(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Any:
            return NothingState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer()

    class NothingState(pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.moves = 0

        def current_player(self) -> int:
            return 0 if self.moves < 40 else -4

        def _legal_actions(self, player: int) -> list[int]:
            return ids

        def _apply_action(self, action: int) -> None:
            self.moves += 1

        def is_terminal(self) -> bool:
            return self.moves >= 40

        def returns(self) -> list[float]:
            return [0.0, 0.0]

    pyspiel.register_game(kind, Nothing)
    return pyspiel.load_game("meeple_benchmark_of_nothing")


def spiels() -> None:
    import open_spiel.python.games  # noqa: F401
    import pyspiel
    from meeple import spiel

    print("moves of seats per second of processor time, random play through Python, chance included")
    games = {name: pyspiel.load_game(name) for name in ("connect_four", "python_tic_tac_toe")}
    games["a Python game that does nothing"] = nothing()
    for name in ("incan-gold", "carcassonne", "carcassonne/classic", "cartolan"):
        games[f"meeple {name}"] = spiel.load_game(name, 2, information_states=False)
        games[f"meeple {name}, information states"] = spiel.load_game(name, 2)
    for tensors in (False, True):
        for name, rate in rates({name: moves(game, tensors) for name, game in games.items()}, 5).items():
            print(f"{name}, {'with' if tensors else 'without'} tensors: {rate:,.0f}", flush=True)


def turns() -> None:
    """Episodes of players in Python that look at their observation, or do not."""

    def blind(turn: meeple.Turn) -> str:
        return "stay"

    def looking(turn: meeple.Turn) -> str:
        return "stay" if turn.observation else "leave"

    def numbers(turn: meeple.Turn) -> str:
        return "stay" if turn.numbers is not None else "leave"

    def sims(player: Any) -> Pieces:
        while True:
            began = time.process_time()
            meeple.sim("incan-gold", [player, "turn:7"], n=500)
            yield 500, time.process_time() - began

    print("episodes of Incan Gold per second of processor time, a player in Python against turn:7")
    sides = {"a player that looks at nothing": blind, "at its numbers": numbers, "at its observation": looking}
    for name, rate in rates({name: sims(player) for name, player in sides.items()}, 5).items():
        print(f"{name}: {rate:,.0f}", flush=True)


if __name__ == "__main__":
    parts = {"vector": vectors, "spiel": spiels, "turns": turns}
    for part in sys.argv[1:] or list(parts):
        parts[part]()
