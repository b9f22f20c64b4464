"""game17 for learners: a turn as a sequence of small decisions, and an environment of Gymnasium.

A turn of game17 is a list of any number of moves, which has no id. Here it is factored: a learner names moves
one by one, and ends its turn with the last id. A move is (square, direction, amount):

    id = (square * 4 + direction) * 3 + amount        square: row by row; direction: n, s, e, w
    id = squares * 12                                 the turn is done

An amount is one piece, half of the rest (rounded up), or the whole rest. The rest of a square are its pieces
that no move of this turn names. With single pieces every turn can be expressed; the other two amounts need
fewer steps. Different ids must be different moves, so the mask allows half only from three pieces on, and all
only from two. Every move makes the rest smaller, so a turn has at most one step more than the owner has
pieces.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from meeple import _meeple
from meeple._errors import IllegalAction, UsageError
from meeple._spaces import ON_ILLEGAL, REWARDS, Run, Seen, chosen, masked
from meeple._words import Settings, action_id, settings, text
from meeple.episode import Game

__all__ = ["Env", "FactoredTurn", "factored_observations"]

DIRECTIONS = "nsew"
ONE, HALF, ALL = range(3)
#: Minimal rest of a square for each amount.
MIN_LEFT = np.array([1, 3, 2])


class FactoredTurn:
    """A turn of an owner, move by move."""

    def __init__(self, seat: int, owners: Sequence[int], numbers: Sequence[int]) -> None:
        self.size = round(len(owners) ** 0.5)
        self.bound = self.ids(self.size)
        #: By square: own pieces that no move names yet; 0 on squares of others.
        self.left = np.where(np.array(owners) == seat, np.array(numbers), 0)
        #: The moves so far, in the form of the game's actions.
        self.moves: list[tuple[int, int, str, int]] = []

    @staticmethod
    def ids(size: int) -> int:
        """Number of ids on a board of this size."""
        return size * size * len(DIRECTIONS) * len(MIN_LEFT) + 1

    def mask(self) -> npt.NDArray[np.int8]:
        """The mask of ids. The last id, which ends the turn, is always allowed."""
        amounts = self.left[:, None] >= MIN_LEFT
        moves = np.repeat(amounts[:, None, :], len(DIRECTIONS), axis=1)
        return np.append(moves.reshape(-1), True).astype(np.int8)

    def take(self, id: int) -> bool:
        """Adds a move. Returns true if the turn is done. An id that the mask forbids raises `IllegalAction`
        and changes nothing."""
        if id == self.bound - 1:
            return True
        rest, amount = divmod(id, len(MIN_LEFT))
        square, direction = divmod(rest, len(DIRECTIONS))
        left = int(self.left[square])
        if left < MIN_LEFT[amount]:
            raise IllegalAction(
                f"expected at least {MIN_LEFT[amount]} pieces left on square {square}, found {left}\nhint: look at the mask"
            )
        count = {ONE: 1, HALF: (left + 1) // 2, ALL: left}[amount]
        self.left[square] -= count
        self.moves.append((*divmod(square, self.size), DIRECTIONS[direction], count))
        return False


def factored_observations(game: Game, bound: int) -> spaces.Space[Any]:
    """The space of a seat's observations, with masks of `bound` ids. The encoding is followed by the shares
    of own pieces that no move names yet."""
    encoding = game.encoding
    assert encoding is not None, "it has one"
    low, high = np.append(encoding.low(), np.zeros(game.seats)), np.append(encoding.high(), np.ones(game.seats))
    return masked(low, high, bound)


class Env(gymnasium.Env[Seen, Any]):
    """One learner, at seat 0, against agents of the game at the next seats, and zombies: `Env(["t800"], set={"size": 8})`.

    Its actions are those of a `FactoredTurn`. `observation` holds the numbers of the game's encoding (docs/reference/encodings.md) as
    they were when the turn began, then for every square the share of the own pieces that no move names yet. `reward` is the
    `utility` at the end (-1 to 1) or the change of the own `score`; steps within a turn give 0. An action that the mask
    forbids ends the turn with the moves so far and is told in `info["illegal_action"]`; with `on_illegal="raise"` it is an
    exception. `reset(seed=s)` begins episode 0 of run s, and `reset()` the next.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponents: Sequence[str] = (),
        *,
        set: Settings | None = None,
        reward: str = "utility",
        on_illegal: str = "fallback",
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if isinstance(opponents, str):
            raise UsageError(f"opponents: expected a list of agents, found {opponents!r}\nhint: [{opponents!r}]")
        self._opponents = [text("opponent", agent) for agent in opponents]
        self.game = Game("game17", len(self._opponents) + 1, set=set)
        self.reward = chosen("reward", reward, REWARDS)
        self.on_illegal = chosen("on_illegal", on_illegal, ON_ILLEGAL)
        self.render_mode = None if render_mode is None else chosen("render_mode", render_mode, ("ansi",))
        self._run = Run(seed)
        self._native: _meeple.Episode | None = None
        self._turn: FactoredTurn | None = None
        self._score = 0
        self._numbers = np.zeros(self.game.info["encoding"]["size"], np.float32)
        self._pieces = np.zeros(self.game.seats)
        bound = FactoredTurn.ids(self.game.variant["size"])
        self.action_space = spaces.Discrete(bound)
        self.observation_space = factored_observations(self.game, bound)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins an episode. With a seed it is the first one of that run; otherwise it is the next one."""
        super().reset(seed=seed)
        native = self._native = self.game._native.episode(*self._run.next(seed))
        native.keep_no_events()
        for seat in range(1, self.game.seats):
            named = seat <= len(self._opponents)
            native.seat_agent(seat, self._opponents[seat - 1] if named else "zombie")
        self._advance(native)
        self._score = native.scores()[0]
        seen = self._see()
        return seen, {"action_mask": seen["action_mask"].copy()}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Names a move, or ends the turn. After a turn the others play on until the learner owes a turn
        again."""
        native, turn = self._native, self._turn
        if native is None or turn is None:
            raise UsageError("expected an episode that goes on, found none\nhint: reset()")
        info: dict[str, Any] = {}
        try:
            is_done = turn.take(action_id(action, turn.bound))
        except IllegalAction as error:
            if self.on_illegal == "raise":
                raise
            info["illegal_action"] = str(error)
            is_done = True
        reward = 0.0
        if is_done:
            native.act_json(0, json.dumps(turn.moves))
            self._advance(native)
            score = native.scores()[0]
            outcome = native.outcome()
            if self.reward == "score":
                reward = float(score - self._score)
            elif outcome is not None:
                reward = outcome[2][0]
            self._score = score
        seen = self._see()
        return seen, reward, self._turn is None, False, {**info, "action_mask": seen["action_mask"].copy()}

    def _advance(self, native: _meeple.Episode) -> None:
        """Lets the others play until the learner owes a turn or the episode is over."""
        asked = native.run_until_asked()
        native.numbers_into(0, self._numbers)
        self._turn = None
        if asked:
            board = json.loads(native.observation("0"))
            self._turn = FactoredTurn(0, board["owners"], board["numbers"])
            self._pieces = np.maximum(board["numbers"], 1)

    def _see(self) -> Seen:
        if self._turn is None:
            left, mask = np.zeros(self.game.seats), np.zeros(FactoredTurn.ids(self.game.variant["size"]), np.int8)
        else:
            left, mask = self._turn.left / self._pieces, self._turn.mask()
        return {"observation": np.append(self._numbers, left).astype(np.float32), "action_mask": mask}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions, for trainers with masks."""
        return self._see()["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The table as text."""
        if self.render_mode is None or self._native is None:
            return None
        return self._native.screen("0", [])
