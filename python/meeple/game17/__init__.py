"""The package of game17's original, on Meeple's engine: the same functions, signatures and return values.

The top-level name `game17` is this package too. If the original's package is installed, that name finds the
original. docs/reference/game17-bots.md lists what is the same and what differs.
"""

from meeple.game17 import T800, basic_mover, cli, game17, game_runners, zombie
from meeple.game17._shared import shared
from meeple.game17.basic_mover import get_mover_factory
from meeple.game17.game17 import create_board, destination, find_owned_pieces, update_board
from meeple.game17.game_runners import battle_royale, replay, round_robin, single, vs_zombies

#: The version of the original that this package follows.
__version__: str = shared.VERSION

__all__ = [
    "T800",
    "basic_mover",
    "battle_royale",
    "cli",
    "create_board",
    "destination",
    "find_owned_pieces",
    "game17",
    "game_runners",
    "get_mover_factory",
    "replay",
    "round_robin",
    "single",
    "update_board",
    "vs_zombies",
    "zombie",
]
