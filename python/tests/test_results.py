"""Results that leave the process (pickles, copies, data frames), and misuse of players in Python."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import meeple
import numpy as np
import pytest

from meeple._words import setting


def seven(turn):
    return "stay" if turn.observation["turn"] < 7 else "leave"


def simulated(seed):
    """Plays in a worker process, and returns the result."""
    return meeple.sim("incan-gold", ["turn:7", "random"], n=50, seed=seed, keep=True)


class Odd(Exception):
    """An exception that cannot be unpickled."""

    def __init__(self, one, two):
        super().__init__("odd")


def breaks(turn):
    raise Odd(1, 2)


def results():
    return [
        simulated(1),
        meeple.sim("incan-gold", [seven, breaks], n=20, on_error="fault"),
        meeple.sweep("incan-gold", "solo turn:5..6", n=100),
        meeple.tournament("incan-gold", ["turn:7", "turn:5", "random"], deals=20, resamples=50),
        meeple.exact("incan-gold", "solo", "turn:5..6"),
        meeple.games(),
        meeple.agents("incan-gold"),
        simulated(1).rows,
    ]


def known(result):
    """All data of a result."""
    asked = [repr(result)]
    for name in ("_repr_html_", "plots", "columns"):
        if hasattr(result, name):
            asked.append(getattr(result, name)())
    asked += [vars(result).get("summary"), vars(result).get("data"), [(f.name, f.count) for f in getattr(result, "faults", [])]]
    if getattr(result, "_rows", None) is not None:
        asked.append(result.rows.columns())
    if isinstance(result, meeple.Tournament):
        asked.append(result.columns("matchups"))
    if isinstance(result, meeple.EpisodeRows):
        asked.append(len(result))
    return asked


@pytest.mark.parametrize("number", range(8))
def test_results_are_pickled_and_copied(number):
    result = results()[number]
    for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        np.testing.assert_equal(known(again), known(result))
    twice = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(result))))
    np.testing.assert_equal(known(twice), known(result))


def test_rows_of_a_pickle_are_read_by_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    rows = simulated(1).rows
    assert pyarrow.table(pickle.loads(pickle.dumps(rows))).equals(pyarrow.table(rows))


def test_an_exception_that_no_pickle_takes_becomes_its_text():
    (_, fault) = meeple.sim("incan-gold", [seven, breaks], n=2, on_error="fault").faults
    again = pickle.loads(pickle.dumps(fault))
    assert isinstance(fault.first, Odd) and isinstance(again.first, meeple.Failure) and "Odd: odd" in str(again.first)


def test_worker_processes_return_results():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        played = pool.submit(simulated, 5).result(timeout=120)
    here = simulated(5)
    assert played.summary == here.summary and played.seconds > 0
    np.testing.assert_equal(played.rows.columns(), here.rows.columns())


@pytest.mark.parametrize("attempt", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_batch_is_not_shared_by_copies(attempt):
    batch = meeple.Batch("incan-gold", lanes=2, seats=2)
    with pytest.raises(meeple.UsageError, match="a batch cannot be copied or pickled: .*\nhint: make one"):
        attempt(batch)


@pytest.mark.parametrize("table", [("agents",), ("seats",)])
def test_tables_are_data_frames(table):
    pandas = pytest.importorskip("pandas")
    run = simulated(1)
    frame = run.to_pandas(*table)
    assert isinstance(frame, pandas.DataFrame)
    np.testing.assert_equal({name: frame[name].to_numpy() for name in frame}, run.columns(*table))
    assert len(run.rows.to_pandas()) == len(run.rows) == 100


def test_tables_are_data_frames_of_polars():
    polars = pytest.importorskip("polars")
    run = simulated(1)
    frame = run.to_polars("seats")
    assert isinstance(frame, polars.DataFrame) and frame["wins"].to_list() == run.columns("seats")["wins"].tolist()
    assert run.rows.to_polars()["score"].to_list() == run.rows.columns()["score"].tolist()
    assert meeple.games().to_polars()["id"].to_list() == list(meeple.games())


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_data_frames_without_their_library_say_so(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(meeple.UsageError, match=f"expected {name} to be installed, found none\nhint: pip install {name}"):
        getattr(simulated(1), f"to_{name}")()


def test_what_there_is_is_shown_as_a_table():
    games = meeple.games()
    assert isinstance(games, dict) and repr(games).splitlines()[0].split() == ["id", "seats", "presets", "summary"]
    assert len(repr(games).splitlines()) == len(games) + 2 and all(name in repr(games) for name in games)
    assert games._repr_html_().count("<tr>") == len(games) + 1 and set(games.columns()["id"]) == set(games)
    assert "turn" in repr(meeple.agents("incan-gold"))


def test_rows_are_shown_by_their_shapes():
    rows = meeple.Batch("incan-gold", lanes=3, seats=2).recv()
    assert len(rows) == 6 and repr(rows).startswith("<Rows: 6; lanes uint32[6]") and "masks int8[6, 2]" in repr(rows)
    assert len(simulated(1).rows) == 100 and repr(simulated(1).rows).startswith("<EpisodeRows: 100 rows; episode")


# Players


async def sleeps(turn):
    return "stay"


def yields(turn):
    yield "stay"


class Sleeps:
    async def act(self, turn):
        return "stay"


class Called:
    async def __call__(self, turn):
        return "stay"


@pytest.mark.parametrize("player", [sleeps, Sleeps, Sleeps(), Called(), yields])
def test_players_that_do_not_decide_when_they_are_called_are_refused_when_they_are_seated(player):
    calls = [
        lambda: meeple.sim("incan-gold", [player, "turn:7"], n=2),
        lambda: meeple.tournament("incan-gold", [player, "turn:7"], deals=1),
        lambda: meeple.Game("incan-gold", 2).episode().play([player, "turn:7"]),
    ]
    for call in calls:
        with pytest.raises(meeple.UsageError, match="players: expected a function, found"):
            call()


def test_a_player_that_ends_the_program_has_failed():
    def leaves(turn):
        sys.exit(3)

    run = meeple.sim("incan-gold", [leaves, "turn:7"], n=5, on_error="fault")
    assert run.episodes == 5 and run.faults[0].count >= 5 and "SystemExit(3)" in str(run.faults[0].first)
    with pytest.raises(meeple.Failure, match="found one that ends the program"):
        meeple.sim("incan-gold", [leaves, "turn:7"], n=5)
    episode = meeple.Game("incan-gold", 2).episode()
    episode.play([leaves, "turn:7"], on_fault="fallback")
    assert episode.is_over and episode.faults


def test_numbers_of_numpy_are_numbers():
    line_up = "turn:7 turn:5"
    settings = {"rounds": np.int64(2)}
    assert meeple.sim("incan-gold", line_up, n=20, set=settings).summary == meeple.sim("incan-gold", line_up, n=20, set={"rounds": 2}).summary
    assert meeple.Game("incan-gold", 2, set={"rounds": np.int8(3)}).variant["rounds"] == 3
    episode = meeple.Game("game17", set={"size": np.int32(6)}).episode(seed=1)
    episode.settle_chance()
    (seat,) = episode.phase.seats
    place = episode.observation(seat)["owners"].index(seat)
    plain, other = episode.copy(), episode.copy()
    direction = "n" if place >= 6 else "s"
    plain.apply(seat, [[place // 6, place % 6, direction, 1]])
    move = [np.int64(place // 6), np.int32(place % 6), direction, np.uint8(1)]
    other.apply(np.int64(seat), [move])
    assert other.steps == plain.steps != episode.steps
    assert episode.observation(np.int64(0)) == episode.observation(0)
    with pytest.raises(meeple.IllegalAction, match="expected an action as JSON"):
        episode.apply(seat, [object()])


@pytest.mark.parametrize(
    ("value", "word"),
    [(np.bool_(True), "on"), ([True, False], "on,off"), (np.array([1, 2]), "1,2"), (np.float64(0.5), "0.5"), (np.int64(3), "3")],
)
def test_settings_of_numpy_are_as_pythons(value, word):
    assert setting(value) == word


# Tournaments and what ends runs early


def test_players_in_python_play_tournaments():
    native = meeple.tournament("incan-gold", ["turn:7", "turn:5", "random:0.3"], deals=20, seed=2, resamples=50)
    own = meeple.tournament("incan-gold", [seven, "turn:5", "random:0.3"], deals=20, seed=2, resamples=50)

    def counted(run):
        columns = run.columns()
        return {name: column.tolist() for name, column in columns.items() if name not in ("name", "run")}

    np.testing.assert_equal(counted(own), counted(native))
    assert "seven" in own.columns()["name"]
    assert [fault.count for fault in own.faults] == [0]
    same = meeple.tournament("incan-gold", [seven, seven, "turn:5"], deals=2, resamples=50)
    assert {"seven", "seven 2"} < set(same.columns()["name"])
    faulty = meeple.tournament("incan-gold", [breaks, "turn:5"], deals=2, resamples=50, on_error="fault")
    assert faulty.faults[0].count > 0 and isinstance(faulty.faults[0].first, Odd)
    with pytest.raises(Odd):
        meeple.tournament("incan-gold", [breaks, "turn:5"], deals=2)


def test_ctrl_c_and_progress_do_not_wait_for_a_portion_of_work():
    """The laboratory plays the first 16 episodes as one piece of work, for which a search needs many times 50
    ms."""
    told = []

    def interrupt(done, total):
        told.append(done)
        if done == 1 or (done > 1 and told[-2] == 0):
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        meeple.sim("incan-gold", "mcts:3000 turn:7", n=64, threads=1, progress=interrupt)
    partial = raised.value.partial
    assert 1 <= partial.episodes < 16 and 0 < told[-1] < 16
    same = meeple.sim("incan-gold", "mcts:3000 turn:7", n=partial.episodes, threads=1)
    np.testing.assert_equal(partial.columns(), same.columns())


@pytest.mark.parametrize("on_error", ["raise", "fault"])
def test_an_error_brings_what_was_played(on_error):
    played = []

    class Third:
        """A player that raises an exception in its fourth episode."""

        def __init__(self):
            played.append(self)

        def act(self, turn):
            if len(played) == 5:
                raise KeyboardInterrupt
            return seven(turn)

    with pytest.raises(KeyboardInterrupt) as raised:
        meeple.sim("incan-gold", [Third, "turn:5"], n=1000, seed=3, on_error=on_error)
    same = meeple.sim("incan-gold", ["turn:7", "turn:5"], n=3, seed=3)
    assert raised.value.partial.episodes == 3
    assert raised.value.partial.summary["agents"][0]["wins"] == same.summary["agents"][0]["wins"]
    played.clear()
    with pytest.raises(KeyboardInterrupt) as raised:
        meeple.tournament("incan-gold", [Third, "turn:5"], deals=100, on_error=on_error, resamples=50)
    assert isinstance(raised.value.partial, meeple.Tournament)
    played.clear()
    with pytest.raises(KeyboardInterrupt) as raised:
        meeple.sweep("incan-gold", [Third, "turn:5..6"], n=100, on_error=on_error)
    assert isinstance(raised.value.partial, meeple.Sweep)


def test_an_error_before_anything_was_played_brings_nothing():
    with pytest.raises(Odd) as raised:
        meeple.sim("incan-gold", [breaks, "turn:5"], n=10)
    assert raised.value.partial is None


# Rows without gaps


@pytest.mark.parametrize("game", ["incan-gold", "carcassonne", "cartolan"])
def test_legal_ids_are_the_masks_without_their_gaps(game):
    batch = meeple.Batch(game, lanes=5, seed=2)
    for _ in range(10):
        rows = batch.recv()
        legal = batch.legal_ids()
        assert len(legal) == len(rows) and legal.counts().tolist() == rows.masks.sum(axis=1, dtype=np.int64).tolist()
        for row, mask in enumerate(rows.masks):
            assert legal[row].tolist() == np.flatnonzero(mask).tolist()
        ids = batch.sample()
        assert (rows.masks[np.arange(len(rows)), ids] == 1).all()
        batch.send(ids)
    assert len(batch.legal_ids()) == 0 and len(batch.sample()) == 0
    one, two = (meeple.Batch(game, lanes=5, seed=2) for _ in range(2))
    for _ in range(5):
        assert one.recv().masks.tolist() == two.recv().masks.tolist()
        drawn, again = one.sample(), two.sample()
        assert drawn.tolist() == again.tolist()
        one.send(drawn)
        two.send(again)


def test_masks_have_one_type():
    batch = meeple.Batch("incan-gold", lanes=2, seats=2)
    rows = batch.arrays()
    assert rows.masks.dtype == meeple.Game("incan-gold").episode().mask(0).dtype == np.int8
    older = meeple.Rows(rows.lanes, rows.episodes, rows.seats, rows.masks.astype(np.uint8), rows.observations)
    assert batch.recv_into(older) == batch.recv_into(rows) and older.masks.tolist() == rows.masks.tolist()
