"""Contents of packages: everything that a build needs in the source distribution, and one library of limited
size in the wheel."""

from __future__ import annotations

import importlib.metadata
import json
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


def metadata(unpacked):
    words = ["cargo", "metadata", "--offline", "--locked", "--format-version", "1", "--manifest-path", "crates/py/Cargo.toml"]
    read = subprocess.run(words, cwd=unpacked, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr
    return json.loads(read.stdout)


def test_the_source_distribution_holds_every_file_that_the_library_was_built_from(unpacked):
    """The compiler lists the files crate by crate, including files that are included as texts or bytes."""
    libraries = [
        target["name"] for package in metadata(unpacked)["packages"] if package["source"] is None
        for target in package["targets"] if {"lib", "cdylib"} & set(target["kind"])
    ]
    sources = set()
    for library in libraries:
        lists = [path for path in (TARGET / "debug/deps").glob(f"{library}*.d") if re.fullmatch(rf"{library}(-\w+)?", path.stem)]
        assert lists, library
        for path in lists:
            lines = [line.removesuffix(":") for line in path.read_text().splitlines() if re.match("[^#].*:$", line)]
            # Lists of the linter name its settings too.
            sources |= {os.path.normpath(ROOT / line.replace("\\ ", " ")) for line in lines if line != "clippy.toml"}
    paths = {Path(path) for path in sources}
    ours = [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT) and not path.is_relative_to(TARGET)]
    # Sources of an older build may be gone, and the linter's lists name its settings.
    ours = [path for path in ours if (ROOT / path).is_file() and str(path) != "clippy.toml"]
    assert len(ours) > 300
    assert not [str(path) for path in ours if not (unpacked / path).is_file()]


def test_the_source_distribution_is_a_workspace_that_cargo_and_maturin_read(unpacked):
    assert "meeple-py" in {package["name"] for package in metadata(unpacked)["packages"]}
    # Files beside the package, and its texts.
    for path in ("python/data/purelib/game17.py", "python/meeple/py.typed", "docs/reference/python.md", "LICENSE-MIT", "LICENSE-APACHE"):
        assert (unpacked / path).is_file(), path


def test_nothing_but_numpy_is_needed():
    needed = [line for line in importlib.metadata.requires("meeple") or [] if "extra ==" not in line]
    assert [re.split(r"\W", line)[0] for line in needed] == ["numpy"]


def test_a_wheel_is_one_library_for_all_versions_and_of_bounded_size():
    """The wheel here has the tests' library, which is not optimised for size and includes ONNX.
    docs/internals/python.md has the size of the published one."""
    (wheel,) = (TARGET / "python-tests/wheels").glob("*.whl")
    assert "-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        libraries = [entry for entry in packed.namelist() if entry.endswith((".so", ".pyd", ".dylib"))]
    assert len(libraries) == 1
    assert wheel.stat().st_size < 32_000_000
