//! Launched bots of a tournament.

use std::collections::BTreeSet;

use meeple_bothost::{BotProcess, BotSpec, LaunchError, Limits, Player, Sandbox};
use meeple_core::EpisodeSeed;
use meeple_games::adapters;

use crate::error::ArenaError;
use crate::plan::{Competitor, CompetitorKind};

pub struct Bot {
    pub player: Box<dyn Player>,
    pub files: Option<String>,
    /// The reason why the page cache can reveal deals of earlier processes to the bot
    /// ([`BotProcess::cold_files`]); `None` if it reveals none.
    pub cold_files: Option<String>,
}

/// The bots of a tournament: one set, or several that play episodes in parallel.
pub struct Bots {
    pub(crate) sets: Vec<BotSet>,
    files: Vec<Option<String>>,
    pub(crate) sandbox: String,
}

/// A player for every competitor that is a bot; `None` for agents.
#[derive(Default)]
pub(crate) struct BotSet {
    bots: Vec<Option<LaunchedBot>>,
}

/// A bot, and the deals it has seen since its last restart.
struct LaunchedBot {
    player: Box<dyn Player>,
    seen_deals: BTreeSet<u64>,
}

/// Number of deals after which a bot restarts. It bounds the memory of [`LaunchedBot::seen_deals`].
const MAX_SEEN_DEALS: usize = 1 << 16;

impl BotSet {
    /// The bots of these competitors, in this order, each for a single episode; `None` for agents.
    pub fn at_table(&mut self, competitors: &[u16]) -> Vec<Option<SeatedBot<'_>>> {
        let mut all: Vec<_> = self.bots.iter_mut().map(Option::as_mut).collect();
        let own = |own: &u16| all.get_mut(usize::from(*own)).and_then(Option::take).map(SeatedBot);
        competitors.iter().map(own).collect()
    }

    /// Restarts all bots that have seen a deal, including idle ones, which could pass information on.
    pub fn forget(&mut self) {
        for launched in self.bots.iter_mut().flatten().filter(|launched| !launched.seen_deals.is_empty()) {
            launched.player.renew();
            launched.seen_deals.clear();
        }
    }
}

pub(crate) struct SeatedBot<'a>(&'a mut LaunchedBot);

impl<'a> SeatedBot<'a> {
    /// Returns the player, restarted first if it has seen this deal, or [`MAX_SEEN_DEALS`] others. Episodes
    /// get players only here, so schedules, bans and continued runs cannot bypass this check.
    pub fn for_deal(self, deal: EpisodeSeed) -> &'a mut dyn Player {
        let LaunchedBot { player, seen_deals } = self.0;
        if seen_deals.len() >= MAX_SEEN_DEALS || !seen_deals.insert(deal.bits()) {
            player.renew();
            *seen_deals = BTreeSet::from([deal.bits()]);
        }
        &mut **player
    }
}

pub(crate) fn launch_process(
    competitor: &Competitor,
    sandbox: &Sandbox,
    limits: &Limits,
) -> Result<BotProcess, LaunchError> {
    let spec = BotSpec::parse(&competitor.run, adapters())?.named(competitor.name.clone());
    // The process has no limit of restarts. The tournament counts them by episodes, so that its record does
    // not depend on which process played which episode.
    let limits = Limits { restarts: u32::MAX, ..*limits };
    BotProcess::launch(&spec, sandbox, &limits)
}

/// Launches a competitor's bot; returns `None` for agents.
///
/// # Errors
/// If the spec is invalid, the bot cannot be started, or it fails the handshake.
pub fn launch(
    competitor: &Competitor,
    sandbox: &Sandbox,
    limits: &Limits,
) -> Result<Option<Bot>, LaunchError> {
    if competitor.kind == CompetitorKind::Native {
        return Ok(None);
    }
    let process = launch_process(competitor, sandbox, limits)?;
    let (files, cold_files) = (Some(process.hash().to_owned()), process.cold_files().map(str::to_owned));
    Ok(Some(Bot { files, cold_files, player: Box::new(process) }))
}

