"""game17 for learners: factored turns, and their environment."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from types import SimpleNamespace

import meeple
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from meeple.game17 import zoo
from meeple.game17.learning import Env, FactoredTurn
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from test_zoo import KNOWN

SMALL = {"size": 4, "rounds": 6}


@pytest.fixture(autouse=True)
def known_warnings():
    with warnings.catch_warnings():
        # The environments are not made by gymnasium.make.
        warnings.filterwarnings("ignore", ".*Not able to test alternative render modes.*")
        for message in KNOWN:
            warnings.filterwarnings("ignore", message)
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
    # Amounts by rest are one; one and all; one, half and all, each in four directions. The last id ends the
    # turn.
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
    """Random moves that the mask allows are played again through the general interface."""
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


@pytest.mark.parametrize("reward", ["utility", "score"])
def test_the_environments_of_pettingzoo_pass_the_checks(reward, capsys):
    options = {"set": SMALL, "reward": reward}
    api_test(zoo.env(**options, seed=1), num_cycles=400)
    seed_test(lambda: zoo.env(**options), 200)
    parallel_api_test(zoo.parallel_env(**options, seed=1), num_cycles=200)
    parallel_seed_test(lambda: zoo.parallel_env(**options, on_illegal="fallback"), 100)


def test_cycles_are_cut_as_the_check_counts_them():
    options = {"set": {"size": 4, "rounds": 500}, "seats": 1, "on_illegal": "fallback", "seed": 1}

    def seeded(env):
        # The check draws actions from the spaces, whose draws differ between runs, and some of them end the
        # game at once.
        for agent in env.possible_agents:
            env.action_space(agent).seed(5)
        return env

    module = SimpleNamespace(
        env=lambda max_cycles: seeded(zoo.env(max_cycles=max_cycles, **options)),
        parallel_env=lambda max_cycles: seeded(zoo.parallel_env(max_cycles=max_cycles, **options)),
    )
    max_cycles_test(module)


def test_cycles_are_cut():
    env = zoo.env(set=SMALL, seats=1, max_cycles=3)
    env.reset(seed=2)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert all(env.truncations.values())
    env = zoo.parallel_env(set=SMALL, max_cycles=3)
    seen, _ = env.reset(seed=2)
    for cycle in range(1, 4):
        seen, _, _, cut, _ = env.step({agent: int(see["action_mask"].argmax()) for agent, see in seen.items()})
        assert set(cut.values()) == {cycle == 3}


def ended(env, rng):
    """The steps of an episode that random legal actions play to its end."""
    while env.agents:
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return env.episode.steps


def test_a_copy_in_the_middle_of_a_turn_goes_on_as_the_original():
    env = zoo.env(set=SMALL)
    env.reset(seed=3)
    for _ in range(2):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert env._table.turn.moves
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    found = [ended(one, np.random.default_rng(4)) for one in (env, *copies)]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("make", [zoo.env, zoo.parallel_env])
def test_tables_with_zombies_are_rendered(make, capsys):
    """Zombies have seats in the drawing too, so names of learners alone were once refused."""
    for mode in ("rgb_array", "ansi", "svg", "human"):
        env = make(seats=2, set=SMALL, seed=1, render_mode=mode)
        env.reset()
        shown = env.render()
        if mode == "rgb_array":
            assert shown.dtype == np.uint8 and shown.shape[1:] == (800, 3) and len(np.unique(shown)) > 2
        else:
            assert "seat_1" in (capsys.readouterr().out if mode == "human" else shown)
