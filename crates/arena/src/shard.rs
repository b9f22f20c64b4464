//! Pieces of a tournament that are played apart, on other machines or at other times, and put together again.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::{ArenaError, plan_error};
use crate::native;
use crate::networks;
use crate::options::RunOptions;
use crate::plan::Plan;
use crate::row::EpisodeRow;
use crate::runner::{Progressing, RunEnd};
use crate::store::Store;

/// Some episodes of a tournament among agents of ours, played apart from the others: plain data to be written and read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Fingerprint of the plan that they are of.
    plan_hash: String,
    episodes: Range<u64>,
    rows: Vec<EpisodeRow>,
}

impl Shard {
    /// Its episodes. Fewer than were asked for if it was stopped: the rest is a shard that can be played as well.
    pub fn episodes(&self) -> Range<u64> {
        self.episodes.clone()
    }

    /// How its episodes came out, in order.
    pub fn rows(&self) -> &[EpisodeRow] {
        &self.rows
    }

    /// The plan of this shard, if it is `plan` as this or an older release writes it: plans of older releases have another
    /// format, and lack parameters that came later. Otherwise `plan` itself.
    ///
    /// # Errors
    /// If the game does not exist.
    pub fn plan(&self, plan: Plan) -> Result<Plan, ArenaError> {
        let older = plan.as_older_releases()?;
        Ok(older.into_iter().find(|older| older.hash() == self.plan_hash).unwrap_or(plan))
    }

    /// Whether it is of this plan, and what comes next.
    fn check(&self, plan: &Plan, next: u64) -> Result<(), ArenaError> {
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

/// Ranges of about the same length that are the shards of a plan, in order: `count` of them, or as many as it has blocks.
pub fn ranges(plan: &Plan, count: u16) -> Vec<Range<u64>> {
    let (all, count) = (plan.schedule.episodes(), u64::from(count.max(1)));
    let ends = (1..=count).map(|number| plan.schedule.block_of((all * number).div_ceil(count) - 1).end);
    let mut cuts: Vec<u64> = std::iter::once(0).chain(ends).collect();
    cuts.dedup();
    cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
}

/// Plays these episodes of a plan, which must begin and end where a [block](crate::schedule::Schedule::block_of)
/// does: so no deal group is in two shards. If it is stopped, it holds those of the blocks that were played to
/// their end.
///
/// # Errors
/// If bots play: whether one does depends on all episodes before. If the episodes are not those of whole blocks of
/// the plan, or an agent cannot be built.
pub fn play(plan: &Plan, episodes: Range<u64>, options: &mut RunOptions<'_>) -> Result<Shard, ArenaError> {
    let (schedule, Range { start, end }) = (&plan.schedule, episodes);
    if !plan.is_native() {
        return Err(plan_error(
            "expected agents of ours only, found bots, whose faults count from episode to episode\nhint: play it in one piece",
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
    Ok(Shard { plan_hash: plan.hash(), episodes: start..start + rows.len() as u64, rows })
}

/// Adds shards to the record of their plan, each where the one before it ends. The record and all that follows from it
/// are then as if one run had played them: what comes after a sequential test has decided is left out.
///
/// # Errors
/// If a shard is of another plan or not the next one, or the record cannot be written. Shards before it stay.
pub fn merge(
    plan: &Plan,
    store: &mut Store,
    shards: impl IntoIterator<Item = Shard>,
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
