//! The plan of a tournament: everything its results depend on.

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

/// Everything the results of a tournament depend on. It is stored with them; a tournament is continued only
/// by the same plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this format: [`PLAN_FORMAT`].
    pub format: u32,
    /// The game's id.
    pub game: String,
    /// Version of its rules.
    pub rules_version: u32,
    /// The preset, if one was named.
    pub preset: Option<String>,
    /// The settings on top of it.
    pub set: Vec<(String, String)>,
    /// Every variant parameter, as they come out.
    pub variant: Value,
    /// Who plays.
    pub competitors: Vec<Competitor>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// What faults of bots lead to.
    pub faults: FaultPolicy,
    /// What bots may use.
    pub limits: Limits,
    /// The sandbox asked for: `auto`, or a level's name.
    pub sandbox: String,
    /// When a bot is banned.
    pub ban: Ban,
    /// Which replays are kept.
    pub replays: Keep,
    /// How the standings are ordered.
    pub order: OrderBy,
    /// How ratings are computed.
    pub rating: RatingPlan,
    /// The sequential test of the first two competitors; `None` to play all episodes.
    pub sprt: Option<SprtMatch>,
    /// Whether it goes by the rules of the game's original, as in `competitions/original.toml`: equals in victories
    /// are split by games of their own, and the files that the original writes are written too.
    pub original: bool,
    /// Entrants that do not play, because they could not be started or read; all results name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
    /// Why deals are not played from all seats, if nobody asked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotations_reason: Option<String>,
}

/// An entrant that does not play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Its name; empty in plans of format 2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Spec of the agent or bot.
    pub run: String,
    /// Its number, as [`Competitor::number`], if it was a competitor until it was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Why it does not play, with a hint in a line of its own; empty in plans of format 2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The version of plans that this code writes. 3: whoever forfeits is last in everything, and no interval has width
/// zero. 2: seeds are texts, blocks have a size, and everybody has rules for bans.
///
/// A record counts by the rules of its plan's format for ever, so that older ones can be opened, proved and continued
/// to the same bytes.
pub const PLAN_FORMAT: u32 = 3;

/// The versions of plans that this code reads.
pub(crate) const PLAN_FORMATS: RangeInclusive<u32> = 2..=PLAN_FORMAT;

/// One competitor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Competitor {
    /// Shown in tables; unique.
    pub name: String,
    /// What plays: an agent spec or a bot, as text.
    pub run: String,
    /// Which of the two.
    pub kind: CompetitorKind,
    /// Fingerprint of a bot's files, or of those that an agent names, so that another player under the same name is noticed.
    pub files: Option<String>,
    /// Its number in the files of a competition, if that is not its place from 1: others before it could not start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// What kind of competitor it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CompetitorKind {
    /// An agent of ours, in process.
    #[default]
    Native,
    /// A program.
    Bot,
}

impl CompetitorKind {
    /// The name, as in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Bot => "bot",
        }
    }
}

impl Competitor {
    /// Whether it is the same player as another, whatever their names: the same agent, or the same files.
    fn is_same_player(&self, other: &Self) -> bool {
        match (self.agent(), other.agent()) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.files.is_some() && self.files == other.files,
            _ => false,
        }
    }

    /// The native agent.
    pub fn agent(&self) -> Option<AgentSpec> {
        (self.kind == CompetitorKind::Native).then(|| AgentSpec::parse(&self.run))
    }
}

/// Which replays are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Of every episode.
    All,
    /// Of episodes with faults.
    Faulted,
    /// None.
    None,
}

/// What the standings are ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderBy {
    /// The joint rating.
    Rating,
    /// Share of wins.
    Wins,
    /// Mean score.
    Score,
    /// Whole victories, shared ones too, in groups of equals; banned competitors last.
    Victories,
}

/// When a bot is banned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// Mean CPU time per decision in one episode, in milliseconds, above which the bot is banned; 0 for any. A
    /// decision that ran out of time counts as at least what it was allowed.
    pub mean_ms: f64,
    /// Episodes with a fault at which the bot is banned; 0 for any number.
    pub faulted_episodes: u64,
    /// Time in milliseconds, over the whole tournament, for which it may keep everybody waiting; 0 for any. What
    /// counts of an episode is the time on the wall beyond what its CPU time explains and [the clock's
    /// slack](meeple_bothost::Clock::wall_slack_ms) for a move.
    pub waiting_ms: u64,
}

impl Default for Ban {
    /// Nobody is banned for thinking, which the clock limits. Who sleeps or fails again and again is.
    fn default() -> Self {
        Self { mean_ms: 0.0, faulted_episodes: 50, waiting_ms: 120_000 }
    }
}

/// How ratings are computed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingPlan {
    /// Index of the competitor whose rating is 0.
    pub anchor: usize,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// Weight of the prior game.
    pub prior: f64,
}

impl Plan {
    /// The plan as one line of JSON, always the same for the same plan.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a plan is plain data with text keys")
    }

    /// Fingerprint of the plan: SHA-256 of its text, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.to_text().as_bytes()))
    }

    /// The game for one table of this plan.
    ///
    /// # Errors
    /// If the game does not exist or is of other rules than those of the plan.
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

    /// The same plan as this and earlier releases write it, newest first: in every format, with and without each parameter that
    /// came later and is not set.
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

    /// The rule by which outcomes of its episodes count.
    pub const fn placement(&self) -> Placement {
        if self.format < 3 { Placement::ByRules } else { Placement::ForfeitsLast }
    }

    /// True before format 3: intervals of its results may have width zero.
    pub(crate) const fn has_zero_widths(&self) -> bool {
        self.format < 3
    }

    /// Whether only agents of ours play, so that every episode can be computed again from its seed.
    pub fn is_native(&self) -> bool {
        self.competitors.iter().all(|competitor| competitor.kind == CompetitorKind::Native)
    }

    /// Competitors that are one and the same player, in groups, if that settles their results: where only equals sit
    /// at a table and every deal is played from every seat, each gets what the others get.
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
        // At larger tables the order in which equals and others sit is not mirrored.
        let everybody = self.competitors.len();
        groups.retain(|group| group.len() > 1 && (self.schedule.table == 2 || group.len() == everybody));
        groups
    }

    /// The names of the competitors.
    pub fn names(&self) -> Vec<String> {
        self.competitors.iter().map(|competitor| competitor.name.clone()).collect()
    }
}

/// Whether a word names a bot rather than an agent of ours. The word alone tells: no file is looked for.
pub fn kind_of(run: &str) -> CompetitorKind {
    if BotSpec::looks_like_bot(run, adapters()) { CompetitorKind::Bot } else { CompetitorKind::Native }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
