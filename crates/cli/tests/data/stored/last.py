"""A bot that takes the last legal action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    kind = message["t"]
    if kind == "hello":
        answer = {"t": "hello", "v": 1, "name": "bot"}
    elif kind == "start":
        answer = {"t": "ready", "g": message["g"]}
    elif kind == "turn":
        answer = {"t": "move", "g": message["g"], "n": message["n"], "a": len(message["legal"]) - 1}
    else:
        continue
    print(json.dumps(answer), flush=True)
