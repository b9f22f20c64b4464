//! Faults of a stored episode, as reported to viewers.

use meeple_core::{EpisodeView, Phase, Replay, ReplayFault, Viewer};

use crate::names::Names;

/// Reports each fault of a replay to a viewer once, when the seat at fault decides.
///
/// If it is secret that a seat decides ([`EpisodeView::decides_openly`]), other viewers receive the report
/// only when the game is over.
pub struct FaultLog {
    viewer: Viewer,
    names: Names,
    due: Vec<ReplayFault>,
    /// Number of steps of the whole replay.
    steps: usize,
}

impl FaultLog {
    pub fn new(viewer: Viewer, replay: &Replay) -> Self {
        let (names, due) = (Names::new(&replay.players), replay.faults.clone());
        Self { viewer, names, due, steps: replay.steps.len() }
    }

    /// The faults up to this step that the viewer may know now and has not received. Faults after the last
    /// step are reported at the end of the replay.
    pub fn until(&mut self, step: usize, episode: &dyn EpisodeView) -> Vec<String> {
        let over = episode.phase() == Phase::Over;
        let mut sentences = Vec::new();
        self.due.retain(|fault| {
            let may_hear = over || episode.decides_openly() || self.viewer.sees(fault.seat);
            let tells = fault.step <= step && may_hear;
            if tells {
                sentences.push(fault.sentence(&self.names.name(fault.seat.index())));
            }
            !tells
        });
        sentences
    }

    /// The faults since the last call. A fault is reported after the step that it led to; at the end of the
    /// replay the faults without such a step follow.
    pub fn news(&mut self, episode: &dyn EpisodeView) -> Vec<String> {
        match episode.steps() {
            made if made >= self.steps => self.until(made, episode),
            0 => Vec::new(),
            made => self.until(made - 1, episode),
        }
    }
}
