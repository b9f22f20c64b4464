//! The competitors that are programs, launched.

use std::collections::BTreeSet;

use meeple_bothost::{BotProcess, BotSpec, LaunchError, Limits, Player, Sandbox};
use meeple_core::EpisodeSeed;
use meeple_games::adapters;

use crate::error::ArenaError;
use crate::plan::{Competitor, CompetitorKind};

/// A launched bot, with the fingerprint of its files.
pub struct Bot {
    /// What plays.
    pub player: Box<dyn Player>,
    /// The fingerprint, if it has files.
    pub files: Option<String>,
}

/// The bots of a tournament: one set, or several that play episodes side by side.
pub struct Bots {
    pub(crate) sets: Vec<BotSet>,
    files: Vec<Option<String>>,
    pub(crate) sandbox: String,
}

/// A player for every competitor that is a bot.
#[derive(Default)]
pub(crate) struct BotSet {
    bots: Vec<Option<Hired>>,
}

/// A bot, and the deals that it has been shown since it last began anew.
struct Hired {
    player: Box<dyn Player>,
    shown: BTreeSet<u64>,
}

/// A bot begins anew after this many deals, so that they need not be kept for ever.
const MOST_SHOWN: usize = 1 << 16;

impl BotSet {
    /// The bots of some competitors, each to be taken for one episode. A competitor that has none gives `None`.
    pub fn at_table(&mut self, competitors: &[u16]) -> Vec<Option<Candidate<'_>>> {
        let mut all: Vec<_> = self.bots.iter_mut().map(Option::as_mut).collect();
        let own = |own: &u16| all.get_mut(usize::from(*own)).and_then(Option::take).map(Candidate);
        competitors.iter().map(own).collect()
    }

    /// Makes all bots begin anew that have been shown anything: also those that do not play next, who could tell the
    /// others.
    pub fn forget(&mut self) {
        for hired in self.bots.iter_mut().flatten().filter(|hired| !hired.shown.is_empty()) {
            hired.player.renew();
            hired.shown.clear();
        }
    }
}

/// A bot that may play an episode.
pub(crate) struct Candidate<'a>(&'a mut Hired);

impl<'a> Candidate<'a> {
    /// The player, for an episode of this deal. This is the only way to it, whatever a schedule, a ban or going on
    /// after a stop lead to: if it has been shown the deal before, it has begun anew and remembers nothing.
    pub fn for_deal(self, deal: EpisodeSeed) -> &'a mut dyn Player {
        let Hired { player, shown } = self.0;
        if shown.len() >= MOST_SHOWN || !shown.insert(deal.bits()) {
            player.renew();
            *shown = BTreeSet::from([deal.bits()]);
        }
        &mut **player
    }
}

/// Launches the process of a competitor that is a bot.
pub(crate) fn launch_process(
    competitor: &Competitor,
    sandbox: &Sandbox,
    limits: &Limits,
) -> Result<BotProcess, LaunchError> {
    let spec = BotSpec::parse(&competitor.run, adapters())?.named(competitor.name.clone());
    // How often it is started again is for the tournament to count: what its record says must not depend on which
    // process played which episode.
    let limits = Limits { restarts: u32::MAX, ..*limits };
    BotProcess::launch(&spec, sandbox, &limits)
}

/// Launches a competitor; `None` for agents of ours.
///
/// # Errors
/// If it cannot be started, or does not say hello.
pub fn launch(
    competitor: &Competitor,
    sandbox: &Sandbox,
    limits: &Limits,
) -> Result<Option<Bot>, LaunchError> {
    if competitor.kind == CompetitorKind::Native {
        return Ok(None);
    }
    let process = launch_process(competitor, sandbox, limits)?;
    Ok(Some(Bot { files: Some(process.hash().to_owned()), player: Box::new(process) }))
}

impl Bots {
    /// These bots, by competitor, in a sandbox that is recorded so.
    pub fn new(bots: Vec<Option<Bot>>, sandbox: impl Into<String>) -> Self {
        let (mut hired, mut files) = (Vec::new(), Vec::new());
        for bot in bots {
            let (player, hash) = bot.map_or((None, None), |bot| (Some(bot.player), bot.files));
            hired.push(player.map(|player| Hired { player, shown: BTreeSet::new() }));
            files.push(hash);
        }
        Self { sets: vec![BotSet { bots: hired }], files, sandbox: sandbox.into() }
    }

    /// Adds the sets of others: that many more episodes are played side by side. Results do not depend on it.
    ///
    /// # Errors
    /// If they are other programs.
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

    /// None: only agents of ours play.
    pub fn none() -> Self {
        Self { sets: Vec::new(), files: Vec::new(), sandbox: "in process".into() }
    }

    /// Launches all competitors that are bots.
    ///
    /// # Errors
    /// The first that cannot be launched.
    pub fn launch(
        competitors: &[Competitor],
        sandbox: &Sandbox,
        limits: &Limits,
    ) -> Result<Self, ArenaError> {
        let bots = competitors.iter().map(|competitor| launch(competitor, sandbox, limits));
        Ok(Self::new(bots.collect::<Result<_, _>>()?, sandbox.recorded(limits)))
    }

    /// Takes the bots of some competitors out, in this order.
    pub(crate) fn take(&mut self, competitors: &[usize]) -> Self {
        let taken = self.sets.iter_mut().map(|set| {
            let own = |index: &usize| set.bots.get_mut(*index).and_then(Option::take);
            BotSet { bots: competitors.iter().map(own).collect() }
        });
        Self { sets: taken.collect(), files: Vec::new(), sandbox: self.sandbox.clone() }
    }

    /// Puts bots that were taken out back.
    pub(crate) fn put_back(&mut self, competitors: &[usize], taken: Self) {
        for (set, taken) in self.sets.iter_mut().zip(taken.sets) {
            for (index, bot) in competitors.iter().zip(taken.bots) {
                if let Some(place) = set.bots.get_mut(*index) {
                    *place = bot;
                }
            }
        }
    }

    /// Notes the fingerprints in the list of competitors of a new plan.
    pub fn sign(&self, competitors: &mut [Competitor]) {
        let bots = competitors.iter_mut().zip(&self.files).filter(|(own, _)| own.kind == CompetitorKind::Bot);
        bots.for_each(|(competitor, files)| competitor.files.clone_from(files));
    }

    /// Whether these are the programs that a stored plan was made for.
    ///
    /// # Errors
    /// The first that is another.
    pub fn check(&self, competitors: &[Competitor]) -> Result<(), ArenaError> {
        competitors.iter().zip(&self.files).try_for_each(|(competitor, files)| {
            check_files(competitor, files.as_deref(), ", or begin a new tournament in another directory")
        })
    }
}

/// Whether a bot's files have the fingerprint that a stored plan says. The hint tells what to do but putting them back.
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
