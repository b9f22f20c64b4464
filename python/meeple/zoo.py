"""Environments of PettingZoo: `env` (AEC) and `parallel_env`, for every game whose actions have ids.

An observation has `observation`, the numbers of the game's encoding, and `action_mask`. The mask is also in
the agent's info. Agents are named `seat_0`, `seat_1`, … and stay until the end.

In AEC the game decides the order of agents: only seats that owe a decision are selected. In the parallel
environment all agents act at every step. A seat that owes no decision has one legal action, the last id,
which waits.

Importing this module registers every game whose actions have ids, where PettingZoo has a registry (from 1.27 on):
`pettingzoo.make("aec", "meeple/NAME-vN", seats=…)` and `pettingzoo.make("parallel", …)`, where N is the version of the rules.
"""

from __future__ import annotations

import copy
from typing import Any, Self, Unpack

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from meeple._errors import IllegalAction, UsageError
from meeple import _spaces
from meeple._spaces import (
    ON_ILLEGAL,
    RENDER_MODES,
    RENDER_WIDTH,
    REWARDS,
    Run,
    Seen,
    chosen,
    observations,
    registered_names,
    render_mode_of,
    rendered,
)
from meeple._words import Settings, action_id, whole
from meeple.batch import as_game
from meeple.episode import Episode, Game

Info = dict[str, Any]
Mask = np.ndarray[Any, np.dtype[np.int8]]


