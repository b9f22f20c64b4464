"""Environments of Gymnasium: one learner at a table of agents. `Env` is one table; `VectorEnv` has many
parallel ones.

An observation has `observation`, the numbers of the game's encoding, and `action_mask`. Trainers find the
mask in three places: in the observation, in `env.action_masks()`, and in `info["action_mask"]`.

Importing this module registers every game whose actions have ids. `gymnasium.make("meeple/NAME-vN",
opponents=…)` and `gymnasium.make_vec` then find it. N is the version of the game's rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from meeple import _meeple
from meeple._errors import UsageError
from meeple._spaces import (
    ON_ILLEGAL,
    RENDER_MODES,
    RENDER_WIDTH,
    REWARDS,
    Options,
    Run,
    Seen,
    chosen,
    encoding_of,
    observations,
    picture,
    registered_names,
    render_mode_of,
    rendered,
)
from meeple._words import Seat, Settings, action_id, refuse_copies, text, whole
from meeple.batch import as_game
from meeple.episode import Game

#: Players of the other seats: one agent for all of them, agents by seat, or agents in the order of these
#: seats.
Opponents = str | Mapping[int, str] | Mapping[np.integer[Any], str] | Sequence[str]


class EnvOptions(Options, total=False):
    """Options of `Env`."""

    #: The learner's seat, from 0.
    seat: Seat


class VectorOptions(EnvOptions, total=False):
    """Options of `VectorEnv`."""

    #: Number of tables, from 1.
    num_envs: int
    #: Number of threads of a step; 0 for all cores. Results do not depend on it.
    threads: int


class _Uncopied:
    """An object that cannot be copied, because its opponents may remember what they have seen."""

    def __getstate__(self) -> object:
        raise refuse_copies(
            "an environment with opponents",
            "make one where it is used; Episode and the environments of meeple.zoo can be",
        )


class _Tables(_Uncopied):
    """Parallel tables, each with a learner at the same seat."""

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents,
        *,
        num_envs: int = 1,
        seat: Seat = 0,
        seats: int | None = None,
        set: Settings | None = None,
        reward: str = "utility",
        on_illegal: str = "fallback",
        seed: int | None = None,
        render_mode: str | None = None,
        threads: int = 0,
    ) -> None:
        self.count = whole("num_envs", num_envs, 1, 2**24)
        if seats is None and not isinstance(game, Game) and not isinstance(opponents, str):
            seats = len(opponents) + 1
        self.game = as_game(game, seats, set)
        self.size = encoding_of(self.game).size
        self.seat = whole("seat", seat, 0, self.game.seats - 1)
        self.reward = chosen("reward", reward, REWARDS)
        self.on_illegal = chosen("on_illegal", on_illegal, ON_ILLEGAL)
        self.render_mode = render_mode_of(render_mode)
        self.native: _meeple.Lanes | None = self.game._native.lanes(
            self.count, self._players(opponents), whole("threads", threads, 0, 1024)
        )
        first = None if seed is None else whole("seed", seed)
        self.runs = [Run(None if first is None else first + lane) for lane in range(self.count)]
        self.scores: npt.NDArray[np.int64] = np.zeros(self.count, np.int64)

    def _players(self, opponents: Opponents) -> list[str | None]:
        others = [seat for seat in range(self.game.seats) if seat != self.seat]
        if isinstance(opponents, str):
            by_seat: dict[int, str] = dict.fromkeys(others, opponents)
        elif isinstance(opponents, Mapping):
            by_seat = {int(seat): agent for seat, agent in opponents.items()}
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

    def reset(self, lanes: Sequence[int], seeds: Sequence[int | None] | None = None) -> None:
        """Begins episodes at some tables, in one call. With a seed, a table begins the first episode of that
        run; otherwise the next one."""
        begins = [(lane, *self.runs[lane].next(None if seeds is None else seeds[lane])) for lane in lanes]
        self.scores[lanes] = self.lanes.reset(begins)

    def step(
        self, actions: list[int], begins: list[int]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], list[tuple[int, str]]]:
        """Takes the learner's action at every table, in one call. Tables in `begins` begin their next episode
        instead.

        Returns rewards, the tables whose episodes are over, and the tables with an illegal action, with the
        reason.
        """
        count = len(actions)
        seeds = [(lane, *self.runs[lane].next(None)) for lane in begins]
        over, scores, utilities = np.empty(count, np.uint8), np.empty(count, np.int64), np.empty(count, np.float64)
        try:
            told = self.lanes.step(actions, seeds, self.on_illegal == "fallback", over, scores, utilities)
        except UsageError:
            # The call was refused, so no episode has begun.
            for lane in begins:
                self.runs[lane].index -= 1
            raise
        before, self.scores = self.scores, scores
        rewards = utilities if self.reward == "utility" else (scores - before).astype(np.float64)
        rewards[begins] = 0.0
        return rewards, over.view(np.bool_), told

    def see(self, first: int, count: int) -> Seen:
        """The observations of the learners at `count` tables, from table `first` on, in new arrays."""
        numbers, masks = np.empty((count, self.size), np.float32), np.empty((count, self.game.action_bound), np.int8)
        self.lanes.observe_into(first, numbers, masks.view(np.uint8))
        return {"observation": numbers, "action_mask": masks}

    def masks(self) -> npt.NDArray[np.bool_]:
        """Masks of legal actions, bool `[tables, n_actions]`. Before the first `reset` no table has an
        episode, and all are true."""
        count = len(self.runs)
        if any(run.index < 0 for run in self.runs):
            return np.ones((count, self.game.action_bound), np.bool_)
        masks: npt.NDArray[np.bool_] = self.see(0, count)["action_mask"].astype(np.bool_)
        return masks

    def render(self, mode: str | None, lane: int) -> Any:
        """A table in the learner's view; see `rendered`."""
        return rendered(
            mode,
            lambda: picture(self.lanes.pixels(lane, RENDER_WIDTH)),
            lambda: self.lanes.svg(lane),
            lambda: self.lanes.screen(lane),
        )


