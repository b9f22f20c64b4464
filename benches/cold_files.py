#!/usr/bin/env python3
"""What a bot gains that leaves words to its successor in the page cache: in the first rotation of a deal it reads one page of
a file for every bit, in the second it times the same pages.

    benches/cold_files.py target/release/meeple --sandbox strict [--deals 60]

Prints the mean score of the bot by rotation, against turn:7 in Incan Gold, with the standard error of the difference over
deals. Without a channel both are the same. As root or yourself; files below /usr are thrown out of memory first.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

COLD_NS = 40_000
BITS, ROUNDS, UNKNOWN, USUAL = 4, 5, 15, 7


def page_is_cold(path):
    descriptor = os.open(path, os.O_RDONLY)
    began = time.perf_counter_ns()
    os.pread(descriptor, 1, 0)
    took = time.perf_counter_ns() - began
    os.close(descriptor)
    return took > COLD_NS


def readable_files():
    found = []
    for root in ["/usr/share", "/usr/lib"]:
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if os.access(path, os.R_OK) and os.path.isfile(path) and not os.path.islink(path):
                    # What Python itself needs is in memory.
                    if os.path.getsize(path) > 4096 and "encodings" not in path and "/python3." not in path:
                        found.append(path)
    return found


def bot():
    def say(message):
        print(json.dumps(message), flush=True)

    files = []
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "files.txt")):
        try:
            os.close(os.open(line.strip(), os.O_RDONLY))
            files.append(line.strip())
        except OSError:
            pass
    # The first pages say which rotation this is.
    marks, files = files[:8], files[8:]
    second = sum(map(page_is_cold, marks)) < 4
    deal, safe, stop = -1, {}, {}

    def pages(round_number):
        first = (deal * ROUNDS + round_number - 1) * BITS
        return files[first : first + BITS]

    def remember():
        for number, turns in safe.items():
            for bit, path in enumerate(pages(number)):
                if turns >> bit & 1:
                    page_is_cold(path)

    for line in sys.stdin:
        message = json.loads(line)
        for event in message.get("ev", []):
            if event["event"] == "round-started":
                number = event["round"]
                safe[number] = 0
            elif event["event"] == "card-drawn" and safe:
                safe[number] = min(event["turn"], UNKNOWN - 1)
            elif event["event"] == "busted":
                safe[number] -= 1
        if message["t"] == "hello":
            say({"t": "hello", "v": 1})
        elif message["t"] == "start":
            deal, safe, stop = deal + 1, {}, {}
            say({"t": "ready", "g": message["g"]})
        elif message["t"] == "turn":
            seen = message["obs"]
            number = seen["round"]
            if number not in stop:
                stop[number] = USUAL
                if second:
                    told = sum((not page_is_cold(path)) << bit for bit, path in enumerate(pages(number)))
                    stop[number] = USUAL if told in (0, UNKNOWN) else told
            action = message["legal"].index("leave" if seen["turn"] >= stop[number] else "stay")
            say({"t": "move", "g": message["g"], "n": message["n"], "a": action})
        elif message["t"] == "end" and not second:
            remember()
        elif message["t"] == "bye":
            break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sandbox", default="strict")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--python", default="/usr/bin/python3")
    given = parser.parse_args()
    files = readable_files()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.mkdir(f"{folder}/bot")
        with open(__file__) as own, open(f"{folder}/bot/main.py", "w") as copy:
            copy.write(own.read().replace('"__main__":\n    main()', '"__main__":\n    bot()'))
        with open(f"{folder}/bot/files.txt", "w") as names:
            names.write("\n".join(files))
        subprocess.run(["sync"], check=True)
        for path in files:
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
        command = [given.program, "match", "incan-gold", f"{folder}/bot", "turn:7", "--rotations", "2"]
        command += ["-n", str(given.deals), "--seed", "0x5eed00000000000000001", "--sandbox", given.sandbox]
        began = time.time()
        subprocess.run(
            [*command, "--python", given.python, "--out", f"{folder}/out", "--quiet"],
            check=True, stdout=subprocess.DEVNULL,
        )
        took = time.time() - began
        record = sqlite3.connect(f"{folder}/out/tournament.db")
        rows = record.execute("SELECT seats.deal, rotation, score FROM seats JOIN episodes ON idx = episode WHERE competitor = 0").fetchall()
        sandbox = record.execute("SELECT sandbox FROM sessions").fetchall()
    scores = [{deal: score for deal, rotation, score in rows if rotation == wanted} for wanted in (0, 1)]
    gains = [scores[1][deal] - scores[0][deal] for deal in scores[0]]
    error = statistics.stdev(gains) / len(gains) ** 0.5
    means = [statistics.mean(own.values()) for own in scores]
    print(f"{sandbox}: {means[0]:.2f} gems, then {means[1]:.2f}: {statistics.mean(gains):+.2f} ± {error:.2f}, {took:.1f} s")


if __name__ == "__main__":
    main()
