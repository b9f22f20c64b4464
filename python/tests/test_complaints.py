"""Complaints of users of other packages, one test for each. Some are answered elsewhere:

* a loop in Python is slow: docs/internals/python.md has the numbers, and `Batch` plays without one;
* an installation is large: test_packaging.py bounds it, and docs/internals/python.md has the size of what is published;
* a library wants the mask in a place of its own: `test_masks_stand_in_three_places` (test_gym.py);
* memory and references leak: test_leaks.py.
"""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path

import meeple
import numpy as np
import pytest
from conftest import GAMES, LISTED
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from meeple import zoo
from meeple.gym import Env, VectorEnv

ROOT = Path(__file__).resolve().parents[2]

#: Modules that the package must not import, unless they are asked for by name.
NOT_NEEDED = ["gymnasium", "jax", "open_spiel", "pandas", "pettingzoo", "pyarrow", "pyspiel", "ray", "scipy", "torch", "tqdm"]


def choose(mask, rng):
    """A random legal id."""
    return int(rng.choice(np.flatnonzero(mask)))


def aec_steps(env, steps):
    for _ in range(steps):
        if any(env.terminations.values()):
            return
        env.step(int(env.last()[0]["action_mask"].argmax()))


def parallel_steps(env, steps):
    for _ in range(steps):
        if not env.agents:
            return
        env.step({agent: int(env._table.mask(env._table.seat_of[agent]).argmax()) for agent in env.agents})


@pytest.mark.parametrize("ways", [(zoo.env, aec_steps), (zoo.parallel_env, parallel_steps)], ids=["aec", "parallel"])
@pytest.mark.parametrize("game", LISTED)
def test_copy_and_pickle_in_the_middle(game, ways):
    """PettingZoo's issues 1307, 1186 and 1271: copies that share or lose their state."""
    make, go = ways
    env = make(game)
    env.reset(seed=3)
    go(env, 8)
    before = env.episode.steps
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), pickle.loads(pickle.dumps(copy.deepcopy(env)))]
    go(env, 10)
    after = env.episode.steps
    assert after != before
    for one in copies:
        assert one.episode.steps == before, "nothing is shared"
        go(one, 10)
        assert one.episode.steps == after, "nothing is lost"
    # For each of them the next episode is the next one of the run.
    for one in (env, *copies):
        one.reset()
        go(one, 3)
    assert len({tuple(one.episode.steps) for one in (env, *copies)}) == 1


def returned(game):
    """By environment: a function that takes a step and returns the result."""
    rng = np.random.default_rng(1)
    single, tables = Env(game, "random"), VectorEnv(game, "random", num_envs=2)
    aec, parallel, batch = zoo.env(game), zoo.parallel_env(game), meeple.Batch(game, lanes=3)
    told = {"single": single.reset(seed=1), "tables": tables.reset(seed=1), "parallel": parallel.reset(seed=1)}
    aec.reset(seed=1)

    def step_single():
        told["single"] = single.step(choose(told["single"][0]["action_mask"], rng))
        if told["single"][2]:
            told["single"] = single.reset()
        return told["single"]

    def step_tables():
        masks = told["tables"][0]["action_mask"]
        told["tables"] = tables.step(masks.argmax(axis=1))
        return told["tables"]

    def step_aec():
        seen, *rest = aec.last()
        if rest[1]:
            aec.reset()
        else:
            aec.step(choose(seen["action_mask"], rng))
        return seen, *rest

    def step_parallel():
        seen = told["parallel"][0]
        told["parallel"] = parallel.step({agent: choose(see["action_mask"], rng) for agent, see in seen.items()})
        if not parallel.agents:
            told["parallel"] = parallel.reset()
        return told["parallel"]

    def step_batch():
        rows = batch.recv()
        ended = batch.send(rows.masks.argmax(axis=1))
        return {**vars(rows), **{f"ended {name}": column for name, column in vars(ended).items()}}

    return [step_single, step_tables, step_aec, step_parallel, step_batch]


def arrays(value):
    """All arrays in a result."""
    if isinstance(value, np.ndarray):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return [array for one in inside for array in arrays(one)]


@pytest.mark.parametrize("game", LISTED)
def test_observations_are_not_reused_in_place(game):
    """Gymnasium's changes 1680 and 1715: an environment may not reuse arrays that it has returned."""
    for step in returned(game):
        kept = []
        for _ in range(6):
            told = step()
            assert arrays(told)
            kept.append((told, copy.deepcopy(told)))
        for number, (told, then) in enumerate(kept):
            assert data_equivalence(told, then, exact=True), step.__name__
            for later, _ in kept[number + 1 :]:
                assert not any(np.shares_memory(one, two) for one in arrays(told) for two in arrays(later)), step.__name__


