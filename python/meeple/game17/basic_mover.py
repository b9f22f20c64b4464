"""Adapter of basic bots, which makes them advanced ones."""

from __future__ import annotations

from meeple.game17._shared import shared

__all__ = ["BasicMover", "get_mover_factory"]

BasicMover = shared.BasicMover
get_mover_factory = shared.get_mover_factory
