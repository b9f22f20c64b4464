"""Players in Python beside agents of a game, in whole runs."""

from __future__ import annotations

import os
import signal
import threading

import meeple
import numpy as np
import pytest
from conftest import GAMES


def seven(turn):
    """Plays like `turn:7`: leaves in the seventh turn of a round."""
    return "stay" if turn.observation["turn"] < 7 else "leave"


def sampled(turn):
    return turn.sample()


def numbers_of(summary):
    """The statistics without the names of players."""
    return [{key: value for key, value in agent.items() if key not in ("spec", "name")} for agent in summary["agents"]]


@pytest.mark.parametrize("seating", ["rotate", "fixed", "shuffle", "deals"])
def test_a_function_has_the_numbers_of_the_agent_that_does_the_same(seating):
    others = ["backpack:20", "random:0.2"]
    native = meeple.sim("incan-gold", ["turn:7", *others], n=500, seed=3, seating=seating)
    own = meeple.sim("incan-gold", [seven, *others], n=500, seed=3, seating=seating)
    assert numbers_of(own.summary) == numbers_of(native.summary)
    assert own.columns("seats").keys() == native.columns("seats").keys()
    assert own.summary["agents"][0]["name"] == "seven"


@pytest.mark.parametrize("game", ["carcassonne", "cartolan", "game17"])
def test_sampling_is_what_the_random_agent_does(game):
    rules = meeple.Game(game)
    native = meeple.sim(game, [f"random*{rules.seats}"], n=4, seed=5)
    own = meeple.sim(game, [sampled] * rules.seats, n=4, seed=5)
    assert own.summary["length"] == native.summary["length"]
    assert [seat["mean_score"] for seat in own.summary["seats"]] == [seat["mean_score"] for seat in native.summary["seats"]]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end(game):
    rules = meeple.Game(game)
    others = meeple.games()[game]["demo"][1:]
    run = meeple.sim(game, [sampled, *others], n=3, seed=5, on_error="raise")
    assert run.episodes == 3 and len(run.summary["seats"]) == rules.seats


def test_objects_and_classes_play():
    class Counts:
        made = 0

        def __init__(self):
            type(self).made += 1
            self.asked = 0

        def act(self, turn):
            self.asked += 1
            return "leave" if self.asked > 3 else "stay"

    one = meeple.sim("incan-gold", [Counts, "turn:7"], n=20)
    assert one.summary["agents"][0]["name"] == "Counts"
    assert Counts.made == 21, "one for every episode, and one to see whether it can play"
    kept = Counts()
    meeple.sim("incan-gold", [kept, "turn:7"], n=20)
    assert kept.asked > 20


def test_what_a_player_raises_is_raised_and_says_where():
    def breaks(turn):
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea") as raised:
        meeple.sim("incan-gold", [breaks, "turn:7"], n=1000)
    assert raised.value.__notes__ == ["episode 0, seat 0"]
    with pytest.raises(meeple.IllegalAction, match="'fly' is no action"):
        meeple.sim("incan-gold", [lambda turn: "fly", "turn:7"], n=1000)


def test_faults_are_counted_and_the_fallback_action_stands_in():
    def breaks(turn):
        raise LookupError("no idea")

    run = meeple.sim("incan-gold", [breaks, "turn:7", sampled], n=30, on_error="fault")
    broken, fine = run.faults
    assert (broken.name, broken.count >= 150) == ("breaks", True) and isinstance(broken.first, LookupError)
    assert (fine.name, fine.count, fine.first) == ("sampled", 0, None)
    assert run.episodes == 30


@pytest.mark.parametrize("on_error", ["raise", "fault"])
def test_ctrl_c_ends_a_player_that_thinks_for_ever(on_error):
    def thinks(turn):
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        meeple.sim("incan-gold", [thinks, "turn:7"], n=1000, on_error=on_error)


def test_rules_and_agents_are_swept_beside_players_in_python():
    seen = set()

    def looks(turn):
        seen.add(turn.game.variant["rounds"])
        return turn.legal[0]

    swept = meeple.sweep("incan-gold", [looks, "turn:5..6"], n=10, set={"rounds": "2..3"})
    assert seen == {2, 3} and len(swept.summary["cells"]) == 4
    assert [fault.count for fault in swept.faults] == [0]


def test_turns_know_the_rules_of_their_table():
    def careful(turn):
        place = turn.game.encoding.slices()["backpack"]
        assert turn.numbers.shape == (turn.game.encoding.size,) and turn.mask.sum() == len(turn.legal)
        return "leave" if turn.numbers[place][0] > 0.3 else "stay"

    assert meeple.sim("incan-gold", [careful, "turn:7"], n=50).summary["agents"][0]["mean_score"] > 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agents": [seven, 7]}, "line-up: expected an agent's words or a function, found 7"),
        ({"agents": [seven, "trun:7"]}, "unknown agent 'trun'"),
        ({"agents": [seven, "turn:7"], "threads": 2}, "threads: expected 1 with players in Python, found 2"),
        ({"agents": [seven, "turn:7"], "on_error": "x"}, "on_error: expected raise or fault, found 'x'"),
        ({"agents": ["python:0", "turn:7"]}, "unknown agent 'python'"),
    ],
)
def test_wrong_line_ups_are_refused(options, message):
    with pytest.raises(meeple.UsageError, match=message):
        meeple.sim("incan-gold", n=10, **options)


def test_runs_with_players_in_python_play_in_the_thread_that_asks():
    threads = set()

    def looks(turn):
        threads.add(threading.get_ident())
        return turn.legal[0]

    meeple.sim("incan-gold", [looks, "turn:7"], n=20)
    assert threads == {threading.get_ident()}


def test_players_play_a_run_inside_a_run():
    def plans(turn):
        inner = meeple.sim("incan-gold", [seven, "turn:5"], n=2)
        return "leave" if inner.episodes == 2 else "stay"

    assert meeple.sim("incan-gold", [plans, "turn:7"], n=2).episodes == 2
    assert np.isfinite(meeple.sim("incan-gold", [seven, "turn:7"], n=10).columns()["mean_score"]).all()
