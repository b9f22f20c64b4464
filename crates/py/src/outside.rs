//! Python players beside a game's agents: a game in which some players of a line-up decide in Python.
//!
//! Such a player is named `python:NUMBER` in a line-up. Its episodes are played step by step, with the seeds,
//! seats and streams of playouts of the game's own agents. Both therefore see the same deals.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{
    AgentDoc, AgentError, AgentSpec, Answer, AnyBatch, AnyCourseRunner, AnyEntry, AnyEpisode, AnyGame,
    AnyRunner, BatchError, BotAdapter, CancelToken, EncodingDoc, EntryError, EpisodeReport, EpisodeSeed,
    EpisodeView, FigureSheet, ForeignRecord, ForeignRecordError, GameInfo, Illegal, Outcome, ParamSpec,
    Phase, Replay, ReplayError, Seat, Seating, ToolDoc, ToolOutput, ToolRequest, Viewer,
};
use meeple_lab::Progress;
use pyo3::intern;
use pyo3::prelude::*;
use serde_json::Value;

use crate::episode::Episode;
use crate::watch::Watch;

/// Name of Python players in a line-up; their number follows a colon.
pub(crate) const PYTHON: &str = "python";

/// Python players: an object (see [`Outside`]), true if exceptions are forgiven, and the number of players.
pub(crate) type Players = (Py<PyAny>, bool, usize);

/// By Python player: number of forgiven failures, and the first exception.
pub(crate) type Faults = Vec<(u64, Option<PyErr>)>;

/// A copy of the faults for Python.
pub(crate) fn copied(py: Python<'_>, faults: &Faults) -> Faults {
    faults.iter().map(|(count, first)| (*count, first.as_ref().map(|error| error.clone_ref(py)))).collect()
}

/// The Python players of a run, if any, and the run's watch.
pub(crate) struct Outside {
    /// Object with three methods; `None` without Python players. `game` makes the game object for the other
    /// methods, and `begin` starts an episode. `decide` takes a decision, given the game, an episode, a
    /// player's number and its seat.
    players: Option<Py<PyAny>>,
    /// If true, exceptions are counted and the fallback action is taken; otherwise they end the run.
    forgives: bool,
    count: usize,
    /// The run's watch, which can end the run early.
    pub watch: Watch,
    /// Forgiven exceptions.
    faults: Mutex<Faults>,
}

impl Outside {
    /// The players in Python, if any. The progress callback receives two numbers: finished episodes, and all
    /// episodes.
    pub(crate) fn new(players: Option<Players>, on_progress: Option<Py<PyAny>>) -> Arc<Self> {
        let (players, forgives, count) = match players {
            Some((players, forgives, count)) => (Some(players), forgives, count),
            None => (None, false, 0),
        };
        let faults = Mutex::new((0..count).map(|_| (0, None)).collect());
        Arc::new(Self { players, forgives, count, watch: Watch::new(on_progress), faults })
    }

    /// Plays a run and polls for Ctrl-C. With Python players the run stays on this thread.
    pub(crate) fn watch_over<T: Send>(
        &self,
        py: Python<'_>,
        play: impl FnOnce(&mut dyn Progress) -> T + Send,
    ) -> PyResult<T> {
        match self.players {
            None => self.watch.over(py, play),
            Some(_) => self.watch.over_here(py, play),
        }
    }

