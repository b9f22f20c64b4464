"""The game as the original tells it: the host's observations as events and queries, the bot's moves as actions."""

from _meeple_transport import InvalidMessage
from helper.client_state import ClientSate
from helper.state_mutator import StateMutator
from lib.messages import read_event
from lib.pieces import MAP_CENTER, MONASTARY_IDENTIFIER, StructureType, Tile, make_tile

EDGES = {"N": "top_edge", "E": "right_edge", "S": "bottom_edge", "W": "left_edge"}
SIDES = {edge: side for side, edge in EDGES.items()}
WORDS = {StructureType.CITY: "city", StructureType.ROAD: "road", StructureType.ROAD_START: "road"}


class InvalidMove(Exception):
    """The bot's move is against the rules."""


def pos_of(cell):
    return [cell[0] + MAP_CENTER[0], cell[1] + MAP_CENTER[1]]


def cell_text(pos):
    return "%d,%d" % (pos[0] - MAP_CENTER[0], pos[1] - MAP_CENTER[1])


def model(tile_type, cell, turns):
    return {"tile_type": tile_type, "pos": pos_of(cell), "rotation": turns}


def in_hand(tile_type):
    return {"tile_type": tile_type, "pos": [0, 0], "rotation": 0}


def edge_of(spot):
    """The name of a place for a meeple: "city N" is top_edge, "field Nw" is field_Nw."""
    kind, _, side = spot.partition(" ")
    if kind == "monastery":
        return MONASTARY_IDENTIFIER
    return EDGES[side] if kind in ("city", "road") else spot.replace(" ", "_")


def rotations(tile_type):
    """How many ways of turning a tile look different."""
    tile = make_tile(tile_type)
    first = dict(tile.internal_edges), set(map(frozenset, joined_now(tile)))
    for turns in range(1, 4):
        tile.rotate_clockwise(1)
        if (dict(tile.internal_edges), set(map(frozenset, joined_now(tile)))) == first:
            return turns
    return 4


def joined_now(tile):
    return [[(at + tile.rotation) % 4 for at in group] for group in tile._joined]


def listed(texts, most=4):
    """Some texts, and how many more there are."""
    more = " and %d more" % (len(texts) - most) if len(texts) > most else ""
    return (", ".join(texts[:most]) or "nothing") + more


