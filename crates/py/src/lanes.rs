//! Parallel episodes for one learner among agents: the engine of the Gymnasium environments.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use meeple_core::{AgentSpec, Answer, AnyEpisode, AnyGame, EpisodeSeed, Illegal, Phase, Seat};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::arrays::Target;
use crate::failure::{failure, guarded, illegal, usage, with};
use crate::pixels::pixels;

/// Episodes in which one seat is decided from outside.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Lanes {
    game: Arc<dyn AnyGame>,
    bound: usize,
    numbers: usize,
    learner: Seat,
    players: Vec<Option<AgentSpec>>,
    state: Mutex<State>,
}

struct State {
    lanes: Vec<Lane>,
    /// Maximum number of threads of a step.
    threads: usize,
    /// CPU time of the last step over all lanes: threads start only where they pay off.
    last: Duration,
}

/// One episode, with the learner's encoded observation.
#[derive(Default)]
struct Lane {
    episode: Option<Box<dyn AnyEpisode>>,
    /// True if numbers and mask belong to the current state.
    is_seen: bool,
    numbers: Vec<f32>,
    mask: Vec<u8>,
}

/// The next move of a lane.
#[derive(Clone, Copy)]
enum Move {
    Begin(EpisodeSeed),
    Take(Answer<'static>),
}

/// Minimum CPU time of a step for using threads: below it, starting them takes longer.
const MIN_SHARED: Duration = Duration::from_millis(1);

/// Minimum number of lanes per thread.
const MIN_LANES: usize = 4;

impl Lane {
    fn episode(&mut self) -> Result<&mut Box<dyn AnyEpisode>, Illegal> {
        self.episode.as_mut().ok_or_else(|| {
            Illegal::new("expected an episode that was begun, found none\nhint: call reset() first")
        })
    }

    /// Encodes the current observation and mask, if outdated.
    fn see(&mut self, learner: Seat, numbers: usize, bound: usize) -> Result<(), Illegal> {
        if self.is_seen {
            return Ok(());
        }
        self.episode()?;
        self.numbers.resize(numbers, 0.0);
        self.mask.resize(bound, 0);
        if let Some(episode) = &self.episode {
            episode.write_numbers(learner, &mut self.numbers);
            episode.write_mask(learner, &mut self.mask);
        }
        self.is_seen = true;
        Ok(())
    }
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
        let lanes = guarded(|| (0..count).map(|_| Lane::default()).collect())?;
        let threads = meeple_lab::pool::threads(threads);
        let state = Mutex::new(State { lanes, threads, last: Duration::ZERO });
        let numbers = game.encoding().map_or(0, |encoding| encoding.size);
        Ok(Self { bound: game.action_bound(), numbers, learner: Seat::new(learner), players, game, state })
    }

    fn with_lane<T: Send>(
        &self,
        py: Python<'_>,
        lane: usize,
        work: impl FnOnce(&mut Lane) -> Result<T, Illegal> + Send,
    ) -> PyResult<T> {
        with(py, &self.state, |state| {
            work(state.lanes.get_mut(lane).ok_or_else(|| Illegal::new(format!("there is no lane {lane}")))?)
        })?
        .map_err(illegal)
    }

    /// Starts an episode and advances it to the learner's first decision.
    fn begin(&self, seed: EpisodeSeed) -> Result<Box<dyn AnyEpisode>, String> {
        let mut episode = self.game.episode(seed);
        // Events are never read here.
        episode.keep_no_events();
        for (seat, player) in Seat::all(self.players.len()).zip(&self.players) {
            if let Some(spec) = player {
                episode.seat_agent(seat, spec).map_err(|error| error.to_string())?;
            }
        }
        self.advance(&mut *episode).map_err(|error| error.to_string())?;
        Ok(episode)
    }

    /// Makes the moves of some lanes and encodes the results. Returns the wall time as an estimate of the CPU
    /// time.
    fn make_moves(&self, lanes: &mut [Lane], moves: &[Move]) -> Result<Duration, Illegal> {
        let began = Instant::now();
        for (lane, next) in lanes.iter_mut().zip(moves) {
            lane.is_seen = false;
            match *next {
                Move::Begin(seed) => lane.episode = Some(self.begin(seed).map_err(Illegal::new)?),
                Move::Take(answer) => {
                    let episode = lane.episode()?;
                    episode.decide(self.learner, answer)?;
                    self.advance(&mut **episode)?;
                }
            }
            lane.see(self.learner, self.numbers, self.bound)?;
        }
        Ok(began.elapsed())
    }

