"""Parts of simulations, sweeps and tournaments. Played alone and in any order, they make the same whole."""

from __future__ import annotations

import json
import pickle

import meeple
import pytest

from meeple import shards

RUN = {"n": 600, "seed": 7, "set": {"rounds": 3}}
MEETING = {"deals": 4, "seed": 2**100, "resamples": 50}


def told(result):
    """All data of a result except its duration."""
    data = json.loads(result._played.json())
    for cell in [data, *data.get("cells", [])]:
        for time in ("seconds", "episodes_per_second", "decisions_per_second"):
            cell.pop(time, None)
    return type(result), data, result.plots()


def jobs(count):
    """Pairs of a job in parts and the same request in one piece."""
    line_up = ["turn:7", "random:0.2*2"]
    yield shards.sim("incan-gold", line_up, shards=count, **RUN), meeple.sim("incan-gold", line_up, **RUN)
    yield shards.sweep("incan-gold", "turn:3..6", shards=count, **RUN), meeple.sweep("incan-gold", "turn:3..6", **RUN)
    agents = ["turn:7", "turn:9", "random:0.2"]
    yield (
        shards.tournament("incan-gold", agents, shards=count, **MEETING),
        meeple.tournament("incan-gold", agents, **MEETING),
    )


@pytest.mark.parametrize("count", [1, 3, 7, 5000])
def test_parts_in_any_order_are_the_whole(count):
    for job, whole in jobs(count):
        parts = {index: pickle.loads(pickle.dumps(job)).part(index) for index in reversed(range(job.shards))}
        merged = job.merge([parts[index] for index in range(job.shards)])
        assert told(merged) == told(whole)


def test_parts_in_a_folder_are_played_once(tmp_path):
    job, whole = next(jobs(4))
    first = [job.part(index, tmp_path / "new") for index in range(4)]
    files = [job.file(index, tmp_path / "new") for index in range(4)]
    kept = [file.stat() for file in files]
    # Files that are damaged, truncated, or of another format are played again.
    files[1].write_bytes(files[1].read_bytes()[:-1] + b"!")
    files[2].write_bytes(b"")
    again = [job.part(index, tmp_path / "new") for index in range(4)]
    assert again == first and told(job.merge(again)) == told(whole)
    inodes = [file.stat().st_ino == before.st_ino for file, before in zip(files, kept, strict=True)]
    assert inodes[0] and inodes[3] and sorted(tmp_path.glob("new/*")) == sorted(files)
    # A job with another seed has other files.
    other = shards.sim("incan-gold", ["turn:7", "random:0.2*2"], shards=4, **{**RUN, "seed": 8})
    assert other.key != job.key and len({job.key, *(one.key for one, _ in jobs(4))}) == 3


def test_what_is_no_part_is_refused():
    job, _ = next(jobs(3))
    parts = [job.part(index) for index in range(3)]
    for wrong, message in [
        (parts[:2], "parts: expected all 3 in order, found 2"),
        ([parts[0], parts[0], parts[2]], "expected"),
        ([parts[0], b"{}", parts[2]], "part 1: expected what playing it has given, found other bytes"),
    ]:
        with pytest.raises(meeple.MeepleError, match=message):
            job.merge(wrong)
    other = shards.sim("incan-gold", ["turn:8", "random:0.2*2"], shards=3, **RUN)
    with pytest.raises(meeple.MeepleError, match="expected"):
        other.merge(parts)
    for call, message in [
        (lambda: job.part(3), "index: expected a whole number from 0 to 2"),
        (lambda: shards.sim("incan-gold", "turn:7", shards=0), "shards: expected a whole number from 1"),
        (lambda: shards.sim("incan-gold", [lambda turn: turn.legal[0]]), "expected agents of the game by their words"),
        (lambda: shards.sim("incan-gold", lambda turn: turn.legal[0]), "expected a list of players, found one"),
        (lambda: shards.sim("incan-gld", "turn:7").part(0), "unknown game 'incan-gld'"),
    ]:
        with pytest.raises(meeple.UsageError, match=message):
            call()


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(meeple.Failure, match="cannot read|expected to write"):
        next(jobs(1))[0].part(0, tmp_path / "file")
