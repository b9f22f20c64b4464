//! Parts of simulations, sweeps and tournaments as serialised bytes, and their merged results.
//!
//! A part is a pure function of the request and its number, so a lost part can be played again.

use meeple_arena::{ArenaError, RecordStore, RunOptions, shard as of_tournaments, write_results};
use meeple_core::serde::Serialize;
use meeple_core::serde::de::DeserializeOwned;
use meeple_games::parse_game;
use meeple_lab::{Progress, SetUp, Simulation, StopFlag, Sweep, SweepOptions, shard};
use pyo3::prelude::*;

use crate::failure::{failure, guarded, lab_error, usage};
use crate::lab::{Simulated, Swept, read_file, seating_of};
use crate::tournament::{Options, Tournament, arena_error, plan};
use crate::watch::Watch;

/// The first arguments of [`crate::lab::sim`] and [`crate::lab::sweep_parameters`], in order.
#[derive(FromPyObject)]
pub(crate) struct Run(String, Vec<String>, Vec<(String, String)>, u64, u64, String, usize);

impl Run {
    /// Completes the settings by the rules of an existing part, which an older release may have played.
    fn of(mut self, part: Option<&shard::Shard>) -> PyResult<Self> {
        if let Some(part) = part {
            self.2 = part.settings(parse_game(&self.0).map_err(usage)?.entry, &self.2);
        }
        Ok(self)
    }
}

/// The first arguments of [`crate::tournament::play`], in order.
#[derive(FromPyObject)]
pub(crate) struct Meeting(String, Vec<String>, Vec<(String, String)>, String, usize, Options);

/// Part `index` of `count` of a simulation. `None` if too few deal groups leave this part empty.
#[pyfunction]
pub(crate) fn sim_part(py: Python<'_>, run: Run, index: usize, count: u64) -> PyResult<Option<Vec<u8>>> {
    of_simulation(&run, |simulation| {
        let ranges = shard::ranges(simulation, count).map_err(lab_error)?;
        let Some(range) = ranges.get(index).cloned() else { return Ok(None) };
        let played = watched(py, |progress, stop| shard::play(simulation, range, None, progress, stop))?;
        bytes(&played.map_err(lab_error)?)
    })
}

/// Merges all parts of a simulation, in order.
#[pyfunction]
pub(crate) fn sim_of_parts(run: Run, parts: Vec<Vec<u8>>) -> PyResult<Simulated> {
    let parts = read_parts::<shard::Shard>(&parts)?;
    of_simulation(&run.of(parts.first())?, |simulation| {
        let merged = shard::merge(simulation, parts);
        Ok(Simulated::of_run(merged.map_err(lab_error)?))
    })
}

/// Part `index` of `count` of a sweep. `None` if too few deal groups leave this part empty.
#[pyfunction]
pub(crate) fn sweep_part(py: Python<'_>, run: Run, index: usize, count: u64) -> PyResult<Option<Vec<u8>>> {
    let (sweep, options) = sweep_of(&run)?;
    let ranges = shard::sweep_ranges(&sweep, &options, count).map_err(lab_error)?;
    let Some(range) = ranges.get(index).cloned() else { return Ok(None) };
    let played = watched(py, |progress, stop| shard::play_sweep(&sweep, &options, range, progress, stop))?;
    bytes(&played.map_err(lab_error)?)
}

/// Merges all parts of a sweep, in order.
#[pyfunction]
pub(crate) fn sweep_of_parts(run: Run, parts: Vec<Vec<u8>>) -> PyResult<Swept> {
    let parts = read_parts::<shard::Shard>(&parts)?;
    let (sweep, options) = sweep_of(&run.of(parts.first())?)?;
    let merged = shard::merge_sweep(&sweep, &options, parts);
    Ok(Swept::of_result(merged.map_err(lab_error)?))
}

/// Part `index` of `count` of a tournament. `None` if too few blocks leave this part empty.
#[pyfunction]
pub(crate) fn tournament_part(
    py: Python<'_>,
    meeting: Meeting,
    index: usize,
    count: u16,
) -> PyResult<Option<Vec<u8>>> {
    let Meeting(game, agents, set, seed, threads, options) = meeting;
    let plan = plan(&game, agents, set, &seed, options)?;
    let Some(range) = of_tournaments::ranges(&plan, count).get(index).cloned() else { return Ok(None) };
    let played = watched(py, |progress, stop| {
        of_tournaments::play(&plan, range, &mut RunOptions { threads, progress, stop })
    })?;
    bytes(&played.map_err(arena_error)?)
}

/// Merges all parts of a tournament, in order.
#[pyfunction]
pub(crate) fn tournament_of_parts(meeting: Meeting, parts: Vec<Vec<u8>>) -> PyResult<Tournament> {
    let Meeting(game, agents, set, seed, threads, options) = meeting;
    let mut plan = plan(&game, agents, set, &seed, options)?;
    let parts = read_parts::<meeple_arena::TournamentShard>(&parts)?;
    if let Some(part) = parts.first() {
        plan = part.plan(plan).map_err(arena_error)?;
    }
    let merged = guarded(|| -> Result<_, ArenaError> {
        let mut store = RecordStore::in_memory(&plan, "meeple.tournament")?;
        of_tournaments::merge(&plan, &mut store, parts)?;
        write_results(&plan, &store, None, threads)
    })?;
    let (standings, times) = merged.map_err(arena_error)?;
    Ok(Tournament::of(standings, times))
}

/// Plays a part, and polls for Ctrl-C.
fn watched<T: Send>(
    py: Python<'_>,
    play: impl FnOnce(&mut dyn Progress, &StopFlag) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::new(None);
    let played = watch.over(py, |progress| play(progress, &watch.stop));
    watch.error().map_or(played, Err)
}

fn of_simulation<T>(run: &Run, call: impl FnOnce(&Simulation<'_>) -> PyResult<T>) -> PyResult<T> {
    let Run(game, line_up, set, episodes, seed, seating, threads) = run;
    let name = parse_game(game).map_err(usage)?;
    let set_up = guarded(|| SetUp::new(name.entry, name.preset, set, line_up))?.map_err(lab_error)?;
    let SetUp { game, line_up, .. } = set_up;
    let (seed, episodes, seating, threads) = (*seed, *episodes, seating_of(seating)?, *threads);
    call(&Simulation { game: &*game, line_up, seed, episodes, seating, threads })
}

fn sweep_of(run: &Run) -> PyResult<(Sweep, SweepOptions)> {
    let Run(game, line_up, set, episodes, seed, seating, threads) = run;
    let name = parse_game(game).map_err(usage)?;
    let options =
        SweepOptions { seed: *seed, episodes: *episodes, seating: seating_of(seating)?, threads: *threads };
    let plan = guarded(|| Sweep::with_files(name.entry, name.preset, set, line_up, &mut read_file))?;
    Ok((plan.map_err(lab_error)?, options))
}

fn bytes(part: &impl Serialize) -> PyResult<Option<Vec<u8>>> {
    serde_json::to_vec(part).map(Some).map_err(failure)
}

/// Reads the parts that have episodes. With more parts than deal groups, the last parts are empty.
fn read_parts<T: DeserializeOwned>(parts: &[Vec<u8>]) -> PyResult<Vec<T>> {
    let with_episodes = parts.iter().enumerate().filter(|(_, part)| !part.is_empty());
    let read = with_episodes.map(|(index, part)| {
        serde_json::from_slice(part).map_err(|error| {
            usage(format!("part {index}: expected what playing it has given, found other bytes: {error}"))
        })
    });
    read.collect()
}
