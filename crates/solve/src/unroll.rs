//! Construction of game trees from rules.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use meeple_core::{ActionKind, Game, NoEvents, Outcome, Phase, Seat, SeatSet, Stream, Viewer};

use crate::error::SolveError;
use crate::memory::{Hearing, Impression, Memory};
use crate::pay_off::Objective;
use crate::tree::{Node, Set, Tree};

/// Maximum length of an episode in steps, chance included.
pub const MAX_STEPS: usize = 1000;
/// Upper bound of every limit on histories, because indices have 32 bits.
pub const MAX_HISTORIES: usize = 1 << 31;
/// Total length in steps of the random episodes for an estimate.
const PROBED_STEPS: usize = 5_000;
/// Games are rejected without counting if the estimate exceeds the limit by this factor. The estimate is
/// unbiased and non-negative, so a wrong rejection has a probability below 1/factor (Markov's inequality).
const REJECT_FACTOR: f64 = 1e6;
/// Number of histories between two calls of the observer.
const HISTORIES_PER_REPORT: usize = 10_000;

/// Unrolls a game: all its histories, with information sets under perfect recall.
///
/// Two histories are in one information set if the seat has the same sequence of observations, events and own
/// actions, and the same current observation ([`Game::information_key`]). Observations count before every
/// step that the seat may notice ([`Game::decision_audience`]; everybody notices chance). Recall is thus
/// perfect, even if observations omit the past.
///
/// Simultaneous decisions are sequential in the tree, lowest seat first. Each of these decisions has the
/// information from before the first.
///
/// Histories are counted before any is stored. `watch` receives the number of stored histories, and may stop
/// the run.
///
/// # Errors
/// If actions or chance outcomes cannot be enumerated, there are more histories than the limit, an episode
/// may exceed [`MAX_STEPS`], the game breaks the contract, or `watch` stops the run.
pub fn unroll<G: Game>(
    game: &G,
    pay_off: Objective,
    histories: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Tree, SolveError> {
    if game.info().actions == ActionKind::Structured {
        return Err(SolveError::Structured(game.info().id));
    }
    let limit = histories.min(MAX_HISTORIES);
    let estimate = estimate_histories(game)?;
    if estimate > REJECT_FACTOR * limit as f64 {
        return Err(SolveError::TooLarge { limit, estimate });
    }
    let mut counting =
        Counting { game, limit, watch: &mut *watch, count: 0, states: vec![game.initial_state()] };
    counting.count(0)?;
    let counted = counting.count;
    let tree = Tree {
        seats: game.seats(),
        nodes: Vec::new(),
        parents: Vec::new(),
        odds: Vec::new(),
        gains: Vec::new(),
        sets: Vec::new(),
        members: Vec::new(),
        member_starts: Vec::new(),
        actions: 0,
        steps: 0,
    };
    let mut unrolling = Unrolling {
        game,
        pay_off,
        watch,
        reported: 0,
        tree,
        sets: BTreeMap::new(),
        places: Vec::new(),
        outcome: Outcome::default(),
    };
    unrolling.tree.nodes.reserve(counted);
    unrolling.tree.parents.reserve(counted);
    unrolling.reserve(1, 0)?;
    unrolling.place(0).state.clone_from(&game.initial_state());
    unrolling.walk(0, 0)?;
    let mut tree = unrolling.tree;
    tree.gather();
    Ok(tree)
}

/// Estimates the number of histories from random episodes (Knuth 1975). Each episode gives the size that the
/// tree would have if all branches were like the sampled one; the estimate is the mean. It is unbiased, but
/// for large games wrong by powers of ten.
///
/// # Errors
/// If actions or chance outcomes cannot be enumerated, or a random episode exceeds [`MAX_STEPS`].
pub fn estimate_histories<G: Game>(game: &G) -> Result<f64, SolveError> {
    if game.info().actions == ActionKind::Structured {
        return Err(SolveError::Structured(game.info().id));
    }
    let mut stream = Stream::from_seed(1);
    let (mut steps, mut episodes, mut sum) = (0, 0.0, 0.0);
    let mut actions = Vec::new();
    let mut state = game.initial_state();
    while steps < PROBED_STEPS {
        game.reset(&mut state);
        episodes += 1.0;
        let (mut alike, mut all, mut length) = (1.0, 1.0, 0);
        loop {
            let forks = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcomes = game.chance_outcomes(&state);
                    let outcomes =
                        outcomes.ok_or(SolveError::Draws { game: game.info().id, steps: length })?;
                    game.apply_chance(&mut state, &outcomes[stream.index(outcomes.len())].0, &mut NoEvents);
                    outcomes.len()
                }
                Phase::Decide(seats) => {
                    let seat = seats.lowest().expect("never an empty set");
                    actions.clear();
                    game.legal_actions(&state, seat, &mut actions);
                    let action = &actions[stream.index(actions.len())];
                    game.apply_unchecked(&mut state, seat, action, &mut NoEvents);
                    actions.len()
                }
            };
            alike *= forks as f64;
            all += alike;
            length += 1;
            if length > MAX_STEPS {
                return Err(SolveError::TooLong { limit: MAX_STEPS });
            }
        }
        steps += length.max(1);
        sum += all;
    }
    Ok(sum / episodes)
}

