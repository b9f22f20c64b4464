//! One moment of a replay, by its number.

use meeple_core::{AnyEntry, EventCursor, Phase, Replay, ReplayError, Viewer};
use meeple_scene::{Key, Scene, Screen};

use crate::faults::FaultLog;

/// A moment as one viewer sees it.
pub struct Moment {
    pub scene: Scene,
    /// Meanings of shapes and colours in the drawing.
    pub legend: Vec<Key>,
    pub screen: Screen,
    /// Events since the previous moment that the viewer may know. Players' faults come first.
    pub news: Vec<String>,
    /// Number of steps of the replay made so far.
    pub steps: usize,
    pub over: bool,
}

/// Number of moments that a viewer sees, at least one. The function verifies the whole replay.
///
/// # Errors
/// The first mismatch in the replay.
pub fn count_moments(entry: &dyn AnyEntry, replay: &Replay, viewer: Viewer) -> Result<usize, ReplayError> {
    let mut count = 0;
    entry.replay(replay, viewer, &mut |_| count += 1)?;
    Ok(count)
}

/// The moment with this number, from 0, among those that the viewer may notice; `None` beyond the last.
///
/// # Errors
/// The first mismatch in the replay.
pub fn moment(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    number: usize,
) -> Result<Option<Moment>, ReplayError> {
    let (mut index, mut cursor) = (0, EventCursor::default());
    let mut faults = FaultLog::new(viewer, replay);
    let mut found = None;
    entry.replay(replay, viewer, &mut |episode| {
        if index <= number {
            let news = episode.news(viewer, &mut cursor);
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
