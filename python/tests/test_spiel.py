"""Games of OpenSpiel, by its own checks and algorithms."""

from __future__ import annotations

import copy
import pickle
import random

import meeple
import numpy as np
import pyspiel
import pytest
from conftest import GAMES, PRESETS
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts
from open_spiel.python.bots import uniform_random

from meeple import spiel

#: Games whose actions have ids.
WITH_IDS = [name for name in GAMES if meeple.Game(name).action_bound]
#: Settings that shorten long games, because the checks read everything after every step.
SHORT = {"cartolan": {"rounds": 3}, "privateers": {"max_decisions": 150}, "carcassonne": {"point-limit": 3}}
#: An Incan Gold that is small enough to be solved.
TINY = {"rounds": 1, "gems": [5, 7], "hazards.kinds": 1, "hazards.copies": 3, "artifacts.values": []}


def short(name, **options):
    return spiel.load_game(name, 2, set=SHORT.get(name.split("/")[0]), **options)


def walk(state, steps, seed=1):
    """Plays on by random actions, and yields before every step."""
    rng = random.Random(seed)
    for _ in range(steps):
        if state.is_terminal():
            return
        yield state
        if state.is_simultaneous_node():
            seats = range(state.num_players())
            state.apply_actions([rng.choice(state.legal_actions(seat) or [0]) for seat in seats])
        elif state.is_chance_node():
            numbers, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, shares)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def after(game, steps, seed=1):
    """A state in the middle of an episode."""
    state = game.new_initial_state()
    for _ in walk(state, steps, seed):
        pass
    return state


def known(state):
    """All visible data of a state."""
    seats = range(state.num_players())
    seen = [(state.observation_string(seat), state.information_state_string(seat)) for seat in seats]
    return str(state), state.history(), state.current_player(), state.returns(), state.rewards(), seen


@pytest.mark.parametrize("reward", ["utility", "score"])
@pytest.mark.parametrize("name", WITH_IDS)
def test_the_check_of_openspiel_passes(name, reward, capfd):
    game = short(name, reward=reward)
    # OpenSpiel would save a game with sampled draws together with its generator, which games in Python cannot
    # store.
    pyspiel.random_sim_test(game, num_sims=1, serialize=not game.is_sampled, verbose=False)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_registered_as_what_it_is(name):
    if meeple.Game(name).action_bound == 0:
        with pytest.raises(meeple.UsageError, match="have no ids\nhint: play it by text or JSON"):
            spiel.load_game(name)
        return
    game = spiel.load_game(name)
    assert pyspiel.load_game(game.get_type().short_name) == game
    kind, rules = game.get_type(), meeple.Game(name)
    assert game.rules == rules and game.num_distinct_actions() == rules.action_bound
    hidden = pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert (kind.information == hidden) == (rules.info["information"] == "hidden")
    # The game type's claims about chance and turns hold wherever random play leads.
    sampled = pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    episode = rules.episode(seed=3)
    unlisted, most = 0, 0
    while not episode.is_over:
        if episode.phase.kind == "chance":
            unlisted += episode.chance_outcomes() is None
            episode.step_chance()
        else:
            most = max(most, len(episode.phase.seats))
            episode.apply(episode.phase.seats[0], episode.sample_action(episode.phase.seats[0]))
    assert (unlisted > 0) == (kind.chance_mode == sampled)
    assert (most > 1) == (kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS)


@pytest.mark.parametrize("name", WITH_IDS)
def test_states_are_the_episode(name):
    state = short(name).new_initial_state()
    for _ in walk(state, 60):
        episode = state.episode
        if state.is_chance_node():
            listed = episode.chance_outcomes() or {spiel.SAMPLED: 1.0}
            assert [state.action_to_string(number) for number, _ in state.chance_outcomes()] == list(listed)
            assert sum(share for _, share in state.chance_outcomes()) == pytest.approx(1)
            continue
        for seat in episode.phase.seats:
            texts = [state.action_to_string(seat, action) for action in state.legal_actions(seat)]
            assert sorted(texts) == sorted(episode.legal_actions(seat))
            if (encoding := episode.game.encoding) is not None:
                assert np.array_equal(state.observation_tensor(seat), episode.numbers(seat))
                assert state.get_game().observation_tensor_size() == encoding.size


