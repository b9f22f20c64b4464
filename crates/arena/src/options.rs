//! How a tournament is run.

use meeple_lab::{Progress, StopFlag};

/// How a tournament is run; nothing here changes its results.
pub struct RunOptions<'a> {
    /// Threads for tournaments among agents of ours and for ratings; 0 for all cores.
    pub threads: usize,
    /// Told how far it is.
    pub progress: &'a mut dyn Progress,
    /// Stops it between two episodes.
    pub stop: &'a StopFlag,
}
