//! Working memory of a run of the laws: buffers, its own random stream, and past observations.

use std::collections::BTreeMap;

use meeple_core::{ChanceStreams, EventLog, Phase, Playable, Seat, SeatSet, Stream, Viewer};

use super::encodings::{EncodedPositions, Encoder};
use super::hints::Adviser;
use super::sight::Sight;
use super::twins::Pairs;

pub(crate) struct Position<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) state: &'a G::State,
    pub(crate) phase: Phase,
    pub(crate) chance: &'a ChanceStreams,
    pub(crate) log: &'a EventLog<G::Event>,
}

pub(crate) struct Memory<G: Playable> {
    pub(crate) rng: Stream,
    /// A state with old content, to copy into.
    pub(crate) used: G::State,
    /// Actions seen at other positions, without duplicates, sorted.
    pub(crate) actions: Vec<G::Action>,
    /// Texts of chance outcomes seen at other positions.
    pub(crate) outcomes: BTreeMap<String, G::Chance>,
    /// Views of the current episode, by viewer and information key.
    pub(crate) keys: BTreeMap<(String, u128), Sight>,
    /// By seat: true once the seat cannot decide any more in the current episode.
    pub(crate) out: Vec<bool>,
    pub(crate) encoder: Option<Encoder<G>>,
    /// Encoded rows so far.
    pub(crate) encoded: EncodedPositions,
    pub(crate) adviser: Adviser<G>,
    /// Number of tests for full support that are left.
    pub(crate) support_budget: usize,
    /// Number of frequency tests that are left.
    pub(crate) frequency_budget: usize,
    pub(crate) longest: usize,
    pub(crate) counts: Counts,
}

/// Counts of a run; claims of the info block are checked against them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Positions at which several seats owed a decision.
    pub(crate) simultaneous: u64,
    pub(crate) determinized: u64,
    /// Number of determinized states that differed from the true one.
    pub(crate) redrawn: u64,
    pub(crate) inspected: u64,
    pub(crate) steps: u64,
    pub(crate) pairs: Pairs,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Counts) {
        self.simultaneous += other.simultaneous;
        self.determinized += other.determinized;
        self.redrawn += other.redrawn;
        self.inspected += other.inspected;
        self.steps += other.steps;
        self.pairs.add(other.pairs);
    }
}

/// Maximum number of actions, and of outcomes, kept from other positions.
const POOL: usize = 400;

impl<G: Playable> Memory<G> {
    pub(crate) fn new(game: &G, seed: u64, longest: usize) -> Self {
        Self {
            rng: Stream::from_seed(seed ^ 0x1a35),
            used: game.initial_state(),
            actions: Vec::new(),
            outcomes: BTreeMap::new(),
            keys: BTreeMap::new(),
            out: vec![false; game.seats()],
            encoder: Encoder::of(game),
            encoded: EncodedPositions::default(),
            adviser: Adviser::new(game),
            support_budget: 12,
            frequency_budget: 12,
            longest,
            counts: Counts::default(),
        }
    }

    /// Keeps an action for checks at other positions, which may have to refuse it. In a full pool it replaces
    /// a random action.
    pub(crate) fn remember_action(&mut self, action: &G::Action) {
        if let Err(mut place) = self.actions.binary_search(action) {
            if self.actions.len() >= POOL {
                let victim = self.rng.index(self.actions.len());
                self.actions.remove(victim);
                place -= usize::from(victim < place);
            }
            self.actions.insert(place, action.clone());
        }
    }

    /// Keeps a chance outcome for checks at other positions, which may have to refuse it.
    pub(crate) fn remember_outcome(&mut self, chance: &G::Chance) {
        if self.outcomes.len() < POOL {
            self.outcomes.entry(chance.to_string()).or_insert_with(|| chance.clone());
        }
    }

    /// The default action and up to `most` kept actions, drawn at random.
    pub(crate) fn foreign_actions(&mut self, most: usize) -> Vec<G::Action> {
        let mut picked = vec![G::Action::default()];
        if self.actions.len() <= most {
            picked.extend(self.actions.iter().cloned());
        } else {
            for _ in 0..most {
                picked.push(self.actions[self.rng.index(self.actions.len())].clone());
            }
        }
        picked
    }

    /// The seats in `from`, or `most` of them drawn at random.
    pub(crate) fn some_seats(&mut self, from: impl Iterator<Item = Seat>, most: usize) -> Vec<Seat> {
        let mut seats: Vec<Seat> = from.collect();
        if seats.len() > most {
            self.rng.shuffle(&mut seats);
            seats.truncate(most);
        }
        seats
    }

    /// Seats that owe a decision and other seats, at most `most` in all, and the public.
    pub(crate) fn some_viewers(&mut self, game: &G, phase: Phase, most: usize) -> Vec<Viewer> {
        let owing = match phase {
            Phase::Decide(seats) => seats,
            Phase::Chance | Phase::Over => SeatSet::EMPTY,
        };
        let mut seats = self.some_seats(owing, most.div_ceil(2));
        let others = Seat::all(game.seats()).filter(|seat| !owing.contains(*seat));
        seats.extend(self.some_seats(others, most / 2));
        seats.into_iter().map(Viewer::Seat).chain([Viewer::Public]).collect()
    }
}