    /// Makes the moves of all lanes, on several threads where that pays off. Lanes share nothing, so the
    /// results are the same.
    fn make_all_moves(&self, state: &mut State, moves: &[Move]) -> Result<(), Illegal> {
        let most =
            if state.last < MIN_SHARED { 1 } else { state.threads.min(moves.len() / MIN_LANES).max(1) };
        let share = moves.len().div_ceil(most).max(1);
        let shares = state.lanes.chunks_mut(share).zip(moves.chunks(share));
        state.last = std::thread::scope(|scope| {
            let mut others: Vec<_> = Vec::new();
            let mut own = None;
            for (lanes, moves) in shares {
                match own {
                    None => own = Some((lanes, moves)),
                    Some(_) => others.push(scope.spawn(move || self.make_moves(lanes, moves))),
                }
            }
            let mut took = own.map_or(Ok(Duration::ZERO), |(lanes, moves)| self.make_moves(lanes, moves));
            for other in others {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                took = took.and_then(|took| Ok(took + other?));
            }
            took
        })?;
        Ok(())
    }

    /// True at the end, the learner's current score, and its utility (0 before the end).
    fn result_of(&self, episode: &dyn AnyEpisode) -> (bool, i64, f64) {
        let outcome = episode.outcome();
        let utility = outcome.as_ref().map_or(0.0, |outcome| outcome.utility(self.learner));
        (outcome.is_some(), episode.score(self.learner), utility)
    }

    /// Advances until the learner owes a decision or the episode is over.
    fn advance(&self, episode: &mut dyn AnyEpisode) -> Result<(), Illegal> {
        loop {
            match episode.phase() {
                Phase::Chance => episode.step_chance(),
                Phase::Over => return Ok(()),
                Phase::Decide(seats) => {
                    for seat in seats {
                        if seat != self.learner && !episode.holds(seat) {
                            episode.play_agent(seat).transpose()?;
                        }
                    }
                    if seats.clone().any(|seat| seat == self.learner) && !episode.holds(self.learner) {
                        return Ok(());
                    }
                }
            }
        }
    }
}

#[pymethods]
impl Lanes {
    /// Starts the episode of this index in the run with this seed.
    fn reset(&self, py: Python<'_>, lane: usize, seed: u64, index: u64) -> PyResult<()> {
        let begun = with(py, &self.state, |state| {
            let lane = state.lanes.get_mut(lane).ok_or_else(|| format!("there is no lane {lane}"))?;
            lane.is_seen = false;
            lane.episode = Some(self.begin(EpisodeSeed::new(seed, index))?);
            Ok::<(), String>(())
        })?;
        begun.map_err(failure)
    }

