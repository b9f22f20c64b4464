"""Structures, tiles, meeples and the map, with the numbers that belong to them."""

from collections import defaultdict, namedtuple
from copy import copy, deepcopy  # noqa: F401  (bots import the latter from here)
from enum import Enum, auto

MAX_MAP_LENGTH = 169
MAP_CENTER = (85, 85)
MONASTARY_IDENTIFIER = "MONASTARY"
NUM_PLACEABLE_TILE_TYPES = 9
POINT_LIMIT = 50
EXPANSION = False
NO_POINTS = 0
ROAD_POINTS = 1
CITY_POINTS = 2
CITY_PARTIAL_POINTS = 1
MONASTARY_POINTS = 9
FARM_POINTS = 1
EMBLEM_POINTS = 2
EMBLEM_PARTIAL_POINTS = 1

TILE_EDGE_IDS = {"top_edge": 0, "right_edge": 1, "bottom_edge": 2, "left_edge": 3}
# Public, with the original's slip at the left edge. What is computed here goes by `_STEPS`.
TILE_EXTERNAL_POS = {
    "top_edge": lambda x, y: (x, y - 1),
    "right_edge": lambda x, y: (x + 1, y),
    "bottom_edge": lambda x, y: (x, y + 1),
    "left_edge": lambda x, y: (x - 1, y - 1),
}
_STEPS = {"top_edge": (0, -1), "right_edge": (1, 0), "bottom_edge": (0, 1), "left_edge": (-1, 0)}

# Clockwise from the top.
_CLOCKWISE = ["top_edge", "right_edge", "bottom_edge", "left_edge"]
_OPPOSITE = {edge: _CLOCKWISE[(at + 2) % 4] for at, edge in enumerate(_CLOCKWISE)}
_ADJACENT = {
    edge: ["left_edge", "right_edge"] if edge in ("top_edge", "bottom_edge") else ["top_edge", "bottom_edge"]
    for edge in _CLOCKWISE
}


class DotMap(dict):
    """A dictionary whose entries are attributes as well."""

    def __getattr__(self, name):
        # Names of the language are no keys: copying and pickling ask for them.
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def copy(self):
        return type(self)(self)

    def empty(self):
        return not self

    def toDict(self):
        return dict(self)


class _TileMap(DotMap):
    """What a tile keeps by edge. An absent key gives something empty and false, as most of the original's tiles do."""

    def __missing__(self, key):
        return _TileMap()


class StructureType(Enum):
    RIVER = auto()
    ROAD = auto()
    ROAD_START = auto()
    CITY = auto()
    GRASS = auto()
    MONASTARY = auto()

    # An enumeration's own hash calls Python code, and edges are looked up often.
    __hash__ = object.__hash__

    @staticmethod
    def get_points(structure_type):
        return _POINTS.get(structure_type, NO_POINTS)

    @staticmethod
    def get_partial_points(structure_type):
        return _PARTIAL_POINTS.get(structure_type, NO_POINTS)

    @staticmethod
    def can_claim(structure_type):
        return structure_type in _POINTS

    @staticmethod
    def is_compatible(s1, s2, m1=None, m2=None):
        return s2 in _COMPATIBLE.get(s1, ())


_ROADS = (StructureType.ROAD, StructureType.ROAD_START)
_COMPATIBLE = {
    StructureType.ROAD: _ROADS,
    StructureType.ROAD_START: _ROADS,
    StructureType.CITY: (StructureType.CITY,),
    StructureType.RIVER: (StructureType.RIVER,),
    StructureType.GRASS: (StructureType.GRASS,),
}
_POINTS = {
    StructureType.ROAD: ROAD_POINTS,
    StructureType.ROAD_START: ROAD_POINTS,
    StructureType.CITY: CITY_POINTS,
}
_PARTIAL_POINTS = {**_POINTS, StructureType.CITY: CITY_PARTIAL_POINTS}


