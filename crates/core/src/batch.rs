//! Batches: many episodes of a game stepped together, for learners.

use std::sync::Arc;

use thiserror::Error;

use crate::agent::{Agent, AskedSeat, Position, Turn};
use crate::encoding::Encoding;
use crate::event::NoEvents;
use crate::info::ActionKind;
use crate::outcome::Outcome;
use crate::phase::{Phase, Viewer};
use crate::playable::Playable;
use crate::seat::Seat;
use crate::spec::AgentError;
use crate::stream::{ChanceStreams, EpisodeSeed};

/// Output memory for the rows of a [`Batch`], owned by the caller: flat slices in row-major order.
///
/// In the shapes, `rows` is [`most_rows`](AnyBatch::most_rows). Rows beyond the number that
/// [`observe`](AnyBatch::observe) returns keep their content.
pub struct Rows<'a> {
    /// The lane of each row: `[rows]`.
    pub lanes: &'a mut [u32],
    /// Index of the lane's episode in the run: `[rows]`. Episodes that end before any outside decision never
    /// appear.
    pub episodes: &'a mut [u64],
    /// The seat that owes the decision: `[rows]`.
    pub seats: &'a mut [u16],
    /// Masks of legal actions: 1 at their ids, else 0. `[rows, action_bound]`.
    pub masks: &'a mut [u8],
    /// The observations as numbers: `[rows, observation_size]`; empty for games without an encoding.
    pub observations: &'a mut [f32],
}

/// An episode that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The lane. It has started its next episode already.
    pub lane: u32,
    /// The episode's index in its run.
    pub episode: u64,
    /// The outcome: scores, places, end.
    pub outcome: Outcome,
    /// Length, in the game's length unit.
    pub length: u64,
}

/// Reason why a batch refused a call. The batch is unchanged.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// The game's actions have no ids.
    #[error("the actions of {0} have no ids\nhint: play it by text or JSON, one episode at a time")]
    NoIds(&'static str),
    /// An agent does not exist or cannot play.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// All seats of a lane have agents, so no decision is left for the caller.
    #[error("lane {0}: expected a seat without an agent, found none\nhint: playouts are for agents alone")]
    NobodyOutside(usize),
    /// A slice, a list of ids or a list of agents has the wrong length.
    #[error("{what}: expected {expected} values, found {found}")]
    Length { what: &'static str, expected: usize, found: usize },
    /// An id belongs to no legal action.
    #[error(
        "row {row} (lane {lane}, seat {seat}): no legal action has the id {id}\nhint: look at the row's mask"
    )]
    Id { row: usize, lane: u32, seat: u16, id: u32 },
}

/// Maximum number of episodes that a lane's agents may end in one step before an outside decision. With this
/// bound a step returns even if no outside decision ever comes.
const MAX_ENDED: u32 = 1_000;

/// Stepping of a [`Batch`], without the game's type.
pub trait AnyBatch: Send {
    /// Exclusive upper bound of action ids.
    fn action_bound(&self) -> usize;
    /// Numbers per observation; 0 for games without an encoding.
    fn observation_size(&self) -> usize;
    /// Maximum number of rows owed at once.
    fn most_rows(&self) -> usize;
    /// Writes a row for every owed decision, sorted by lane and seat, and returns the number of rows. A lane
    /// has no rows if its agents ended 1,000 episodes in the last step without an outside decision. The lane
    /// continues with the next step.
    ///
    /// # Errors
    /// If a slice has the wrong length.
    fn observe(&mut self, rows: Rows<'_>) -> Result<usize, BatchError>;
    /// Takes one action id per row of the last [`observe`](AnyBatch::observe), `[n_rows]`, and advances until
    /// decisions are owed again. Returns all episodes that ended since the last step.
    ///
    /// # Errors
    /// If the number of ids differs from the number of rows, or an id belongs to no legal action.
    fn step(&mut self, ids: &[u32]) -> Result<Vec<Ended>, BatchError>;
}

/// Many episodes of a game stepped together, for learners, with one row per owed decision.
///
/// Lane l plays the episodes l, l + lanes, l + 2 lanes, … of a run, one after another. Agents decide by
/// themselves. For every other seat that owes a decision, [`observe`](AnyBatch::observe) writes a row into
/// memory of the caller; [`Rows`] has the shapes. Then [`step`](AnyBatch::step) takes one action id per row.
///
/// Simultaneous decisions take one row each. Lanes need not be in step: each may wait for another seat.
///
/// ```
/// use std::sync::Arc;
///
/// use meeple_core::{AnyBatch, Batch, Defined, Rows};
/// use meeple_testkit::toys::Nim;
///
/// // Eight lanes of two seats, all played from outside.
/// let nim = Arc::new(Nim::definition().by_default(2)?);
/// let mut batch = Batch::new(nim, 1, (0..8).map(|_| vec![None, None]).collect())?;
/// let (rows, bound, size) = (batch.most_rows(), batch.action_bound(), batch.observation_size());
///
/// let (mut lanes, mut episodes, mut seats) = (vec![0; rows], vec![0; rows], vec![0; rows]);
/// let (mut masks, mut observations) = (vec![0; rows * bound], vec![0.0; rows * size]);
/// let mut ended = Vec::new();
/// while ended.len() < 20 {
///     let owed = batch.observe(Rows {
///         lanes: &mut lanes,
///         episodes: &mut episodes,
///         seats: &mut seats,
///         masks: &mut masks,
///         observations: &mut observations,
///     })?;
///     // A network would choose here, by the mask and the observation of each row.
///     let first_legal = |mask: &[u8]| mask.iter().position(|legal| *legal == 1).expect("one is legal");
///     let ids: Vec<u32> = masks.chunks(bound).take(owed).map(|mask| first_legal(mask) as u32).collect();
///     ended.extend(batch.step(&ids)?);
/// }
/// assert!(ended.iter().all(|episode| episode.outcome.places == [2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batch<G: Playable> {
    game: Arc<G>,
    encoding: Option<Encoding<G>>,
    /// Numbers per observation.
    size: usize,
    root: u64,
    lanes: Vec<Lane<G>>,
    rows: Vec<Row<G::Action>>,
    ended: Vec<Ended>,
    /// Scratch buffer for lists of legal actions.
    scratch: Vec<G::Action>,
}

