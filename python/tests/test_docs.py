"""Runs the examples of the guide, and checks the types of the package."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import GAMES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("page", "least"), [("docs/reference/python.md", 9), ("docs/tutorials/python.md", 4)])
def test_the_examples_of_the_guides_work(page, least):
    blocks = re.findall(r"^```pycon\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= least
    text = "\n".join(blocks)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=flags).run(test, out=told.append)
    assert not told, "".join(told)


def test_the_line_of_the_readme_prints_a_table_and_draws_plots(tmp_path):
    (line,) = re.findall(r"^python -c '(.*)'$", (ROOT / "README.md").read_text(), re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "turn" in done.stdout and "20" in done.stdout
    drawn = list((tmp_path / "plots").iterdir())
    assert drawn and all(path.suffix == ".svg" and path.read_text().startswith("<svg") for path in drawn)


@pytest.mark.parametrize("words", [["mypy", "--config-file", "pyproject.toml"], ["mypy.stubtest", "meeple._meeple"]])
def test_the_types_are_right(words):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_names_no_game():
    names = [spelling for game in GAMES for spelling in (game, game.replace("-", "_"), game.replace("-", "").capitalize())]
    for path in (ROOT / "python/meeple").glob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            # Texts on their own are docstrings, which may have examples.
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""
        code = ast.unparse(tree)
        assert not [name for name in names if name in code], path