class TileModifier(Enum):
    RIVER = auto()
    MONASTARY = auto()
    EMBLEM = auto()
    BROKEN_ROAD_CENTER = auto()
    OPP_ROAD_BRIDGE = auto()
    OPP_CITY_BRIDGE = auto()
    BROKEN_CITY = auto()

    @staticmethod
    def get_bridge_modifier(structure):
        return {
            StructureType.ROAD: TileModifier.OPP_ROAD_BRIDGE,
            StructureType.CITY: TileModifier.OPP_CITY_BRIDGE,
        }.get(structure)

    @staticmethod
    def apply_point_modifiers(tile, s, points, partial=False):
        """The points with what a banner on this tile adds to a city."""
        if s == StructureType.CITY and TileModifier.EMBLEM in tile.modifiers:
            return points + (EMBLEM_PARTIAL_POINTS if partial else EMBLEM_POINTS)
        return points


class Meeple:
    def __init__(self, player_id, is_special=False):
        assert EXPANSION or not is_special
        self.player_id = player_id
        self.is_special = is_special
        self.placed = None
        self.placed_edge = ""

    def _place_meeple(self, tile, edge):
        assert self.placed_edge == ""
        self.placed, self.placed_edge = tile, edge
        tile.internal_claims[edge] = self

    def _free_meeple(self):
        assert self.placed
        self.placed.internal_claims[self.placed_edge] = None
        self.placed, self.placed_edge = None, ""

    def __repr__(self):
        return "Meeple(%d)" % self.player_id


class Tile:
    """A tile: what its edges show as it is turned, and who stands on them."""

    EdgeTuple = namedtuple("EdgeTuple", ["left_edge", "right_edge", "top_edge", "bottom_edge"])
    # Made when they are first asked for.
    starting_tile = None
    river_end_tile = None

    @staticmethod
    def get_opposite(edge):
        return _OPPOSITE[edge]

    @staticmethod
    def adjacent_edges(edge):
        return list(_ADJACENT[edge])

    @staticmethod
    def get_edges():
        return ["left_edge", "right_edge", "top_edge", "bottom_edge"]

    @staticmethod
    def get_external_tile(edge, pos, grid):
        assert edge in _STEPS
        x, y = pos[0] + _STEPS[edge][0], pos[1] + _STEPS[edge][1]
        return grid[y][x] if 0 <= y < len(grid) and 0 <= x < len(grid[y]) else None

    def get_external_tiles(self, grid):
        if not self.placed_pos:
            return dict.fromkeys(self.internal_edges)
        return {edge: Tile.get_external_tile(edge, self.placed_pos, grid) for edge in self.internal_edges}

    @staticmethod
    def get_starting_tile():
        Tile.starting_tile = Tile.starting_tile or make_tile("RS")
        return Tile.starting_tile

    @staticmethod
    def get_river_end_tile():
        Tile.river_end_tile = Tile.river_end_tile or make_tile("RE")
        return Tile.river_end_tile

    def __init__(self, tile_id, left_edge, right_edge, top_edge, bottom_edge, modifiers=()):
        self.internal_edges = _TileMap(
            left_edge=left_edge, right_edge=right_edge, top_edge=top_edge, bottom_edge=bottom_edge
        )
        self.internal_claims = _TileMap.fromkeys(self.internal_edges)
        self.internal_claims[MONASTARY_IDENTIFIER] = None
        self.rotation = 0
        self.modifiers = list(modifiers)
        self.tile_type = tile_id
        self.placed_pos = None
        # How the edges are joined on the tile, in its base orientation: sets of edges, clockwise from the top.
        self._joined = _joined(self)

    def rotate_clockwise(self, number):
        for _ in range(number):
            edges = self.internal_edges
            edges.right_edge, edges.bottom_edge, edges.left_edge, edges.top_edge = (
                edges.top_edge,
                edges.right_edge,
                edges.bottom_edge,
                edges.left_edge,
            )
        self.rotation = (self.rotation + number) % 4

    def joined_with(self, edge, structure):
        """The other edges of this tile that belong to the structure which comes in over an edge, as it is turned.

        Grass and water go on from edge to edge, too; nothing is scored by that.
        """
        edges = self.internal_edges
        if self.tile_type in _JOINED:
            return [other for other in self.connected_edges(edge) if other != edge] if structure in _POINTS else []
        ends = structure == StructureType.ROAD_START
        broken = structure == StructureType.CITY and TileModifier.BROKEN_CITY in self.modifiers
        found = [other for other in _ADJACENT[edge] if edges[other] == structure and not (ends or broken)]
        bridge = TileModifier.get_bridge_modifier(structure)
        opposite = _OPPOSITE[edge]
        if edges[opposite] == structure and (found or (bridge is not None and bridge in self.modifiers)):
            found.append(opposite)
        return found

    def connected_edges(self, edge):
        """The edges that a road or city reaches on this tile, as it is turned, clockwise from the top."""
        base = (TILE_EDGE_IDS[edge] - self.rotation) % 4
        joined = next((group for group in self._joined if base in group), {base})
        return [_CLOCKWISE[at] for at in sorted((number + self.rotation) % 4 for number in joined)]

    def _claim_edge(self, meeple, edge):
        self.internal_claims[edge] = meeple

    def clone_add(self, n):
        return [self._clone() for _ in range(n - 1)] + [self]

    def _clone(self):
        other = copy(self)
        other.internal_edges = self.internal_edges.copy()
        other.internal_claims = self.internal_claims.copy()
        other.modifiers = list(self.modifiers)
        return other

    def _to_model(self):
        from lib.messages import TileModel

        return TileModel(tile_type=self.tile_type, pos=self.placed_pos or (0, 0), rotation=self.rotation)

    def __repr__(self):
        return "Tile %s - %s" % (self.tile_type, self.placed_pos)

    def straight_river(self):
        edges, river = self.internal_edges, StructureType.RIVER
        return (
            edges.top_edge == edges.bottom_edge == river or edges.left_edge == edges.right_edge == river
        )


