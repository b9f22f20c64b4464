"""Answers by id, and trained policies as players."""

from __future__ import annotations

import meeple
import numpy as np
import pytest
from conftest import LISTED, taken


def rarest(numbers, masks):
    """The largest legal id of every row, computed as a network would."""
    assert numbers.dtype == np.float32 and masks.dtype == np.int8 and len(numbers) == len(masks)
    return np.where(masks, np.arange(masks.shape[1]), -1).argmax(axis=1)


@pytest.mark.parametrize("game", LISTED)
def test_ids_stand_beside_the_texts_of_their_actions(game):
    episode, rng = meeple.Game(game).episode(seed=4), np.random.default_rng(1)
    for _ in range(25):
        episode.settle_chance()
        if episode.is_over:
            break
        for seat in episode.phase.seats:
            legal, ids = episode.legal_actions(seat), episode.legal_ids(seat)
            assert len(legal) == len(ids) and sorted(ids) == np.flatnonzero(episode.mask(seat)).tolist()
            place = int(rng.integers(len(ids)))
            assert taken(episode, seat, ids[place]) == legal[place]
            before = len(episode.steps)
            episode.apply(seat, meeple.Id(ids[place]))
            if len(episode.steps) > before:
                assert f"{seat} {legal[place]}" in episode.steps[before:]
    over = meeple.Game(game).episode(seed=4)
    over.play(["random"] * over.game.seats)
    assert len(over.legal_ids(0)) == 0


@pytest.mark.parametrize("game", LISTED)
def test_a_policy_plays_the_actions_that_it_was_trained_on(game):
    """The same function plays the same episodes with a batch, in `Episode.play` and in `sim`."""
    rules = meeple.Game(game)
    policy = meeple.policy(rarest)
    batch = meeple.Batch(rules, lanes=1, opponents=dict.fromkeys(range(1, rules.seats), "random"), seed=3)
    ended = []
    while len(ended) < 2:
        rows = batch.recv()
        ended += batch.send(policy(rows.observations, rows.masks)).scores.tolist()
    others = ["random"] * (rules.seats - 1)
    played = [list(rules.episode(3, index).play([policy, *others]).scores) for index in range(2)]
    assert played == ended
    if rules.seats == len(meeple.games()[game]["demo"]):
        run = meeple.sim(game, [policy, *others], n=2, seed=3, seating="fixed", keep=True)
        scores = run.rows.columns()
        assert [scores["score"][scores["episode"] == index].tolist() for index in range(2)] == ended
        assert run.summary["agents"][0]["name"] == "rarest"


def test_a_number_that_may_mean_two_actions_is_refused():
    """In most games an action's index differs from its id, so no number may silently become another
    action."""
    refused = 0

    def by_mask(turn):
        nonlocal refused
        number = int(turn.mask.argmax())
        if turn.ids[0] != turn.legal.index(taken(turn._episode, turn.seat, number)):
            refused += 1
        return number

    episode = meeple.Game("carcassonne", 2).episode(seed=1)
    with pytest.raises(meeple.IllegalAction, match=r"expected an action that says what it is, found the number \d+.*\nhint: meeple.Id\("):
        episode.play([by_mask, "random"])
    assert len([step for step in episode.steps if step.startswith("0 ")]) == 0 and refused == 1
    run = meeple.sim("carcassonne", [by_mask, "random"], n=1, on_error="fault")
    assert run.faults[0].count > 10 and isinstance(run.faults[0].first, meeple.IllegalAction)


def test_a_number_that_means_one_action_is_taken():
    # In Incan Gold ids equal indices, and games without ids have indices alone.
    episode = meeple.Game("incan-gold", 2).episode(seed=1)
    assert episode.play([lambda turn: int(turn.mask.argmax()), lambda turn: np.int64(1)]).scores
    asked = []

    def second(turn):
        asked.append(turn.legal)
        return "leave" if len(asked) > 3 else 0

    assert meeple.sim("incan-gold", [second, "turn:7"], n=1).episodes == 1


def test_ids_are_whole_numbers():
    assert meeple.Id(np.int16(3)) == 3 and repr(meeple.Id(3)) == "Id(3)"
    for wrong in (-1, 0.5, "0", True, None):
        with pytest.raises(meeple.UsageError, match="id: expected a whole number from 0"):
            meeple.Id(wrong)
    episode = meeple.Game("incan-gold", 2).episode(seed=1)
    episode.settle_chance()
    with pytest.raises(meeple.IllegalAction, match="no legal action has the id 2"):
        episode.apply(0, meeple.Id(2))


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (lambda numbers, masks: 1, r"policy: expected 1 whole numbers of the shape \(1,\)"),
        (lambda numbers, masks: [0.5], "found float64"),
        (lambda numbers, masks: [0, 1], r"of \(2,\)"),
        (lambda numbers, masks: [9], "no legal action has the id 9"),
    ],
)
def test_wrong_policies_are_refused(choose, message):
    with pytest.raises(meeple.UsageError, match=message):
        meeple.sim("incan-gold", [meeple.policy(choose), "turn:7"], n=2)


def test_policies_are_refused_where_they_cannot_decide():
    with pytest.raises(meeple.UsageError, match="policy: expected a function of numbers and masks, found 7"):
        meeple.policy(7)
    with pytest.raises(meeple.UsageError, match="the actions of game17 have no ids"):
        meeple.sim("game17", [meeple.policy(rarest), "random"], n=1)