class Feed:
    """The game for one player: the original's events in their order, and what of them it has been sent."""

    # What may come between laying a tile and the end of the decision about a meeple.
    DURING = {"claimed", "floor", "closed", "captured", "exchanged", "ransomed"}

    def __init__(self, me, seats, opts, ask_late):
        self.me, self.seats = me, seats
        self.meeples, self.held = opts["meeples"], opts["hand"] - 1
        self.extended = opts["farms"] or opts["towers"]
        # What the original's own packages know: river, roads, cities and monasteries.
        self.is_original = opts["river"] and not self.extended
        self.scores_first = opts.get("order") == "score-first"
        self.ask_late = ask_late
        self.state = ClientSate()
        self.mutator = StateMutator(self.state)
        self.log, self.sent = [], 0
        self.hand = []
        # Where meeples stand: (seat, cell, kind) and the edge they were put on, by the model of the tile.
        self.claims = []
        self.land, self.dealt, self.dealing = False, 0, []
        # Whose turn has been told, and who has laid a tile and not decided about a meeple.
        self.turn, self.open = None, None
        self.laid = None
        self.asked = True
        # What the bot sent for its last tile and meeple: the action, and index and rotation or the edge.
        self.own_tile, self.own_edge = None, None
        self.group = None

    def emit(self, kind, **fields):
        event = {"event_type": kind, **fields}
        self.mutator.commit(len(self.log), read_event(event))
        self.log.append(event)

    def query(self, kind, legal=None):
        update = {str(number): self.log[number] for number in range(self.sent, len(self.log))}
        self.sent = len(self.log)
        query = {"query_type": kind, "update": update}
        if self.extended and legal is not None:
            query["legal_moves"] = [move for move in map(self.move_of, legal) if move]
        return query

    def begin_turn(self, seat):
        if self.turn != seat:
            self.turn = seat
            self.emit("event_player_turn_started", player_id=seat)

    def close(self):
        """Whoever laid a tile has put no meeple on it."""
        if self.open is None:
            return
        seat = self.open
        if seat == self.me and not self.asked:
            # The host does not ask where there is nothing to choose; the original does.
            self.asked = True
            self.ask_late(self.query("query_place_meeple", ["pass"]))
        self.emit("move_place_meeple_pass", player_id=seat)
        self.decided()

    def decided(self):
        self.open, self.turn, self.own_edge = None, None, None

    def take(self, event):
        """Takes an event of the host's game."""
        kind = event["event"]
        goes_on = kind in self.DURING or (self.scores_first and kind in ("scored", "returned"))
        if kind == "ended":
            return
        if not goes_on:
            self.close()
        if kind != "returned" and self.group and self.group["told"]:
            self.group = None
        handle = getattr(self, "on_" + kind, None)
        if handle is not None:
            handle(event)

    def on_turn_order(self, event):
        self.order = event["order"]

    def on_started(self, event):
        seats = range(self.seats)
        you = {"player_id": self.me, "team_id": self.me, "points": 0, "tiles": [], "num_meeples": self.meeples}
        self.emit(
            "public_event_game_started",
            turn_order=self.order,
            you=you,
            players=[{"player_id": seat, "points": 0, "num_tiles": 0} for seat in seats],
            num_starting_meeples=self.meeples,
        )
        self.land = event["tile"] != "RS"
        self.emit("event_starting_tile_placed", tile_placed=model(event["tile"], (0, 0), 0))

    def on_drew(self, event):
        if event["seat"] != self.me:
            self.drew(event["seat"], None)

    def on_drew_tile(self, event):
        # With one tile in the hand everybody sees what is drawn, and nothing else is told of it.
        if event["seat"] == self.me or self.held == 0:
            self.drew(event["seat"], event["tile"])

    def drew(self, seat, tile):
        self.dealing.append(tile)
        dealt = self.land and self.dealt < self.held * self.seats
        if dealt:
            self.dealt += 1
            if len(self.dealing) < self.held:
                return
        tiles, self.dealing = self.dealing, []
        if seat == self.me:
            self.hand += tiles
            self.emit(
                "event_player_drew_tiles", player_id=seat, num_tiles=len(tiles), tiles=[in_hand(tile) for tile in tiles]
            )
        else:
            self.emit("public_event_player_drew_tiles", player_id=seat, num_tiles=len(tiles))
        if not dealt:
            self.begin_turn(seat)

    def on_discarded(self, event):
        seat, tile = event["seat"], event["tile"]
        self.begin_turn(seat)
        if seat == self.me:
            self.hand.remove(tile)
        self.emit("event_player_discarded_tile", player_id=seat, tile=in_hand(tile))

    def on_placed(self, event):
        seat, tile, turns = event["seat"], event["tile"], event["turns"]
        self.begin_turn(seat)
        self.laid = model(tile, event["cell"], turns)
        self.open = seat
        if seat != self.me:
            self.emit("public_move_place_tile", player_id=seat, tile=self.laid)
            return
        index = self.hand.index(tile)
        own, self.own_tile = self.own_tile, None
        # If the bot was too late, the host has laid another tile for it, and does not ask about a meeple.
        self.asked = own is None or own[0] != "place %s %s r%d" % (tile, cell_text(self.laid["pos"]), turns)
        if not self.asked:
            _, index, self.laid["rotation"] = own
        self.hand.pop(index)
        self.emit("move_place_tile", player_id=seat, tile=self.laid, player_tile_index=index)

    def on_lake(self, event):
        self.land = True
        self.emit("event_river_phase_completed", end_tile=model("RE", event["cell"], event["turns"]))

    def on_river_broken(self, event):
        self.land = True

    def on_claimed(self, event):
        seat, spot = event["seat"], event["spot"]
        edge = edge_of(spot)
        if seat == self.me and self.own_edge is not None and self.own_edge[0] == "claim " + spot:
            edge = self.own_edge[1]
        self.claims.append((seat, spot.partition(" ")[0], spot, self.laid, edge))
        self.emit("move_place_meeple", player_id=seat, tile=self.laid, placed_on=edge)
        self.decided()

    def on_scored(self, event):
        if self.group is None:
            self.group = {"source": event["source"], "points": {}, "told": False}
        self.group["points"][event["seat"]] = event["points"]

    def on_returned(self, event):
        seat, group = event["seat"], self.group
        group["told"] = True
        reward = group["points"].get(seat, 0)
        for claim in self.freed(seat, group["source"], pos_of(event["cell"]), event["meeples"], reward):
            self.claims.remove(claim)
            self.emit(
                "event_player_meeple_freed", player_id=seat, reward=reward, tile=claim[3], placed_on=claim[4]
            )
            reward = 0

    def freed(self, seat, kind, pos, count, reward):
        """The claims of a seat on the complete feature of this kind that reaches this tile."""
        own = [claim for claim in self.claims if claim[0] == seat and claim[1] == kind]
        if kind == "monastery":
            return [claim for claim in own if claim[3]["pos"] == pos]
        features, best = {}, None
        for claim in own:
            x, y = claim[3]["pos"]
            tile = self.state.map._grid[y][x]
            component = frozenset(self.state._traverse_connected_component(tile, claim[4]))
            complete = all(
                Tile.get_external_tile(edge, near.placed_pos, self.state.map._grid) for near, edge in component
            )
            if complete and any(near.placed_pos == tuple(pos) for near, _ in component):
                features.setdefault(component, []).append(claim)
        for claims in features.values():
            x, y = claims[0][3]["pos"]
            value = self.state._get_reward(self.state.map._grid[y][x], claims[0][4])
            fits = (len(claims) == count, value == reward)
            if best is None or fits > best[0]:
                best = (fits, claims)
        return best[1] if best else []

    def on_floor(self, event):
        self.emit(
            "event_floor_built", player_id=event["seat"], pos=pos_of(event["cell"]), height=event["height"]
        )
        self.decided()

    def on_closed(self, event):
        self.emit("event_tower_closed", player_id=event["seat"], pos=pos_of(event["cell"]))
        self.decided()

    def on_captured(self, event):
        pos, edge = pos_of(event["cell"]), event["post"]
        for claim in self.claims:
            if claim[3]["pos"] == pos and claim[2] == event["post"]:
                self.claims.remove(claim)
                edge = claim[4]
                break
        self.emit(
            "event_meeple_captured", player_id=event["seat"], owner_id=event["owner"], pos=pos, placed_on=edge
        )

    def on_exchanged(self, event):
        self.emit("event_prisoners_exchanged", player_ids=event["seats"])

    def on_ransomed(self, event):
        self.emit(
            "event_ransom_paid", player_id=event["seat"], captor_id=event["captor"], points=event["points"]
        )

    # Moves.

    def move_of(self, text):
        """A legal action of the host as the move that asks for it."""
        verb, _, rest = text.partition(" ")
        move = {"event_type": None, "player_id": self.me}
        if verb == "place":
            tile, cell, turns = rest.split(" ")
            pos = pos_of([int(number) for number in cell.split(",")])
            move["tile"] = {"tile_type": tile, "pos": pos, "rotation": int(turns[1:])}
            move["player_tile_index"] = self.hand.index(tile)
        elif verb == "discard":
            move["tile"] = in_hand(rest)
        elif verb == "claim":
            move.update(tile=self.laid, placed_on=edge_of(rest))
        elif verb in ("floor", "close"):
            move["pos"] = pos_of([int(number) for number in rest.split(",")])
        elif verb == "take":
            cell, _, post = rest.partition(" ")
            pos = pos_of([int(number) for number in cell.split(",")])
            move.update(pos=pos, placed_on=self.edge_at(pos, post))
        elif verb == "ransom":
            move["captor_id"] = int(rest)
        move["event_type"] = {
            "place": "move_place_tile",
            "discard": "move_discard_tile",
            "claim": "move_place_meeple",
            "pass": "move_place_meeple_pass",
            "floor": "move_build_floor",
            "close": "move_close_tower",
            "take": "move_capture_meeple",
            "decline": "move_capture_pass",
            "ransom": "move_pay_ransom",
        }[verb]
        return move

    def edge_at(self, pos, post):
        found = (claim[4] for claim in self.claims if claim[3]["pos"] == pos and claim[2] == post)
        return next(found, post)

    def action_of(self, move, query_type, legal):
        """The text of the host's action that a move asks for."""
        kind = move.event_type
        read = getattr(self, "read_" + kind.removeprefix("move_"), None)
        if read is None or not kind.startswith("move_"):
            raise InvalidMessage("expected a move, found %s" % kind)
        if move.player_id != self.me:
            raise InvalidMove("expected player_id %d, your own, found %d" % (self.me, move.player_id))
        moves = [other for other in map(self.move_of, legal) if other]
        kinds = {other["event_type"] for other in moves}
        # Where only the place is wrong, more can be said below.
        if kind not in kinds and (kind in self.OF_TILES or kinds & self.OF_TILES):
            raise InvalidMove("%s is no answer to %s: expected %s" % (kind, query_type, listed(sorted(kinds))))
        text = read(move)
        if text not in legal:
            others = [own for own in moves if own["event_type"] == kind]
            raise InvalidMove(
                "%s of %s is not allowed here: %s; in this game's words it is '%s'"
                % (kind, self.told(move), self.instead(move, others), text)
            )
        return text

    def told(self, move):
        """A move in the bot's own words and numbers."""
        tile = getattr(move, "tile", None)
        parts = [] if tile is None else ["%s at %s with rotation %d" % (tile.tile_type, list(tile.pos), tile.rotation)]
        parts += ["%s %s" % (name, value) for name, value in move.model_dump().items() if name in self.TOLD]
        return ", ".join(parts) or "nothing"

    # Moves that lay a tile, or throw it away.
    OF_TILES = {"move_place_tile", "move_discard_tile"}

    # The fields of a move that say what it does, but for its tile.
    TOLD = ("player_tile_index", "placed_on", "pos", "captor_id")

    def instead(self, move, others):
        """What of this kind would be allowed, in the bot's own words and numbers."""
        if move.event_type == "move_place_tile":
            own = [other["tile"] for other in others if other["tile"]["tile_type"] == move.tile.tile_type]
            texts = ["%(pos)s with rotation %(rotation)d" % tile for tile in own]
            return "this tile may lie at " + listed(texts) if texts else "this tile fits nowhere"
        if move.event_type == "move_place_meeple":
            if self.state.me.num_meeples == 0:
                return "no meeple is left, all %d are out" % self.meeples
            if not others:
                return "nothing on this tile can be claimed"
            return "on this tile one may claim " + listed([other["placed_on"] for other in others])
        return "one of %d others was expected" % len(others)

    def read_place_tile(self, move):
        index, tile = move.player_tile_index, move.tile
        if not 0 <= index < len(self.hand):
            raise InvalidMove("expected a player_tile_index below %d, found %d" % (len(self.hand), index))
        if self.hand[index] != tile.tile_type:
            raise InvalidMove("tile %d of your hand is %s, found %s" % (index, self.hand[index], tile.tile_type))
        if not 0 <= tile.rotation <= 3:
            raise InvalidMove("expected a rotation from 0 to 3, found %d" % tile.rotation)
        turns = tile.rotation % rotations(tile.tile_type)
        text = "place %s %s r%d" % (tile.tile_type, cell_text(tile.pos), turns)
        self.own_tile = text, index, tile.rotation
        return text

    def read_discard_tile(self, move):
        return "discard %s" % move.tile.tile_type

    def read_place_meeple_pass(self, move):
        return "pass"

    def read_place_meeple(self, move):
        laid, edge = self.laid, move.placed_on
        if list(move.tile.pos) != laid["pos"]:
            raise InvalidMove("expected a meeple on the tile just laid at %s, found %s" % (laid["pos"], list(move.tile.pos)))
        if move.tile.rotation != laid["rotation"]:
            raise InvalidMove("the tile just laid has rotation %d, found %d" % (laid["rotation"], move.tile.rotation))
        if edge == MONASTARY_IDENTIFIER:
            return "claim monastery"
        if edge.startswith("field_"):
            return "claim " + edge.replace("_", " ")
        x, y = laid["pos"]
        tile = self.state.map._grid[y][x]
        if edge not in SIDES:
            places = ", ".join([*SIDES, MONASTARY_IDENTIFIER])
            raise InvalidMove("expected placed_on one of %s, found '%s'" % (places, edge))
        word = WORDS.get(tile.internal_edges[edge])
        if word is None:
            raise InvalidMove("there is no road or city at %s, only %s" % (edge, tile.internal_edges[edge].name))
        text = "claim %s %s" % (word, SIDES[tile.connected_edges(edge)[0]])
        self.own_edge = text, edge
        return text

    def read_build_floor(self, move):
        return "floor " + cell_text(move.pos)

    def read_close_tower(self, move):
        return "close " + cell_text(move.pos)

    def read_capture_meeple(self, move):
        pos = list(move.pos)
        found = (claim[2] for claim in self.claims if claim[3]["pos"] == pos and claim[4] == move.placed_on)
        return "take %s %s" % (cell_text(pos), next(found, move.placed_on))

    def read_capture_pass(self, move):
        return "decline"

    def read_pay_ransom(self, move):
        return "ransom %d" % move.captor_id