    /// Takes the forgiven exceptions.
    pub(crate) fn faults(&self) -> Faults {
        std::mem::take(&mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of a Python player; `None` for an agent of the game.
    fn number(&self, spec: &AgentSpec) -> Option<usize> {
        let number = spec.arguments.parse().ok().filter(|number| *number < self.count)?;
        (spec.name == PYTHON).then_some(number)
    }

    /// Counts a player's exception, or ends the run with it. Returns true if the run continues.
    fn take(&self, py: Python<'_>, player: usize, error: PyErr) -> bool {
        // Ctrl-C and an exit of the interpreter are no faults of a player.
        if !self.forgives || !error.is_instance_of::<pyo3::exceptions::PyException>(py) {
            self.watch.end(error);
            return false;
        }
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults[player].0 += 1;
        faults[player].1.get_or_insert(error);
        true
    }
}

/// A game of the registry, with Python players.
pub(crate) struct Entry {
    pub entry: &'static dyn AnyEntry,
    pub outside: Arc<Outside>,
}

impl AnyEntry for Entry {
    fn info(&self) -> &'static GameInfo {
        self.entry.info()
    }

    fn params(&self) -> Vec<ParamSpec> {
        self.entry.params()
    }

    fn params_before(&self) -> &'static [(&'static str, &'static str)] {
        self.entry.params_before()
    }

    fn own_agents(&self) -> Vec<&'static str> {
        self.entry.own_agents()
    }

    fn agents(&self) -> Vec<AgentDoc> {
        self.entry.agents()
    }

    fn tools(&self) -> Vec<ToolDoc> {
        self.entry.tools()
    }

    fn adapters(&self) -> &'static [BotAdapter] {
        self.entry.adapters()
    }

    fn variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<Value, EntryError> {
        self.entry.variant(preset, set)
    }

    fn set_up(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
        named: usize,
    ) -> Result<Box<dyn AnyGame>, EntryError> {
        let game: Arc<dyn AnyGame> = Arc::from(self.entry.set_up(preset, set, named)?);
        Ok(Box::new(Game { game, outside: Arc::clone(&self.outside) }))
    }

    fn run_tool(
        &self,
        name: &str,
        preset: Option<&str>,
        set: &[(String, String)],
        request: ToolRequest<'_>,
    ) -> Result<ToolOutput, EntryError> {
        self.entry.run_tool(name, preset, set, request)
    }

    fn check_color(&self, text: &str) -> Result<(), String> {
        self.entry.check_color(text)
    }

    fn foreign_record(
        &self,
        text: &str,
        looks: &[String],
    ) -> Option<Result<ForeignRecord, ForeignRecordError>> {
        self.entry.foreign_record(text, looks)
    }

    fn replay(
        &self,
        replay: &Replay,
        viewer: Viewer,
        watch: &mut dyn FnMut(&dyn EpisodeView),
    ) -> Result<Box<dyn AnyEpisode>, ReplayError> {
        self.entry.replay(replay, viewer, watch)
    }
}

/// A game that is set up, with Python players.
struct Game {
    game: Arc<dyn AnyGame>,
    outside: Arc<Outside>,
}

impl AnyGame for Game {
    fn as_any(&self) -> &dyn Any {
        self.game.as_any()
    }

    fn info(&self) -> &'static GameInfo {
        self.game.info()
    }

    fn variant(&self) -> Value {
        self.game.variant()
    }

    fn variant_of_stored(&self, stored: &Value) -> Option<Value> {
        self.game.variant_of_stored(stored)
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn draws_turn_order(&self) -> bool {
        self.game.draws_turn_order()
    }

    fn encoding(&self) -> Option<EncodingDoc> {
        self.game.encoding()
    }

    fn action_bound(&self) -> usize {
        self.game.action_bound()
    }

    fn action_schema(&self) -> Value {
        self.game.action_schema()
    }

    fn check_line_up(&self, line_up: &[AgentSpec]) -> Result<(), AgentError> {
        let own = line_up.iter().filter(|spec| self.outside.number(spec).is_none());
        self.game.check_line_up(&own.cloned().collect::<Vec<_>>())
    }

    fn runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyRunner>, AgentError> {
        if self.outside.players.is_none() {
            let runner = self.game.runner(line_up)?;
            return Ok(Box::new(Counted { runner, outside: Arc::clone(&self.outside) }));
        }
        let mut episode = self.game.episode(EpisodeSeed::new(0, 0));
        episode.keep_no_events();
        let numbers: Vec<_> = line_up.iter().map(|spec| self.outside.number(spec)).collect();
        for ((seat, spec), number) in Seat::all(line_up.len()).zip(line_up).zip(&numbers) {
            if number.is_none() {
                episode.seat_agent(seat, spec)?;
            }
        }
        Ok(Box::new(Runner {
            episode: Arc::new(Mutex::new(episode)),
            game: Arc::clone(&self.game),
            python_game: None,
            outside: Arc::clone(&self.outside),
            numbers,
            sat_at: (0..line_up.len() as u16).collect(),
            player_at: (0..line_up.len() as u16).collect(),
            outcome: Outcome::default(),
            figures: FigureSheet::default(),
            turn_places: Vec::new(),
        }))
    }

    fn course_runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyCourseRunner>, AgentError> {
        self.game.course_runner(line_up)
    }

    fn batch(&self, root: u64, lanes: &[Vec<Option<AgentSpec>>]) -> Result<Box<dyn AnyBatch>, BatchError> {
        self.game.batch(root, lanes)
    }

    fn episode(&self, seed: EpisodeSeed) -> Box<dyn AnyEpisode> {
        self.game.episode(seed)
    }

    fn release(&self) {
        self.game.release();
    }
}

