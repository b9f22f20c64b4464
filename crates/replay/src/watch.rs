//! Moments of an episode worth a picture, and the events between them.

use meeple_core::{EpisodeView, EventCursor, Information, Level, Phase, Seat, Viewer};

/// Selects the moments of an episode worth a picture.
pub struct Moments {
    viewer: Viewer,
    /// Cursor behind the events already reported: scanning all events at every step would be quadratic.
    heard: EventCursor,
    /// True before the first call.
    starts: bool,
}

impl Moments {
    /// The selection for this viewer.
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, heard: EventCursor::default(), starts: true }
    }

    /// The events since the last call, and whether this moment is shown.
    pub fn news(&mut self, episode: &dyn EpisodeView) -> News {
        let events = episode.news(self.viewer, &mut self.heard);
        let landmark = events.iter().any(|event| event.level == Level::Round);
        let shown = std::mem::take(&mut self.starts) || episode.phase() != Phase::Chance || landmark;
        News { texts: events.into_iter().map(|event| event.text).collect(), shown, landmark }
    }
}

/// Events for a viewer since the last call.
pub struct News {
    /// Texts of the events.
    pub texts: Vec<String>,
    /// True if the moment is worth a picture: a decision, the start, the end, or a chance draw after a
    /// landmark such as the end of a round.
    pub shown: bool,
    /// True if one of the events is a landmark.
    pub landmark: bool,
}

/// Returns true if a viewer may learn a seat's decision. With hidden information, only events reveal others'
/// decisions.
pub fn may_hear(episode: &dyn EpisodeView, viewer: Viewer, seat: usize) -> bool {
    let own = seat < episode.seats() && viewer.sees(Seat::new(seat));
    own || episode.info().information != Information::Hidden
}
