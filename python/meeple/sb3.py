"""Environments of Stable-Baselines3: `VecEnv` adapts `meeple.gym.VectorEnv` to its algorithms.
docs/reference/python.md has a complete training.

`MaskablePPO` of sb3-contrib gets the masks by `env_method("action_masks")`. For algorithms without masks, the
rules' fallback action replaces illegal actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env.base_vec_env import VecEnv as BaseVecEnv

from meeple._errors import UsageError
from meeple._spaces import Seen
from meeple.episode import Game
from meeple.gym import Opponents, VectorEnv, VectorOptions

__all__ = ["VecEnv"]

#: Numbers of tables: several, a single one, or `None` for all.
Indices = int | Iterable[int] | None


class VecEnv(BaseVecEnv):  # type: ignore[misc]
    """Parallel tables in the form of Stable-Baselines3. Options are those of `meeple.gym.VectorEnv`.

    The next episode follows an ended one at once. The last observation of the ended one is
    `infos[i]["terminal_observation"]`.
    """

    def __init__(self, game: str | Game, opponents: Opponents = "random", **options: Unpack[VectorOptions]) -> None:
        #: The tables, in autoreset mode `SAME_STEP`.
        self.envs = VectorEnv(game, opponents, autoreset_mode="SameStep", **options)
        self.game = self.envs.game
        self._actions: npt.NDArray[Any] | None = None
        super().__init__(self.envs.num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Seen:
        """Begins an episode at every table. Returns the observations, `[num_envs, ...]`. Seeds are those of
        `seed()`, if it was called."""
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        seen, _ = self.envs.reset(seed=seeds)
        self.reset_infos = [{"action_mask": mask} for mask in seen["action_mask"]]
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions, whole numbers `[num_envs]`, for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Seen, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps all tables. Returns observations `[num_envs, ...]`, rewards float32 `[num_envs]`, dones bool
        `[num_envs]`, and infos."""
        if self._actions is None:
            raise UsageError("expected actions to step with, found none\nhint: call step_async(actions) first")
        seen, rewards, over, _, told = self.envs.step(self._actions)
        self._actions = None
        infos: list[dict[str, Any]] = [{"action_mask": mask} for mask in seen["action_mask"]]
        for lane in np.flatnonzero(told.get("_illegal_action", ())).tolist():
            infos[lane]["illegal_action"] = told["illegal_action"][lane]
        for lane in np.flatnonzero(over).tolist():
            infos[lane].update({"terminal_observation": told["final_obs"][lane], "TimeLimit.truncated": False})
        return seen, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        """Closes the environment, which cannot be used any more."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute by table, for all tables or some. All have the same value."""
        return [getattr(self.envs, attr_name) for _ in self._places(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of all tables. Raises `UsageError` if only some are named, because tables share
        attributes."""
        if len(self._places(indices)) != self.num_envs:
            raise UsageError(f"{attr_name}: expected to set it at all tables, found some\nhint: leave indices out")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Indices = None, **named: Any) -> list[Any]:
        """By table: the result of `action_masks` or another method."""
        result = getattr(self.envs, method_name)(*arguments, **named)
        return [result[place] for place in self._places(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """False for every table, because no wrappers are used."""
        return [False for _ in self._places(indices)]

    def get_images(self) -> Sequence[Any]:
        """Pictures of the tables, uint8 `[height, width, 3]` each."""
        return [self.envs._tables.render("rgb_array", lane) for lane in range(self.num_envs)]

    def _places(self, indices: Indices) -> list[int]:
        if indices is None:
            return list(range(self.envs.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