@pytest.mark.parametrize("name", WITH_IDS)
def test_answers_without_openspiel_are_those_of_openspiel(name):
    """Methods that only read are implemented in Python. At every node and for every player they must return
    the results of OpenSpiel's own."""
    state = short(name).new_initial_state()
    own, bound = pyspiel.State, state.num_distinct_actions()
    for _ in walk(state, 80):
        for method in ("is_chance_node", "is_simultaneous_node", "is_player_node", "is_terminal", "current_player"):
            found = getattr(state, method)()
            assert found == getattr(own, method)(state) and type(found) in (bool, int), method
        if not state.is_simultaneous_node():
            assert state.legal_actions() == own.legal_actions(state)
        for seat in range(state.num_players()):
            assert state.legal_actions(seat) == own.legal_actions(state, seat)
            # OpenSpiel's own method writes beyond the mask here, which crashes the interpreter.
            expected = [0] * bound if state.is_chance_node() else own.legal_actions_mask(state, seat)
            assert state.legal_actions_mask(seat) == expected
            found = state.observation_tensor(seat)
            assert found == own.observation_tensor(state, seat) and type(found) is list and {type(number) for number in found} <= {float}
        if state.is_player_node():
            assert state.observation_tensor() == own.observation_tensor(state)


def test_looking_at_a_state_does_not_call_back(monkeypatch):
    """Reading a state is one call, where OpenSpiel's trampolines made four to six."""
    state = after(spiel.load_game("carcassonne", 2), 12)
    while state.is_chance_node():
        state.apply_action(0)
    calls = []
    for method in ("_legal_actions", "current_player", "is_terminal"):
        original = getattr(spiel.State, method)
        monkeypatch.setattr(
            spiel.State, method, lambda self, *given, name=method, original=original: calls.append(name) or original(self, *given)
        )
    mover = state.current_player()
    calls.clear()
    state.legal_actions(), state.legal_actions(mover), state.is_chance_node(), state.is_simultaneous_node()
    state.observation_tensor(mover)
    assert calls == []


@pytest.mark.parametrize("name", WITH_IDS)
def test_copies_go_on_identically(name):
    game = short(name)
    for steps in (0, 1, 30):
        state = after(game, steps)
        copies = [state.clone(), copy.deepcopy(state), game.deserialize_state(state.serialize())]
        if not game.is_sampled:
            copies.append(pickle.loads(pickle.dumps(state)))
        before = known(state)
        assert all(known(one) == before for one in copies)
        if steps == 30:
            for one in copies:
                for _ in walk(one, 15, seed=2):
                    pass
                assert known(state) == before, "nothing is shared"
            assert all(known(one) == known(copies[0]) for one in copies) or game.is_sampled


def test_copies_do_not_foresee_what_is_drawn():
    game = short("privateers")
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 1.0)] and state.action_to_string(0) == "drawn"
    worlds = set()
    for _ in range(20):
        one = state.clone()
        while one.is_chance_node():
            one.apply_action(0)
        worlds.add(str(one))
    assert len(worlds) > 10
    first, second = (after(short("privateers", seed=seed), 8) for seed in (5, 5))
    assert str(first) == str(second)


def test_games_are_saved_by_their_parameters():
    for game in (
        spiel.load_game("incan-gold", 2, set=TINY, reward="score"),
        spiel.load_game("cartolan/advanced", 3, set={"conflict_chance": 0.123456789}, information_states=False, seed=9),
    ):
        loaded = pickle.loads(pickle.dumps(game))
        assert loaded == game and loaded.rules == game.rules
        assert (loaded.reward, loaded.remembers) == (game.reward, game.remembers)
    by_text = pyspiel.load_game("meeple_incan_gold(seats=4,rounds=2,gems=5;7)")
    assert by_text.rules == meeple.Game("incan-gold", 4, set={"rounds": 2, "gems": [5, 7]})


