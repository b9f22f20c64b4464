//! Playing the missing episodes of a tournament, in order.

use crate::bots::Bots;
use crate::contest::Contest;
use crate::error::ArenaError;
use crate::hosted::run_with_bots;
use crate::native;
use crate::networks;
use crate::options::RunOptions;
use crate::plan::TournamentPlan;
use crate::row::EpisodeRow;
use crate::store::RecordStore;
use meeple_lab::sprt::SprtVerdict;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    Complete,
    Decided(SprtVerdict),
    Stopped,
}

pub(crate) struct Progressing<'r> {
    plan: &'r TournamentPlan,
    pub store: &'r mut RecordStore,
    contest: Contest<'r>,
}

impl<'r> Progressing<'r> {
    /// Continues a record: the sequential test takes in its episodes.
    pub fn of_record(plan: &'r TournamentPlan, store: &'r mut RecordStore) -> Result<Self, ArenaError> {
        let mut contest = Contest::new(plan);
        if plan.sprt.is_some() {
            store.each(&mut |row| contest.add(&row))?;
        }
        Ok(Self { plan, store, contest })
    }

    /// Stores episodes, up to the end of the sequential test.
    pub fn add(&mut self, mut rows: Vec<EpisodeRow>) -> Result<(), ArenaError> {
        let over = self.contest.add_until_over(&rows);
        rows.truncate(over.unwrap_or(rows.len()));
        self.store.append(&rows)
    }

    /// The end of the run; `None` while episodes are missing.
    pub fn end(&self) -> Option<RunEnd> {
        match self.contest.verdict() {
            verdict if self.contest.is_over(self.store.next()) => Some(RunEnd::Decided(verdict)),
            _ if self.store.next() >= self.plan.schedule.episodes() => Some(RunEnd::Complete),
            _ => None,
        }
    }
}

/// Plays the episodes missing in the record.
///
/// # Errors
/// If an agent cannot be built, its files have changed, an episode panics, or the record cannot be written.
/// Stored episodes stay.
pub fn run(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    bots: &mut Bots,
    options: &mut RunOptions<'_>,
) -> Result<RunEnd, ArenaError> {
    let game = plan.set_up()?;
    let total = plan.schedule.episodes();
    let mut progressing = Progressing::of_record(plan, store)?;
    if let Some(end) = progressing.end() {
        return Ok(end);
    }
    networks::check(plan)?;
    options.progress.update(progressing.store.next(), total, "");
    if plan.is_native() {
        progressing.store.begin_session("in process")?;
        let missing = progressing.store.next()..total;
        native::play(plan, &*game, missing, options, |rows, options| {
            progressing.add(rows)?;
            options.progress.update(progressing.store.next(), total, "");
            Ok(progressing.end().is_none())
        })?;
    } else {
        let Progressing { store, contest, .. } = &mut progressing;
        store.begin_session(&bots.sandbox)?;
        run_with_bots(plan, &*game, store, bots, contest, options)?;
    }
    Ok(progressing.end().unwrap_or(RunEnd::Stopped))
}
