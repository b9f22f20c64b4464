"""Plays as a simple bot does, uses every public name, and notes what it knows at every query in dump.jsonl."""

import json

from helper.client_state import ClientSate
from helper.game import Game
from helper.utils import print_map
from lib.config.map_config import MAP_CENTER, MAX_MAP_LENGTH, MONASTARY_IDENTIFIER, tile_counts
from lib.game.game_logic import GameLogic
from lib.interact.map import Map
from lib.interact.meeple import Meeple
from lib.interact.structure import StructureType
from lib.interact.tile import Tile, TileModifier
from lib.interface.events.moves.move_place_meeple import MovePlaceMeeple, MovePlaceMeeplePass
from lib.interface.events.moves.move_place_tile import MovePlaceTile
from lib.interface.events.moves.typing import MoveType
from lib.interface.events.typing import EventType
from lib.interface.queries.query_place_meeple import QueryPlaceMeeple
from lib.interface.queries.query_place_tile import QueryPlaceTile
from lib.interface.queries.typing import QueryType
from lib.models.tile_model import TileModel

assert QueryType and MoveType and EventType
assert MAP_CENTER == (85, 85) and MAX_MAP_LENGTH == 169
assert sum(count for name, count in tile_counts.items() if len(name) == 1) == 72 == tile_counts.A + 70


def cell(pos):
    return [pos[0] - MAP_CENTER[0], pos[1] - MAP_CENTER[1]]


def kind(tile, edge):
    if edge == MONASTARY_IDENTIFIER:
        return "monastery"
    return {StructureType.CITY: "city"}.get(tile.internal_edges[edge], "road")


def known(game, query):
    state = game.state
    me = state.me.player_id
    assert isinstance(state, ClientSate) and isinstance(state, GameLogic) and isinstance(state.map, Map)
    assert len(state.my_tiles) == state.players[me].num_tiles <= len(state.me.tiles)
    assert state.players[me].points == state.me.points and state.players_meeples[me] == state.me.num_meeples
    meeples = []
    standing = [
        (tile, edge, meeple)
        for tile in state.map.placed_tiles
        for edge, meeple in tile.internal_claims.items()
        if meeple is not None
    ]
    assert len(standing) == len(state.get_meeples_placed_by(None))
    for tile, edge, meeple in standing:
        assert isinstance(meeple, Meeple)
        assert meeple in state._get_claims_objs(tile, edge)[meeple.player_id]
        meeples.append([meeple.player_id, cell(tile.placed_pos), kind(tile, edge)])
    for tile in state.map.placed_tiles:
        x, y = tile.placed_pos
        assert state.map._grid[y][x] is tile
    return {
        "query": query.query_type,
        "placed": [[t.tile_type, *cell(t.placed_pos), t.rotation] for t in state.map.placed_tiles],
        "meeples": sorted(meeples),
        "points": [state.players[seat].points for seat in sorted(state.players)],
        "supply": [state.players_meeples[seat] for seat in sorted(state.players)],
        "tiles": [state.players[seat].num_tiles for seat in sorted(state.players)],
        "hand": sorted(tile.tile_type for tile in state.my_tiles),
        "order": state.turn_order,
        "events": len(state.event_history),
        "fresh": len(state.event_history) - state.new_events,
        "unseen": sorted([name, len(tiles)] for name, tiles in state.map.available_tiles_by_type.items() if tiles),
    }


def place_tile(game, query):
    state_map = game.state.map
    for placed in reversed(game.state.map.placed_tiles):
        for tile_edge in Tile.get_edges():
            steps = {"left_edge": (-1, 0), "right_edge": (1, 0), "top_edge": (0, -1), "bottom_edge": (0, 1)}
            x, y = (at + step for at, step in zip(placed.placed_pos, steps[tile_edge]))
            for index, tile in enumerate(game.state.my_tiles):
                river = StructureType.RIVER in tile.internal_edges.values()
                if game.can_place_tile_at(tile, x, y) and (
                    not river or state_map.river_validation(tile, x, y) == "pass"
                ):
                    tile.placed_pos = (x, y)
                    model = tile._to_model()
                    assert isinstance(model, TileModel) and game.state.get_tile_structures(model)
                    return game.move_place_tile(query, model, index)
    raise RuntimeError("no tile fits")


def place_meeple(game, query):
    state = game.state
    tile = state.map.placed_tiles[-1]
    complete = state.check_any_complete(tile)
    for edge, component in state.get_completed_components(tile).items():
        assert edge in complete and state._check_completed_component(tile, edge)
        assert component == set(state._traverse_connected_component(tile, edge))
        assert state._get_reward(tile, edge) >= state._get_reward(tile, edge, partial=True)
    found = state.get_placeable_structures(tile._to_model())
    assert (MONASTARY_IDENTIFIER in found) == (TileModifier.MONASTARY in tile.modifiers)
    # From the last edge on: the host may name it by another edge of the same structure.
    for edge in reversed(list(found)):
        if state.me.num_meeples and not state._get_claims(tile, edge):
            return game.move_place_meeple(query, tile._to_model(), placed_on=edge)
    return game.move_place_meeple_pass(query)


def main():
    game = Game()
    with open("dump.jsonl", "w", encoding="utf-8") as dump:
        while True:
            query = game.get_next_query()
            print(json.dumps(known(game, query)), file=dump, flush=True)
            match query:
                case QueryPlaceTile():
                    move = place_tile(game, query)
                    assert isinstance(move, MovePlaceTile)
                case QueryPlaceMeeple():
                    move = place_meeple(game, query)
                    assert isinstance(move, (MovePlaceMeeple, MovePlaceMeeplePass))
            assert type(move).model_validate_json(move.model_dump_json()) == move
            if len(game.state.event_history) > 300:
                print_map(game.state.map._grid, range(75, 96))
            game.send_move(move)


main()
