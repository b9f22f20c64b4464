//! A user's request for a tournament, from flags or a TOML file, and its resolution into a plan.

use meeple_bothost::{BotSpec, FaultPolicy, Limits};
use meeple_core::{AgentSpec, did_you_mean};
use meeple_games::{adapters, parse_game};
use serde::Deserialize;

use crate::competition::Competition;
use crate::error::{ArenaError, plan_error};
use crate::networks;
use crate::plan::{
    Ban, Competitor, CompetitorKind, OrderBy, PLAN_FORMAT, RatingPlan, ReplayRetention, TournamentPlan,
    kind_of,
};
use crate::plan_check::{check_competitors, check_plan};
use crate::schedule::{Kind, Schedule};
use crate::seed::RootSeed;
use meeple_lab::sprt::{MIN_GROUPS, SprtMatch};

/// Reason, stored in the plan, why bots by default play each deal in one rotation only.
const ROTATIONS_REASON: &str = "a bot may leave traces of a deal to its successors, which no sandbox can wipe out \
     (docs/reference/sandbox.md); --rotations asks for more";
const OWN_DEALS_REASON: &str = "a bot may leave traces of a deal to others, which no sandbox can wipe out \
     (docs/reference/sandbox.md); so every competitor plays deals of its own";

/// Approximate number of deals that a bot process plays from one seat, before it is restarted for the next
/// rotation. Starting a Python bot costs 0.1 to 0.2 s of CPU time, so 1 to 2 ms per deal. A match of the
/// default 100 deals is one block.
pub const DEALS_PER_START: u64 = 100;

/// A user's request. Each field that is `None` gets a default that depends on the others.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The game's id, or GAME/PRESET.
    pub game: String,
    /// Changed variant parameters, as name and value.
    pub set: Vec<(String, String)>,
    /// The competitors, as optional name and spec.
    pub competitors: Vec<(Option<String>, String)>,
    /// The pairings; round robin by default.
    pub schedule: Option<Kind>,
    /// Number of competitors per table.
    pub table: Option<u16>,
    /// Seat rotations of each deal.
    pub rotations: Option<u16>,
    /// Deals per table; in a battle royale, rounds.
    pub deals: Option<u64>,
    /// Names of the anchors in a gauntlet: the fixed opponents.
    pub anchors: Vec<String>,
    /// Name of the competitor whose rating is 0; by default the first anchor, or else the first competitor.
    pub anchor: Option<String>,
    /// The root seed; `None` draws an unpredictable one.
    pub seed: Option<RootSeed>,
    /// Replays to store. By default the competition's choice with `original`. Otherwise all if bots play, and
    /// none if not, as episodes can be recomputed.
    pub replays: Option<ReplayRetention>,
    /// Sort key of the standings. By default the competition's with `original`, wins in solo play, and the
    /// rating otherwise.
    pub order: Option<OrderBy>,
    /// Number of bootstrap resamples.
    pub resamples: usize,
    /// Weight of each competitor's prior game against a phantom, half of it won.
    pub prior: f64,
    pub faults: FaultPolicy,
    /// Number of faults in an episode after which the fallback plays the seat to the end; 0 for no limit. The
    /// default is that of `faults`, or with `original` that of the competition.
    pub strikes: Option<u32>,
    pub limits: Limits,
    /// The requested sandbox: `auto`, or a level's name.
    pub sandbox: String,
    pub ban: BanRequest,
    pub sprt: Option<SprtMatch>,
    /// True for the competition rules of the game's original; see [`TournamentPlan::original`].
    pub original: bool,
}

/// A requested ban rule. Fields that are `None` take the default, or with `original` the competition's value.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BanRequest {
    /// See [`Ban::mean_ms`].
    pub mean_ms: Option<f64>,
    /// See [`Ban::faulted_episodes`].
    pub faulted_episodes: Option<u64>,
    /// See [`Ban::waiting_ms`].
    pub waiting_ms: Option<u64>,
}

