//! The faults of a stored episode, as its viewers are told of them.

use meeple_core::{EpisodeView, Phase, Replay, ReplayFault, Viewer};

use crate::names::Names;

/// Tells a viewer each fault of a replay once, at the moment at which its seat's decision is made.
///
/// Where it is a secret that a seat decides ([`EpisodeView::decides_openly`]), other viewers are told when the game is over.
pub struct FaultLog {
    viewer: Viewer,
    names: Names,
    /// Faults that the viewer has not been told, in order.
    due: Vec<ReplayFault>,
    /// Steps of the whole replay.
    steps: usize,
}

impl FaultLog {
    /// All faults of a replay, for this viewer.
    pub fn new(viewer: Viewer, replay: &Replay) -> Self {
        let (names, due) = (Names::new(&replay.players), replay.faults.clone());
        Self { viewer, names, due, steps: replay.steps.len() }
    }

    /// The faults up to the step with this index that the viewer is told now. At the end of the replay no step comes, and the
    /// last are told without one.
    pub fn until(&mut self, step: usize, episode: &dyn EpisodeView) -> Vec<String> {
        let over = episode.phase() == Phase::Over;
        let mut told = Vec::new();
        self.due.retain(|fault| {
            let may_hear = over || episode.decides_openly() || self.viewer.sees(fault.seat);
            let tells = fault.step <= step && may_hear;
            if tells {
                told.push(fault.sentence(&self.names.name(fault.seat.index())));
            }
            !tells
        });
        told
    }

    /// The faults that the viewer is told now, with the steps that have been made.
    pub fn news(&mut self, episode: &dyn EpisodeView) -> Vec<String> {
        match episode.steps() {
            made if made >= self.steps => self.until(made, episode),
            0 => Vec::new(),
            made => self.until(made - 1, episode),
        }
    }
}
