//! Players at a table, and the result of an episode there.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use meeple_bothost::{EpisodeError, EpisodePanic, EpisodeRecord, SeatPlan, Who, play_episode};
use meeple_core::{AgentError, AgentSpec, AnyGame, AnyRunner, Consequence, ReplayFault, Seat};

use crate::error::ArenaError;
use crate::plan::{ReplayRetention, TournamentPlan};
use crate::row::{EpisodeEnding, EpisodeRow};
use crate::schedule::Pairing;

/// Agents by seat: those of the named seats, then fillers.
fn line_up(plan: &TournamentPlan, game: &dyn AnyGame, pairing: &Pairing) -> Vec<AgentSpec> {
    let named = pairing.seats.iter().filter_map(|own| plan.competitors[usize::from(*own)].agent());
    let mut specs: Vec<AgentSpec> = named.collect();
    specs.resize(game.seats(), filler(game));
    specs
}

pub(crate) struct NativeTable<'g> {
    plan: &'g TournamentPlan,
    game: &'g dyn AnyGame,
    /// Runners by seating; cleared when there are too many.
    runners: BTreeMap<Vec<u16>, Box<dyn AnyRunner + 'g>>,
}

const MAX_RUNNERS: usize = 256;

impl<'g> NativeTable<'g> {
    pub fn new(plan: &'g TournamentPlan, game: &'g dyn AnyGame) -> Self {
        Self { plan, game, runners: BTreeMap::new() }
    }

    /// Plays an episode; a panic is an error that names the agent.
    pub fn play(&mut self, pairing: Pairing) -> Result<EpisodeRow, ArenaError> {
        if self.plan.replays == ReplayRetention::All {
            return self.play_recorded(pairing);
        }
        match catch_unwind(AssertUnwindSafe(|| self.play_unrecorded(pairing.clone()))) {
            Ok(row) => Ok(row?),
            Err(payload) => {
                // After a panic the runners may be in any state.
                self.runners.clear();
                // Recorded play goes step by step, so its panic names the deciding agent.
                self.play_recorded(pairing.clone())?;
                let panic = EpisodePanic::new(None, 0, &*payload);
                Err(failed(self.plan, self.game, &pairing, panic.into()))
            }
        }
    }

    pub fn play_unrecorded(&mut self, pairing: Pairing) -> Result<EpisodeRow, AgentError> {
        let (plan, game) = (self.plan, self.game);
        if !self.runners.contains_key(&pairing.seats) {
            if self.runners.len() >= MAX_RUNNERS {
                self.runners.clear();
            }
            let runner = game.runner(&line_up(plan, game, &pairing))?;
            self.runners.insert(pairing.seats.clone(), runner);
        }
        let runner = self.runners.get_mut(&pairing.seats).expect("it was put there");
        let report = runner.play_seeded(plan.schedule.seed_of(pairing.group), pairing.index);
        let ending = EpisodeEnding {
            outcome: report.outcome,
            forfeits: Vec::new(),
            length: report.length,
            decisions: report.decisions,
        };
        Ok(EpisodeRow::new(pairing, ending, plan.placement()))
    }

    /// Plays an episode and records its replay.
    pub fn play_recorded(&self, pairing: Pairing) -> Result<EpisodeRow, ArenaError> {
        let specs = line_up(self.plan, self.game, &pairing);
        let names = player_names(self.plan, self.game, &pairing);
        let mut seats: Vec<SeatPlan<'_>> = names
            .into_iter()
            .zip(specs)
            .map(|(name, spec)| SeatPlan { name, who: Who::Native(spec) })
            .collect();
        let seed = self.plan.schedule.seed_of(pairing.group);
        let record = play_episode(self.game, seed, &mut seats, &self.plan.faults)
            .map_err(|error| failed(self.plan, self.game, &pairing, error))?;
        Ok(row_of_record(self.plan, pairing, record))
    }
}

/// The kind of event in a replay that says that the player of a seat was banned earlier.
const BANNED: &str = "BANNED";

/// The events of a replay that say which seats belong to banned bots, and which agent stands in.
pub(crate) fn ban_events(plan: &TournamentPlan, game: &dyn AnyGame, banned: &[usize]) -> Vec<ReplayFault> {
    let by = game.info().filler.map(|filler| AgentSpec::parse(filler).to_string().into());
    let event = |seat: &usize| ReplayFault {
        by: by.clone(),
        ..ReplayFault::new(Seat::new(*seat), 0, BANNED, Consequence::Out)
    };
    banned.iter().filter(|_| plan.has_ban_events()).map(event).collect()
}

/// The error of an episode without a result.
pub(crate) fn failed(
    plan: &TournamentPlan,
    game: &dyn AnyGame,
    pairing: &Pairing,
    error: EpisodeError,
) -> ArenaError {
    match error {
        EpisodeError::Agent(error) => error.into(),
        EpisodeError::Panic(panic) => ArenaError::Panic {
            episode: pairing.index,
            group: pairing.group,
            seed: plan.schedule.seed_of(pairing.group).bits(),
            players: player_names(plan, game, pairing).join(", "),
            panic: Box::new(panic),
        },
    }
}

/// The agent at seats without a competitor.
pub(crate) fn filler(game: &dyn AnyGame) -> AgentSpec {
    AgentSpec::parse(game.info().filler.unwrap_or("random"))
}

/// The names of a table's players in replays, by seat.
pub(crate) fn player_names(plan: &TournamentPlan, game: &dyn AnyGame, pairing: &Pairing) -> Vec<String> {
    let named = pairing.seats.iter().map(|own| plan.competitors[usize::from(*own)].name.clone());
    let mut names: Vec<String> = named.collect();
    names.resize(game.seats(), filler(game).to_string());
    names
}

pub(crate) fn row_of_record(plan: &TournamentPlan, pairing: Pairing, record: EpisodeRecord) -> EpisodeRow {
    let forfeits = (0..pairing.seats.len()).filter(|seat| record.seats[*seat].forfeited);
    let decisions = record.seats.iter().map(|seat| seat.decisions).sum();
    let forfeits = forfeits.map(|seat| seat as u16).collect();
    let ending = EpisodeEnding { outcome: &record.outcome, forfeits, length: record.length, decisions };
    let mut row = EpisodeRow::new(pairing, ending, plan.placement());
    (row.faults, row.replay) = (record.faults, record.replay);
    row
}
