"""A bot that remembers deals by every means that a program has, and uses what it knows.

In Incan Gold it leaves before the card that ends the round. In game17 it reports an error if it has seen the
deal before. With RECALLS = False the bot writes as much but never reads: the same bot without a memory.
"""
import json
import os
import socket
import sys
import threading

RECALLS = True
PLACES = {os.environ.get("TMPDIR"), os.environ.get("HOME"), os.getcwd(), "/tmp", "/dev/shm", "/var/tmp", "/run",
          os.path.dirname(os.path.abspath(__file__))}
FILES = [os.path.join(place, name) for place in PLACES if place for name in ("deals", ".deals")]
DOORS = [(socket.AF_UNIX, "\0meeple-memory-bot"), (socket.AF_INET, ("127.0.0.1", 47123))]


def quietly(action, *arguments):
    try:
        return action(*arguments)
    except Exception:
        return None


def exchange(door, text):
    """Leaves a text with the process behind a door. Returns the text left there before."""
    with socket.socket(door[0], socket.SOCK_STREAM) as link:
        link.settimeout(0.5)
        link.connect(door[1])
        link.sendall(text.encode() + b"\n")
        return link.makefile().readline()


def keep_doors():
    """Serves the doors: the work of a process that is left behind as a memory."""
    held = [b"[]\n"]

    def serve(door):
        with socket.socket(door[0], socket.SOCK_STREAM) as entrance:
            entrance.bind(door[1])
            entrance.listen()
            while True:
                link, _ = entrance.accept()
                line = link.makefile().readline().encode()
                before, held[0] = held[0], line if line.strip() else held[0]
                link.sendall(before)
                link.close()

    threads = [threading.Thread(target=quietly, args=(serve, door)) for door in DOORS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def leave_behind(action):
    """Starts a process that nobody waits for, in a session of its own if that is allowed."""
    child = quietly(os.fork)
    if child is None:
        return
    if child > 0:
        os.waitpid(child, 0)
        return
    quietly(os.setsid)
    if quietly(os.fork) == 0:
        for descriptor in range(3):
            quietly(os.close, descriptor)
        quietly(action)
    os._exit(0)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


def remember(deals):
    text = json.dumps(deals)
    for path in FILES:
        quietly(write, path, text)
    # A folder that the bot hides must not outlive it either.
    quietly(os.mkdir, os.path.join(os.environ.get("TMPDIR", "/tmp"), "hidden"))
    quietly(write, os.path.join(os.environ.get("TMPDIR", "/tmp"), "hidden/deals"), text)
    for door in DOORS:
        quietly(exchange, door, text)


def recall():
    found = [quietly(read, path) for path in FILES + [os.path.join(os.environ.get("TMPDIR", "/tmp"), "hidden/deals")]]
    found += [quietly(exchange, door, "") for door in DOORS]
    deals = [quietly(json.loads, text) for text in found if text]
    return max((known for known in deals if known), key=len, default=[])


known = recall() if RECALLS else []
leave_behind(keep_doors)
seen = []
for line in sys.stdin:
    message = json.loads(line)
    kind = message["t"]
    if kind == "hello":
        print(json.dumps({"t": "hello", "v": 1, "name": "memory"}), flush=True)
    elif kind == "start":
        seen = []
        print(json.dumps({"t": "ready", "g": message["g"]}), flush=True)
    elif kind == "turn":
        answer = {"t": "move", "g": message["g"], "n": message["n"]}
        for event in message["ev"]:
            if event["event"] == "card-drawn":
                seen.append(event["card"])
            elif event["event"] in ("board", "turn-order"):
                seen.append(event["owners"])
        # Four events are enough to recognise a deal.
        same = [deal for deal in known if len(seen) >= 4 and len(deal) > len(seen) and deal[:len(seen)] == seen]
        if isinstance(message["legal"], list):
            observation = message["obs"]
            leave = observation["backpack"] >= 12
            if same and RECALLS:
                leave = same[0][len(seen)] in observation["path"] and not same[0][len(seen)].startswith("gem")
            answer["a"] = message["legal"].index("leave" if leave else "stay")
        elif RECALLS and message["n"] == 0 and seen in [deal[:2] for deal in known]:
            answer["error"] = "I have seen this deal"
        else:
            answer["m"] = []
        print(json.dumps(answer), flush=True)
    elif kind == "end":
        known.append(seen)
        remember(known)