impl BanRequest {
    /// The ban rule; values that are `None` come from `usual`.
    fn ban(&self, usual: Ban) -> Ban {
        Ban {
            mean_ms: self.mean_ms.unwrap_or(usual.mean_ms),
            faulted_episodes: self.faulted_episodes.unwrap_or(usual.faulted_episodes),
            waiting_ms: self.waiting_ms.unwrap_or(usual.waiting_ms),
        }
    }
}

impl Request {
    pub fn new(game: impl Into<String>) -> Self {
        Self { game: game.into(), resamples: 1000, prior: 1.0, sandbox: "auto".into(), ..Self::default() }
    }

    /// Adds a competitor from one command-line word: `AGENT`, `PATH` or `cmd:…`, optionally after `NAME=`.
    pub fn add(&mut self, word: &str) {
        let is_name = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
        };
        let entry = match word.split_once('=') {
            Some((name, run)) if is_name(name) => (Some(name.to_owned()), run.to_owned()),
            _ => (None, word.to_owned()),
        };
        self.competitors.push(entry);
    }

    /// Resolves the request into a plan. Checks all that can be checked before the start: the game, the
    /// variant, every agent and bot, the schedule. Without a seed, every call draws a new one.
    ///
    /// # Errors
    /// For the first invalid setting.
    pub fn plan(&self) -> Result<TournamentPlan, ArenaError> {
        let game = parse_game(&self.game)?;
        let info = game.entry.info();
        let mut competitors = self.read_competitors()?;
        let count = check_competitors(&competitors)?;
        let kind = self.schedule.unwrap_or(Kind::RoundRobin);
        let competition = self.original.then(Competition::original);
        let index_of = |name: &str, what: &str| {
            competitors.iter().position(|competitor| competitor.name == name).ok_or_else(|| {
                let names = competitors.iter().map(|competitor| competitor.name.as_str());
                plan_error(format!(
                    "{what}: unknown competitor '{name}'\nhint: {}",
                    did_you_mean(name, names)
                ))
            })
        };
        let mut anchors = Vec::new();
        for name in &self.anchors {
            let index = index_of(name, "anchors")? as u16;
            if !anchors.contains(&index) {
                anchors.push(index);
            }
        }
        if kind == Kind::Gauntlet && anchors.is_empty() {
            return Err(plan_error(
                "a gauntlet needs anchors, found none\nhint: name the fixed opponents, as in --anchors turn:7,random",
            ));
        }
        if kind == Kind::Alone && info.filler.is_none() && *info.seats.start() > 1 {
            return Err(plan_error(format!(
                "{} cannot be played by one competitor alone\nhint: name more competitors, or use another schedule: {}",
                info.id,
                Kind::ALL.map(Kind::name).join(", ")
            )));
        }
        let fewest = u16::try_from(*info.seats.start()).unwrap_or(u16::MAX).max(2);
        let most = u16::try_from(*info.seats.end()).unwrap_or(u16::MAX);
        let table = self.table.unwrap_or(match kind {
            Kind::Single => count,
            Kind::Alone => 1,
            Kind::RoundRobin | Kind::Gauntlet => fewest,
            Kind::BattleRoyale => count.min(most),
        });
        if table > most {
            return Err(plan_error(format!(
                "{} seats at most {most} competitors, found a table of {table}\nhint: use --schedule round-robin or a smaller --table",
                info.id
            )));
        }
        let native = competitors.iter().all(|competitor| competitor.kind == CompetitorKind::Native);
        // See `ROTATIONS_REASON`: a bot process could leave its successor notes about the deal.
        let usual = if native { table.clamp(1, 8) } else { 1 };
        let rotations = self.rotations.unwrap_or(competition.map_or(usual, |own| own.rotations));
        let are_limited = !native && table > 1 && self.rotations.is_none() && competition.is_none();
        let own_deals = !native && kind == Kind::Alone && count > 1;
        let rotations_reason = match (are_limited, own_deals) {
            (true, _) => Some(ROTATIONS_REASON.to_owned()),
            (_, true) => Some(OWN_DEALS_REASON.to_owned()),
            _ => None,
        };
        let schedule = Schedule {
            kind,
            competitors: count,
            table,
            rotations,
            deals: self.deals.unwrap_or(match (kind, competition) {
                (_, Some(own)) if kind == own.ties.schedule => own.ties.deals,
                (Kind::RoundRobin, _) => 20,
                _ => 100,
            }),
            anchors: if kind == Kind::Gauntlet { anchors.clone() } else { Vec::new() },
            fixed: competition.is_some_and(|own| own.fixed),
            block: match kind {
                _ if native => 1,
                _ if rotations == 1 => 1,
                _ => self.block(count, table),
            },
            own_deals,
            seed: self.seed.map_or_else(RootSeed::draw, Ok)?,
        };
        schedule.check().map_err(plan_error)?;
        let set_up = game.entry.set_up(game.preset, &self.set, usize::from(table))?;
        let natives: Vec<AgentSpec> = competitors.iter().filter_map(Competitor::agent).collect();
        set_up.check_line_up(&natives)?;
        let anchor = match &self.anchor {
            Some(name) => index_of(name, "anchor")?,
            None => anchors.first().map_or(0, |index| usize::from(*index)),
        };
        for competitor in &mut competitors {
            if let Some(agent) = competitor.agent() {
                competitor.files = networks::fingerprint(info.id, &agent)?;
            }
        }
        let usual = |own: &Competition| if kind == Kind::Alone { own.alone_ban } else { own.ban };
        let ban = self.ban.ban(competition.map_or_else(Ban::default, usual));
        let mut faults = self.faults.clone();
        faults.strikes = match self.strikes {
            Some(strikes) => Some(strikes).filter(|strikes| *strikes > 0),
            None => competition.map_or(faults.strikes, |own| own.strikes),
        };
        let plan = TournamentPlan {
            format: PLAN_FORMAT,
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            preset: game.preset.map(str::to_owned),
            set: self.set.clone(),
            variant: set_up.variant(),
            competitors,
            order: self.order.unwrap_or(match (kind, competition) {
                (_, Some(own)) => own.order,
                (Kind::Alone, None) => OrderBy::Wins,
                (_, None) => OrderBy::Rating,
            }),
            schedule,
            faults,
            limits: self.limits,
            sandbox: self.sandbox.clone(),
            ban,
            replays: self.replays.unwrap_or(match competition {
                Some(own) => own.replays,
                None if native => ReplayRetention::None,
                None => ReplayRetention::All,
            }),
            rating: RatingPlan { anchor, resamples: self.resamples, prior: self.prior },
            sprt: self.sprt,
            original: self.original,
            failed: Vec::new(),
            rotations_reason,
        };
        check_plan(&plan)?;
        Ok(plan)
    }

    /// Deal groups per block, for about [`DEALS_PER_START`] deals from one seat per start.
    ///
    /// A sequential test counts complete groups, and a block completes its groups only in its last rotation.
    /// With a test, blocks are therefore smaller. In a match of two they have [`MIN_GROUPS`] groups, the
    /// fewest for a decision.
    fn block(&self, competitors: u16, table: u16) -> u64 {
        let deals = if self.sprt.is_some() { MIN_GROUPS } else { DEALS_PER_START };
        deals * u64::from(competitors.div_ceil(table.max(1)))
    }

    fn read_competitors(&self) -> Result<Vec<Competitor>, ArenaError> {
        let mut competitors: Vec<Competitor> = Vec::new();
        for (name, run) in &self.competitors {
            let kind = kind_of(run);
            let name = match (name, kind) {
                (Some(name), _) => name.trim().to_owned(),
                (None, CompetitorKind::Native) => AgentSpec::parse(run).to_string(),
                (None, CompetitorKind::Bot) => BotSpec::parse(run, adapters())?.name,
            };
            if kind == CompetitorKind::Bot {
                BotSpec::parse(run, adapters())?;
            }
            competitors.push(Competitor { name, run: run.clone(), kind, files: None, number: None });
        }
        Ok(competitors)
    }
}
