"""Games of OpenSpiel: `load_game("carcassonne", seats=2)` is a `pyspiel.Game` on this package's engines.

Importing this module registers every game whose actions have ids, preset by preset, so that `pyspiel.load_game` finds them, too:
`meeple_carcassonne` for what comes first, `meeple_carcassonne_towers` for a preset. Their parameters are `seats`, `reward`,
`information_states`, `seed`, and those of the variant; the items of a list stand between semicolons.

What the game's type says is so:

* Chance is explicit: its outcomes are numbered in the order of `Episode.chance_outcomes`, anew at every node. Where what chance
  draws first has too many outcomes to be listed, the game is `SAMPLED_STOCHASTIC`: such a node has one outcome, and what it
  means is drawn by the game, so that copies of a state see different draws.
* A game in which several seats may owe a decision at once is `SIMULTANEOUS` (unless only one plays); who owes none has no legal
  actions, and a node at which one seat owes a decision is that seat's.
* `observation_string` is what a seat may know now, `observation_tensor` the same in the numbers of the game's encoding, if it has
  one. Neither remembers. `information_state_string` does: it stands for all that the seat has seen and done. It is a hash
  (128 bits), not a text to read. There is no `information_state_tensor`.
* `utility` as reward is zero in sum and comes at the end; `score` is the game's own points, sums to nothing in particular and
  comes as it changes. `rewards()` is what has come since a seat decided last.
* The engines tell no bound of length: `max_game_length()` is one that no episode reaches.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from meeple._errors import Failure, UsageError
from meeple._words import REWARDS, Settings, chosen, whole
from meeple.episode import Episode, with_ids
from meeple.episode import Game as Rules
from meeple.laboratory import games

__all__ = ["Game", "Observer", "State", "load_game"]

#: Upper bound on the number of outcomes of a chance node.
MAX_OUTCOMES = 4096
#: Upper bound on the decisions and on the draws of an episode. Their sum still fits 32 bits.
MAX_STEPS = 1_000_000_000
#: Upper bound on a score.
MAX_POINTS = 1e9
#: Name of a sampled outcome, which is drawn when it is applied.
SAMPLED = "drawn"

#: Ids of the player at nodes where no single seat decides.
_CHANCE, _SIMULTANEOUS, _TERMINAL = (
    int(player) for player in (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.SIMULTANEOUS, pyspiel.PlayerId.TERMINAL)
)

#: OpenSpiel's kinds of information, by ours.
_INFORMATION = {
    "public": pyspiel.GameType.Information.PERFECT_INFORMATION,
    "perfect": pyspiel.GameType.Information.PERFECT_INFORMATION,
    "hidden": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
}


def load_game(
    name: str,
    seats: int | None = None,
    *,
    set: Settings | None = None,
    reward: str = "utility",
    information_states: bool = True,
    seed: int = 1,
) -> Game:
    """A game for OpenSpiel: `name`, `seats` and `set` as for `meeple.Game`.

    `reward` is `utility` (at the end, from -1 to 1) or `score`. Information states cost time at every step;
    `information_states=False` turns them off. `seed` is for draws whose outcomes cannot be listed.
    """
    rules = Rules(name, seats, set=set)
    with_ids(rules)
    first = _first_look(_preset(name))
    changed = {key: _parameter(value) for key, value in rules.variant.items() if value != first.variant[key]}
    params = {"seats": rules.seats, "reward": reward, "information_states": information_states, "seed": seed}
    return Game(_preset(name), {**params, **changed})


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game of this package in the form of OpenSpiel. `load_game` makes it."""

    def __init__(self, name: str, params: Mapping[str, Any]) -> None:
        first = _first_look(name)
        own = {key: params[key] for key in _OWN if key in params}
        changed = {
            key: value
            for key, value in params.items()
            if key not in _OWN and key != "name" and value != _parameter(first.variant.get(key))
        }
        seats = whole("seats", own.get("seats", first.seats), 1, 4096)
        #: The game with its variant, as a `meeple.Game`.
        self.rules = Rules(name, seats, set={key: _setting(value) for key, value in changed.items()})
        #: Kind of reward: `utility` or `score`.
        self.reward = chosen("reward", own.get("reward", "utility"), REWARDS)
        #: True if states have information states.
        self.remembers = bool(own.get("information_states", True))
        seed = whole("seed", own.get("seed", 1), 0, 2**31 - 1)
        #: Generator of draws whose outcomes cannot be listed. It belongs to the game, so copies of a state do
        #: not foresee their draws.
        self.draws = random.Random(seed)
        #: True if the outcomes of some draws cannot be listed.
        self.is_sampled = _is_sampled(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_bound,
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=self.rules.seats,
            min_utility=-1.0 if self.reward == "utility" else -MAX_POINTS,
            max_utility=1.0 if self.reward == "utility" else MAX_POINTS,
            utility_sum=0.0 if self.reward == "utility" else None,
            max_game_length=MAX_STEPS,
        )
        kind = _type(name, self.rules, self.reward, self.remembers)
        # OpenSpiel writes these parameters when it saves a game. Defaults are left out, because a text may
        # not be empty there.
        given = {key: value for key, value in own.items() if value != _OWN[key]}
        super().__init__(kind, info, {**given, "seats": self.rules.seats, **changed})

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> State:
        """The state at the start of an episode."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """An observer of a seat: of its observations, or with perfect recall of its information states."""
        if params:
            raise UsageError(f"params: expected none, found {dict(params)}")
        return Observer(self, iig_obs_type)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no episode reaches."""
        return MAX_STEPS