class Table:
    """The table of both kinds of environment. A game whose actions have no ids may have a subclass, which
    gives them some."""

    def __init__(
        self,
        game: str | Game,
        *,
        waits: bool,
        on_illegal: str,
        seats: int | None = None,
        set: Settings | None = None,
        reward: str = "utility",
        max_cycles: int | None = None,
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = as_game(game, seats, set)
        self.reward = chosen("reward", reward, REWARDS)
        self.on_illegal = chosen("on_illegal", on_illegal, ON_ILLEGAL)
        self.max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        self.render_mode = render_mode_of(render_mode)
        self.ids = self.count_ids()
        self.wait = self.ids if waits else None
        self.bound = self.ids + (1 if waits else 0)
        self.names = [f"seat_{seat}" for seat in range(self.count_players())]
        self.seat_of = {name: seat for seat, name in enumerate(self.names)}
        self.observation_spaces = {name: self.space() for name in self.names}
        self.action_spaces = {name: spaces.Discrete(self.bound) for name in self.names}
        self.run = Run(seed)
        self.started: Episode | None = None
        self.scores: tuple[int, ...] = ()

    def count_ids(self) -> int:
        """Number of action ids."""
        return self.game.action_bound

    def count_players(self) -> int:
        """Number of learners' seats, which come first."""
        return self.game.seats

    def space(self) -> spaces.Space[Any]:
        """The space of a seat's observations."""
        return observations(self.game, self.bound - self.ids)

    @property
    def episode(self) -> Episode:
        if self.started is None:
            raise UsageError("expected an episode that was begun, found none\nhint: call reset() first")
        return self.started

    def reset(self, seed: int | None) -> tuple[int, ...]:
        """Begins an episode. Returns the seats that owe a decision."""
        self.started = self.game.episode(*self.run.next(seed))
        owing = self.settle()
        self.scores = self.started.scores
        return owing

    def settle(self) -> tuple[int, ...]:
        """Plays on until learners owe decisions. Returns their seats, or none if the episode is over."""
        return self.episode._native.settle()

    def mask(self, seat: int) -> Mask:
        """The mask of a seat's ids, in a new array."""
        legal = self.legal_ids(seat)
        if self.wait is None:
            return legal
        mask = np.empty(self.bound, np.int8)
        mask[: self.ids] = legal
        mask[self.wait] = not legal.any()
        return mask

    def legal_ids(self, seat: int) -> Mask:
        """The mask of a seat's ids of the game, in a new array."""
        return self.episode.mask(seat)

    def see(self, seat: int, mask: Mask | None = None) -> Seen:
        """A seat's observation. A mask that is known already can be passed."""
        return {"observation": self.numbers(seat), "action_mask": self.mask(seat) if mask is None else mask.copy()}

    def numbers(self, seat: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The numbers of a seat's observation, in a new array."""
        return self.episode.numbers(seat)

    def act(self, seat: int, action: Any) -> Info:
        """Takes an action by its id. Returns entries for the agent's info."""
        try:
            self.episode.apply_id(seat, action)
        except IllegalAction as error:
            if self.on_illegal == "raise":
                raise
            self.episode.apply_fallback(seat)
            return {"illegal_action": str(error)}
        return {}

    def rewards(self, is_over: bool) -> dict[str, float]:
        """Rewards of all seats since the last call."""
        if self.reward == "score":
            before, self.scores = self.scores, self.episode.scores
            return {name: float(self.scores[seat] - before[seat]) for name, seat in self.seat_of.items()}
        if not is_over:
            return dict.fromkeys(self.names, 0.0)
        outcome = self.episode.outcome
        return {name: outcome.utilities[seat] if outcome else 0.0 for name, seat in self.seat_of.items()}

    def labels(self) -> list[str]:
        """Names of all seats, for drawings."""
        return self.names

    def render(self) -> Any:
        """The table in its render mode; see `rendered`."""
        episode, names = self.episode, self.labels()
        return rendered(
            self.render_mode,
            lambda: episode.pixels("all", names, RENDER_WIDTH),
            lambda: episode.svg("all", names),
            lambda: episode.screen("all", names),
        )

    def show(self) -> None:
        """In the mode `human`, prints the table after a change."""
        if self.render_mode == "human":
            self.render()


class Options(_spaces.Options, total=False):
    """Options of both environments."""

    #: Number of steps (Parallel) or of decisions of a seat (AEC) after which an episode is truncated; from 1.
    max_cycles: int | None


class _Environment:
    """Common parts of both environments."""

    _tables: type[Table] = Table

    def _set_up(self, game: str | Game, waits: bool, options: Options) -> None:
        options.setdefault("on_illegal", "fallback" if waits else "raise")
        self._table = self._tables(game, waits=waits, **options)
        self.game = self._table.game
        self.render_mode = self._table.render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.info['id']}_v{self.game.info['rules_version']}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
        }
        self.possible_agents = list(self._table.names)
        self.agents: list[str] = []
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations: `observation` float32 `[features]`, `action_mask` int8 `[n_actions]`."""
        return self._table.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's action ids."""
        return self._table.action_spaces[agent]

    @property
    def episode(self) -> Episode:
        """The current episode. Raises `UsageError` before the first `reset`."""
        return self._table.episode

    def render(self) -> Any:
        """The table as a text, SVG, or a picture, uint8 `[height, width, 3]`. The mode `human` has printed it
        already."""
        return None if self.render_mode == "human" else self._table.render()

    def __copy__(self) -> Self:
        # A copy of the environment object alone would share its table.
        return copy.deepcopy(self)

    def close(self) -> None:
        """Discards the episode."""
        self._table.started = None


