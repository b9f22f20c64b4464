//! Moments of an episode worth a picture, and the events between them.

use meeple_core::{EpisodeView, EventCursor, Information, Level, Phase, Seat, Viewer};

pub struct Moments {
    viewer: Viewer,
    /// Position behind the reported events: scanning all at every step would be quadratic.
    heard: EventCursor,
    starts: bool,
}

impl Moments {
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, heard: EventCursor::default(), starts: true }
    }

    pub fn news(&mut self, episode: &dyn EpisodeView) -> News {
        let events = episode.news(self.viewer, &mut self.heard);
        let landmark = events.iter().any(|event| event.level == Level::Round);
        let shown = std::mem::take(&mut self.starts) || episode.phase() != Phase::Chance || landmark;
        News { texts: events.into_iter().map(|event| event.text).collect(), shown, landmark }
    }
}

pub struct News {
    pub texts: Vec<String>,
    /// True at a decision, the start, the end, or a chance draw after a landmark such as the end of a round.
    pub shown: bool,
    pub landmark: bool,
}

/// Returns true if a viewer may learn a seat's decision. With hidden information, only events reveal others'
/// decisions.
pub fn may_hear(episode: &dyn EpisodeView, viewer: Viewer, seat: usize) -> bool {
    let own = seat < episode.seats() && viewer.sees(Seat::new(seat));
    own || episode.info().information != Information::Hidden
}
