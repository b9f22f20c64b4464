use meeple_lab::{Progress, StopFlag};

/// Options of running a tournament; results do not depend on them.
pub struct RunOptions<'a> {
    /// Threads for tournaments among native agents and for ratings; 0 for all cores.
    pub threads: usize,
    pub progress: &'a mut dyn Progress,
    /// Stops the run between two episodes.
    pub stop: &'a StopFlag,
}