/// Playouts of agents alone, in which the watch counts every episode.
struct Counted {
    runner: Box<dyn AnyRunner>,
    outside: Arc<Outside>,
}

impl AnyRunner for Counted {
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    ) {
        let watch = &self.outside.watch;
        self.runner.run(root, seating, range, &mut |report| {
            watch.count_episode();
            each(report)
        });
    }

    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        self.outside.watch.count_episode();
        self.runner.play_seeded(seed, index)
    }

    fn cancel_by(&mut self, token: &CancelToken) {
        self.runner.cancel_by(token);
    }

    fn open_cards(&mut self, player: usize) {
        self.runner.open_cards(player);
    }
}

/// Runner of episodes with Python players. It reuses its memory.
struct Runner {
    episode: Arc<Mutex<Box<dyn AnyEpisode>>>,
    game: Arc<dyn AnyGame>,
    /// The game object that Python players get, once it is made.
    python_game: Option<Py<PyAny>>,
    outside: Arc<Outside>,
    /// By player of the line-up: its number among the Python players; `None` for an agent.
    numbers: Vec<Option<usize>>,
    /// Seat of each player in the last episode.
    sat_at: Vec<u16>,
    player_at: Vec<u16>,
    outcome: Outcome,
    figures: FigureSheet,
    turn_places: Vec<u16>,
}

