//! Simulations and sweeps in shards. Merging gives the results of the whole run, byte for byte.
//!
//! Episodes are numbered from 0; in a sweep, consecutively over the cells. A shard is a range of episodes
//! that keeps deal groups whole. Shards can be stored ([`Serialize`]) and played anywhere, in any order; they
//! are merged in the order of their episodes.
//!
//! ```
//! # fn of(simulation: &meeple_lab::Simulation<'_>) -> Result<(), Box<dyn std::error::Error>> {
//! use meeple_lab::{NoProgress, Shard, StopFlag, shard};
//!
//! let mut stored = Vec::new();
//! for range in shard::ranges(simulation, 3)? {
//!     let shard = shard::play(simulation, range, None, &mut NoProgress, &StopFlag::new())?;
//!     stored.push(serde_json::to_string(&shard)?);
//! }
//! let shards: Result<Vec<Shard>, _> = stored.iter().map(|text| serde_json::from_str(text)).collect();
//! let run = shard::merge(simulation, shards?)?;
//! assert_eq!(run.summary.episodes, simulation.episodes);
//! # Ok(())
//! # }
//! ```

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;

use meeple_core::AnyEntry;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checksum::Checksum;
use crate::columns::Columns;
use crate::error::{LabError, Mismatch};
use crate::new_file::NewFile;
use crate::plan;
use crate::progress::{NoProgress, Progress, StopFlag};
use crate::run::{Run, kept};
use crate::simulation::Simulation;
use crate::stretch::{Stops, Stretch};
use crate::sweep::{Sweep, SweepOptions, SweepResult, play_cells};
use crate::tally::Tally;

/// Counts of a range of episodes of a simulation or sweep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The plan of the whole run.
    plan: Value,
    episodes: Range<u64>,
    /// Counts of all cells that contain any of the episodes, in order.
    tallies: Vec<Tally>,
    /// Checksum of the file with the shard's rows, if there is one.
    rows: Option<Checksum>,
}

impl Shard {
    /// The shard's episodes, in the numbering of the whole run. A stopped shard has fewer than requested; the
    /// rest can be played as another shard.
    pub fn episodes(&self) -> Range<u64> {
        self.episodes.clone()
    }

    /// Settings for playing the other shards of the same plan. Rule parameters that are newer than the plan
    /// take their former values, unless `set` overrides them.
    pub fn settings(&self, entry: &dyn AnyEntry, set: &[(String, String)]) -> Vec<(String, String)> {
        plan::settings_of(&self.plan, entry, set)
    }
}

/// Splits a simulation into `count` consecutive ranges of about equal length, but at most one per deal group.
///
/// # Errors
/// If the simulation cannot be played.
pub fn ranges(simulation: &Simulation<'_>, count: u64) -> Result<Vec<Range<u64>>, LabError> {
    Ok(Whole::of_simulation(simulation)?.ranges(count))
}

/// Splits a sweep like [`ranges`]; its episodes are numbered consecutively over the cells.
///
/// # Errors
/// If the sweep cannot be played.
pub fn sweep_ranges(sweep: &Sweep, options: &SweepOptions, count: u64) -> Result<Vec<Range<u64>>, LabError> {
    Ok(Whole::of_sweep(sweep, options)?.ranges(count))
}

