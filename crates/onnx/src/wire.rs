//! Validation of protobuf messages.
//!
//! The library that reads networks trusts lengths and varints of a file. A length beyond the end makes it
//! jump back to the beginning; a varint without an end makes it read forever. This walk rejects such files.

/// Maximum nesting of messages; each level takes stack.
const DEEPEST: u32 = 40;

/// Kinds of messages in an ONNX file; `Plain` ones contain no others.
#[derive(Clone, Copy)]
enum Kind {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    SparseTensor,
    ValueInfo,
    Type,
    TensorType,
    ElementType,
    Shape,
    Plain,
}

enum Content {
    Message(Kind),
    /// Packed varints.
    Numbers,
    Bytes,
}

impl Kind {
    /// Content of a length-delimited field, by its number in onnx.proto3.
    fn content(self, field: u64) -> Content {
        let kind = match (self, field) {
            (Self::Model, 7) => Self::Graph,
            (Self::Model, 8 | 14) => Self::Plain,
            (Self::Graph, 1) => Self::Node,
            (Self::Graph, 5) | (Self::Attribute, 5 | 10) | (Self::SparseTensor, 1 | 2) => Self::Tensor,
            (Self::Graph, 11..=13) => Self::ValueInfo,
            (Self::Graph, 15) | (Self::Attribute, 22 | 23) => Self::SparseTensor,
            (Self::Graph, 16) | (Self::Node, 9) | (Self::Tensor, 13) => Self::Plain,
            (Self::Node, 5) => Self::Attribute,
            (Self::Attribute, 6 | 11) => Self::Graph,
            (Self::Attribute, 14 | 15) | (Self::ValueInfo, 2) | (Self::ElementType, 1 | 2) => Self::Type,
            (Self::Type, 1 | 8) => Self::TensorType,
            (Self::Type, 4 | 5 | 9) => Self::ElementType,
            (Self::TensorType, 2) => Self::Shape,
            (Self::Shape, 1) => Self::Plain,
            (Self::Tensor, 1 | 5 | 7 | 11) | (Self::Attribute, 8) | (Self::SparseTensor, 3) => {
                return Content::Numbers;
            }
            _ => return Content::Bytes,
        };
        Content::Message(kind)
    }
}

/// Returns true if the bytes are a model in which every message ends where its length says.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    walk(Kind::Model, bytes, 0).is_some()
}

fn walk(kind: Kind, mut rest: &[u8], depth: u32) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    while !rest.is_empty() {
        let key = number(&mut rest)?;
        match key & 7 {
            0 => drop(number(&mut rest)?),
            1 => rest = rest.get(8..)?,
            2 => {
                let length = usize::try_from(number(&mut rest)?).ok()?;
                let (mut inner, behind) = rest.split_at_checked(length)?;
                rest = behind;
                match kind.content(key >> 3) {
                    Content::Message(kind) => walk(kind, inner, depth + 1)?,
                    Content::Numbers => {
                        while !inner.is_empty() {
                            number(&mut inner)?;
                        }
                    }
                    Content::Bytes => {}
                }
            }
            5 => rest = rest.get(4..)?,
            _ => return None,
        }
    }
    Some(())
}

/// Reads a varint.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for index in 0..10 {
        let byte = *rest.get(index)?;
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            *rest = &rest[index + 1..];
            return (index < 9 || byte <= 1).then_some(number);
        }
    }
    None
}
