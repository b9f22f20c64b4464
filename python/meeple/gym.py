"""Environments of Gymnasium: one learner at a table of agents. `Env` is one table, `VectorEnv` are many side by side.

An observation has `observation`, the numbers of the game's encoding, and `action_mask`. The mask is where trainers look
for it: in the observation, in `env.action_masks()`, and in `info["action_mask"]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from meeple import _meeple
from meeple._errors import IllegalAction, UsageError
from meeple._spaces import ON_ILLEGAL, REWARDS, Run, Seen, chosen, encoding_of, observations
from meeple._words import Settings, action_id, text, whole
from meeple.episode import Game

#: Who plays the other seats: one agent at all of them, agents by seat, or agents in the order of the other seats.
Opponents = str | Mapping[int, str] | Sequence[str]


class _Tables:
    """Tables side by side, each with a learner at the same seat."""

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents,
        count: int,
        seat: int,
        seats: int | None,
        set: Settings | None,
        reward: str,
        on_illegal: str,
        seed: int | None,
    ) -> None:
        if not isinstance(game, Game):
            known = None if isinstance(opponents, str) else len(opponents) + 1
            game = Game(game, seats if seats is not None else known, set=set)
        elif seats is not None or set is not None:
            raise UsageError(
                "expected seats and settings where the game is set up, found both\nhint: Game(name, seats, set=…)"
            )
        self.game = game
        encoding = encoding_of(game)
        self.seat = whole("seat", seat, 0, game.seats - 1)
        self.reward = chosen("reward", reward, REWARDS)
        self.on_illegal = chosen("on_illegal", on_illegal, ON_ILLEGAL)
        self.native: _meeple.Lanes | None = game._native.lanes(count, self._players(opponents))
        first = None if seed is None else whole("seed", seed)
        self.runs = [Run(None if first is None else first + lane) for lane in range(count)]
        self.scores = [0] * count
        self.size = encoding.size

    def _players(self, opponents: Opponents) -> list[str | None]:
        others = [seat for seat in range(self.game.seats) if seat != self.seat]
        if isinstance(opponents, str):
            by_seat: dict[int, str] = dict.fromkeys(others, opponents)
        elif isinstance(opponents, Mapping):
            by_seat = dict(opponents)
        else:
            by_seat = dict(zip(others, opponents, strict=False)) if len(opponents) == len(others) else {}
        if sorted(by_seat) != others:
            raise UsageError(
                f"opponents: expected agents for the seats {', '.join(map(str, others)) or 'of nobody'}, found {opponents!r}\n"
                "hint: one agent for all of them, or agents by seat"
            )
        return [None if seat == self.seat else text("opponent", by_seat[seat]) for seat in range(self.game.seats)]

    @property
    def lanes(self) -> _meeple.Lanes:
        if self.native is None:
            raise UsageError("expected an open environment, found one that is closed\nhint: make a new one")
        return self.native

    def __getstate__(self) -> object:
        raise UsageError(
            "an environment with opponents cannot be copied or pickled: they may remember what they have seen\n"
            "hint: make one where it is used; Episode and the environments of meeple.zoo can be"
        )

    def reset(self, lane: int, seed: int | None) -> None:
        self.lanes.reset(lane, *self.runs[lane].next(seed))
        self.scores[lane] = self.lanes.result(lane)[1]

    def step(self, lane: int, action: object) -> tuple[float, bool, dict[str, Any]]:
        """Takes the learner's action. Returns reward, whether it is over, and what there is to say."""
        info: dict[str, Any] = {}
        try:
            self.lanes.step(lane, action_id(action, self.game.action_bound))
        except IllegalAction as error:
            over = self.lanes.result(lane)[0]
            if self.on_illegal == "raise" or over:
                raise
            self.lanes.step(lane, None)
            info["illegal_action"] = str(error)
        is_over, score, utility = self.lanes.result(lane)
        before, self.scores[lane] = self.scores[lane], score
        return (utility if self.reward == "utility" else float(score - before)), is_over, info

    def empty(self, count: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        return np.empty((count, self.size), np.float32), np.empty((count, self.game.action_bound), np.int8)


class Env(gymnasium.Env[Seen, Any]):
    """One learner at a table of agents of the game: `Env("privateers", ["admiral", "random"])`.

    Episodes are those of `meeple sim` with the same seed: `reset(seed=s)` begins episode 0 of run s, and `reset()` the next.
    `reward` is the `utility` at the end (-1 to 1) or the change of the own `score`. An action that the mask forbids is
    replaced by the rules' fallback action and told in `info["illegal_action"]`, because Gymnasium wants all of the action
    space to be playable; with `on_illegal="raise"` it is an exception.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents = "random",
        *,
        seat: int = 0,
        seats: int | None = None,
        set: Settings | None = None,
        reward: str = "utility",
        on_illegal: str = "fallback",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._tables = _Tables(game, opponents, 1, seat, seats, set, reward, on_illegal, seed)
        self.game = self._tables.game
        self.render_mode = None if render_mode is None else chosen("render_mode", render_mode, ("ansi", "svg"))
        self.observation_space = observations(self.game)
        self.action_space = spaces.Discrete(self.game.action_bound)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins an episode: the first of the run with this seed, or without one the next."""
        super().reset(seed=seed)
        self._tables.reset(0, seed)
        seen = self._see()
        return seen, {"action_mask": seen["action_mask"].copy()}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Takes an action by its id; the others go on until the learner owes a decision again."""
        reward, is_over, info = self._tables.step(0, action)
        seen = self._see()
        return seen, reward, is_over, False, {**info, "action_mask": seen["action_mask"].copy()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as trainers with masks ask for it."""
        return self._see()["action_mask"].astype(np.bool_)

    def _see(self) -> Seen:
        numbers, mask = self._tables.empty(1)
        self._tables.lanes.observe_into(0, numbers[0], mask[0])
        return {"observation": numbers[0], "action_mask": mask[0]}

    def render(self) -> Any:
        """The table as the learner sees it: text or SVG."""
        if self.render_mode is None:
            return None
        return self._tables.lanes.screen(0) if self.render_mode == "ansi" else self._tables.lanes.svg(0)

    def close(self) -> None:
        """Ends it; it can't be used any more."""
        self._tables.native = None


class VectorEnv(gymnasium.vector.VectorEnv[Seen, Any, Any]):
    """Tables side by side: what `SyncVectorEnv` of as many `Env` would be, in all modes of autoreset.

    Table l plays the run of seed + l. At the end of an episode, `NEXT_STEP` begins the next at the next step (whose
    action is not looked at), `SAME_STEP` at once (the last observation is in `infos["final_obs"]`), and with `DISABLED` the
    caller resets: `reset(options={"reset_mask": mask})`.
    """

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents = "random",
        *,
        num_envs: int = 1,
        seat: int = 0,
        seats: int | None = None,
        set: Settings | None = None,
        reward: str = "utility",
        on_illegal: str = "fallback",
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = whole("num_envs", num_envs, 1, 2**24)
        self._tables = _Tables(game, opponents, num_envs, seat, seats, set, reward, on_illegal, seed)
        self.game = self._tables.game
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.single_observation_space = observations(self.game)
        self.single_action_space = spaces.Discrete(self.game.action_bound)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._done = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins episodes at all tables, or at those of `options["reset_mask"]`."""
        seeds = [seed + lane for lane in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise UsageError(f"seed: expected one for each of {self.num_envs} tables, found {len(seeds)}")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise UsageError(
                f"reset_mask: expected an array of bool of the shape ({self.num_envs},) that is not all False, "
                f"found one of {mask.dtype} and {mask.shape}"
            )
        for lane in np.flatnonzero(mask).tolist():
            self._tables.reset(lane, None if seeds is None else seeds[lane])
        self._done &= ~mask
        infos: dict[str, Any] = {}
        seen = self._see()
        for lane in np.flatnonzero(mask).tolist():
            infos = self._add_info(infos, {"action_mask": seen["action_mask"][lane]}, lane)
        return seen, infos

    def step(
        self, actions: Any
    ) -> tuple[Seen, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Takes an action at every table."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise UsageError(
                f"actions: expected whole numbers of the shape ({self.num_envs},), found {given.dtype} of {given.shape}"
            )
        if self.autoreset_mode == AutoresetMode.DISABLED and self._done.any():
            raise UsageError(
                f"expected tables that go on, found some that are over: {np.flatnonzero(self._done).tolist()}\n"
                'hint: reset(options={"reset_mask": mask})'
            )
        rewards = np.zeros(self.num_envs, np.float64)
        over = np.zeros(self.num_envs, np.bool_)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        final: dict[int, dict[str, Any]] = {}
        for lane, action in enumerate(given.tolist()):
            if self._done[lane] and self.autoreset_mode == AutoresetMode.NEXT_STEP:
                self._tables.reset(lane, None)
                continue
            rewards[lane], over[lane], told[lane] = self._tables.step(lane, action)
            if over[lane] and self.autoreset_mode == AutoresetMode.SAME_STEP:
                numbers, mask = self._tables.empty(1)
                self._tables.lanes.observe_into(lane, numbers[0], mask[0])
                ended = {"observation": numbers[0], "action_mask": mask[0]}
                info = {**told[lane], "action_mask": mask[0].copy()}
                final[lane] = {"final_obs": ended, "final_info": info}
                told[lane] = {}
                self._tables.reset(lane, None)
        self._done = over.copy()
        seen = self._see()
        infos: dict[str, Any] = {}
        for lane in range(self.num_envs):
            if lane in final:
                infos = self._add_info(infos, final[lane], lane)
            infos = self._add_info(infos, {**told[lane], "action_mask": seen["action_mask"][lane]}, lane)
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, by table."""
        return self._see()["action_mask"].astype(np.bool_)

    def _see(self) -> Seen:
        numbers, mask = self._tables.empty(self.num_envs)
        for lane in range(self.num_envs):
            self._tables.lanes.observe_into(lane, numbers[lane], mask[lane])
        return {"observation": numbers, "action_mask": mask}

    def render(self) -> Any:
        """The tables as text."""
        return tuple(self._tables.lanes.screen(lane) for lane in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends it; it can't be used any more."""
        self._tables.native = None
