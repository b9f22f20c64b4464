"""What is connected on the map, and what it is worth."""

from collections import defaultdict, deque

from typing import Protocol

from .pieces import MONASTARY_IDENTIFIER, Map, StructureType, Tile, TileModifier


class SharedGameState(Protocol):
    """What has a map."""

    map: Map


class GameLogic(SharedGameState):
    """Needs `self.map`. A structure is named by a tile on the map and one of its edges."""

    def _get_claims_objs(self, tile, edge):
        """The meeples on a structure, by player."""
        players = defaultdict(list)
        places = [(tile, edge)] if edge == MONASTARY_IDENTIFIER else self._traverse_connected_component(tile, edge)
        for near, near_edge in places:
            meeple = near.internal_claims[near_edge]
            if meeple is not None:
                players[meeple.player_id].append(meeple)
        return players

    def _get_claims(self, tile, edge):
        """The players with a meeple on a structure."""
        return list(self._get_claims_objs(tile, edge))

    def _get_reward(self, tile, edge, partial=False):
        """What a structure is worth when it is complete, or (partial) in the end."""
        structure = tile.internal_edges[edge]
        points = (StructureType.get_partial_points if partial else StructureType.get_points)(structure)
        total = 0
        for near in {near for near, _ in self._traverse_connected_component(tile, edge)}:
            total = TileModifier.apply_point_modifiers(near, structure, total + points)
        return total

    def _check_completed_component(self, start_tile, edge):
        """Whether no edge of the structure is open. (Old; get_completed_components tells more.)"""
        component = self._traverse_connected_component(start_tile, edge)
        return all(Tile.get_external_tile(e, t.placed_pos, self.map._grid) for t, e in component)

    def check_any_complete(self, start_tile):
        """The edges of a tile that belong to complete structures. (Old.)"""
        near = start_tile.get_external_tiles(self.map._grid)
        return [edge for edge, tile in near.items() if tile and self._check_completed_component(start_tile, edge)]

    def get_completed_components(self, start_tile):
        """The complete structures of a tile, each by the first of its edges there: a set of (tile, edge)."""
        found, seen = {}, set()
        for edge, near in start_tile.get_external_tiles(self.map._grid).items():
            if near is None or edge in seen:
                continue
            component = list(self._traverse_connected_component(start_tile, edge))
            if all(Tile.get_external_tile(e, t.placed_pos, self.map._grid) for t, e in component):
                seen.update(e for t, e in component if t is start_tile)
                found[edge] = set(component)
        return found

    def _traverse_connected_component(
        self, start_tile, edge, yield_cond=lambda tile, edge: True, modify=lambda tile, edge: None
    ):
        """The tiles and edges that a structure reaches, nearest first."""
        if edge not in start_tile.internal_edges:
            return
        structure = start_tile.internal_edges[edge]
        visited = set()
        queue = deque([(start_tile, edge)])
        while queue:
            tile, edge = queue.popleft()
            if (tile, edge) in visited:
                continue
            assert tile.placed_pos
            reached = [edge, *tile.joined_with(edge, structure)]
            # Where a road began, it goes on as any road.
            structure = StructureType.ROAD if structure == StructureType.ROAD_START else structure
            for own in reached:
                visited.add((tile, own))
                modify(tile, own)
                if yield_cond(tile, own):
                    yield tile, own
            for own in reached:
                near, over = Tile.get_external_tile(own, tile.placed_pos, self.map._grid), Tile.get_opposite(own)
                if near is None or (near, over) in visited:
                    continue
                if StructureType.is_compatible(structure, near.internal_edges[over]):
                    queue.append((near, over))
