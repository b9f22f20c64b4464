//! What is learned from episodes: positions, and what they should have been foretold to bring.

use meeple_core::{Outcome, Seat, Stream};

use crate::chooser::Judged;
use crate::goal::Goal;
use crate::sorn::Changes;

/// Positions with what they should have been foretold to bring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// By position, its numbers.
    pub(crate) numbers: Vec<f32>,
    /// By position, in units of the goal.
    pub(crate) targets: Vec<f32>,
    /// What self-organising networks have learned on their own, one after the other.
    pub(crate) changes: Vec<Changes>,
    /// Episodes that were games of people.
    pub(crate) people: u64,
}

impl Lessons {
    /// Adds a position, by its numbers, and what it should have been foretold to bring.
    pub fn add(&mut self, numbers: &[f32], target: f32) {
        self.numbers.extend_from_slice(numbers);
        self.targets.push(target);
    }

    /// Adds all of others, behind the own ones.
    pub(crate) fn append(&mut self, others: Self) {
        self.numbers.extend(others.numbers);
        self.targets.extend(others.targets);
        self.changes.extend(others.changes);
        self.people += others.people;
    }

    /// Adds positions of an episode that has ended so, each kept by the chance `keep`.
    pub(crate) fn learn(
        &mut self,
        deeds: &Deeds,
        (goal, outcome): (Goal, &Outcome),
        lambda: f32,
        keep: f64,
        draws: &mut Stream,
    ) {
        let Some(size) = deeds.numbers.len().checked_div(deeds.values.len()) else { return };
        let end = goal.of(outcome, Seat::new(deeds.seat));
        let backwards = deeds.numbers.chunks_exact(size).rev();
        for (numbers, target) in backwards.zip(returns(&deeds.values, end, lambda)) {
            if draws.chance(keep) {
                self.add(numbers, target);
            }
        }
    }

    /// Makes these of the `size` numbers of every position 0.
    pub(crate) fn leave_out(&mut self, size: usize, numbers: &[usize]) {
        for position in self.numbers.chunks_exact_mut(size).filter(|_| !numbers.is_empty()) {
            numbers.iter().for_each(|number| position[*number] = 0.0);
        }
    }

    /// The first number that is none: the position, from 0, which of its `size` numbers it is, or none if it is what should have
    /// been foretold, and what it is instead.
    pub(crate) fn not_finite(&self, size: usize) -> Option<(usize, Option<usize>, f32)> {
        let number = self.numbers.iter().position(|number| !number.is_finite());
        let target = self.targets.iter().position(|target| !target.is_finite());
        let of_numbers = number.map(|at| (at / size, Some(at % size), self.numbers[at]));
        of_numbers.or_else(|| target.map(|at| (at, None, self.targets[at])))
    }
}

/// What a seat did in an episode.
#[derive(Default)]
pub(crate) struct Deeds {
    seat: usize,
    numbers: Vec<f32>,
    values: Vec<f32>,
}

impl Deeds {
    /// Forgets, and begins an episode.
    pub(crate) fn begin(&mut self, seat: Seat) {
        self.seat = seat.index();
        self.numbers.clear();
        self.values.clear();
    }

    pub(crate) fn add(&mut self, judged: Judged<'_>) {
        self.numbers.extend_from_slice(judged.numbers);
        self.values.push(judged.value);
    }
}

/// From the last to the first: what should have been foretold. The λ-return of Sutton (1988): how it ended, mixed with what
/// was foretold on the way.
fn returns(values: &[f32], end: f32, lambda: f32) -> impl Iterator<Item = f32> {
    let mut target = end;
    (0..values.len()).rev().map(move |at| {
        if let Some(next) = values.get(at + 1) {
            target = lambda * target + (1.0 - lambda) * next;
        }
        target
    })
}
