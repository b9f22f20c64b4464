"""What users give, in the words that the engines read."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

import numpy as np

from meeple._errors import IllegalAction, UsageError

#: Values of variant parameters by name, as `--set NAME=VALUE` of the command line.
Settings = Mapping[str, object]

#: A seat, from 0: a whole number of any type, of numpy's too.
Seat = SupportsIndex

#: From whose place an episode is looked at: a seat, "public" for what everybody may know, "all" for everything.
Viewer = Seat | str

#: `utility`: -1 to 1 at the end, zero in sum. `score`: by how much the own score has changed.
REWARDS = ("utility", "score")

#: The largest seed.
LARGEST = 2**64 - 1


def whole(name: str, value: object, low: int = 0, high: int = LARGEST) -> int:
    """A whole number within bounds, whatever type it has; `name` is for the message."""
    number = index(value)
    if number is None or not low <= number <= high:
        raise UsageError(f"{name}: expected a whole number from {low} to {high}, found {value!r}")
    return number


def index(value: object) -> int | None:
    """A whole number of whatever type; `None` if it is something else."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, (bool, np.bool_)) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def chosen(name: str, value: str, known: tuple[str, ...]) -> str:
    """One of these words."""
    if value in known:
        return value
    raise UsageError(f"{name}: expected one of {', '.join(known)}, found {value!r}")


def action_id(action: object, bound: int, *, is_checked: bool = True) -> int:
    """The id of an action, below this bound; whoever checks it against a mask anyway says so."""
    number = index(action)
    if number is None:
        raise UsageError(f"expected the id of an action, found {action!r}\nhint: a whole number that the mask allows")
    if not is_checked:
        # Numbers that the engines cannot read are no ids either.
        return number if abs(number) < 2**62 else -1
    if not 0 <= number < bound:
        raise IllegalAction(f"no legal action has the id {number}\nhint: look at the mask")
    return number


def settings(values: Settings | None) -> list[tuple[str, str]]:
    """Settings as texts."""
    return [(str(name), setting(value)) for name, value in (values or {}).items()]


def setting(value: object) -> str:
    """A value as `--set` takes it; numbers and arrays of numpy are as Python's own."""
    value = plain(value) if isinstance(value, (np.generic, np.ndarray)) else value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(setting(item) for item in value)
    return str(value)


def plain(value: object) -> object:
    """A number or array of numpy as numbers and lists of Python, for JSON; a `TypeError` for anything else."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON")


def viewer_word(viewer: Viewer) -> str:
    """A viewer as the engines read it."""
    number = index(viewer)
    return str(viewer) if number is None else str(number)


def refuse_copies(what: str, hint: str) -> UsageError:
    """The error of objects that cannot be copied or pickled, because agents sit at their tables."""
    return UsageError(f"{what} cannot be copied or pickled: opponents may remember what they have seen\nhint: {hint}")


def words(line_up: str | Iterable[str]) -> list[str]:
    """The entries of a line-up; a text is split at blanks, as on the command line."""
    return line_up.split() if isinstance(line_up, str) else [text("line-up", entry) for entry in line_up]


def text(name: str, value: Any) -> str:
    """A text; `name` is for the message."""
    if isinstance(value, str):
        return value
    raise UsageError(f"{name}: expected a text, found {value!r}")
