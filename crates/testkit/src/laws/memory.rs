//! What a run of the laws works with and remembers: buffers, a random stream of its own, what it has seen.

use std::collections::BTreeMap;

use meeple_core::{ChanceStreams, EventLog, Phase, Playable, Seat, SeatSet, Stream, Viewer};

use super::encodings::{Encoder, Told};
use super::hints::Adviser;
use super::sight::Sight;
use super::twins::Pairs;

/// A position under inspection.
pub(crate) struct Position<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) state: &'a G::State,
    pub(crate) phase: Phase,
    pub(crate) chance: &'a ChanceStreams,
    pub(crate) log: &'a EventLog<G::Event>,
}

/// What a run of the laws remembers.
pub(crate) struct Memory<G: Playable> {
    pub(crate) rng: Stream,
    /// A state with a past, to copy into.
    pub(crate) used: G::State,
    /// Actions seen at other positions, without duplicates, sorted.
    pub(crate) actions: Vec<G::Action>,
    /// Texts of chance outcomes seen at other positions.
    pub(crate) outcomes: BTreeMap<String, G::Chance>,
    /// What a viewer saw by viewer and information key, of the present episode.
    pub(crate) keys: BTreeMap<(String, u128), Sight>,
    /// Seats that could not decide any more, of the present episode.
    pub(crate) out: Vec<bool>,
    /// How what seats know becomes numbers.
    pub(crate) encoder: Option<Encoder<G>>,
    /// What it has told.
    pub(crate) told: Told,
    /// What the game tells those who search.
    pub(crate) adviser: Adviser<G>,
    /// Full-support tests that may still be made.
    pub(crate) support_budget: usize,
    /// Frequency tests that may still be made.
    pub(crate) frequency_budget: usize,
    pub(crate) longest: usize,
    pub(crate) counts: Counts,
}

/// What was counted in a run; claims of the info block are held against it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Positions at which several seats owed a decision.
    pub(crate) simultaneous: u64,
    /// Determinized states.
    pub(crate) determinized: u64,
    /// Determinized states that differed from the true one.
    pub(crate) redrawn: u64,
    /// Positions looked at closely.
    pub(crate) inspected: u64,
    /// Steps walked.
    pub(crate) steps: u64,
    /// What became of twin episodes.
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

/// Most actions and outcomes remembered from other positions.
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
            told: Told::default(),
            adviser: Adviser::new(game),
            support_budget: 12,
            frequency_budget: 12,
            longest,
            counts: Counts::default(),
        }
    }

    /// Remembers an action as one that other positions may have to refuse.
    pub(crate) fn remember_action(&mut self, action: &G::Action) {
        if let Err(place) = self.actions.binary_search(action) {
            if self.actions.len() >= POOL {
                let victim = self.rng.index(self.actions.len());
                self.actions.remove(victim);
                return;
            }
            self.actions.insert(place, action.clone());
        }
    }

    /// Remembers a chance outcome as one that other positions may have to refuse.
    pub(crate) fn remember_outcome(&mut self, chance: &G::Chance) {
        if self.outcomes.len() < POOL {
            self.outcomes.entry(chance.to_string()).or_insert_with(|| chance.clone());
        }
    }

    /// Up to `most` remembered actions, drawn at random.
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

    /// The seats that owe a decision, some others, and the public.
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
