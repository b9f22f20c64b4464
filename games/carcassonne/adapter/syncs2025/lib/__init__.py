"""What bots of the SYNCS 2025 competition import as `lib`: tiles, map, messages.

The names are those that bots know, misspellings included. What the original spreads over many modules is here in
three (`pieces`, `messages`, `logic`). Each of the original's module names is there and offers every name of them, as
bots import names from modules that only use them.
"""

import sys
import types

from . import logic, messages, pieces

_EVENTS = (
    "base_event event_game_ended event_game_started event_player_bannned event_player_drew_cards "
    "event_player_drew_tiles event_player_meeple_freed event_player_turn_started event_player_won event_river_phase_completed "
    "event_tile_placed typing moves moves.base_move moves.move_place_tile moves.move_place_meeple moves.typing"
)
_NAMES = (
    "config config.expansion config.map_config config.scoring interact interact.map interact.meeple interact.structure "
    "interact.tile game game.game_logic models models.player_model models.tile_model interface interface.io "
    "interface.io.ban_type interface.queries interface.queries.base_query interface.queries.query_place_meeple "
    "interface.queries.query_place_tile interface.queries.typing interface.events "
    + " ".join("interface.events." + name for name in _EVENTS.split())
)


def _offer():
    names = {}
    for source in (pieces, messages, logic):
        names.update({name: value for name, value in vars(source).items() if not name.startswith("__")})
    for name in _NAMES.split():
        module = types.ModuleType("lib." + name)
        module.__dict__.update(names)
        module.__path__ = []
        sys.modules["lib." + name] = module
        above, _, last = ("lib." + name).rpartition(".")
        setattr(sys.modules[above], last, module)


_offer()
