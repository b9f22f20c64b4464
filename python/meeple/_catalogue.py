"""Lists of games and agents, shown as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple._tables import Columns, Tabular, escaped


class Catalogue(dict[str, dict[str, Any]], Tabular):
    """Facts by name: a dict that is shown as a table of some of these facts."""

    def __init__(self, facts: Mapping[str, dict[str, Any]], shown: tuple[str, ...]) -> None:
        super().__init__(facts)
        self._shown = shown

    def columns(self) -> Columns:
        """The facts that are shown, as arrays of texts with one item for every name."""
        rows = [[_text(facts.get(name)) for name in self._shown] for facts in self.values()]
        return {name: np.array([row[place] for row in rows]) for place, name in enumerate(self._shown)}

    def __reduce__(self) -> tuple[Any, ...]:
        return Catalogue, (dict(self), self._shown)

    def __repr__(self) -> str:
        columns = [[name, *column.tolist()] for name, column in self.columns().items()]
        widths = [max(map(len, column)) for column in columns]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in zip(*columns, strict=True)]
        lines.insert(1, "-" * max(map(len, lines)))
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        columns = self.columns()
        head = "".join(f"<th>{escaped(name)}</th>" for name in columns)
        rows = ("".join(f"<td>{escaped(str(cell))}</td>" for cell in row) for row in zip(*columns.values(), strict=True))
        return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _text(fact: Any) -> str:
    """A fact as the text of a cell. Of objects with a name only the name is shown; two numbers are a
    range."""
    if isinstance(fact, list):
        if len(fact) == 2 and all(isinstance(item, int) for item in fact):
            return f"{fact[0]}" if fact[0] == fact[1] else f"{fact[0]} to {fact[1]}"
        return ", ".join(str(item["name"]) if isinstance(item, dict) and "name" in item else str(item) for item in fact)
    return "" if fact is None else str(fact)
