"""Determinizations that a viewer cannot tell apart, and chance outcomes that are forced instead of drawn."""

from __future__ import annotations

import copy
import pickle

import meeple
import pytest
from conftest import GAMES


def begun(game, steps=25):
    """An episode in its middle."""
    episode = meeple.Game(game).episode(seed=4)
    while len(episode.steps) < steps and not episode.is_over:
        if not episode.step_chance():
            seat = episode.phase.seats[0]
            episode.apply(seat, episode.sample_action(seat))
    episode.settle_chance()
    return episode


@pytest.mark.parametrize("game", GAMES)
def test_a_viewer_cannot_tell_the_worlds_apart(game):
    episode = begun(game)
    for viewer in [*range(episode.game.seats)[:4], "public"]:
        drawn = episode.determinize(viewer, seed=9)
        assert drawn.observation(viewer) == episode.observation(viewer)
        assert drawn.information_key(viewer) == episode.information_key(viewer)
        again = episode.determinize(viewer, seed=9)
        assert again.observation("all") == drawn.observation("all")
    assert episode.determinize("all", seed=1).observation("all") == episode.observation("all")


def test_what_is_hidden_is_drawn_anew():
    episode = begun("carcassonne", 60)
    worlds = {str(episode.determinize(0, seed).observation("all")) for seed in range(20)}
    assert len(worlds) > 10


@pytest.mark.parametrize("game", GAMES)
def test_a_world_is_played_copied_and_pickled(game):
    drawn = begun(game, 1).determinize(0, seed=3)
    drawn.settle_chance()
    seat = drawn.phase.seats[0]
    drawn.apply(seat, drawn.sample_action(seat))
    others = [copy.deepcopy(drawn), pickle.loads(pickle.dumps(drawn))]
    outcomes = [world.play(["random"] * drawn.game.seats) for world in (drawn, *others)]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert drawn.steps == others[0].steps == others[1].steps


def test_a_world_has_no_replay_and_keeps_the_own_decision():
    episode = meeple.Game("incan-gold", 3).episode(seed=1)
    episode.settle_chance()
    episode.apply(1, "leave")
    assert episode.determinize(1, 5).phase.seats == (0, 2)
    assert episode.determinize(0, 5).phase.seats == (0, 1, 2)
    with pytest.raises(meeple.UsageError, match="found a world that was drawn\nhint: it has no replay"):
        episode.determinize(0, 5).replay()


def test_chance_is_listed_and_told():
    episode = meeple.Game("incan-gold", 2).episode(seed=1)
    outcomes = episode.chance_outcomes()
    assert abs(sum(outcomes.values()) - 1) < 1e-9 and len(outcomes) > 5
    for outcome in outcomes:
        told = episode.copy()
        told.apply_chance(outcome)
        assert told.steps[-1] == f"c {outcome}"
    with pytest.raises(meeple.IllegalAction, match="'moon' is no outcome of chance"):
        episode.apply_chance("moon")
    episode.settle_chance()
    assert episode.chance_outcomes() is None
    with pytest.raises(meeple.IllegalAction, match="chance cannot draw"):
        episode.apply_chance(next(iter(outcomes)))


@pytest.mark.parametrize("game", GAMES)
def test_what_chance_was_told_is_pickled(game):
    episode = meeple.Game(game).episode(seed=2)
    for number in range(40):
        if episode.phase.kind == "chance":
            outcomes = list(episode.chance_outcomes() or [])
            if outcomes and number % 2 == 0:
                episode.apply_chance(outcomes[-1])
            else:
                episode.step_chance()
        elif episode.phase.seats:
            seat = episode.phase.seats[0]
            episode.apply(seat, episode.sample_action(seat))
    loaded = pickle.loads(pickle.dumps(episode))
    assert loaded.steps == episode.steps
    assert loaded.play(["random"] * loaded.game.seats) == episode.play(["random"] * loaded.game.seats)
