"""The laboratory has the same results as the command line."""

from __future__ import annotations

import gzip
import json
import os
import signal
import threading
from pathlib import Path

import meeple
import numpy as np
import pytest
from conftest import GAMES, demo


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_numbers_as_the_command_line(game, binary):
    words = [game, *demo(game), "-n", "30", "--seed", "7", "--json", "--no-times"]
    played = meeple.sim(game, demo(game), n=30, seed=7)
    assert played.summary == binary("sim", *words)


def test_settings_seatings_and_threads_are_those_of_the_command_line(binary):
    words = ["turn:6*2", "Bob=random:0.2", "-n", "99", "--seating", "deals", "--threads", "2"]
    told = binary("sim", "incan-gold/boxed", *words, "--set", "rounds=3", "--set", "gems=1,2,3", "--json", "--no-times")
    settings = {"rounds": 3, "gems": [1, 2, 3]}
    played = meeple.sim("incan-gold/boxed", "turn:6*2 Bob=random:0.2", 99, set=settings, seating="deals", threads=1)
    assert played.summary == told


def test_a_simulation_is_shown_as_tables_and_columns():
    played = meeple.sim("incan-gold", ["turn:7", "backpack:20", "random:0.2"], n=300)
    assert repr(played).startswith("incan-gold: 300 episodes, 3 seats, rotate seating, seed 1")
    assert played.episodes == 300 and played.seconds > 0
    columns = played.columns()
    assert columns["name"].tolist() == ["turn:7", "backpack:20", "random:0.2"]
    assert columns["wins"].dtype == np.int64 and columns["wins"].sum() <= 300
    assert (columns["mean_score_low"] < columns["mean_score"]).all()
    assert (columns["mean_score"] < columns["mean_score_high"]).all()
    assert columns["stats.artifacts.mean"].shape == (3,)
    assert played.columns("seats")["seat"].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="unknown table 'turns'\nhint: there are agents, seats"):
        played.columns("turns")


def test_a_sweep_is_that_of_the_command_line(binary):
    words = ["solo", "turn:5..7", "-n", "40", "--seed", "3", "--set", "rounds=2..3"]
    swept = meeple.sweep("incan-gold", "solo turn:5..7", 40, seed=3, set={"rounds": "2..3"})
    assert swept.summary == binary("sweep", "incan-gold", *words, "--json", "--no-times")
    columns = swept.columns()
    assert columns["turn"].tolist() == [5, 5, 6, 6, 7, 7] and columns["rounds"].tolist() == [2, 3] * 3
    assert columns["mean_score"].shape == (6,)
    assert repr(swept).startswith("incan-gold: ") and "<svg" in swept._repr_html_()
    with pytest.raises(meeple.UsageError, match="range"):
        meeple.sweep("incan-gold", "solo turn:5..x")


def test_a_notebook_shows_tables_and_plots():
    page = meeple.sim("incan-gold", ["turn:7", "turn:5"], n=50)._repr_html_()
    assert page.startswith("<pre>incan-gold: 50 episodes") and page.count("<svg") >= 3


def test_progress_is_told_and_its_faults_are_raised():
    told = []
    meeple.sim("incan-gold", "turn:7 turn:6", n=5_000, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5_000, 5_000) and told == sorted(told)

    def refuse(done, total):
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        meeple.sim("incan-gold", "turn:7 turn:6", n=10_000_000, progress=refuse)


def test_ctrl_c_ends_a_simulation():
    sent = []

    def interrupt(done, total):
        if not sent:
            sent.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        meeple.sim("incan-gold", "turn:7 turn:6", n=10**12, progress=interrupt)
    assert sent


def test_other_threads_go_on_while_it_plays():
    began, told = threading.Event(), []
    thread = threading.Thread(target=lambda: (began.wait(), told.append(True)))
    thread.start()

    def progress(done, total):
        began.set()

    meeple.sim("incan-gold", "turn:7 turn:6", n=20_000, progress=progress)
    thread.join()
    assert told


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["incan-gld", "turn:7"], ("incan-gld", "turn:7")),
        (["incan-gold/boxd", "turn:7"], ("incan-gold/boxd", "turn:7")),
        (["incan-gold", "trun:7"], ("incan-gold", "trun:7")),
        (["incan-gold", "turn:x"], ("incan-gold", "turn:x")),
        (["incan-gold", "turn:7", "--set", "round=7"], ("incan-gold", "turn:7", 10_000, {"round": 7})),
        (["incan-gold", "turn:7", "--set", "rounds=0"], ("incan-gold", "turn:7", 10_000, {"rounds": 0})),
        (["incan-gold", "turn:7", "--profile", "x"], ("incan-gold", "turn:7", 10_000, {"profile": "x"})),
        (["carcassonne", "random"], ("carcassonne", "random")),
        (["incan-gold", "turn:7", "-n", "0"], ("incan-gold", "turn:7", 0)),
    ],
)
def test_errors_are_those_of_the_command_line(words, arguments, binary):
    told = binary("sim", *words, fails=True)
    game, line_up, *rest = arguments
    n, settings = (*rest, *(10_000, None)[len(rest) :])
    with pytest.raises(meeple.UsageError) as raised:
        meeple.sim(game, line_up, n, set=settings)
    assert isinstance(raised.value, ValueError)
    assert str(raised.value).strip() == told.strip().removeprefix("meeple: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": -1}, "n: expected a whole number from 0 to 18446744073709551615, found -1"),
        ({"n": 1.5}, "n: expected a whole number"),
        ({"n": True}, "n: expected a whole number"),
        ({"seed": 2**64}, "seed: expected a whole number"),
        ({"seating": "round"}, "seating: expected one of rotate, fixed, shuffle, deals, found 'round'"),
        ({"game": 7}, "game: expected a text, found 7"),
    ],
)
def test_wrong_values_are_refused(options, message):
    with pytest.raises(meeple.UsageError, match=message):
        meeple.sim(**{"game": "incan-gold", "agents": "turn:7", **options})