class _Spelled:
    """Values computed for the current state. Copies of the state begin without them."""

    def __init__(self) -> None:
        self.outcomes: list[str] | None = None
        self.actions: dict[tuple[int, int], str] = {}

    def __deepcopy__(self, memo: object) -> _Spelled:
        return _Spelled()

    def __reduce__(self) -> tuple[Any, ...]:
        return _Spelled, ()


class State(pyspiel.State):  # type: ignore[misc]
    """An episode in the form of OpenSpiel. Copies, `serialize` and pickles continue exactly as the original
    would, except for draws whose outcomes cannot be listed.

    OpenSpiel's own methods call back into Python up to five times each. Methods that only read the state are
    therefore implemented here, with the same results. Algorithms in C++ still use the methods that begin with
    an underscore.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # OpenSpiel copies a state by making a new one and setting deep copies of these attributes.
        self._episode = game.rules.episode()
        self._player = self._episode._native.current_player()
        self._is_sampled = game.is_sampled
        #: Scores before the last decision, from which rewards are computed if they are scores.
        self._before = (0,) * game.rules.seats if game.reward == "score" else None
        self._spelled = _Spelled()
        self._memories: tuple[tuple[int, int], ...] = ()
        if game.remembers:
            self._memories = _memories(self._episode)

    def __deepcopy__(self, memo: object) -> State:
        # OpenSpiel's own copy writes the game out, which fails if draws are sampled.
        copied: State = self.clone()
        return copied

    @property
    def episode(self) -> Episode:
        """A copy of the episode in its current state."""
        return self._episode.copy()

    def current_player(self) -> int:
        """The deciding seat, or the `pyspiel.PlayerId` for chance, for several seats at once, or for
        the end."""
        return self._player

    def is_terminal(self) -> bool:
        """True if the episode has ended."""
        return self._player == _TERMINAL

    def is_chance_node(self) -> bool:
        """True if chance draws next."""
        return self._player == _CHANCE

    def is_simultaneous_node(self) -> bool:
        """True if several seats decide simultaneously."""
        return self._player == _SIMULTANEOUS

    def is_player_node(self) -> bool:
        """True if one seat decides."""
        return self._player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The ids of a player's legal actions, in ascending order; empty if it decides nothing. The default
        player is the deciding one."""
        if self._player >= 0 and (player is None or player == self._player):
            return self._episode._native.masked_ids(self._player)
        legal: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
        return legal

    def _legal_actions(self, player: int) -> list[int]:
        return self._episode._native.masked_ids(self._episode._seat(player))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The mask of a player's actions, `[num_distinct_actions]`: 1 for ids of legal actions, 0 for all
        others. The default player is the deciding one.

        OpenSpiel's own method writes beyond its mask if a seat is asked while chance draws, which crashes the
        interpreter.
        """
        seat = self._player if player is None else player
        if seat < 0:
            mask: list[int] = super().legal_actions_mask() if player is None else super().legal_actions_mask(player)
            return mask
        return list(self._episode._native.mask(self._episode._seat(seat)))

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """A seat's encoded observation: `observation_tensor_size()` numbers. The default seat is the deciding
        one."""
        seat = self._player if player is None else player
        if self._episode._size == 0 or not 0 <= seat < self._episode.game.seats:
            seen: list[float] = super().observation_tensor() if player is None else super().observation_tensor(player)
            return seen
        return self._episode._native.number_list(seat)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes by number, with their probabilities. A draw that cannot be listed has a single
        outcome."""
        listed = self._episode._native.chance_numbers()
        if listed is None:
            return [(number, 1.0) for number in range(len(self._outcomes()))]
        if len(listed) > MAX_OUTCOMES:
            raise Failure(f"expected at most {MAX_OUTCOMES} outcomes of chance, found {len(listed)}")
        return listed

    def _outcomes(self) -> list[str]:
        """The texts of the outcomes, by number."""
        if self._spelled.outcomes is None:
            listed = self._episode._native.chance_outcomes()
            if listed is None:
                if not self._is_sampled:
                    raise Failure(
                        f"expected a draw of chance that can be listed, found another one in {self._episode.game.name}\n"
                        "hint: please report it; meeple.Episode plays this game"
                    )
                listed = [(SAMPLED, 1.0)]
            self._spelled.outcomes = [text for text, _ in listed]
        return self._spelled.outcomes

    def _apply_action(self, action: int) -> None:
        if self._player != _CHANCE:
            self._decide({max(self._player, 0): action})
            return
        if self._is_sampled and self._outcomes() == [SAMPLED] and action == 0:
            self._episode.apply_chance(self._draw())
        else:
            self._episode._native.force_chance_at(action)
        self._moved({})

    def _apply_actions(self, actions: list[int]) -> None:
        self._decide({seat: actions[seat] for seat in self._episode.phase.seats})

    def _decide(self, actions: dict[int, int]) -> None:
        before = None if self._before is None else self._episode.scores
        # One of several simultaneous decisions may be refused after others are taken, so they are tried on a
        # copy.
        episode = self._episode.copy() if len(actions) > 1 else self._episode
        for seat, action in actions.items():
            episode.apply_id(seat, action)
        self._episode, self._before = episode, before
        self._moved(actions)

    def _draw(self) -> str:
        world = self._episode.determinize("all", self.get_game().draws.getrandbits(64))
        world.step_chance()
        return world.steps[-1].removeprefix("c ")

    def _moved(self, actions: dict[int, int]) -> None:
        self._player = self._episode._native.current_player()
        self._spelled = _Spelled()
        if self._memories:
            self._memories = _memories(self._episode, self._memories, actions)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return self._outcomes()[action]
        known = self._spelled.actions.get((player, action))
        if known is None:
            known = self._spelled.actions[player, action] = self._action_text(player, action)
        return known

    def _action_text(self, player: int, action: int) -> str:
        """The action's text. The engine tells it when the action is taken; a held decision has its text
        elsewhere."""
        taken = self._episode._native.fork()
        seats, before = taken.phase().seats, taken.step_count()
        taken.act_id(player, action)
        if len(seats) > 1:
            return dict(taken.save()[1])[player]
        return taken.steps(before)[0].removeprefix(f"{player} ")

    def returns(self) -> list[float]:
        """The rewards of every seat so far."""
        if self._before is not None:
            return [float(score) for score in self._episode.scores]
        outcome = self._episode.outcome
        return [0.0] * self._episode.game.seats if outcome is None else list(outcome.utilities)

    def rewards(self) -> list[float]:
        """The rewards of every seat since the last decision."""
        if self._before is None:
            return self.returns()
        return [float(now - before) for now, before in zip(self._episode.scores, self._before, strict=True)]

    def __str__(self) -> str:
        return self._episode._native.observation("all")

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that the seat cannot distinguish from this one, by `Episode.determinize`. It has no
        history, and other seats remember nothing. `sampler` returns a number from 0 to 1."""
        world = State(self.get_game())
        world._episode = self._episode.determinize(player, int(sampler() * 2**53))
        world._player = world._episode._native.current_player()
        if world._before is not None:
            world._before = world._episode.scores
        if self._memories:
            fresh = _memories(world._episode)
            world._memories = (*fresh[:player], self._memories[player], *fresh[player + 1 :])
        return world


class Observer:
    """An observer of seats, in the form that OpenSpiel asks for."""

    def __init__(self, game: Game, iig_obs_type: Any = None) -> None:
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not asked.public_info or asked.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise UsageError(f"expected an observer of all that a seat knows, found {asked}\nhint: leave the type out")
        self._recalls = bool(asked.perfect_recall)
        encoding = game.rules.encoding
        #: The encoded observation; `None` for information states, and for games without an encoding.
        self.tensor: npt.NDArray[np.float32] | None = None
        #: The same numbers by name.
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if encoding is not None and not self._recalls:
            self.tensor = np.zeros(encoding.size, np.float32)
            self.dict = {name: self.tensor[place] for name, place in encoding.slices().items()}

    def set_from(self, state: State, player: int) -> None:
        """Writes a seat's encoded observation into `tensor`."""
        if self.tensor is not None:
            state._episode.numbers(player, self.tensor)

    def string_from(self, state: State, player: int) -> str:
        """The observation as JSON, or the information state."""
        if not self._recalls:
            return state._episode._native.observation(str(player))
        if not state._memories:
            raise UsageError("expected a game with information states, found one without\nhint: information_states=True")
        return f"seat {player}: {state._memories[player][0]:032x}"


