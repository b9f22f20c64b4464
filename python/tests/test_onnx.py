"""Networks as ONNX files: they give the same values in onnxruntime, and they play here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime

ROOT = Path(__file__).parents[2]
DATA = ROOT / "crates/onnx/tests/data"
SHIPPED = ROOT / "games/incan-gold/learned/net-2.safetensors"


def session(path: Path) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])


def tensors(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a safetensors file, by name."""
    data = path.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__")

    def read(about):
        first, end = (begin + at for at in about["data_offsets"])
        return np.frombuffer(data[first:end], "<f4").reshape(about["shape"])

    return {name: read(about) for name, about in header.items()}


def test_a_network_that_was_exported_says_the_same(binary, tmp_path):
    out = tmp_path / "net.onnx"
    binary("learn", "export", str(SHIPPED), "-o", str(out), prints=False)
    known = tensors(SHIPPED)
    layers = sum(name.endswith(".weight") for name in known)
    rows = np.random.default_rng(3).uniform(-1, 1, (1000, len(known["layers.0.weight"]))).astype(np.float32)
    values = rows
    for layer in range(layers):
        values = values @ known[f"layers.{layer}.weight"] + known[f"layers.{layer}.bias"]
        if layer + 1 < layers:
            values = np.maximum(values, 0)
    middle, scale = known["output"]
    (told,) = session(out).run(["value"], {"encoding": rows})
    assert told.shape == (1000, 1)
    np.testing.assert_allclose(told, middle + scale * values, rtol=0, atol=1e-5)
    # Single rows give the same values as a batch.
    for row, value in zip(rows[:20], told, strict=False):
        np.testing.assert_allclose(session(out).run(["value"], {"encoding": row[None]})[0][0], value, atol=1e-5)
    facts = session(out).get_modelmeta().custom_metadata_map
    assert {key: facts[key] for key in ("game", "seats", "goal")} == {"game": "incan-gold", "seats": "2", "goal": "win"}


def test_what_the_tests_in_rust_compare_with_is_what_onnxruntime_says():
    rows = np.fromfile(DATA / "rows.f32", "<f4").reshape(100, -1)
    told = np.fromfile(DATA / "told.f32", "<f4").reshape(100, 3)
    value, policy = session(DATA / "both.onnx").run(["value", "policy"], {"encoding": rows})
    np.testing.assert_allclose(np.concatenate([value, policy], axis=1), told, rtol=0, atol=1e-6)


def test_networks_play_in_the_arena(binary):
    both = DATA / "both.onnx"
    summary = binary("sim", "incan-gold", f"onnx:{both}", "random", "-n", "100", "--json")
    assert summary["agents"][0]["episodes"] == 100
    error = binary("sim", "cartolan", f"onnx:{both}", "explorer", "-n", "10", fails=True)
    assert "expected game cartolan, found a network for incan-gold" in error
