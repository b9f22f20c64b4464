//! One moment of a replay, by its number.

use meeple_core::{AnyEntry, EventCursor, Phase, Replay, ReplayError, Viewer};
use meeple_scene::{Key, Scene, Screen};

use crate::faults::FaultLog;

/// What a viewer sees at a moment.
pub struct Moment {
    /// The drawing.
    pub scene: Scene,
    /// What shapes and colours of the drawing stand for.
    pub legend: Vec<Key>,
    /// The board as text.
    pub screen: Screen,
    /// What has happened since the moment before, as far as the viewer may know; faults of players first.
    pub news: Vec<String>,
    /// Steps of the replay that were made.
    pub steps: usize,
    /// Whether the game is over.
    pub over: bool,
}

/// How many moments a viewer sees, at least one. Everything is verified for that.
///
/// # Errors
/// The first thing of the replay that does not fit.
pub fn count_moments(entry: &dyn AnyEntry, replay: &Replay, viewer: Viewer) -> Result<usize, ReplayError> {
    let mut count = 0;
    entry.replay(replay, viewer, &mut |_| count += 1)?;
    Ok(count)
}

/// The moment of this number, from 0, among those that the viewer may know of; nothing if there are not so many.
///
/// # Errors
/// The first thing of the replay that does not fit.
pub fn moment(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    number: usize,
) -> Result<Option<Moment>, ReplayError> {
    let (mut index, mut told) = (0, EventCursor::default());
    let mut faults = FaultLog::new(viewer, replay);
    let mut found = None;
    entry.replay(replay, viewer, &mut |episode| {
        if index <= number {
            let news = episode.news(viewer, &mut told);
            let mut lines = faults.news(episode);
            lines.extend(news.into_iter().map(|event| event.text));
            if index == number {
                found = Some(Moment {
                    scene: episode.draw(viewer, &replay.players),
                    legend: episode.legend(&replay.players),
                    screen: episode.screen(viewer, &replay.players),
                    news: lines,
                    steps: episode.steps(),
                    over: episode.phase() == Phase::Over,
                });
            }
        }
        index += 1;
    })?;
    Ok(found)
}
