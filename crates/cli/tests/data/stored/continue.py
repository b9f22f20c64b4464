"""Continues the unfinished parts of a server's file: a member's table with a friend, and a competition that
was cut off.

    python3 continue.py MEEPLE FILE.db
"""

import hashlib
import itertools
import re
import sqlite3
import sys
import time

from serve import Browser, main

TABLE, COMPETITION = "sd3d9c7jwwv5", "6d5ecabcd2736826494c"
# Nobody has the friend's key any more, so this key is added.
KEY = "abcdefghijkmnpqrstuvwxyz"


def waits(what):
    """Yields the numbers of attempts, and fails after two minutes."""
    began = time.monotonic()
    for attempt in itertools.count():
        assert time.monotonic() < began + 120, f"waited two minutes for {what}"
        yield attempt


def go_on(address):
    ann, ben = Browser(address), Browser(address)
    ann.send("/login", {"name": "Ann", "password": "four words are long"})
    ben.send(f"/t/{TABLE}/seat/{KEY}")
    for turn in waits("the end of the game"):
        player = (ben, ann)[turn % 2]
        page = player.send(f"/t/{TABLE}")[2]
        if "The game is over." in page:
            break
        if "It is your turn." in page:
            player.play(f"/t/{TABLE}", 1)
    # The competition was cut off after two episodes.
    seen = "0"
    for _ in waits("five episodes"):
        _, headers, page = ann.send(f"/c/{COMPETITION}/part?seen={seen}")
        found = re.search("(?P<n>[0-9]+) of 40 episodes are played", page) or re.search("Done: (?P<n>40) episodes", page)
        if int(found["n"]) >= 5:
            break
        seen = headers["x-version"]


if __name__ == "__main__":
    meeple, file = sys.argv[1:]
    with sqlite3.connect(file) as database:
        hashed = hashlib.sha256(KEY.encode()).digest()
        database.execute("insert into key(game, hash, seat) values (?, ?, 1)", (TABLE, hashed))
    database.close()
    main(meeple, file, go_on)
    with sqlite3.connect(file) as database:
        ended = database.execute("select ended from game where id = ?", (TABLE,)).fetchone()
        assert ended != (None,), "the table is over, and that is stored"
    database.close()
