"""Exceptions, with the texts and hints of the command line."""

from __future__ import annotations


class MeepleError(Exception):
    """Base class of all exceptions of this package."""


class UsageError(MeepleError, ValueError):
    """A request is wrong: for example an unknown name, a number out of bounds, or an array of another
    shape."""


class IllegalAction(UsageError):
    """An action cannot be taken. The episode is unchanged."""


class Failure(MeepleError, RuntimeError):
    """A correct request could not be carried out."""
