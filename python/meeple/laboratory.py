"""The laboratory: lists of games, simulations, exact values, pictures of replays."""

from __future__ import annotations

import gzip
import json
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypedDict, TypeVar, Unpack

import numpy as np

from meeple import _meeple
from meeple._catalogue import Catalogue
from meeple._errors import Failure, UsageError
from meeple._players import LineUp, Players, line_up
from meeple._tables import Columns, Tabular, escaped
from meeple._words import Settings, Viewer, setting, settings, text, viewer_word, whole, words

#: A table of a tool: title, column heads, rows, notes.
Table = tuple[str, list[str], list[list[str]], list[str]]



def games() -> Catalogue:
    """All games by name, each with its presets, parameters, seats and tools. The dict is shown as a table."""
    return Catalogue({game["id"]: game for game in json.loads(_meeple.games_json())}, ("id", "seats", "presets", "summary"))


def agents(game: str) -> Catalogue:
    """The agents of a game by name, each with its description and parameters. The dict is shown as a table.

    Raises `UsageError` for an unknown game.
    """
    known = json.loads(_meeple.agents_json(text("game", game)))
    return Catalogue({agent["name"]: agent for agent in known}, ("name", "params", "doc"))


#: Report of progress, every 50 ms: `True` shows a bar of tqdm; a function gets the numbers of finished and of
#: all episodes.
Progress = bool | Callable[[int, int], None] | None


@dataclass(frozen=True)
class PlayerFaults:
    """Failures of a player in Python. The fallback action replaced its decisions."""

    #: Name of the player.
    name: str
    #: Number of failures.
    count: int
    #: The first exception, if any.
    first: Exception | None

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayerFaults, (self.name, self.count, _sendable(self.first))


def _sendable(error: Exception | None) -> Exception | None:
    """An exception that another process can read: the given one, or one with its text if only this process
    knows its class."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return Failure(f"{type(error).__name__}: {error}")
    return error


@dataclass(frozen=True)
class _Kept:
    """All data of a result without the engines: the content of its pickle."""

    _json: str
    _tables: str
    _plots: list[tuple[str, str]]
    _rows: _meeple.EpisodeRows | None = None
    _pairs: str = "[]"

    def json(self) -> str:
        return self._json

    def tables(self, width: int | None) -> str:
        return self._tables

    def plots(self) -> list[tuple[str, str]]:
        return self._plots

    def rows(self) -> _meeple.EpisodeRows | None:
        return self._rows

    def pairs(self) -> str:
        return self._pairs

    def __reduce__(self) -> tuple[Any, ...]:
        rows = None if self._rows is None else self._rows.columns()
        return _kept, (self._json, self._tables, self._plots, rows, self._pairs)


def _kept(json: str, tables: str, plots: list[tuple[str, str]], rows: Any, pairs: str) -> _Kept:
    return _Kept(json, tables, plots, None if rows is None else _meeple.EpisodeRows.of_columns(rows), pairs)


class _Played(Tabular):
    """Common parts of all results: tables, plots and pickles. Copies and pickles have the same data as the
    original."""

    def __init__(
        self, native: _meeple.Simulated | _meeple.Swept | _meeple.Tournament | _Kept, faults: list[PlayerFaults]
    ) -> None:
        self._played = native
        #: Failures of players in Python by player, if they were forgiven.
        self.faults = faults

    def plots(self) -> dict[str, str]:
        """The plots that `--out` draws, in SVG, by name."""
        return dict(self._played.plots())

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes the plots into a folder, as SVG files of their names. The folder is created if it is
        missing. Returns the paths.

        Raises `UsageError` if the folder cannot be made, and `Failure` if a file cannot be written.
        """
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"folder: expected one that can be written, found an error: {error}") from error
        plots = {folder / f"{name}.svg": plot for name, plot in self.plots().items()}
        for path, plot in plots.items():
            _replace(path, plot)
        return list(plots)

    def __reduce__(self) -> tuple[Any, ...]:
        native = self._played
        rows = None if isinstance(native, (_meeple.Swept, _meeple.Tournament)) else native.rows()
        pairs = "[]" if isinstance(native, (_meeple.Simulated, _meeple.Swept)) else native.pairs()
        kept = _Kept(native.json(), native.tables(None), native.plots(), rows, pairs)
        return type(self), (kept, self.faults)

    def __copy__(self) -> Self:
        # A result is immutable.
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return self._played.tables(None)

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(repr(self))}</pre>" + "".join(self.plots().values())


