//! Moments of an episode that get a picture, and the events between them.

use meeple_core::{EpisodeView, EventCursor, Information, Level, Phase, Seat, Viewer};

pub struct MomentWatcher {
    viewer: Viewer,
    /// Position after the reported events. Scanning all events at every step would take quadratic time.
    heard: EventCursor,
    starts: bool,
}

impl MomentWatcher {
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, heard: EventCursor::default(), starts: true }
    }

    pub fn news(&mut self, episode: &dyn EpisodeView) -> StepEvents {
        let events = episode.news(self.viewer, &mut self.heard);
        let landmark = events.iter().any(|event| event.level == Level::Round);
        let shown = std::mem::take(&mut self.starts) || episode.phase() != Phase::Chance || landmark;
        StepEvents { texts: events.into_iter().map(|event| event.text).collect(), shown, landmark }
    }
}

pub struct StepEvents {
    pub texts: Vec<String>,
    /// True at a decision, at the start or end, or after a landmark such as the end of a round.
    pub shown: bool,
    pub landmark: bool,
}

/// Returns true if a viewer may learn a seat's decision. With hidden information viewers learn others'
/// decisions only from events.
pub fn may_hear(episode: &dyn EpisodeView, viewer: Viewer, seat: usize) -> bool {
    let own = seat < episode.seats() && viewer.sees(Seat::new(seat));
    own || episode.info().information != Information::Hidden
}