class Env(_Uncopied, gymnasium.Env[Seen, Any]):
    """One learner at a table of agents of the game: `Env("privateers", ["admiral", "random"])`.

    Episodes are those of `meeple sim` with the same seed: `reset(seed=s)` begins episode 0 of run s, and
    `reset()` the next one. `reward` is the `utility` at the end (-1 to 1) or the change of the learner's own
    `score`.

    Gymnasium wants every action of the action space to be playable. The rules' fallback action therefore
    replaces an action that the mask forbids, and `info["illegal_action"]` reports it. With
    `on_illegal="raise"` it is an exception.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(self, game: str | Game, opponents: Opponents = "random", **options: Unpack[EnvOptions]) -> None:
        self._tables = _Tables(game, opponents, threads=1, **options)
        self.game = self._tables.game
        self.render_mode = self._tables.render_mode
        self.observation_space = observations(self.game)
        self.action_space = spaces.Discrete(self.game.action_bound)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins an episode. With a seed it is the first one of that run; otherwise it is the next one."""
        super().reset(seed=seed)
        self._tables.reset([0], [seed])
        self._show()
        seen = self._see()
        return seen, {"action_mask": seen["action_mask"].copy()}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Takes an action by its id, from 0 to `action_space.n - 1`. The others then play on until the
        learner owes a decision again.

        Raises `UsageError` for an action that is no id, and `IllegalAction` after the end. With
        `on_illegal="raise"` an action that the mask forbids raises `IllegalAction` too. The environment is
        then unchanged.
        """
        number = action_id(action, self.game.action_bound, is_checked=False)
        rewards, over, told = self._tables.step([number], [])
        self._show()
        seen = self._see()
        info: dict[str, Any] = {"illegal_action": told[0][1]} if told else {}
        return seen, float(rewards[0]), bool(over[0]), False, {**info, "action_mask": seen["action_mask"].copy()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions, bool `[n_actions]`, for trainers with masks. Before the first `reset`
        all are true."""
        masks: npt.NDArray[np.bool_] = self._tables.masks()[0]
        return masks

    def _see(self) -> Seen:
        return {name: array[0] for name, array in self._tables.see(0, 1).items()}

    def _show(self) -> None:
        if self.render_mode == "human":
            self._tables.render("human", 0)

    def render(self) -> Any:
        """The table in the learner's view: a text, SVG, or a picture, uint8 `[height, width, 3]`. The mode
        `human` has printed it already."""
        return None if self.render_mode == "human" else self._tables.render(self.render_mode, 0)

    def close(self) -> None:
        """Closes the environment, which cannot be used any more."""
        self._tables.native = None