class EpisodeRows(Tabular):
    """A row for every seat and episode, in order, with the columns of `episodes.parquet`. `len` is the number
    of rows.

    Readers of Arrow capsules take the rows without a copy: `polars.DataFrame(rows)`, `pyarrow.table(rows)`.
    """

    def __init__(self, native: _meeple.EpisodeRows) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def columns(self) -> Columns:
        """The rows as numpy arrays of the same length: int64, int32, float64, or texts."""
        columns: Columns = {}
        for name, raw, kind, known in self._native.columns():
            values = np.frombuffer(raw, kind)
            columns[name] = values if known is None else np.array(known)[values]
        return columns

    def __len__(self) -> int:
        return len(self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rows, (self._native.columns(),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        names = [name for name, *_ in self._native.columns()]
        return f"<EpisodeRows: {len(self)} rows; {', '.join(names)}>"


def _rows(columns: Any) -> EpisodeRows:
    return EpisodeRows(_meeple.EpisodeRows.of_columns(columns))


class Simulation(_Played):
    """The result of a simulation. It is shown as the tables that `meeple sim` prints, in a notebook with
    plots."""

    def __init__(self, native: _meeple.Simulated | _Kept, faults: list[PlayerFaults]) -> None:
        super().__init__(native, faults)
        self._rows = native.rows()
        whole: dict[str, Any] = json.loads(native.json())
        #: Duration of the simulation, in seconds.
        self.seconds: float = whole["seconds"]
        #: The summary without times, as `meeple sim --json --no-times` prints it.
        self.summary: dict[str, Any] = _timeless(whole)

    @property
    def rows(self) -> EpisodeRows:
        """A row for every seat and episode. Raises `UsageError` if rows were not kept."""
        if self._rows is None:
            raise UsageError("expected a simulation that keeps its episodes, found another\nhint: sim(…, keep=True)")
        return EpisodeRows(self._rows)

    @property
    def episodes(self) -> int:
        """Number of episodes played."""
        return int(self.summary["episodes"])

    def columns(self, table: str = "agents") -> Columns:
        """A table as columns: `agents`, `seats`, or `turns` (places in the turn order) in games that draw
        one.

        An interval becomes two columns, `NAME_low` and `NAME_high`. Figures of seats are `stats.NAME.mean`
        and so on. Missing values are NaN.
        """
        rows = self.summary.get(table) if table in ("agents", "seats", "turns") else None
        if rows is None:
            known = ", ".join(name for name in ("agents", "seats", "turns") if name in self.summary)
            raise UsageError(f"unknown table '{table}'\nhint: there are {known}")
        return _columns([_flat(row) for row in rows])


class Sweep(_Played):
    """The result of a sweep. It is shown as the tables that `meeple sweep` prints, in a notebook with
    plots."""

    def __init__(self, native: _meeple.Swept | _Kept, faults: list[PlayerFaults]) -> None:
        super().__init__(native, faults)
        #: All cells without times, as `meeple sweep --json --no-times` prints them.
        self.summary: dict[str, Any] = _timeless(json.loads(native.json()))

    def columns(self) -> Columns:
        """One row for every cell and agent: the swept values, and the columns of `Simulation.columns`."""
        cells = self.summary["cells"]
        return _columns([{**cell["at"], **_flat(agent)} for cell in cells for agent in cell["agents"]])


class Tournament(_Played):
    """The result of a tournament. It is shown as the tables that `meeple tournament` prints, in a notebook
    with plots."""

    def __init__(self, native: _meeple.Tournament | _Kept, faults: list[PlayerFaults]) -> None:
        super().__init__(native, faults)
        #: The standings, as `meeple tournament --json` prints them.
        self.summary: dict[str, Any] = json.loads(native.json())
        self._pairs = native.pairs

    def columns(self, table: str = "standings") -> Columns:
        """A table as columns: `standings`, or `matchups` with a row for every two players that have met.

        An interval becomes two columns, `NAME_low` and `NAME_high`. Missing values are NaN. With more than
        100 players the summary has no matchups, but this table has them.
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
    """The result of a game's tool. It is shown as the tables that the command line prints."""

    def __init__(self, data: Any, tables: list[Table], shown: str) -> None:
        #: The data that `--json` prints.
        self.data = data
        #: Tables for people: title, column heads, rows, notes.
        self.tables = tables
        self._shown = shown

    def __repr__(self) -> str:
        return self._shown

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self._shown)}</pre>"


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
    """Plays many episodes and returns statistics, as `meeple sim` does. The same seed gives the same numbers.

    `agents` is a line-up, one player per seat. Players are specs of agents (`turn:7`, `random:0.2*3`,
    `Bob=turn:7`), functions of a turn, or objects with a method `act`. They may also be classes of such
    objects, of which every episode makes a new one. Exceptions of players in Python are raised here. With
    `on_error="fault"` the rules' fallback action is taken instead, and `faults` lists them.

    `set` holds variant parameters, and may name a `profile`. `threads=0` uses all cores, or a single one with
    players in Python; results do not depend on it. `progress` is called every 50 ms with the numbers of
    finished and of all episodes; `True` shows a bar of tqdm. With `keep` the result has `rows`, one for every
    seat and episode, of about 100 bytes each.

    Raises `UsageError` for an unknown name or a number out of bounds (`n` and `seed` are below 2**64), `KeyboardInterrupt` within
    50 ms and an episode after Ctrl-C, and whatever players and `progress` raise. Such an error has what was played until then as its
    attribute `partial`: a `Simulation`, or `None` if no episode was.
    """
    run, names, players = _run(game, agents, n, set, seed, seating, threads, on_error)
    with _told(progress, n) as told, _partial(Simulation, names):
        return _result(Simulation, _meeple.sim(*run, told, players, bool(keep)), names)


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
    """Plays every combination of values of one or two parameters, as `meeple sweep` does. Every cell has `n`
    episodes with the same deals.

    A range stands in the spec of an agent (`turn:1..20`) or in `set` (`{"rounds": "3..7"}`). Other arguments
    are those of `sim`. The attribute `partial` of an error is a `Sweep` of the cells with episodes.
    """
    run, names, players = _run(game, agents, n, set, seed, seating, threads, on_error)
    with _told(progress, None) as told, _partial(Sweep, names):
        return _result(Sweep, _meeple.sweep(*run, told, players), names)


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
    """Checks the arguments of a run. Returns them for the engines, the names of players in Python, and these
    players."""
    entries, names, players = line_up(agents)
    native_players = _native_players(players, threads, on_error)
    run = (
        text("game", game),
        entries,
        settings(set),
        whole("n", n),
        whole("seed", seed),
        text("seating", seating),
        1 if players else whole("threads", threads, high=2**32 - 1),
    )
    return run, names, native_players


