//! The laboratory: games and agents, simulations, sweeps, tools, pictures of replays.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

use meeple_core::{NoHost, Replay, Seating, ToolRequest};
use meeple_games::{find_game, games, parse_game};
use meeple_lab::{
    EpisodeColumns, LabError, Run, SetUp, Simulation, Sweep, SweepOptions, SweepResult, plots, simulate,
    simulate_keeping, sweep, table,
};
use meeple_scene::{Scene, SvgOptions, to_png};
use pyo3::prelude::*;
use serde_json::Value;

use crate::failure::{entry_error, failure, guarded, lab_error, usage};
use crate::game::describe;
use crate::outside::{Entry, Faults, Outside, Players, copied};
use crate::rows::EpisodeRows;
use crate::watch::{POLL_INTERVAL, with_partial};
use crate::words;

/// All games, as the text of a JSON list.
#[pyfunction]
pub(crate) fn games_json() -> String {
    Value::Array(games().into_iter().map(describe).collect()).to_string()
}

/// The agents of a game, as the text of a JSON list.
#[pyfunction]
pub(crate) fn agents_json(game: &str) -> PyResult<String> {
    let agents = parse_game(game).map_err(usage)?.entry.agents();
    serde_json::to_string(&agents).map_err(failure)
}

/// Result of a simulation.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Simulated {
    run: Run,
    rows: Option<Py<EpisodeRows>>,
    faults: Faults,
}

/// Result of a sweep.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Swept {
    result: SweepResult,
    faults: Faults,
}

/// Plays a simulation. The progress callback receives the numbers of finished and of all episodes.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn sim(
    py: Python<'_>,
    game: &str,
    line_up: Vec<String>,
    set: Vec<(String, String)>,
    episodes: u64,
    seed: u64,
    seating: &str,
    threads: usize,
    told: Option<Py<PyAny>>,
    players: Option<Players>,
    keep: bool,
) -> PyResult<Simulated> {
    let name = parse_game(game).map_err(usage)?;
    let seating = seating_of(seating)?;
    let outside = Outside::new(players, told);
    let entry = Entry { entry: name.entry, outside: Arc::clone(&outside) };
    let set_up = guarded(|| SetUp::new(&entry, name.preset, &set, &line_up))?.map_err(lab_error)?;
    let SetUp { game, line_up, .. } = set_up;
    let simulation = Simulation { game: &*game, line_up, seed, episodes, seating, threads };
    let stop = &outside.watch.stop;
    let played = outside.watch_over(py, |progress| match keep {
        true => simulate_keeping(&simulation, progress, stop).map(|(run, rows)| (run, Some(rows))),
        false => simulate(&simulation, progress, stop).map(|run| (run, None)),
    });
    let result = |played: PyResult<Result<(Run, Option<EpisodeColumns>), LabError>>| {
        let (run, rows) = played?.map_err(lab_error)?;
        let rows = rows.map(|rows| Py::new(py, EpisodeRows::new(rows)?)).transpose()?;
        Ok(Simulated { run, rows, faults: outside.faults() })
    };
    match outside.watch.error() {
        None => result(played),
        Some(error) => {
            let partial = result(played).ok().filter(|played| played.run.tally.episodes() > 0);
            Err(with_partial(
                py,
                error,
                partial.and_then(|partial| Py::new(py, partial).ok()).map(Py::into_any),
            ))
        }
    }
}

/// Runs a sweep of one or two parameters.
#[pyfunction(name = "sweep")]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn sweep_parameters(
    py: Python<'_>,
    game: &str,
    line_up: Vec<String>,
    set: Vec<(String, String)>,
    episodes: u64,
    seed: u64,
    seating: &str,
    threads: usize,
    told: Option<Py<PyAny>>,
    players: Option<Players>,
) -> PyResult<Swept> {
    let name = parse_game(game).map_err(usage)?;
    let options = SweepOptions { seed, episodes, seating: seating_of(seating)?, threads };
    let outside = Outside::new(players, told);
    let entry = Entry { entry: name.entry, outside: Arc::clone(&outside) };
    let plan = guarded(|| Sweep::with_files(&entry, name.preset, &set, &line_up, &mut read_file))?;
    let plan = plan.map_err(lab_error)?;
    let played = outside.watch_over(py, |progress| sweep(&plan, &options, progress, &outside.watch.stop));
    let result = |played: PyResult<Result<SweepResult, LabError>>| {
        Ok(Swept { result: played?.map_err(lab_error)?, faults: outside.faults() })
    };
    match outside.watch.error() {
        None => result(played),
        Some(error) => {
            let has_episodes =
                |swept: &Swept| swept.result.cells.iter().any(|cell| cell.run.summary.episodes > 0);
            let partial = result(played).ok().filter(has_episodes);
            Err(with_partial(
                py,
                error,
                partial.and_then(|partial| Py::new(py, partial).ok()).map(Py::into_any),
            ))
        }
    }
}

impl Simulated {
    /// The result of a run of agents alone, without rows.
    pub(crate) fn of_run(run: Run) -> Self {
        Self { run, rows: None, faults: Vec::new() }
    }
}

impl Swept {
    /// The result of a sweep of agents alone.
    pub(crate) fn of_result(result: SweepResult) -> Self {
        Self { result, faults: Vec::new() }
    }
}

pub(crate) fn seating_of(word: &str) -> PyResult<Seating> {
    let known = "rotate, fixed, shuffle, deals";
    serde_json::from_value(Value::String(word.to_owned()))
        .map_err(|_| usage(format!("seating: expected one of {known}, found '{word}'")))
}

