"""Meeple: a laboratory and arena for board games.

* `games`, `agents`: what there is. `sim`, `sweep`, `tournament`, `exact`, `tool`: the laboratory. `render`: pictures of replays.
* `Game`, `Episode`, `Turn`: one episode, step by step, with agents in Python beside those of the game.
* `Batch`: many episodes stepped together through arrays. `policy`: what was trained on them, as a player.
* `meeple.zoo`: environments of PettingZoo; `meeple.gym`: environments of Gymnasium; `meeple.sb3`: those of
  Stable-Baselines3 (imported by themselves).

The guide is docs/reference/python.md.
"""

from meeple._errors import Failure, IllegalAction, MeepleError, UsageError
from meeple._meeple import __version__
from meeple.batch import Batch, Ended, LegalIds, Rows
from meeple.episode import Agent, Encoding, Episode, Fault, Field, Game, Id, Outcome, Phase, Turn
from meeple.laboratory import (
    EpisodeRows,
    PlayerFaults,
    Simulation,
    Sweep,
    ToolResult,
    Tournament,
    agents,
    exact,
    games,
    render,
    sim,
    sweep,
    tool,
    tournament,
)
from meeple.policy import Policy, policy

__all__ = [
    "Agent",
    "Batch",
    "Encoding",
    "Ended",
    "Episode",
    "EpisodeRows",
    "Failure",
    "Fault",
    "Field",
    "Game",
    "Id",
    "IllegalAction",
    "LegalIds",
    "MeepleError",
    "Outcome",
    "Phase",
    "PlayerFaults",
    "Policy",
    "Rows",
    "Simulation",
    "Sweep",
    "ToolResult",
    "Tournament",
    "Turn",
    "UsageError",
    "__version__",
    "agents",
    "exact",
    "games",
    "policy",
    "render",
    "sim",
    "sweep",
    "tool",
    "tournament",
]