# Edges clockwise from the top (g grass, c city, r road, s road that ends here, w river), how many there are, what is
# special. Junctions and gates end a road: their edges are never joined.
_CATALOGUE = """
A ggsg 2 MONASTARY
B gggg 4 MONASTARY
C cccc 1 EMBLEM
D rcrg 4 OPP_ROAD_BRIDGE
E cggg 5
F gcgc 2 EMBLEM OPP_CITY_BRIDGE
G cgcg 1 OPP_CITY_BRIDGE
H gcgc 3
I gccg 2 BROKEN_CITY
J crrg 3
K rcgr 3
L scss 3
M cggc 2 EMBLEM
N cggc 3
O crrc 2 EMBLEM
P crrc 3
Q ccgc 1 EMBLEM
R ccgc 3
S ccrc 2 EMBLEM
T ccrc 1
U rgrg 8 OPP_ROAD_BRIDGE
V ggrr 9
W gsss 4 BROKEN_ROAD_CENTER
X ssss 1 BROKEN_ROAD_CENTER
RS wggg 1 RIVER
R1 wcws 1
R2 wgwg 2
R3 rwwr 1
R4 cwcw 1
R5 wggw 1
R6 wrwr 1 OPP_ROAD_BRIDGE
R7 ccww 1
R8 gwsw 1 MONASTARY
R9 wwgg 1
RE ggwg 1 RIVER
T01 cggg 2
T02 gggg 1
T03 gggg 1 MONASTARY
T04 ggss 1
T05 ssgs 1 BROKEN_ROAD_CENTER
T06 rrrr 1
T07 ssss 1 BROKEN_ROAD_CENTER
T08 rcrc 1 OPP_CITY_BRIDGE OPP_ROAD_BRIDGE
T09 cgsg 1
T10 cgrr 1
T11 crgr 1 OPP_ROAD_BRIDGE
T12 cggc 1
T13 csgc 1
T14 cggc 1 BROKEN_CITY
T15 crcr 1 OPP_ROAD_BRIDGE
T16 ccrc 1
T17 cccc 1 EMBLEM
"""
_LETTERS = {
    "g": StructureType.GRASS,
    "c": StructureType.CITY,
    "r": StructureType.ROAD,
    "s": StructureType.ROAD_START,
    "w": StructureType.RIVER,
}
# Where neither neighbourhood nor a bridge tells how edges are joined.
_JOINED = {"T06": [{0, 3}, {1, 2}], "T17": [{0, 1, 3}, {2}]}


def _joined(tile):
    """The sets of edges that are one road or city on the tile."""
    if tile.tile_type in _JOINED:
        return _JOINED[tile.tile_type]
    shown = [tile.internal_edges[edge] for edge in _CLOCKWISE]
    groups = []
    for structure in (StructureType.ROAD, StructureType.CITY):
        if structure == StructureType.CITY and TileModifier.BROKEN_CITY in tile.modifiers:
            continue
        edges = {at for at in range(4) if shown[at] == structure}
        beside = any((at + 1) % 4 in edges for at in edges)
        if beside or TileModifier.get_bridge_modifier(structure) in tile.modifiers:
            groups.append(edges)
    return groups


