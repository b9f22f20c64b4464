"""The original's helpers, from the file that bot hosts put beside bots (games/game17/adapter). Both use this
one source."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from meeple import _meeple

NAME = "_meeple_movers.py"

shared: Any = ModuleType("meeple.game17._movers")
exec(compile(_meeple.adapter_file("game17", NAME), NAME, "exec"), vars(shared))
shared.need_numpy()
