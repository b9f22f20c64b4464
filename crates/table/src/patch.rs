//! What changes from one frame of a viewer to the next.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use meeple_scene::{Splice, splices};
use serde::Serialize;

use crate::frame::{Ask, Drafted, Ending, Frame, LogLine, Moment, SeatLine};
use crate::mark::{mark, marks};
use crate::trace::Trace;

/// A change of a list of texts: where, how many go, and what comes in their place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change(pub usize, pub usize, pub Vec<String>);

/// A seat that is another than before: which, and what it is now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatChange(pub usize, pub SeatLine);

/// What makes a frame of the one before. Of the frame's fields those are there that have changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Patch {
    /// The version of the frame that it changes,
    pub since: u64,
    /// and the revision of the draft in it.
    pub since_revision: u64,
    /// The version of the frame that it makes,
    pub version: u64,
    /// and the revision of the draft in it.
    pub revision: u64,
    /// Changes of the lines of the drawing, the last first, so that each place counts in the old drawing. A line is a whole
    /// element, begins a group or ends one.
    pub drawing: Vec<Change>,
    /// Changes of the lines of the text, the last first.
    pub text: Vec<Change>,
    /// What the viewer is asked, or that it is asked nothing any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<Option<Ask>>,
    /// What it tries out, or that it does not any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Option<Drafted>>,
    /// Where somebody else sits or is waited for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", serde(default))]
    pub seats: Vec<SeatChange>,
    /// How many lines of the log stay.
    pub log_from: usize,
    /// What follows them.
    pub log: Vec<LogLine>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

impl Change {
    /// What makes another list of texts of one that has these marks (see [`marks`]), the last change first, so that each place
    /// counts in the old list.
    pub fn between<'a>(old: &[u64], new: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let new: Vec<&str> = new.collect();
        let change = |Splice { at, gone, come }| {
            Self(at, gone, new[come].iter().map(|text| (*text).to_owned()).collect())
        };
        splices(old, &marks(&new)).into_iter().map(change).collect()
    }

    /// The text with these changes of its lines.
    fn made(old: &str, changes: &[Self]) -> String {
        let mut lines: Vec<&str> = old.lines().collect();
        for Self(at, gone, come) in changes {
            lines.splice(at..&(at + gone), come.iter().map(String::as_str));
        }
        lines.into_iter().flat_map(|line| [line, "\n"]).collect()
    }
}

impl Frame {
    /// The frame after a patch of it.
    pub fn patched(&self, patch: &Patch) -> Self {
        let kept = self.log.iter().take(patch.log_from);
        let mut seats = self.seats.clone();
        for SeatChange(seat, line) in &patch.seats {
            seats[*seat] = line.clone();
        }
        Self {
            version: patch.version,
            you: self.you,
            drawing: Change::made(&self.drawing, &patch.drawing),
            text: Change::made(&self.text, &patch.text),
            ask: patch.ask.clone().unwrap_or_else(|| self.ask.clone()),
            draft: patch.draft.clone().unwrap_or_else(|| self.draft.clone()),
            seats,
            log: kept.chain(&patch.log).cloned().collect(),
            ending: patch.ending.clone().or_else(|| self.ending.clone()),
        }
    }
}

impl Patch {
    /// What makes `new` of `old`; nothing if they are not frames of the same viewer.
    pub fn between(old: &Frame, new: &Frame) -> Option<Self> {
        let patch = Self::after(&Trace::of(old), new);
        debug_assert!(patch.iter().all(|patch| old.patched(patch) == *new), "a patch makes the frame");
        patch
    }

