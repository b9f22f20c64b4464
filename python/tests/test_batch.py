"""Many episodes stepped together."""

from __future__ import annotations

import meeple
import numpy as np
import pytest
from conftest import LISTED


def first_legal(rows):
    return rows.masks.argmax(axis=1)


@pytest.mark.parametrize("game", LISTED)
def test_a_batch_plays_the_episodes_of_the_run(game):
    batch = meeple.Batch(game, lanes=3, seed=21)
    seen = {}
    while len(seen) < 6:
        ended = batch.send(first_legal(batch.recv()))
        for number, episode in enumerate(ended.episodes.tolist()):
            assert episode % 3 == ended.lanes[number]
            seen[episode] = (ended.scores[number].tolist(), ended.places[number].tolist(), ended.lengths[number])
            assert ended.utilities[number].sum() == pytest.approx(0, abs=1e-12)
    for index, (scores, places, length) in seen.items():
        episode = batch.game.episode(seed=21, index=index)
        while not episode.is_over:
            if not episode.step_chance():
                seat = episode.phase.seats[0]
                episode.apply_id(seat, episode.mask(seat).argmax())
        assert episode.outcome is not None
        assert (list(episode.outcome.scores), list(episode.outcome.places)) == (scores, places)
        assert episode.length == length


@pytest.mark.parametrize("game", LISTED)
def test_rows_are_what_the_seats_know(game):
    batch = meeple.Batch(game, lanes=4, seed=2)
    rows = batch.recv()
    for row, (lane, seat) in enumerate(zip(rows.lanes.tolist(), rows.seats.tolist(), strict=True)):
        episode = batch.game.episode(seed=2, index=lane)
        episode.settle_chance()
        assert seat in episode.phase.seats and rows.episodes[row] == lane
        assert (rows.masks[row] == episode.mask(seat)).all()
        assert (rows.observations[row] == episode.numbers(seat)).all()


def test_opponents_decide_by_themselves():
    batch = meeple.Batch("privateers", lanes=2, seats=3, opponents={0: "admiral", 2: "random"}, seed=1)
    for _ in range(50):
        rows = batch.recv()
        assert set(rows.seats.tolist()) == {1} and len(rows) == 2
        batch.send(first_legal(rows))
    lanes = meeple.Batch("incan-gold", lanes=2, seats=2, opponents=[{0: "turn:7"}, {1: "turn:7"}])
    assert lanes.recv().seats.tolist() == [1, 0]


def test_arrays_of_the_caller_are_filled_in_place():
    batch = meeple.Batch("incan-gold", lanes=5, seats=3, seed=3)
    again = meeple.Batch("incan-gold", lanes=5, seats=3, seed=3)
    rows = batch.arrays()
    count = batch.recv_into(rows)
    for _ in range(40):
        fresh = again.recv()
        assert len(fresh) == count
        for name in ("lanes", "episodes", "seats", "masks", "observations"):
            assert (getattr(rows, name)[:count] == getattr(fresh, name)).all()
        ids = first_legal(fresh)
        again.send(ids)
        count, _ = batch.step_into(ids, rows)


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("lanes", np.zeros(6, np.int32), "lanes: expected an array of uint32, found one of int32"),
        ("seats", np.zeros(5, np.uint16), r"seats: expected the shape \[6\], found \[5\]"),
        ("masks", np.zeros((2, 6), np.uint8).T, "masks: expected an array in the order of C"),
        ("observations", np.zeros((6, 43)), "observations: expected an array of float32, found one of float64"),
    ],
)
def test_wrong_arrays_are_refused(name, wrong, message):
    batch = meeple.Batch("incan-gold", lanes=2, seats=3)
    rows = batch.arrays()
    object.__setattr__(rows, name, wrong)
    with pytest.raises(meeple.UsageError, match=message):
        batch.recv_into(rows)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0], r"ids: expected the shape \(2,\), found \(1,\)\nhint: one for every row"),
        ([[0, 0]], r"found \(1, 2\)"),
        ([0.0, 1.0], "ids: expected whole numbers, found an array of float64"),
        ([0, -1], "ids: expected numbers from 0 to 1, found -1"),
        ([0, 2], "ids: expected numbers from 0 to 1, found 2"),
    ],
)
def test_wrong_ids_change_nothing(ids, message):
    batch = meeple.Batch("incan-gold", lanes=1, seats=2)
    with pytest.raises(meeple.UsageError, match="shape"):
        batch.send([0, 0])
    rows = batch.recv()
    with pytest.raises(meeple.UsageError, match=message):
        batch.send(ids)
    again = batch.recv()
    assert (again.observations == rows.observations).all()
    batch.send(np.array([0, 1], np.uint8))


def test_an_id_that_the_mask_forbids_is_told_with_its_row():
    batch = meeple.Batch("carcassonne", lanes=2, seats=2)
    rows = batch.recv()
    ids = first_legal(rows)
    ids[1] = np.flatnonzero(rows.masks[1] == 0)[0]
    with pytest.raises(meeple.UsageError, match=r"row 1 \(lane 1, seat \d\): no legal action has the id \d+\nhint: look"):
        batch.send(ids)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "game17"}, "the actions of game17 have no ids\nhint: play it by text or JSON"),
        ({"opponents": {0: "turn:7", 1: "turn:7"}}, "lane 0: expected a seat without an agent, found none"),
        ({"opponents": {2: "turn:7"}}, "seat: expected a whole number from 0 to 1, found 2"),
        ({"opponents": [{}]}, "opponents: expected one set of agents for each of 2 lanes, found 1"),
        ({"opponents": {0: "trun"}}, "unknown agent 'trun'"),
        ({"lanes": 0}, "lanes: expected a whole number from 1"),
        ({"game": meeple.Game("incan-gold", 2)}, "expected seats and settings where the game is set up"),
    ],
)
def test_wrong_batches_are_refused(arguments, message):
    given = {"game": "incan-gold", "lanes": 2, "seats": 2, **arguments}
    if given["game"] == "game17":
        del given["seats"]
    with pytest.raises(meeple.UsageError, match=message):
        meeple.Batch(**given)
