"""A bot that plays every game at random. Standard library only.

    meeple check-bot bots/python/random_bot.py
"""

import json
import random
import sys


def say(message):
    print(json.dumps(message, separators=(",", ":")), flush=True)


def random_turn(obs):
    """game17: sends every piece of every own square in a random direction."""
    size, me = obs["size"], obs["to_move"]
    moves = []
    for square, (owner, count) in enumerate(zip(obs["owners"], obs["numbers"])):
        if owner != me:
            continue
        going = dict.fromkeys("nsew", 0)
        for _ in range(count):
            going[random.choice("nsew")] += 1
        row, column = divmod(square, size)
        moves += [[row, column, way, pieces] for way, pieces in going.items() if pieces]
    return moves


for line in sys.stdin:
    message = json.loads(line)
    kind = message["t"]
    if kind == "hello":
        say({"t": "hello", "v": 1, "name": "random", "repeatable": True})
    elif kind == "start":
        random.seed(message["seed"])
        say({"t": "ready", "g": message["g"]})
    elif kind == "turn":
        answer = {"t": "move", "g": message["g"], "n": message["n"]}
        legal = message["legal"]
        if isinstance(legal, list):
            answer["a"] = random.randrange(len(legal))
        elif legal["spec"] == "game17/moves":
            answer["m"] = random_turn(message["obs"])
        else:
            answer["error"] = "this bot does not know " + legal["spec"]
        say(answer)
    elif kind == "bad":
        print("refused:", message["msg"], file=sys.stderr)
    elif kind == "bye":
        break
