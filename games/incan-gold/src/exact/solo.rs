//! The distribution of the score of one player with a simple strategy.

use super::counts::{Binomials, FirstPassage, elementary, first_passage, subset_sums};
use super::mass::Mass;
use super::rules::{ExactError, Rules};
use super::start::{Law, Start, check_work, compose};

/// A strategy with one parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strategy {
    /// Leaves after this number of cards.
    Turn(u32),
    /// Leaves as soon as the backpack has this number of gems. Artifacts on the path do not count.
    Backpack(u32),
    /// Leaves with this probability after every card.
    Random(f64),
    /// Leaves as soon as this many kinds of hazards lie on the path.
    Hazards(u32),
}

/// The distribution of a lone player's score.
///
/// # Errors
/// If the rules are out of range, for `Turn(0)`, or for a probability outside `0..=1`.
pub fn solo(rules: &Rules, strategy: Strategy) -> Result<Mass, ExactError> {
    let plan = Plan::new(rules, strategy)?;
    Ok(compose(rules, |_, start, _| plan.round(start)))
}

/// The mean gain of each round.
///
/// # Errors
/// The errors of [`solo`].
pub fn solo_rounds(rules: &Rules, strategy: Strategy) -> Result<Vec<f64>, ExactError> {
    let plan = Plan::new(rules, strategy)?;
    let mut means = vec![0.0; rules.rounds as usize];
    compose(rules, |round, start, before| {
        let law = plan.round(start);
        let gain: f64 = law.values().map(Mass::mean).sum();
        means[round as usize - 1] += before.total() * gain;
        law
    });
    Ok(means)
}

/// The numbers of cards on a path without two hazards of one kind.
#[derive(Clone, Copy)]
pub(super) struct Path {
    gems: usize,
    hazards: usize,
    pub(super) cards: usize,
}

/// A strategy, with the tables that do not depend on the round.
struct Plan<'a> {
    rules: &'a Rules,
    strategy: Strategy,
    binomials: Binomials,
    sums: Vec<Vec<f64>>,
    passage: Option<FirstPassage>,
}

impl<'a> Plan<'a> {
    fn new(rules: &'a Rules, strategy: Strategy) -> Result<Self, ExactError> {
        rules.check()?;
        check_work(rules)?;
        let out_of_range = |what, expected: &str, found: String| {
            Err(ExactError::OutOfRange { what, expected: expected.into(), found })
        };
        let strategy = match strategy {
            Strategy::Turn(0) => return out_of_range("turn", "1 or more", "0".into()),
            Strategy::Random(p) if !(0.0..=1.0).contains(&p) => {
                return out_of_range("probability to leave", "a number from 0 to 1", p.to_string());
            }
            // The condition already holds before the first card, and the earliest decision follows that card.
            Strategy::Backpack(0) | Strategy::Hazards(0) => Strategy::Turn(1),
            other => other,
        };
        let most = Start::initial(rules).cards(rules) + rules.artifact_values.len();
        let binomials = Binomials::new(most);
        let passage = match strategy {
            Strategy::Backpack(threshold) => Some(first_passage(&rules.gems, threshold, &binomials)),
            _ => None,
        };
        Ok(Self { rules, strategy, binomials, sums: subset_sums(&rules.gems), passage })
    }

    /// The probability that the player leaves after the last card of the path and not before, given the path
    /// up to order. By symmetry each card is the last one with the same probability.
    fn leaves(&self, path: Path) -> f64 {
        let last_is = |count: usize| count as f64 / path.cards as f64;
        match self.strategy {
            Strategy::Turn(turn) => f64::from(path.cards == turn as usize),
            // The result is multiplied by the distribution of the first passage, which assumes that the last
            // gem reaches the threshold.
            Strategy::Backpack(_) => last_is(path.gems),
            Strategy::Random(p) => p * (1.0 - p).powi(path.cards as i32 - 1),
            Strategy::Hazards(most) if path.hazards == most as usize => last_is(path.hazards),
            Strategy::Hazards(_) => 0.0,
        }
    }

