"""Environments of Gymnasium, by its own checks."""

from __future__ import annotations

import copy
import warnings

import gymnasium
import meeple
import numpy as np
import pytest
from conftest import LISTED, taken
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from meeple.gym import Env, VectorEnv


@pytest.fixture(autouse=True)
def known_warnings():
    with warnings.catch_warnings():
        # The environments are not made by gymnasium.make.
        warnings.filterwarnings("ignore", ".*Not able to test alternative render modes.*")
        yield


def first_legal(mask):
    return mask.argmax(axis=-1)


@pytest.mark.parametrize("reward", ["utility", "score"])
@pytest.mark.parametrize("game", LISTED)
def test_an_environment_passes_the_check(game, reward):
    check_env(Env(game, "random", reward=reward))
    check_env(Env(game, "random", reward=reward, seat=1, render_mode="ansi"))


@pytest.mark.parametrize("game", LISTED)
def test_episodes_are_those_of_the_run(game):
    env = Env(game, "random", seat=1)
    for index, seed in enumerate([9, None, None]):
        seen, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            seen, reward, over, cut, info = env.step(first_legal(seen["action_mask"]))
            assert not cut
            total += reward
        episode = meeple.Game(game).episode(seed=9, index=index)
        players = ["random"] * episode.game.seats
        outcome = episode.play({**dict(enumerate(players)), 1: lambda turn: taken(turn._episode, turn.seat, turn.mask.argmax())})
        assert outcome.utilities[1] == total


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("game", LISTED)
def test_tables_side_by_side_are_single_ones(game, mode):
    ours = VectorEnv(game, "random", num_envs=3, autoreset_mode=mode)
    single = SyncVectorEnv([lambda: Env(game, "random") for _ in range(3)], autoreset_mode=mode)
    for one in (ours, single):
        assert one.metadata["autoreset_mode"] == mode
    seen, info = ours.reset(seed=5)
    other, said = single.reset(seed=5)
    assert data_equivalence(seen, other, exact=True) and data_equivalence(info, said, exact=True)
    ended = 0
    for _ in range(400):
        actions = first_legal(seen["action_mask"])
        mine, theirs = ours.step(actions), single.step(actions)
        assert data_equivalence(mine, theirs, exact=True)
        seen = mine[0]
        assert seen in ours.observation_space
        ended += int(mine[2].sum())
        if ended > 4:
            break
    assert ended > 0 or game.startswith("c")


def test_masks_stand_in_three_places():
    env = Env("privateers", "random", seats=3)
    seen, info = env.reset(seed=1)
    assert (seen["action_mask"] == info["action_mask"]).all() and (env.action_masks() == seen["action_mask"]).all()
    assert env.action_masks().dtype == np.bool_
    assert env.action_space.sample(mask=seen["action_mask"]) in np.flatnonzero(seen["action_mask"])
    envs = VectorEnv("privateers", "random", seats=3, num_envs=2)
    seen, info = envs.reset(seed=1)
    assert (seen["action_mask"] == info["action_mask"]).all() and (envs.action_masks() == seen["action_mask"]).all()


def test_illegal_actions_are_told_or_raised():
    env = Env("carcassonne", "random", seats=2)
    seen, _ = env.reset(seed=1)
    forbidden = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    _, _, _, _, info = env.step(forbidden)
    assert "no legal action has the id" in info["illegal_action"]
    env = Env("carcassonne", "random", seats=2, on_illegal="raise")
    env.reset(seed=1)
    with pytest.raises(meeple.IllegalAction, match="no legal action has the id"):
        env.step(forbidden)
    with pytest.raises(meeple.UsageError, match="expected the id of an action"):
        env.step(0.5)


