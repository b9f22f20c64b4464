"""Results as columns and data frames."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from meeple._errors import UsageError

#: Arrays by name, all of the same length.
Columns = dict[str, np.ndarray[Any, Any]]


class Tabular:
    """An object with columns, which can become a data frame."""

    #: Returns the columns; some results have several tables and take the name of one.
    columns: Callable[..., Columns]

    def to_pandas(self, *table: str) -> Any:
        """A `pandas.DataFrame` of `columns(table)`. Raises `UsageError` if pandas is not installed."""
        return _module("pandas").DataFrame(self.columns(*table))

    def to_polars(self, *table: str) -> Any:
        """A `polars.DataFrame` of `columns(table)`. Raises `UsageError` if polars is not installed."""
        return _module("polars").DataFrame(self.columns(*table))


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(f"expected {name} to be installed, found none\nhint: pip install {name}") from None


def escaped(shown: str) -> str:
    """A text escaped for HTML."""
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
