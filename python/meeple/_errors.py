"""What goes wrong, with the texts and hints of the command line."""

from __future__ import annotations


class MeepleError(Exception):
    """Anything that goes wrong here."""


class UsageError(MeepleError, ValueError):
    """Something that was asked for wrongly: an unknown name, a wrong number, an array of another shape."""


class IllegalAction(UsageError):
    """An action that cannot be taken. The episode is as it was."""


class Failure(MeepleError, RuntimeError):
    """Something that was asked for rightly and could not be done."""
