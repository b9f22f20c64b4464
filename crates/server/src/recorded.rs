//! Stored episodes: those of tables that are over, which are made again from their records, and uploads.
//!
//! Whatever was uploaded is verified before it is kept, and anew whenever it is shown. What it takes is bounded: bytes of a
//! body, of its text, and of all that is kept.

use std::ops::Deref;

use meeple_core::{AnyEntry, ForeignRecordError, Replay, ReplayError, Viewer};
use meeple_games::games;
use meeple_replay::{
    Budget, Moment, Page, Portion, ReadError, Surroundings, count_moments, moment, parse, read_text,
};
use thiserror::Error;
use tokio::sync::OwnedSemaphorePermit;

/// The largest body of an upload, in bytes, perhaps compressed.
pub const MOST_BODY: usize = 1 << 20;
/// The longest text of an upload, in bytes.
pub const MOST_TEXT: usize = 8 << 20;
/// What the moments may cost that a page brings, or that its script asks for: some tenths of a second. A single drawing may cost more.
pub const PORTION: Budget = Budget { bytes: 512 << 10, lines: 100_000 };
/// What the moments of a file with a whole episode may cost.
pub const WHOLE: Budget = Budget { bytes: 16 << 20, lines: 4_000_000 };

/// Why an upload is not kept.
#[derive(Debug, Error)]
pub enum UploadError {
    /// It is no replay at all.
    #[error(transparent)]
    Unread(#[from] ReadError),
    /// It is a replay that is wrong.
    #[error(transparent)]
    Wrong(#[from] ReplayError),
    /// It is the record of another program, and wrong.
    #[error(transparent)]
    Foreign(#[from] ForeignRecordError),
    /// There is no room for it.
    #[error(
        "expected at most {most} bytes of uploads, found {found}\nhint: the operator can allow more with --uploads"
    )]
    Full {
        /// How many are kept at most.
        most: u64,
        /// How many there would be.
        found: u64,
    },
}

/// Something that can be played again.
pub enum Recorded {
    /// A replay.
    Ours {
        /// The registry's entry of its game.
        entry: &'static dyn AnyEntry,
        /// It, and the room that it takes.
        replay: Held<Replay>,
    },
    /// A record of another program, whose game shows it.
    Foreign {
        /// The registry's entry of its game.
        entry: &'static dyn AnyEntry,
        /// As it was uploaded, and the room that it takes.
        text: Held<String>,
    },
}

/// Something of a recorded episode in memory, with its share of the room that there is for all of them.
pub struct Held<T> {
    value: Box<T>,
    _room: Option<OwnedSemaphorePermit>,
}

impl<T> Held<T> {
    /// This, in this room.
    pub fn new(value: T, room: Option<OwnedSemaphorePermit>) -> Self {
        Self { value: Box::new(value), _room: room }
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A moment of a foreign record.
pub struct ForeignMoment {
    /// Its number, from 0.
    pub at: usize,
    /// The last.
    pub last: usize,
    /// The board as text.
    pub text: String,
    /// What the record tells.
    pub summary: String,
}

impl Recorded {
    /// Reads what was uploaded, in this room.
    ///
    /// # Errors
    /// If it is nothing that can be read.
    pub fn read(bytes: Vec<u8>, room: Option<OwnedSemaphorePermit>) -> Result<Self, UploadError> {
        let text = read_text(bytes, MOST_TEXT)?;
        for entry in games() {
            if let Some(read) = entry.foreign_record(&text, &[]) {
                // Its moves are checked when it is read.
                read?;
                return Ok(Self::Foreign { entry, text: Held::new(text, room) });
            }
        }
        let (replay, entry) = parse(&text)?;
        Ok(Self::Ours { entry, replay: Held::new(replay, room) })
    }

    /// Whether every step of it is right.
    ///
    /// # Errors
    /// The first that is not.
    pub fn verify(&self) -> Result<(), UploadError> {
        // The moves of others' records were checked when they were read.
        if let Self::Ours { entry, replay } = self {
            entry.replay(replay, Viewer::Everything, &mut |_| {})?;
        }
        Ok(())
    }

    /// What is kept of it: equal replays have equal texts.
    pub fn text(&self) -> String {
        match self {
            Self::Ours { replay, .. } => replay.to_text(),
            Self::Foreign { text, .. } => text.to_string(),
        }
    }
}

/// The moment of this number of a replay, or the last if there are not so many: its number, the last, and what is seen.
///
/// # Errors
/// The first thing of the replay that does not fit.
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

/// The page that plays a replay, with its first moments; with all of them, and nothing if they cost too much, if it stands alone.
///
/// # Errors
/// The first thing of the replay that does not fit.
pub fn player(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    around: &Surroundings<'_>,
) -> Result<Option<String>, ReplayError> {
    let budget = if around.moments.is_some() { PORTION } else { WHOLE };
    let mut page = Page::with_portion(viewer, replay, Portion { from: 0, budget });
    let last = entry.replay(replay, viewer, &mut |episode| page.add(episode))?;
    let fits = around.moments.is_some() || page.until().is_none();
    Ok(fits.then(|| page.to_html(&*last, around)))
}

/// The moments of a replay from this one on, as far as a portion goes, as JSON.
///
/// # Errors
/// The first thing of the replay that does not fit.
pub fn moments_from(
    entry: &dyn AnyEntry,
    replay: &Replay,
    viewer: Viewer,
    from: usize,
) -> Result<String, ReplayError> {
    let mut page = Page::with_portion(viewer, replay, Portion { from, budget: PORTION });
    entry.replay(replay, viewer, &mut |episode| page.add(episode))?;
    Ok(page.moments_to_json())
}

/// The moment of this number of a foreign record, or the last if there are not so many.
///
/// # Errors
/// What is wrong with the record.
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
