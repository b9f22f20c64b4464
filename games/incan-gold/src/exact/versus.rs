//! Probabilities of win, draw and loss of two players who leave after a fixed number of cards.

use super::counts::{Binomials, elementary, subset_sums};
use super::mass::Mass;
use super::rules::{ExactError, Rules};
use super::solo::{Path, bust};
use super::start::{Law, Start, check_work, compose};

/// The result of two players, from the view of the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Versus {
    /// The probability that the first player has more.
    pub win: f64,
    /// The probability of equal scores.
    pub draw: f64,
    /// The probability that the second player has more.
    pub loss: f64,
    /// The mean score of each player.
    pub means: [f64; 2],
}

impl Versus {
    /// The result from the view of the second player.
    pub fn mirrored(self) -> Self {
        let [first, second] = self.means;
        Self { win: self.loss, draw: self.draw, loss: self.win, means: [second, first] }
    }
}

/// The result of two players who leave after `turns` cards each.
///
/// Over the rounds, only the distribution of the difference of the scores is carried along. The means are
/// sums of expectations.
///
/// # Errors
/// If the rules are out of range, or a turn is 0.
pub fn versus(rules: &Rules, turns: [u32; 2]) -> Result<Versus, ExactError> {
    rules.check()?;
    rules.check_ties()?;
    check_work(rules)?;
    if turns.contains(&0) {
        return Err(ExactError::OutOfRange { what: "turn", expected: "1 or more".into(), found: "0".into() });
    }
    let [early, late] = [turns[0].min(turns[1]) as usize, turns[0].max(turns[1]) as usize];
    let pair = Pair::new(rules);
    let mut means = [0.0; 2];
    let differences = compose(rules, |_, start, before| {
        let round = pair.round(start, early, late);
        let reached = before.total();
        means[0] += reached * round.means[0];
        means[1] += reached * round.means[1];
        round.law
    });
    let [win, draw, loss] = differences.by_sign();
    let result = Versus { win, draw, loss, means };
    Ok(if turns[0] > turns[1] { result.mirrored() } else { result })
}

/// One round of the two players: the law of the difference (early leaver minus late leaver), and the mean
/// gains.
struct Round {
    law: Law,
    means: [f64; 2],
}

/// Tables that do not depend on the round.
struct Pair<'a> {
    rules: &'a Rules,
    binomials: Binomials,
    /// `[g]`: the distribution of the gems that the first leaver takes from `g` gem cards. It takes half of
    /// each card, rounded up, because it also gets the odd gems from the path.
    taken: Vec<Vec<f64>>,
    /// `[g][l]`: the distribution of the number of odd cards among `g` gem cards, minus the sum of `l`
    /// others.
    ahead: Vec<Vec<Mass>>,
    /// Mean of half a gem card, rounded up.
    mean_up: f64,
    /// Mean of half a gem card, rounded down.
    mean_down: f64,
    /// Mean of a gem card.
    mean_gem: f64,
}

impl<'a> Pair<'a> {
    fn new(rules: &'a Rules) -> Self {
        let gems = &rules.gems;
        let halves: Vec<u32> = gems.iter().map(|value| value.div_ceil(2)).collect();
        let mean = |sum: u32| f64::from(sum) / gems.len().max(1) as f64;
        let most = Start::initial(rules).cards(rules) + rules.artifact_values.len();
        Self {
            rules,
            binomials: Binomials::new(most),
            taken: subset_sums(&halves),
            ahead: ahead(gems),
            mean_up: mean(halves.iter().sum()),
            mean_down: mean(gems.iter().map(|value| value / 2).sum()),
            mean_gem: mean(gems.iter().sum()),
        }
    }

    /// Number of ways to choose `first` and then `second` of `all` cards.
    fn split(&self, all: usize, first: usize, second: usize) -> f64 {
        if first + second > all {
            return 0.0;
        }
        self.binomials.choose(all, first) * self.binomials.choose(all - first, second)
    }

