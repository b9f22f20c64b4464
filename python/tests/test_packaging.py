"""What packages hold: all that a build needs in the source distribution, and one library of bounded size in the wheel."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    made = subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "--out", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )
    assert made.returncode == 0, made.stderr
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def test_the_source_distribution_holds_every_file_that_the_library_was_built_from(unpacked):
    """Cargo lists them, files that are included as texts or bytes among them."""
    listed = (TARGET / "debug/lib_meeple.d").read_text().split(": ", 1)[1].replace("\\ ", "\0").split()
    sources = {Path(os.path.normpath(path.replace("\0", " "))) for path in listed}
    ours = [path.relative_to(ROOT) for path in sources if path.is_relative_to(ROOT) and not path.is_relative_to(TARGET)]
    assert len(ours) > 300
    assert not [str(path) for path in ours if not (unpacked / path).is_file()]


def test_the_source_distribution_is_a_workspace_that_cargo_and_maturin_read(unpacked):
    words = ["cargo", "metadata", "--offline", "--locked", "--format-version", "1", "--manifest-path", "crates/py/Cargo.toml"]
    read = subprocess.run(words, cwd=unpacked, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr
    # What lies beside the package, and its texts.
    for path in ("python/data/purelib/game17.py", "python/meeple/py.typed", "docs/python.md", "LICENSE-MIT", "LICENSE-APACHE"):
        assert (unpacked / path).is_file(), path


def test_nothing_but_numpy_is_needed():
    needed = [line for line in importlib.metadata.requires("meeple") or [] if "extra ==" not in line]
    assert [re.split(r"\W", line)[0] for line in needed] == ["numpy"]


def test_a_wheel_is_one_library_for_all_versions_and_of_bounded_size():
    """Here it is the tests' library, hardly optimised; the published one has at most 8 MB (docs/measured.md)."""
    (wheel,) = (TARGET / "python-tests/wheels").glob("*.whl")
    assert "-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        libraries = [entry for entry in packed.namelist() if entry.endswith((".so", ".pyd", ".dylib"))]
    assert len(libraries) == 1
    assert wheel.stat().st_size < 16_000_000
