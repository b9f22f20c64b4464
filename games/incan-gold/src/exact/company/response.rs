//! The best response to a strategy.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use meeple_core::ToolHost;

use super::super::alone::{Alone, Entries};
use super::super::induction::{Layers, Place, Round};
use super::super::party::Party;
use super::super::rules::{ExactError, Rules};
use super::super::start::Start;
use super::margin::Size;
use super::strategy::{Spot, Strategy};
use super::values::{Step, Values, solve_backwards};

/// The goal of the responder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// The responder's gems minus the other's.
    Margin,
    /// The responder's gems alone.
    Gems,
}

/// The best response to a strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Response {
    /// The expected result of a game for the responder, in units of the goal.
    pub(crate) value: f64,
    /// Expected gems per player if both use the strategy.
    pub(crate) even: f64,
}

/// The values of a position.
#[derive(Clone, Copy)]
struct ValuesOf {
    best: f64,
    even: f64,
}

/// Values of the lone explorer. The starts differ only in the number of artifacts taken.
struct Left {
    /// The responder alone: its expected gain from now on.
    best: Entries,
    /// The strategy alone: the value to the responder. The list has one entry per number of artifacts taken
    /// if the strategy counts turns, and one entry otherwise.
    strategy: Vec<Entries>,
    /// Values if the strategy plays against itself: of the lone explorer, and of the leaver. `None` for a
    /// deterministic strategy, because its two copies never separate.
    even: Option<Vec<[Entries; 2]>>,
}

/// Number of values stored per start: both fields of [`ValuesOf`].
const NUMBERS: usize = 2;

/// Values of starts against the strategy with this name; none is known yet.
pub(crate) fn unknown_responses(rules: &Rules, name: &str, goal: Goal) -> Values {
    let goal = match goal {
        Goal::Margin => "margin",
        Goal::Gems => "gems",
    };
    Values::new(rules, &format!("response {goal} to {name}"), NUMBERS)
}

/// The best response to a strategy, which is queried in every position. Starts whose values are known in
/// `values` are not solved again.
///
/// # Errors
/// If the rules are too large, or the computation was stopped.
pub(crate) fn best_response(
    rules: &Rules,
    strategy: &dyn Strategy,
    goal: Goal,
    values: &mut Values,
    host: &dyn ToolHost,
    tell: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<Response, ExactError> {
    let (_, party) = Size::with_party(rules)?;
    let solve = |round: u32, group: &[Start], later: &Values| {
        let (alone, layers) = (Alone::new(&party), Layers::of(&party, 2));
        let mut solver = Solver { rules, strategy, goal, party: &party, alone, layers };
        let after = |next: Start| {
            let [best, even] = later.after::<NUMBERS>(rules, round, next);
            ValuesOf { best, even }
        };
        let mut solved = BTreeMap::new();
        let descending: Vec<Start> = group.iter().rev().copied().collect();
        solver.solve(round, &descending, &after, &mut solved);
        group.iter().map(|start| vec![solved[start].best, solved[start].even]).collect()
    };
    solve_backwards(rules, values, host, &solve, tell)?;
    let first = values.get(1, Start::initial(rules).enter(rules, 1)).expect("all starts are solved");
    Ok(Response { value: first[0], even: first[1] })
}

struct Solver<'s> {
    rules: &'s Rules,
    strategy: &'s dyn Strategy,
    goal: Goal,
    party: &'s Party,
    alone: Alone<'s>,
    layers: Layers<'s, 1>,
}