/// Counter of histories, which stores none of them.
struct Counting<'a, G: Game> {
    game: &'a G,
    limit: usize,
    watch: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
    count: usize,
    /// States along the current path, by number of steps.
    states: Vec<G::State>,
}

impl<G: Game> Counting<'_, G> {
    fn count(&mut self, steps: usize) -> Result<(), SolveError> {
        if steps > MAX_STEPS {
            return Err(SolveError::TooLong { limit: MAX_STEPS });
        }
        self.count += 1;
        if self.count > self.limit {
            return Err(SolveError::TooLarge { limit: self.limit, estimate: estimate_histories(self.game)? });
        }
        if self.count.is_multiple_of(HISTORIES_PER_REPORT) && (self.watch)(0).is_break() {
            return Err(SolveError::Stopped { histories: 0 });
        }
        let game = self.game;
        match game.phase(&self.states[steps]) {
            Phase::Over => {}
            Phase::Chance => {
                let outcomes = game.chance_outcomes(&self.states[steps]);
                for (outcome, _) in outcomes.ok_or(SolveError::Draws { game: game.info().id, steps })? {
                    self.draw(steps, &outcome);
                    self.count(steps + 1)?;
                }
            }
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("never an empty set");
                let mut actions = Vec::new();
                game.legal_actions(&self.states[steps], seat, &mut actions);
                for action in &actions {
                    self.take(steps, seat, action);
                    self.count(steps + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Applies a chance outcome to a copy of the state one step deeper. Like [`take`](Self::take), the
    /// function is never inlined, because its stack frame would then exist at each of up to a thousand
    /// levels.
    #[inline(never)]
    fn draw(&mut self, steps: usize, outcome: &G::Chance) {
        let game = self.game;
        game.apply_chance(self.copy_on(steps), outcome, &mut NoEvents);
    }

    #[inline(never)]
    fn take(&mut self, steps: usize, seat: Seat, action: &G::Action) {
        let game = self.game;
        game.apply_unchecked(self.copy_on(steps), seat, action, &mut NoEvents);
    }

    fn copy_on(&mut self, steps: usize) -> &mut G::State {
        if self.states.len() == steps + 1 {
            self.states.push(self.states[steps].clone());
        }
        let (before, after) = self.states.split_at_mut(steps + 1);
        after[0].clone_from(&before[steps]);
        &mut after[0]
    }
}

struct Place<G: Game> {
    state: G::State,
    memories: Vec<Memory>,
    /// Information key of the last observation of each seat.
    seen: Vec<Impression>,
    /// Memory of each seat when it was asked for its open decision.
    asked: Vec<Memory>,
    /// Seats whose simultaneous decisions are still missing.
    waiting: SeatSet,
    /// Information set and action index of each seat's previous decision.
    before: Vec<Option<(u32, u32)>>,
}

struct Unrolling<'a, G: Game> {
    game: &'a G,
    pay_off: Objective,
    watch: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
    reported: usize,
    tree: Tree,
    sets: BTreeMap<(Seat, Memory), u32>,
    /// Places along the current path, by number of steps.
    places: Vec<Place<G>>,
    outcome: Outcome,
}

impl<G: Game> Unrolling<'_, G> {
    fn place(&mut self, steps: usize) -> &mut Place<G> {
        let seats = self.tree.seats;
        if self.places.len() == steps {
            self.places.push(Place {
                state: self.game.initial_state(),
                memories: vec![Memory::EMPTY; seats],
                seen: vec![Impression::Seen(0); seats],
                asked: vec![Memory::EMPTY; seats],
                waiting: SeatSet::EMPTY,
                before: vec![None; seats],
            });
        }
        &mut self.places[steps]
    }

    #[inline(never)]
    fn copy_on(&mut self, steps: usize) -> &mut Place<G> {
        self.place(steps + 1);
        let (before, after) = self.places.split_at_mut(steps + 1);
        let (from, to) = (&before[steps], &mut after[0]);
        to.state.clone_from(&from.state);
        to.memories.clone_from(&from.memories);
        to.seen.clone_from(&from.seen);
        to.asked.clone_from(&from.asked);
        to.waiting = from.waiting;
        to.before.clone_from(&from.before);
        to
    }

    fn reserve(&mut self, count: usize, parent: u32) -> Result<u32, SolveError> {
        let first = self.tree.nodes.len();
        if first - self.reported >= HISTORIES_PER_REPORT {
            self.reported = first;
            if (self.watch)(first).is_break() {
                return Err(SolveError::Stopped { histories: first });
            }
        }
        self.tree.nodes.resize(first + count, Node::End { gains: 0 });
        self.tree.parents.resize(first + count, parent);
        Ok(first as u32)
    }

    fn walk(&mut self, node: u32, steps: usize) -> Result<(), SolveError> {
        self.tree.steps = self.tree.steps.max(steps);
        match self.game.phase(&self.places[steps].state) {
            Phase::Over => self.end(node, steps),
            Phase::Chance => self.chance(node, steps),
            Phase::Decide(seats) => self.decision(node, steps, seats),
        }
    }

    #[inline(never)]
    fn end(&mut self, node: u32, steps: usize) -> Result<(), SolveError> {
        let gains = u32::try_from(self.tree.gains.len());
        let gains = gains.map_err(|_| SolveError::TooLarge { limit: MAX_HISTORIES, estimate: 0.0 })?;
        self.tree.nodes[node as usize] = Node::End { gains };
        self.outcome.clear();
        self.game.outcome(&self.places[steps].state, &mut self.outcome);
        let gains = Seat::all(self.tree.seats).map(|seat| self.pay_off.of(&self.outcome, seat));
        self.tree.gains.extend(gains);
        Ok(())
    }

    #[inline(never)]
    fn show(&mut self, steps: usize) {
        let (game, place) = (self.game, &mut self.places[steps]);
        for (seat, seen) in Seat::all(place.seen.len()).zip(&mut place.seen) {
            *seen = Impression::Seen(game.information_key(&place.state, Viewer::Seat(seat)));
        }
    }

    fn chance(&mut self, node: u32, steps: usize) -> Result<(), SolveError> {
        let game = self.game;
        let outcomes = game.chance_outcomes(&self.places[steps].state);
        let outcomes = outcomes.ok_or(SolveError::Draws { game: game.info().id, steps })?;
        let first = self.reserve(outcomes.len(), node)?;
        let odds = self.tree.odds.len() as u32;
        self.tree.odds.extend(outcomes.iter().map(|(_, probability)| probability));
        self.tree.nodes[node as usize] = Node::Chance { first, count: outcomes.len() as u32, odds };
        self.show(steps);
        for (child, (outcome, _)) in (first..).zip(&outcomes) {
            self.draw(steps, outcome);
            self.walk(child, steps + 1)?;
        }
        Ok(())
    }

    /// Applies a chance outcome one step deeper. Never inlined, to save stack.
    #[inline(never)]
    fn draw(&mut self, steps: usize, outcome: &G::Chance) {
        let game = self.game;
        let place = self.copy_on(steps);
        place.waiting = SeatSet::EMPTY;
        for (memory, seen) in place.memories.iter_mut().zip(&place.seen) {
            *memory = memory.and(*seen);
        }
        game.apply_chance(&mut place.state, outcome, &mut Hearing(&mut place.memories));
    }

    fn decision(&mut self, node: u32, steps: usize, seats: SeatSet) -> Result<(), SolveError> {
        let game = self.game;
        if self.places[steps].waiting.is_empty() {
            // The simultaneous deciders are all asked now.
            self.show(steps);
            let place = &mut self.places[steps];
            place.waiting = seats;
            for seat in seats {
                let index = seat.index();
                place.asked[index] = place.memories[index].and(place.seen[index]);
            }
        } else if self.places[steps].waiting != seats {
            return Err(self.unlawful("the deciding seats change during simultaneous decisions"));
        }
        let seat = seats.lowest().ok_or_else(|| self.unlawful("no seat owes a decision before the end"))?;
        let mut actions = Vec::new();
        game.legal_actions(&self.places[steps].state, seat, &mut actions);
        let set = self.set_of(node, steps, seat, actions.len())?;
        let first = self.reserve(actions.len(), node)?;
        self.tree.nodes[node as usize] = Node::Decision { first, set };
        for (index, action) in (0..).zip(&actions) {
            self.take(steps, seats, action, (set, index));
            self.walk(first + index, steps + 1)?;
        }
        Ok(())
    }

    /// Applies an action of the lowest deciding seat one step deeper. `what` is the information set, and the
    /// index of the action in the set.
    #[inline(never)]
    fn take(&mut self, steps: usize, seats: SeatSet, action: &G::Action, what: (u32, u32)) {
        let game = self.game;
        let seat = seats.lowest().expect("never an empty set");
        let audience = game.decision_audience(&self.places[steps].state, seat, action);
        let place = self.copy_on(steps);
        place.waiting = seats.without(seat);
        for viewer in Seat::all(place.memories.len()) {
            let memory = &mut place.memories[viewer.index()];
            if viewer == seat {
                *memory = place.asked[viewer.index()].and(Impression::Did(what.1));
                place.before[viewer.index()] = Some(what);
            } else if !seats.contains(viewer) && audience.includes(Viewer::Seat(viewer)) {
                *memory = memory.and(place.seen[viewer.index()]);
            }
        }
        game.apply_unchecked(&mut place.state, seat, action, &mut Hearing(&mut place.memories));
    }

    /// The information set of the seat's memory, created at its first occurrence.
    fn set_of(&mut self, node: u32, steps: usize, seat: Seat, actions: usize) -> Result<u32, SolveError> {
        let place = &self.places[steps];
        let before = place.before[seat.index()];
        let new = self.tree.sets.len() as u32;
        let set = *self.sets.entry((seat, place.asked[seat.index()])).or_insert(new);
        if set == new {
            let level = before.map_or(0, |(set, _)| self.tree.sets[set as usize].level + 1);
            let first = self.tree.actions;
            self.tree.actions += actions;
            self.tree.sets.push(Set { seat, actions: actions as u32, first, before, level, example: node });
        } else if self.tree.sets[set as usize].actions as usize != actions {
            return Err(self.unlawful("legal actions differ where a seat sees no difference"));
        }
        Ok(set)
    }

    fn unlawful(&self, what: &'static str) -> SolveError {
        SolveError::Unlawful { game: self.game.info().id, what }
    }
}
