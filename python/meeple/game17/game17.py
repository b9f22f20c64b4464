"""Functions for boards: to make, change, compare and show them."""

from __future__ import annotations

from meeple.game17._shared import shared

__all__ = [
    "apply_diff",
    "board_diff",
    "create_board",
    "destination",
    "find_owned_pieces",
    "print_board",
    "update_board",
]

__version__ = float(shared.VERSION)

apply_diff = shared.apply_diff
board_diff = shared.board_diff
create_board = shared.create_board
destination = shared.destination
find_owned_pieces = shared.find_owned_pieces
print_board = shared.print_board
update_board = shared.update_board