impl Solver<'_> {
    /// Weight of the other player's gems in the responder's goal.
    fn others_share(&self) -> f64 {
        match self.goal {
            Goal::Margin => -1.0,
            Goal::Gems => 0.0,
        }
    }

    /// Computes the values of a group of starts, in descending order of artifacts in the deck. `after` gives
    /// the values of a start of the next round, before its artifact enters.
    fn solve(
        &mut self,
        round: u32,
        group: &[Start],
        after: &dyn Fn(Start) -> ValuesOf,
        values: &mut BTreeMap<Start, ValuesOf>,
    ) {
        let most = group.first().map_or(0, |start| start.artifacts);
        let left: Vec<Left> = group.iter().map(|&start| self.left(round, start, most, after)).collect();
        let of_others = self.others_share();
        for (index, &start) in group.iter().enumerate() {
            let left = |at: &Moment<'_>| &left[index + at.place.on_path];
            let best = self.together(round, start, &|next| after(next).best, |at| {
                let strategy = &left(at).strategy;
                let strategy = strategy[at.place.on_path % strategy.len()][at.place.seen][at.multiset];
                let best = left(at).best[at.place.seen][at.multiset];
                let (q, even) = (at.odds, at.each * (1.0 + of_others) + at.after);
                let leave = q * even + (1.0 - q) * (at.all + strategy);
                let stay = q * (of_others * at.all + best) + (1.0 - q) * at.drawn.unwrap_or(even);
                // Nobody decides before the first card.
                if at.place.is_fresh(at.multiset) { stay } else { leave.max(stay) }
            });
            let even = self.together(round, start, &|next| after(next).even, |at| {
                let (q, even) = (at.odds, at.each + at.after);
                let same = q * q * even + (1.0 - q) * (1.0 - q) * at.drawn.unwrap_or(even);
                left(at).even.as_ref().map_or(same, |even| {
                    let [own, other] = even[at.place.on_path % even.len()]
                        .each_ref()
                        .map(|entries| entries[at.place.seen][at.multiset]);
                    same + q * (1.0 - q) * (at.all + other + own)
                })
            });
            values.insert(start, ValuesOf { best, even });
        }
    }

    /// Solves for a lone explorer.
    fn left(&mut self, round: u32, start: Start, most: u8, after: &dyn Fn(Start) -> ValuesOf) -> Left {
        let of_others = self.others_share();
        let best_after = Round::new(self.rules, start, &|next| after(next).best);
        let best = self.alone.best(&best_after).1;
        // The numbers of artifacts that may have been taken, if they make a difference.
        let taken = if self.strategy.counts_turns() { u32::from(most - start.artifacts) } else { 0 };
        let mut spot = Spot::new(self.rules, round, start);
        let (party, strategy) = (self.party, self.strategy);
        let mut follow = |alone: &mut Alone<'_>, after: &Round<'_>, share: f64, taken: u32| {
            alone.follow(after, share, |place, multiset, odds| {
                spot.go(party, after, place, multiset, Some(taken));
                strategy.fill(&mut spot, odds);
            })
        };
        let mut left = Left { best, strategy: Vec::new(), even: strategy.is_mixed().then(Vec::new) };
        for taken in 0..=taken {
            left.strategy.push(follow(&mut self.alone, &best_after, of_others, taken));
            if let Some(even) = &mut left.even {
                let even_after = Round::new(self.rules, start, &|next| after(next).even);
                let own = follow(&mut self.alone, &even_after, 1.0, taken);
                even.push([own, follow(&mut self.alone, &even_after, 0.0, taken)]);
            }
        }
        left
    }

    /// The value of a start, if both explore and `value` gives the value of a position.
    fn together(
        &mut self,
        round: u32,
        start: Start,
        after: &dyn Fn(Start) -> f64,
        value: impl Fn(&Moment<'_>) -> f64,
    ) -> f64 {
        let Self { party, strategy, layers, .. } = self;
        let after = Round::new(self.rules, start, after);
        let mut spot = Spot::new(self.rules, round, start);
        layers.prepare(&after);
        for place in after.places() {
            layers.visit(&place, |multiset, mut draw| {
                spot.go(party, &after, &place, multiset, None);
                let has_cards = place.deck(&party.table, multiset) > 0;
                let (half, spare) = (party.least[multiset], party.spare[multiset]);
                draw.set(value(&Moment {
                    place: &place,
                    multiset,
                    odds: if place.is_fresh(multiset) { 0.0 } else { strategy.leave(&spot) },
                    each: f64::from(half + spare / 2),
                    all: f64::from(half + spare + place.worth),
                    after: after.after_left[place.on_path],
                    drawn: has_cards.then(|| draw.value_after(0)),
                }));
            });
        }
        layers.first()[0]
    }
}

/// A position in which both explore.
struct Moment<'p> {
    place: &'p Place,
    multiset: usize,
    /// The strategy's probability of leaving.
    odds: f64,
    /// Gems of each player if both leave.
    each: f64,
    /// Gems and artifacts' worth that a lone leaver takes home.
    all: f64,
    /// Value of the later rounds if both leave.
    after: f64,
    /// Value after another card; `None` if the deck is empty.
    drawn: Option<f64>,
}
