"""Arguments of users, translated into the words of the engines."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

import numpy as np

from meeple._errors import IllegalAction, UsageError

#: Values of variant parameters by name, as in `--set NAME=VALUE` of the command line.
Settings = Mapping[str, object]

#: A seat, counted from 0: a whole number of any type, including those of numpy.
Seat = SupportsIndex

#: The viewer of an episode: a seat, "public" for public information only, or "all" for everything.
Viewer = Seat | str

#: Kinds of reward. `utility` is -1 to 1 at the end, zero in sum. `score` is the change of the own score.
REWARDS = ("utility", "score")

#: The largest seed of a run.
LARGEST = 2**64 - 1


def whole(name: str, value: object, low: int = 0, high: int = LARGEST) -> int:
    """Checks that a value is a whole number within bounds, of any type. `name` is for the error message."""
    number = index(value)
    if number is None or not low <= number <= high:
        raise UsageError(f"{name}: expected a whole number from {low} to {high}, found {value!r}")
    return number


def index(value: object) -> int | None:
    """The value as a whole number, of whatever type it is; `None` if it is none."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, (bool, np.bool_)) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def chosen(name: str, value: str, known: tuple[str, ...]) -> str:
    """Checks that a value is one of the known words."""
    if value in known:
        return value
    raise UsageError(f"{name}: expected one of {', '.join(known)}, found {value!r}")


def action_id(action: object, bound: int, *, is_checked: bool = True) -> int:
    """Checks that an action is an id below `bound`. With `is_checked=False` the caller checks the bound
    itself, by a mask."""
    number = index(action)
    if number is None:
        raise UsageError(f"expected the id of an action, found {action!r}\nhint: a whole number that the mask allows")
    if not is_checked:
        # A number too large for the engines cannot be an id.
        return number if abs(number) < 2**62 else -1
    if not 0 <= number < bound:
        raise IllegalAction(f"no legal action has the id {number}\nhint: look at the mask")
    return number


def settings(values: Settings | None) -> list[tuple[str, str]]:
    """Settings as pairs of texts."""
    return [(str(name), setting(value)) for name, value in (values or {}).items()]


def setting(value: object) -> str:
    """A value in the form of `--set`. Numbers and arrays of numpy count like those of Python."""
    value = plain(value) if isinstance(value, (np.generic, np.ndarray)) else value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(setting(item) for item in value)
    return str(value)


def plain(value: object) -> object:
    """A number or array of numpy as numbers and lists of Python, for JSON. Raises `TypeError` for other
    objects."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON")


def viewer_word(viewer: Viewer) -> str:
    """A viewer in the words of the engines."""
    number = index(viewer)
    return str(viewer) if number is None else str(number)


def refuse_copies(what: str, hint: str) -> UsageError:
    """Makes the error for objects that cannot be copied or pickled, because agents sit at their tables."""
    return UsageError(f"{what} cannot be copied or pickled: opponents may remember what they have seen\nhint: {hint}")


def words(line_up: str | Iterable[str]) -> list[str]:
    """The entries of a line-up. A text is split at blanks, as on the command line."""
    return line_up.split() if isinstance(line_up, str) else [text("line-up", entry) for entry in line_up]


def text(name: str, value: Any) -> str:
    """Checks that a value is a text. `name` is for the error message."""
    if isinstance(value, str):
        return value
    raise UsageError(f"{name}: expected a text, found {value!r}")
