//! Tournaments of a game's own agents and of Python players.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::sync::Arc;

use meeple_arena::schedule::Kind;
use meeple_arena::{
    ArenaError, Bots, CompetitorTimes, EpisodeEnding, EpisodeRow, Pair, RecordStore, Request, RunOptions,
    Standings, TournamentPlan, report, run, write_results,
};
use meeple_core::{AgentSpec, AnyEntry, AnyRunner, GameInfo};
use meeple_games::{find_game, parse_game};
use meeple_lab::Progress;
use pyo3::prelude::*;

use crate::failure::{entry_error, failure, guarded, lab_error, usage};
use crate::outside::{Entry, Faults, Outside, PYTHON, Players, copied};
use crate::watch::with_partial;

/// Result of a tournament.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Tournament {
    standings: Standings,
    times: CompetitorTimes,
    faults: Faults,
}

/// Options of a tournament. `None` takes the default of the command line, which depends on the other options.
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

/// Plays a tournament in memory. The progress callback receives the numbers of finished and of all episodes.
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
    players: Option<Players>,
) -> PyResult<Tournament> {
    let count = players.as_ref().map_or(0, |(_, _, count)| *count);
    let plan = plan_beside(game, agents, set, seed, options, count)?;
    let outside = Outside::new(players, told);
    let stop = &outside.watch.stop;
    let played = outside.watch_over(py, |progress| -> Result<_, ArenaError> {
        let mut store = RecordStore::in_memory(&plan, "meeple.tournament")?;
        match count {
            0 => {
                let mut options = RunOptions { threads, progress, stop };
                run(&plan, &mut store, &mut Bots::none(), &mut options)?;
            }
            _ => play_here(&plan, &outside, &mut store, progress)?,
        }
        match store.next() {
            0 => Ok(None),
            _ => write_results(&plan, &store, None, threads).map(Some),
        }
    });
    let result = |played: PyResult<Result<Option<(Standings, CompetitorTimes)>, ArenaError>>| {
        let (standings, times) =
            played?.map_err(arena_error)?.ok_or_else(|| failure("expected an episode, found none"))?;
        Ok(Tournament { standings, times, faults: outside.faults() })
    };
    match outside.watch.error() {
        None => result(played),
        Some(error) => {
            let partial = result(played).ok().and_then(|partial| Py::new(py, partial).ok());
            Err(with_partial(py, error, partial.map(Py::into_any)))
        }
    }
}

/// Number of episodes per write to the store.
const ROWS_TOGETHER: usize = 64;

/// Plays a tournament with Python players on this thread, until it ends or is stopped.
fn play_here(
    plan: &TournamentPlan,
    outside: &Arc<Outside>,
    store: &mut RecordStore,
    progress: &mut dyn Progress,
) -> Result<(), ArenaError> {
    let entry = find_game(&plan.game)?;
    let entry = Entry { entry, outside: Arc::clone(outside) };
    let table = usize::from(plan.schedule.table);
    let game = entry.set_up(plan.preset.as_deref(), &plan.set, table)?;
    let filler = AgentSpec::parse(filler(game.info()));
    let mut runners: BTreeMap<Vec<u16>, Box<dyn AnyRunner>> = BTreeMap::new();
    let (watch, total) = (&outside.watch, plan.schedule.episodes());
    store.begin_session("in process")?;
    progress.update(0, total, "");
    let mut rows = Vec::new();
    for index in 0..total {
        let pairing = plan.schedule.pairing(index);
        let runner = match runners.entry(pairing.seats.clone()) {
            Occupied(known) => known.into_mut(),
            Vacant(new) => {
                let named =
                    pairing.seats.iter().filter_map(|own| plan.competitors[usize::from(*own)].agent());
                let mut line_up: Vec<AgentSpec> = named.collect();
                line_up.resize(game.seats(), filler.clone());
                new.insert(game.runner(&line_up)?)
            }
        };
        let report = runner.play_seeded(plan.schedule.seed_of(pairing.group), pairing.index);
        let ending = EpisodeEnding {
            outcome: report.outcome,
            forfeits: Vec::new(),
            length: report.length,
            decisions: report.decisions,
        };
        let row = EpisodeRow::new(pairing, ending, plan.placement());
        // An aborted episode does not count.
        if watch.has_ended() {
            break;
        }
        rows.push(row);
        if rows.len() == ROWS_TOGETHER {
            store.append(&std::mem::take(&mut rows))?;
        }
        if watch.stop.is_stopped() {
            break;
        }
    }
    store.append(&rows)
}

/// The agent at seats without a named player.
fn filler(info: &GameInfo) -> &'static str {
    info.filler.unwrap_or("random")
}

/// The plan of a tournament of the game's agents and `count` Python players.
fn plan_beside(
    game: &str,
    agents: Vec<String>,
    set: Vec<(String, String)>,
    seed: &str,
    options: Options,
    count: usize,
) -> PyResult<TournamentPlan> {
    if count == 0 {
        return plan(game, agents, set, seed, options);
    }
    // Plans know only agents of the game. Each Python player is therefore planned as the filler, and takes
    // the filler's place afterwards.
    let info = parse_game(game).map_err(usage)?.entry.info();
    let outside: Vec<String> = (0..count).map(|number| format!("{PYTHON}:{number}")).collect();
    let run_of = |agent: &String| agent.rsplit_once('=').map_or(agent.clone(), |(_, run)| run.to_owned());
    let runs: Vec<String> = agents.iter().map(run_of).collect();
    let stand_in = |(agent, run): (&String, &String)| match (outside.contains(run), agent.rsplit_once('=')) {
        (true, Some((name, _))) => format!("{name}={}", filler(info)),
        _ => agent.clone(),
    };
    let planned = agents.iter().zip(&runs).map(stand_in).collect();
    let mut plan = plan(game, planned, set, seed, options)?;
    for (competitor, run) in plan.competitors.iter_mut().zip(&runs) {
        if outside.contains(run) {
            (competitor.run, competitor.files) = (run.clone(), None);
        }
    }
    Ok(plan)
}

pub(crate) fn plan(
    game: &str,
    agents: Vec<String>,
    set: Vec<(String, String)>,
    seed: &str,
    options: Options,
) -> PyResult<TournamentPlan> {
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

fn kind_of(name: &str) -> PyResult<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let known = Kind::ALL.map(Kind::name).join(", ");
        usage(format!("schedule: expected one of {known}, found '{name}'"))
    })
}

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
    pub(crate) fn of(standings: Standings, times: CompetitorTimes) -> Self {
        Self { standings, times, faults: Vec::new() }
    }
}

#[pymethods]
impl Tournament {
    /// By Python player: its number of forgiven failures, and the first exception.
    fn faults(&self, py: Python<'_>) -> Faults {
        copied(py, &self.faults)
    }

    /// The standings, as `meeple tournament --json` prints them.
    fn json(&self) -> String {
        self.standings.to_json()
    }

    /// All pairs that have met, from both sides, in JSON: competitor, opponent, and the competitor's result.
    /// The standings omit `matchups` if there are too many competitors.
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
