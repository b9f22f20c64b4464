"""Simulations, sweeps and tournaments in parts, for any number of machines.

A part is a pure function of the request and its number. It becomes bytes, which can be stored and sent.
Merged in order, the parts give the result of one machine to the last digit. `meeple.ray` and `meeple shard`
on the command line work the same way.

    job = shards.sim("incan-gold", ["turn:7", "turn:8"], n=1_000_000, shards=16)
    parts = [job.part(index) for index in range(job.shards)]      # anywhere, in any order
    result = job.merge(parts)                                     # as from meeple.sim
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack

from meeple import _meeple
from meeple._errors import Failure, UsageError
from meeple._players import LineUp
from meeple._words import Settings, whole
from meeple.laboratory import Simulation, Sweep, Tournament, TournamentOptions, _meeting, _run

__all__ = ["Job", "sim", "sweep", "tournament"]

#: Default number of parts: more than most users have cores, yet each part is long enough to be worth its
#: start.
SHARDS = 64

#: First bytes of a part's file.
_FORMAT = b"meeple part 1\n"


@dataclass(frozen=True)
class Job:
    """A request to be played in parts. It can be pickled and sent. `sim`, `sweep` and `tournament` make
    it."""

    #: `sim`, `sweep` or `tournament`.
    verb: str
    #: Number of parts.
    shards: int
    _asked: tuple[Any, ...]

    @property
    def key(self) -> str:
        """A hash of the request and of this release's version: 16 hexadecimal digits, for names of files."""
        text = repr((_meeple.__version__, self.verb, self.shards, self._asked))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def part(self, index: int, folder: str | os.PathLike[str] | None = None) -> bytes:
        """Plays a part on one thread. With more parts than deal groups the last parts are empty.

        A `folder` lies on storage that all machines see. A complete part in it is read instead of played. A
        part that is played is written to it atomically.
        """
        index = whole("index", index, high=self.shards - 1)
        path = None if folder is None else self.file(index, folder)
        found = None if path is None else _read(path)
        if found is not None:
            return found
        played: bytes = getattr(_meeple, f"{self.verb}_part")(self._asked, index, self.shards) or b""
        if path is not None:
            _write(path, played)
        return played

    def file(self, index: int, folder: str | os.PathLike[str]) -> Path:
        """Path of a part's file."""
        return Path(folder) / f"{self.verb}-{self.key}-{index:05}-of-{self.shards:05}.part"

    def merge(self, parts: Iterable[bytes]) -> Simulation | Sweep | Tournament:
        """The result of one machine, merged from all parts in order."""
        given = list(parts)
        if len(given) != self.shards:
            raise UsageError(f"parts: expected all {self.shards} in order, found {len(given)}")
        merged = getattr(_meeple, f"{self.verb}_of_parts")(self._asked, given)
        result: Simulation | Sweep | Tournament
        match self.verb:
            case "sim":
                result = Simulation(merged, [])
            case "sweep":
                result = Sweep(merged, [])
            case _:
                result = Tournament(merged, [])
        return result


class RunOptions(TypedDict, total=False):
    """Options of simulations and sweeps in parts."""

    #: Variant parameters.
    set: Settings | None
    #: Seed of the run, from 0 to 2**64 - 1.
    seed: int
    #: `rotate`, `fixed`, `shuffle` or `deals`.
    seating: str


def sim(game: str, agents: LineUp, n: int = 10_000, *, shards: int = SHARDS, **options: Unpack[RunOptions]) -> Job:
    """`meeple.sim` in parts. Agents are given by their specs; `options` are `set`, `seed` and `seating`."""
    return _job("sim", shards, _of_run(game, agents, n, **options))


def sweep(game: str, agents: LineUp, n: int = 10_000, *, shards: int = SHARDS, **options: Unpack[RunOptions]) -> Job:
    """`meeple.sweep` in parts. Agents are given by their specs; `options` are `set`, `seed` and `seating`."""
    return _job("sweep", shards, _of_run(game, agents, n, **options))


def tournament(
    game: str,
    agents: str | Iterable[str],
    deals: int | None = None,
    *,
    shards: int = SHARDS,
    **options: Unpack[TournamentOptions],
) -> Job:
    """`meeple.tournament` in parts, with the same `options`."""
    return _job("tournament", min(shards, 65_535), _meeting(game, agents, deals, threads=1, **options))


def _job(verb: str, shards: int, asked: tuple[Any, ...]) -> Job:
    return Job(verb, whole("shards", shards, 1, 2**32), asked)


def _of_run(
    game: str, agents: LineUp, n: int, *, set: Settings | None = None, seed: int = 1, seating: str = "rotate"
) -> tuple[Any, ...]:
    run, _, players = _run(game, agents, n, set, seed, seating, 1, "raise")
    if players is not None:
        raise UsageError(
            "agents: expected agents of the game by their words, found players in Python\nhint: parts are played by other"
            " processes, perhaps on other machines"
        )
    return run


def _read(path: Path) -> bytes | None:
    """Reads the file of a part. `None` if there is none or if it is damaged; the part is then played."""
    try:
        stored = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"cannot read {path}: {error}") from error
    head, checksum, part = stored[: len(_FORMAT)], stored[len(_FORMAT) :][:32], stored[len(_FORMAT) + 32 :]
    return part if (head, checksum) == (_FORMAT, hashlib.sha256(part).digest()) else None


def _write(path: Path, part: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(_FORMAT + hashlib.sha256(part).digest() + part)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Failure(f"expected to write {path}, found an error: {error}") from error
