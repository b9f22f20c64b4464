"""Meeple: a laboratory and arena for board games.

* `games`, `agents`: what there is. `sim`, `sweep`, `tournament`, `exact`, `tool`: the laboratory. `render`: pictures of replays.
* `Game`, `Episode`, `Turn`: one episode, step by step, with agents in Python beside those of the game.
* `Batch`: many episodes stepped together through arrays.
* `meeple.zoo`: environments of PettingZoo; `meeple.gym`: environments of Gymnasium (imported by themselves).

The guide is docs/python.md.
"""

from meeple._errors import Failure, IllegalAction, MeepleError, UsageError
from meeple._meeple import __version__
from meeple.batch import Batch, Ended, Rows
from meeple.episode import Agent, Encoding, Episode, Fault, Field, Game, Outcome, Phase, Turn
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
    "IllegalAction",
    "MeepleError",
    "Outcome",
    "Phase",
    "PlayerFaults",
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
    "render",
    "sim",
    "sweep",
    "tool",
    "tournament",
]
