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
    /// Decisions of a policy.
    pub(crate) choices: Choices,
    /// Episodes that were games of people.
    pub(crate) people: u64,
}

/// Decisions of a policy, each of several actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Choices {
    /// By decision and action, the numbers of the position that it leads to.
    numbers: Vec<f32>,
    /// By decision and action, how much it was wanted, 1 in sum.
    wanted: Vec<f32>,
    /// By decision, what comes behind it among `wanted`.
    ends: Vec<usize>,
    /// By decision, how likely what was wanted was when it was tried; 0 if it was taught.
    chances: Vec<f32>,
    /// By decision, how much better it came than was expected, in units of the goal.
    pub(crate) better: Vec<f32>,
}

/// The actions of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// By action, the numbers of the position that it leads to.
    pub numbers: &'a [f32],
    /// By action, how much it was wanted, 1 in sum.
    pub wanted: &'a [f32],
    /// How likely what was wanted was when it was tried; none if it was taught.
    pub chance: Option<f32>,
}

impl Choices {
    /// Forgets all.
    fn clear(&mut self) {
        let Self { numbers, wanted, ends, chances, better } = self;
        [numbers, wanted, chances, better].into_iter().for_each(Vec::clear);
        ends.clear();
    }

    /// Adds a decision.
    pub(crate) fn add(&mut self, options: Options<'_>, better: f32) {
        self.numbers.extend_from_slice(options.numbers);
        self.wanted.extend_from_slice(options.wanted);
        self.ends.push(self.wanted.len());
        self.chances.push(options.chance.unwrap_or(0.0));
        self.better.push(better);
    }

    fn append(&mut self, others: Self) {
        let before = self.wanted.len();
        self.numbers.extend(others.numbers);
        self.wanted.extend(others.wanted);
        self.ends.extend(others.ends.into_iter().map(|end| before + end));
        self.chances.extend(others.chances);
        self.better.extend(others.better);
    }

    /// How many decisions.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A decision, of positions of so many numbers.
    pub(crate) fn get(&self, index: usize, size: usize) -> Options<'_> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let all = begin..self.ends[index];
        let chance = Some(self.chances[index]).filter(|chance| *chance > 0.0);
        Options {
            numbers: &self.numbers[all.start * size..all.end * size],
            wanted: &self.wanted[all],
            chance,
        }
    }

    /// By how much what was tried came better than was expected, root mean square; 1 if nothing was tried.
    pub(crate) fn spread(&self) -> f32 {
        let tried = self.better.iter().zip(&self.chances).filter(|(_, chance)| **chance > 0.0);
        let (mut count, mut squares) = (0.0, 0.0);
        for (better, _) in tried {
            count += 1.0;
            squares += f64::from(*better) * f64::from(*better);
        }
        if count > 0.0 && squares > 0.0 { (squares / count).sqrt() as f32 } else { 1.0 }
    }
}

impl Lessons {
    /// Adds a position, by its numbers, and what it should have been foretold to bring.
    pub fn add(&mut self, numbers: &[f32], target: f32) {
        self.numbers.extend_from_slice(numbers);
        self.targets.push(target);
    }

    /// By position, what it should have been foretold to bring, in units of the goal.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// Adds all of others, behind the own ones.
    pub(crate) fn append(&mut self, others: Self) {
        self.numbers.extend(others.numbers);
        self.targets.extend(others.targets);
        self.changes.extend(others.changes);
        self.choices.append(others.choices);
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

    /// Adds decisions of a policy in an episode that has ended so, each kept by the chance `keep`, with what was to be expected
    /// where they were made.
    pub(crate) fn learn_choices(
        &mut self,
        tries: &Tries,
        (goal, outcome): (Goal, &Outcome),
        lambda: f32,
        keep: f64,
        draws: &mut Stream,
    ) {
        let Tries { deeds, choices } = tries;
        let Some(size) = deeds.numbers.len().checked_div(deeds.values.len()) else { return };
        let end = goal.of(outcome, Seat::new(deeds.seat));
        for (back, target) in (1..).zip(returns(&deeds.values, end, lambda)) {
            let index = deeds.values.len() - back;
            if draws.chance(keep) {
                self.add(&deeds.numbers[index * size..][..size], target);
                self.choices.add(choices.get(index, size), target - deeds.values[index]);
            }
        }
    }

    /// Makes these of the `size` numbers of every position 0.
    pub(crate) fn leave_out(&mut self, size: usize, numbers: &[usize]) {
        let positions =
            self.numbers.chunks_exact_mut(size).chain(self.choices.numbers.chunks_exact_mut(size));
        for position in positions.filter(|_| !numbers.is_empty()) {
            numbers.iter().for_each(|number| position[*number] = 0.0);
        }
    }

    /// The first number that is none: the position, from 0, which of its `size` numbers it is, or none if it is what should have
    /// been foretold, and what it is instead.
    pub(crate) fn not_finite(&self, size: usize) -> Option<(usize, Option<usize>, f32)> {
        let wrong = |numbers: &[f32]| {
            let number = numbers.iter().position(|number| !number.is_finite());
            number.map(|at| (at / size, Some(at % size), numbers[at]))
        };
        let target = self.targets.iter().position(|target| !target.is_finite());
        let of_numbers = wrong(&self.numbers).or_else(|| wrong(&self.choices.numbers));
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

/// What a seat that learns a policy did in an episode: where it decided, and among what.
#[derive(Default)]
pub(crate) struct Tries {
    pub(crate) deeds: Deeds,
    pub(crate) choices: Choices,
}

impl Tries {
    /// Forgets, and begins an episode.
    pub(crate) fn begin(&mut self, seat: Seat) {
        self.deeds.begin(seat);
        self.choices.clear();
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
