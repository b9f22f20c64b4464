//! Stored episodes: finished tables, which are restored from their records, and uploads.
//!
//! Uploads are verified before they are stored, and again whenever they are shown. Sizes are bounded: of a
//! body, of its text, and of all stored uploads together.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use meeple_core::{AnyEntry, AnyEpisode, ForeignRecordError, Replay, ReplayError, Viewer};
use meeple_games::games;
use meeple_replay::{
    Moment, Page, PageBudget, PageSurroundings, Portion, count_moments, moment, parse, read_text,
};

use crate::limits::permits::Permit;
use crate::trouble::UploadError;

/// Upper bound on the body of an upload, in bytes as sent, possibly compressed.
pub const MAX_BODY: usize = 1 << 20;
/// Upper bound on the text of an upload, in bytes.
pub const MAX_TEXT: usize = 8 << 20;
/// Budget of moments in a page, or in one request of its script. Rendering them takes some tenths of a
/// second. A single drawing may exceed it.
pub const PORTION_BUDGET: PageBudget = PageBudget { bytes: 512 << 10, lines: 100_000 };
/// Budget of moments in a file with a whole episode.
pub const FILE_BUDGET: PageBudget = PageBudget { bytes: 16 << 20, lines: 4_000_000 };

pub enum Recorded {
    Ours {
        entry: &'static dyn AnyEntry,
        /// The replay, with its permit for memory.
        replay: Permitted<Replay>,
    },
    /// A record of another program, which the game can show.
    Foreign {
        entry: &'static dyn AnyEntry,
        /// The text as uploaded, with its permit for memory.
        text: Permitted<String>,
    },
}

/// Data of a recorded episode in memory, with its permit for that memory.
pub struct Permitted<T> {
    value: Box<T>,
    _room: Option<Permit>,
}

impl<T> Permitted<T> {
    pub fn new(value: T, room: Option<Permit>) -> Self {
        Self { value: Box::new(value), _room: room }
    }
}

impl<T> Deref for Permitted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A moment of a foreign record.
pub struct ForeignMoment {
    /// The moment's number, from 0.
    pub at: usize,
    /// The last moment's number.
    pub last: usize,
    pub text: String,
    /// The record's summary.
    pub summary: String,
}

impl Recorded {
    /// Parses an upload. `room` is its permit for memory.
    pub fn read(bytes: Vec<u8>, room: Option<Permit>) -> Result<Self, UploadError> {
        let text = read_text(bytes, MAX_TEXT)?;
        for entry in games() {
            if let Some(read) = entry.foreign_record(&text, &[]) {
                // Parsing checks the record's moves.
                read?;
                return Ok(Self::Foreign { entry, text: Permitted::new(text, room) });
            }
        }
        let (replay, entry) = parse(&text)?;
        Ok(Self::Ours { entry, replay: Permitted::new(replay, room) })
    }

    pub fn verify(&self) -> Result<(), UploadError> {
        // Foreign records were checked when they were parsed.
        if let Self::Ours { entry, replay } = self {
            entry.replay(replay, Viewer::Everything, &mut |_| {})?;
        }
        Ok(())
    }

    /// The text to store. Equal replays have equal texts.
    pub fn text(&self) -> String {
        match self {
            Self::Ours { replay, .. } => replay.to_text(),
            Self::Foreign { text, .. } => text.to_string(),
        }
    }
}

/// A moment of a replay by its number, or the last one if the number is too high or missing. Returns its
/// number, the last number, and the moment.
pub fn moment_of(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    wanted: Option<usize>,
) -> Result<(usize, usize, Moment), ReplayError> {
    let last = count_moments(entry, replay, viewer)?.saturating_sub(1);
    let at = wanted.map_or(last, |wanted| wanted.min(last));
    let found = moment(entry, replay, viewer, at)?;
    Ok((at, last, found.expect("the moments were counted")))
}

/// The page of the replay player with its first moments. A standalone page has all moments; `None` if they
/// exceed the budget.
pub fn player(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    around: &PageSurroundings<'_>,
) -> Result<Option<String>, ReplayError> {
    let budget = if around.moments.is_some() { PORTION_BUDGET } else { FILE_BUDGET };
    let mut page = Page::with_portion(viewer, replay, Portion { from: 0, budget });
    if around.moments.is_none() {
        let last = play_to_budget(entry, replay, viewer, &mut page)?;
        return Ok(last.map(|last| page.to_html(&*last, around)));
    }
    // The whole replay is played, because the page also marks the moments that its script loads later.
    let last = entry.replay(replay, viewer, &mut |episode| page.add(episode))?;
    Ok(Some(page.to_html(&*last, around)))
}

/// The moments of a replay from this one on, up to the budget, as JSON.
pub fn moments_from(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    from: usize,
) -> Result<String, ReplayError> {
    let mut page = Page::with_portion(viewer, replay, Portion { from, budget: PORTION_BUDGET });
    play_to_budget(entry, replay, viewer, &mut page)?;
    Ok(page.moments_to_json())
}

/// Plays a replay until the page's budget is spent. `None` if this happens before the end.
fn play_to_budget(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    page: &mut Page,
) -> Result<Option<Box<dyn AnyEpisode>>, ReplayError> {
    struct Spent;
    let played = catch_unwind(AssertUnwindSafe(|| {
        entry.replay(replay, viewer, &mut |episode| {
            page.add(episode);
            if page.until().is_some() {
                // Replays have no other way to end early.
                resume_unwind(Box::new(Spent));
            }
        })
    }));
    match played {
        Ok(last) => last.map(Some),
        Err(reason) if reason.is::<Spent>() => Ok(None),
        Err(panic) => resume_unwind(panic),
    }
}

/// A moment of a foreign record by its number, or the last one if the number is too high.
pub fn foreign_moment(
    entry: &dyn AnyEntry,
    text: &str,
    wanted: usize,
) -> Result<ForeignMoment, ForeignRecordError> {
    let unread = || ForeignRecordError::Record("expected a record of another program".to_owned());
    let record = entry.foreign_record(text, &[]).ok_or_else(unread)??;
    let (mut count, mut found) = (0, None);
    for screen in record.frames {
        if count <= wanted {
            found = Some((count, screen));
        }
        count += 1;
    }
    let (at, screen) = found.ok_or_else(unread)?;
    Ok(ForeignMoment { at, last: count - 1, text: screen.to_plain(), summary: record.summary })
}

/// The name of an episode of a competition or run among the replays.
pub fn episode_name(competition: &str, index: u64) -> String {
    format!("{competition}.{index}")
}