def test_what_the_caller_does_to_an_observation_changes_nothing():
    for env in (Env("carcassonne", "random", seats=2), zoo.parallel_env("carcassonne", seats=2)):
        for array in arrays(env.reset(seed=1)):
            array[...] = 1
        again = type(env)("carcassonne", seats=2)
        untouched = again.reset(seed=1)[0]
        own = untouched if isinstance(env, Env) else untouched["seat_0"]
        now = env._see() if isinstance(env, Env) else env._table.see(0)
        assert data_equivalence(now, own, exact=True)


def test_the_timeline_of_autoresets():
    """Gymnasium's issue 1103, EnvPool's 194 and TorchRL's 2473: the moment of the next episode's first
    observation."""
    game = meeple.Game("incan-gold", 1)
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):
        envs = VectorEnv(game, [], num_envs=1, autoreset_mode=mode)
        first, _ = envs.reset(seed=1)
        over = np.array([False])
        while not over[0]:
            seen, _, over, _, info = envs.step(np.array([1]))
        fresh = meeple.Game("incan-gold", 1).episode(seed=1, index=1)
        fresh.settle_chance()
        begun = fresh.numbers(0)
        if mode == AutoresetMode.SAME_STEP:
            assert (seen["observation"][0] == begun).all() and info["_final_obs"].all()
            assert not info["final_obs"][0]["action_mask"].any()
        elif mode == AutoresetMode.NEXT_STEP:
            assert not seen["action_mask"].any()
            seen, reward, over, _, _ = envs.step(np.array([0]))
            assert (seen["observation"][0] == begun).all() and reward[0] == 0 and not over[0]
        else:
            with pytest.raises(meeple.UsageError, match=r"found some that are over: \[0\]\nhint: reset"):
                envs.step(np.array([0]))
            seen, _ = envs.reset(options={"reset_mask": np.array([True])})
            assert (seen["observation"][0] == begun).all()


def test_rewards_of_the_last_step_are_not_lost_at_an_autoreset():
    """Every table's rewards are the same in all modes, and those of a loop without autoreset."""
    totals = {}
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = VectorEnv("incan-gold", "turn:5", seats=2, num_envs=3, reward="score", autoreset_mode=mode)
        seen, _ = envs.reset(seed=4)
        sums, episodes = np.zeros(3), [[] for _ in range(3)]
        while min(map(len, episodes)) < 4:
            seen, rewards, over, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
            sums += rewards
            for table in np.flatnonzero(over):
                episodes[table].append(sums[table])
                sums[table] = 0
        totals[mode] = [scores[:4] for scores in episodes]
    env = Env("incan-gold", "turn:5", seats=2, reward="score")
    single = []
    for index in range(4):
        seen, _ = env.reset(seed=4 if index == 0 else None)
        total, over = 0.0, False
        while not over:
            seen, reward, over, _, _ = env.step(int(seen["action_mask"].argmax()))
            total += reward
        single.append(total)
    assert totals[AutoresetMode.NEXT_STEP] == totals[AutoresetMode.SAME_STEP]
    assert totals[AutoresetMode.NEXT_STEP][0] == single


@pytest.mark.parametrize("game", LISTED)
def test_masks_are_current_at_every_step(game):
    """RLlib's issue 32850, PettingZoo's 1138: masks that come late or allow illegal actions."""
    rng = np.random.default_rng(2)
    env = zoo.env(game)
    env.reset(seed=6)
    for step in range(60):
        if any(env.terminations.values()):
            break
        episode, seat = env.episode, env.possible_agents.index(env.agent_selection)
        mask = episode.mask(seat)
        seen, _, _, _, info = env.last()
        assert mask.any() and (seen["action_mask"] == mask).all() and (info["action_mask"] == mask).all()
        assert (env.observe(env.agent_selection)["action_mask"] == mask).all()
        for other in set(range(episode.game.seats)) - set(episode.phase.seats):
            assert not env.observe(env.possible_agents[other])["action_mask"].any()
        if step % 20 == 0:
            # Exactly the ids that the mask allows can be taken.
            for number in {*np.flatnonzero(mask)[:30].tolist(), *np.flatnonzero(mask == 0)[:30].tolist()}:
                tried = episode.copy()
                if mask[number]:
                    tried.apply_id(seat, number)
                else:
                    with pytest.raises(meeple.IllegalAction):
                        tried.apply_id(seat, number)
        env.step(choose(mask, rng))