    /// What makes `new` of a frame of which this is known.
    fn after(old: &Trace, new: &Frame) -> Option<Self> {
        // What has ended does not go on.
        let ended = old.ending.is_some() && new.ending.is_none();
        if old.you != new.you || old.seats.len() != new.seats.len() || ended {
            return None;
        }
        let ((since, since_revision), (version, revision)) = (old.moment, new.moment());
        let seats = new.seats.iter().zip(&old.seats).enumerate();
        let seats = seats.filter(|(_, (line, old))| mark(*line) != **old);
        // Lines come, and none goes or changes, until it is over and secrets are told.
        let (lines, log) = old.log;
        let log_from = if new.log.get(..lines).is_some_and(|kept| mark(kept) == log) { lines } else { 0 };
        Some(Self {
            since,
            since_revision,
            version,
            revision,
            drawing: Change::between(&old.drawing, new.drawing.lines()),
            text: Change::between(&old.text, new.text.lines()),
            ask: (mark(&new.ask) != old.ask).then(|| new.ask.clone()),
            draft: (mark(&new.draft) != old.draft).then(|| new.draft.clone()),
            seats: seats.map(|(seat, (line, _))| SeatChange(seat, line.clone())).collect(),
            log_from,
            log: new.log[log_from..].to_vec(),
            ending: new.ending.clone().filter(|ending| old.ending != Some(mark(ending))),
        })
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        let change = |change: &Change| 10 + change.2.iter().map(|line| 3 + line.len()).sum::<usize>();
        let asked = self.ask.iter().flatten().flat_map(|ask| ask.actions.iter().zip(&ask.parts));
        // Most parts are those of other actions, too.
        let asked = asked.map(|(action, parts)| 20 + action.len() + 10 * parts.len());
        let lines = self.log.iter().map(|line| 40 + line.text.len());
        let seats = self.seats.iter().map(|_| 80);
        let texts = self.drawing.iter().chain(&self.text).map(change);
        100 + texts.chain(asked).chain(lines).chain(seats).sum::<usize>()
    }
}

/// Patches that are kept for who comes back,
const MOST_PATCHES: usize = 64;
/// as long as they weigh no more than this: thousands of viewers have them at once.
const MOST_WEIGHT: usize = 8 * 1024;

/// What the viewers with the same eyes were shown last, and how it came about from what they were shown before. Of the
/// frame it keeps hashes alone: whoever is shown it holds it.
#[derive(Debug)]
pub struct Ring {
    trace: Trace,
    frame: Weak<Frame>,
    patches: VecDeque<Arc<Patch>>,
}

impl Ring {
    /// Nothing was shown before.
    pub fn new(frame: &Arc<Frame>) -> Self {
        Self { trace: Trace::of(frame), frame: Arc::downgrade(frame), patches: VecDeque::new() }
    }

    /// Which moment is shown now.
    pub fn moment(&self) -> Moment {
        self.trace.moment
    }

    /// What is shown now, as long as somebody holds it. Otherwise it is made again, of the table as it is.
    pub fn frame(&self) -> Option<Arc<Frame>> {
        self.frame.upgrade()
    }

    /// Shows the next frame of the same viewers, or the same one once more.
    pub fn push(&mut self, frame: &Arc<Frame>) {
        self.frame = Arc::downgrade(frame);
        if frame.moment() == self.moment() {
            return;
        }
        match Patch::after(&self.trace, frame) {
            Some(patch) => self.patches.push_back(Arc::new(patch)),
            None => self.patches.clear(),
        }
        self.trace = Trace::of(frame);
        let mut weight = 0;
        let fits = |patch: &&Arc<Patch>| {
            weight += patch.weight();
            weight <= MOST_WEIGHT
        };
        // The last one is kept whatever it weighs: most have seen the frame before.
        let kept = self.patches.iter().rev().take_while(fits).count().clamp(1, MOST_PATCHES);
        self.patches.drain(..self.patches.len().saturating_sub(kept));
        self.patches.shrink_to(kept);
    }

    /// What makes the frame of now of the one that somebody was shown at a moment, in order; nothing if that was too long
    /// ago, or as long as the frame itself.
    pub fn since(&self, moment: Moment) -> Option<Vec<Arc<Patch>>> {
        if moment == self.moment() {
            return Some(Vec::new());
        }
        // A moment can come back, with the same frame, after a draft was undone: the last one is nearest.
        let first = self.patches.iter().rposition(|patch| (patch.since, patch.since_revision) == moment)?;
        let missing: Vec<_> = self.patches.range(first..).map(Arc::clone).collect();
        let weight: usize = missing.iter().map(|patch| patch.weight()).sum();
        (weight < self.trace.drawing_len).then_some(missing)
    }
}
