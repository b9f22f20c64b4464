//! Parallel episodes for one learner among agents: the engine of the Gymnasium environments.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use meeple_core::{AgentSpec, Answer, AnyEpisode, AnyGame, EpisodeSeed, Illegal, Phase, Seat};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::arrays::Target;
use crate::failure::{failure, guarded, illegal, taken, usage, with};
use crate::pixels::pixels;

/// Episodes in which one seat is decided from outside.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Lanes {
    game: Arc<dyn AnyGame>,
    /// Ids per mask.
    bound: usize,
    /// Numbers per observation.
    size: usize,
    learner: Seat,
    players: Vec<Option<AgentSpec>>,
    state: Mutex<State>,
}

struct State {
    lanes: Vec<Lane>,
    /// By lane, the learner's current encoded observation and mask.
    numbers: Vec<f32>,
    masks: Vec<u8>,
    /// Maximum number of threads of a step.
    threads: usize,
    /// Estimated CPU time of the last step. Threads are started only if it is long enough.
    last: Duration,
}

/// The episode of a lane; `None` before the first one.
type Lane = Option<Box<dyn AnyEpisode>>;

/// The next move of a lane.
#[derive(Clone, Copy)]
enum Move {
    Stay,
    Begin(EpisodeSeed),
    Take(Answer<'static>),
}

/// Minimum CPU time of a step for using threads. Shorter steps take less time than starting threads.
const MIN_SHARED: Duration = Duration::from_millis(1);

/// Minimum number of lanes per thread.
const MIN_LANES: usize = 4;

/// Error text for a lane without an episode.
const NOT_BEGUN: &str = "expected an episode that was begun, found none\nhint: call reset() first";

/// The episode of a lane.
fn begun(lane: &mut Lane) -> Result<&mut Box<dyn AnyEpisode>, Illegal> {
    lane.as_mut().ok_or_else(|| Illegal::new(NOT_BEGUN))
}

/// The error for a lane that does not exist.
fn no_lane(lane: usize) -> Illegal {
    Illegal::new(format!("there is no lane {lane}"))
}

impl Lanes {
    pub(crate) fn new(
        game: Arc<dyn AnyGame>,
        count: usize,
        players: Vec<Option<AgentSpec>>,
        threads: usize,
    ) -> PyResult<Self> {
        let free: Vec<usize> = (0..players.len()).filter(|seat| players[*seat].is_none()).collect();
        let [learner] = free[..] else {
            return Err(usage(format!("expected one seat without an opponent, found {}", free.len())));
        };
        if players.len() != game.seats() {
            return Err(usage(format!("expected {} players, found {}", game.seats(), players.len())));
        }
        let agents: Vec<AgentSpec> = players.iter().flatten().cloned().collect();
        guarded(|| game.check_line_up(&agents))?.map_err(usage)?;
        let (bound, size) = (game.action_bound(), game.encoding().map_or(0, |encoding| encoding.size));
        if bound == 0 || size == 0 {
            return Err(usage(format!("expected a game with ids and an encoding, found {}", game.info().id)));
        }
        let state = State {
            lanes: guarded(|| (0..count).map(|_| None).collect())?,
            numbers: vec![0.0; count * size],
            masks: vec![0; count * bound],
            threads: meeple_lab::pool::threads(threads),
            last: Duration::ZERO,
        };
        Ok(Self { bound, size, learner: Seat::new(learner), players, game, state: Mutex::new(state) })
    }

    /// Runs `work` on the episode of a lane.
    fn with_lane<T: Send>(
        &self,
        py: Python<'_>,
        lane: usize,
        work: impl FnOnce(&mut dyn AnyEpisode) -> T + Send,
    ) -> PyResult<T> {
        with(py, &self.state, |state| {
            let lane = state.lanes.get_mut(lane).ok_or_else(|| no_lane(lane))?;
            Ok::<T, Illegal>(work(&mut **begun(lane)?))
        })?
        .map_err(illegal)
    }

    /// Starts an episode in a lane. Agents stay seated, and begin it afresh.
    fn begin(&self, lane: &mut Lane, seed: EpisodeSeed) -> Result<(), Illegal> {
        if let Some(episode) = lane {
            episode.restart(seed, &(0..self.players.len() as u16).collect::<Vec<_>>());
            return Ok(());
        }
        let mut episode = self.game.episode(seed);
        // Events are never read here.
        episode.keep_no_events();
        for (seat, player) in Seat::all(self.players.len()).zip(&self.players) {
            if let Some(spec) = player {
                episode.seat_agent(seat, spec).map_err(|error| Illegal::new(error.to_string()))?;
            }
        }
        *lane = Some(episode);
        Ok(())
    }

