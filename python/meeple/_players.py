"""Players in Python beside agents of a game, in one line-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from meeple import _meeple
from meeple._errors import UsageError
from meeple._words import words
from meeple.episode import Action, Episode, Game, Player, Turn, decision_of

#: A line-up: one text with the words of all seats, or an item for every seat. An item may be a player in
#: Python.
LineUp = str | Iterable[Player]


class Players:
    """The players in Python of a run, as the engines call them."""

    def __init__(self, players: list[Any]) -> None:
        self._players = players
        #: By player: the function by which it decides in this episode.
        self._decide: list[Callable[[Turn], Action]] = [decision_of(player) for player in players]
        #: Numbers of the players that are classes, of which every episode makes a new object.
        self._classes = [number for number, player in enumerate(players) if isinstance(player, type)]
        self._episode: Episode | None = None

    def game(self, native: _meeple.Game) -> Game:
        """Makes the game object that players get."""
        return Game._of(native)

    def begin(self) -> None:
        """Begins an episode."""
        self._episode = None
        for number in self._classes:
            self._decide[number] = decision_of(self._players[number])

    def decide(self, game: Game, native: _meeple.Episode, number: int, seat: int) -> None:
        """Lets a player decide."""
        if self._episode is None:
            self._episode = Episode(game, native)
        self._episode._let_decide(seat, self._decide[number])


def line_up(agents: LineUp) -> tuple[list[str], list[str], list[Any]]:
    """A line-up in words, the names of the players in Python, and these players."""
    if isinstance(agents, str):
        return words(agents), [], []
    if callable(agents):
        raise UsageError(f"line-up: expected a list of players, found one: {agents!r}\nhint: put it into a list")
    entries: list[str] = []
    names: list[str] = []
    players: list[Any] = []
    # Players of the same name are told apart by a number at the end.
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
    """The name of a player in Python, as tables show it."""
    name = getattr(player, "__name__", type(player).__name__)
    return "".join(letter if letter.isalnum() or letter in "_-" else " " for letter in name).strip() or "player"
