"""The laboratory: what games there are, simulations, exact values, pictures of replays."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from meeple import _meeple
from meeple._errors import Failure, UsageError
from meeple._players import LineUp, Players, line_up
from meeple._words import Settings, Viewer, setting, settings, text, whole, words

#: A table of a tool: title, heads, rows, notes.
Table = tuple[str, list[str], list[list[str]], list[str]]

#: Arrays by name, all of one length.
Columns = dict[str, np.ndarray[Any, Any]]


def games() -> dict[str, dict[str, Any]]:
    """All games by name, each with its presets, parameters, seats and tools."""
    return {game["id"]: game for game in json.loads(_meeple.games_json())}


def agents(game: str) -> dict[str, dict[str, Any]]:
    """The agents of a game by name, each with what it does and its parameters."""
    return {agent["name"]: agent for agent in json.loads(_meeple.agents_json(text("game", game)))}


#: Told how far it is: `True` for a bar by tqdm, or a function of how many episodes of how many are played.
Progress = bool | Callable[[int, int], None] | None


@dataclass(frozen=True)
class PlayerFaults:
    """What a player in Python failed to decide, so that the fallback action stood in."""

    #: Its name.
    name: str
    #: How often.
    count: int
    #: What it raised first, if it did.
    first: Exception | None


class _Played:
    """What all results share: tables and plots."""

    def __init__(self, native: _meeple.Simulated | _meeple.Swept | _meeple.Tournament) -> None:
        self._played = native

    def plots(self) -> dict[str, str]:
        """The plots that `--out` draws, by name, as SVG."""
        return dict(self._played.plots())

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes the plots into a folder, as SVG named like themselves, and says where. The folder is made if need be."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"folder: expected one that can be written, found an error: {error}") from error
        plots = {folder / f"{name}.svg": plot for name, plot in self.plots().items()}
        for path, plot in plots.items():
            _replace(path, plot)
        return list(plots)

    def __repr__(self) -> str:
        return self._played.tables(None)

    def _repr_html_(self) -> str:
        return f"<pre>{_escaped(repr(self))}</pre>" + "".join(self.plots().values())


class EpisodeRows:
    """A row for every seat and episode, in order, with the columns of `episodes.parquet`.

    It is read by whatever reads Arrow's capsules, without a copy: `polars.DataFrame(rows)`, `pyarrow.table(rows)`.
    """

    def __init__(self, native: _meeple.EpisodeRows) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def columns(self) -> Columns:
        """The same as arrays of numpy. Words are arrays of texts."""
        columns: Columns = {}
        for name, raw, kind, known in self._native.columns():
            values = np.frombuffer(raw, kind)
            columns[name] = values if known is None else np.array(known)[values]
        return columns


class Simulation(_Played):
    """What came out of a simulation. Shown, it is the tables that `meeple sim` prints; in a notebook, with plots."""

    def __init__(self, native: _meeple.Simulated, players: list[str]) -> None:
        super().__init__(native)
        #: What players in Python failed to decide, if they were forgiven.
        self.faults = _faults(native, players)
        self._rows = native.rows()
        whole: dict[str, Any] = json.loads(native.json())
        #: How long it took.
        self.seconds: float = whole["seconds"]
        #: Everything that was counted, as `meeple sim --json --no-times` prints it.
        self.summary: dict[str, Any] = _timeless(whole)

    @property
    def rows(self) -> EpisodeRows:
        """A row for every seat and episode, if they were kept."""
        if self._rows is None:
            raise UsageError("expected a simulation that keeps its episodes, found another\nhint: sim(…, keep=True)")
        return EpisodeRows(self._rows)

    @property
    def episodes(self) -> int:
        """Episodes played."""
        return int(self.summary["episodes"])

    def columns(self, table: str = "agents") -> Columns:
        """A table as columns: `agents`, `seats` or, where a game draws it, `turns` (places in the order of turns).

        An interval becomes two columns, `NAME_low` and `NAME_high`; figures of seats are `stats.NAME.mean` and so on. A value
        that is missing is NaN.
        """
        rows = self.summary.get(table) if table in ("agents", "seats", "turns") else None
        if rows is None:
            known = ", ".join(name for name in ("agents", "seats", "turns") if name in self.summary)
            raise UsageError(f"unknown table '{table}'\nhint: there are {known}")
        return _columns([_flat(row) for row in rows])


class Sweep(_Played):
    """What came out of a sweep. Shown, it is the tables that `meeple sweep` prints; in a notebook, with plots."""

    def __init__(self, native: _meeple.Swept, players: list[str]) -> None:
        super().__init__(native)
        #: What players in Python failed to decide, if they were forgiven.
        self.faults = _faults(native, players)
        #: All cells, as `meeple sweep --json --no-times` prints them.
        self.summary: dict[str, Any] = _timeless(json.loads(native.json()))

    def columns(self) -> Columns:
        """One row for every cell and agent: the swept values, and the columns of `Simulation.columns`."""
        cells = self.summary["cells"]
        return _columns([{**cell["at"], **_flat(agent)} for cell in cells for agent in cell["agents"]])


class Tournament(_Played):
    """What came out of a tournament. Shown, it is the tables that `meeple tournament` prints; in a notebook, with plots."""

    def __init__(self, native: _meeple.Tournament) -> None:
        super().__init__(native)
        #: All that follows from what was played, as `meeple tournament --json` prints it.
        self.summary: dict[str, Any] = json.loads(native.json())
        self._pairs = native.pairs

    def columns(self, table: str = "standings") -> Columns:
        """A table as columns: `standings`, or `matchups` with a row for every two that have met.

        An interval becomes two columns, `NAME_low` and `NAME_high`. A value that is missing is NaN. The summary of more than
        100 players has no matchups; the table has them all the same.
        """
        if table == "standings":
            return _columns([_flat(_without_lists(row)) for row in self.summary["standings"]])
        if table != "matchups":
            raise UsageError(f"unknown table '{table}'\nhint: there are standings, matchups")
        if not self.summary["matchups"]:
            pairs = json.loads(self._pairs())
            return _columns([{"name": one, "against": other, **_flat(cell)} for one, other, cell in pairs])
        names = [row["name"] for row in self.summary["standings"]]
        met = [
            {"name": one, "against": other, **_flat(cell)}
            for one, row in zip(names, self.summary["matchups"], strict=True)
            for other, cell in zip(names, row, strict=True)
            if cell is not None
        ]
        return _columns(met)


class ToolResult:
    """What a tool of a game computed. Shown, it is the tables that the command line prints."""

    def __init__(self, data: Any, tables: list[Table], shown: str) -> None:
        #: What `--json` prints.
        self.data = data
        #: Tables for people: title, heads, rows, notes.
        self.tables = tables
        self._shown = shown

    def __repr__(self) -> str:
        return self._shown

    def _repr_html_(self) -> str:
        return f"<pre>{_escaped(self._shown)}</pre>"


def sim(
    game: str,
    agents: LineUp,
    n: int = 10_000,
    *,
    set: Settings | None = None,
    seed: int = 1,
    seating: str = "rotate",
    threads: int = 0,
    on_error: str = "raise",
    keep: bool = False,
    progress: Progress = None,
) -> Simulation:
    """Plays many episodes and counts, as `meeple sim` does: the same seed gives the same numbers.

    `agents` are the words of a line-up, one per seat (`turn:7`, `random:0.2*3`, `Bob=turn:7`), or functions of a turn, objects
    with a method `act`, or classes of such, of which every episode has a new one. What these raise is raised here; with
    `on_error="fault"` the rules' fallback action stands in, and `faults` tells of it. `set` holds parameters of the rules and
    may name a `profile`. `threads=0` takes all cores, but one with players in Python; results do not depend on it. `progress`
    is called with how many episodes of how many are played, or `True` for a bar by tqdm. Ctrl-C raises `KeyboardInterrupt`.
    With `keep` the result has `rows`, one for every seat and episode, of about 100 bytes.
    """
    run, names, players = _run(game, agents, n, set, seed, seating, threads, on_error)
    with _told(progress, n) as told:
        return Simulation(_meeple.sim(*run, told, players, bool(keep)), names)


def sweep(
    game: str,
    agents: LineUp,
    n: int = 10_000,
    *,
    set: Settings | None = None,
    seed: int = 1,
    seating: str = "rotate",
    threads: int = 0,
    on_error: str = "raise",
    progress: Progress = None,
) -> Sweep:
    """Plays one or two parameters at many values, as `meeple sweep` does: `n` episodes in every cell, with the same deals.

    A range stands in the words of an agent (`turn:1..20`) or in `set` (`{"rounds": "3..7"}`). The rest is as in `sim`.
    """
    run, names, players = _run(game, agents, n, set, seed, seating, threads, on_error)
    with _told(progress, None) as told:
        return Sweep(_meeple.sweep(*run, told, players), names)


def _run(
    game: str,
    agents: LineUp,
    n: int,
    set: Settings | None,
    seed: int,
    seating: str,
    threads: int,
    on_error: str,
) -> tuple[tuple[str, list[str], list[tuple[str, str]], int, int, str, int], list[str], _meeple._Players | None]:
    """What is played, checked, and the players in Python with their names."""
    if on_error not in ("raise", "fault"):
        raise UsageError(f"on_error: expected raise or fault, found '{on_error}'")
    entries, names, players = line_up(agents)
    threads = whole("threads", threads, high=2**32 - 1)
    if players and threads > 1:
        raise UsageError(f"threads: expected 1 with players in Python, found {threads}\nhint: they share one interpreter")
    run = (
        text("game", game),
        entries,
        settings(set),
        whole("n", n),
        whole("seed", seed),
        text("seating", seating),
        1 if players else threads,
    )
    return run, names, (Players(players), on_error == "fault", len(players)) if players else None


def _faults(native: _meeple.Simulated | _meeple.Swept, players: list[str]) -> list[PlayerFaults]:
    """What players in Python failed to decide, by player."""
    return [PlayerFaults(name, *fault) for name, fault in zip(players, native.faults(), strict=True)]


@contextmanager
def _told(progress: Progress, total: int | None) -> Iterator[Callable[[int, int], None] | None]:
    """What is told how far it is, for as long as it is needed."""
    if progress is not True:
        yield progress or None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise UsageError("progress: expected tqdm to be installed, found none\nhint: pip install tqdm") from None
    with tqdm(total=total, unit=" episodes", unit_scale=True) as bar:

        def told(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield told


def tournament(
    game: str,
    agents: str | Iterable[str],
    deals: int | None = None,
    *,
    schedule: str | None = None,
    table: int | None = None,
    rotations: int | None = None,
    anchors: Iterable[str] = (),
    anchor: str | None = None,
    set: Settings | None = None,
    seed: int = 1,
    resamples: int | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Tournament:
    """Everybody meets everybody, as in `meeple tournament`: standings with ratings and their intervals, and a cross table.

    `agents` are agents of the game by their words (`turn:7`, `Bob=turn:7`). `schedule` is `round-robin` (default), `single`,
    `battle-royale`, `gauntlet` (everybody meets the `anchors`) or `vs-zombies`; `table` is how many sit at a table, `deals` how
    often every table plays, each deal from `rotations` seats. The rest is as in `sim`.
    """
    meeting = _meeting(
        game,
        agents,
        deals,
        schedule=schedule,
        table=table,
        rotations=rotations,
        anchors=anchors,
        anchor=anchor,
        set=set,
        seed=seed,
        resamples=resamples,
        threads=threads,
    )
    with _told(progress, None) as told:
        return Tournament(_meeple.tournament(*meeting, told))


def _meeting(
    game: str,
    agents: str | Iterable[str],
    deals: int | None = None,
    *,
    schedule: str | None = None,
    table: int | None = None,
    rotations: int | None = None,
    anchors: Iterable[str] = (),
    anchor: str | None = None,
    set: Settings | None = None,
    seed: int = 1,
    resamples: int | None = None,
    threads: int = 0,
) -> tuple[str, list[str], list[tuple[str, str]], str, int, dict[str, Any]]:
    """Who meets whom, checked."""
    options = {
        "schedule": None if schedule is None else text("schedule", schedule),
        "table": None if table is None else whole("table", table, 1, 4096),
        "deals": None if deals is None else whole("deals", deals, 1),
        "rotations": None if rotations is None else whole("rotations", rotations, 1, 4096),
        "anchors": words(anchors),
        "anchor": None if anchor is None else text("anchor", anchor),
        "resamples": None if resamples is None else whole("resamples", resamples, 0, 10**6),
    }
    return (
        text("game", game),
        words(agents),
        settings(set),
        str(whole("seed", seed, high=2**128 - 1)),
        whole("threads", threads, high=2**32 - 1),
        options,
    )


def tool(name: str, game: str, *arguments: object, set: Settings | None = None, seed: int = 1) -> ToolResult:
    """Runs a tool of a game, as `meeple NAME GAME ARGUMENTS`; files that arguments name are read and written."""
    given = [setting(argument) for argument in arguments]
    data, tables, shown, files = _meeple.tool(
        text("name", name), text("game", game), given, settings(set), whole("seed", seed)
    )
    for path, content in files:
        _replace(Path(path), content)
    return ToolResult(json.loads(data), tables, shown)


def exact(game: str, *arguments: object, set: Settings | None = None, seed: int = 1) -> ToolResult:
    """Exact values, for games that have them: `exact("incan-gold", "solo", "turn:5..8")`."""
    return tool("exact", game, *arguments, set=set, seed=seed)


def render(
    replay: str | os.PathLike[str],
    at: int = -1,
    *,
    viewer: Viewer = "all",
    format: str = "svg",
    width: int = 1200,
) -> str | bytes:
    """Draws a moment of a replay, after checking every step of it.

    `replay` is the text of a replay or the path of a file with one (`.gz` is compressed). `at` counts the steps that the
    viewer may know of, from 0; a negative number counts from the end. `format` is `svg` (a text) or `png` (bytes, of this
    `width` in pixels).
    """
    if format not in ("svg", "png"):
        raise UsageError(f"format: expected svg or png, found '{format}'")
    stored = replay if isinstance(replay, str) and replay.lstrip().startswith("{") else _read(Path(replay))
    pixels = whole("width", width, 16, 10_000) if format == "png" else None
    at = whole("at", at, -(2**62), 2**62)
    drawn = _meeple.render(stored, at, str(viewer), pixels)
    return drawn.decode() if format == "svg" else drawn


def _read(path: Path) -> str:
    try:
        stored = path.read_bytes()
        return (gzip.decompress(stored) if stored.startswith(b"\x1f\x8b") else stored).decode()
    except FileNotFoundError:
        raise UsageError(f"cannot read {path}: it does not exist") from None
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise UsageError(f"cannot read {path}: {error}") from error


def _replace(path: Path, content: str) -> None:
    """Writes a file as a whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Failure(f"expected to write {path}, found an error: {error}") from error


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """One value per name."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name.startswith("by_"):
            continue
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": item for inner, item in _flat(value).items()})
        elif isinstance(value, list):
            flat.update({f"{name.removesuffix('_ci')}_low": value[0], f"{name.removesuffix('_ci')}_high": value[1]})
        else:
            flat[name] = float("nan") if value is None else value
    return flat


def _without_lists(row: dict[str, Any]) -> dict[str, Any]:
    """A standing without what is counted by place or by kind of fault, which has no column."""
    lists = ("placements", "faults", "rank_at_most")
    kept = {name: value for name, value in row.items() if name not in lists}
    return {name: _without_lists(value) if isinstance(value, dict) else value for name, value in kept.items()}


def _columns(rows: list[dict[str, Any]]) -> Columns:
    """One array per name."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: np.array([row.get(name, float("nan")) for row in rows]) for name in names}


def _timeless(value: Any) -> Any:
    """The same without how long it took: equal plans give equal results."""
    if isinstance(value, dict):
        times = ("seconds", "episodes_per_second", "decisions_per_second")
        return {name: _timeless(item) for name, item in value.items() if name not in times}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


def _escaped(shown: str) -> str:
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
