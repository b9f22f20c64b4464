"""Single episodes: stepping, copies, players in Python."""

from __future__ import annotations

import copy
import gc
import json
import multiprocessing
import pickle
import resource
import threading
from concurrent.futures import ProcessPoolExecutor

import meeple
import numpy as np
import pytest
from conftest import GAMES, LISTED, PRESETS, demo, taken
from hypothesis import given, settings
from hypothesis import strategies as st

#: Values that are no action in any game.
NONSENSE = ["no such action", "", 10**9, -1, 2**70, 1.5, None, True, {"x": 1}, ["x"]]


def walk(episode, steps, choose=None):
    """Plays on by random actions, for at most this number of steps."""
    for _ in range(steps):
        if episode.is_over:
            break
        if not episode.step_chance():
            seat = episode.phase.seats[0]
            legal = episode.legal_actions(seat)
            episode.apply(seat, choose(seat, legal) if choose and legal else episode.sample_action(seat))
    return episode


def known(episode):
    """All visible data of an episode."""
    seats = range(min(episode.game.seats, 4))
    seen = [episode.observation(viewer) for viewer in (*seats, "public", "all")]
    return episode.phase, episode.scores, episode.length, episode.outcome, episode.steps, seen, episode.events("all")


@pytest.mark.parametrize("game", PRESETS)
def test_copies_and_pickles_go_on_identically(game):
    for steps in (0, 1, 7, 60):
        episode = walk(meeple.Game(game).episode(seed=5), steps)
        copies = [
            episode.copy(),
            copy.copy(episode),
            copy.deepcopy(episode),
            pickle.loads(pickle.dumps(episode)),
            pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(episode)))),
        ]
        before = known(episode)
        for copied in copies:
            assert known(copied) == before
            assert copied.game == episode.game
        walk(episode, 40)
        after = known(episode)
        assert after != before or episode.is_over
        for copied in copies:
            assert known(copied) == before, "nothing is shared"
            assert known(walk(copied, 40)) == after


def test_decisions_that_are_held_back_are_pickled():
    episode = meeple.Game("incan-gold", 3).episode(seed=4)
    episode.settle_chance()
    episode.apply(1, "stay")
    assert episode.phase.seats == (0, 2)
    again = pickle.loads(pickle.dumps(episode))
    assert again.phase.seats == (0, 2) and again.legal_actions(1) == []
    for one in (episode, again):
        one.apply(2, "leave")
        one.apply(0, "stay")
        one.settle_chance()
    assert known(episode) == known(again)


def test_agents_go_on_identically_in_a_copy():
    game = meeple.Game("carcassonne", 2)
    episode = game.episode(seed=9)
    walk(episode, 25)
    again = pickle.loads(pickle.dumps(episode))
    assert episode.play(["random", "greedy"]) == again.play(["random", "greedy"])
    assert episode.steps == again.steps


def test_a_pickle_of_other_steps_is_refused():
    episode = meeple.Game("incan-gold", 2).episode(seed=1)
    episode.settle_chance()
    make, ((game, seed), (steps, *rest), faults) = episode.__reduce__()
    with pytest.raises(meeple.Failure, match="hint: load it with the release that saved it"):
        make((game, seed + 1), (["c gem 99", *steps], *rest), faults)


def test_a_pickle_that_was_changed_is_refused():
    episode = walk(meeple.Game("incan-gold", 2).episode(seed=1), 9)
    make, (begun, (steps, held, *rest), faults) = episode.__reduce__()
    for wrong in (["9 stay"], ["9999 stay"], ["c"], [""], ["0 fly"], ["-1 stay"]):
        with pytest.raises(meeple.Failure, match=r"\w"):
            make(begun, ([*steps, *wrong], held, *rest), faults)
        with pytest.raises(meeple.Failure, match=r"\w"):
            make(begun, (steps, [(70_000, "stay")], *rest), faults)


