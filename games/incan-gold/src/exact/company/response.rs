//! The best that can be done against a strategy.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use meeple_core::ToolHost;

use super::super::alone::{Alone, Entries};
use super::super::induction::{Layers, Round};
use super::super::party::Party;
use super::super::rules::{ExactError, Rules};
use super::super::start::Start;
use super::margin::Size;
use super::strategy::{Spot, Strategy};
use super::values::{Step, Values, solve_backwards};

/// The goal of the responder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// More gems than the other: the difference.
    Margin,
    /// Gems, whatever the other has.
    Gems,
}

/// The best response to a strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Response {
    /// The expected result of a game, in units of the goal.
    pub(crate) value: f64,
    /// Gems per player when two players use the strategy.
    pub(crate) even: f64,
}

/// The values of a position.
#[derive(Clone, Copy)]
struct ValuesOf {
    best: f64,
    even: f64,
}

/// Values of the lone explorer, in the starts that differ only in the number of artifacts taken.
struct Left {
    /// The responder alone: its expected gain from here on.
    best: Entries,
    /// The strategy alone: the value to the responder, by artifacts taken if it counts turns.
    strategy: Vec<Entries>,
    /// Both sides when the strategy plays against itself: the strategy alone, and the leaver. For a strategy
    /// without chance they are not separated.
    even: Option<Vec<[Entries; 2]>>,
}

/// Numbers stored per start: both values.
const NUMBERS: usize = 2;

/// The values of starts against the strategy of this name, none of them known yet.
pub(crate) fn unknown_responses(rules: &Rules, name: &str, goal: Goal) -> Values {
    let goal = match goal {
        Goal::Margin => "margin",
        Goal::Gems => "gems",
    };
    Values::new(rules, &format!("response {goal} to {name}"))
}

/// Takes over values that [`best_response`] has kept.
///
/// # Errors
/// If they are of something else, or damaged.
pub(crate) fn read_responses(values: &mut Values, text: &str) -> Result<(), String> {
    values.read(text, NUMBERS)
}

/// The best response to a strategy, by asking it at every position. Starts that are known in `values` are not
/// solved again.
///
/// # Errors
/// If the rules are too large, or it was stopped.
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

impl<'s> Solver<'s> {
    /// Weight of the other's gems in the responder's goal.
    fn others_share(&self) -> f64 {
        match self.goal {
            Goal::Margin => -1.0,
            Goal::Gems => 0.0,
        }
    }

    /// The values of a group of starts, by artifacts in the deck, descending, when `after` gives those of the
    /// next round (before its artifact enters).
    fn solve(
        &mut self,
        round: u32,
        group: &[Start],
        after: &dyn Fn(Start) -> ValuesOf,
        values: &mut BTreeMap<Start, ValuesOf>,
    ) {
        let most = group.first().map_or(0, |start| start.artifacts);
        let left: Vec<Left> = group.iter().map(|&start| self.left(round, start, most, after)).collect();
        for (index, &start) in group.iter().enumerate() {
            let best = self.together(round, start, &|next| after(next).best, |solver, spot| {
                let of_others = solver.others_share();
                let left = &left[index + spot.on_path];
                let strategy = &left.strategy[spot.on_path % left.strategy.len()][spot.seen][spot.multiset];
                let best = left.best[spot.seen][spot.multiset];
                let q = spot.odds;
                let even = f64::from(spot.half + spot.spare / 2) * (1.0 + of_others) + spot.after;
                let leave = q * even + (1.0 - q) * (spot.all + strategy);
                let stay = q * (of_others * spot.all + best) + (1.0 - q) * spot.drawn.unwrap_or(even);
                // Nobody decides before the first card.
                if spot.is_fresh { stay } else { leave.max(stay) }
            });
            let even = self.together(round, start, &|next| after(next).even, |_, spot| {
                let q = spot.odds;
                let even = f64::from(spot.half + spot.spare / 2) + spot.after;
                let same = q * q * even + (1.0 - q) * (1.0 - q) * spot.drawn.unwrap_or(even);
                match &left[index + spot.on_path].even {
                    None => same,
                    Some(even) => {
                        let [own, other] = even[spot.on_path % even.len()].each_ref();
                        let one = spot.all + other[spot.seen][spot.multiset] + own[spot.seen][spot.multiset];
                        same + q * (1.0 - q) * one
                    }
                }
            });
            values.insert(start, ValuesOf { best, even });
        }
    }

    /// Solves for a lone explorer.
    fn left(&mut self, round: u32, start: Start, most: u8, after: &dyn Fn(Start) -> ValuesOf) -> Left {
        let of_others = self.others_share();
        let best_after = Round::new(self.rules, start, &|next| after(next).best);
        let best = self.alone.best(&best_after).1;
        // Each number of artifacts that may have been taken, if that makes a difference.
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

    /// The value of a start, if both explore and `value` gives that of a position.
    fn together(
        &mut self,
        round: u32,
        start: Start,
        after: &dyn Fn(Start) -> f64,
        value: impl Fn(&Self, &Moment) -> f64,
    ) -> f64 {
        let after = Round::new(self.rules, start, after);
        let mut spot = Spot::new(self.rules, round, start);
        let party = self.party;
        let mut layers = std::mem::replace(&mut self.layers, Layers::of(party, 2));
        layers.prepare(&after);
        for place in after.places() {
            layers.visit(&place, |multiset, mut draw| {
                spot.go(party, &after, &place, multiset, None);
                let deck = place.deck(&party.table, multiset);
                let mut drawn = [0.0];
                if deck > 0 {
                    draw.values_after(0, &mut drawn);
                }
                let is_fresh = place.is_fresh(multiset);
                let (half, spare) = (party.least[multiset], party.spare[multiset]);
                let moment = Moment {
                    on_path: place.on_path,
                    seen: place.seen,
                    multiset,
                    is_fresh,
                    odds: if is_fresh { 0.0 } else { self.strategy.leave(&spot) },
                    half,
                    spare,
                    all: f64::from(half + spare + place.worth),
                    after: after.after_left[place.on_path],
                    drawn: (deck > 0).then_some(drawn[0]),
                };
                draw.set(value(self, &moment));
            });
        }
        let [first] = layers.first();
        self.layers = layers;
        first
    }
}

/// A position in which both explore.
struct Moment {
    on_path: usize,
    seen: usize,
    multiset: usize,
    is_fresh: bool,
    /// The strategy's probability of leaving.
    odds: f64,
    half: u32,
    spare: u32,
    /// Gems that a lone leaver takes home.
    all: f64,
    /// Value of the rounds to come if both leave.
    after: f64,
    /// Value of another card, if there is one.
    drawn: Option<f64>,
}
