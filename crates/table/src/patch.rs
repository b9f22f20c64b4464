//! What changes from one frame of a viewer to the next.

use std::collections::VecDeque;
use std::sync::Arc;

use meeple_scene::{Splice, Svg, splices};
use serde::Serialize;

use crate::frame::{Ask, Drafted, Ending, Frame, LogLine, SeatLine};

/// Which of a viewer's frames it is: its version, and the revision of the draft in it, 0 for none.
pub type Moment = (u64, u64);

/// A change of a list of texts: where, how many go, and what comes in their place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change(pub usize, pub usize, pub Vec<String>);

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
    /// The tag of the drawing's root element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Changes of the children of the drawing's root element, the last first, so that each place counts in the old drawing.
    pub drawing: Vec<Change>,
    /// Changes of the lines of the text, the last first.
    pub text: Vec<Change>,
    /// What the viewer is asked, or that it is asked nothing any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<Option<Ask>>,
    /// What it tries out, or that it does not any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Option<Drafted>>,
    /// Who sits where and is waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<SeatLine>>,
    /// How many lines of the log stay.
    pub log_from: usize,
    /// What follows them.
    pub log: Vec<LogLine>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
}

impl Change {
    /// What makes one list of the other.
    fn all(old: &[&str], new: &[&str]) -> Vec<Self> {
        let change = |Splice { at, gone, come }| {
            Self(at, gone, new[come].iter().map(|text| (*text).to_owned()).collect())
        };
        splices(old, new).into_iter().map(change).collect()
    }

    /// The list with these changes.
    fn made<'a>(old: &[&'a str], changes: &'a [Self]) -> Vec<&'a str> {
        let mut list = old.to_vec();
        for Self(at, gone, come) in changes {
            list.splice(at..&(at + gone), come.iter().map(String::as_str));
        }
        list
    }
}

impl Frame {
    /// Which of its viewer's it is.
    pub fn moment(&self) -> Moment {
        (self.version, self.draft.as_ref().map_or(0, |draft| draft.revision))
    }

    /// The frame after a patch of it.
    pub fn patched(&self, patch: &Patch) -> Self {
        let drawing = &self.drawing;
        let head = patch.head.as_deref().unwrap_or(drawing.head());
        let old: Vec<&str> = self.text.lines().collect();
        let text = Change::made(&old, &patch.text).iter().map(|line| format!("{line}\n")).collect();
        let kept = self.log.iter().take(patch.log_from);
        Self {
            version: patch.version,
            you: self.you,
            drawing: Svg::of_pieces(head, Change::made(&drawing.pieces(), &patch.drawing)),
            text,
            ask: patch.ask.clone().unwrap_or_else(|| self.ask.clone()),
            draft: patch.draft.clone().unwrap_or_else(|| self.draft.clone()),
            seats: patch.seats.clone().unwrap_or_else(|| self.seats.clone()),
            log: kept.chain(&patch.log).cloned().collect(),
            ending: patch.ending.clone().or_else(|| self.ending.clone()),
        }
    }
}

impl Patch {
    /// What makes `new` of `old`; nothing if they are not frames of the same viewer.
    pub fn between(old: &Frame, new: &Frame) -> Option<Self> {
        // What has ended does not go on.
        if old.you != new.you || (old.ending.is_some() && new.ending.is_none()) {
            return None;
        }
        let ((since, since_revision), (version, revision)) = (old.moment(), new.moment());
        let [old_text, new_text] = [old, new].map(|frame| frame.text.lines().collect::<Vec<_>>());
        let log_from = old.log.iter().zip(&new.log).take_while(|(old, new)| old == new).count();
        let patch = Self {
            since,
            since_revision,
            version,
            revision,
            head: changed(&old.drawing.head(), &new.drawing.head()).map(str::to_owned),
            drawing: Change::all(&old.drawing.pieces(), &new.drawing.pieces()),
            text: Change::all(&old_text, &new_text),
            ask: changed(&old.ask, &new.ask),
            draft: changed(&old.draft, &new.draft),
            seats: changed(&old.seats, &new.seats),
            log_from,
            log: new.log[log_from..].to_vec(),
            ending: changed(&old.ending, &new.ending).flatten(),
        };
        debug_assert!(old.patched(&patch) == *new, "a patch makes the frame");
        Some(patch)
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        let change = |change: &Change| 16 + change.2.iter().map(String::len).sum::<usize>();
        let asked = self.ask.iter().flatten().flat_map(|ask| ask.actions.iter().zip(&ask.parts));
        let asked = asked.map(|(action, parts)| {
            action.len() + parts.iter().map(|part| 24 + part.name.len() + part.label.len()).sum::<usize>()
        });
        let lines = self.log.iter().map(|line| 40 + line.text.len());
        let seats = self.seats.iter().flatten().map(|_| 60);
        let texts = self.drawing.iter().chain(&self.text).map(change);
        100 + texts.chain(asked).chain(lines).chain(seats).sum::<usize>()
    }
}

fn changed<T: PartialEq + Clone>(old: &T, new: &T) -> Option<T> {
    (old != new).then(|| new.clone())
}

/// Patches that are kept for who comes back,
const MOST_PATCHES: usize = 64;
/// as long as they weigh no more than this: thousands of viewers have them at once.
const MOST_WEIGHT: usize = 16 * 1024;

/// What the viewers with the same eyes are shown now, and how it came about from what they were shown before.
#[derive(Debug)]
pub struct Ring {
    frame: Arc<Frame>,
    patches: VecDeque<Arc<Patch>>,
}

impl Ring {
    /// Nothing was shown before.
    pub fn new(frame: Frame) -> Self {
        Self { frame: Arc::new(frame), patches: VecDeque::new() }
    }

    /// What is shown now.
    pub fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }

    /// Shows the next frame of the same viewers.
    pub fn push(&mut self, frame: Frame) {
        match Patch::between(&self.frame, &frame) {
            Some(patch) => self.patches.push_back(Arc::new(patch)),
            None => self.patches.clear(),
        }
        self.frame = Arc::new(frame);
        let mut weight = 0;
        let fits = |patch: &&Arc<Patch>| {
            weight += patch.weight();
            weight <= MOST_WEIGHT
        };
        // The last one is kept whatever it weighs: most have seen the frame before.
        let kept = self.patches.iter().rev().take_while(fits).count().clamp(1, MOST_PATCHES);
        self.patches.drain(..self.patches.len().saturating_sub(kept));
    }

    /// What makes the frame of now of the one that somebody was shown at a moment, in order; nothing if that was too long
    /// ago, or as long as the frame itself.
    pub fn since(&self, moment: Moment) -> Option<Vec<Arc<Patch>>> {
        if moment == self.frame.moment() {
            return Some(Vec::new());
        }
        // A moment can come back, with the same frame, after a draft was undone: the last one is nearest.
        let first = self.patches.iter().rposition(|patch| (patch.since, patch.since_revision) == moment)?;
        let missing: Vec<_> = self.patches.range(first..).map(Arc::clone).collect();
        let weight: usize = missing.iter().map(|patch| patch.weight()).sum();
        (weight < self.frame.drawing.as_str().len()).then_some(missing)
    }
}