def _native_players(players: list[Any], threads: int, on_error: str) -> _meeple._Players | None:
    """Checks players in Python. Returns them in the form for the engines."""
    if on_error not in ("raise", "fault"):
        raise UsageError(f"on_error: expected raise or fault, found '{on_error}'")
    threads = whole("threads", threads, high=2**32 - 1)
    if players and threads > 1:
        raise UsageError(f"threads: expected 1 with players in Python, found {threads}\nhint: they share one interpreter")
    return (Players(players), on_error == "fault", len(players)) if players else None


Result = TypeVar("Result", Simulation, Sweep, Tournament)


def _result(kind: type[Result], native: Any, players: list[str]) -> Result:
    """Makes a result of an engine's, with the failures of players in Python by player."""
    return kind(native, [PlayerFaults(name, *fault) for name, fault in zip(players, native.faults(), strict=True)])


@contextmanager
def _partial(kind: type[Result], players: list[str]) -> Iterator[None]:
    """Makes a result of the episodes before an error: the error's attribute `partial`."""
    try:
        yield
    except BaseException as error:
        native = getattr(error, "partial", None)
        if isinstance(native, (_meeple.Simulated, _meeple.Swept, _meeple.Tournament)):
            error.partial = _result(kind, native, players)  # type: ignore[attr-defined]
        raise