/// Plays a range of episodes of a simulation. With `rows`, the rows of `episodes.parquet` go to that file,
/// for [`merge_into`](crate::merge_into).
///
/// # Errors
/// As [`simulate`](crate::simulate), or if the range is empty, exceeds the last episode or cuts a deal group
/// in two, or the file cannot be written.
pub fn play(
    simulation: &Simulation<'_>,
    episodes: Range<u64>,
    rows: Option<&Path>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Shard, LabError> {
    let whole = Whole::of_simulation(simulation)?;
    whole.check_asked(&episodes)?;
    let Some(path) = rows else { return whole.play(episodes, None, progress, stop) };
    // An earlier file of that name stays until the new one is complete. A symbolic link stays a link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let unwritten = |error: std::io::Error| LabError::write(path, error);
    // Created with the default permissions of ordinary files.
    let file = NewFile::beside(&target, 0o666).map_err(unwritten)?;
    let mut columns = Columns::create(file.path(), simulation)?;
    let mut shard = whole.play(episodes, Some(&mut columns), progress, stop)?;
    columns.finish()?;
    shard.rows = Some(Checksum::of(file.path()).map_err(unwritten)?);
    file.persist().map_err(unwritten)?;
    Ok(shard)
}

/// Plays a range of episodes of a sweep, numbered consecutively over the cells.
///
/// # Errors
/// As [`sweep`](fn@crate::sweep), or if the range is empty, exceeds the last episode or cuts a deal group in
/// two.
pub fn play_sweep(
    sweep: &Sweep,
    options: &SweepOptions,
    episodes: Range<u64>,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Shard, LabError> {
    let whole = Whole::of_sweep(sweep, options)?;
    whole.check_asked(&episodes)?;
    whole.play(episodes, None, progress, stop)
}

/// Merges the shards of a simulation, in order, into the run of the whole.
///
/// # Errors
/// If a shard is of another simulation or damaged, or episodes are missing or duplicate.
pub fn merge(simulation: &Simulation<'_>, shards: impl IntoIterator<Item = Shard>) -> Result<Run, LabError> {
    let mut merging = Merging::new(Whole::of_simulation(simulation)?);
    shards.into_iter().try_for_each(|shard| merging.add(&shard))?;
    merging.run()
}

/// Merges the shards of a sweep, in order, into the results of the whole.
///
/// # Errors
/// If a shard is of another sweep or damaged, or episodes are missing or duplicate.
pub fn merge_sweep(
    sweep: &Sweep,
    options: &SweepOptions,
    shards: impl IntoIterator<Item = Shard>,
) -> Result<SweepResult, LabError> {
    merge_sweep_keeping(sweep, options, shards, &mut |_| {})
}

/// Like [`merge_sweep`]; `keep` receives the counts of each cell.
pub(crate) fn merge_sweep_keeping(
    sweep: &Sweep,
    options: &SweepOptions,
    shards: impl IntoIterator<Item = Shard>,
    keep: &mut dyn FnMut(&Tally),
) -> Result<SweepResult, LabError> {
    let mut merging = Merging::new(Whole::of_sweep(sweep, options)?);
    let mut shards = shards.into_iter().fuse();
    let mut next = || loop {
        if let Some(tally) = merging.take_complete() {
            return Ok(Some(tally));
        }
        match shards.next() {
            Some(shard) => merging.add(&shard)?,
            None => return merging.check_end().map(|()| None),
        }
    };
    // All cells are complete, so nothing is played.
    let result = play_cells(sweep, options, &mut next, keep, &mut NoProgress, &StopFlag::new())?;
    shards.try_for_each(|shard| merging.add(&shard))?;
    Ok(result)
}

struct Whole<'a> {
    plan: Value,
    /// A single simulation, or the cells of a sweep, with equal numbers of episodes.
    cells: Vec<Simulation<'a>>,
    /// Episodes per cell.
    episodes: u64,
}

impl<'a> Whole<'a> {
    fn of_simulation(simulation: &Simulation<'a>) -> Result<Self, LabError> {
        simulation.check()?;
        Ok(Self::new(plan::of_simulation(simulation), vec![simulation.clone()], simulation.episodes))
    }

    /// The cells were validated when the sweep was parsed.
    fn of_sweep(sweep: &'a Sweep, options: &SweepOptions) -> Result<Self, LabError> {
        if options.episodes == 0 {
            return Err(LabError::Episodes { found: 0 });
        }
        options.total(sweep)?;
        let cells = options.simulations(sweep).collect();
        Ok(Self::new(plan::of_sweep(sweep, options), cells, options.episodes))
    }

    fn new(mut plan: Value, cells: Vec<Simulation<'a>>, episodes: u64) -> Self {
        plan["episodes"] = episodes.into();
        Self { plan, cells, episodes }
    }

    fn end(&self) -> u64 {
        self.cells.len() as u64 * self.episodes
    }

    /// The nearest shard boundary at or before an episode.
    fn seam(&self, episode: u64) -> u64 {
        let within = episode % self.episodes;
        match self.cells.get((episode / self.episodes) as usize) {
            Some(cell) => episode - within % cell.deal_group(),
            None => self.end(),
        }
    }

    fn ranges(&self, count: u64) -> Vec<Range<u64>> {
        let count = count.clamp(1, self.end().max(1));
        let at = |number: u64| u128::from(self.end()) * u128::from(number) / u128::from(count);
        let mut seams: Vec<u64> = (0..=count).map(|number| self.seam(at(number) as u64)).collect();
        seams.dedup();
        seams.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    fn parts(&self, episodes: &Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> + use<> {
        let (Range { start, end }, each) = (episodes.clone(), self.episodes);
        (start / each..end.div_ceil(each)).filter(move |_| start < end).map(move |cell| {
            let first = cell * each;
            (cell as usize, start.max(first) - first..end.min(first + each) - first)
        })
    }

    fn check_asked(&self, episodes: &Range<u64>) -> Result<(), LabError> {
        if episodes.is_empty() {
            return Err(wrong("at least one episode".into(), show(episodes), "omit this shard"));
        }
        self.check(episodes)
    }

    fn check(&self, episodes: &Range<u64>) -> Result<(), LabError> {
        let all = 0..self.end();
        if episodes.start > episodes.end || episodes.end > all.end {
            return Err(wrong(format!("a part of {}", show(&all)), show(episodes), "see `shard::ranges`"));
        }
        match [episodes.start, episodes.end].into_iter().find(|episode| self.seam(*episode) != *episode) {
            None => Ok(()),
            Some(episode) => Err(wrong(
                format!("a range that cuts no deal group in two, as one up to {}", self.seam(episode)),
                show(episodes),
                "see `shard::ranges`",
            )),
        }
    }

    fn play(
        &self,
        episodes: Range<u64>,
        mut columns: Option<&mut Columns>,
        progress: &mut dyn Progress,
        stop: &StopFlag,
    ) -> Result<Shard, LabError> {
        let total = episodes.end - episodes.start;
        let start = episodes.start;
        let mut shard =
            Shard { plan: self.plan.clone(), episodes: start..start, tallies: Vec::new(), rows: None };
        for (cell, episodes) in self.parts(&episodes) {
            let (simulation, before) = (&self.cells[cell], shard.episodes.end - start);
            let asked = episodes.end - episodes.start;
            let mut update = |done, _| progress.update(before + done, total, "");
            let stretch = Stretch { simulation, episodes, stops: Stops::BetweenDeals };
            let (tally, _) = stretch.count(simulation.tally(), columns.as_deref_mut(), &mut update, stop)?;
            simulation.game.release();
            let counted = tally.episodes();
            shard.episodes.end += counted;
            if counted > 0 {
                shard.tallies.push(tally);
            }
            if counted < asked || stop.is_stopped() {
                break;
            }
        }
        Ok(shard)
    }
}

pub(crate) struct Merging<'a> {
    whole: Whole<'a>,
    /// Counts of the cells from the first one not yet taken to the last begun one.
    tallies: VecDeque<Tally>,
    /// Number of cells taken.
    taken: usize,
    next: u64,
}

impl<'a> Merging<'a> {
    pub fn of_simulation(simulation: &Simulation<'a>) -> Result<Self, LabError> {
        Whole::of_simulation(simulation).map(Self::new)
    }

    fn new(whole: Whole<'a>) -> Self {
        Self { whole, tallies: VecDeque::new(), taken: 0, next: 0 }
    }

    pub fn add(&mut self, shard: &Shard) -> Result<(), LabError> {
        let game = self.whole.cells.first().map(|cell| cell.game);
        if let Some((expected, found)) = plan::difference(game, &self.whole.plan, &shard.plan) {
            return Err(wrong(
                expected,
                found,
                "merge only shards of one plan, and all with the same settings",
            ));
        }
        let episodes = &shard.episodes;
        if episodes.start != self.next {
            let hint = match episodes.start > self.next {
                true => "episodes are missing: play them too, and merge shards in their order",
                false => "these episodes occur twice: omit one, and merge shards in their order",
            };
            return Err(wrong(format!("the shard from episode {} on", self.next), show(episodes), hint));
        }
        self.whole.check(episodes)?;
        let mut tallies = shard.tallies.iter();
        for (cell, part) in self.whole.parts(episodes) {
            while self.taken + self.tallies.len() <= cell {
                self.tallies.push_back(self.whole.cells[self.taken + self.tallies.len()].tally());
            }
            let own = &mut self.tallies[cell - self.taken];
            match tallies.next() {
                Some(tally) if tally.fits(own) && tally.episodes() == part.end - part.start => {
                    own.merge(tally)
                }
                _ => return Err(damaged(episodes)),
            }
        }
        if tallies.next().is_some() {
            return Err(damaged(episodes));
        }
        self.next = episodes.end;
        Ok(())
    }

    pub fn add_rows(&mut self, shard: &Shard, path: &Path, columns: &mut Columns) -> Result<(), LabError> {
        self.add(shard)?;
        let Some(checksum) = &shard.rows else {
            let hint = "play it again with a file for its rows";
            return Err(wrong(format!("rows in {}", path.display()), "a shard without".into(), hint));
        };
        checksum.verify(path)?;
        let seats = self.whole.cells[0].line_up.seats() as u64;
        columns.copy_from(path, (shard.episodes.end - shard.episodes.start) * seats)
    }

    pub fn run(mut self) -> Result<Run, LabError> {
        self.check_end()?;
        let simulation = self.whole.cells[0].clone();
        let tally = self.take_complete().unwrap_or_else(|| simulation.tally());
        Ok(kept(&simulation, tally))
    }

    /// Removes and returns the counts of the first remaining cell, once complete.
    fn take_complete(&mut self) -> Option<Tally> {
        let end = (self.taken as u64 + 1) * self.whole.episodes;
        let tally = if end <= self.next { self.tallies.pop_front() } else { None };
        self.taken += usize::from(tally.is_some());
        tally
    }

    fn check_end(&self) -> Result<(), LabError> {
        let end = self.whole.end();
        if self.next == end {
            return Ok(());
        }
        let found = format!("shards of {}", show(&(0..self.next)));
        Err(wrong(show(&(0..end)), found, "episodes are missing at the end: play them too"))
    }
}

fn wrong(expected: String, found: String, hint: &str) -> LabError {
    LabError::Shard(Mismatch::new(expected, found, hint))
}

fn damaged(episodes: &Range<u64>) -> LabError {
    wrong(
        "counts of its episodes".into(),
        format!("other counts in the shard of {}", show(episodes)),
        "play it again",
    )
}

/// Text of a range for people, with its last episode included.
fn show(episodes: &Range<u64>) -> String {
    match episodes.end.checked_sub(1) {
        Some(last) if last >= episodes.start => format!("episodes {} to {last}", episodes.start),
        _ => format!("no episodes from {} on", episodes.start),
    }
}
