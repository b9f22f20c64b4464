"""Players in Python beside agents of a game, in one line-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from meeple import _meeple
from meeple._errors import UsageError
from meeple._words import words
from meeple.episode import Action, Episode, Game, Player, Turn, decision_of

#: Who plays: the words of a line-up, or one item for every seat, of which each may be a player in Python.
LineUp = str | Iterable[Player]


class Players:
    """The players in Python of a run, as the engines call them."""

    def __init__(self, players: list[Any]) -> None:
        self._players = players
        #: By player, how it decides in this episode.
        self._decide: list[Callable[[Turn], Action]] = [decision_of(player) for player in players]
        #: The players of which every episode has a new one.
        self._classes = [number for number, player in enumerate(players) if isinstance(player, type)]
        self._episode: Episode | None = None

    def game(self, native: _meeple.Game) -> Game:
        """A game as players have it."""
        return Game._of(native)

    def begin(self) -> None:
        """An episode begins."""
        self._episode = None
        for number in self._classes:
            self._decide[number] = decision_of(self._players[number])

    def decide(self, game: Game, native: _meeple.Episode, number: int, seat: int) -> None:
        """Lets a player decide."""
        if self._episode is None:
            self._episode = Episode(game, native)
        self._episode._let_decide(seat, self._decide[number])


def line_up(agents: LineUp) -> tuple[list[str], list[str], list[Any]]:
    """A line-up in words; the names of players in Python, and these."""
    if isinstance(agents, str):
        return words(agents), [], []
    if callable(agents):
        raise UsageError(f"line-up: expected a list of players, found one: {agents!r}\nhint: put it into a list")
    entries: list[str] = []
    names: list[str] = []
    players: list[Any] = []
    # Players of one name are told apart by a number behind it.
    taken: set[str] = set()
    for player in agents:
        if isinstance(player, str):
            entries.append(player)
            continue
        if not (callable(player) or callable(getattr(player, "act", None))):
            raise UsageError(f"line-up: expected an agent's words or a function, found {player!r}")
        name = own = _name(player)
        number = 1
        while own in taken:
            number += 1
            own = f"{name} {number}"
        taken.add(own)
        entries.append(f"{own}=python:{len(players)}")
        names.append(name)
        players.append(player)
    return entries, names, players


def _name(player: Any) -> str:
    """What a player in Python is called in tables."""
    name = getattr(player, "__name__", type(player).__name__)
    return "".join(letter if letter.isalnum() or letter in "_-" else " " for letter in name).strip() or "player"
