"""Queries, moves and events as they are sent, and the models in them."""

import copy
import json
import re
import typing
from enum import Enum
from typing import Any, Optional


class ValidationError(ValueError):
    """A message is not as it should be."""


def _reader(kind):
    """What makes a value of a field out of JSON."""
    if typing.get_origin(kind) is list:
        (item,) = typing.get_args(kind)
        read = _reader(item)
        return lambda value: [read(each) for each in value]
    if kind == (int, int):
        return _pair
    if kind is int:
        return _whole
    if kind is str:
        return _text
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return lambda value: value if isinstance(value, kind) else kind(**value)
    return lambda value: value


def _whole(value):
    # What the original's messages take for a whole number: 85.0, True and "85" are some.
    if hasattr(value, "__index__"):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]+(\.0*)?\s*", value):
        return int(value.partition(".")[0])
    raise ValidationError("expected a whole number, found %r" % (value,))


def _pair(value):
    if isinstance(value, (str, bytes, dict)):
        raise ValidationError("expected two whole numbers, found %r" % (value,))
    one, other = value
    return _whole(one), _whole(other)


def _text(value):
    if isinstance(value, str):
        return value
    raise ValidationError("expected a text, found %r" % (value,))


def _plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def _read_json(text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValidationError("expected JSON: %s" % error) from None


class BaseModel:
    """Fields by name; JSON in and out."""

    _readers = {}
    _defaults = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        own = cls.__dict__.get("__annotations__", {})
        cls._readers = {**cls._readers, **{name: _reader(kind) for name, kind in own.items()}}
        cls._defaults = {**cls._defaults, **{name: vars(cls)[name] for name in own if name in vars(cls)}}
        cls.model_fields = dict.fromkeys(cls._readers)

    def __init__(self, **given):
        fields = self.__dict__
        for name, read in self._readers.items():
            if name in given:
                try:
                    fields[name] = read(given[name])
                except (TypeError, ValueError, LookupError) as error:
                    kind = type(self).__name__
                    raise ValidationError("%s.%s: %s" % (kind, name, error)) from None
            elif name in self._defaults:
                fields[name] = self._defaults[name]
            else:
                raise ValidationError("%s: expected a field '%s', found none" % (type(self).__name__, name))

    def __setattr__(self, name, value):
        if name not in self._readers:
            raise ValueError("'%s' has no field '%s'" % (type(self).__name__, name))
        self.__dict__[name] = value

    def __iter__(self):
        return iter(self.__dict__.items())

    def model_dump(self, include=None, exclude=None):
        fields = self.__dict__
        names = [name for name in self._readers if name in fields and name not in (exclude or ())]
        return {name: _plain(fields[name]) for name in names if include is None or name in include}

    def model_dump_json(self):
        return json.dumps(self.model_dump(), separators=(",", ":"))

    @classmethod
    def model_validate(cls, value):
        return value if isinstance(value, cls) else cls(**value)

    @classmethod
    def model_validate_json(cls, text):
        return cls.model_validate(_read_json(text))

    def model_copy(self, update=None, deep=False):
        other = copy.deepcopy(self) if deep else copy.copy(self)
        other.__dict__.update(update or {})
        return other

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None

    def __str__(self):
        return " ".join("%s=%r" % field for field in self)

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % field for field in self))


class TileModel(BaseModel):
    tile_type: str
    pos: (int, int)
    rotation: int


class PublicPlayerModel(BaseModel):
    player_id: int
    points: int
    num_tiles: int


class PlayerModel(BaseModel):
    player_id: int
    team_id: int
    points: int
    tiles: list[TileModel]
    num_meeples: int

    def get_public(self):
        return PublicPlayerModel(player_id=self.player_id, points=self.points, num_tiles=len(self.tiles))


class BanType(str, Enum):
    TIMEOUT = "TIMEOUT"
    CUMULATIVE_TIMEOUT = "CUMULATIVE_TIMEOUT"
    BROKEN_PIPE = "BROKEN_PIPE"
    INVALID_MESSAGE = "INVALID_MESSAGE"
    INVALID_MOVE = "INVALID_MOVE"


_EVENTS = {}


class BaseEvent(BaseModel):
    event_type: str

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        name = vars(cls).get("event_type")
        if name is not None:
            cls._defaults = {**cls._defaults, "event_type": name}
            _EVENTS[name] = cls


def read_event(value):
    """The event, or move, that a JSON object is."""
    if isinstance(value, BaseEvent):
        return value
    if not isinstance(value, dict):
        raise ValidationError("expected an object, found %s" % type(value).__name__)
    kind = _EVENTS.get(value.get("event_type"))
    if kind is None:
        raise ValidationError("unknown event_type %r" % value.get("event_type"))
    return kind(**value)


class EventGameStarted(BaseEvent):
    event_type = "event_game_started"
    turn_order: list[int]
    players: list[PlayerModel]


class PublicEventGameStarted(BaseEvent):
    event_type = "public_event_game_started"
    turn_order: list[int]
    you: PlayerModel
    players: list[PublicPlayerModel]
    num_starting_meeples: int


class EventStartingTilePlaced(BaseEvent):
    event_type = "event_starting_tile_placed"
    tile_placed: TileModel