def test_masks_of_tables_are_current_at_every_step():
    rng = np.random.default_rng(3)
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = VectorEnv("carcassonne", "random", seats=2, num_envs=2, autoreset_mode=mode)
        seen, info = envs.reset(seed=1)
        ended = 0
        for _ in range(250):
            assert (seen["action_mask"] == info["action_mask"]).all()
            assert (envs.action_masks() == seen["action_mask"].astype(bool)).all()
            actions = [choose(mask, rng) if mask.any() else 0 for mask in seen["action_mask"]]
            seen, _, over, _, info = envs.step(np.array(actions))
            ended += int(over.sum())
            # A legal action was never replaced by the fallback action.
            assert "illegal_action" not in info
        assert ended > 2


@pytest.mark.parametrize("game", LISTED)
def test_turn_orders_may_drift(game):
    """OpenSpiel's issue 889: parallel environments that need the same seat to decide at all tables."""
    seats = meeple.Game(game).seats
    batch = meeple.Batch(game, lanes=6, seed=5)
    alone = [meeple.Game(game).episode(seed=5, index=lane) for lane in range(6)]
    rng, asked, ended = np.random.default_rng(4), set(), set()
    for _ in range(80):
        rows = batch.recv()
        # Every table advances at every step, whichever seat decides there.
        assert set(rows.lanes.tolist()) == set(range(6))
        by_lane = {lane: tuple(rows.seats[rows.lanes == lane].tolist()) for lane in range(6)}
        asked.add(len(set(by_lane.values())))
        ids = [choose(mask, rng) for mask in rows.masks]
        for lane, seat, number in zip(rows.lanes.tolist(), rows.seats.tolist(), ids, strict=True):
            if lane not in ended:
                alone[lane].settle_chance()
                assert seat in alone[lane].phase.seats
                alone[lane].apply_id(seat, number)
        ended |= set(batch.send(np.array(ids)).lanes.tolist())
    assert seats == 1 or max(asked) > 1, "the tables were never at different seats"


def test_a_seat_that_is_asked_more_often_is_no_special_case():
    """Skipped turns, and decisions that several seats owe at once, are rows like all others."""
    batch = meeple.Batch("incan-gold", lanes=50, seats=4, seed=1)
    counts = set()
    rng = np.random.default_rng(5)
    for _ in range(30):
        rows = batch.recv()
        counts |= set(np.bincount(rows.lanes, minlength=50).tolist())
        batch.send(rng.integers(0, 2, len(rows)))
    assert counts == {1, 2, 3, 4}


def test_imports_without_what_is_not_needed():
    """No trainer and no environment library is imported, whether it is installed or not."""
    code = f"""
import sys
class Refuses:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {NOT_NEEDED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refuses())
import meeple
assert meeple.sim("incan-gold", "turn:7 random", n=10).episodes == 10
assert len(meeple.Batch("carcassonne", lanes=2).recv()) == 2
from meeple import game17
for module, package in (("zoo", "gymnasium"), ("gym", "gymnasium"), ("spiel", "pyspiel")):
    try:
        __import__("meeple." + module)
    except ModuleNotFoundError as error:
        assert error.name == package, error
    else:
        raise AssertionError(module)
assert not set({NOT_NEEDED!r}) & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_docs_run():
    """PettingZoo's issue 1138: tutorials that do not run. test_docs.py and test_examples.py run all of
    ours."""
    guide = (ROOT / "docs/reference/python.md").read_text()
    kinds = set(re.findall(r"^```(\w+)$", guide, re.MULTILINE))
    assert kinds <= {"pycon", "console"}, "code that test_docs.py does not run"
    examples = sorted((ROOT / "python/examples").glob("*.py"))
    assert examples and all(script.with_suffix(".out").exists() for script in examples)
    assert not [script.name for script in examples if script.name not in guide], "examples that the guide does not name"


def test_read_only_arrays_are_taken():
    """Ray Data's change 58285: batches from shared memory are read-only."""
    batch = meeple.Batch("incan-gold", lanes=4, seats=2)
    ids = np.zeros(len(batch.recv()), np.int64)
    ids.flags.writeable = False
    batch.send(ids)
    envs = VectorEnv("incan-gold", "turn:7", seats=2, num_envs=2)
    envs.reset(seed=1)
    actions = np.zeros(2, np.int64)
    actions.flags.writeable = False
    envs.step(actions)


@pytest.mark.parametrize("game", GAMES)
def test_seeds_make_runs_repeatable_beside_other_generators(game):
    """Seeds that do not suffice, because something draws from a global generator."""
    played = []
    for noise in (1, 2):
        np.random.seed(noise)
        episode = meeple.Game(game).episode(seed=11)
        episode.play(["random"] * episode.game.seats)
        played.append(episode.steps)
        np.random.random()
    assert played[0] == played[1]