def _memories(
    episode: Episode, old: tuple[tuple[int, int], ...] | None = None, actions: Mapping[int, int] | None = None
) -> tuple[tuple[int, int], ...]:
    """By seat: a hash of all that it has seen and done, and a hash of its current observation."""
    new = []
    for seat, sees in enumerate(episode._native.information_keys()):
        memory, seen = old[seat] if old else (0, -1)
        action = (actions or {}).get(seat)
        # A step that changes nothing for a seat is left out; otherwise the seat would count the decisions of
        # others.
        if action is not None or sees != seen:
            digest = hashlib.blake2b(f"{memory} {action} {sees}".encode(), digest_size=16).digest()
            memory = int.from_bytes(digest, "little")
        new.append((memory, sees))
    return tuple(new)


#: Parameters that all games have, with their defaults. The default of `seats` is the number in the game's
#: demo line-up.
_OWN: dict[str, Any] = {"seats": None, "reward": "utility", "information_states": True, "seed": 1}

_FIRST_LOOKS: dict[str, Rules] = {}


def _first_look(name: str) -> Rules:
    """The game, or game/preset, with default settings."""
    if name not in _FIRST_LOOKS:
        _FIRST_LOOKS[name] = Rules(name)
    return _FIRST_LOOKS[name]


def _preset(name: str) -> str:
    """The name of a game without its default preset."""
    game, _, preset = name.partition("/")
    told = games().get(game)
    return game if told and preset == told["presets"][0]["name"] else name