class EventPlayerDrewTiles(BaseEvent):
    event_type = "event_player_drew_tiles"
    player_id: int
    num_tiles: int
    tiles: list[TileModel]


    def get_public(self):
        return PublicEventPlayerDrewTiles(player_id=self.player_id, num_tiles=self.num_tiles)


class PublicEventPlayerDrewTiles(BaseEvent):
    event_type = "public_event_player_drew_tiles"
    player_id: int
    num_tiles: int


class EventPlayerTurnStarted(BaseEvent):
    event_type = "event_player_turn_started"
    player_id: int


class EventPlayerMeepleFreed(BaseEvent):
    event_type = "event_player_meeple_freed"
    player_id: int
    reward: int
    tile: TileModel
    placed_on: str


class EventRiverPhaseCompleted(BaseEvent):
    event_type = "event_river_phase_completed"
    end_tile: TileModel


class EventGameEndedPointLimitReached(BaseEvent):
    event_type = "event_game_ended_point_limit_reached"
    player_id: int


class EventGameEndedStaleMate(BaseEvent):
    event_type = "event_game_ended_stale_mate"
    reason: str


class EventGameEndedCancelled(BaseEvent):
    event_type = "event_game_ended_cancelled"
    reason: str


class EventPlayerWon(BaseEvent):
    event_type = "event_player_won"
    player_id: int
    points: int


class EventPlayerBanned(BaseEvent):
    event_type = "event_player_banned"
    player_id: int
    ban_type: BanType
    reason: str
    details: Any = None


class BaseMove(BaseEvent):
    player_id: int


class MovePlaceTile(BaseMove):
    event_type = "move_place_tile"
    tile: TileModel
    player_tile_index: int


    def get_public(self):
        return PublicMovePlaceTile(player_id=self.player_id, tile=self.tile)


class PublicMovePlaceTile(BaseMove):
    event_type = "public_move_place_tile"
    tile: TileModel


class MovePlaceMeeple(BaseMove):
    event_type = "move_place_meeple"
    tile: TileModel
    placed_on: str


class MovePlaceMeeplePass(BaseMove):
    event_type = "move_place_meeple_pass"


# What the original has not: see docs/reference/syncs.md. None of it is sent in games without fields and towers, but for discards.


class MoveDiscardTile(BaseMove):
    event_type = "move_discard_tile"
    tile: TileModel


class MoveBuildFloor(BaseMove):
    event_type = "move_build_floor"
    pos: (int, int)


class MoveCloseTower(BaseMove):
    event_type = "move_close_tower"
    pos: (int, int)


class MoveCaptureMeeple(BaseMove):
    event_type = "move_capture_meeple"
    pos: (int, int)
    placed_on: str


class MoveCapturePass(BaseMove):
    event_type = "move_capture_pass"


class MovePayRansom(BaseMove):
    event_type = "move_pay_ransom"
    captor_id: int


class EventPlayerDiscardedTile(BaseEvent):
    event_type = "event_player_discarded_tile"
    player_id: int
    tile: TileModel


class EventFloorBuilt(BaseEvent):
    event_type = "event_floor_built"
    player_id: int
    pos: (int, int)
    height: int


class EventTowerClosed(BaseEvent):
    event_type = "event_tower_closed"
    player_id: int
    pos: (int, int)


class EventMeepleCaptured(BaseEvent):
    event_type = "event_meeple_captured"
    player_id: int
    owner_id: int
    pos: (int, int)
    placed_on: str


class EventPrisonersExchanged(BaseEvent):
    event_type = "event_prisoners_exchanged"
    player_ids: list[int]


class EventRansomPaid(BaseEvent):
    event_type = "event_ransom_paid"
    player_id: int
    captor_id: int
    points: int


class BaseQuery(BaseModel):
    query_type: str
    update: dict
    legal_moves: Optional[list] = None

    def __init__(self, **given):
        super().__init__(**given)
        self.update = {int(number): read_event(event) for number, event in self.update.items()}
        if self.legal_moves is not None:
            self.legal_moves = [read_event(move) for move in self.legal_moves]

    def model_dump(self, include=None, exclude=None):
        dump = super().model_dump(include, exclude)
        if self.legal_moves is None:
            dump.pop("legal_moves", None)
        return dump


class QueryPlaceTile(BaseQuery):
    query_type: str = "query_place_tile"


class QueryPlaceMeeple(BaseQuery):
    query_type: str = "query_place_meeple"


class QueryCaptureMeeple(BaseQuery):
    query_type: str = "query_capture_meeple"


_QUERIES = {
    "query_place_tile": QueryPlaceTile,
    "query_place_meeple": QueryPlaceMeeple,
    "query_capture_meeple": QueryCaptureMeeple,
}


class QueryTypeAdapter:
    """Reads any query; the query is its `root`."""

    def __init__(self, root):
        self.root = root

    @classmethod
    def model_validate_json(cls, text):
        value = _read_json(text)
        kind = _QUERIES.get(value.get("query_type"))
        if kind is None:
            raise ValidationError("unknown query_type %r" % value.get("query_type"))
        return cls(kind(**value))


MoveType = typing.Union[MovePlaceTile, PublicMovePlaceTile, MovePlaceMeeple, MovePlaceMeeplePass]
QueryType = typing.Union[QueryPlaceTile, QueryPlaceMeeple]
EventType = BaseEvent