def test_a_panic_becomes_an_exception():
    with pytest.raises(meeple.Failure, match="a bug in meeple: capacity overflow\nhint: please report it"):
        meeple.Game("incan-gold", 2)._native.lanes(2**62, [None, "turn:7"], 1)


def played(episode):
    """Plays an episode, for use in another process."""
    return episode.play(["random"] * episode.game.seats)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_episodes_go_to_other_processes(method):
    meeple.sim("carcassonne", "random random", n=20)
    episodes = [walk(meeple.Game("carcassonne", 2).episode(1, index), 11) for index in range(4)]
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        assert list(pool.map(played, episodes)) == [played(episode) for episode in episodes]


def test_memory_does_not_grow():
    game = meeple.Game("incan-gold", 2)

    def play(episodes):
        for index in range(episodes):
            episode = pickle.loads(pickle.dumps(game.episode(1, index))) if index % 50 == 0 else game.episode(1, index)
            episode.play(["turn:7", "random:0.2"])
            episode.observation(0), episode.numbers(0), episode.copy()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(2_000)
    assert play(10_000) - before < 4_096, "KiB"


@pytest.mark.parametrize("game", GAMES)
def test_agents_play_as_in_a_simulation(game):
    line_up = demo(game)
    table = meeple.Game(game, len(line_up))
    scores = np.zeros(table.seats)
    filler = ["zombie"] * (table.seats - len(line_up))
    for index in range(3):
        scores += table.episode(seed=11, index=index).play(line_up + filler).scores
    played = meeple.sim(game, line_up, n=3, seed=11, seating="fixed")
    assert (scores / 3)[: len(line_up)] == pytest.approx(played.columns("seats")["mean_score"][: len(line_up)])


def test_players_in_python_sit_beside_agents_of_the_game():
    class Last:
        def act(self, turn):
            assert turn.game.name == "carcassonne/towers" and set(turn.observation)
            assert turn.mask.sum() == len(turn.legal) and turn.numbers.dtype == np.float32
            return meeple.Id(turn.ids[-1])

    episode = meeple.Game("carcassonne/towers", seats=3).episode(seed=3)
    outcome = episode.play({0: "builder", 1: Last(), 2: lambda turn: turn.sample()})
    assert episode.is_over and outcome == episode.outcome
    assert outcome.winners and sum(outcome.utilities) == pytest.approx(0)
    assert outcome.end in episode.game.info["ends"]
    again = meeple.Game("carcassonne/towers", seats=3).episode(seed=3)
    assert again.play({0: "builder", 1: Last(), 2: lambda turn: turn.sample()}) == outcome


def test_what_a_player_raises_is_raised_or_becomes_a_fault():
    def fails(turn):
        raise ZeroDivisionError("a bug")

    game = meeple.Game("incan-gold", 2)
    with pytest.raises(ZeroDivisionError, match="a bug") as raised:
        game.episode().play({0: "turn:7", 1: fails})
    assert any("seat 1" in note for note in raised.value.__notes__)
    with pytest.raises(meeple.IllegalAction):
        game.episode().play({0: "turn:7", 1: lambda turn: "fly"})
    episode = game.episode()
    episode.play({0: "turn:7", 1: fails}, on_fault="fallback")
    assert episode.faults and {fault.seat for fault in episode.faults} == {1}
    assert isinstance(episode.faults[0].error, ZeroDivisionError)
    with pytest.raises(meeple.UsageError, match="on_fault: expected raise or fallback, found 'x'"):
        episode.play({}, on_fault="x")


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ({0: "turn:7"}, r"players: expected one for every seat from 0 to 1, found \[0\]"),
        (["turn:7", "trun:7"], "unknown agent 'trun'"),
        (["turn:7", 3], "players: expected an agent's words or a function, found 3"),
    ],
)
def test_wrong_players_are_refused(players, message):
    with pytest.raises(meeple.UsageError, match=message):
        meeple.Game("incan-gold", 2).episode().play(players)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("action", NONSENSE, ids=repr)
