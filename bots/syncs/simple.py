"""A bot for the interface of SYNCS 2025: lays the first tile that fits, and claims what nobody holds.

    meeple match carcassonne/river syncs:bots/syncs/simple.py greedy
"""

from helper.game import Game
from lib.config.map_config import MONASTARY_IDENTIFIER
from lib.interact.structure import StructureType
from lib.interact.tile import Tile
from lib.interface.events.moves.typing import MoveType
from lib.interface.queries.query_place_meeple import QueryPlaceMeeple
from lib.interface.queries.query_place_tile import QueryPlaceTile
from lib.interface.queries.typing import QueryType

STEPS = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def fits(game: Game, tile: Tile, x: int, y: int) -> bool:
    # The helper looks at water only where it meets a tile; a river has to go on.
    if not game.can_place_tile_at(tile, x, y):
        return False
    river = StructureType.RIVER in tile.internal_edges.values()
    return not river or game.state.map.river_validation(tile, x, y) == "pass"


def place_tile(game: Game, query: QueryPlaceTile) -> MoveType:
    # A river goes on where it was laid last, so the newest tiles are tried first.
    for placed in reversed(game.state.map.placed_tiles):
        for dx, dy in STEPS:
            x, y = placed.placed_pos[0] + dx, placed.placed_pos[1] + dy
            for index, tile in enumerate(game.state.my_tiles):
                if fits(game, tile, x, y):
                    tile.placed_pos = (x, y)
                    return game.move_place_tile(query, tile._to_model(), index)
    raise RuntimeError("no tile fits")


def place_meeple(game: Game, query: QueryPlaceMeeple) -> MoveType:
    tile = game.state.map.placed_tiles[-1]
    if game.state.me.num_meeples > 0:
        structures = game.state.get_placeable_structures(tile._to_model())
        for edge in sorted(structures, key=lambda edge: edge != MONASTARY_IDENTIFIER):
            # What the tile has completed may have scored just now, and cannot be claimed again then.
            done = edge != MONASTARY_IDENTIFIER and game.state._check_completed_component(tile, edge)
            if not done and not game.state._get_claims(tile, edge):
                return game.move_place_meeple(query, tile._to_model(), placed_on=edge)
    return game.move_place_meeple_pass(query)


def choose(game: Game, query: QueryType) -> MoveType:
    match query:
        case QueryPlaceTile():
            return place_tile(game, query)
        case QueryPlaceMeeple():
            return place_meeple(game, query)


def main() -> None:
    game = Game()
    while True:
        query = game.get_next_query()
        game.send_move(choose(game, query))


if __name__ == "__main__":
    main()
