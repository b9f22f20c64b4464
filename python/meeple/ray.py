"""Simulations, sweeps and tournaments on a cluster of Ray: `sim`, `sweep` and `tournament` as in `meeple`,
spread over its nodes.

Each is divided into parts (`meeple.shards`). A part is a task for one core, and is retried if its node is
lost. The result is that of one machine to the last digit.

With a `folder` on storage that all nodes see, parts are stored there, and a repeated call continues with
them. All nodes need the same version of this package.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Unpack, cast

import ray

from meeple import shards as parts
from meeple._errors import Failure
from meeple._players import LineUp
from meeple.laboratory import Simulation, Sweep, Tournament, TournamentOptions

__all__ = ["sim", "sweep", "tournament"]

Folder = str | os.PathLike[str] | None

# Seconds that the other parts get to end by themselves after one has raised an exception. Most often all
# parts raise the same one.
POLL_SECONDS = 10


def sim(
    game: str,
    agents: LineUp,
    n: int = 10_000,
    *,
    shards: int = parts.SHARDS,
    folder: Folder = None,
    retries: int = 3,
    **options: Unpack[parts.RunOptions],
) -> Simulation:
    """`meeple.sim` on the cluster, in `shards` parts. A part whose node is lost is retried up to `retries`
    times."""
    return cast(Simulation, _run(parts.sim(game, agents, n, shards=shards, **options), folder, retries))


def sweep(
    game: str,
    agents: LineUp,
    n: int = 10_000,
    *,
    shards: int = parts.SHARDS,
    folder: Folder = None,
    retries: int = 3,
    **options: Unpack[parts.RunOptions],
) -> Sweep:
    """`meeple.sweep` on the cluster; further arguments are those of `sim`."""
    return cast(Sweep, _run(parts.sweep(game, agents, n, shards=shards, **options), folder, retries))


def tournament(
    game: str,
    agents: str | Iterable[str],
    deals: int | None = None,
    *,
    shards: int = parts.SHARDS,
    folder: Folder = None,
    retries: int = 3,
    **options: Unpack[TournamentOptions],
) -> Tournament:
    """`meeple.tournament` on the cluster; further arguments are those of `sim`."""
    return cast(Tournament, _run(parts.tournament(game, agents, deals, shards=shards, **options), folder, retries))


def _part(job: parts.Job, index: int, folder: Folder) -> bytes:
    return job.part(index, folder)


def _run(
    job: parts.Job, folder: Folder, retries: int, part: Callable[[parts.Job, int, Folder], bytes] = _part
) -> Simulation | Sweep | Tournament:
    """Plays all parts as tasks, and merges them."""
    where = None if folder is None else os.path.abspath(folder)
    task = ray.remote(num_cpus=1, max_retries=retries)(part)
    tasks = [task.remote(job, index, where) for index in range(job.shards)]
    left = tasks
    try:
        done = ray.get(tasks)
        left = []
        return job.merge(done)
    except ray.exceptions.RayTaskError as error:
        # Cancelling a task at the moment of its end would end this whole process: Ray's check of
        # `submissible_tasks_` fails (ray-project/ray#54738; seen with 2.60).
        left = ray.wait(tasks, num_returns=len(tasks), timeout=POLL_SECONDS, fetch_local=False)[1]
        # The exception of the part itself is raised, as if it had been played here.
        raise error.as_instanceof_cause() from None  # type: ignore[no-untyped-call]
    except ray.exceptions.RayError as error:
        kept = "" if where is None else f"\nhint: the same call goes on with the parts that are in {where}"
        raise Failure(f"a part was lost {retries + 1} times: {error}{kept}") from error
    finally:
        for one in left:
            ray.cancel(one, force=True)