def test_wrong_actions_change_nothing(game, action):
    episode = walk(meeple.Game(game).episode(seed=1), 5)
    episode.settle_chance()
    before, seat = known(episode), episode.phase.seats[0]
    with pytest.raises(ValueError, match=r"\w"):
        episode.apply(seat, action)
    with pytest.raises((ValueError, TypeError)):
        episode.apply_id(seat, action)
    assert known(episode) == before


def test_refusals_have_the_texts_of_the_rules():
    episode = meeple.Game("incan-gold", 2).episode()
    with pytest.raises(meeple.IllegalAction, match="seat 0 cannot act: chance draws first"):
        episode.apply(0, "stay")
    episode.settle_chance()
    with pytest.raises(meeple.IllegalAction, match="'fly' is no action"):
        episode.apply(0, "fly")
    with pytest.raises(meeple.IllegalAction, match="expected an index below 2, found 2"):
        episode.apply(0, 2)
    with pytest.raises(meeple.UsageError, match="seat: expected a whole number from 0 to 1, found 2"):
        episode.apply(2, "stay")
    episode.apply(0, "stay")
    with pytest.raises(meeple.IllegalAction, match="seat 0 has decided already; others still owe a decision"):
        episode.apply(0, "stay")
    episode.play(["turn:3", "turn:3"])
    with pytest.raises(meeple.IllegalAction, match="seat 0 cannot act: the episode is over"):
        episode.apply(0, "stay")
    assert not episode.step_chance() and episode.legal_actions(0) == []
    with pytest.raises(meeple.IllegalAction, match="owes no decision"):
        episode.sample_action(0)


@pytest.mark.parametrize("game", LISTED)
def test_texts_indices_and_ids_are_the_same_actions(game):
    episode = meeple.Game(game).episode(seed=8)
    for step in range(60):
        episode.settle_chance()
        if episode.is_over:
            break
        seat = episode.phase.seats[0]
        legal, ids = episode.legal_actions(seat), np.flatnonzero(episode.mask(seat))
        assert len(legal) == len(ids)
        assert {taken(episode, seat, np.int64(number)) for number in ids} == set(legal)
        index = step % len(legal)
        by_text, by_index = episode.copy(), episode.copy()
        by_text.apply(seat, legal[index])
        by_index.apply(seat, np.int16(index))
        assert known(by_text) == known(by_index)
        episode = by_text
    other = next(seat for seat in range(episode.game.seats + 1) if seat not in episode.phase.seats)
    if other < episode.game.seats:
        assert not episode.mask(other).any()


@pytest.mark.parametrize("game", LISTED)
def test_numbers_are_those_of_the_encoding(game):
    table = meeple.Game(game)
    assert table.encoding is not None
    low, high, slices = table.encoding.low(), table.encoding.high(), table.encoding.slices()
    assert low.shape == high.shape == (table.encoding.size,)
    assert list(slices) == [field.name for field in table.encoding.fields]
    assert list(slices.values())[-1].stop == table.encoding.size
    episode = table.episode(seed=6)
    while not episode.is_over:
        walk(episode, 10)
        for seat in range(table.seats):
            numbers = episode.numbers(seat)
            assert (numbers >= low).all() and (numbers <= high).all()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty(43, np.float64), "out: expected an array of float32, found one of float64\nhint: out = numpy.empty"),
        (np.empty(42, np.float32), r"out: expected the shape \[43\], found \[42\]"),
        (np.empty((43, 1), np.float32), r"out: expected the shape \[43\], found \[43, 1\]"),
        (np.empty(86, np.float32)[::2], "out: expected an array in the order of C without gaps"),
        ([0.0] * 43, "out: expected an array of float32, found list"),
        (np.frombuffer(bytes(43 * 4), np.float32), "out: expected an array that may be written, found a read-only one"),
    ],
)
def test_wrong_arrays_are_refused(out, message):
    episode = meeple.Game("incan-gold", 3).episode()
    with pytest.raises(meeple.UsageError, match=message):
        episode.numbers(0, out)