@pytest.mark.parametrize("name", WITH_IDS)
def test_information_states_remember_what_a_seat_has_seen_and_nothing_else(name):
    game = short(name)
    state = game.new_initial_state()
    told = [{} for _ in range(game.num_players())]
    passed = [[] for _ in range(game.num_players())]
    for _ in walk(state, 60):
        for seat in range(game.num_players()):
            memory, view = state.information_state_string(seat), state.observation_string(seat)
            # Equal information states have equal observations.
            assert told[seat].setdefault(memory, view) == view
            if not passed[seat] or passed[seat][-1] != memory:
                assert memory not in passed[seat], "nothing is forgotten"
                passed[seat].append(memory)
            if not state.is_chance_node():
                world = state.resample_from_infostate(seat, lambda: 0.3)
                assert world.information_state_string(seat) == memory
                assert world.observation_string(seat) == view
                assert world.current_player() == state.current_player() and world.history() == []
    assert all(len(memories) > 3 for memories in passed)


def test_who_cannot_tell_two_histories_apart_has_one_information_state():
    # Another seat's hidden draw, and another seat's decision that is still held.
    game = spiel.load_game("carcassonne", 2)
    state = after(game, 40)
    while not (state.is_chance_node() and len(state.chance_outcomes()) > 5):
        state.apply_action(state.legal_actions()[0])
    children = [state.child(number) for number, _ in state.chance_outcomes()]
    strings = [{child.information_state_string(seat) for child in children} for seat in range(2)]
    assert sorted(map(len, strings)) == [1, len(children)]


def test_an_own_decision_is_remembered_where_the_view_is_the_same():
    game = spiel.load_game("incan-gold", 1, set=TINY)
    first = game.new_initial_state()
    first.apply_action(0)
    stays, leaves = first.child(0), first.child(1)
    assert stays.information_state_string(0) != leaves.information_state_string(0)


def test_seats_that_owe_nothing_have_no_legal_actions():
    state = spiel.load_game("incan-gold", 3).new_initial_state()
    state.apply_action(0)
    assert state.is_simultaneous_node()
    state.apply_actions([1, 0, 0])
    state.apply_action(0)
    assert state.is_simultaneous_node() and state.legal_actions(0) == [] and state.legal_actions(1) == [0, 1]
    state.apply_actions([0, 1, 0])
    state.apply_action(0)
    assert state.current_player() == 2, "one seat alone is asked as in a game of turns"


def test_rewards_sum_up_to_the_scores():
    state = spiel.load_game("incan-gold", 3, reward="score").new_initial_state()
    total = np.zeros(3)
    for one in walk(state, 10_000):
        if not one.is_chance_node():
            total += one.rewards()
            assert total.tolist() == one.returns() == list(one.episode.scores)
    assert (total + state.rewards()).tolist() == state.returns() == list(state.episode.outcome.scores)


def until(game, turns):
    """The policy that leaves after this number of turns."""

    class Until(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            texts = {state.action_to_string(0, action): action for action in state.legal_actions(0)}
            return {texts["leave" if state.episode.observation(0)["turn"] >= turns else "stay"]: 1.0}

    return Until(game, [0])


def test_expected_scores_are_the_exact_ones():
    game = spiel.load_game("incan-gold", 1, set=TINY, reward="score")
    exact = meeple.exact("incan-gold", "solo", "turn:1..4", set=TINY)
    _, _, rows, _ = exact.tables[0]
    for turns, row in zip(range(1, 5), rows, strict=True):
        (value,) = expected_game_score.policy_value(game.new_initial_state(), [until(game, turns)])
        assert row[0] == f"turn:{turns}" and value == pytest.approx(float(row[1]), abs=1e-4)


def test_a_small_simultaneous_game_is_solved():
    # Both seats have the same options, so the value is 0, and no strategy gains against a solution.
    game = pyspiel.convert_to_turn_based(spiel.load_game("incan-gold", 2, set={**TINY, "gems": [5]}))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(9):
        solver.evaluate_and_update_policy()
    solved = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [solved, solved])
    assert values == pytest.approx([0, 0], abs=0.005)
    uniform = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, solved) < 0.02 < exploitability.nash_conv(game, uniform)


