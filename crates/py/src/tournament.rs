//! Tournaments of a game's own agents.

use meeple_arena::schedule::Kind;
use meeple_arena::{
    ArenaError, Bots, Pair, Plan, Request, RunOptions, Standings, Store, Times, report, run, write_results,
};
use meeple_lab::{Progress, StopFlag};
use pyo3::prelude::*;

use crate::failure::{entry_error, failure, guarded, lab_error, usage};
use crate::lab::watched;

/// What came out of a tournament.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Tournament {
    standings: Standings,
    times: Times,
}

/// How a tournament is played; what is `None` fits the rest, as on the command line.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    schedule: Option<String>,
    table: Option<u16>,
    deals: Option<u64>,
    rotations: Option<u16>,
    anchors: Vec<String>,
    anchor: Option<String>,
    resamples: Option<usize>,
}

/// Plays a tournament in memory; `told` is called with how many episodes of how many are played.
#[pyfunction(name = "tournament")]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn play(
    py: Python<'_>,
    game: &str,
    agents: Vec<String>,
    set: Vec<(String, String)>,
    seed: &str,
    threads: usize,
    options: Options,
    told: Option<Py<PyAny>>,
) -> PyResult<Tournament> {
    let plan = plan(game, agents, set, seed, options)?;
    let stop = StopFlag::new();
    let played = watched(py, told, &stop, |watch| -> Result<_, ArenaError> {
        let mut store = Store::in_memory(&plan, "meeple.tournament")?;
        let mut options = RunOptions { threads, progress: watch as &mut dyn Progress, stop: &stop };
        run(&plan, &mut store, &mut Bots::none(), &mut options)?;
        write_results(&plan, &store, None, threads)
    })?;
    let (standings, times) = played.map_err(arena_error)?;
    Ok(Tournament { standings, times })
}

/// What is to be played.
pub(crate) fn plan(
    game: &str,
    agents: Vec<String>,
    set: Vec<(String, String)>,
    seed: &str,
    options: Options,
) -> PyResult<Plan> {
    let mut request = Request::new(game);
    agents.iter().for_each(|agent| request.add(agent));
    request.set = set;
    request.seed = Some(seed.parse().map_err(usage)?);
    request.schedule = options.schedule.as_deref().map(kind_of).transpose()?;
    (request.table, request.deals, request.rotations) = (options.table, options.deals, options.rotations);
    (request.anchors, request.anchor) = (options.anchors, options.anchor);
    request.resamples = options.resamples.unwrap_or(request.resamples);
    if !request.anchors.is_empty() && request.schedule != Some(Kind::Gauntlet) {
        let text = "anchors: expected a gauntlet, in which everybody meets them";
        return Err(usage(format!("{text}\nhint: schedule=\"gauntlet\"")));
    }
    let plan = guarded(|| request.plan())?.map_err(arena_error)?;
    if let Some(bot) = plan.competitors.iter().find(|competitor| competitor.agent().is_none()) {
        let text = format!("agents: expected agents of the game, found the bot '{}'", bot.name);
        return Err(usage(format!("{text}\nhint: bots play where they are shut in: meeple tournament")));
    }
    Ok(plan)
}

/// A schedule by its name.
fn kind_of(name: &str) -> PyResult<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let known = Kind::ALL.map(Kind::name).join(", ");
        usage(format!("schedule: expected one of {known}, found '{name}'"))
    })
}

/// What is wrong with a tournament.
pub(crate) fn arena_error(error: ArenaError) -> PyErr {
    match error {
        ArenaError::Face(error) => entry_error(error),
        ArenaError::Lab(error) => lab_error(error),
        ArenaError::Game(_) | ArenaError::Agent(_) | ArenaError::Bot(_) | ArenaError::Plan(_) => usage(error),
        ArenaError::Missing { .. } => usage(error),
        _ => failure(error),
    }
}

impl Tournament {
    pub(crate) fn of(standings: Standings, times: Times) -> Self {
        Self { standings, times }
    }
}

#[pymethods]
impl Tournament {
    /// The standings, as `meeple tournament --json` prints them.
    fn json(&self) -> String {
        self.standings.to_json()
    }

    /// All who have met, from both sides, where there are too many competitors for `matchups` in the standings: as JSON,
    /// who, against whom, and what the first did.
    fn pairs(&self) -> String {
        let name = |index: usize| &self.standings.standings[index].name;
        let pairs = self.standings.pairs.iter().flat_map(|Pair { own, other, matchup, .. }| {
            [(name(*own), name(*other), *matchup), (name(*other), name(*own), matchup.turned())]
        });
        serde_json::to_string(&pairs.collect::<Vec<_>>()).expect("pairs are plain data")
    }

    /// The tables, as `meeple tournament` prints them.
    fn tables(&self, width: Option<u16>) -> String {
        report::tables(&self.standings, &self.times, width)
    }

    /// The plots: names, and pictures in SVG.
    fn plots(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let drawn = py.detach(|| guarded(|| report::plots(&self.standings, &self.times)))?;
        let drawn = drawn.map_err(arena_error)?.into_iter();
        Ok(drawn.map(|plot| (plot.name.clone(), plot.to_svg())).collect())
    }
}
