"""The game as a bot plays it."""

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
from lib.pieces import StructureType, Tile

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
        near = {edge: Tile.get_external_tile(edge, (x, y), grid) for edge in Tile.get_edges()}
        near = {edge: other.internal_edges[Tile.get_opposite(edge)] for edge, other in near.items() if other}
        if not near:
            return False
        for _ in range(4):
            edges = tile.internal_edges
            if all(StructureType.is_compatible(edges[edge], shown) for edge, shown in near.items()):
                river = StructureType.RIVER in edges.values()
                if not river or self.state.map.river_validation(tile, x, y) == "pass":
                    return True
            tile.rotate_clockwise(1)
        return False

    # What the original has not: moves for games with towers, see docs/syncs.md.

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