impl Runner {
    /// Runs `work` on the episode. No other code holds its lock at that time.
    fn with<T>(&self, work: impl FnOnce(&mut dyn AnyEpisode) -> T) -> T {
        work(&mut **self.episode.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays an episode to its end, seated by `player_at`.
    fn play(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        let from: Vec<u16> = self.player_at.iter().map(|player| self.sat_at[usize::from(*player)]).collect();
        self.with(|episode| episode.restart(seed, &from));
        for (seat, player) in self.player_at.iter().enumerate() {
            self.sat_at[usize::from(*player)] = seat as u16;
        }
        if !self.outside.watch.stop.is_stopped()
            && let Err(error) = Python::attach(|py| self.decide_all(py, seed, index))
        {
            self.outside.watch.end(error);
        }
        // An aborted episode is finished by fallback actions and agents, and does not count.
        self.with(|episode| {
            while let Some(seat) = next_outside(episode, &self.numbers, &self.player_at, None) {
                episode.decide(seat, Answer::Fallback).expect("the seat owes a decision");
            }
        });
        self.outside.watch.count_episode();
        self.outside.watch.look_if_due();
        let (mut outcome, mut figures, mut turn_places) = Default::default();
        std::mem::swap(&mut outcome, &mut self.outcome);
        std::mem::swap(&mut figures, &mut self.figures);
        std::mem::swap(&mut turn_places, &mut self.turn_places);
        figures.clear();
        turn_places.clear();
        let (length, decisions) = self.with(|episode| {
            outcome = episode.outcome().expect("it was played to its end");
            episode.write_figures(&mut figures, &mut turn_places);
            (episode.length(), episode.decisions())
        });
        (self.outcome, self.figures, self.turn_places) = (outcome, figures, turn_places);
        EpisodeReport {
            index,
            player_at: &self.player_at,
            outcome: &self.outcome,
            length,
            decisions,
            figures: &self.figures,
            turn_places: &self.turn_places,
        }
    }

    /// Asks Python players until the episode is over. An exception that is not forgiven ends the run.
    fn decide_all(&mut self, py: Python<'_>, seed: EpisodeSeed, index: u64) -> PyResult<()> {
        let Some(players) = &self.outside.players else { return Ok(()) };
        let players = players.bind(py);
        let game = match &self.python_game {
            Some(game) => game.clone_ref(py),
            None => {
                let game = crate::game::Game::found(Arc::clone(&self.game))?;
                self.python_game
                    .insert(players.call_method1(intern!(py, "game"), (game,))?.unbind())
                    .clone_ref(py)
            }
        };
        players.call_method0(intern!(py, "begin"))?;
        let shared = Py::new(py, Episode::shared(Arc::clone(&self.game), seed, Arc::clone(&self.episode)))?;
        loop {
            let watch = Some(&self.outside.watch);
            let next = py
                .detach(|| self.with(|episode| next_outside(episode, &self.numbers, &self.player_at, watch)));
            let Some(seat) = next else { return Ok(()) };
            if self.outside.watch.has_ended() {
                return Ok(());
            }
            let player = self.player_at[seat.index()];
            let number = self.numbers[usize::from(player)].expect("it is one of those");
            if let Err(error) =
                players.call_method1(intern!(py, "decide"), (&game, &shared, number, seat.index()))
            {
                error.value(py).call_method1("add_note", (format!("episode {index}, seat {seat}"),))?;
                if !self.outside.take(py, number, error) {
                    return Ok(());
                }
                self.with(|episode| match episode.holds(seat) {
                    true => Ok(()),
                    false => episode.decide(seat, Answer::Fallback),
                })
                .map_err(crate::failure::illegal)?;
            }
        }
    }
}

/// Plays until a Python player owes a decision, and returns its seat; `None` at the end. Every agent's
/// decision may take long, so `watch` polls after it.
fn next_outside(
    episode: &mut dyn AnyEpisode,
    numbers: &[Option<usize>],
    player_at: &[u16],
    watch: Option<&Watch>,
) -> Option<Seat> {
    let is_outside = |seat: Seat| numbers[usize::from(player_at[seat.index()])].is_some();
    loop {
        match episode.phase() {
            Phase::Chance => episode.step_chance(),
            Phase::Over => return None,
            Phase::Decide(seats) => {
                let open: Vec<Seat> = seats.filter(|seat| !episode.holds(*seat)).collect();
                if let Some(seat) = open.iter().find(|seat| is_outside(**seat)) {
                    return Some(*seat);
                }
                for seat in open {
                    let decided: Option<Result<_, Illegal>> = episode.let_agent_decide(seat, None);
                    decided.expect("everybody else is seated").expect("agents play legally");
                    if let Some(watch) = watch {
                        watch.look_if_due();
                    }
                }
            }
        }
    }
}

impl AnyRunner for Runner {
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    ) {
        for index in range {
            let seed = seating.arrange(root, index, &mut self.player_at);
            let outside = Arc::clone(&self.outside);
            let report = self.play(seed, index);
            // An aborted episode does not count.
            if outside.watch.has_ended() || !each(&report) {
                return;
            }
        }
    }

    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        self.player_at = (0..self.player_at.len() as u16).collect();
        self.play(seed, index)
    }

    fn cancel_by(&mut self, token: &CancelToken) {
        self.with(|episode| episode.cancel_by(token));
    }

    /// Python players see their own seat's view, even with open cards.
    fn open_cards(&mut self, _player: usize) {}
}
