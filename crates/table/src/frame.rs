//! Frames: the display of a table for one viewer.

use std::collections::BTreeMap;

use meeple_core::{ActionPart, Composition, EpisodeView, Phase, Question, Seat, Viewer};
use meeple_scene::{Part, SvgOptions};
use serde::{Serialize, Serializer};

use crate::entry::Holder;
use crate::symbols::with_symbols;

/// Identity of a frame among those of its viewer: version of the frame, and revision of its draft (0 without
/// a draft).
pub type FrameId = (u64, u64);

/// Everything that a viewer sees of a table at one moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Frame {
    /// Version of the viewer's frame. It grows by one with every change that this viewer may notice.
    pub version: u64,
    /// The viewer's own seat; `None` for the public.
    pub you: Option<usize>,
    /// The drawing, as SVG. Spots carry the text of their action while the viewer owes a decision. Repeated
    /// shapes are defined once; see [`with_symbols`].
    pub drawing: String,
    /// The position as lines of text.
    pub text: String,
    /// The open question to the viewer; `None` if there is none.
    pub ask: Option<Ask>,
    /// The viewer's draft; `None` if there is none. Drawing, text and question show the state after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Drafted>,
    /// The players, by seat.
    pub seats: Vec<SeatLine>,
    /// The log, oldest line first.
    pub log: Vec<LogLine>,
    /// The ending; `None` while the game goes on.
    pub ending: Option<Ending>,
}

/// A draft: unconfirmed steps of a decision.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drafted {
    /// Grows with every change of a draft at the table. A viewer's frames with equal version and revision
    /// are equal; without a draft the revision counts as 0.
    pub revision: u64,
    /// Number of the question that the first step answers.
    pub number: u64,
    /// The steps, in order.
    pub steps: Vec<DraftedStep>,
    /// True if the outcome of the last step is revealed only when it is confirmed.
    pub hides_last: bool,
}

/// A step of a draft.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftedStep {
    /// The action's text.
    pub action: String,
    /// The action in words.
    pub words: String,
}

/// An open question to a seat.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ask {
    /// Number of the question; the answer repeats it.
    pub number: u64,
    /// The legal actions; empty if there are too many to list.
    pub actions: Vec<String>,
    /// The parts of each action, in words.
    #[serde(serialize_with = "each_once")]
    #[cfg_attr(feature = "schema", schemars(with = "PartsOnWire"))]
    pub parts: Vec<Vec<ActionPart>>,
    /// The start of a structured action, in games that compose them.
    /// [`Table::compose`](crate::Table::compose) continues it.
    #[serde(skip)]
    pub composition: Option<Composition>,
    /// Suggested actions, if there are too many to list.
    pub suggestions: Vec<Suggestion>,
    /// The fallback: the action of a player who does not decide.
    pub fallback: String,
}

/// The parts of all actions, each written once. A hundred actions mostly share the same few parts.
#[derive(Serialize)]
struct PartsOnce<'a> {
    words: Vec<&'a ActionPart>,
    of: Vec<Vec<usize>>,
}

fn each_once<S: Serializer>(parts: &[Vec<ActionPart>], serializer: S) -> Result<S::Ok, S::Error> {
    let (mut words, mut places) = (Vec::new(), BTreeMap::new());
    let mut place = |part| {
        *places.entry(part).or_insert_with(|| {
            words.push(part);
            words.len() - 1
        })
    };
    let of = parts.iter().map(|parts| parts.iter().map(&mut place).collect()).collect();
    PartsOnce { words, of }.serialize(serializer)
}

// The core has no schemas, so these two types describe its part of the message. A test compares them with the
// serialised form.

/// The parts of all actions, each written once.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "its schema is all that is wanted of it")]
struct PartsOnWire {
    /// All distinct parts, in the order of their first occurrence.
    words: Vec<PartOnWire>,
    /// By action: indices of its parts in `words`, in order.
    of: Vec<Vec<usize>>,
}

/// A part of an action: one answer to a small question.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "its schema is all that is wanted of it")]
struct PartOnWire {
    /// Kind of answer, as a heading.
    name: String,
    /// The answer in words, for beginners.
    label: String,
}

impl Ask {
    /// A listed action in words; `None` if the action is not listed.
    pub fn sentence(&self, action: &str) -> Option<String> {
        let index = self.actions.iter().position(|known| known == action)?;
        Some(ActionPart::sentence(&self.parts[index]))
    }
}

/// A suggested action.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The action's text.
    pub action: String,
    /// The action and its consequence, in the game's words.
    pub words: String,
}

impl Suggestion {
    /// Parses a line of the game's screen: the input, two blanks or more, and its consequence.
    fn read(episode: &dyn EpisodeView, seat: Seat, line: &str) -> Option<Self> {
        let typed = line.split("  ").next()?;
        let action = episode.read_input(seat, typed).ok()?;
        Some(Self { action, words: line.split_whitespace().collect::<Vec<_>>().join(" ") })
    }
}