struct Row<A> {
    lane: u32,
    seat: Seat,
    /// The chosen action, while a step is checked and applied.
    action: A,
}

/// Agents by seat, `[seats]`; `None` for seats that the caller plays.
pub type Seated<G> = Vec<Option<Box<dyn Agent<G>>>>;

struct Lane<G: Playable> {
    state: G::State,
    chance: ChanceStreams,
    /// Random streams and buffers, by seat.
    asked: Vec<AskedSeat<G>>,
    agents: Seated<G>,
    episode: u64,
    decisions: u64,
}

impl<G: Playable> Batch<G> {
    /// A batch of the run with root seed `root`, with one lane per item of `agents`: an agent or `None` for
    /// every seat.
    ///
    /// # Errors
    /// If the game's actions have no ids, a lane has the wrong number of seats, or all seats of a lane have
    /// agents.
    pub fn new(game: Arc<G>, root: u64, agents: Vec<Seated<G>>) -> Result<Self, BatchError> {
        let info = game.info();
        if info.actions == ActionKind::Structured {
            return Err(BatchError::NoIds(info.id));
        }
        for (lane, agents) in agents.iter().enumerate() {
            let (expected, found) = (game.seats(), agents.len());
            if expected != found {
                return Err(BatchError::Length { what: "the seats of a lane", expected, found });
            }
            if agents.iter().all(Option::is_some) {
                return Err(BatchError::NobodyOutside(lane));
            }
        }
        let lane = |(index, agents): (usize, Seated<G>)| {
            let seed = EpisodeSeed::new(root, index as u64);
            let asked = Seat::all(game.seats()).map(|seat| AskedSeat::new(seed, seat)).collect();
            let (state, chance) = (game.initial_state(), ChanceStreams::new(seed));
            Lane { state, chance, asked, agents, episode: index as u64, decisions: 0 }
        };
        let lanes: Vec<Lane<G>> = agents.into_iter().enumerate().map(lane).collect();
        let encoding = game.encoding();
        let size = encoding.map_or(0, |encoding| encoding.size(&game));
        let mut batch =
            Self { game, encoding, size, root, lanes, rows: vec![], ended: vec![], scratch: vec![] };
        for lane in 0..batch.lanes.len() {
            batch.begin(lane, lane as u64);
            batch.advance(lane);
        }
        Ok(batch)
    }

    fn begin(&mut self, lane: usize, episode: u64) {
        let seed = EpisodeSeed::new(self.root, episode);
        let lane = &mut self.lanes[lane];
        (lane.episode, lane.decisions) = (episode, 0);
        lane.chance.restart(seed);
        self.game.reset(&mut lane.state);
        for (seat, asked) in Seat::all(self.game.seats()).zip(&mut lane.asked) {
            asked.restart(seed, seat);
            if let Some(agent) = &mut lane.agents[seat.index()] {
                agent.begin_episode(&self.game, seat);
            }
        }
    }

