//! One episode, stepped from Python.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_core::{
    AgentSpec, Answer, AnyEpisode, AnyGame, EpisodeSeed, Illegal, Phase, Seat, SeatSet, Stream, Viewer,
};
use meeple_scene::{SvgOptions, to_png};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyFloat, PyInt, PyList};
use serde_json::{Value, json};

use crate::arrays::{Target, each_id};
use crate::failure::{failure, illegal, quickly, usage, with};
use crate::phases::python_phase;
use crate::pixels::pixels;
use crate::words::{self, labels, seat};

/// One episode: every action is checked, every step and event recorded.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Episode {
    game: Arc<dyn AnyGame>,
    seed: EpisodeSeed,
    seats: usize,
    bound: usize,
    numbers: usize,
    episode: Arc<Mutex<Box<dyn AnyEpisode>>>,
    /// Numbers of the steps whose chance outcome was forced instead of drawn.
    forced: Mutex<Vec<usize>>,
}

/// Steps, held decisions (seat and action), states of the agents' streams, and numbers of forced steps.
type Saved = (Vec<String>, Vec<(usize, String)>, Vec<u64>, Vec<usize>);

impl Episode {
    pub(crate) fn new(game: Arc<dyn AnyGame>, seed: EpisodeSeed) -> Self {
        let episode = Arc::new(Mutex::new(game.episode(seed)));
        Self::shared(game, seed, episode)
    }

    /// An episode that another owner steps as well.
    pub(crate) fn shared(
        game: Arc<dyn AnyGame>,
        seed: EpisodeSeed,
        episode: Arc<Mutex<Box<dyn AnyEpisode>>>,
    ) -> Self {
        let numbers = game.encoding().map_or(0, |encoding| encoding.size);
        let (seats, bound, forced) = (game.seats(), game.action_bound(), Mutex::default());
        Self { seats, bound, numbers, game, seed, episode, forced }
    }

    fn forced(&self) -> MutexGuard<'_, Vec<usize>> {
        self.forced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads or changes the episode, without the interpreter lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Box<dyn AnyEpisode>) -> T + Send,
    ) -> PyResult<T> {
        with(py, &self.episode, work)
    }

    fn decide(&self, index: usize, answer: Answer<'_>) -> PyResult<()> {
        let seat = seat(index, self.seats)?;
        quickly(&self.episode, |episode| episode.decide(seat, answer))?.map_err(illegal)
    }
}

/// The phase, in which seats with a held decision owe nothing.
fn due(episode: &dyn AnyEpisode) -> Phase {
    match episode.phase() {
        Phase::Decide(seats) => {
            Phase::Decide(seats.filter(|seat| episode.holds(*seat)).fold(seats, SeatSet::without))
        }
        phase => phase,
    }
}

/// The value of an exact Python `int` that fits a `usize`; `None` otherwise.
fn plain(number: &Bound<'_, PyAny>) -> Option<usize> {
    number.cast_exact::<PyInt>().ok()?.extract().ok()
}

