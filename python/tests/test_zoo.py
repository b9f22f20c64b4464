"""Environments of PettingZoo, by its own checks. Its warnings are errors, except those listed below."""

from __future__ import annotations

import copy
import warnings
from types import SimpleNamespace

import meeple
import numpy as np
import pettingzoo
import pytest
from conftest import LISTED
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from meeple import zoo

#: Known warnings. Some concern masks in observations, which the checks accept only for environments on a list
#: of their own. Others concern seats without a legal action after the end.
KNOWN = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros",
]


@pytest.fixture(autouse=True)
def known_warnings():
    with warnings.catch_warnings():
        for message in KNOWN:
            warnings.filterwarnings("ignore", message)
        yield


@pytest.mark.parametrize("reward", ["utility", "score"])
@pytest.mark.parametrize("game", LISTED)
def test_aec_passes_the_checks(game, reward, capsys):
    api_test(zoo.env(game, reward=reward, seed=1), num_cycles=600)
    seed_test(lambda: zoo.env(game, reward=reward), 200)


@pytest.mark.parametrize("game", LISTED)
def test_parallel_passes_the_checks(game, capsys):
    parallel_api_test(zoo.parallel_env(game, seed=1), num_cycles=300)
    parallel_seed_test(lambda: zoo.parallel_env(game), 100)


def test_cycles_are_cut_where_all_decide_at_once():
    # The check counts the turns of every agent, and takes actions without masks, so no agent may leave early.
    game = meeple.Game("incan-gold", 1)
    options = {"on_illegal": "fallback", "seed": 1}
    module = SimpleNamespace(
        env=lambda max_cycles: zoo.env(game, max_cycles=max_cycles, **options),
        parallel_env=lambda max_cycles: zoo.parallel_env(game, max_cycles=max_cycles, **options),
    )
    max_cycles_test(module)


@pytest.mark.parametrize("game", LISTED)
def test_cycles_are_cut(game):
    env = zoo.parallel_env(game, max_cycles=3)
    seen, _ = env.reset(seed=2)
    for cycle in range(1, 4):
        seen, _, over, cut, _ = env.step({agent: see["action_mask"].argmax() for agent, see in seen.items()})
        assert set(cut.values()) == {cycle == 3} and not any(over.values())
    assert env.agents == []
    env = zoo.env(game, max_cycles=3)
    env.reset(seed=2)
    asked = dict.fromkeys(env.agents, 0)
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        asked[agent] += not cut
        env.step(None if over or cut else seen["action_mask"].argmax())
    assert max(asked.values()) == 3


@pytest.mark.parametrize("game", LISTED)
def test_both_play_the_episodes_of_the_run(game):
    aec, parallel = zoo.env(game), zoo.parallel_env(game)
    aec.reset(seed=7)
    seen, _ = parallel.reset(seed=7)
    first = 0
    for agent in aec.agent_iter():
        view, reward, over, _, _ = aec.last()
        if over:
            break
        aec.step(view["action_mask"].argmax())
    total = dict.fromkeys(parallel.agents, 0.0)
    while parallel.agents:
        seen, rewards, _, _, _ = parallel.step({agent: see["action_mask"].argmax() for agent, see in seen.items()})
        total = {agent: total[agent] + reward for agent, reward in rewards.items()}
    played = meeple.Game(game).episode(seed=7, index=first)
    while not played.is_over:
        if not played.step_chance():
            seat = played.phase.seats[0]
            played.apply_id(seat, played.mask(seat).argmax())
    assert aec.episode.steps == parallel.episode.steps == played.steps
    assert played.outcome is not None and tuple(total.values()) == played.outcome.utilities
    assert tuple(aec._cumulative_rewards.values()) == played.outcome.utilities


@pytest.mark.parametrize("game", LISTED)
def test_scores_as_rewards_sum_up_to_the_scores(game):
    env = zoo.parallel_env(game, reward="score")
    seen, _ = env.reset(seed=5)
    total, begun = np.zeros(len(env.agents)), np.array(env.episode.scores)
    while env.agents:
        seen, rewards, _, _, _ = env.step({agent: see["action_mask"].argmax() for agent, see in seen.items()})
        total += list(rewards.values())
    assert (begun + total).tolist() == list(env.episode.scores)


def test_resets_without_a_seed_go_on_in_the_run():
    env = zoo.env("incan-gold", seed=4)
    env.reset()
    first = env.episode.replay()
    env.reset()
    assert env.episode.replay() == env.game.episode(seed=4, index=1).replay() or env.episode.steps
    env.reset(seed=4)
    assert env.episode.replay() == first
    drawn = zoo.env("incan-gold")
    drawn.reset()
    other = zoo.env("incan-gold")
    other.reset()
    assert drawn._table.run.seed != other._table.run.seed


