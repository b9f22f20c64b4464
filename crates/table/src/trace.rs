//! What is remembered of a frame, so that what changes to the next one can be told without keeping it.

use crate::frame::{Frame, Moment};
use crate::mark::{mark, marks};

/// What is remembered of a frame: by hashes, of 64 bits, of its lines and fields. A thousand tables have three viewers
/// each, and drawings of 35 kB to 400 kB.
///
/// That two lines of successive frames have the same hash by chance is a matter of some 10^-13 a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub moment: Moment,
    pub you: Option<usize>,
    pub drawing: Box<[u64]>,
    pub text: Box<[u64]>,
    pub seats: Box<[u64]>,
    pub ask: u64,
    pub draft: u64,
    /// How many lines the log has, and all of them together.
    pub log: (usize, u64),
    /// How it ended; `None` if it has not.
    pub ending: Option<u64>,
    /// Bytes of the drawing.
    pub drawing_len: usize,
}

impl Trace {
    /// Of this frame.
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
