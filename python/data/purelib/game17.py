"""`meeple.game17` under the name `game17`, as the original's package is called.

It is a file, not a folder. If the original's package is installed beside it, Python takes that package, and
none of its files is replaced.
"""

import sys

import meeple.game17

_modules = ("T800", "basic_mover", "cli", "game17", "game_runners", "zombie")
sys.modules.update({f"game17.{name}": getattr(meeple.game17, name) for name in _modules})
sys.modules[__name__] = meeple.game17
