//! Replays: an episode as text, complete enough to be verified.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::definition::Definition;
use crate::episode::{Episode, Step, StepOf};
use crate::game::Game;
use crate::label::{MAX_LABEL_CHARS, PlayerLabel};
use crate::name::PublicName;
use crate::params::Params;
use crate::phase::Viewer;
use crate::seat::Seat;
use crate::stream::EpisodeSeed;
use crate::text::{TextWriter, WriteText};

/// A stored episode. Only chance outcomes and actions are stored, so replays survive changes of the random
/// generator. Everything else is recomputed, and [`Replay::verify`] proves that the result matches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Version of this format: 1.
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// The game's rules version.
    pub rules_version: u32,
    /// Every variant parameter with its value, as a JSON object.
    pub variant: Value,
    /// Labels of the players, by seat.
    pub players: Vec<PlayerLabel>,
    /// The episode's seed (16 hexadecimal digits), if it was drawn from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The steps: `c OUTCOME` for chance, `SEAT ACTION` for a seat.
    pub steps: Vec<String>,
    /// Iterations of agents that decided under a budget of the host, such as a time limit, keyed by the
    /// number of steps before the decision. A budget of this many iterations reproduces the decision.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub iterations: BTreeMap<usize, u64>,
    /// Players' faults in chronological order. They show which decisions were taken by the fallback action,
    /// or by an agent that stands in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<ReplayFault>,
    /// The result; absent if the episode was not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ReplayResult>,
}

/// A player's fault in a stored episode. Faults are public: they reveal nothing that the player saw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayFault {
    /// Seat of the player.
    pub seat: Seat,
    /// Number of steps before the fault.
    pub step: usize,
    /// Kind, such as `TIMEOUT`: at most [`MAX_KIND`](Self::MAX_KIND) capital letters and underscores.
    pub kind: String,
    /// Time taken, in µs, if a question timed out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// Consequence of the fault.
    pub then: Consequence,
    /// Agent that stands in; absent if the fallback action does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<PublicName>,
    /// Name of the player; absent if the same player holds the seat at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PublicName>,
    /// Time of the fault in UTC, in RFC 3339 format; absent if the host does not reveal it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// Consequence of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Consequence {
    /// The fallback action, or an agent, answered the question of the fault, if there was one.
    Fallback,
    /// The fallback action, or an agent, answers for this seat from now on.
    Out,
}

impl ReplayFault {
    /// Maximum length of a kind, in bytes.
    pub const MAX_KIND: usize = 32;

    /// A fault after `step` steps; the fallback action stands in.
    pub fn new(seat: Seat, step: usize, kind: &str, then: Consequence) -> Self {
        Self { seat, step, kind: kind.to_owned(), took_us: None, then, by: None, player: None, at: None }
    }

    /// The fault as a sentence for people. `player` is the name of the seat's final player, used if the fault
    /// names none.
    pub fn sentence(&self, player: &str) -> String {
        let player = self
            .player
            .as_ref()
            .map_or_else(|| player.to_owned(), |name| format!("seat {} {}", self.seat, name.as_str()));
        let took = self.took_us.map_or_else(String::new, |took| format!(" after {:.3} s", took as f64 / 1e6));
        let at = self.at.as_ref().map_or_else(String::new, |at| format!(" at {at}"));
        let stand_in = self.by.as_ref().map_or("the fallback action", PublicName::as_str);
        let then = match self.then {
            Consequence::Fallback => "stands in",
            Consequence::Out => "stands in from here on",
        };
        format!("fault of {player}: {}{took}{at}; {stand_in} {then}", self.kind)
    }

    /// Checks a fault in an episode with this many seats and steps. The error describes the expected value.
    fn check(&self, seats: usize, steps: usize) -> Result<(), String> {
        if self.seat.index() >= seats {
            return Err(format!("expected a seat below {seats}, found {}", self.seat));
        }
        if self.step > steps {
            return Err(format!("expected at most {steps} steps before it, found {}", self.step));
        }
        let is_kind = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        if !(1..=Self::MAX_KIND).contains(&self.kind.len()) || !self.kind.bytes().all(is_kind) {
            let most = Self::MAX_KIND;
            return Err(format!(
                "expected a kind of 1 to {most} capital letters and underscores, found '{}'",
                self.kind
            ));
        }
        let mut names = [&self.by, &self.player].into_iter().flatten();
        if names.any(|name| name.chars().count() > MAX_LABEL_CHARS) {
            return Err(format!(
                "expected names of at most {MAX_LABEL_CHARS} characters, found a longer one"
            ));
        }
        let is_moment = |byte: u8| byte.is_ascii_digit() || b"-:.TZ".contains(&byte);
        if let Some(at) = self.at.as_ref().filter(|at| at.len() > 30 || !at.bytes().all(is_moment)) {
            return Err(format!("expected a moment, as 2026-01-31T12:00:00Z, found '{at}'"));
        }
        Ok(())
    }
}