    fn round(&self, start: Start, early: usize, late: usize) -> Round {
        let cards = start.cards(self.rules);
        // With an empty deck the remaining explorers leave after its last card.
        let together = early == late || early > cards;
        let (early, late) = (early.min(cards), late.min(cards));
        let mut round = Round { law: Law::new(), means: [0.0; 2] };
        for copies in start.bust_copies() {
            let stay = |path: Path| f64::from(path.cards < early);
            bust(self.rules, &self.binomials, start, copies, stay, &mut round.law);
        }
        if together {
            self.leave_together(start, early, &mut round);
        } else {
            self.safe(start, early, late, &mut round);
            for copies in start.bust_copies() {
                self.bust_alone(start, copies, early, late, &mut round);
            }
        }
        round
    }

    /// Adds the cases in which both leave after `turn` cards. The artifacts and at most one gem stay on the
    /// path.
    fn leave_together(&self, start: Start, turn: usize, round: &mut Round) {
        let cards = start.cards(self.rules);
        let hazards = elementary(&start.kinds);
        let gems_in_deck = self.rules.gems.len();
        let odd_in_deck = self.rules.gems.iter().filter(|value| *value % 2 == 1).count();
        let artifacts_in_deck = usize::from(start.artifacts);
        for artifacts in 0..=artifacts_in_deck.min(turn) {
            let mut reached = 0.0;
            for (h, ways) in hazards.iter().enumerate() {
                let Some(gems) = (turn - artifacts).checked_sub(h).filter(|&gems| gems <= gems_in_deck)
                else {
                    continue;
                };
                let weight = ways * self.binomials.choose(artifacts_in_deck, artifacts)
                    / self.binomials.choose(cards, turn);
                let chance = weight * self.binomials.choose(gems_in_deck, gems);
                let mut share = chance * gems as f64 * self.mean_down;
                for odd in 0..=gems.min(odd_in_deck) {
                    share += weight
                        * self.binomials.choose(odd_in_deck, odd)
                        * self.binomials.choose(gems_in_deck - odd_in_deck, gems - odd)
                        * (odd / 2) as f64;
                }
                reached += chance;
                round.means[0] += share;
                round.means[1] += share;
            }
            round.law.entry(start.after(self.rules, 0, artifacts)).or_default().add(0, reached);
        }
    }

    /// Adds the cases in which both leave before a bust, one after the other. Each takes the artifacts that
    /// came while it explored last; the first leaver also takes the odd gems.
    fn safe(&self, start: Start, early: usize, late: usize, round: &mut Round) {
        let cards = start.cards(self.rules);
        let between = late - early;
        let hazards = elementary(&start.kinds);
        let orders = self.binomials.choose(cards, early) * self.binomials.choose(cards - early, between);
        let gems_in_deck = self.rules.gems.len();
        let artifacts_in_deck = usize::from(start.artifacts);
        for first in 0..=artifacts_in_deck.min(early) {
            for second in 0..=(artifacts_in_deck - first).min(between) {
                let artifact_ways = self.split(artifacts_in_deck, first, second);
                let mut gains = Mass::default();
                let (mut reached, mut gems_first, mut gems_second) = (0.0, 0.0, 0.0);
                for h in 0..hazards.len() {
                    let Some(g) = (early - first).checked_sub(h).filter(|&g| g <= gems_in_deck) else {
                        continue;
                    };
                    for k in 0..hazards.len() - h {
                        let rest = gems_in_deck - g;
                        let Some(l) = (between - second).checked_sub(k).filter(|&l| l <= rest) else {
                            continue;
                        };
                        // `h` kinds are in the first stretch, and `k` other kinds in the second.
                        let hazard_ways = hazards[h + k] * self.binomials.choose(h + k, h);
                        let chance = self.split(gems_in_deck, g, l) * artifact_ways * hazard_ways / orders;
                        gains.add_moved(&self.ahead[g][l], 0, chance);
                        reached += chance;
                        gems_first += chance * g as f64;
                        gems_second += chance * l as f64;
                    }
                }
                round.means[0] += gems_first * self.mean_up;
                round.means[1] += gems_first * self.mean_down + gems_second * self.mean_gem;
                let one = start.worth(self.rules, 0, first);
                let other = start.worth(self.rules, first, second);
                round.means[0] += reached * f64::from(one);
                round.means[1] += reached * f64::from(other);
                let next = start.after(self.rules, first + second, 0);
                round.law.entry(next).or_default().add_moved(&gains, one as i32 - other as i32, 1.0);
            }
        }
    }