impl Bots {
    /// A single set of these bots, by competitor. The record stores the text `sandbox` about the sandbox
    /// level.
    pub fn new(bots: Vec<Option<Bot>>, sandbox: impl Into<String>) -> Self {
        let (mut launched, mut files, mut sandbox) = (Vec::new(), Vec::new(), sandbox.into());
        let mut reasons = BTreeSet::new();
        for bot in bots {
            files.push(bot.as_ref().and_then(|bot| bot.files.clone()));
            reasons.extend(bot.as_ref().and_then(|bot| bot.cold_files.clone()));
            launched.push(bot.map(|bot| LaunchedBot { player: bot.player, seen_deals: BTreeSet::new() }));
        }
        for reason in reasons {
            sandbox.push_str(&format!("; bots may measure which files their predecessors read: {reason}"));
        }
        Self { sets: vec![BotSet { bots: launched }], files, sandbox }
    }

    /// Adds the sets of `others` for parallel episodes; results do not depend on the number of sets.
    ///
    /// # Errors
    /// If the bots of `others` have other fingerprints.
    pub fn join(&mut self, others: Self) -> Result<(), ArenaError> {
        if self.files != others.files {
            return Err(ArenaError::Plan(
                "expected the same files of every bot for episodes side by side, found changed ones\nhint: begin again when nobody writes them"
                    .into(),
            ));
        }
        self.sets.extend(others.sets);
        Ok(())
    }

    pub fn none() -> Self {
        Self { sets: Vec::new(), files: Vec::new(), sandbox: "in process".into() }
    }

    /// # Errors
    /// For the first bot that cannot be launched.
    pub fn launch(
        competitors: &[Competitor],
        sandbox: &Sandbox,
        limits: &Limits,
    ) -> Result<Self, ArenaError> {
        let bots = competitors.iter().map(|competitor| launch(competitor, sandbox, limits));
        Ok(Self::new(bots.collect::<Result<_, _>>()?, sandbox.recorded(limits)))
    }

    /// Takes the bots of these competitors out of all sets, in the order of `competitors`.
    pub(crate) fn take(&mut self, competitors: &[usize]) -> Self {
        let taken = self.sets.iter_mut().map(|set| {
            let own = |index: &usize| set.bots.get_mut(*index).and_then(Option::take);
            BotSet { bots: competitors.iter().map(own).collect() }
        });
        Self { sets: taken.collect(), files: Vec::new(), sandbox: self.sandbox.clone() }
    }

    pub(crate) fn put_back(&mut self, competitors: &[usize], taken: Self) {
        for (set, taken) in self.sets.iter_mut().zip(taken.sets) {
            for (index, bot) in competitors.iter().zip(taken.bots) {
                if let Some(place) = set.bots.get_mut(*index) {
                    *place = bot;
                }
            }
        }
    }

    /// Stores the fingerprints of the bots' files in the competitors of a new plan.
    pub fn sign(&self, competitors: &mut [Competitor]) {
        let bots = competitors.iter_mut().zip(&self.files).filter(|(own, _)| own.kind == CompetitorKind::Bot);
        bots.for_each(|(competitor, files)| competitor.files.clone_from(files));
    }

    /// Compares the fingerprints of the bots' files with those of a stored plan.
    ///
    /// # Errors
    /// For the first mismatch.
    pub fn check(&self, competitors: &[Competitor]) -> Result<(), ArenaError> {
        competitors.iter().zip(&self.files).try_for_each(|(competitor, files)| {
            check_files(competitor, files.as_deref(), ", or begin a new tournament in another directory")
        })
    }
}

/// Compares a fingerprint with the stored plan's. `or` is the hint's alternative to restoring the files.
pub(crate) fn check_files(competitor: &Competitor, files: Option<&str>, or: &str) -> Result<(), ArenaError> {
    if competitor.kind == CompetitorKind::Native || competitor.files.as_deref() == files {
        return Ok(());
    }
    Err(ArenaError::Plan(format!(
        "bot '{}': expected files with fingerprint {}, found {}\nhint: the bot was changed since the tournament began; put \
         the old files back{or}",
        competitor.name,
        competitor.files.as_deref().unwrap_or("none"),
        files.unwrap_or("none")
    )))
}