    /// The probability that the player stays after the last card of the path, given the path up to order.
    fn stays(&self, path: Path) -> f64 {
        match (self.strategy, &self.passage) {
            (_, Some(passage)) => passage.not_yet[path.gems],
            (Strategy::Turn(turn), _) => f64::from(path.cards < turn as usize),
            (Strategy::Random(p), _) => (1.0 - p).powi(path.cards as i32),
            (Strategy::Hazards(most), _) => f64::from(path.hazards < most as usize),
            (Strategy::Backpack(_), None) => unreachable!("a backpack plan has its passage"),
        }
    }

    /// The law of a round.
    fn round(&self, start: Start) -> Law {
        let mut law = Law::new();
        self.safe(start, &mut law);
        for copies in start.bust_copies() {
            bust(self.rules, &self.binomials, start, copies, |path| self.stays(path), &mut law);
        }
        law
    }

    /// Adds the cases in which the player leaves before a bust.
    fn safe(&self, start: Start, law: &mut Law) {
        let cards = start.cards(self.rules);
        let hazards = elementary(&start.kinds);
        let gems_in_deck = self.rules.gems.len();
        let artifacts_in_deck = usize::from(start.artifacts);
        let sums = self.passage.as_ref().map_or(&self.sums, |passage| &passage.at);
        for artifacts in 0..=artifacts_in_deck {
            let mut gains = Mass::default();
            for (gems, sums) in sums.iter().enumerate() {
                let mut weight = 0.0;
                for (h, ways) in hazards.iter().enumerate() {
                    let path = Path { gems, hazards: h, cards: gems + artifacts + h };
                    if path.cards == 0 || *ways == 0.0 {
                        continue;
                    }
                    let chance = self.binomials.choose(gems_in_deck, gems)
                        * self.binomials.choose(artifacts_in_deck, artifacts)
                        * ways
                        / self.binomials.choose(cards, path.cards);
                    weight += chance * self.leaves(path);
                    if path.cards == cards {
                        // The deck is empty, so the player leaves with all the gems.
                        let all = self.rules.gems.iter().sum::<u32>() as i32;
                        gains.add(all, chance * self.stays(path));
                    }
                }
                gains.add_scaled(0, sums, weight);
            }
            let worth = start.worth(self.rules, 0, artifacts) as i32;
            law.entry(start.after(self.rules, artifacts, 0)).or_default().add_moved(&gains, worth, 1.0);
        }
    }
}

/// Adds the law of a round in which all remaining explorers stay until a second hazard, of a kind with
/// `copies` cards. `stays` is the probability of staying, given the path up to order.
pub(super) fn bust(
    rules: &Rules,
    binomials: &Binomials,
    start: Start,
    copies: usize,
    stays: impl Fn(Path) -> f64,
    law: &mut Law,
) {
    let cards = start.cards(rules);
    let others = elementary(&start.other_kinds(copies));
    let first = f64::from(start.kinds[copies]) * copies as f64;
    let second = (copies - 1) as f64;
    let gems_in_deck = rules.gems.len();
    let artifacts_in_deck = usize::from(start.artifacts);
    for artifacts in 0..=artifacts_in_deck {
        let mut chance = 0.0;
        for gems in 0..=gems_in_deck {
            let ways = binomials.choose(gems_in_deck, gems) * binomials.choose(artifacts_in_deck, artifacts);
            for (h, other) in others.iter().enumerate() {
                let path = Path { gems, hazards: h + 1, cards: gems + artifacts + h + 1 };
                let stays = if *other == 0.0 { 0.0 } else { stays(path) };
                if stays == 0.0 {
                    continue;
                }
                chance += ways * first * other / binomials.choose(cards, path.cards) * second
                    / (cards - path.cards) as f64
                    * stays;
            }
        }
        law.entry(start.bust(copies).after(rules, 0, artifacts)).or_default().add(0, chance);
    }
}
