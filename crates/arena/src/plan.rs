use std::ops::RangeInclusive;

use meeple_bothost::{BotSpec, FaultPolicy, Limits};
use meeple_core::{AgentSpec, AnyGame};
use meeple_games::{adapters, find_game};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::ArenaError;
use crate::row::Placement;
use crate::schedule::Schedule;
use meeple_lab::sprt::SprtMatch;

/// Everything the results of a tournament depend on. Only an equal plan continues its record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlan {
    /// The version of the plan's format, [`PLAN_FORMAT`] in new plans.
    pub format: u32,
    pub game: String,
    pub rules_version: u32,
    pub preset: Option<String>,
    /// The settings on top of the preset.
    pub set: Vec<(String, String)>,
    /// Every variant parameter with its resulting value.
    pub variant: Value,
    pub competitors: Vec<Competitor>,
    pub schedule: Schedule,
    pub faults: FaultPolicy,
    pub limits: Limits,
    /// The requested sandbox: `auto`, or a level's name.
    pub sandbox: String,
    pub ban: Ban,
    pub replays: ReplayRetention,
    pub order: OrderBy,
    pub rating: RatingPlan,
    /// The sequential test of the first two competitors; `None` to play all episodes.
    pub sprt: Option<SprtMatch>,
    /// Rules of the game's original, as in `competitions/original.toml`: ties in victories are broken by
    /// extra games, and the original's output files are written.
    pub original: bool,
    /// Entrants that failed to start or could not be parsed; all results name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
    /// Reason for rotations that the user did not request and that are fewer than the seats, or for separate
    /// deals of each competitor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotations_reason: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Empty in plans of format 2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub run: String,
    /// The entrant's number, as [`Competitor::number`], if it was a competitor until its launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Reason of the failure, with a hint on a line of its own; empty in plans of format 2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The version of plans that this code writes.
///
/// - 4: replays record earlier bans of their players.
/// - 3: forfeits rank last everywhere, and intervals have positive width.
/// - 2: seeds are texts, blocks have a size, and ban rules apply to everybody.
///
/// A record always counts by the rules of its plan's format, so older ones can be opened, verified and
/// continued to the same bytes.
pub const PLAN_FORMAT: u32 = 4;

pub(crate) const PLAN_FORMATS: RangeInclusive<u32> = 2..=PLAN_FORMAT;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Competitor {
    /// Name, unique in the plan.
    pub name: String,
    /// Agent spec or bot.
    pub run: String,
    pub kind: CompetitorKind,
    /// Fingerprint of the bot's files, or of those that the agent names.
    pub files: Option<String>,
    /// The competitor's number in the files of a competition; `None` for its place in the list, from 1. The
    /// two differ if earlier competitors failed to start, and in tie-breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompetitorKind {
    /// An agent in process.
    #[default]
    Native,
    /// An external program.
    Bot,
}

impl CompetitorKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Bot => "bot",
        }
    }
}

