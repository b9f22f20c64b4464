"""The game as a bot plays it."""

from lib.messages import *  # noqa: F403  (as in the original, every module offers what it uses)
from lib.messages import (
    MoveBuildFloor,
    MoveCaptureMeeple,
    MoveCapturePass,
    MoveCloseTower,
    MoveDiscardTile,
    MovePayRansom,
    MovePlaceMeeple,
    MovePlaceMeeplePass,
    MovePlaceTile,
)
from lib.pieces import TILE_EXTERNAL_POS, StructureType, Tile

from .client_state import ClientSate
from .interface import Connection
from .state_mutator import StateMutator


class Game:
    def __init__(self):
        self.state = ClientSate()
        self.mutator = StateMutator(self.state)
        self.connection = Connection()

    def get_next_query(self):
        """Waits for the next query; its events are in the state then."""
        query = self.connection.get_next_query()
        mark = len(self.state.event_history)
        for number, event in query.update.items():
            self.mutator.commit(number, event)
        self.state.new_events = mark
        return query

    def send_move(self, move):
        self.connection.send_move(move)

    def _me(self):
        return self.state.me.player_id

    def move_place_tile(self, query, tile, tile_index):
        return MovePlaceTile(player_id=self._me(), tile=tile, player_tile_index=tile_index)

    def move_place_meeple(self, query, tile, placed_on):
        return MovePlaceMeeple(player_id=self._me(), tile=tile, placed_on=placed_on)

    def move_place_meeple_pass(self, query):
        return MovePlaceMeeplePass(player_id=self._me())

    def can_place_tile_at(self, tile, x, y):
        """Whether a tile fits on a cell, and turns it to the first rotation in which it does, from its own on."""
        grid = self.state.map._grid
        if not (0 <= y < len(grid) and 0 <= x < len(grid[y])) or grid[y][x]:
            return False
        near = {edge: Tile.get_external_tile(edge, (x, y), grid) for edge in TILE_EXTERNAL_POS}
        near = {edge: other.internal_edges[Tile.get_opposite(edge)] for edge, other in near.items() if other}
        for _ in range(4):
            if near and all(self._goes_on(tile, edge, shown, x, y) for edge, shown in near.items()):
                return True
            tile.rotate_clockwise(1)
        return False

    def _goes_on(self, tile, edge, shown, x, y):
        """Whether an edge of a tile goes on as its neighbour shows. Only water that meets a tile is looked at farther."""
        own = tile.internal_edges[edge]
        if not StructureType.is_compatible(own, shown):
            return False
        return own != StructureType.RIVER or self.state.map.river_validation(tile, x, y) == "pass"

    # What the original has not: moves for games with towers, see docs/reference/syncs.md.

    def move_discard_tile(self, query, tile):
        return MoveDiscardTile(player_id=self._me(), tile=tile)

    def move_build_floor(self, query, pos):
        return MoveBuildFloor(player_id=self._me(), pos=pos)

    def move_close_tower(self, query, pos):
        return MoveCloseTower(player_id=self._me(), pos=pos)

    def move_capture_meeple(self, query, pos, placed_on):
        return MoveCaptureMeeple(player_id=self._me(), pos=pos, placed_on=placed_on)

    def move_capture_pass(self, query):
        return MoveCapturePass(player_id=self._me())

    def move_pay_ransom(self, query, captor_id):
        return MovePayRansom(player_id=self._me(), captor_id=captor_id)