    /// Adds the cases of a bust after the first player has left, by a kind with `copies` cards.
    fn bust_alone(&self, start: Start, copies: usize, early: usize, late: usize, round: &mut Round) {
        let cards = start.cards(self.rules);
        let others = elementary(&start.other_kinds(copies));
        let kinds = f64::from(start.kinds[copies]) * (copies * (copies - 1)) as f64;
        let gems_in_deck = self.rules.gems.len();
        let artifacts_in_deck = usize::from(start.artifacts);
        for first in 0..=artifacts_in_deck.min(early) {
            let worth = start.worth(self.rules, 0, first);
            let (mut reached, mut gems_first) = (0.0, 0.0);
            for second in 0..=artifacts_in_deck - first {
                let mut gains = Mass::default();
                let artifact_ways = self.split(artifacts_in_deck, first, second);
                for h in 0..=others.len() {
                    let Some(g) = (early - first).checked_sub(h).filter(|&g| g <= gems_in_deck) else {
                        continue;
                    };
                    let mut chance = 0.0;
                    // One of the `h + k` kinds on the path causes the bust.
                    for k in usize::from(h == 0)..=others.len() - h {
                        let hazard_ways = kinds * others[h + k - 1] * self.binomials.choose(h + k, h);
                        for l in 0..=gems_in_deck - g {
                            let between = l + second + k;
                            if early + between >= late {
                                break;
                            }
                            let orders = self.binomials.choose(cards, early)
                                * self.binomials.choose(cards - early, between)
                                * (cards - early - between) as f64;
                            chance += self.split(gems_in_deck, g, l) * artifact_ways * hazard_ways / orders;
                        }
                    }
                    gains.add_scaled(0, &self.taken[g], chance);
                    reached += chance;
                    gems_first += chance * g as f64;
                }
                let next = start.bust(copies).after(self.rules, first, second);
                round.law.entry(next).or_default().add_moved(&gains, worth as i32, 1.0);
            }
            round.means[0] += gems_first * self.mean_up + reached * f64::from(worth);
        }
    }
}

/// `[g][l]`: the distribution of the number of odd cards among `g` gem cards, minus the sum of `l` others.
fn ahead(gems: &[u32]) -> Vec<Vec<Mass>> {
    let size = gems.len();
    let total: u32 = gems.iter().sum();
    let width = total as usize + size + 1;
    // Index `total` stands for the difference 0.
    let zero = total as usize;
    let mut counts: Vec<Vec<Vec<f64>>> =
        (0..=size).map(|g| (0..=size - g).map(|_| vec![0.0; width]).collect()).collect();
    counts[0][0][zero] = 1.0;
    for (cards, &value) in gems.iter().enumerate() {
        let odd = (value % 2) as usize;
        // The number of chosen cards descends, so that no card is chosen twice.
        for chosen in (0..=cards).rev() {
            for g in 0..=chosen {
                let l = chosen - g;
                let from = std::mem::take(&mut counts[g][l]);
                for (to, count) in counts[g + 1][l][odd..].iter_mut().zip(&from) {
                    *to += count;
                }
                for (to, count) in counts[g][l + 1].iter_mut().zip(&from[value as usize..]) {
                    *to += count;
                }
                counts[g][l] = from;
            }
        }
    }
    let normalise = |row: Vec<f64>| {
        let all: f64 = row.iter().sum();
        let mut mass = Mass::default();
        mass.add_scaled(-(total as i32), &row, 1.0 / all);
        mass
    };
    counts.into_iter().map(|rows| rows.into_iter().map(normalise).collect()).collect()
}