def test_illegal_actions_are_refused_or_replaced():
    env = zoo.env("carcassonne")
    env.reset(seed=1)
    forbidden = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    before = env.episode.steps
    for wrong in (forbidden, -1, 10**6):
        with pytest.raises(meeple.IllegalAction, match=r"no legal action has the id .*\nhint|no legal action has the id"):
            env.step(wrong)
    for wrong in (0.5, "0", None):
        with pytest.raises(meeple.UsageError, match="expected the id of an action"):
            env.step(wrong)
    assert env.episode.steps == before
    env = zoo.env("carcassonne", on_illegal="fallback")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(forbidden)
    assert "no legal action has the id" in env.infos[agent]["illegal_action"]


def test_waiting_is_the_only_choice_of_who_owes_nothing():
    env = zoo.parallel_env("carcassonne", seats=2, on_illegal="raise")
    seen, _ = env.reset(seed=1)
    waiting = next(agent for agent, see in seen.items() if see["action_mask"][-1])
    deciding = next(agent for agent in env.agents if agent != waiting)
    assert seen[waiting]["action_mask"].sum() == 1 and not seen[deciding]["action_mask"][-1]
    legal = int(seen[deciding]["action_mask"].argmax())
    before = env.episode.steps
    with pytest.raises(meeple.IllegalAction, match=r"owes no decision\nhint: it waits, with the id"):
        env.step({deciding: legal, waiting: 0})
    with pytest.raises(meeple.UsageError, match=f"expected an action of {deciding}, found none"):
        env.step({waiting: env._table.wait})
    with pytest.raises(meeple.IllegalAction, match="no legal action has the id"):
        env.step({deciding: env._table.wait, waiting: env._table.wait})
    assert env.episode.steps == before
    env.step({deciding: legal, waiting: env._table.wait})


def test_masks_stand_in_the_observation_and_in_the_info():
    env = zoo.env("privateers")
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    assert (seen["action_mask"] == info["action_mask"]).all()
    assert not np.shares_memory(seen["action_mask"], info["action_mask"])


def test_pictures_and_closing():
    env = zoo.env("incan-gold", render_mode="ansi")
    with pytest.raises(meeple.UsageError, match=r"hint: call reset\(\) first"):
        env.render()
    env.reset(seed=1)
    assert "seat_0" in env.render()
    env.close()
    with pytest.raises(meeple.UsageError, match=r"hint: call reset\(\) first"):
        env.observe("seat_0")
    svg = zoo.parallel_env("incan-gold", render_mode="svg")
    svg.reset(seed=1)
    assert svg.render().startswith("<svg")


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("game17", {}, "the actions of game17 have no ids\nhint: "),
        ("incan-gold", {"reward": "x"}, "reward: expected one of utility, score, found 'x'"),
        ("incan-gold", {"on_illegal": "x"}, "on_illegal: expected one of raise, fallback"),
        ("incan-gold", {"render_mode": "x"}, "render_mode: expected one of human, rgb_array, ansi, svg"),
        ("incan-gold", {"max_cycles": 0}, "max_cycles: expected a whole number from 1"),
        ("incan-gld", {}, "unknown game 'incan-gld'"),
    ],
)
def test_wrong_environments_are_refused(game, options, message):
    for make in (zoo.env, zoo.parallel_env):
        with pytest.raises(meeple.UsageError, match=message):
            make(game, **options)


@pytest.mark.parametrize("game", LISTED)
def test_environments_are_registered(game, capsys):
    id = f"meeple/{game}-v{meeple.games()[game]['rules_version']}"
    one, other = pettingzoo.make("aec", id, seed=3), zoo.env(game, seed=3)
    one.reset()
    other.reset()
    assert one.agents == other.agents and one.episode.steps == other.episode.steps
    both = pettingzoo.make("parallel", id, max_cycles=2)
    both.reset(seed=3)
    assert both.episode.steps == other.episode.steps and both._table.max_cycles == 2


@pytest.mark.parametrize("make", [zoo.env, zoo.parallel_env])
def test_tables_are_rendered(make, capsys):
    env = make("carcassonne", seats=2, seed=1, render_mode="rgb_array")
    env.reset()
    assert env.render().dtype == np.uint8 and env.render().shape[1:] == (800, 3) and len(np.unique(env.render())) > 10
    env = make("carcassonne", seats=2, seed=1, render_mode="human")
    env.reset()
    assert capsys.readouterr().out == env.episode.screen("all", env.agents) + "\n" and env.render() is None
    action = env.episode.legal_ids(0)[0]
    env.step(action if make is zoo.env else {"seat_0": action, "seat_1": env.game.action_bound})
    assert capsys.readouterr().out == env.episode.screen("all", env.agents) + "\n"


@pytest.mark.parametrize("make", [zoo.env, zoo.parallel_env])
def test_a_shallow_copy_shares_no_table(make):
    env = make("incan-gold", seats=2, seed=1)
    env.reset()
    copied = copy.copy(env)
    copied.step(1 if make is zoo.env else {"seat_0": 1, "seat_1": 1})
    assert len(copied.episode.steps) != len(env.episode.steps) or copied.episode._native.save() != env.episode._native.save()
    assert copied.episode is not env.episode