def test_opponents_by_seat_and_in_order():
    ordered = Env("incan-gold", ["turn:7", "random"], seat=1)
    by_seat = Env("incan-gold", {0: "turn:7", 2: "random"}, seat=1)
    for env in (ordered, by_seat):
        env.reset(seed=1)
        over = False
        while not over:
            seen, reward, over, _, _ = env.step(1)
    assert ordered.game.seats == 3
    assert ordered._tables.lanes.result(0) == by_seat._tables.lanes.result(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "game17"}, "the actions of game17 have no ids"),
        ({"opponents": ["turn:7"], "seats": 3}, r"opponents: expected agents for the seats 1, 2, found \['turn:7'\]"),
        ({"opponents": "trun:7"}, "unknown agent 'trun'"),
        ({"opponents": {0: "turn:7"}}, "opponents: expected agents for the seats 1"),
        ({"seat": 9}, "seat: expected a whole number from 0 to"),
        ({"reward": "x"}, "reward: expected one of utility, score"),
    ],
)
def test_wrong_environments_are_refused(options, message):
    with pytest.raises(meeple.UsageError, match=message):
        Env(**{"game": "incan-gold", "opponents": "random", **options})


def test_wrong_calls_are_refused():
    env = Env("incan-gold", "turn:7", seats=2)
    with pytest.raises(meeple.IllegalAction, match=r"hint: call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(meeple.UsageError, match="found one that is closed"):
        env.reset()
    envs = VectorEnv("incan-gold", "turn:7", seats=2, num_envs=2)
    envs.reset(seed=1)
    for wrong in ([0], [0.0, 0.0], [[0, 0]]):
        with pytest.raises(meeple.UsageError, match="actions: expected whole numbers of the shape"):
            envs.step(np.array(wrong))
    with pytest.raises(meeple.UsageError, match="seed: expected one for each of 2 tables, found 1"):
        envs.reset(seed=[1])
    with pytest.raises(meeple.UsageError, match="reset_mask: expected an array of bool"):
        envs.reset(options={"reset_mask": np.array([0, 1])})


def test_a_step_after_the_end_is_refused():
    env = Env("incan-gold", [], seat=0)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(1)
    with pytest.raises(meeple.IllegalAction, match="the episode is over"):
        env.step(1)


def test_it_can_be_registered_and_wrapped():
    gymnasium.register("MeepleTest-v0", entry_point=lambda **options: Env("incan-gold", "turn:7", seats=2, **options))
    env = gymnasium.make("MeepleTest-v0")
    env = gymnasium.wrappers.FlattenObservation(env)
    seen, _ = env.reset(seed=1)
    assert seen.shape == (2 + env.unwrapped.game.encoding.size,)
    env.close()




def test_an_environment_is_not_copied_in_silence():
    env = Env("incan-gold", "turn:7", seats=2)
    for attempt in (copy.copy, copy.deepcopy):
        with pytest.raises(meeple.UsageError, match="cannot be copied or pickled: .*\nhint: make one where it is used"):
            attempt(env._tables)
    for whole in (env, VectorEnv("incan-gold", "turn:7", seats=2)):
        for attempt in (copy.copy, copy.deepcopy):
            with pytest.raises(meeple.UsageError, match="cannot be copied or pickled"):
                attempt(whole)


@pytest.mark.parametrize("game", LISTED)
def test_environments_are_registered(game):
    id = f"meeple/{game}-v{meeple.games()[game]['rules_version']}"
    env = gymnasium.make(id, opponents="random", seat=1)
    seen, _ = env.reset(seed=4)
    assert data_equivalence(seen, Env(game, "random", seat=1).reset(seed=4)[0], exact=True)
    envs = gymnasium.make_vec(id, num_envs=2, vectorization_mode="vector_entry_point", opponents="random")
    assert isinstance(envs.unwrapped, VectorEnv) and envs.reset(seed=4)[0]["action_mask"].shape[0] == 2


@pytest.mark.parametrize("game", LISTED)
def test_masks_before_the_first_reset_forbid_nothing(game):
    assert Env(game, "random").action_masks().all() and Env(game, "random").action_masks().dtype == np.bool_
    masks = VectorEnv(game, "random", num_envs=2).action_masks()
    assert masks.all() and masks.shape == (2, meeple.Game(game).action_bound)


@pytest.mark.parametrize("game", LISTED)
def test_tables_are_rendered(game, capsys):
    """The picture is that of the learner's seat in the same episode, with or without recorded events."""
    episode = meeple.Game(game).episode(seed=5)
    env = Env(game, "random", render_mode="ansi")
    seen, _ = env.reset(seed=5)
    names = ["learner"] + ["random"] * (env.game.seats - 1)
    players = {seat: "random" for seat in range(1, env.game.seats)}
    for seat, agent in players.items():
        episode._native.seat_agent(seat, agent)
    for _ in range(6):
        episode._native.run_until_asked()
        assert env.render() == episode.screen(0, names)
        action = int(seen["action_mask"].argmax())
        episode.apply_id(0, action)
        seen, _, over, _, _ = env.step(action)
        if over:
            break
    shown = Env(game, "random", render_mode="human")
    shown.reset(seed=5)
    episode = Env(game, "random", render_mode="ansi")
    episode.reset(seed=5)
    assert capsys.readouterr().out == episode.render() + "\n" and shown.render() is None
    drawn = Env(game, "random", render_mode="rgb_array")
    drawn.reset(seed=5)
    assert drawn.render().dtype == np.uint8 and drawn.render().shape[1:] == (800, 3) and len(np.unique(drawn.render())) > 2


def test_an_illegal_action_at_one_table_changes_none():
    envs = VectorEnv("incan-gold", "turn:7", seats=2, num_envs=3, on_illegal="raise")
    seen, _ = envs.reset(seed=1)
    with pytest.raises(meeple.IllegalAction, match="table 2: no legal action has the id 7"):
        envs.step(np.array([1, 1, 7]))
    assert data_equivalence(envs._tables.see(0, 3), seen, exact=True)


def test_a_refused_step_skips_no_episode():
    """A step refused for one table's action must not begin the next episode of a table that is over."""
    envs = VectorEnv("incan-gold", "turn:7", seats=2, num_envs=2, set={"rounds": 1}, on_illegal="raise")
    seen, _ = envs.reset(seed=1)
    over = np.zeros(2, np.bool_)
    while not over.any():
        seen, _, over, _, _ = envs.step(np.array([1, 0]))
    assert over.tolist() == [True, False], "who leaves at once has ended, who stays has not"
    with pytest.raises(meeple.IllegalAction, match="table 1"):
        envs.step(np.array([0, 7]))
    seen = envs.step(np.array([0, 1]))[0]
    expected = Env("incan-gold", "turn:7", seats=2, set={"rounds": 1})
    expected.reset(seed=1)
    assert np.array_equal(seen["observation"][0], expected.reset()[0]["observation"])


@pytest.mark.parametrize("game", LISTED)
def test_results_do_not_depend_on_threads(game):
    one, many = (VectorEnv(game, "random", num_envs=16, threads=threads) for threads in (1, 4))
    seen, other = one.reset(seed=2)[0], many.reset(seed=2)[0]
    for _ in range(40):
        assert data_equivalence(seen, other, exact=True)
        actions = first_legal(seen["action_mask"])
        (seen, *mine), (other, *theirs) = one.step(actions), many.step(actions)
        assert data_equivalence(mine, theirs, exact=True)


@pytest.mark.parametrize("game", LISTED)
def test_agents_that_stay_seated_begin_anew(game):
    """Agents stay seated from one episode of a table to the next, but forget what they remembered."""
    agent = next(name for name in meeple.agents(game) if name not in ("random", "mcts", "onnx", "net"))
    kept = Env(game, agent, seats=2)
    for index in range(3):
        fresh = Env(game, agent, seats=2, seed=4)
        mine, theirs = kept.reset(seed=4 if index == 0 else None), fresh.reset()
        for _ in range(index):
            theirs = fresh.reset()
        for _ in range(200):
            assert data_equivalence(mine, theirs, exact=True)
            action = int(mine[0]["action_mask"].argmax())
            mine, theirs = kept.step(action), fresh.step(action)
            if mine[2]:
                break
        assert data_equivalence(mine, theirs, exact=True)
