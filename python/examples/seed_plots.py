"""The plots and numbers of the originals of Incan Gold and Cartolan, from the laboratory.

    python seed_plots.py [FOLDER]        # with a folder, the plots are written there

Incan Gold alone: a player who leaves after a number of turns, with a number of gems in the backpack, or at
random. Incan Gold for two: turn against turn. Cartolan: the statistics of a playtest. The output is in
seed_plots.out.
"""

import sys
from pathlib import Path

import meeple
from meeple import Simulation, Sweep

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None


def keep(name: str, result: Simulation | Sweep) -> None:
    """Writes the plots of a result, if a folder was named."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for title, svg in result.plots().items():
        (folder / f"{name}-{title}.svg").write_text(svg, encoding="utf-8")


print("Incan Gold alone: mean gems")
for parameter, values in (("turn", "1..20"), ("backpack", "5..60+5"), ("random", "0.1..0.9+0.1")):
    swept = meeple.sweep("incan-gold", f"solo {parameter}:{values}", n=2_000, seed=1)
    keep(parameter, swept)
    columns = swept.columns()
    setting = next(iter(columns))
    means = dict(zip(columns[setting].tolist(), columns["mean_score"].tolist(), strict=True))
    best = max(means, key=lambda value: means[value])
    print(f"{setting}: " + " ".join(f"{value:g}:{mean:.1f}" for value, mean in means.items()))
    print(f"  best {best:g}")

print("\nIncan Gold, turn against turn: share of the wins of the first, % (rows: the first, columns: the second)")
turns = range(3, 11)
duel = meeple.sweep("incan-gold", f"turn:{turns[0]}..{turns[-1]} turn:{turns[0]}..{turns[-1]}", n=500, seed=1)
keep("turn-against-turn", duel)
shares = duel.columns()["win_share"]
# Each cell has a row for both agents, and the first row is that of the first agent.
table = (100 * shares.reshape(-1, 2)[:, 0]).reshape(len(turns), len(turns))
print("    " + "".join(f"{turn:6}" for turn in turns))
for turn, row in zip(turns, table, strict=True):
    print(f"{turn:4}" + "".join(f"{share:6.1f}" for share in row))

print("\nCartolan, explorer against trader")
played = meeple.sim("cartolan", ["explorer", "trader"], n=400, seed=1)
keep("cartolan", played)
columns = played.columns()
for name, wins, wealth in zip(columns["name"], columns["wins"], columns["mean_score"], strict=True):
    print(f"{name}: {wins} wins, mean wealth {wealth:.2f}")
for end, count in played.summary["ends"].items():
    print(f"ended by {end}: {count}")
