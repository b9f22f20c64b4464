"""The examples print the texts in the files beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_examples_print_what_lies_beside_them(script, tmp_path):
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == script.with_suffix(".out").read_text()
    if script.stem == "seed_plots":
        names = {path.name.split("-")[0] for path in tmp_path.glob("*.svg")}
        assert names == {"turn", "backpack", "random", "cartolan"}
