"""Tournaments, against the command line."""

from __future__ import annotations

import os
import signal

import meeple
import pytest


@pytest.mark.parametrize(
    ("game", "agents", "options", "words"),
    [
        ("incan-gold", ["turn:7", "backpack:20", "random:0.2"], {"deals": 50}, ["--deals", "50"]),
        (
            "incan-gold",
            ["A=turn:7", "turn:5", "turn:6", "random:0.3"],
            {"deals": 20, "table": 3, "set": {"rounds": 2}, "anchor": "A", "resamples": 100},
            ["--deals", "20", "--table", "3", "--set", "rounds=2", "--anchor", "A", "--resamples", "100"],
        ),
        (
            "carcassonne",
            ["greedy", "random"],
            {"deals": 4, "schedule": "gauntlet", "anchors": ["random"]},
            ["--deals", "4", "--schedule", "gauntlet", "--anchors", "random"],
        ),
    ],
)
def test_numbers_are_those_of_the_command_line(game, agents, options, words, binary):
    played = meeple.tournament(game, agents, seed=3, **options)
    assert played.summary == binary("tournament", game, *agents, *words, "--seed", "3", "--json", "--quiet")


def test_results_do_not_depend_on_threads():
    one, two = (meeple.tournament("incan-gold", "turn:7 turn:5", 30, threads=threads).summary for threads in (1, 2))
    assert one == two


def test_a_tournament_is_shown_and_has_columns():
    played = meeple.tournament("incan-gold", "turn:7 turn:5 random:0.3", 100)
    assert "turn:7" in repr(played) and played._repr_html_().count("<svg") >= 1
    standings = played.columns()
    assert set(standings["name"]) == {"turn:7", "turn:5", "random:0.3"}
    low, points, anchor = standings["rating.interval_low"], standings["rating.points"], standings["name"] == "turn:7"
    assert (low != low).tolist() == anchor.tolist(), "the anchor's points are no estimate"
    assert (points <= 0).any() and (low <= points)[~anchor].all()
    assert not any("placements" in name for name in standings) and len(played.columns("matchups")["against"]) == 6
    with pytest.raises(meeple.UsageError, match="unknown table 'x'\nhint: there are standings, matchups"):
        played.columns("x")


def test_many_players_have_matchups_too():
    names = [f"random:{index / 1000}" for index in range(1, 102)]
    played = meeple.tournament("incan-gold", names, schedule="battle-royale", deals=1, rotations=1, resamples=50)
    assert played.summary["matchups"] == [] and played.summary["better"] == []
    matchups = played.columns("matchups")
    shares = dict(zip(zip(matchups["name"], matchups["against"], strict=True), matchups["share"], strict=True))
    assert len(shares) > 1000 and all(shares[b, a] == 1 - share for (a, b), share in shares.items())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "incan-gld"}, "unknown game 'incan-gld'"),
        ({"agents": ["turn:7"]}, r"expected|needs"),
        ({"agents": ["turn:7", "cmd:python3 bot.py"]}, "expected agents of the game, found the bot"),
        ({"schedule": "x"}, "schedule: expected one of single, round-robin, battle-royale, gauntlet, vs-zombies, found 'x'"),
        ({"anchors": ["turn:7"]}, "anchors: expected a gauntlet"),
        ({"deals": 0}, "deals: expected a whole number from 1"),
        ({"table": 99}, "seats at most"),
    ],
)
def test_wrong_tournaments_are_refused(options, message):
    with pytest.raises(meeple.UsageError, match=message):
        meeple.tournament(**{"game": "incan-gold", "agents": ["turn:7", "turn:5"], "deals": 2, **options})


def test_ctrl_c_ends_a_tournament():
    def interrupt(done, total):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        meeple.tournament("incan-gold", "turn:7 turn:5", 10**7, progress=interrupt)
