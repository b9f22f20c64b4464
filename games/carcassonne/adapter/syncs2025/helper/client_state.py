"""What a bot knows of the game, folded from events."""

from copy import deepcopy  # noqa: F401  (as in the original, every module offers what it uses)

from lib.logic import GameLogic
from lib.messages import *  # noqa: F403
from lib.pieces import MAX_MAP_LENGTH, Meeple, Tile  # noqa: F401
from lib.pieces import MONASTARY_IDENTIFIER, Map, StructureType, TileModifier, is_tile_type, make_tile


class ClientSate(GameLogic):
    def __init__(self):
        self.round = -1
        self.players = {}
        self.players_meeples = {}
        self.map = Map()
        self.game_over = False
        self.num_placed_tiles = 0
        self.event_history = []
        self.new_events = 0
        self.turn_order = []
        self.me = None
        self.my_tiles = []
        # With towers only: [height, player of the guard or None] by position; prisoners by (captor, owner).
        self.towers = {}
        self.prisoners = {}

    def get_meeples_placed_by(self, player_id):
        """The meeples of a player on the map; of everybody for None."""
        claims = (meeple for tile in self.map.placed_tiles for meeple in tile.internal_claims.values())
        return [meeple for meeple in claims if meeple and player_id in (None, meeple.player_id)]

    def get_tile_structures(self, tile):
        """What the edges of a tile show, by its model. Monasteries are not among them."""
        assert is_tile_type(tile.tile_type)
        turned = make_tile(tile.tile_type)
        turned.rotate_clockwise(tile.rotation % 4)
        return dict(turned.internal_edges)

    def get_placeable_structures(self, my_tile):
        """The structures of a tile on the map that can be claimed at all, by edge, whoever stands on them."""
        found = {
            edge: structure
            for edge, structure in self.get_tile_structures(my_tile).items()
            if StructureType.can_claim(structure)
        }
        x, y = my_tile.pos
        assert self.map._grid[y][x] is not None
        if TileModifier.MONASTARY in self.map._grid[y][x].modifiers:
            found[MONASTARY_IDENTIFIER] = StructureType.MONASTARY
        return found