pub(crate) fn read_file(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))
}

#[pymethods]
impl Simulated {
    /// A row for every seat and episode; `None` if rows were not kept.
    fn rows(&self, py: Python<'_>) -> Option<Py<EpisodeRows>> {
        self.rows.as_ref().map(|rows| rows.clone_ref(py))
    }

    /// By Python player: its number of forgiven failures, and the first exception.
    fn faults(&self, py: Python<'_>) -> Faults {
        copied(py, &self.faults)
    }

    /// The summary, as `meeple sim --json` prints it.
    fn json(&self) -> String {
        self.run.to_json().to_string()
    }

    /// The tables, as `meeple sim` prints them.
    fn tables(&self, width: Option<u16>) -> String {
        table::simulation_tables(&self.run, width)
    }

    /// The plots: names, and pictures in SVG.
    fn plots(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let drawn = py.detach(|| guarded(|| plots::simulation_plots(&self.run)))?.map_err(lab_error)?;
        Ok(drawn.into_iter().map(|plot| (plot.name.clone(), plot.to_svg())).collect())
    }
}

#[pymethods]
impl Swept {
    /// By Python player: its number of forgiven failures, and the first exception.
    fn faults(&self, py: Python<'_>) -> Faults {
        copied(py, &self.faults)
    }

    /// All cells, as `meeple sweep --json` prints them.
    fn json(&self) -> String {
        serde_json::to_string(&self.result.timed()).expect("results are plain data with text keys")
    }

    /// The tables, as `meeple sweep` prints them.
    fn tables(&self, width: Option<u16>) -> String {
        table::sweep_tables(&self.result, width)
    }

    /// The plots: names, and pictures in SVG.
    fn plots(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let drawn = py.detach(|| guarded(|| plots::sweep_plots(&self.result)))?.map_err(lab_error)?;
        Ok(drawn.into_iter().map(|plot| (plot.name.clone(), plot.to_svg())).collect())
    }
}

/// A table of a tool: title, column heads, rows, notes.
type Table = (String, Vec<String>, Vec<Vec<String>>, Vec<String>);

/// Runs a tool of a game. Returns its JSON, its tables, the tables as text, and the files to write.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "it becomes a tuple in Python")]
pub(crate) fn tool(
    py: Python<'_>,
    name: &str,
    game: &str,
    arguments: Vec<String>,
    set: Vec<(String, String)>,
    seed: u64,
) -> PyResult<(String, Vec<Table>, String, Vec<(String, String)>)> {
    let found = parse_game(game).map_err(usage)?;
    let (sender, mut output) = channel();
    let (name, entry, preset) = (name.to_owned(), found.entry, found.preset.map(str::to_owned));
    // A tool here cannot be stopped. After Ctrl-C its thread is detached, and runs to its end.
    std::thread::spawn(move || {
        let output = guarded(|| {
            let request = ToolRequest {
                arguments: &arguments,
                seed,
                read_file: &mut |path| read_file(path),
                tell: &mut |_| {},
                host: &NoHost,
            };
            entry.run_tool(&name, preset.as_deref(), &set, request)
        });
        // After Ctrl-C there is no receiver.
        let _ = sender.send(output);
    });
    let output = loop {
        let output = &mut output;
        match py.detach(move || output.recv_timeout(POLL_INTERVAL)) {
            Ok(output) => break output?,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(failure("the thread of the tool is gone")),
        }
    };
    let output = output.map_err(entry_error)?;
    let mut text = String::new();
    for grid in &output.tables {
        if !grid.title.is_empty() {
            text.push_str(&format!("{}\n", grid.title));
        }
        if !grid.columns.is_empty() {
            text.push_str(&table::plain(&grid.columns, &grid.rows));
        }
        grid.notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
        text.push('\n');
    }
    let tables = output.tables.into_iter().map(|grid| (grid.title, grid.columns, grid.rows, grid.notes));
    Ok((output.json.to_string(), tables.collect(), text.trim_end().to_owned(), output.files))
}

/// Draws a moment of a replay: SVG, or PNG of this width.
#[pyfunction]
pub(crate) fn render(
    py: Python<'_>,
    replay: &str,
    at: i64,
    viewer: &str,
    width: Option<u32>,
) -> PyResult<Vec<u8>> {
    let replay = Replay::parse(replay).map_err(failure)?;
    let entry = find_game(&replay.game).map_err(failure)?;
    let viewer = words::viewer(viewer, replay.players.len().max(1))?;
    let mut moments = 0;
    py.detach(|| guarded(|| entry.replay(&replay, viewer, &mut |_| moments += 1).map(drop)))?
        .map_err(failure)?;
    let last = moments - 1;
    let moment = if at < 0 { last + 1 + at } else { at };
    if !(0..=last).contains(&moment) {
        let range = format!("a moment from 0 to {last} (or -1 to -{})", last + 1);
        return Err(usage(format!("at: expected {range}, found {at}")));
    }
    let drawn = py.detach(|| {
        guarded(|| {
            let (mut scene, mut number): (Option<Scene>, i64) = (None, 0);
            entry.replay(&replay, viewer, &mut |episode| {
                if number == moment {
                    scene = Some(episode.draw(viewer, &replay.players));
                }
                number += 1;
            })?;
            Ok::<_, meeple_core::ReplayError>(scene)
        })
    })?;
    let scene = drawn.map_err(failure)?.ok_or_else(|| failure("the replay has no such moment"))?;
    match width {
        None => Ok(scene.to_svg(&SvgOptions::default()).into_bytes()),
        Some(width) => py.detach(|| to_png(&scene, width)).map_err(failure),
    }
}
