"""A simulation, a sweep and a tournament on a cluster of Ray, with parts that outlive it.

    python run_on_ray.py [FOLDER]

Here the cluster is this machine. On a real cluster `ray.init()` finds it, and FOLDER is on storage that all
nodes see.
"""

import logging
import os
import sys
import tempfile

# Ray reads these variables when it is imported.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import meeple
import ray

from meeple import ray as on_ray

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
line_up = ["turn:7", "backpack:20", "random:0.2"]

spread = on_ray.sim("incan-gold", line_up, n=40_000, seed=1, shards=8, folder=folder)
alone = meeple.sim("incan-gold", line_up, n=40_000, seed=1)
for name, share in zip(spread.columns()["name"], spread.columns()["win_share"], strict=True):
    print(f"{name}: {100 * share:.1f} % of the wins")
print("the same as on one machine:", list(spread.columns()["win_share"]) == list(alone.columns()["win_share"]))

# The parts of the first call are in the folder, so a repeated call plays nothing.
print("parts that are kept:", len(list(os.scandir(folder))))
again = on_ray.sim("incan-gold", line_up, n=40_000, seed=1, shards=8, folder=folder)
print("the same from what is kept:", list(again.columns()["win_share"]) == list(spread.columns()["win_share"]))

swept = on_ray.sweep("incan-gold", ["turn:5..9", "random:0.2"], n=5_000, shards=4).columns()
best = swept["win_share"][::2].argmax()
print(f"best turn to leave: {swept['turn'][::2][best]:g}")

met = on_ray.tournament("incan-gold", [*line_up, "lookahead"], deals=50, shards=4)
print("standings:", ", ".join(row["name"] for row in met.summary["standings"]))
ray.shutdown()
