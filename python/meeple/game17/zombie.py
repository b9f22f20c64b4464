"""A player that moves every piece in a random direction, drawn from numpy's global generator."""

from __future__ import annotations

from meeple.game17._shared import shared

__all__ = ["find_owned_pieces", "make_moves"]

find_owned_pieces = shared.find_owned_pieces
make_moves = shared.zombie_moves