/// Result of a stored episode.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayResult {
    /// Final scores by seat.
    pub scores: Vec<i64>,
    /// Places by seat, from 1.
    pub places: Vec<u32>,
    /// End reason, one of [`GameInfo::ends`](crate::GameInfo::ends).
    pub end: String,
}

/// Format version that this code writes.
pub const REPLAY_FORMAT: u32 = 1;

impl Replay {
    /// The replay of an episode, finished or not.
    pub fn of<G: Game>(episode: &Episode<G>, players: &[PlayerLabel], seed: Option<EpisodeSeed>) -> Self {
        let info = episode.game().info();
        let result = episode.outcome().map(|outcome| ReplayResult {
            end: info.ends[outcome.end].to_owned(),
            scores: outcome.scores,
            places: outcome.places,
        });
        Self {
            format: REPLAY_FORMAT,
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            variant: episode.game().variant().to_json(),
            players: players.to_vec(),
            seed: seed.map(|seed| format!("{:016x}", seed.bits())),
            steps: texts::<G>(episode.steps()),
            iterations: BTreeMap::new(),
            faults: Vec::new(),
            result,
        }
    }

    /// Parses the text form. [`verify`](Self::verify) checks the steps.
    ///
    /// # Errors
    /// If the text is no replay, or has a format version that this code cannot read.
    pub fn parse(text: &str) -> Result<Self, ReplayError> {
        #[derive(Deserialize)]
        #[serde(expecting = "an object")]
        struct Head {
            format: Option<u32>,
        }
        let head: Head = serde_json::from_str(text).map_err(ReplayError::Syntax)?;
        match head.format {
            Some(REPLAY_FORMAT) => serde_json::from_str(text).map_err(ReplayError::Syntax),
            found => Err(ReplayError::Format(found.map_or("none".to_owned(), |found| found.to_string()))),
        }
    }

    /// The text form: JSON with one step per line.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a replay is plain data");
        text.push('\n');
        text
    }

    /// The game of the replay, set up.
    ///
    /// # Errors
    /// If game, rules version, seed, variant, players, iterations or faults do not fit. The variant may lack
    /// only parameters added after the game's first release.
    pub fn game<G: Game>(&self, definition: &Definition<G>) -> Result<G, ReplayError> {
        let info = definition.info;
        if self.game != info.id {
            return Err(ReplayError::Game { expected: info.id.into(), found: self.game.clone() });
        }
        if self.rules_version != info.rules_version {
            return Err(ReplayError::Rules { expected: info.rules_version, found: self.rules_version });
        }
        let setup = ReplayError::Setup;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_seed = |seed: &&str| seed.len() == 16 && seed.bytes().all(is_digit);
        if let Some(seed) = self.seed.as_deref().filter(|seed| !is_seed(seed)) {
            return Err(setup(format!("seed: expected 16 hexadecimal digits, found '{seed}'")));
        }
        let variant = definition.variant.with_stored(&self.variant);
        let variant = variant.map_err(|error| setup(error.to_string()))?;
        if !info.seats.contains(&self.players.len()) {
            let (low, high) = (info.seats.start(), info.seats.end());
            return Err(setup(format!("expected {low} to {high} players, found {}", self.players.len())));
        }
        let is_long = |label: &PlayerLabel| label.to_string().chars().count() > MAX_LABEL_CHARS;
        if let Some(seat) = self.players.iter().position(is_long) {
            return Err(setup(format!(
                "player of seat {seat}: expected a name of at most {MAX_LABEL_CHARS} characters, found a longer one"
            )));
        }
        let is_decision = |step: &&usize| self.steps.get(**step).is_some_and(|text| !text.starts_with("c "));
        if let Some(step) = self.iterations.keys().find(|step| !is_decision(step)) {
            return Err(setup(format!("iterations: expected the step of a decision, found {step}")));
        }
        for (number, fault) in self.faults.iter().enumerate() {
            fault
                .check(self.players.len(), self.steps.len())
                .map_err(|reason| setup(format!("fault {}: {reason}", number + 1)))?;
        }
        if let Some(number) = self.faults.windows(2).position(|pair| pair[0].step > pair[1].step) {
            return Err(setup(format!("fault {}: expected faults in the order of their steps", number + 2)));
        }
        definition.set_up(variant, self.players.len()).map_err(|error| setup(error.to_string()))
    }

    /// Plays and checks the replay step by step, and compares the result. `watch` receives the episode before
    /// the first step and after every step.
    ///
    /// # Errors
    /// The first mismatch, with its step.
    pub fn verify<G: Game>(
        &self,
        definition: &Definition<G>,
        watch: impl FnMut(&Episode<G>),
    ) -> Result<Episode<G>, ReplayError> {
        self.watch(definition, Viewer::Everything, watch)
    }

    /// As [`verify`](Self::verify), but `watch` receives only the moments of `viewer`: the episode before
    /// every step that the viewer may notice ([`Game::decision_audience`]), and at the end. The number of
    /// hidden steps stays hidden.
    ///
    /// # Errors
    /// The first mismatch, with its step.
    pub fn watch<G: Game>(
        &self,
        definition: &Definition<G>,
        viewer: Viewer,
        mut watch: impl FnMut(&Episode<G>),
    ) -> Result<Episode<G>, ReplayError> {
        let game = Arc::new(self.game(definition)?);
        let mut episode = Episode::new(game, EpisodeSeed::from_bits(0));
        for (index, text) in self.steps.iter().enumerate() {
            let wrong = |reason: String| ReplayError::Step { step: index + 1, text: text.clone(), reason };
            let step = text.parse::<StepOf<G>>().map_err(wrong)?;
            // Every step has a single text, so equal episodes have equal replays.
            let usual = step.to_string();
            if usual != *text {
                return Err(wrong(format!("expected '{usual}'")));
            }
            if episode.is_noticed(&step, viewer) {
                watch(&episode);
            }
            match step {
                Step::Chance(chance) => episode.force_chance(chance),
                Step::Action(seat, action) => episode.act(seat, &action),
            }
            .map_err(|illegal| wrong(illegal.reason))?;
        }
        watch(&episode);
        let found = Self::of(&episode, &self.players, None).result;
        match (&self.result, &found) {
            (Some(stored), Some(played)) if stored != played => Err(ReplayError::Result {
                stored: serde_json::to_string(stored).expect("a result is plain data"),
                played: serde_json::to_string(played).expect("a result is plain data"),
            }),
            (Some(_), None) => Err(ReplayError::Truncated(self.steps.len())),
            _ => Ok(episode),
        }
    }
}