    /// Takes the learner's action by its id in every lane, in one call, and advances. A lane marked in
    /// `begins` instead starts the episode of its index in the run with its seed. If `falls_back`, illegal
    /// actions are replaced by the fallback action; otherwise one of them refuses the whole call without
    /// effect.
    ///
    /// Writes by lane a flag for the end, the learner's current score, and its utility (0 before the end).
    /// Returns the lanes with illegal actions, with the reasons.
    #[expect(clippy::too_many_arguments, reason = "one call for all lanes")]
    fn step(
        &self,
        py: Python<'_>,
        ids: Vec<i64>,
        begins: Vec<bool>,
        seeds: Vec<(u64, u64)>,
        falls_back: bool,
        over: &Bound<'_, PyAny>,
        scores: &Bound<'_, PyAny>,
        utilities: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(usize, String)>> {
        let count = ids.len();
        let over_out = Target::<u8>::new(over, "over", "uint8", &[count])?;
        let scores_out = Target::<i64>::new(scores, "scores", "int64", &[count])?;
        let utilities_out = Target::<f64>::new(utilities, "utilities", "float64", &[count])?;
        if begins.len() != count || seeds.len() != count {
            return Err(usage("expected a value for every lane, found another number of them"));
        }
        let stepped = with(py, &self.state, |state| {
            if state.lanes.len() != count {
                return Err(Illegal::new(format!("expected {} lanes, found {count}", state.lanes.len())));
            }
            let (mut told, mut moves) = (Vec::new(), Vec::with_capacity(count));
            // All moves are checked first, so a refusal changes nothing.
            for (number, lane) in state.lanes.iter_mut().enumerate() {
                if begins[number] {
                    moves.push(Move::Begin(EpisodeSeed::new(seeds[number].0, seeds[number].1)));
                    continue;
                }
                lane.see(self.learner, self.numbers, self.bound)?;
                let (id, is_over) = (ids[number], lane.episode()?.phase() == Phase::Over);
                if let Ok(id) = u32::try_from(id)
                    && lane.mask.get(id as usize) == Some(&1)
                {
                    moves.push(Move::Take(Answer::Id(id)));
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
                told.push((number, reason));
                moves.push(Move::Take(Answer::Fallback));
            }
            self.make_all_moves(state, &moves)?;
            let results = state.lanes.iter_mut().map(|lane| Ok(self.result_of(&**lane.episode()?)));
            Ok((told, results.collect::<Result<Vec<_>, Illegal>>()?))
        })?;
        let (told, results) = stepped.map_err(illegal)?;
        over_out.fill(py, &results.iter().map(|(is_over, ..)| u8::from(*is_over)).collect::<Vec<_>>())?;
        scores_out.fill(py, &results.iter().map(|(_, score, _)| *score).collect::<Vec<_>>())?;
        utilities_out.fill(py, &results.iter().map(|(.., utility)| *utility).collect::<Vec<_>>())?;
        Ok(told)
    }

    /// True at the end, the learner's current score, and its utility (0 before the end).
    fn result(&self, py: Python<'_>, lane: usize) -> PyResult<(bool, i64, f64)> {
        self.with_lane(py, lane, |lane| Ok(self.result_of(&**lane.episode()?)))
    }

    /// Writes the learner's encoded observations and masks, of the lanes from `first` on, into the caller's
    /// rows, in one call. Masks are bytes.
    fn observe_into(
        &self,
        py: Python<'_>,
        first: usize,
        numbers: &Bound<'_, PyAny>,
        masks: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let rows = numbers.len()?;
        let numbers_out = Target::<f32>::new(numbers, "numbers", "float32", &[rows, self.numbers])?;
        let masks_out = Target::<u8>::new(masks, "masks", "int8", &[rows, self.bound])?;
        let observed = with(py, &self.state, |state| {
            let (mut numbers, mut masks) =
                (Vec::with_capacity(rows * self.numbers), Vec::with_capacity(rows * self.bound));
            let lanes = state.lanes.get_mut(first..first + rows);
            for lane in lanes.ok_or_else(|| Illegal::new(format!("there is no lane {}", first + rows)))? {
                lane.see(self.learner, self.numbers, self.bound)?;
                numbers.extend_from_slice(&lane.numbers);
                masks.extend_from_slice(&lane.mask);
            }
            Ok::<_, Illegal>((numbers, masks))
        })?;
        let (numbers, masks) = observed.map_err(illegal)?;
        numbers_out.fill(py, &numbers)?;
        masks_out.fill(py, &masks)
    }

    /// The learner's view of a lane's table as pixels: height, width, and RGB bytes, row by row.
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        lane: usize,
        width: u32,
    ) -> PyResult<(u32, u32, Bound<'py, PyByteArray>)> {
        let (viewer, labels) = self.looks();
        let drawn =
            self.with_lane(py, lane, |lane| Ok(pixels(&lane.episode()?.draw(viewer, &labels), width)))?;
        let (height, width, rgb) = drawn.map_err(failure)?;
        Ok((height, width, PyByteArray::new(py, &rgb)))
    }

    /// The learner's view of a lane's table, as text.
    fn screen(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        self.with_lane(py, lane, |lane| Ok(lane.episode()?.screen(viewer, &labels).to_plain()))
    }

    /// The learner's view of a lane's table, in SVG.
    fn svg(&self, py: Python<'_>, lane: usize) -> PyResult<String> {
        let (viewer, labels) = self.looks();
        let options = meeple_scene::SvgOptions::default();
        self.with_lane(py, lane, |lane| Ok(lane.episode()?.draw(viewer, &labels).to_svg(&options)))
    }
}

impl Lanes {
    /// Point of view and labels of the players for drawings.
    fn looks(&self) -> (meeple_core::Viewer, Vec<meeple_core::PlayerLabel>) {
        let name =
            |player: &Option<AgentSpec>| player.as_ref().map_or("learner".to_owned(), ToString::to_string);
        let labels = self.players.iter().map(|player| name(player).into()).collect();
        (meeple_core::Viewer::Seat(self.learner), labels)
    }
}
