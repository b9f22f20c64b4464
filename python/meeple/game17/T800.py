"""A player that attacks if the expected arrivals match the pieces on a square. It draws from numpy's global
generator."""

from __future__ import annotations

from meeple.game17._shared import shared

__all__ = ["destination", "find_owned_pieces", "make_moves", "zombie_strategy"]

destination = shared.destination
find_owned_pieces = shared.find_owned_pieces
make_moves = shared.t800_moves
zombie_strategy = shared.t800_shares
