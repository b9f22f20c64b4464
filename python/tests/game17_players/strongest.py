"""A basic player. From every square, three quarters attack the neighbour with the most pieces that they can
beat."""

import numpy as np
from game17 import destination, find_owned_pieces


def make_moves(owner, rounds_left, owners, numbers):
    moves = []
    for row, column, count in find_owned_pieces(owner, owners, numbers):
        sent = np.ceil(count * 0.75)
        gains = {}
        for direction in "nsew":
            target = tuple(destination((row, column), direction, len(owners)))
            if owners[target] != owner and numbers[target] < sent:
                gains[direction] = numbers[target] + np.random.random()
        if gains:
            moves.append(((row, column), max(gains, key=gains.get), sent))
    return moves