@contextmanager
def _told(progress: Progress, total: int | None) -> Iterator[Callable[[int, int], None] | None]:
    """A context with the function that gets reports of progress."""
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


class TournamentOptions(TypedDict, total=False):
    """Options of a tournament that affect its results."""

    #: `round-robin` (default), `single`, `battle-royale`, `gauntlet` (all others meet the `anchors`) or
    #: `vs-zombies`.
    schedule: str | None
    #: Number of players at a table, from 1 to 4096.
    table: int | None
    #: Number of seat rotations of every deal, from 1 to 4096.
    rotations: int | None
    #: The fixed opponents in a gauntlet.
    anchors: Iterable[str]
    #: The player whose rating is fixed at 0.
    anchor: str | None
    #: Variant parameters.
    set: Settings | None
    #: Seed of the deals, from 0 to 2**128 - 1; 1 by default.
    seed: int
    #: Number of bootstrap resamples for the intervals of ratings, from 50 to 100,000.
    resamples: int | None


def tournament(
    game: str,
    agents: LineUp,
    deals: int | None = None,
    *,
    threads: int = 0,
    on_error: str = "raise",
    progress: Progress = None,
    **options: Unpack[TournamentOptions],
) -> Tournament:
    """Plays a tournament, as `meeple tournament` does: standings with ratings and their intervals, and a
    cross table.

    `agents` are specs of agents (`turn:7`, `Bob=turn:7`), or players in Python as in `sim`. Names must
    differ. `deals` is the number of deals for each table. Further options are those of `TournamentOptions`;
    all other arguments are those of `sim`. The attribute `partial` of an error is a `Tournament`.
    """
    entries, names, players = line_up(agents)
    native_players = _native_players(players, threads, on_error)
    meeting = _meeting(game, entries, deals, threads=threads, **options)
    with _told(progress, None) as told, _partial(Tournament, names):
        return _result(Tournament, _meeple.tournament(*meeting, told, native_players), names)


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
    """Checks the arguments of a tournament. Returns them for the engines."""
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
    """Runs a tool of a game, as `meeple NAME GAME ARGUMENTS` does. Files that the arguments name are read and
    written."""
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
    `width` in pixels, from 16 to 10,000).

    Raises `UsageError` if the file cannot be read or there is no such moment, and `Failure` if the replay is not one.
    """
    if format not in ("svg", "png"):
        raise UsageError(f"format: expected svg or png, found '{format}'")
    stored = replay if isinstance(replay, str) and replay.lstrip().startswith("{") else _read(Path(replay))
    pixels = whole("width", width, 16, 10_000) if format == "png" else None
    at = whole("at", at, -(2**62), 2**62)
    drawn = _meeple.render(stored, at, viewer_word(viewer), pixels)
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
    """Writes a file atomically."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(content)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Failure(f"expected to write {path}, found an error: {error}") from error


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Fields with one value per name: an interval becomes two values."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name.startswith("by_"):
            continue
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": item for inner, item in _flat(value).items()})
        elif isinstance(value, list) or (value is None and name.endswith(("_ci", "interval"))):
            # Without an interval both bounds are NaN.
            low, high = value or (float("nan"), float("nan"))
            flat.update({f"{name.removesuffix('_ci')}_low": low, f"{name.removesuffix('_ci')}_high": high})
        else:
            flat[name] = float("nan") if value is None else value
    return flat


def _without_lists(row: dict[str, Any]) -> dict[str, Any]:
    """A standing without counts by place and by kind of fault, which have no column."""
    lists = ("placements", "faults", "rank_at_most")
    kept = {name: value for name, value in row.items() if name not in lists}
    return {name: _without_lists(value) if isinstance(value, dict) else value for name, value in kept.items()}


def _columns(rows: list[dict[str, Any]]) -> Columns:
    """One array per name, from rows."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: np.array([row.get(name, float("nan")) for row in rows]) for name in names}


def _timeless(value: Any) -> Any:
    """A summary without durations, so that equal plans give equal results."""
    if isinstance(value, dict):
        times = ("seconds", "episodes_per_second", "decisions_per_second")
        return {name: _timeless(item) for name, item in value.items() if name not in times}
    return [_timeless(item) for item in value] if isinstance(value, list) else value
