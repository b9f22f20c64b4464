"""Fills a server's file: tables, a member, an upload, a run, and competitions. One competition is cut off.

    python3 serve.py MEEPLE FILE.db
"""

import html
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Browser:
    def __init__(self, address):
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def send(self, path, fields=None, body=None):
        """Sends a request. Returns the path that it leads to, the response's headers, and the page."""
        data = body if fields is None else urllib.parse.urlencode(fields).encode()
        request = urllib.request.Request(self.address + path, data=data)
        request.add_header("origin", self.address)
        if body is not None:
            request.add_header("content-type", "application/octet-stream")
        with self.opener.open(request) as answer:
            return urllib.parse.urlparse(answer.geturl()).path, answer.headers, answer.read().decode()

    def open(self, game, fields):
        return self.send(f"/new/{game}", {**fields, "seed": "1"})[0]

    def play(self, table, most):
        """Answers with the first action, until the game is over or `most` answers are given."""
        for _ in range(most):
            page = self.send(table)[2]
            while "It is your turn." not in page:
                if "is over." in page:
                    return
                time.sleep(0.01)
                page = self.send(table)[2]
            fields = {name: re.search(f'type="hidden" name="{name}" value="([^"]*)"', page)[1] for name in ("seat", "number")}
            action = html.unescape(re.search('name="action" value="([^"]*)"', page)[1])
            self.send(f"{table}/act", {**fields, "action": action})

    def wait(self, job):
        seen = "0"
        while True:
            headers = self.send(f"{job}/part?seen={seen}")[1]
            if headers["x-running"] == "false":
                return
            seen = headers["x-version"]


def main(meeple, file, do):
    """Starts a server of this file, calls `do` with its address, and kills the server."""
    command = [meeple, "serve", "--port", "0", "--data", file, "--accounts"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        do(server.stdout.readline().strip().rstrip("/"))
    finally:
        server.kill()
        server.wait()


def fill(address):
    ann, guest = Browser(address), Browser(address)
    ann.send("/register", {"name": "Ann", "password": "four words are long"})
    own = ann.open("incan-gold", {"seat.0": "me", "seat.1": "friend", "time": "10m+5s"})
    guest.send(f"{own}/join", {"seat": "1", "name": "Ben"})
    ann.play(own, 1)
    whole = guest.open("incan-gold", {"preset": "boxed", "agent.0": "me", "agent.1": "me"})
    guest.play(whole, 1000)
    for game in ("carcassonne", "cartolan", "privateers"):
        guest.play(guest.open(game, {"agent.0": "me", "agent.1": "random"}), 6)
    replay = guest.send(f"/r/{whole[3:]}/replay.json")[2]
    guest.send("/api/v1/replays", body=replay.encode())
    guest.wait(guest.send("/competitions/incan-gold", {"others": "turn:7\nnever", "deals": "4"})[0])
    guest.wait(guest.send("/lab/incan-gold", {"agent.0": "turn:7", "episodes": "40"})[0])
    # This competition is cut off in the middle.
    running = guest.send("/competitions/carcassonne", {"others": "greedy\nmcts:iterations=10", "deals": "20"})[0]
    seen = guest.send(f"{running}/part?seen=0")[1]
    headers = guest.send(f"{running}/part?seen={seen['x-version']}")[1]
    assert headers["x-running"] == "true", "it has ended before it was cut off"


if __name__ == "__main__":
    main(*sys.argv[1:], fill)
