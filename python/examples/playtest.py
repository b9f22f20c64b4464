"""A designer's playtest of Cartolan: how a game goes, and what one changed rule does to it.

    python playtest.py [FOLDER]        # with a folder, the plots are written there

Its output is in playtest.out: the same seed plays the same games on any machine.
"""

import sys
from pathlib import Path

import meeple

GAMES = 300
TESTERS = ["explorer", "trader", "router"]
FIGURES = ["placed", "failed_explorations", "lead", "winner_vault_share"]

played = meeple.sim("cartolan", TESTERS, n=GAMES, seed=1)
told = played.summary
print(f"{GAMES} games of {', '.join(TESTERS)}")
print("ended by: " + ", ".join(f"{end} {100 * count / GAMES:.0f} %" for end, count in told["ends"].items()))
length = told["length"]
print(f"rounds: median {length['p50']}, one in ten below {length['p10']} or above {length['p90']}, longest {length['max']}")
for name in FIGURES:
    figure = told["figures"][name]
    print(f"{name}: {told['stats'][name]['mean']:.2f} {figure['unit']}. {figure['meaning']}")

print("\nWho starts? Share of the wins by place in the order of turns, with its 95 % interval")
turns = played.columns("turns")
for place, share, low, high in zip(
    turns["turn"], turns["win_share"], turns["win_share_low"], turns["win_share_high"], strict=True
):
    print(f"{place}: {100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f})")

print("\nWhat do they do? Means by player")
columns = played.columns()
for name, wealth, explored, trades, agents in zip(
    columns["name"],
    columns["mean_score"],
    columns["stats.explored.mean"],
    columns["stats.trades.mean"],
    columns["stats.agents.mean"],
    strict=True,
):
    print(f"{name}: {wealth:.1f} wealth, {explored:.1f} tiles explored, {trades:.1f} trades, {agents:.1f} agents placed")

# Every cell sees the same deals, so only the changed rule makes a difference.
print("\nA game ends by the margin when somebody leads by so much. What if it were another?")
margins = meeple.sweep("cartolan", TESTERS, n=GAMES, set={"margin": "10..40+15"}, seed=1)
for cell in margins.summary["cells"]:
    ends, length = cell["ends"], cell["length"]
    wins = ", ".join(f"{agent['name']} {100 * agent['win_share']:.0f} %" for agent in cell["agents"])
    print(
        f"{cell['at']['margin']}: {100 * ends.get('margin', 0) / GAMES:.0f} % end by it, "
        f"median {length['p50']} rounds; wins: {wins}"
    )

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for begin, result in (("playtest", played), ("margin", margins)):
        for title, svg in result.plots().items():
            (folder / f"{begin}-{title}.svg").write_text(svg, encoding="utf-8")
