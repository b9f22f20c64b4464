"""An advanced player. It tries random moves on boards of its own, and plays those that give it most
squares."""

import numpy as np
from game17 import update_board
from game17.zombie import make_moves as random_moves


def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    left = num_rounds

    def mover(owners, numbers):
        nonlocal left
        left -= 1
        best, most = [], np.count_nonzero(owners == owner)
        for _ in range(4):
            moves = random_moves(owner, left, owners, numbers)
            after = owners.copy(), numbers.copy()
            update_board(owner, moves, *after)
            squares = np.count_nonzero(after[0] == owner)
            if squares > most:
                best, most = moves, squares
        return best

    return mover
