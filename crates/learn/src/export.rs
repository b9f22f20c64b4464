//! Export to ONNX.
//!
//! A file is a protocol buffers message (onnx.proto3 of ONNX); the few needed fields are written by number.

use crate::checkpoint::Checkpoint;

/// Versions of the format and of its operator set, read by programs of 2022 and later.
const IR_VERSION: u64 = 8;
const OPSET: u64 = 17;
/// Element type of 32-bit numbers.
const FLOAT: u64 = 1;

/// Writes an ONNX file with input `encoding` `[n, features]` and output `value` `[n, 1]`, in units of the
/// goal. Its metadata are those that the agent `onnx` requires.
///
/// # Panics
/// For a model with units, which are stateful, and for a policy, whose scores are no values.
pub fn to_onnx(checkpoint: &Checkpoint) -> Vec<u8> {
    assert!(checkpoint.reservoir.is_none(), "only feed-forward networks are exported");
    assert!(checkpoint.critic.is_none(), "values are exported, not policies");
    let network = &checkpoint.network;
    let mut graph = Message::default();
    let mut begin = 0;
    let mut from = "encoding".to_owned();
    let sizes = network.sizes();
    let last = sizes.len() - 2;
    for (layer, pair) in sizes.windows(2).enumerate() {
        let (weights, end) = (pair[0] * pair[1], (pair[0] + 1) * pair[1]);
        let numbers = &network.weights[begin..begin + end];
        begin += end;
        let [weight, bias, sums] = ["weight", "bias", "sums"].map(|what| format!("layers.{layer}.{what}"));
        graph.message(5, &tensor(&weight, pair, &numbers[..weights]));
        graph.message(5, &tensor(&bias, &pair[1..], &numbers[weights..]));
        graph.message(1, &node("Gemm", &[&from, &weight, &bias], &sums));
        from = sums;
        if layer < last {
            let cut = format!("layers.{layer}.cut");
            graph.message(1, &node("Relu", &[&from], &cut));
            from = cut;
        }
    }
    // The output is scaled to units of the goal.
    graph.message(5, &tensor("scale", &[1], &[network.scale]));
    graph.message(5, &tensor("middle", &[1], &[network.offset]));
    graph.message(1, &node("Mul", &[&from, "scale"], "scaled"));
    graph.message(1, &node("Add", &["scaled", "middle"], "value"));
    graph.bytes(2, b"meeple");
    graph.message(11, &rows("encoding", sizes[0]));
    graph.message(12, &rows("value", 1));

    let mut operators = Message::default();
    operators.bytes(1, b"");
    operators.whole(2, OPSET);
    let mut model = Message::default();
    model.whole(1, IR_VERSION);
    model.bytes(2, b"meeple");
    model.message(7, &graph);
    model.message(8, &operators);
    let about = &checkpoint.about;
    let goal = serde_json::to_value(about.goal).expect("plain data");
    for (key, value) in [
        ("game", about.game.clone()),
        ("rules_version", about.rules_version.to_string()),
        ("encoding_version", about.encoding_version.to_string()),
        ("seats", about.seats.to_string()),
        ("goal", goal.as_str().expect("a word").to_owned()),
        ("spread", network.scale.to_string()),
    ] {
        let mut pair = Message::default();
        pair.bytes(1, key.as_bytes());
        pair.bytes(2, value.as_bytes());
        model.message(14, &pair);
    }
    model.0
}

/// A `TensorProto` message.
fn tensor(name: &str, shape: &[usize], numbers: &[f32]) -> Message {
    let mut tensor = Message::default();
    shape.iter().for_each(|size| tensor.whole(1, *size as u64));
    tensor.whole(2, FLOAT);
    tensor.bytes(8, name.as_bytes());
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tensor.bytes(9, &raw);
    tensor
}

/// A `NodeProto` message.
fn node(operator: &str, inputs: &[&str], output: &str) -> Message {
    let mut node = Message::default();
    inputs.iter().for_each(|input| node.bytes(1, input.as_bytes()));
    node.bytes(2, output.as_bytes());
    node.bytes(3, output.as_bytes());
    node.bytes(4, operator.as_bytes());
    node
}

/// A `ValueInfoProto` message of shape `[n, columns]`.
fn rows(name: &str, columns: usize) -> Message {
    let (mut any, mut fixed) = (Message::default(), Message::default());
    any.bytes(2, b"n");
    fixed.whole(1, columns as u64);
    let mut shape = Message::default();
    shape.message(1, &any);
    shape.message(1, &fixed);
    let mut tensor = Message::default();
    tensor.whole(1, FLOAT);
    tensor.message(2, &shape);
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut info = Message::default();
    info.bytes(1, name.as_bytes());
    info.message(2, &kind);
    info
}

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn whole(&mut self, field: u64, number: u64) {
        self.number(field << 3);
        self.number(number);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.number(field << 3 | 2);
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }

    /// Writes a varint: seven bits a byte, the lowest first; the highest bit marks a continuation.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}
