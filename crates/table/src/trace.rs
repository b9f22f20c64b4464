//! Hashes of a frame, from which a patch to the next frame is made without storing the frame.

use crate::frame::{Frame, Moment};
use crate::mark::{mark, marks};

/// A frame's trace: 64-bit hashes of its lines and fields. It replaces frames because a thousand tables have
/// three viewers each, and drawings of 35 kB to 400 kB.
///
/// The probability that two lines of successive frames collide is some 10^-13 per patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub moment: Moment,
    pub you: Option<usize>,
    pub drawing: Box<[u64]>,
    pub text: Box<[u64]>,
    pub seats: Box<[u64]>,
    pub ask: u64,
    pub draft: u64,
    /// Number of log lines, and the hash of all together.
    pub log: (usize, u64),
    /// Hash of the ending; `None` while the game goes on.
    pub ending: Option<u64>,
    /// Size of the drawing in bytes.
    pub drawing_len: usize,
}

impl Trace {
    /// Computes the trace of a frame.
    pub fn of(frame: &Frame) -> Self {
        Self {
            moment: frame.moment(),
            you: frame.you,
            drawing: marks(frame.drawing.lines()),
            text: marks(frame.text.lines()),
            seats: marks(&frame.seats),
            ask: mark(&frame.ask),
            draft: mark(&frame.draft),
            log: (frame.log.len(), mark(&frame.log)),
            ending: frame.ending.as_ref().map(mark),
            drawing_len: frame.drawing.len(),
        }
    }
}
