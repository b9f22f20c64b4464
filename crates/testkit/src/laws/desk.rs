//! What the laws work with: buffers, a random stream of their own, and what they remember of a run.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use meeple_core::{ChanceStreams, EventLog, Phase, Playable, Seat, SeatSet, Stream, Viewer};

use super::fault::{Fault, Held, hold};
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
pub(crate) struct Desk<G: Playable> {
    pub(crate) rng: Stream,
    /// A state with a past, to copy into.
    pub(crate) used: G::State,
    /// Actions seen at other positions, without duplicates, sorted.
    pub(crate) actions: Vec<G::Action>,
    /// Texts of chance outcomes seen at other positions.
    pub(crate) outcomes: BTreeMap<String, G::Chance>,
    /// What a viewer saw by viewer and information key, of the present episode.
    pub(crate) keys: BTreeMap<(String, u128), Sight>,
    /// Full-support tests that may still be made.
    pub(crate) support_budget: usize,
    /// Frequency tests that may still be made.
    pub(crate) frequency_budget: usize,
    pub(crate) longest: usize,
    pub(crate) seen: Seen,
}

/// What was seen in a run; claims of the info block are held against it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
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

impl Seen {
    pub(crate) fn add(&mut self, other: Seen) {
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

impl<G: Playable> Desk<G> {
    pub(crate) fn new(game: &G, seed: u64, longest: usize) -> Self {
        Self {
            rng: Stream::from_seed(seed ^ 0x1a35),
            used: game.initial_state(),
            actions: Vec::new(),
            outcomes: BTreeMap::new(),
            keys: BTreeMap::new(),
            support_budget: 12,
            frequency_budget: 12,
            longest,
            seen: Seen::default(),
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

/// A fingerprint of a value by its `Hash`.
pub(crate) fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A viewer as text.
pub(crate) fn viewer_text(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => format!("seat {seat}"),
        Viewer::Public => "the public".into(),
        Viewer::Everything => "somebody who sees everything".into(),
    }
}

/// Everything that a viewer sees of a position, as text: observation, key, legal actions, own score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub(crate) observation: String,
    pub(crate) key: u128,
    pub(crate) legal: Vec<String>,
    pub(crate) score: Option<i64>,
    pub(crate) owes: bool,
    pub(crate) over: bool,
}

impl Sight {
    pub(crate) fn of<G: Playable>(game: &G, state: &G::State, viewer: Viewer) -> Result<Self, Fault> {
        let phase = game.phase(state);
        let (mut legal, mut score, mut owes) = (Vec::new(), None, false);
        if let Viewer::Seat(seat) = viewer {
            score = Some(game.score(state, seat));
            owes = phase.owes(seat);
            if owes {
                let mut actions = Vec::new();
                game.legal_actions(state, seat, &mut actions);
                // An id says no more than the seat knows, too.
                let told = |action| format!("{action} (id {})", game.action_id(state, seat, action));
                legal = actions.iter().map(told).collect();
            }
        }
        let observation = serde_json::to_string(&game.observe(state, viewer)).map_err(|error| Fault {
            law: "observation-serialises",
            what: format!("the observation of {} does not become JSON: {error}", viewer_text(viewer)),
        })?;
        let key = game.information_key(state, viewer);
        Ok(Self { observation, key, legal, score, owes, over: phase == Phase::Over })
    }

    /// Holds `other`, which must look the same, against this.
    pub(crate) fn hold_equal(&self, law: &'static str, other: &Sight, why: &str) -> Held {
        hold!(
            law,
            self.observation == other.observation,
            "{why}, but the observation differs {}",
            super::fault::difference(&self.observation, &other.observation)
        );
        hold!(
            law,
            self.key == other.key,
            "{why}, but the information key differs {}",
            format_args!("({:032x} and {:032x})", self.key, other.key)
        );
        hold!(
            law,
            self.legal == other.legal,
            "{why}, but the legal actions differ: {:?} and {:?}",
            self.legal,
            other.legal
        );
        hold!(
            law,
            self.score == other.score,
            "{why}, but the own score differs: {:?} and {:?}",
            self.score,
            other.score
        );
        hold!(law, self.owes == other.owes, "{why}, but whether the viewer owes a decision differs");
        hold!(law, self.over == other.over, "{why}, but whether the episode is over differs");
        Ok(())
    }
}