#[pymethods]
impl Episode {
    /// The episode's own seed, derived from the run's seed and the index.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed.bits()
    }

    /// The phase, as a `Phase` of the package, in which seats with a held decision owe nothing.
    fn phase(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(python_phase(py, quickly(&self.episode, |episode| due(&**episode))?)?.phase)
    }

    /// The seat that alone owes a decision. Otherwise a negative number as in OpenSpiel: -1 for chance, -2
    /// for several seats, -4 at the end.
    fn current_player(&self) -> PyResult<i32> {
        Ok(match quickly(&self.episode, |episode| due(&**episode))? {
            Phase::Chance => -1,
            Phase::Over => -4,
            Phase::Decide(mut seats) if seats.len() == 1 => {
                seats.next().map_or(-4, |seat| seat.index() as i32)
            }
            Phase::Decide(_) => -2,
        })
    }

    /// Lets chance draw until a seat owes a decision or the episode is over. Returns the seats that owe one.
    fn settle(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let due = quickly(&self.episode, |episode| {
            while episode.phase() == Phase::Chance {
                episode.step_chance();
            }
            due(&**episode)
        })?;
        Ok(python_phase(py, due)?.seats)
    }

    /// Fast path: takes an action by its index. Returns false unless seat and index are plain valid integers.
    fn act_plain_index(&self, seat: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<bool> {
        match (plain(seat), plain(index)) {
            (Some(seat), Some(index)) if seat < self.seats => {
                self.decide(seat, Answer::Index(index)).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Fast path: takes an action by its dense id. Returns false unless seat and id are plain valid integers.
    fn act_plain_id(&self, seat: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        match (plain(seat), plain(id)) {
            (Some(seat), Some(id)) if seat < self.seats && id < self.bound => {
                self.decide(seat, Answer::Id(id as u32)).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// The texts of a seat's legal actions.
    fn legal_actions(&self, py: Python<'_>, index: usize) -> PyResult<Vec<String>> {
        let seat = seat(index, self.seats)?;
        self.with(py, |episode| if episode.holds(seat) { Vec::new() } else { episode.legal_actions(seat) })
    }

    /// The ids of a seat's legal actions, in the order of [`legal_actions`](Self::legal_actions).
    fn legal_ids(&self, py: Python<'_>, index: usize) -> PyResult<Vec<u32>> {
        let seat = seat(index, self.seats)?;
        self.with(py, |episode| episode.legal_ids(seat))
    }

    /// Returns true if a number means the same action as an index and as an id, which makes it a clear
    /// answer. Without ids, every index is clear.
    fn is_unambiguous(&self, py: Python<'_>, index: usize, number: usize) -> PyResult<bool> {
        let (seat, bound) = (seat(index, self.seats)?, self.bound);
        self.with(py, |episode| match bound {
            0 => number < episode.legal_actions(seat).len(),
            _ => episode.legal_ids(seat).get(number).is_some_and(|id| *id as usize == number),
        })
    }

    /// Takes an action by its text.
    fn act_text(&self, seat: usize, text: &str) -> PyResult<()> {
        self.decide(seat, Answer::Text(text))
    }

    /// Takes an action by its index among the legal ones.
    fn act_index(&self, seat: usize, index: usize) -> PyResult<()> {
        self.decide(seat, Answer::Index(index))
    }

    /// Takes an action by its dense id.
    fn act_id(&self, seat: usize, id: u32) -> PyResult<()> {
        self.decide(seat, Answer::Id(id))
    }

    /// Takes an action given as JSON.
    fn act_json(&self, seat: usize, json: &str) -> PyResult<()> {
        self.decide(seat, Answer::Json(json))
    }

    /// Takes the fallback action.
    fn act_fallback(&self, seat: usize) -> PyResult<()> {
        self.decide(seat, Answer::Fallback)
    }

    /// Lets chance draw once, if a draw is due. Returns true if it was due.
    fn step_chance(&self) -> PyResult<bool> {
        quickly(&self.episode, |episode| {
            let is_due = episode.phase() == Phase::Chance;
            episode.step_chance();
            is_due
        })
    }

    /// A random legal action of a seat that owes a decision. It comes from a stream of its own.
    fn sample_action(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        let seat = seat(index, self.seats)?;
        let sampled = self.with(py, |episode| match episode.phase().owes(seat) && !episode.holds(seat) {
            true => Some(episode.sample_action(seat)),
            false => None,
        })?;
        sampled.ok_or_else(|| illegal(format!("seat {seat} owes no decision")))
    }

    /// Seats an agent, given by its spec.
    fn seat_agent(&self, py: Python<'_>, index: usize, agent: &str) -> PyResult<()> {
        let (seat, spec) = (seat(index, self.seats)?, AgentSpec::parse(agent));
        self.with(py, |episode| episode.seat_agent(seat, &spec))?.map_err(usage)
    }

    /// The seated agent's choice, which is not taken. `None` if the seat has no agent or owes no decision.
    fn ask_agent(&self, py: Python<'_>, index: usize) -> PyResult<Option<String>> {
        let seat = seat(index, self.seats)?;
        self.with(py, |episode| if episode.holds(seat) { None } else { episode.ask_agent(seat) })
    }

    /// Lets the seated agent decide. Returns false if the seat has no agent or owes no decision.
    fn agent_decides(&self, py: Python<'_>, index: usize) -> PyResult<bool> {
        let seat = seat(index, self.seats)?;
        let decided = self.with(py, |episode| episode.let_agent_decide(seat, None))?;
        decided.transpose().map(|analysis| analysis.is_some()).map_err(illegal)
    }

    /// Stops recording events, for callers that read none.
    fn keep_no_events(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |episode| episode.keep_no_events())
    }

    /// Lets chance draw and seated agents decide until a seat without an agent, or one in `held`, owes a
    /// decision, or the episode is over. Returns the seats that owe one.
    #[pyo3(signature = (held = Vec::new()))]
    fn run_until_asked(&self, py: Python<'_>, held: Vec<usize>) -> PyResult<Vec<usize>> {
        let asked = self.with(py, |episode| -> Result<Vec<usize>, Illegal> {
            loop {
                let seats = match episode.phase() {
                    Phase::Chance => {
                        episode.step_chance();
                        continue;
                    }
                    Phase::Over => return Ok(Vec::new()),
                    Phase::Decide(seats) => seats,
                };
                let mut asked = Vec::new();
                for seat in seats.filter(|seat| !episode.holds(*seat)).collect::<Vec<_>>() {
                    let decided = match held.contains(&seat.index()) {
                        true => None,
                        false => episode.let_agent_decide(seat, None),
                    };
                    match decided {
                        None => asked.push(seat.index()),
                        Some(decided) => drop(decided?),
                    }
                }
                if !asked.is_empty() {
                    return Ok(asked);
                }
            }
        })?;
        asked.map_err(illegal)
    }

    /// A viewer's observation, as JSON.
    fn observation(&self, py: Python<'_>, viewer: &str) -> PyResult<String> {
        let viewer = words::viewer(viewer, self.seats)?;
        let text = self.with(py, |episode| {
            let mut text = Vec::new();
            episode.write_observation(viewer, &mut text);
            text
        })?;
        String::from_utf8(text).map_err(failure)
    }

    /// A viewer's information key.
    fn information_key(&self, py: Python<'_>, viewer: &str) -> PyResult<u128> {
        let viewer = words::viewer(viewer, self.seats)?;
        self.with(py, |episode| episode.information_key(viewer))
    }

    /// The information keys of all seats.
    fn information_keys(&self) -> PyResult<Vec<u128>> {
        let seats = self.seats;
        let key = |episode: &dyn AnyEpisode, seat| episode.information_key(Viewer::Seat(seat));
        quickly(&self.episode, |episode| Seat::all(seats).map(|seat| key(&**episode, seat)).collect())
    }

    /// The events that a viewer may see, as a JSON list.
    fn events(&self, py: Python<'_>, viewer: &str, first: usize) -> PyResult<String> {
        let viewer = words::viewer(viewer, self.seats)?;
        let events: Vec<Value> = self.with(py, |episode| {
            let records = episode.events(viewer, first).into_iter();
            let record = |event: meeple_core::EventRecord| {
                let level = format!("{:?}", event.level).to_lowercase();
                json!({ "number": event.number, "text": event.text, "level": level, "event": event.json })
            };
            records.map(record).collect()
        })?;
        Ok(Value::Array(events).to_string())
    }

    /// The texts of the steps from index `first` on.
    fn steps(&self, py: Python<'_>, first: usize) -> PyResult<Vec<String>> {
        self.with(py, |episode| (first..episode.steps()).map(|index| episode.step_text(index)).collect())
    }

    /// Current scores by seat.
    fn scores(&self) -> PyResult<Vec<i64>> {
        let seats = self.seats;
        quickly(&self.episode, |episode| Seat::all(seats).map(|seat| episode.score(seat)).collect())
    }

    /// Length so far, in the game's length unit.
    fn length(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |episode| episode.length())
    }

    /// The outcome: scores, places and utilities by seat, and the end reason; `None` before the end.
    #[allow(clippy::type_complexity, reason = "it becomes a tuple in Python")]
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<(Vec<i64>, Vec<u32>, Vec<f64>, &'static str)>> {
        let (seats, ends) = (self.seats, self.game.info().ends);
        self.with(py, |episode| {
            let outcome = episode.outcome()?;
            let utilities = Seat::all(seats).map(|seat| outcome.utility(seat)).collect();
            Some((outcome.scores, outcome.places, utilities, ends[outcome.end]))
        })
    }

    /// The mask of a seat's legal actions, as bytes to wrap in an array.
    fn mask<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyByteArray>> {
        let seat = seat(index, self.seats)?;
        PyByteArray::new_with(py, self.bound, |mask| {
            quickly(&self.episode, |episode| episode.write_mask(seat, mask))
        })
    }

    /// A seat's encoded observation (float32), as bytes to wrap in an array.
    fn numbers<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyByteArray>> {
        let seat = seat(index, self.seats)?;
        let numbers = quickly(&self.episode, |episode| {
            let mut numbers = vec![0.0f32; self.numbers];
            episode.write_numbers(seat, &mut numbers);
            numbers
        })?;
        PyByteArray::new_with(py, size_of::<f32>() * numbers.len(), |bytes| {
            let places = bytes.as_chunks_mut().0;
            places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_ne_bytes());
            Ok(())
        })
    }

    /// As [`numbers`](Self::numbers), as a list of floats.
    fn number_list<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyList>> {
        let seat = seat(index, self.seats)?;
        let numbers = quickly(&self.episode, |episode| {
            let mut numbers = vec![0.0f32; self.numbers];
            episode.write_numbers(seat, &mut numbers);
            numbers
        })?;
        // Most numbers are flags, so 0 and 1 share two objects.
        let (zero, one) = (PyFloat::new(py, 0.0), PyFloat::new(py, 1.0));
        PyList::new(
            py,
            numbers.into_iter().map(|number| match number {
                0.0 => zero.clone(),
                1.0 => one.clone(),
                number => PyFloat::new(py, f64::from(number)),
            }),
        )
    }

    /// The ids of a seat's legal actions in ascending order: the set positions of its mask.
    fn masked_ids(&self, index: usize) -> PyResult<Vec<u32>> {
        let seat = seat(index, self.seats)?;
        quickly(&self.episode, |episode| {
            let mut mask = vec![0; self.bound];
            episode.write_mask(seat, &mut mask);
            let mut ids = Vec::new();
            each_id(&mask, |id| ids.push(id));
            ids
        })
    }

    /// Number of steps so far.
    fn step_count(&self) -> PyResult<usize> {
        quickly(&self.episode, |episode| episode.steps())
    }

    /// Writes the mask of a seat's legal actions into the caller's array.
    fn mask_into(&self, py: Python<'_>, index: usize, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (seat, out) = (seat(index, self.seats)?, Target::<i8>::new(out, "out", "int8", &[self.bound])?);
        let mask = quickly(&self.episode, |episode| {
            let mut mask = vec![0; self.bound];
            episode.write_mask(seat, &mut mask);
            mask
        })?;
        let mask: Vec<i8> = mask.into_iter().map(|byte| byte as i8).collect();
        out.fill(py, &mask)
    }

    /// Writes a seat's encoded observation into the caller's array.
    fn numbers_into(&self, py: Python<'_>, index: usize, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (seat, out) =
            (seat(index, self.seats)?, Target::<f32>::new(out, "out", "float32", &[self.numbers])?);
        let numbers = quickly(&self.episode, |episode| {
            let mut numbers = vec![0.0; self.numbers];
            episode.write_numbers(seat, &mut numbers);
            numbers
        })?;
        out.fill(py, &numbers)
    }

    /// The table as a drawing in SVG.
    fn svg(&self, py: Python<'_>, viewer: &str, players: Vec<String>) -> PyResult<String> {
        let (viewer, players) = (words::viewer(viewer, self.seats)?, labels(players, self.seats)?);
        self.with(py, |episode| episode.draw(viewer, &players).to_svg(&SvgOptions::default()))
    }

    /// The table as a picture in PNG.
    fn png(&self, py: Python<'_>, viewer: &str, players: Vec<String>, width: u32) -> PyResult<Vec<u8>> {
        let (viewer, players) = (words::viewer(viewer, self.seats)?, labels(players, self.seats)?);
        self.with(py, |episode| to_png(&episode.draw(viewer, &players), width))?.map_err(failure)
    }

    /// The table as pixels: height, width, and RGB bytes, row by row.
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        viewer: &str,
        players: Vec<String>,
        width: u32,
    ) -> PyResult<(u32, u32, Bound<'py, PyByteArray>)> {
        let (viewer, players) = (words::viewer(viewer, self.seats)?, labels(players, self.seats)?);
        let drawn = self.with(py, |episode| pixels(&episode.draw(viewer, &players), width))?;
        let (height, width, rgb) = drawn.map_err(failure)?;
        Ok((height, width, PyByteArray::new(py, &rgb)))
    }

    /// The table as text.
    fn screen(&self, py: Python<'_>, viewer: &str, players: Vec<String>) -> PyResult<String> {
        let (viewer, players) = (words::viewer(viewer, self.seats)?, labels(players, self.seats)?);
        self.with(py, |episode| episode.screen(viewer, &players).to_plain())
    }

    /// The replay so far, in its text form.
    fn replay(&self, py: Python<'_>, players: Vec<String>) -> PyResult<String> {
        let (players, seed) = (labels(players, self.seats)?, self.seed);
        self.with(py, |episode| episode.replay(&players, Some(seed)).to_text())
    }

    /// A copy without its agents.
    fn fork(&self, py: Python<'_>) -> PyResult<Self> {
        let episode = Arc::new(Mutex::new(self.with(py, |episode| episode.fork())?));
        let copied = Self::shared(Arc::clone(&self.game), self.seed, episode);
        copied.forced().clone_from(&self.forced());
        Ok(copied)
    }

    /// A determinization for a viewer, drawn from this seed.
    fn determinize(&self, py: Python<'_>, viewer: &str, seed: u64) -> PyResult<Self> {
        let (viewer, seed) = (words::viewer(viewer, self.seats)?, EpisodeSeed::new(seed, 0));
        let episode = self.with(py, |episode| episode.determinize(viewer, seed))?;
        Ok(Self::shared(Arc::clone(&self.game), seed, Arc::new(Mutex::new(episode))))
    }

    /// Possible chance outcomes with their probabilities. `None` if no draw is due, or if the outcomes are
    /// too many to list.
    fn chance_outcomes(&self, py: Python<'_>) -> PyResult<Option<Vec<(String, f64)>>> {
        self.with(py, |episode| episode.chance_outcomes())
    }

    /// The possible chance outcomes as numbers from 0 with their probabilities; `None` as in
    /// [`chance_outcomes`](Self::chance_outcomes).
    fn chance_numbers(&self) -> PyResult<Option<Vec<(usize, f64)>>> {
        let probabilities = quickly(&self.episode, |episode| episode.chance_probabilities())?;
        Ok(probabilities.map(|probabilities| probabilities.into_iter().enumerate().collect()))
    }

    /// Applies the chance outcome with this number.
    fn force_chance_at(&self, number: i64) -> PyResult<()> {
        let Ok(index) = usize::try_from(number) else {
            return Err(illegal(format!("expected an outcome from 0 on, found {number}")));
        };
        let forced =
            quickly(&self.episode, |episode| episode.force_chance_at(index).map(|()| episode.steps()))?;
        self.forced().push(forced.map_err(illegal)? - 1);
        Ok(())
    }

    /// Applies the chance outcome with this text, as if it had been drawn.
    fn force_chance(&self, py: Python<'_>, outcome: &str) -> PyResult<()> {
        let steps = self.with(py, |episode| episode.force_chance(outcome).map(|()| episode.steps()))?;
        self.forced().push(steps.map_err(illegal)? - 1);
        Ok(())
    }

    /// State for [`restore`](Self::restore), without game and seed.
    fn save(&self, py: Python<'_>) -> PyResult<Saved> {
        self.with(py, |episode| {
            let steps = (0..episode.steps()).map(|index| episode.step_text(index)).collect();
            let held = episode.held().into_iter().map(|(seat, action)| (seat.index(), action)).collect();
            let streams = episode.agent_streams().into_iter().map(|stream| stream.seed()).collect();
            (steps, held, streams, self.forced().clone())
        })
    }

    /// Restores a saved state in a new episode: chance draws again, and must draw the same.
    fn restore(&self, py: Python<'_>, saved: Saved) -> PyResult<()> {
        let (steps, held, streams, forced) = saved;
        let seats = self.seats;
        let seat = |index| match index < seats {
            true => Ok(Seat::new(index)),
            false => Err(Illegal::new(format!("expected a seat from 0 to {}, found {index}", seats - 1))),
        };
        self.with(py, |episode| -> Result<(), Illegal> {
            for (number, step) in steps.iter().enumerate() {
                match step.split_once(' ').map(|(who, what)| (who.parse::<usize>(), what)) {
                    Some((Ok(index), action)) => episode.act(seat(index)?, action)?,
                    Some((Err(_), outcome)) if forced.contains(&number) => episode.force_chance(outcome)?,
                    _ => episode.step_chance(),
                }
                let found = episode.steps().checked_sub(1).map(|last| episode.step_text(last));
                if episode.steps() != number + 1 || found.as_deref() != Some(step) {
                    let found = found.unwrap_or_default();
                    return Err(Illegal::new(format!(
                        "step {}: expected '{step}', found '{found}'\nhint: load it with the release that saved it",
                        number + 1
                    )));
                }
            }
            for (index, action) in &held {
                episode.decide(seat(*index)?, Answer::Text(action))?;
            }
            for (stream, seed) in episode.agent_streams().into_iter().zip(streams) {
                *stream = Stream::from_seed(seed);
            }
            *self.forced() = forced;
            Ok(())
        })?
        .map_err(failure)
    }
}