def _read_catalogue():
    kinds = {}
    for line in _CATALOGUE.split("\n"):
        if line:
            tile_type, edges, count, *modifiers = line.split()
            top, right, bottom, left = (_LETTERS[letter] for letter in edges)
            modifiers = [TileModifier[name] for name in modifiers]
            kinds[tile_type] = (int(count), Tile(tile_type, left, right, top, bottom, modifiers))
    return kinds


_KINDS = _read_catalogue()
tile_counts = DotMap({name: count for name, (count, _) in _KINDS.items() if name[0] != "T" or name == "T"})


def make_tile(tile_type):
    """A new tile of this type, not turned and not placed."""
    return _KINDS[tile_type][1]._clone()


def is_tile_type(tile_type):
    return tile_type in _KINDS


def _create(names):
    return [make_tile(name) for name in names for _ in range(_KINDS[name][0])]


def create_base_tiles():
    return _create([name for name in _KINDS if len(name) == 1])


def create_river_tiles():
    return _create([name for name in _KINDS if name[0] == "R" and name[1:].isdigit()])


def create_expansion_tiles():
    """The tiles with tower foundations."""
    return _create([name for name in _KINDS if len(name) == 3])


class Map:
    def __init__(self):
        self.placed_tiles = []
        self.available_tiles = set()
        self.available_tiles_by_type = defaultdict(list)
        self._grid = [[None] * MAX_MAP_LENGTH for _ in range(MAX_MAP_LENGTH)]
        self.straight_rivers = 6

    def _fill(self, tiles):
        self.available_tiles.update(tiles)
        for tile in tiles:
            self.available_tiles_by_type[tile.tile_type].append(tile)

    def start_base_phase(self):
        assert not self.available_tiles
        self._fill(create_base_tiles())

    def start_river_phase(self):
        assert not self.available_tiles
        self._fill(create_river_tiles())

    def add_expansion_pack(self, expansion_pack):
        """Does nothing, as in the original."""

    def _open_box_of(self, tile_type):
        """Adds the tiles that come with one of this type: those with tower foundations, or those of the base game."""
        self._fill(create_expansion_tiles() if len(tile_type) == 3 else create_base_tiles())

    def _place(self, tile, pos):
        tile.placed_pos = tuple(pos)
        self._grid[pos[1]][pos[0]] = tile
        self.placed_tiles.append(tile)
        if tile.straight_river():
            self.straight_rivers -= 1

    def place_river_start(self, pos):
        self._place(Tile.get_starting_tile(), pos)

    def place_river_end(self, pos, rotation):
        tile = Tile.get_river_end_tile()
        tile.rotate_clockwise((rotation - tile.rotation) % 4)
        self._place(tile, pos)

    def get_tile_by_type(self, type, pop):
        if pop:
            tile = self.available_tiles_by_type[type].pop()
            self.available_tiles.remove(tile)
            return tile
        return self.available_tiles_by_type[type][0]

    def river_validation(self, tile, x, y):
        """Whether a river tile, turned as it is, may go on the river at x, y: "pass", "uturn" or "disjoint"."""
        joined = 0
        for edge in Tile.get_edges():
            if tile.internal_edges[edge] != StructureType.RIVER:
                continue
            if Tile.get_external_tile(edge, (x, y), self._grid):
                joined += 1
            elif not tile.straight_river() and self._comes_near(edge, x, y):
                return "uturn"
        # Water on two sides joins only across a mismatch.
        return "disjoint" if joined == 0 else "pass" if joined == 1 else "uturn"

    def _comes_near(self, ahead, x, y):
        """Whether a river that leaves a cell over an edge may come near a tile while it goes straight on."""
        dx, dy = _STEPS[ahead]
        for far in range(1, self.straight_rivers + 2):
            for side_x, side_y in _STEPS.values():
                near_x, near_y = x + far * dx + side_x, y + far * dy + side_y
                inside = 0 <= near_y < MAX_MAP_LENGTH and 0 <= near_x < MAX_MAP_LENGTH
                if inside and (near_x, near_y) != (x, y) and self._grid[near_y][near_x] is not None:
                    return True
        return False
