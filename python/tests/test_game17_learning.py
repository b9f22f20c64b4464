"""game17 for learners: factored turns, and their environment."""

from __future__ import annotations

import json
import warnings

import meeple
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from meeple.game17.learning import Env, FactoredTurn

SMALL = {"size": 4, "rounds": 6}


@pytest.fixture(autouse=True)
def known_warnings():
    with warnings.catch_warnings():
        # They are made here, not by gymnasium.make.
        warnings.filterwarnings("ignore", ".*Not able to test alternative render modes.*")
        yield


@pytest.mark.parametrize("reward", ["utility", "score"])
def test_it_passes_the_check(reward):
    check_env(Env(reward=reward, set=SMALL))
    check_env(Env(["t800", "hunter"], reward=reward, set=SMALL, render_mode="ansi"))


def test_ids_are_those_of_a_policy_vector_on_the_usual_board():
    assert Env().action_space.n == FactoredTurn.ids(14) == 14 * 14 * 12 + 1 <= 4096


def test_the_mask_is_what_may_be_taken_and_different_ids_are_different_moves():
    owners, numbers = [7, 7, 7, 1], [1, 2, 5, 9]
    outcomes = set()
    for id in range(FactoredTurn.ids(2)):
        turn = FactoredTurn(7, owners, numbers)
        if not turn.mask()[id]:
            with pytest.raises(meeple.IllegalAction):
                turn.take(id)
            assert not turn.moves and turn.left.tolist() == [1, 2, 5, 0]
            continue
        assert turn.take(id) == (id == turn.bound - 1)
        assert tuple(turn.moves) not in outcomes
        outcomes.add(tuple(turn.moves))
    # One; one and all; one, half and all; in four directions. And done.
    assert len(outcomes) == 4 * (1 + 2 + 3) + 1


def test_every_split_of_a_square_can_be_said():
    for split in np.ndindex(5, 5, 5, 5):
        if sum(split) <= 4:
            turn = FactoredTurn(0, [0], [4])
            for direction, count in enumerate(split):
                for _ in range(count):
                    assert not turn.take(direction * 3)
            said = [sum(count for *_, way, count in turn.moves if way == own) for own in "nsew"]
            assert tuple(said) == split and turn.left[0] == 4 - sum(split)


@pytest.mark.parametrize("opponents", [[], ["t800"]])
def test_episodes_are_those_of_the_run(opponents):
    """Random moves that the mask allows, played again through the general interface."""
    env, rng = Env(opponents, set=SMALL), np.random.default_rng(3)
    for index, seed in enumerate([9, None, None]):
        seen, _ = env.reset(seed=seed)
        turns, moves, over, total = [], env._turn.moves, False, 0.0
        while not over:
            id = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            moves = env._turn.moves
            seen, reward, over, cut, info = env.step(id)
            assert not cut and "illegal_action" not in info
            total += reward
            if id == env.action_space.n - 1:
                turns.append(json.loads(json.dumps(moves)))
        episode = meeple.Game("game17", len(opponents) + 1, set=SMALL).episode(9, index)
        said = iter(turns)
        others = dict(enumerate([*opponents, *["zombie"] * (15 - len(opponents))], 1))
        outcome = episode.play({0: lambda turn, said=said: next(said), **others})
        assert next(said, None) is None
        assert outcome.utilities[0] == total


def test_what_the_mask_forbids_ends_the_turn_or_is_raised():
    env = Env(set=SMALL)
    seen, _ = env.reset(seed=1)
    forbidden = int(seen["action_mask"].argmin())
    assert "hint: " in env.step(forbidden)[4]["illegal_action"]
    env = Env(set=SMALL, on_illegal="raise")
    seen, _ = env.reset(seed=1)
    with pytest.raises(meeple.IllegalAction, match="found 0"):
        env.step(forbidden)
    assert np.array_equal(env.action_masks(), seen["action_mask"].astype(bool))
    with pytest.raises(meeple.UsageError, match="hint: reset"):
        Env(set=SMALL).step(0)
    with pytest.raises(meeple.UsageError, match="list of agents"):
        Env("t800")
