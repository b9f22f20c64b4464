"""game17, as its original's package is called: `meeple.game17` under that name.

A file, not a folder: where the original's package is installed beside it, Python takes that, and nothing of it is replaced.
"""

import sys

import meeple.game17

_modules = ("T800", "basic_mover", "cli", "game17", "game_runners", "zombie")
sys.modules.update({f"game17.{name}": getattr(meeple.game17, name) for name in _modules})
sys.modules[__name__] = meeple.game17