class VectorEnv(_Uncopied, gymnasium.vector.VectorEnv[Seen, Any, Any]):
    """Parallel tables. They behave like `SyncVectorEnv` with as many `Env`, in all autoreset modes.

    Table l plays the run of seed + l. After an episode's end, `NEXT_STEP` begins the next one at the next
    step, whose action is ignored. `SAME_STEP` begins it at once, and the last observation is in
    `infos["final_obs"]`. With `DISABLED` the caller resets: `reset(options={"reset_mask": mask})`.

    All tables are stepped in one call. If a step takes long enough, up to `threads` threads (0: all cores)
    share it. Results do not depend on it.
    """

    def __init__(
        self,
        game: str | Game,
        opponents: Opponents = "random",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Unpack[VectorOptions],
    ) -> None:
        self._tables = _Tables(game, opponents, **options)
        self.num_envs = self._tables.count
        self.game = self._tables.game
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = self._tables.render_mode
        self.single_observation_space = observations(self.game)
        self.single_action_space = spaces.Discrete(self.game.action_bound)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._done = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins episodes at all tables, or at those in `options["reset_mask"]`."""
        seeds = [seed + lane for lane in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise UsageError(f"seed: expected one for each of {self.num_envs} tables, found {len(seeds)}")
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise UsageError(
                f"reset_mask: expected an array of bool of the shape ({self.num_envs},) that is not all False, "
                f"found one of {mask.dtype} and {mask.shape}"
            )
        self._tables.reset(np.flatnonzero(mask).tolist(), seeds)
        self._done &= ~mask
        seen = self._tables.see(0, self.num_envs)
        masks = np.where(mask[:, None], seen["action_mask"], 0)
        return seen, {"action_mask": masks, "_action_mask": mask.copy()}

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
        begins = np.flatnonzero(self._done).tolist() if self.autoreset_mode == AutoresetMode.NEXT_STEP else []
        rewards, over, illegal = self._tables.step(given.tolist(), begins)
        told: dict[int, dict[str, Any]] = {lane: {"illegal_action": reason} for lane, reason in illegal}
        final: dict[int, dict[str, Any]] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            ended = np.flatnonzero(over).tolist()
            for lane in ended:
                last = {name: array[0] for name, array in self._tables.see(lane, 1).items()}
                info = {**told.pop(lane, {}), "action_mask": last["action_mask"].copy()}
                final[lane] = {"final_obs": last, "final_info": info}
            self._tables.reset(ended)
        self._done = over.copy()
        seen = self._tables.see(0, self.num_envs)
        infos: dict[str, Any] = {}
        for lane in sorted(final.keys() | told.keys()):
            infos = self._add_info(infos, {**final.get(lane, {}), **told.get(lane, {})}, lane)
        # The form that `_add_info` gives to values of all tables.
        infos.update(action_mask=seen["action_mask"].copy(), _action_mask=np.ones(self.num_envs, np.bool_))
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Masks of legal actions, bool `[num_envs, n_actions]`. Before the first `reset` all are true."""
        return self._tables.masks()

    def render(self) -> Any:
        """The tables in their render mode, in order; as texts without a mode."""
        return tuple(self._tables.render(self.render_mode or "ansi", lane) for lane in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Closes the environment, which cannot be used any more."""
        self._tables.native = None


def _register() -> None:
    for name, id in registered_names():
        # Games that another copy of this module has registered are skipped.
        if id not in gymnasium.registry:
            kwargs = {"game": name}
            gymnasium.register(id, "meeple.gym:Env", kwargs=kwargs, vector_entry_point="meeple.gym:VectorEnv")


_register()