class AEC(_Environment, AECEnv[str, Seen, int]):  # type: ignore[misc]
    """The AEC environment: one seat acts at a time. An action that the mask forbids is an exception and
    changes nothing, unless `on_illegal` is `fallback`."""

    def __init__(self, game: str | Game, **options: Unpack[Options]) -> None:
        super().__init__()
        self._set_up(game, False, options)
        self.metadata["is_parallelizable"] = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode. With a seed it is the first one of that run; otherwise it is the next one."""
        owing = self._table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._asked = [0] * self.game.seats
        # The mask of the selected agent, if it is known.
        self._mask: Mask | None = None
        self._select(owing)
        self._table.show()

    def observe(self, agent: str) -> Seen:
        """An agent's observation."""
        # The known mask is current only for the selected agent.
        mask = self._mask if agent == self.agent_selection else None
        return self._table.see(self._table.seat_of[agent], mask)

    def step(self, action: int | None) -> None:
        """Takes the action of the selected agent; `None` if that agent is done."""
        if not self.agents:
            raise UsageError("expected an episode that goes on, found one that is over\nhint: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        seat = table.seat_of[agent]
        info = table.act(seat, action)
        self._asked[seat] += 1
        self._cumulative_rewards[agent] = 0.0
        owing = table.settle()
        self.rewards = table.rewards(not owing)
        self.infos = {other: {} for other in self.agents}
        self.infos[agent] = info
        self._select(owing)
        table.show()
        # Utilities come at the end, so before it there are no rewards to add.
        if not owing or table.reward == "score":
            self._accumulate_rewards()

    def _select(self, owing: tuple[int, ...]) -> None:
        """Selects the next agent; none once the episode is over."""
        self._mask = None
        if not owing:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        seat = owing[0]
        self.agent_selection = agent = self._table.names[seat]
        if self._asked[seat] == self._table.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._mask = mask = self._table.mask(seat)
        self.infos[agent]["action_mask"] = mask.copy()


class Parallel(_Environment, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """The parallel environment: all agents act at every step. A seat that owes no decision waits, with the
    last id.

    PettingZoo's checks of parallel environments draw actions without masks. The rules' fallback action
    therefore replaces an action that the mask forbids, and the agent's info reports it as `illegal_action`.
    With `on_illegal="raise"` it is an exception.
    """

    def __init__(self, game: str | Game, **options: Unpack[Options]) -> None:
        self._set_up(game, True, options)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Info]]:
        """Begins an episode. With a seed it is the first one of that run; otherwise it is the next one."""
        self._table.reset(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        self._table.show()
        return self._see({})

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Takes the actions of all agents."""
        if not self.agents:
            raise UsageError("expected an episode that goes on, found one that is over\nhint: call reset() first")
        owing = self.episode.phase.seats
        missing = [self._table.names[seat] for seat in owing if self._table.names[seat] not in actions]
        if missing:
            raise UsageError(f"expected an action of {', '.join(missing)}, found none")
        said: dict[str, Info] = {}
        # Actions of seats that owe no decision are checked first, so that a refusal changes nothing.
        for agent, action in actions.items():
            if self._table.seat_of[agent] not in owing and action_id(action, self._table.bound) != self._table.wait:
                reason = f"seat {self._table.seat_of[agent]} owes no decision"
                if self._table.on_illegal == "raise":
                    raise IllegalAction(f"{reason}\nhint: it waits, with the id {self._table.wait}")
                said[agent] = {"illegal_action": reason}
        if self._table.on_illegal == "raise":
            for seat in owing:
                number = action_id(actions[self._table.names[seat]], self._table.bound)
                if not self._table.mask(seat)[number]:
                    raise IllegalAction(
                        f"seat {seat}: no legal action has the id {number}\nhint: look at the mask"
                    )
        for seat in owing:
            agent = self._table.names[seat]
            said[agent] = self._table.act(seat, actions[agent])
        self._table.settle()
        self._table.show()
        self._cycles += 1
        is_over = self.episode.is_over
        rewards = self._table.rewards(is_over)
        is_cut = not is_over and self._cycles == self._table.max_cycles
        seen, infos = self._see(said)
        terminations = dict.fromkeys(self.agents, is_over)
        truncations = dict.fromkeys(self.agents, is_cut)
        if is_over or is_cut:
            self.agents = []
        return seen, rewards, terminations, truncations, infos

    def _see(self, said: dict[str, Info]) -> tuple[dict[str, Seen], dict[str, Info]]:
        seen = {agent: self._table.see(self._table.seat_of[agent]) for agent in self.agents}
        infos = {
            agent: {**said.get(agent, {}), "action_mask": seen[agent]["action_mask"].copy()} for agent in self.agents
        }
        return seen, infos


def env(game: str | Game, **options: Unpack[Options]) -> AEC:
    """The AEC environment with these options. Raises `UsageError` for a game whose actions have no ids."""
    return AEC(game, **options)


def parallel_env(game: str | Game, **options: Unpack[Options]) -> Parallel:
    """The parallel environment with these options. Raises `UsageError` for a game whose actions have no
    ids."""
    return Parallel(game, **options)


def _register() -> None:
    import pettingzoo

    if not hasattr(pettingzoo, "register"):
        return
    for name, id in registered_names():
        for kind, maker, known in (
            ("aec", "meeple.zoo:env", pettingzoo.aec_registry),
            ("parallel", "meeple.zoo:parallel_env", pettingzoo.parallel_registry),
        ):
            if id not in known:
                pettingzoo.register(kind, id, maker, kwargs={"game": name})


_register()
