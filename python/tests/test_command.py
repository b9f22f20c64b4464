"""`python -m meeple` is the program `meeple`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

BINARY = os.environ.get("MEEPLE_BINARY")


def called(*words, program=(sys.executable, "-m", "meeple"), cwd=None):
    done = subprocess.run([*program, *words], capture_output=True, cwd=cwd, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "help exact",
        "games --json",
        "agents cartolan",
        "sim incan-gold turn:7 random:0.2 -n 500 --seed 3 --json --no-times",
        "exact incan-gold solo turn:5..7",
        "rules game17",
        "sim incan-gld turn:7",
        "sim --no-such-flag",
        "play incan-gold human --seed 3",
        "replay nothing.json",
    ],
)
def test_words_mean_the_same(words):
    if BINARY is None:
        pytest.skip("MEEPLE_BINARY names no program to compare with")
    ours, theirs = called(*words.split()), called(*words.split(), program=(BINARY,))
    assert ours == theirs and ours[0] == {"sim incan-gld turn:7": 2, "sim --no-such-flag": 2}.get(words, ours[0])


def test_files_are_those_of_the_program(tmp_path):
    words = "tournament incan-gold turn:7 turn:9 -n 4 --seed 5 --out cup -q".split()
    assert called(*words, cwd=tmp_path)[0] == 0
    # Results contain the command that made them, quoted for a shell.
    kept = [path.read_bytes() for path in (tmp_path / "cup").rglob("*") if path.is_file()]
    assert any(" ".join(["meeple", *words]).encode() in content for content in kept)
    code, told, _ = called("verify", "cup", "-q", cwd=tmp_path)
    assert code == 0 and told.startswith(b"8 of 8 episodes")


def test_bots_are_refused_with_a_hint(tmp_path):
    (tmp_path / "bot.py").write_text("def strategy(name, turn, backpack):\n    return True\n")
    code, _, errors = called("match", "incan-gold", "bot.py", "turn:7", "-n", "1", cwd=tmp_path)
    assert code == 1 and b"expected the program meeple to start bots" in errors and b"hint:" in errors


def test_ctrl_c_ends_it():
    words = "sim cartolan/regular merchant trader -n 100000000 --seed 1".split()
    playing = subprocess.Popen(
        [sys.executable, "-m", "meeple", *words, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # In a terminal Ctrl-C is not ignored, so it must not be ignored here either.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # The command plays without output, so the moment of the signal does not matter.
    playing.send_signal(signal.SIGINT)
    playing.communicate()
    assert playing.returncode != 0
