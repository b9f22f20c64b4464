"""Memory and references over very many episodes, and random walks through copies and pickles.

A few pages and some dozens of objects remain, however many episodes are played. The bounds are wide. Yet they
find a leak of three bytes per episode of a batch, or of one object in seven episodes of an environment.
"""

from __future__ import annotations

import copy
import gc
import mmap
import pickle
import sys
from pathlib import Path

import meeple
import numpy as np
import pytest
from conftest import GAMES, taken
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple import spiel, zoo
from meeple.gym import VectorEnv

STATM = Path("/proc/self/statm")
#: Maximal growth in bytes and in Python objects, for any number of episodes.
MAX_BYTES, MAX_OBJECTS = 2 * 2**20, 200


def held():
    """Bytes of memory in use now (not the peak), and blocks of Python's allocator, which include all
    objects."""
    gc.collect()
    pages = int(STATM.read_text().split()[1]) if STATM.exists() else 0
    return pages * mmap.PAGESIZE, sys.getallocatedblocks()


def grows_not(play, first, then):
    """Plays `first` episodes, which fill caches, and then many more, after which no memory may remain
    in use."""
    play(first)
    bytes_before, objects_before = held()
    play(then)
    bytes_after, objects_after = held()
    assert bytes_after - bytes_before < MAX_BYTES
    assert objects_after - objects_before < MAX_OBJECTS


def test_a_million_episodes_of_a_batch():
    batch = meeple.Batch("incan-gold", lanes=4096, seats=2, set={"rounds": 1}, seed=1)
    rng = np.random.default_rng(1)
    rows = batch.arrays()
    owed = batch.recv_into(rows)

    def play(episodes):
        nonlocal owed
        played = 0
        while played < episodes:
            # Most players leave at once, so episodes are short.
            owed, ended = batch.step_into((rng.random(owed) < 0.9).astype(np.uint32), rows)
            played += len(ended)

    numbers = [sys.getrefcount(array) for array in vars(rows).values()]
    grows_not(play, 50_000, 1_000_000)
    assert [sys.getrefcount(array) for array in vars(rows).values()] == numbers


def test_fresh_arrays_of_a_batch_are_let_go():
    batch = meeple.Batch("incan-gold", lanes=512, seats=2, opponents={1: "turn:3"}, seed=1)

    def play(episodes):
        played = 0
        while played < episodes:
            rows = batch.recv()
            played += len(batch.send(rows.masks.argmax(axis=1)))

    grows_not(play, 2_000, 40_000)


def test_episodes_copies_and_pickles_are_let_go():
    game = meeple.Game("incan-gold", 2, set={"rounds": 1})
    players = ["turn:2", lambda turn: turn.legal[-1]]

    def play(episodes):
        for index in range(episodes):
            episode = game.episode(1, index)
            episode.settle_chance()
            episode.observation(0), episode.numbers(0), episode.mask(1), episode.events("all"), episode.determinize(0, 1)
            pickle.loads(pickle.dumps(copy.deepcopy(episode))).play(players)
            with pytest.raises(meeple.IllegalAction):
                episode.apply(0, "fly")

    known = sys.getrefcount(game), sys.getrefcount(players[1])
    grows_not(play, 200, 3_000)
    assert (sys.getrefcount(game), sys.getrefcount(players[1])) == known


@pytest.mark.parametrize("make", [zoo.env, zoo.parallel_env])
def test_environments_are_let_go(make):
    env = make("incan-gold", seats=2, set={"rounds": 1}, seed=1)

    def play(episodes):
        for _ in range(episodes):
            env.reset()
            other = copy.deepcopy(env)
            if make is zoo.env:
                for _ in other.agent_iter():
                    seen, _, over, cut, _ = other.last()
                    other.step(None if over or cut else 1)
            else:
                while other.agents:
                    other.step({agent: 1 if other._table.mask(seat)[1] else 2 for seat, agent in enumerate(other.agents)})

    grows_not(play, 100, 1_500)


def test_tables_are_let_go():
    def play(episodes):
        envs = VectorEnv("incan-gold", "turn:2", seats=2, num_envs=16, set={"rounds": 1}, autoreset_mode="SameStep")
        envs.reset(seed=1)
        played = 0
        while played < episodes:
            played += int(envs.step(np.ones(16, np.int64))[2].sum())

    grows_not(play, 300, 6_000)


def test_states_of_openspiel_are_let_go():
    game = spiel.load_game("incan-gold", 2, set={"rounds": 1})

    def play(episodes):
        for _ in range(episodes):
            state = game.new_initial_state()
            while not state.is_terminal():
                state = state.clone()
                if state.is_simultaneous_node():
                    state.apply_actions([1, 1])
                else:
                    state.apply_action(state.chance_outcomes()[0][0])

    grows_not(play, 100, 2_000)


def test_runs_of_the_laboratory_are_let_go():
    def play(runs):
        for seed in range(runs):
            kept = meeple.sim("incan-gold", ["turn:7", "random"], n=200, seed=seed, keep=True)
            kept.columns(), kept.rows.columns(), repr(kept), kept.plots()

    grows_not(play, 5, 60)


def known(episode):
    """All visible data of an episode, with the legal actions of its seats by text and by id."""
    seats = range(min(episode.game.seats, 3))
    legal = [episode.legal_actions(seat) for seat in seats]
    masks = [episode.mask(seat).tobytes() for seat in seats] if episode.game.action_bound else []
    keys = [episode.information_key(seat) for seat in seats]
    return episode.phase, episode.scores, episode.steps, episode.outcome, episode.observation("all"), legal, masks, keys


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(GAMES), st.integers(0, 2**64 - 1), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2**16)), max_size=30))
def test_any_walk_of_copies_and_pickles_is_the_straight_walk(game, seed, moves):
    """At any point a walk may continue in a copy or a pickle, or take its action by index or id instead of
    text."""
    straight, winding = meeple.Game(game).episode(seed), meeple.Game(game).episode(seed)
    left_behind = []
    for way, number in moves:
        if straight.is_over:
            break
        if straight.step_chance():
            winding.step_chance()
            continue
        if way == 0:
            left_behind.append((winding, known(winding)))
            winding = copy.copy(winding)
        elif way == 1:
            left_behind.append((winding, known(winding)))
            winding = pickle.loads(pickle.dumps(winding))
        seat = straight.phase.seats[number % len(straight.phase.seats)]
        legal = straight.legal_actions(seat)
        if not legal:
            # Actions in JSON form cannot be listed.
            assert straight.sample_action(seat) == winding.sample_action(seat)
            straight.apply_fallback(seat)
            winding.apply_fallback(seat)
            continue
        index = number % len(legal)
        straight.apply(seat, legal[index])
        ids = np.flatnonzero(winding.mask(seat)) if winding.game.action_bound else []
        assert len(ids) in (0, len(legal))
        if way == 2:
            winding.apply(seat, index)
        elif way == 3 and len(ids):
            winding.apply_id(seat, next(one for one in ids if taken(winding, seat, one) == legal[index]))
        else:
            winding.apply(seat, legal[index])
    assert known(winding) == known(straight)
    assert all(known(episode) == before for episode, before in left_behind), "nothing is shared"
