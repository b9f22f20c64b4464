//! Patches: changes from one frame of a viewer to the next.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use meeple_scene::{Splice, splices};
use serde::Serialize;

use crate::frame::{Ask, Drafted, Ending, Frame, FrameId, LogLine, SeatLine};
use crate::mark::{mark, marks};
use crate::trace::Trace;

/// A change of a list of texts: index, number of texts to remove, and the texts to insert there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change(pub usize, pub usize, pub Vec<String>);

/// A changed seat: its index, and its new state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatChange(pub usize, pub SeatLine);

/// Changes from one frame to the next. Fields of the frame that have not changed are absent or empty.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Patch {
    /// Version of the frame before the changes.
    pub since: u64,
    /// Revision of the draft before the changes; 0 for none.
    pub since_revision: u64,
    /// Version of the frame after the changes.
    pub version: u64,
    /// Revision of the draft after the changes; 0 for none.
    pub revision: u64,
    /// Changes of the drawing's lines, the last first, so that indices count in the old drawing. A line is
    /// a whole element, or begins or ends a group.
    pub drawing: Vec<Change>,
    /// Changes of the text's lines, the last first.
    pub text: Vec<Change>,
    /// The new question to the viewer; null if there is none any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<Option<Ask>>,
    /// The viewer's new draft; null if there is none any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Option<Drafted>>,
    /// Seats with another player, or that owe a decision now or no longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", serde(default))]
    pub seats: Vec<SeatChange>,
    /// Number of log lines that stay.
    pub log_from: usize,
    /// Log lines that follow them.
    pub log: Vec<LogLine>,
    /// The result, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

impl Change {
    /// Changes that turn a list of texts with these hashes (see [`marks`]) into `new`. The last change comes
    /// first, so that each position counts in the old list.
    pub fn between<'a>(old: &[u64], new: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let new: Vec<&str> = new.collect();
        let change = |Splice { at, gone, come }| {
            Self(at, gone, new[come].iter().map(|text| (*text).to_owned()).collect())
        };
        splices(old, &marks(&new)).into_iter().map(change).collect()
    }

    /// Applies these changes to the lines of a text. Every line of the result ends with a line break.
    fn made(old: &str, changes: &[Self]) -> String {
        let mut lines: Vec<&str> = old.lines().collect();
        for Self(at, gone, come) in changes {
            lines.splice(at..&(at + gone), come.iter().map(String::as_str));
        }
        lines.into_iter().flat_map(|line| [line, "\n"]).collect()
    }
}

impl Frame {
    /// Applies a patch to this frame.
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
    /// The patch from `old` to `new`; `None` if they are not frames of the same viewer, or only `old` has an
    /// ending.
    pub fn between(old: &Frame, new: &Frame) -> Option<Self> {
        let patch = Self::after(&Trace::of(old), new);
        debug_assert!(patch.iter().all(|patch| old.patched(patch) == *new), "a patch makes the frame");
        patch
    }

    /// The patch from the frame with this trace to `new`; `None` as in [`between`](Self::between).
    fn after(old: &Trace, new: &Frame) -> Option<Self> {
        // A patch cannot undo the end of a game.
        let ended = old.ending.is_some() && new.ending.is_none();
        if old.you != new.you || old.seats.len() != new.seats.len() || ended {
            return None;
        }
        let ((since, since_revision), (version, revision)) = (old.moment, new.moment());
        let seats = new.seats.iter().zip(&old.seats).enumerate();
        let seats = seats.filter(|(_, (line, old))| mark(*line) != **old);
        // The log only grows, until secrets are revealed at the end of the game.
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

    /// Approximate size in bytes.
    pub fn weight(&self) -> usize {
        let change = |change: &Change| 10 + change.2.iter().map(|line| 3 + line.len()).sum::<usize>();
        let asked = self.ask.iter().flatten().flat_map(|ask| ask.actions.iter().zip(&ask.parts));
        // Most parts also belong to other actions and are sent once, so a part costs about an index.
        let asked = asked.map(|(action, parts)| 20 + action.len() + 10 * parts.len());
        let lines = self.log.iter().map(|line| 40 + line.text.len());
        let seats = self.seats.iter().map(|_| 80);
        let texts = self.drawing.iter().chain(&self.text).map(change);
        100 + texts.chain(asked).chain(lines).chain(seats).sum::<usize>()
    }
}

/// Maximum number of patches kept for viewers that reconnect.
const MAX_PATCHES: usize = 64;
/// Maximum total weight of these patches, in bytes. It is small because thousands of viewers have patches at
/// once.
const MAX_WEIGHT: usize = 8 * 1024;

/// The last frame of viewers with the same view, and the patches that led to it. The viewers hold the frame
/// itself; the ring keeps only its trace and a weak reference.
#[derive(Debug)]
pub struct Ring {
    trace: Trace,
    frame: Weak<Frame>,
    patches: VecDeque<Arc<Patch>>,
}

impl Ring {
    /// A ring with this frame and no patches.
    pub fn new(frame: &Arc<Frame>) -> Self {
        Self { trace: Trace::of(frame), frame: Arc::downgrade(frame), patches: VecDeque::new() }
    }

    /// The moment of the current frame.
    pub fn moment(&self) -> FrameId {
        self.trace.moment
    }

    /// The current frame; `None` if no viewer holds it any more. The table must then render the frame again.
    pub fn frame(&self) -> Option<Arc<Frame>> {
        self.frame.upgrade()
    }

    /// Adds the next frame of the same viewers, or the current frame again.
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
            weight <= MAX_WEIGHT
        };
        // The last patch is kept whatever its weight, because most viewers have the frame before it.
        let kept = self.patches.iter().rev().take_while(fits).count().clamp(1, MAX_PATCHES);
        self.patches.drain(..self.patches.len().saturating_sub(kept));
        self.patches.shrink_to(kept);
    }

    /// The patches from the frame of `moment` to the current one, in order. `None` if that moment is too old,
    /// or the patches weigh as much as the frame itself.
    pub fn since(&self, moment: FrameId) -> Option<Vec<Arc<Patch>>> {
        if moment == self.moment() {
            return Some(Vec::new());
        }
        // After an undone draft a moment can occur again, with an equal frame. The fewest patches follow the
        // moment's last occurrence.
        let first = self.patches.iter().rposition(|patch| (patch.since, patch.since_revision) == moment)?;
        let missing: Vec<_> = self.patches.range(first..).map(Arc::clone).collect();
        let weight: usize = missing.iter().map(|patch| patch.weight()).sum();
        (weight < self.trace.drawing_len).then_some(missing)
    }
}
