"""Makes the networks of the tests, and what onnxruntime says of drawn rows: python make.py.

Needs onnx 1.23, onnxruntime 1.32 and numpy. Networks are of Incan Gold with two seats, as somebody would write them who
trains in Python, with operators that ours have not.
"""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).parent
NUMBERS, ACTIONS = 40, 2
FACTS = {"game": "incan-gold", "rules_version": "1", "encoding_version": "1", "seats": "2", "goal": "win"}
draws = np.random.default_rng(22)


def weights(name: str, *shape: int) -> onnx.TensorProto:
    return numpy_helper.from_array((draws.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32), name)


def model(nodes, constants, outputs, rows="n", facts=FACTS, numbers=NUMBERS) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("encoding", TensorProto.FLOAT, [rows, numbers])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, size]) for name, size in outputs],
        constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(made, facts)
    onnx.checker.check_model(made)
    return made


def body(numbers=NUMBERS):
    """Two hidden layers, the second beside the first."""
    return (
        [
            helper.make_node("MatMul", ["encoding", "w0"], ["a0"]),
            helper.make_node("Add", ["a0", "b0"], ["h0"]),
            helper.make_node("Tanh", ["h0"], ["t0"]),
            helper.make_node("Gemm", ["t0", "w1", "b1"], ["h1"], transB=1),
            helper.make_node("Relu", ["h1"], ["t1"]),
            helper.make_node("Concat", ["t0", "t1"], ["both"], axis=1),
        ],
        [weights("w0", numbers, 12), weights("b0", 12), weights("w1", 6, 12), weights("b1", 6)],
    )


def value_head():
    return (
        [helper.make_node("Gemm", ["both", "wv", "bv"], ["v"]), helper.make_node("Tanh", ["v"], ["value"])],
        [weights("wv", 18, 1), weights("bv", 1)],
    )


def policy_head():
    # It goes on exploring, which the value is against.
    return (
        [helper.make_node("Gemm", ["both", "wp", "bp"], ["p"]),
         helper.make_node("LogSoftmax", ["p"], ["policy"], axis=1)],
        [weights("wp", 18, ACTIONS), numpy_helper.from_array(np.array([2, -2], np.float32), "bp")],
    )


def put(name: str, made: onnx.ModelProto) -> None:
    (FOLDER / name).write_bytes(made.SerializeToString())


nodes, constants = body()
value, policy = value_head(), policy_head()
both = model(nodes + value[0] + policy[0], constants + value[1] + policy[1], [("value", 1), ("policy", ACTIONS)])
put("both.onnx", both)
put("value.onnx", model(nodes + value[0], constants + value[1], [("value", 1)]))
put("policy.onnx", model(nodes + policy[0], constants + policy[1], [("policy", ACTIONS)]))
put("one-row.onnx", model(nodes + value[0], constants + value[1], [("value", 1)], rows=1))
put("no-facts.onnx", model(nodes + value[0], constants + value[1], [("value", 1)], facts={}))
# The logarithm of what may be below 0 is no number.
log = [helper.make_node("Gemm", ["both", "wv", "bv"], ["v"]), helper.make_node("Log", ["v"], ["value"])]
put("no-number.onnx", model(nodes + log, constants + value[1], [("value", 1)]))
# A policy of three actions, for a game that has two.
wide = [weights("wp", 18, 3), weights("bp", 3)]
put("wide.onnx", model(nodes + policy[0], constants + wide, [("policy", 3)]))
narrow = body(39)
put("narrow.onnx", model(narrow[0] + value[0], narrow[1] + value[1], [("value", 1)], numbers=39))

rows = draws.uniform(-1, 1, size=(100, NUMBERS)).astype(np.float32)
session = onnxruntime.InferenceSession(both.SerializeToString(), providers=["CPUExecutionProvider"])
told = session.run(["value", "policy"], {"encoding": rows})
(FOLDER / "rows.f32").write_bytes(rows.astype("<f4").tobytes())
(FOLDER / "told.f32").write_bytes(np.concatenate(told, axis=1).astype("<f4").tobytes())
print(f"onnxruntime {onnxruntime.__version__}: {len(rows)} rows of {NUMBERS} numbers")
