"""Environments of Stable-Baselines3. That library needs PyTorch. If it is missing, a stand-in has the parts
of version 2.9's base class that environments use."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from abc import ABC, abstractmethod
from pathlib import Path
from types import ModuleType

import meeple
import numpy as np
import pytest
from conftest import LISTED

from meeple.gym import Env


class BaseVecEnv(ABC):
    """The part of `stable_baselines3.common.vec_env.base_vec_env.VecEnv` that environments use."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        modes = self.get_attr("render_mode")
        assert all(mode == modes[0] for mode in modes)
        self.render_mode = modes[0]

    def _reset_seeds(self):
        self._seeds = [None for _ in range(self.num_envs)]

    def _reset_options(self):
        self._options = [{} for _ in range(self.num_envs)]

    def seed(self, seed):
        self._seeds = [seed + place for place in range(self.num_envs)]

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


for name in ("reset", "step_async", "step_wait", "close", "get_attr", "set_attr", "env_method", "env_is_wrapped"):
    setattr(BaseVecEnv, name, abstractmethod(lambda self, *arguments: None))
BaseVecEnv.__abstractmethods__ = frozenset(
    {"reset", "step_async", "step_wait", "close", "get_attr", "set_attr", "env_method", "env_is_wrapped"}
)


@pytest.fixture
def sb3(monkeypatch):
    """The module, with the real base class if it is installed."""
    if importlib.util.find_spec("stable_baselines3") is None:
        path = "stable_baselines3.common.vec_env.base_vec_env"
        parts = path.split(".")
        for depth in range(1, len(parts) + 1):
            monkeypatch.setitem(sys.modules, ".".join(parts[:depth]), ModuleType(".".join(parts[:depth])))
        sys.modules[path].VecEnv = BaseVecEnv
    monkeypatch.delitem(sys.modules, "meeple.sb3", raising=False)
    import meeple.sb3

    return meeple.sb3


@pytest.mark.parametrize("game", LISTED)
def test_tables_are_single_environments(game, sb3):
    envs = sb3.VecEnv(game, "random", num_envs=2, reward="score")
    envs.seed(5)
    seen = envs.reset()
    singles = [Env(game, "random", reward="score") for _ in range(2)]
    known = [single.reset(seed=5 + place)[0] for place, single in enumerate(singles)]
    ended = 0
    for _ in range(60):
        actions = seen["action_mask"].argmax(axis=1)
        assert (np.stack(envs.env_method("action_masks")) == seen["action_mask"]).all()
        assert len(envs.env_method("action_masks", indices=[1])) == 1
        seen, rewards, dones, infos = envs.step(actions)
        assert rewards.dtype == np.float32 and dones.dtype == np.bool_ and len(infos) == 2
        for place, single in enumerate(singles):
            known[place], reward, over, _, _ = single.step(actions[place])
            assert (rewards[place], dones[place]) == (np.float32(reward), over)
            if over:
                last = infos[place]["terminal_observation"]
                assert all((last[name] == known[place][name]).all() for name in last) and set(last) == set(seen)
                known[place], _ = single.reset()
                ended += 1
            assert all((seen[name][place] == known[place][name]).all() for name in seen)
    assert ended > 0 or game != "incan-gold"


def test_attributes_and_pictures(sb3):
    envs = sb3.VecEnv("incan-gold", "turn:7", seats=2, num_envs=2, render_mode="rgb_array")
    envs.reset()
    assert envs.get_attr("render_mode", 0) == ["rgb_array"] and envs.env_is_wrapped(object) == [False, False]
    assert [picture.shape[2] for picture in envs.get_images()] == [3, 3]
    _, _, _, infos = envs.step(np.array([7, 1]))
    assert "no legal action has the id 7" in infos[0]["illegal_action"] and "illegal_action" not in infos[1]
    with pytest.raises(meeple.UsageError, match="expected actions to step with, found none"):
        envs.step_wait()
    with pytest.raises(meeple.UsageError, match="expected to set it at all tables"):
        envs.set_attr("note", 1, 0)
    envs.set_attr("note", 1)
    assert envs.get_attr("note") == [1, 1]
    envs.close()
    with pytest.raises(meeple.UsageError, match="found one that is closed"):
        envs.reset()


def test_the_training_of_the_guide_plays():
    """docs/reference/python.md trains MaskablePPO and lets it play. The test runs if sb3-contrib is
    installed."""
    pytest.importorskip("sb3_contrib")
    guide = (Path(__file__).parents[2] / "docs/reference/python.md").read_text()
    section = guide.split("## Stable-Baselines3")[1].split("\n## ")[0]
    code = "\n".join(line.removeprefix("    ") for line in section.splitlines() if line.startswith("    ") or not line)
    with warnings.catch_warnings():
        # PyTorch and its users emit these warnings.
        warnings.simplefilter("ignore")
        names = {}
        exec(code.replace("print(", "played = ("), names)
    assert [agent["name"] for agent in names["played"].summary["agents"]] == ["learned", "turn:7"]
    assert names["played"].episodes == 30
