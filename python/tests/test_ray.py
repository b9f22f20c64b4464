"""The laboratory on a cluster of Ray, whose nodes run on this machine. One of them is killed."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import meeple
import pytest
from test_shards import told

ray = pytest.importorskip("ray") if os.environ.get("CI") != "true" else __import__("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")

from meeple import ray as on_ray  # noqa: E402
from meeple import shards  # noqa: E402

# Ray leaves its sockets and files open until the end of the process.
pytestmark = [pytest.mark.filterwarnings("ignore::ResourceWarning"), pytest.mark.filterwarnings("ignore::FutureWarning")]

LINE_UP = ["turn:7", "random:0.2*2"]


@pytest.fixture
def cluster():
    """A head node that plays nothing, and two nodes of one core."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    made = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.workers = [made.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_cluster_plays_what_one_machine_plays(cluster, tmp_path):
    whole = meeple.sim("incan-gold", LINE_UP, 4000, seed=3)
    for count in (1, 4):
        spread = on_ray.sim("incan-gold", LINE_UP, 4000, seed=3, shards=count)
        assert told(spread) == told(whole)
    one, spread = meeple.sweep("incan-gold", "turn:3..6", 500), on_ray.sweep("incan-gold", "turn:3..6", 500, shards=3)
    assert told(spread) == told(one)
    agents = ["turn:7", "turn:9", "random:0.2"]
    one, spread = meeple.tournament("incan-gold", agents, 4), on_ray.tournament("incan-gold", agents, 4, shards=3)
    assert told(spread) == told(one)
    # Parts of an abandoned run are not played again.
    job = shards.sim("incan-gold", LINE_UP, 4000, seed=3, shards=4)
    for index in (0, 2):
        job.part(index, tmp_path)
    before = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    resumed = on_ray.sim("incan-gold", LINE_UP, 4000, seed=3, shards=4, folder=tmp_path)
    assert told(resumed) == told(whole)
    after = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    assert len(before) == 2 and len(after) == 4 and before.items() <= after.items()
    # An exception of a part is raised here unchanged.
    with pytest.raises(meeple.UsageError, match="unknown agent 'tern'"):
        on_ray.sim("incan-gold", "tern:7", 100, shards=2)


def test_a_node_that_is_killed_loses_nothing(cluster, tmp_path):
    began, never = tmp_path / "began", tmp_path / "never"
    os.mkfifo(began)
    os.mkfifo(never)

    def held(job, index, folder):
        """The first attempt at the second part writes its node and waits forever; the retry plays
        normally."""
        seen = Path(folder) / "seen"
        if index == 1 and not seen.exists():
            seen.touch()
            began.write_text(ray.get_runtime_context().get_node_id())
            never.read_text()
        return job.part(index, folder)

    job = shards.sim("incan-gold", LINE_UP, 4000, seed=3, shards=4)
    results = []
    folder = tmp_path / "parts"
    folder.mkdir()
    playing = threading.Thread(target=lambda: results.append(on_ray._run(job, folder, 3, held)))
    playing.start()
    # The main thread waits here until the part is being played.
    node = began.read_text()
    (killed,) = [worker for worker in cluster.workers if worker.node_id == node]
    cluster.remove_node(killed, allow_graceful=False)
    playing.join()
    assert (folder / "seen").exists()
    assert [told(result) for result in results] == [told(meeple.sim("incan-gold", LINE_UP, 4000, seed=3))]
