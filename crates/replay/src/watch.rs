//! What of an episode is worth a picture, and what a viewer may be told of it.

use meeple_core::{EpisodeView, EventCursor, Information, Level, Phase, Seat, Viewer};

/// Finds the moments of an episode that are worth a picture.
pub struct Moments {
    viewer: Viewer,
    /// Events that have been heard: found from here on, as looking through all at every step is quadratic.
    heard: EventCursor,
    /// Whether nothing has been asked yet.
    starts: bool,
}

impl Moments {
    /// Of what this viewer sees.
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, heard: EventCursor::default(), starts: true }
    }

    /// What is new since the last call.
    pub fn news(&mut self, episode: &dyn EpisodeView) -> News {
        let events = episode.news(self.viewer, &mut self.heard);
        let landmark = events.iter().any(|event| event.level == Level::Round);
        let shown = std::mem::take(&mut self.starts) || episode.phase() != Phase::Chance || landmark;
        News { texts: events.into_iter().map(|event| event.text).collect(), shown, landmark }
    }
}

/// What a viewer has heard since it was shown something.
pub struct News {
    /// The events.
    pub texts: Vec<String>,
    /// Whether there is something to look at: somebody to decide, the start or the end, or chance about to act
    /// after a landmark, as when a round has ended.
    pub shown: bool,
    /// Whether there was a landmark.
    pub landmark: bool,
}

/// Whether a viewer may hear what a seat has decided. Where seats know different things, what a decision shows
/// of itself is for the events to tell.
pub fn may_hear(episode: &dyn EpisodeView, viewer: Viewer, seat: usize) -> bool {
    let own = seat < episode.seats() && viewer.sees(Seat::new(seat));
    own || episode.info().information != Information::Hidden
}