    /// Applies all owed decisions: those of `outside`, sorted by seat, and those of the agents.
    fn decide(&mut self, lane: usize, outside: impl Iterator<Item = (Seat, G::Action)>) {
        let lane = &mut self.lanes[lane];
        let Phase::Decide(seats) = self.game.phase(&lane.state) else { return };
        let mut outside = outside.peekable();
        for seat in seats {
            // Agents may decide after others' decisions are applied: by a law of every game, simultaneous
            // decisions reveal nothing to each other.
            let action = match outside.next_if(|(other, _)| *other == seat) {
                Some((_, action)) => action,
                None => {
                    let Some(agent) = &mut lane.agents[seat.index()] else { continue };
                    let position = Position::new(&*self.game, &lane.state);
                    let action = agent.act(Turn::new(&position, &mut lane.asked[seat.index()]));
                    debug_assert_eq!(
                        self.game.check(&lane.state, seat, &action),
                        Ok(()),
                        "agents play legally"
                    );
                    action
                }
            };
            self.game.apply_unchecked(&mut lane.state, seat, &action, &mut NoEvents);
            lane.decisions += 1;
        }
    }

    /// Advances until an outside decision is owed. Starts the lane's next episode after each finished one, at
    /// most [`MAX_ENDED`] times.
    fn advance(&mut self, index: usize) {
        let mut ended = 0;
        while ended < MAX_ENDED {
            let lane = &mut self.lanes[index];
            match self.game.phase(&lane.state) {
                Phase::Chance => self.game.resolve_chance(&mut lane.state, &mut lane.chance, &mut NoEvents),
                Phase::Decide(mut seats) => {
                    if seats.any(|seat| lane.agents[seat.index()].is_none()) {
                        return;
                    }
                    self.decide(index, std::iter::empty());
                }
                Phase::Over => {
                    let mut outcome = Outcome::default();
                    self.game.outcome(&lane.state, &mut outcome);
                    let length = self.game.length(&lane.state, lane.decisions);
                    self.ended.push(Ended { lane: index as u32, episode: lane.episode, outcome, length });
                    let next = lane.episode + self.lanes.len() as u64;
                    self.begin(index, next);
                    ended += 1;
                }
            }
        }
    }
}

impl<G: Playable> AnyBatch for Batch<G> {
    fn action_bound(&self) -> usize {
        self.game.action_bound() as usize
    }

    fn observation_size(&self) -> usize {
        self.size
    }

    fn most_rows(&self) -> usize {
        self.lanes.len() * if self.game.info().simultaneous { self.game.seats() } else { 1 }
    }

    fn observe(&mut self, rows: Rows<'_>) -> Result<usize, BatchError> {
        let (most, bound, size) = (self.most_rows(), self.action_bound(), self.observation_size());
        for (what, expected, found) in [
            ("lanes", most, rows.lanes.len()),
            ("episodes", most, rows.episodes.len()),
            ("seats", most, rows.seats.len()),
            ("masks", most * bound, rows.masks.len()),
            ("observations", most * size, rows.observations.len()),
        ] {
            if expected != found {
                return Err(BatchError::Length { what, expected, found });
            }
        }
        self.rows.clear();
        for (number, lane) in (0u32..).zip(&self.lanes) {
            let Phase::Decide(seats) = self.game.phase(&lane.state) else { continue };
            for seat in seats.filter(|seat| lane.agents[seat.index()].is_none()) {
                let row = self.rows.len();
                self.rows.push(Row { lane: number, seat, action: G::Action::default() });
                (rows.lanes[row], rows.episodes[row]) = (number, lane.episode);
                rows.seats[row] = seat.index() as u16;
                let mask = &mut rows.masks[row * bound..][..bound];
                mask.fill(0);
                self.game.mark_ids(&lane.state, seat, &mut self.scratch, mask);
                if let Some(encoding) = &self.encoding {
                    let seen = self.game.observe(&lane.state, Viewer::Seat(seat));
                    (encoding.write)(&self.game, &seen, seat, &mut rows.observations[row * size..][..size]);
                }
            }
        }
        Ok(self.rows.len())
    }

    fn step(&mut self, ids: &[u32]) -> Result<Vec<Ended>, BatchError> {
        if ids.len() != self.rows.len() {
            let (expected, found) = (self.rows.len(), ids.len());
            return Err(BatchError::Length { what: "ids", expected, found });
        }
        for (number, (row, id)) in self.rows.iter_mut().zip(ids).enumerate() {
            let action = self.game.action_of(&self.lanes[row.lane as usize].state, row.seat, *id);
            let (lane, seat) = (row.lane, row.seat.index() as u16);
            row.action = action.ok_or(BatchError::Id { row: number, lane, seat, id: *id })?;
        }
        let mut rows = std::mem::take(&mut self.rows);
        for group in rows.chunk_by_mut(|one, other| one.lane == other.lane) {
            let lane = group[0].lane as usize;
            self.decide(lane, group.iter_mut().map(|row| (row.seat, std::mem::take(&mut row.action))));
        }
        for lane in 0..self.lanes.len() {
            self.advance(lane);
        }
        rows.clear();
        self.rows = rows;
        Ok(std::mem::take(&mut self.ended))
    }
}