def test_arrays_of_the_caller_are_filled():
    episode = meeple.Game("incan-gold", 3).episode()
    episode.settle_chance()
    out, mask = np.full(43, 9, np.float32), np.full(2, 9, np.int8)
    assert episode.numbers(0, out) is out and (out == episode.numbers(0)).all()
    assert episode.mask(0, mask) is mask and mask.tolist() == [1, 1]


@pytest.mark.parametrize("game", GAMES)
def test_every_viewer_sees_what_it_may(game):
    episode = walk(meeple.Game(game).episode(seed=2), 30)
    seat = episode.observation(0)
    assert json.loads(json.dumps(seat)) == seat
    assert episode.information_key(0) == episode.copy().information_key(0) < 2**128
    events = episode.events("all")
    assert events[5:] == episode.events("all", events[5]["number"]) if len(events) > 5 else True
    assert episode.svg(0).startswith("<svg") and episode.png("public", width=64).startswith(b"\x89PNG")
    assert episode.screen() and "Episode of" in repr(episode)
    with pytest.raises(meeple.UsageError, match="viewer: expected a seat from 0"):
        episode.observation("everybody")
    with pytest.raises(meeple.UsageError, match="players: expected .* names, one for every seat, found 1$"):
        meeple.Game("incan-gold", 2).episode().svg(players=["Ann"])


def test_advice_changes_nothing():
    episode = walk(meeple.Game("carcassonne", 2).episode(seed=2), 9)
    episode.settle_chance()
    before, seat = known(episode), episode.phase.seats[0]
    assert episode.advise(seat, "builder") in episode.legal_actions(seat)
    assert episode.advise(1 - seat, "builder") is None and known(episode) == before


def test_actions_with_structure_are_given_as_json():
    episode = meeple.Game("game17").episode(seed=1)
    episode.settle_chance()
    seat = episode.phase.seats[0]
    assert episode.legal_actions(seat) == [] and episode.game.action_bound == 0
    assert episode.game.info["action_schema"]["type"] == "array"
    episode.apply(seat, [])
    with pytest.raises(meeple.IllegalAction):
        episode.apply(episode.phase.seats[0] if episode.phase.seats else seat, [{"piece": "x"}])


def test_games_are_equal_if_their_rules_are():
    game = meeple.Game("incan-gold", 3, set={"rounds": 7})
    assert pickle.loads(pickle.dumps(game)) == game == copy.deepcopy(game) and hash(game) == hash(copy.copy(game))
    assert game != meeple.Game("incan-gold", 3) and game != "incan-gold"
    assert game.variant["rounds"] == 7 and repr(game) == "Game('incan-gold', seats=3)"
    with pytest.raises(meeple.UsageError, match="incan-gold takes 1 to 16 players, found 17"):
        meeple.Game("incan-gold", 17)
    with pytest.raises(meeple.UsageError, match="unknown preset"):
        meeple.Game("incan-gold/x")


def test_two_threads_may_not_use_one_episode_at_once():
    episode = meeple.Game("carcassonne", 2).episode()
    errors, ready = [], threading.Barrier(2)

    def use():
        ready.wait()
        try:
            for _ in range(300):
                episode.observation("all")
        except meeple.UsageError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(error.startswith("another thread is using this object\nhint: ") for error in errors)
    assert episode.observation("all")


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(LISTED), st.integers(0, 2**64 - 1), st.lists(st.integers(0, 2**16), max_size=60))
def test_any_walk_is_repeated_by_its_replay(game, seed, choices):
    left = list(choices)
    episode = walk(meeple.Game(game).episode(seed), 60, lambda seat, legal: legal[left.pop() % len(legal)] if left else legal[0])
    again = pickle.loads(pickle.dumps(episode))
    assert again.replay() == episode.replay()
    assert meeple.render(episode.replay(), viewer="public").startswith("<svg")
