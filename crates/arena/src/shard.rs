//! Shards of a tournament, played separately and merged.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::{ArenaError, plan_error};
use crate::native;
use crate::networks;
use crate::options::RunOptions;
use crate::plan::TournamentPlan;
use crate::row::EpisodeRow;
use crate::runner::{Progressing, RunEnd};
use crate::store::RecordStore;

/// Some episodes of a tournament among native agents, as serialisable data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentShard {
    plan_hash: String,
    episodes: Range<u64>,
    rows: Vec<EpisodeRow>,
}

impl TournamentShard {
    /// Range of the shard's episodes. A stopped shard has fewer than requested; the rest can be played as
    /// another shard.
    pub fn episodes(&self) -> Range<u64> {
        self.episodes.clone()
    }

    pub fn rows(&self) -> &[EpisodeRow] {
        &self.rows
    }

    /// The plan of this shard, if it is `plan` as written by this or an older release; otherwise `plan`
    /// itself. Plans of older releases have another format, and lack later parameters.
    ///
    /// # Errors
    /// If the game does not exist.
    pub fn plan(&self, plan: TournamentPlan) -> Result<TournamentPlan, ArenaError> {
        let older = plan.as_older_releases()?;
        Ok(older.into_iter().find(|older| older.hash() == self.plan_hash).unwrap_or(plan))
    }

    /// Checks that the shard is of this plan and begins at `next`.
    fn check(&self, plan: &TournamentPlan, next: u64) -> Result<(), ArenaError> {
        if self.plan_hash != plan.hash() {
            return Err(plan_error(format!(
                "expected episodes of the plan {}, found some of {}",
                plan.hash(),
                self.plan_hash
            )));
        }
        let Range { start, end } = self.episodes;
        let planned = (start..end.min(plan.schedule.episodes())).map(|index| plan.schedule.pairing(index));
        if start != next || !planned.eq(self.rows.iter().map(|row| row.pairing.clone())) {
            return Err(plan_error(format!(
                "expected episodes from {next} on, as the plan has them, found {} from {start} to {end}",
                self.rows.len()
            )));
        }
        Ok(())
    }
}

/// Splits a plan into at most `count` ranges of about equal length, in order, each of whole blocks.
pub fn ranges(plan: &TournamentPlan, count: u16) -> Vec<Range<u64>> {
    let (all, count) = (plan.schedule.episodes(), u64::from(count.max(1)));
    let ends = (1..=count).map(|number| plan.schedule.block_of((all * number).div_ceil(count) - 1).end);
    let mut cuts: Vec<u64> = std::iter::once(0).chain(ends).collect();
    cuts.dedup();
    cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
}

/// Plays these episodes of a plan, which must be whole [blocks](crate::schedule::Schedule::block_of), so no
/// deal group is split between shards. A stopped shard holds the completed blocks.
///
/// # Errors
/// If the plan has bots, whose admission depends on all earlier episodes. Also if the episodes are not whole
/// blocks, an agent cannot be built or its files have changed, or an episode panics.
pub fn play(
    plan: &TournamentPlan,
    episodes: Range<u64>,
    options: &mut RunOptions<'_>,
) -> Result<TournamentShard, ArenaError> {
    let (schedule, Range { start, end }) = (&plan.schedule, episodes);
    if !plan.is_native() {
        return Err(plan_error(
            "expected built-in agents only, found bots, whose faults count from episode to episode\nhint: play it in one piece",
        ));
    }
    if start >= end || end > schedule.episodes() || !schedule.ends_block(start) || !schedule.ends_block(end) {
        let block = schedule.block_of(start.min(schedule.episodes() - 1));
        return Err(plan_error(format!(
            "expected whole blocks out of {} episodes, found {start} to {end}\nhint: one block is {} to {}",
            schedule.episodes(),
            block.start,
            block.end
        )));
    }
    networks::check(plan)?;
    let (game, mut rows) = (plan.set_up()?, Vec::new());
    native::play(plan, &*game, start..end, options, |played, options| {
        rows.extend(played);
        options.progress.update(rows.len() as u64, end - start, "");
        Ok(true)
    })?;
    while !schedule.ends_block(start + rows.len() as u64) {
        rows.pop();
    }
    Ok(TournamentShard { plan_hash: plan.hash(), episodes: start..start + rows.len() as u64, rows })
}

/// Adds shards to the record of their plan, each starting where the one before it ends. The record and
/// everything computed from it are the same as from a single run: episodes after the decision of a sequential
/// test are dropped.
///
/// # Errors
/// If a shard is of another plan or out of order, or the record cannot be written. Earlier shards stay.
pub fn merge(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    shards: impl IntoIterator<Item = TournamentShard>,
) -> Result<RunEnd, ArenaError> {
    let mut progressing = Progressing::of_record(plan, store)?;
    if progressing.end().is_none() {
        progressing.store.begin_session("in process")?;
    }
    for shard in shards {
        if progressing.end().is_some() {
            break;
        }
        shard.check(plan, progressing.store.next())?;
        progressing.add(shard.rows)?;
    }
    Ok(progressing.end().unwrap_or(RunEnd::Stopped))
}
