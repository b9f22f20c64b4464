"""Tuning a strategy for Incan Gold: a rough sweep, a fine one, a check on fresh deals, and a tournament.

    python tune_strategy.py

Its output is in tune_strategy.out: the same seed plays the same games on any machine.
"""

import meeple
import numpy as np

RIVALS = "turn:7 random:0.2"


def best_of(values: str, seed: int) -> int:
    """The number of gems in the backpack that beats the rivals most often."""
    swept = meeple.sweep("incan-gold", f"backpack:{values} {RIVALS}", n=4_000, seed=seed)
    columns = swept.columns()
    # Every cell and agent has a row. The column of the swept parameter is named after it.
    ours = np.char.startswith(columns["name"], "backpack")
    gems, shares = columns["backpack"][ours], columns["win_share"][ours]
    told = [f"{gem:g} {100 * share:.1f} %" for gem, share in zip(gems, shares, strict=True)]
    print(f"backpack:{values}: " + ", ".join(told))
    return int(gems[shares.argmax()])


print(f"Share of the wins against {RIVALS}")
rough = best_of("5..45+5", seed=1)
best = best_of(f"{rough - 4}..{rough + 4}", seed=1)
print(f"best: backpack:{best}")

# The best of many values is partly lucky, so it is measured again on other deals.
fresh = meeple.sim("incan-gold", f"backpack:{best} {RIVALS}", n=10_000, seed=2).columns()
low, high = 100 * fresh["win_share_low"][0], 100 * fresh["win_share_high"][0]
print(f"on fresh deals: {100 * fresh['win_share'][0]:.1f} % ({low:.1f} to {high:.1f})")

# The best value against two rivals need not be the best against others.
agents = [f"Tuned=backpack:{best}", "turn:7", "hazards:2", "collector:20", "lookahead", "random:0.2"]
met = meeple.tournament("incan-gold", agents, deals=150, seed=3)
print("\nEverybody against everybody: share of the wins, and rating with its 95 % interval")
for row in met.summary["standings"]:
    points, interval = row["rating"]["points"], row["rating"]["interval"]
    # Ratings are relative to the anchor, whose points are fixed and have no interval.
    told = f"{interval[0]:.0f} to {interval[1]:.0f}" if interval else "the anchor"
    print(f"{row['name']}: {100 * row['win_share']:.1f} %, {points:.0f} ({told})")