def _parameter(value: Any) -> Any:
    """A value of a variant parameter as a parameter of OpenSpiel."""
    return ";".join(map(str, value)) if isinstance(value, list) else value


def _setting(value: Any) -> Any:
    return value.replace(";", ",") if isinstance(value, str) else value


def _is_sampled(rules: Rules) -> bool:
    """True if the first draw has too many outcomes to be listed."""
    begun = rules.episode()
    return begun.phase.kind == "chance" and begun.chance_outcomes() is None


def _type(name: str, rules: Rules, reward: str, remembers: bool) -> Any:
    """The `GameType` of a table with these rules."""
    first = _first_look(name)
    kinds = pyspiel.GameType
    low, high = first.info["seats"]
    return kinds(
        short_name="meeple_" + name.replace("/", "_").replace("-", "_"),
        long_name=f"{first.info['name']} (Meeple, {name})",
        dynamics=kinds.Dynamics.SIMULTANEOUS if rules.simultaneous and rules.seats > 1 else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.SAMPLED_STOCHASTIC if _is_sampled(rules) else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_INFORMATION[first.info["information"]],
        utility=kinds.Utility.ZERO_SUM if reward == "utility" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL if reward == "utility" else kinds.RewardModel.REWARDS,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=remembers,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=first.encoding is not None,
        parameter_specification={
            **_OWN,
            "seats": first.seats,
            **{key: _parameter(value) for key, value in first.variant.items()},
        },
    )


def _register() -> None:
    for game, told in games().items():
        for number, preset in enumerate(told["presets"]):
            name = game if number == 0 else f"{game}/{preset['name']}"
            first = _first_look(name)
            if first.action_bound == 0:
                continue

            # This is a class, because OpenSpiel releases what makes games after Python has ended, and classes
            # live that long.
            class Registered(Game):
                def __init__(self, params: Mapping[str, Any], name: str = name) -> None:
                    super().__init__(name, params)

            pyspiel.register_game(_type(name, first, "utility", True), Registered)


_register()