/// A seat with its player.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatLine {
    /// The player.
    pub holder: Holder,
    /// Colour in the drawing, as in CSS.
    pub color: String,
    /// True if the seat owes a decision; null if the viewer may not know.
    pub owes: Option<bool>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogLine {
    /// Number of the line in the viewer's log, from 0.
    pub number: usize,
    /// The event in words.
    pub text: String,
    /// True for a minor event, shown small.
    pub detail: bool,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ending {
    /// Reason for the end, in the game's words.
    pub end: String,
    /// Places by seat, from 1.
    pub places: Vec<u32>,
    /// Scores by seat.
    pub scores: Vec<i64>,
    /// Unit of the scores.
    pub unit: String,
}

/// The inputs of a frame beside the episode.
pub struct FrameContext<'a> {
    /// Version of the viewer's frame.
    pub version: u64,
    /// Point of view of the frame.
    pub viewer: Viewer,
    /// The open question to the viewer.
    pub question: Option<Question>,
    /// All open questions.
    pub open: &'a [Question],
    /// The players, by seat: `[seats]`.
    pub holders: &'a [Holder],
    /// Faults visible to the viewer, in order: the number of event lines before each, and its text.
    pub faults: &'a [(usize, String)],
    /// The viewer's draft, with the episode after its steps.
    pub draft: Option<(&'a dyn EpisodeView, Drafted)>,
}

impl Frame {
    /// The identity of the frame among those of its viewer.
    pub fn moment(&self) -> FrameId {
        (self.version, self.draft.as_ref().map_or(0, |draft| draft.revision))
    }

    /// The frame of an episode at an open decision, or at its end.
    pub fn new(episode: &dyn EpisodeView, around: &FrameContext<'_>) -> Self {
        let info = episode.info();
        let labels: Vec<_> = around.holders.iter().map(Holder::label).collect();
        let over = episode.phase() == Phase::Over;
        // Everything is visible once the game is over.
        let eyes = if over { Viewer::Everything } else { around.viewer };
        // The log shows the real episode; drawing and question show the state after the draft.
        let drafted = around.draft.as_ref().map_or(episode, |(world, _)| *world);
        let screen = drafted.screen(eyes, &labels);
        let choices = screen.panels.iter().filter(|panel| panel.part == Part::Choices);
        let lines = choices.flat_map(|panel| &panel.lines);
        let words = lines.map(|line| line.iter().map(|span| span.text.as_str()).collect::<String>());
        let ask = around.question.map(|Question { seat, number }| {
            let actions = drafted.legal_actions(seat);
            let suggestions = match actions.is_empty() {
                true => words.filter_map(|words| Suggestion::read(drafted, seat, &words)).collect(),
                false => Vec::new(),
            };
            Ask {
                number,
                parts: drafted.action_parts(seat, &labels),
                // The empty text is always a valid beginning.
                composition: drafted.compose(seat, &labels, "").ok().flatten(),
                actions,
                suggestions,
                fallback: drafted.fallback_action(seat),
            }
        });
        let mut drawing = drafted.draw(eyes, &labels);
        if let Some(ask) = &ask {
            drawing.explain_actions(|action| ask.sentence(action));
        }
        let seats = Seat::all(episode.seats()).zip(around.holders);
        let seats = seats.map(|(seat, holder)| SeatLine {
            holder: holder.clone(),
            color: episode.player_color(seat, &labels).to_string(),
            owes: around.knows_who_owes(episode, seat).then(|| around.is_open(seat)),
        });
        let lines = episode.event_lines(eyes).into_iter();
        let events = lines.map(|event| (event.number, event.text, event.level == meeple_core::Level::Detail));
        let log = with_faults(events, around.faults);
        let ending = episode.outcome().map(|outcome| Ending {
            end: info.ends.get(outcome.end).copied().unwrap_or_default().to_owned(),
            places: outcome.places,
            scores: outcome.scores,
            unit: info.score_unit.to_owned(),
        });
        Self {
            version: around.version,
            you: if let Viewer::Seat(seat) = around.viewer { Some(seat.index()) } else { None },
            drawing: with_symbols(
                &drawing.to_svg(&SvgOptions { interactive: true, ..SvgOptions::default() }),
            ),
            text: screen.to_plain(),
            ask,
            draft: around.draft.as_ref().map(|(_, drafted)| drafted.clone()),
            seats: seats.collect(),
            log,
            ending,
        }
    }
}

/// The lines of the log: numbered events, each with a flag for details, interleaved with faults.
fn with_faults(
    events: impl Iterator<Item = (usize, String, bool)>,
    faults: &[(usize, String)],
) -> Vec<LogLine> {
    let mut faults = faults.iter().peekable();
    let mut lines: Vec<(String, bool)> = Vec::new();
    for (number, text, detail) in events {
        while let Some((_, fault)) = faults.next_if(|(before, _)| *before <= number) {
            lines.push((fault.clone(), false));
        }
        lines.push((text, detail));
    }
    lines.extend(faults.map(|(_, fault)| (fault.clone(), false)));
    lines.into_iter().enumerate().map(|(number, (text, detail))| LogLine { number, text, detail }).collect()
}

impl FrameContext<'_> {
    fn is_open(&self, seat: Seat) -> bool {
        self.open.iter().any(|question| question.seat == seat)
    }

    /// Returns true if the viewer may know whether `seat` owes a decision; the rules may keep that secret.
    fn knows_who_owes(&self, episode: &dyn EpisodeView, seat: Seat) -> bool {
        episode.decides_openly() || self.viewer.sees(seat)
    }
}
