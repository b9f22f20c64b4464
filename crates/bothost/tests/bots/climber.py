"""Plays the whole game by `legal_moves`: takes the kind of move that it has taken least, and notes what it knows."""

import json
from collections import Counter

from helper.game import Game
from lib.config.map_config import MAP_CENTER


def cell(pos):
    return [pos[0] - MAP_CENTER[0], pos[1] - MAP_CENTER[1]]


def kind(move):
    field = move.event_type == "move_place_meeple" and move.placed_on.startswith("field")
    return "field" if field else move.event_type


def known(game, query):
    state = game.state
    seats = sorted(state.players)
    return {
        "query": query.query_type,
        "placed": len(state.map.placed_tiles),
        "points": [state.players[seat].points for seat in seats],
        "supply": [state.players_meeples[seat] for seat in seats],
        "tiles": [state.players[seat].num_tiles for seat in seats],
        "hand": sorted(tile.tile_type for tile in state.my_tiles),
        "towers": sorted([cell(pos), height, guard] for pos, (height, guard) in state.towers.items()),
        "prisoners": [[state.prisoners.get((captor, owner), 0) for owner in seats] for captor in seats],
        "standing": sorted(
            [meeple.player_id, cell(tile.placed_pos)]
            for tile in state.map.placed_tiles
            for meeple in tile.internal_claims.values()
            if meeple is not None
        ),
    }


def main():
    game = Game()
    taken = Counter()
    with open("dump.jsonl", "w", encoding="utf-8") as dump:
        while True:
            query = game.get_next_query()
            print(json.dumps(known(game, query)), file=dump, flush=True)
            move = min(query.legal_moves, key=lambda move: (taken[kind(move)], move.event_type.endswith("pass")))
            taken[kind(move)] += 1
            print(json.dumps({"taken": taken}), file=dump, flush=True)
            game.send_move(move)


main()