impl Competitor {
    /// True for the same player under any name: the same agent, or the same files.
    fn is_same_player(&self, other: &Self) -> bool {
        match (self.agent(), other.agent()) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.files.is_some() && self.files == other.files,
            _ => false,
        }
    }

    /// `None` for bots.
    pub fn agent(&self) -> Option<AgentSpec> {
        (self.kind == CompetitorKind::Native).then(|| AgentSpec::parse(&self.run))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplayRetention {
    All,
    Faulted,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderBy {
    Rating,
    Wins,
    Score,
    /// Victories, including shared ones, with ties broken by extra games; banned competitors last.
    Victories,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// Mean time per decision in one episode, in milliseconds, above which the bot is banned; 0 for no limit.
    /// It is CPU time, or wall time where that is not measured. A timed-out decision counts at least its time
    /// limit.
    pub mean_ms: f64,
    /// Number of episodes with a fault at which the bot is banned; 0 for no limit.
    pub faulted_episodes: u64,
    /// Milliseconds over the whole tournament for which the bot may keep the table waiting; 0 for no limit.
    /// Each episode adds the wall time that CPU time does not explain, beyond [the
    /// slack](meeple_bothost::Clock::wall_slack_ms). On a wall clock, or without measured CPU time, only late
    /// starts are added.
    pub waiting_ms: u64,
}

impl Default for Ban {
    /// Bans for long waits and repeated faults; thinking time is left to the clock.
    fn default() -> Self {
        Self { mean_ms: 0.0, faulted_episodes: 50, waiting_ms: 120_000 }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingPlan {
    /// Index of the competitor whose rating is 0.
    pub anchor: usize,
    pub resamples: usize,
    pub prior: f64,
}

impl TournamentPlan {
    /// The plan as one line of JSON, deterministic.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a plan is plain data with text keys")
    }

    /// SHA-256 of [`to_text`](Self::to_text), in hexadecimal.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.to_text().as_bytes()))
    }

    /// # Errors
    /// If the game is unknown or its rules version differs from the plan's.
    pub fn set_up(&self) -> Result<Box<dyn AnyGame>, ArenaError> {
        let entry = find_game(&self.game)?;
        if entry.info().rules_version != self.rules_version {
            return Err(ArenaError::Plan(format!(
                "expected rules version {} of {}, found {}\nhint: use the release that began the tournament",
                entry.info().rules_version,
                self.game,
                self.rules_version
            )));
        }
        let set = entry.settings_of_stored(&self.set, &self.variant);
        Ok(entry.set_up(self.preset.as_deref(), &set, usize::from(self.schedule.table))?)
    }

    /// Equivalent plans as written by this and earlier releases, newest first: in every format, with and
    /// without each later parameter that is not set.
    pub(crate) fn as_older_releases(&self) -> Result<Vec<Self>, ArenaError> {
        let mut plans = vec![self.clone()];
        let is_set = |name: &str| self.set.iter().any(|(other, _)| other == name);
        for (name, _) in find_game(&self.game)?.params_before().iter().filter(|(name, _)| !is_set(name)) {
            for index in 0..plans.len() {
                let mut older = plans[index].clone();
                if older.variant.as_object_mut().is_some_and(|variant| variant.shift_remove(*name).is_some())
                {
                    plans.push(older);
                }
            }
        }
        let formats = PLAN_FORMATS.rev().filter(|format| *format < self.format);
        let older = formats.flat_map(|format| plans.iter().map(move |plan| Self { format, ..plan.clone() }));
        let older: Vec<Self> = older.collect();
        plans.extend(older);
        Ok(plans)
    }

    pub const fn placement(&self) -> Placement {
        if self.format < 3 { Placement::ByRules } else { Placement::ForfeitsLast }
    }

    /// True before format 3, where intervals without information have zero width.
    pub(crate) const fn has_zero_widths(&self) -> bool {
        self.format < 3
    }

    /// True from format 4 on: the replays of a banned bot's episodes say so.
    pub(crate) const fn has_ban_events(&self) -> bool {
        self.format >= 4
    }

    /// True if all competitors are native agents, so every episode can be recomputed from its seed.
    pub fn is_native(&self) -> bool {
        self.competitors.iter().all(|competitor| competitor.kind == CompetitorKind::Native)
    }

    /// Groups of competitors that are the same player, so that full seat rotation gives each of them the same
    /// results. At tables of more than two, all competitors must be the same player.
    pub fn same_players(&self) -> Vec<Vec<usize>> {
        if self.schedule.rotations != self.schedule.table || self.schedule.table < 2 {
            return Vec::new();
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, own) in self.competitors.iter().enumerate() {
            match groups.iter_mut().find(|group| self.competitors[group[0]].is_same_player(own)) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        // At larger tables with other players, the seatings of equals are not mirrored.
        let everybody = self.competitors.len();
        groups.retain(|group| group.len() > 1 && (self.schedule.table == 2 || group.len() == everybody));
        groups
    }

    pub fn names(&self) -> Vec<String> {
        self.competitors.iter().map(|competitor| competitor.name.clone()).collect()
    }
}

/// The kind of competitor that `run` describes. Only its text counts: no file is accessed.
pub fn kind_of(run: &str) -> CompetitorKind {
    if BotSpec::looks_like_bot(run, adapters()) { CompetitorKind::Bot } else { CompetitorKind::Native }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
