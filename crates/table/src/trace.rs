//! Traces of frames: hashes from which the patch to the next frame is made, without the old frame.

use crate::frame::{Frame, FrameId};
use crate::mark::{mark, marks};

/// A frame's trace: 64-bit hashes of its lines and fields. Hosts store it instead of the frame. A thousand
/// tables have three viewers each, and a drawing has 35 kB to 400 kB.
///
/// Two lines of successive frames collide with a probability of about 10^-13 per patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub moment: FrameId,
    pub you: Option<usize>,
    pub drawing: Box<[u64]>,
    pub text: Box<[u64]>,
    pub seats: Box<[u64]>,
    pub ask: u64,
    pub draft: u64,
    /// Number of log lines, and one hash of all of them.
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