def test_exact_values_are_those_of_the_command_line(binary):
    told = binary("exact", "incan-gold", "solo", "turn:5..8", "--set", "rounds=3", "--json")
    result = meeple.exact("incan-gold", "solo", "turn:5..8", set={"rounds": 3})
    assert result.data == told
    assert "best: turn:6" in repr(result) and result.tables[0][1][0] == "setting"
    assert "<pre>" in result._repr_html_()
    with pytest.raises(meeple.UsageError, match="cartolan has no 'exact'\nhint: it has"):
        meeple.exact("cartolan", "x")


def test_ctrl_c_ends_what_is_computed():
    asked = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    asked.start()
    with pytest.raises(KeyboardInterrupt):
        meeple.exact("incan-gold", "versus", "turn:1..30", "turn:1..30")
    asked.join()


def test_a_tool_writes_the_files_that_it_is_asked_for(tmp_path):
    path = tmp_path / "made.map"
    meeple.tool("map", "privateers", "generate", "-o", path, seed=3)
    assert path.read_text().strip() and [entry.name for entry in tmp_path.iterdir()] == ["made.map"]
    with pytest.raises(meeple.Failure, match="expected to write"):
        meeple.tool("map", "privateers", "generate", "-o", tmp_path / "missing" / "made.map")


@pytest.mark.parametrize("game", GAMES)
def test_a_moment_of_a_replay_is_drawn(game, tmp_path):
    episode = meeple.Game(game).episode(seed=2)
    episode.play(["random"] * episode.game.seats)
    replay = episode.replay()
    assert meeple.render(replay) == episode.svg(players=[f"seat {seat}" for seat in range(episode.game.seats)])
    assert meeple.render(replay, 0).startswith("<svg")
    path = tmp_path / "game.json.gz"
    path.write_bytes(gzip.compress(replay.encode()))
    picture = meeple.render(path, format="png", width=200, viewer="public")
    assert picture.startswith(b"\x89PNG") and int.from_bytes(picture[16:20], "big") == 200


def test_what_cannot_be_drawn_is_refused(tmp_path):
    episode = meeple.Game("incan-gold", 2).episode()
    replay = episode.replay()
    with pytest.raises(meeple.UsageError, match=r"at: expected a moment from 0 to 0 \(or -1 to -1\), found 1"):
        meeple.render(replay, 1)
    with pytest.raises(meeple.UsageError, match="viewer: expected a seat from 0 to 1, public or all, found '2'"):
        meeple.render(replay, viewer=2)
    with pytest.raises(meeple.UsageError, match="it does not exist"):
        meeple.render(tmp_path / "none.json")
    with pytest.raises(meeple.UsageError, match="format: expected svg or png"):
        meeple.render(replay, format="gif")
    wrong = {**json.loads(replay), "steps": ["0 fly"]}
    with pytest.raises(meeple.Failure, match=r"step 1 \('0 fly'\)"):
        meeple.render(json.dumps(wrong))
    Path(tmp_path / "text.json").write_text("no replay")
    with pytest.raises(meeple.Failure, match="expected a replay in JSON"):
        meeple.render(tmp_path / "text.json")


def test_games_and_agents_are_told():
    games = meeple.games()
    assert games["incan-gold"]["seats"] == [1, 16]
    assert "turn" in meeple.agents("incan-gold")
    with pytest.raises(meeple.UsageError, match="unknown game 'x'"):
        meeple.agents("x")


def test_rows_of_episodes_are_those_of_the_file(binary, tmp_path):
    import pyarrow
    import pyarrow.parquet

    words = ["incan-gold", "turn:7", "random:0.2", "backpack:20", "-n", "300", "--seed", "5"]
    binary("sim", *words, "--out", str(tmp_path / "out"), "--json")
    kept = meeple.sim("incan-gold", words[1:4], n=300, seed=5, keep=True)
    table = pyarrow.table(kept.rows)
    stored = pyarrow.parquet.read_table(tmp_path / "out" / "episodes.parquet")
    assert table.column_names == stored.column_names and table.num_rows == 900
    columns = kept.rows.columns()
    for name in stored.column_names:
        assert table[name].to_pylist() == stored[name].to_pylist() == columns[name].tolist()
    assert pyarrow.schema(kept.rows).names == stored.column_names


@pytest.mark.parametrize("game", GAMES)
def test_rows_of_every_game_outlive_their_simulation(game):
    import pyarrow

    seats = meeple.Game(game).seats
    table = pyarrow.table(meeple.sim(game, f"random*{seats}", n=4, threads=1, keep=True).rows)
    assert table["episode"].to_pylist() == [episode for episode in range(4) for _ in range(seats)]
    assert set(table["agent"].to_pylist()) == {"random"}
    table.validate(full=True)


def test_rows_that_were_not_kept_are_refused():
    with pytest.raises(meeple.UsageError, match="hint: sim"):
        _ = meeple.sim("incan-gold", "turn:7", n=10).rows


def test_a_bar_by_tqdm_is_drawn_when_asked_for(capsys):
    meeple.sim("incan-gold", "turn:7 turn:6", n=2_000, progress=True)
    meeple.sweep("incan-gold", "solo turn:5..6", n=1_000, progress=True)
    told = capsys.readouterr().err
    assert "2.00k/2.00k" in told and "episodes" in told
