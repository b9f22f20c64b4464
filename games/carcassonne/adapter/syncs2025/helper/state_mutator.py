"""Folds events into the state of a client."""

from helper.client_state import ClientSate
from lib.messages import *  # noqa: F403  (as in the original, every module offers what it uses)
from lib.pieces import Meeple


class StateMutator:
    def __init__(self, state):
        self.state = state

    def commit(self, i, event):
        """Takes event number i, which must be the next."""
        state = self.state
        if i != len(state.event_history):
            raise RuntimeError("expected event %d next, found %d" % (len(state.event_history), i))
        state.event_history.append(event)
        fold = getattr(self, "_" + event.event_type, None)
        if fold is not None:
            fold(event)

    def _check_own(self, e, own):
        """A message for one player, or about others, that was meant for somebody else."""
        if (e.player_id == self.state.me.player_id) != own:
            whose = "the own player" if own else "another player"
            raise RuntimeError("expected %s of %s, found player %d" % (e.event_type, whose, e.player_id))

    def _tile_at(self, pos):
        x, y = pos
        tile = self.state.map._grid[y][x]
        assert tile is not None
        return tile

    def _meeples(self, player_id, change):
        self.state.players_meeples[player_id] += change
        if player_id == self.state.me.player_id:
            self.state.me.num_meeples += change

    def _points(self, player_id, change):
        self.state.players[player_id].points += change
        if player_id == self.state.me.player_id:
            self.state.me.points += change

    def _event_game_started(self, e):
        raise RuntimeError("expected public_event_game_started, found event_game_started")

    def _public_event_game_started(self, e):
        state = self.state
        state.me, state.turn_order = e.you, e.turn_order
        state.players = {player.player_id: player for player in e.players}
        state.players_meeples = dict.fromkeys(state.players, e.num_starting_meeples)
        state.me.num_meeples = e.num_starting_meeples

    def _event_starting_tile_placed(self, e):
        if e.tile_placed.tile_type == "RS":
            self.state.map.start_river_phase()
            self.state.map.place_river_start(e.tile_placed.pos)
        else:
            self.state.map.start_base_phase()
            self._lay(self.state.map.get_tile_by_type(e.tile_placed.tile_type, pop=True), e.tile_placed)

    def _take(self, tile_type):
        """A tile of this type from the stack. One that is not there opens its box: the base game's without a river,
        or the one with foundations."""
        tiles = self.state.map
        if not tiles.available_tiles_by_type[tile_type]:
            tiles._open_box_of(tile_type)
        return tiles.get_tile_by_type(tile_type, pop=True)

    def _event_player_drew_tiles(self, e):
        self._check_own(e, True)
        self.state.me.tiles.extend(e.tiles)
        self.state.my_tiles.extend(self._take(tile.tile_type) for tile in e.tiles)
        self.state.players[e.player_id].num_tiles += e.num_tiles

    def _public_event_player_drew_tiles(self, e):
        self._check_own(e, False)
        self.state.players[e.player_id].num_tiles += e.num_tiles

    def _event_player_turn_started(self, e):
        if e.player_id == self.state.turn_order[0]:
            self.state.round += 1

    def _lay(self, tile, model):
        tile.rotate_clockwise((model.rotation - tile.rotation) % 4)
        # As in the original, nothing counts in `num_placed_tiles`.
        self.state.map._place(tile, model.pos)

    def _move_place_tile(self, e):
        self._check_own(e, True)
        state = self.state
        # As in the original, `me.tiles` keeps what was ever drawn.
        tile = state.my_tiles.pop(e.player_tile_index)
        state.players[e.player_id].num_tiles -= 1
        self._lay(tile, e.tile)

    def _public_move_place_tile(self, e):
        self.state.players[e.player_id].num_tiles -= 1
        self._lay(self._take(e.tile.tile_type), e.tile)

    def _move_place_meeple(self, e):
        # As in the original, the meeple itself does not know where it stands.
        self._tile_at(e.tile.pos).internal_claims[e.placed_on] = Meeple(e.player_id)
        self._meeples(e.player_id, -1)

    def _free(self, pos, placed_on):
        self._tile_at(pos).internal_claims[placed_on] = None

    def _event_player_meeple_freed(self, e):
        self._free(e.tile.pos, e.placed_on)
        self._meeples(e.player_id, 1)
        self._points(e.player_id, e.reward)

    def _event_river_phase_completed(self, e):
        self.state.map.place_river_end(e.end_tile.pos, e.end_tile.rotation)
        self.state.map.start_base_phase()

    def _game_over(self, e):
        self.state.game_over = True

    _event_game_ended_point_limit_reached = _event_game_ended_stale_mate = _event_game_ended_cancelled = _game_over

    def _event_player_discarded_tile(self, e):
        state = self.state
        state.players[e.player_id].num_tiles -= 1
        if e.player_id == state.me.player_id:
            at = next(at for at, tile in enumerate(state.my_tiles) if tile.tile_type == e.tile.tile_type)
            state.my_tiles.pop(at)
        else:
            self._take(e.tile.tile_type)

    def _event_floor_built(self, e):
        self.state.towers.setdefault(tuple(e.pos), [0, None])[0] = e.height

    def _event_tower_closed(self, e):
        self.state.towers[tuple(e.pos)][1] = e.player_id
        self._meeples(e.player_id, -1)

    def _event_meeple_captured(self, e):
        if e.placed_on == "guard":
            self.state.towers[tuple(e.pos)][1] = None
        else:
            self._free(e.pos, e.placed_on)
        if e.owner_id == e.player_id:
            self._meeples(e.owner_id, 1)
        else:
            self._hold(e.player_id, e.owner_id, 1)

    def _hold(self, captor, owner, change):
        self.state.prisoners[captor, owner] = self.state.prisoners.get((captor, owner), 0) + change

    def _event_prisoners_exchanged(self, e):
        one, other = e.player_ids
        for captor, owner in ((one, other), (other, one)):
            self._hold(captor, owner, -1)
            self._meeples(owner, 1)

    def _event_ransom_paid(self, e):
        self._hold(e.captor_id, e.player_id, -1)
        self._meeples(e.player_id, 1)
        self._points(e.player_id, -e.points)
        self._points(e.captor_id, e.points)