def test_tree_search_of_openspiel_wins():
    rules = {**TINY, "gems": [5, 7, 9, 11], "rounds": 3}
    game = pyspiel.convert_to_turn_based(spiel.load_game("incan-gold", 2, set=rules, information_states=False))
    rng = np.random.RandomState(1)
    bots = [
        mcts.MCTSBot(game, 1.4, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng),
        uniform_random.UniformRandomBot(1, rng),
    ]
    won = 0.0
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(numbers, p=shares)))
            else:
                state.apply_action(bots[state.current_player()].step(state))
        won += state.returns()[0]
    # Winning 8 of 20 by chance alone would be two standard deviations.
    assert won >= 8


def test_search_over_information_states_samples_worlds():
    game = short("carcassonne")
    state = after(game, 30)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 1.4, 4)
    assert bot.step(state) in state.legal_actions()


def test_learners_of_openspiel_get_its_environment():
    env = rl_environment.Environment(spiel.load_game("incan-gold", 3, reward="score", information_states=False))
    env.seed(1)
    step = env.reset()
    assert len(step.observations["info_state"][0]) == meeple.Game("incan-gold", 3).encoding.size
    total = np.zeros(3)
    while not step.last():
        legal = step.observations["legal_actions"]
        turn = [(ids or [0])[0] for ids in legal] if step.is_simultaneous_move() else [legal[step.current_player()][0]]
        step = env.step(turn)
        total += step.rewards
    assert total.tolist() == env.get_state.returns()


def test_refused_actions_change_nothing():
    state = after(short("carcassonne"), 12)
    while state.is_chance_node():
        state.apply_action(0)
    before = known(state)
    forbidden = next(number for number in range(3445) if number not in state.legal_actions())
    with pytest.raises(meeple.IllegalAction, match="no legal action has the id"):
        state.apply_action(forbidden)
    assert known(state) == before
    state = spiel.load_game("incan-gold", 2).new_initial_state()
    with pytest.raises(meeple.UsageError, match="expected an outcome below 18, found 18"):
        state.apply_action(18)
    state.apply_action(0)
    before = known(state)
    with pytest.raises(meeple.IllegalAction, match="no legal action has the id 7"):
        state.apply_actions([0, 7])
    assert known(state) == before
    over = after(spiel.load_game("incan-gold", 2, set=TINY), 10**6)
    with pytest.raises(meeple.IllegalAction, match="the episode is over"):
        over.apply_action(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "incan-gld"}, "unknown game 'incan-gld'\nhint: did you mean"),
        ({"name": "carcassonne/x"}, "unknown preset"),
        ({"name": "incan-gold", "seats": 17}, "incan-gold takes 1 to 16 players, found 17"),
        ({"name": "incan-gold", "reward": "x"}, "reward: expected one of utility, score, found 'x'"),
        ({"name": "incan-gold", "set": {"rownds": 2}}, "rownds"),
        ({"name": "incan-gold", "seed": -1}, "seed: expected a whole number from 0"),
    ],
)
def test_wrong_games_are_refused(arguments, message):
    with pytest.raises(meeple.UsageError, match=message):
        spiel.load_game(**arguments)


def test_observers_say_what_they_do_not_do():
    game = spiel.load_game("incan-gold", 2, information_states=False)
    with pytest.raises(meeple.UsageError, match="expected an observer of all that a seat knows"):
        game.make_py_observer(pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    with pytest.raises(meeple.UsageError, match="params: expected none, found"):
        game.make_py_observer(None, {"x": 1})
    remembers = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert remembers.tensor is None and not game.get_type().provides_information_state_string
    with pytest.raises(meeple.UsageError, match="hint: information_states=True"):
        remembers.string_from(game.new_initial_state(), 0)
    numbers = game.make_py_observer()
    state = after(game, 3)
    numbers.set_from(state, 1)
    assert np.array_equal(numbers.tensor, state.episode.numbers(1))
    assert list(numbers.dict) == list(game.rules.encoding.slices())