    /// Makes the moves of some lanes, plays on to the learner's next decisions, and encodes the results.
    /// Returns the elapsed wall time, which stands for the thread's CPU time.
    fn make_moves(&self, share: Share<'_>) -> Result<Duration, Illegal> {
        let began = Instant::now();
        for (number, (lane, next)) in share.lanes.iter_mut().zip(share.moves).enumerate() {
            match *next {
                Move::Stay => continue,
                Move::Begin(seed) => self.begin(lane, seed)?,
                Move::Take(answer) => begun(lane)?.decide(self.learner, answer)?,
            }
            let episode = begun(lane)?;
            episode.play_on();
            episode.write_numbers(self.learner, &mut share.numbers[number * self.size..][..self.size]);
            episode.write_mask(self.learner, &mut share.masks[number * self.bound..][..self.bound]);
        }
        Ok(began.elapsed())
    }

    /// Makes the moves of all lanes, on several threads if the last step took long enough. Lanes share
    /// nothing, so results do not depend on threads.
    fn make_all_moves(&self, state: &mut State, moves: &[Move]) -> Result<(), Illegal> {
        let most =
            if state.last < MIN_SHARED { 1 } else { state.threads.min(moves.len() / MIN_LANES).max(1) };
        let count = moves.len().div_ceil(most).max(1);
        let lanes = state.lanes.chunks_mut(count).zip(moves.chunks(count));
        let numbers = state.numbers.chunks_mut(count * self.size);
        let mut shares = lanes
            .zip(numbers.zip(state.masks.chunks_mut(count * self.bound)))
            .map(|((lanes, moves), (numbers, masks))| Share { lanes, moves, numbers, masks });
        let own = shares.next();
        state.last = std::thread::scope(|scope| {
            let others: Vec<_> = shares.map(|share| scope.spawn(move || self.make_moves(share))).collect();
            let mut took = own.map_or(Ok(Duration::ZERO), |share| self.make_moves(share));
            for other in others {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                took = took.and_then(|took| Ok(took + other?));
            }
            took
        })?;
        Ok(())
    }

    /// True if the episode is over, the learner's current score, and its utility (0 before the end).
    fn result_of(&self, episode: &dyn AnyEpisode) -> (bool, i64, f64) {
        let outcome = episode.outcome();
        let utility = outcome.as_ref().map_or(0.0, |outcome| outcome.utility(self.learner));
        (outcome.is_some(), episode.score(self.learner), utility)
    }
}

/// The lanes of one thread, with their moves, observations and masks.
struct Share<'a> {
    lanes: &'a mut [Lane],
    moves: &'a [Move],
    numbers: &'a mut [f32],
    masks: &'a mut [u8],
}

#[pymethods]
impl Lanes {
    /// Starts episodes in some lanes. Each item of `begins` has a lane, the seed of a run, and the episode's
    /// index in that run. Returns the learner's scores in these lanes.
    fn reset(&self, py: Python<'_>, begins: Vec<(usize, u64, u64)>) -> PyResult<Vec<i64>> {
        let scores = with(py, &self.state, |state| {
            let mut moves = vec![Move::Stay; state.lanes.len()];
            for (lane, seed, index) in &begins {
                let next = moves.get_mut(*lane).ok_or_else(|| no_lane(*lane))?;
                *next = Move::Begin(EpisodeSeed::new(*seed, *index));
            }
            self.make_all_moves(state, &moves)?;
            let score = |lane: &usize| Ok(begun(&mut state.lanes[*lane])?.score(self.learner));
            begins.iter().map(|(lane, ..)| lane).map(score).collect::<Result<Vec<i64>, Illegal>>()
        })?;
        scores.map_err(illegal)
    }