/// The texts of steps. Each group of steps is written into one buffer, from which every text is copied at its
/// exact size.
fn texts<G: Game>(steps: &[StepOf<G>]) -> Vec<String> {
    let mut texts = Vec::with_capacity(steps.len());
    let (mut together, mut ends) = (String::new(), Vec::new());
    for steps in steps.chunks(AT_A_TIME) {
        together.clear();
        ends.clear();
        let mut text = TextWriter::new(&mut together);
        for step in steps {
            write_step::<G>(step, &mut text);
            ends.push(text.len());
        }
        text.finish().expect("a string takes every text");
        let mut begin = 0;
        texts.extend(ends.iter().map(|end| together[std::mem::replace(&mut begin, *end)..*end].to_owned()));
    }
    texts
}

/// Number of steps per group in [`texts`].
const AT_A_TIME: usize = 64;

/// Appends the text of a step, equal to its `Display`.
fn write_step<G: Game>(step: &StepOf<G>, text: &mut TextWriter<'_>) {
    match step {
        Step::Chance(chance) => {
            text.push("c ");
            G::write_chance(chance, text);
        }
        Step::Action(seat, action) => {
            seat.write_text(text);
            text.push(" ");
            G::write_action(action, text);
        }
    }
}

/// Error in a replay.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The text is no JSON of the right shape.
    #[error("expected a replay in JSON: {0}\nhint: is the file complete, and a replay?")]
    Syntax(serde_json::Error),
    /// The replay has another format version.
    #[error("expected a replay of format {REPLAY_FORMAT}, found {0}")]
    Format(String),
    /// The replay belongs to another game.
    #[error("expected a replay of {expected}, found one of {found}")]
    Game {
        /// The requested game.
        expected: String,
        /// The game in the file.
        found: String,
    },
    /// The replay was played under another rules version.
    #[error(
        "expected rules version {expected}, found {found}\nhint: replay it with the release that wrote it"
    )]
    Rules {
        /// The version of this code.
        expected: u32,
        /// The version in the file.
        found: u32,
    },
    /// The seed, variant, players, iterations or faults are wrong, or the game cannot be set up with them.
    #[error("{0}")]
    Setup(String),
    /// A step is impossible.
    #[error("step {step} ('{text}'): {reason}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// The step as stored.
        text: String,
        /// Reason why the step is impossible.
        reason: String,
    },
    /// The stored result differs from the result of the steps.
    #[error("the steps lead to {played}, but the stored result is {stored}")]
    Result {
        /// The result as stored, in JSON.
        stored: String,
        /// The result of the steps, in JSON.
        played: String,
    },
    /// A result is stored, but the episode is not over after all steps; the value is their number.
    #[error("the steps stop after step {0}, before the episode is over, but a result is stored")]
    Truncated(usize),
}
