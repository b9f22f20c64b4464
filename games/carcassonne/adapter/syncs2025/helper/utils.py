"""Pictures of the map as text."""


from lib.pieces import Tile  # noqa: F401


def print_map(grid, print_range):
    """Prints the types of the tiles in these columns and rows."""
    assert grid and len(grid) >= len(print_range)
    print("\t" + "\t".join(str(x) for x in print_range))
    for y in print_range:
        row = ("__" if tile is None else tile.tile_type for tile in (grid[y][x] for x in print_range))
        print("%d\t%s" % (y, "\t".join(row)), flush=True)