    /// Takes the learner's action in every lane by its id, and plays on. Lanes in `begins` start an episode
    /// instead, as in [`reset`](Self::reset). If `falls_back`, the fallback action replaces illegal actions.
    /// Otherwise one illegal action refuses the whole call without effect.
    ///
    /// Writes by lane a flag for the end, the learner's current score, and its utility (0 before the end).
    /// Returns each lane with an illegal action, and the reason.
    #[expect(clippy::too_many_arguments, reason = "one call for all lanes")]
    fn step(
        &self,
        py: Python<'_>,
        ids: Vec<i64>,
        begins: Vec<(usize, u64, u64)>,
        falls_back: bool,
        over: &Bound<'_, PyAny>,
        scores: &Bound<'_, PyAny>,
        utilities: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(usize, String)>> {
        let count = ids.len();
        let over_out = Target::<u8>::new(over, "over", "uint8", &[count])?;
        let scores_out = Target::<i64>::new(scores, "scores", "int64", &[count])?;
        let utilities_out = Target::<f64>::new(utilities, "utilities", "float64", &[count])?;
        let stepped = with(py, &self.state, |state| {
            if state.lanes.len() != count {
                return Err(Illegal::new(format!("expected {} lanes, found {count}", state.lanes.len())));
            }
            let (mut reported, mut moves) = (Vec::new(), vec![Move::Stay; count]);
            for (lane, seed, index) in begins {
                let next = moves.get_mut(lane).ok_or_else(|| no_lane(lane))?;
                *next = Move::Begin(EpisodeSeed::new(seed, index));
            }
            // All moves are checked first, so a refusal changes nothing.
            let masks = state.masks.chunks_exact(self.bound);
            for (number, ((lane, next), mask)) in
                state.lanes.iter_mut().zip(&mut moves).zip(masks).enumerate()
            {
                if let Move::Begin(_) = next {
                    continue;
                }
                let (id, is_over) = (ids[number], begun(lane)?.phase() == Phase::Over);
                if let Ok(id) = u32::try_from(id)
                    && mask.get(id as usize) == Some(&1)
                {
                    *next = Move::Take(Answer::Id(id));
                    continue;
                }
                let reason = match is_over {
                    true => "the episode is over".to_owned(),
                    false => format!("no legal action has the id {id}\nhint: look at the mask"),
                };
                if is_over || !falls_back {
                    let table = if count == 1 { String::new() } else { format!("table {number}: ") };
                    return Err(Illegal::new(format!("{table}{reason}")));
                }
                reported.push((number, reason));
                *next = Move::Take(Answer::Fallback);
            }
            self.make_all_moves(state, &moves)?;
            let results = state.lanes.iter_mut().map(|lane| Ok(self.result_of(&**begun(lane)?)));
            Ok((reported, results.collect::<Result<Vec<_>, Illegal>>()?))
        })?;
        let (reported, results) = stepped.map_err(illegal)?;
        over_out.fill(py, &results.iter().map(|(is_over, ..)| u8::from(*is_over)).collect::<Vec<_>>())?;
        scores_out.fill(py, &results.iter().map(|(_, score, _)| *score).collect::<Vec<_>>())?;
        utilities_out.fill(py, &results.iter().map(|(.., utility)| *utility).collect::<Vec<_>>())?;
        Ok(reported)
    }

    /// True if the lane's episode is over, the learner's current score, and its utility (0 before the end).
    fn result(&self, py: Python<'_>, lane: usize) -> PyResult<(bool, i64, f64)> {
        self.with_lane(py, lane, |episode| self.result_of(episode))
    }

    /// Writes the learner's encoded observations and masks into the caller's rows, for the lanes from `first`
    /// on. Masks are bytes.
    fn observe_into(
        &self,
        py: Python<'_>,
        first: usize,
        numbers: &Bound<'_, PyAny>,
        masks: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let rows = numbers.len()?;
        let numbers_out = Target::<f32>::new(numbers, "numbers", "float32", &[rows, self.size])?;
        let masks_out = Target::<u8>::new(masks, "masks", "int8", &[rows, self.bound])?;
        let state = taken(&self.state)?;
        let lanes = state
            .lanes
            .get(first..first + rows)
            .ok_or_else(|| illegal(no_lane(first.max(state.lanes.len()))))?;
        if lanes.iter().any(Option::is_none) {
            return Err(illegal(NOT_BEGUN));
        }
        numbers_out.fill(py, &state.numbers[first * self.size..][..rows * self.size])?;
        masks_out.fill(py, &state.masks[first * self.bound..][..rows * self.bound])
    }

    /// The learner's view of a lane's table as pixels: height, width, and RGB bytes, row by row.
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        lane: usize,
        width: u32,
    ) -> PyResult<(u32, u32, Bound<'py, PyByteArray>)> {
        let (viewer, labels) = self.looks();
        let drawn = self.with_lane(py, lane, |episode| pixels(&episode.draw(viewer, &labels), width))?;
        let (height, width, rgb) = drawn.map_err(failure)?;
        Ok((height, width, PyByteArray::new(py, &rgb)))
    }

    /// The learner's view of a lane's table, as text.
    fn screen(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        self.with_lane(py, lane, |episode| episode.screen(viewer, &labels).to_plain())
    }

    /// The learner's view of a lane's table, in SVG.
    fn svg(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        let options = meeple_scene::SvgOptions::default();
        self.with_lane(py, lane, |episode| episode.draw(viewer, &labels).to_svg(&options))
    }
}

impl Lanes {
    /// Viewer and labels of the players, for drawings.
    fn looks(&self) -> (meeple_core::Viewer, Vec<meeple_core::PlayerLabel>) {
        let name =
            |player: &Option<AgentSpec>| player.as_ref().map_or("learner".to_owned(), ToString::to_string);
        let labels = self.players.iter().map(|player| name(player).into()).collect();
        (meeple_core::Viewer::Seat(self.learner), labels)
    }
}
