//! The best play of a lone player.
//!
//! A position in a round consists of its [`Start`], the multiset of gems on the path, the number of artifacts
//! there, and the hazards seen. The hazards are given by the number of kinds seen, for each number of copies.
//! Equal gems and equal kinds are interchangeable, and the backpack is the sum of the gems. In the classic
//! game there are 13,824 multisets of gems and 108 starts.

use super::alone::Best;
use super::induction::{Layers, Round, check, positions, seen_list};
use super::mass::Mass;
use super::party::Party;
use super::policy::{GemTable, Line, Policy};
use super::rules::{ExactError, Rules, at_most};
use super::start::{Law, Start, all_starts, check_work, compose};

/// A player's horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// Maximises the mean score of the whole game. A bust also removes a hazard, and a claimed artifact is
    /// missing in later rounds.
    Game,
    /// Maximises the mean gain of each round, as if it were the last.
    Round,
}

/// The best play and its result.
#[derive(Clone, Debug)]
pub struct Optimal {
    /// The decisions.
    pub policy: Policy,
    /// The distribution of the score of a lone player who follows the policy.
    pub score: Mass,
    /// The maximised value: the mean of `score` with [`Horizon::Game`], or the mean of the first round's gain
    /// with [`Horizon::Round`].
    pub value: f64,
}

/// The best play of a lone player, and its result.
///
/// # Errors
/// The errors of [`Policy::best`].
pub fn optimal(rules: &Rules, horizon: Horizon) -> Result<Optimal, ExactError> {
    let (policy, value) = solve(rules, horizon)?;
    check_work(rules)?;
    let score = compose(rules, |round, start, _| policy_law(rules, &policy, round, start));
    Ok(Optimal { policy, score, value })
}

impl Policy {
    /// The best play of a lone player. If leaving and staying are equally good, it leaves.
    ///
    /// # Errors
    /// If the rules are out of range or have too many positions.
    pub fn best(rules: &Rules, horizon: Horizon) -> Result<Self, ExactError> {
        Ok(solve(rules, horizon)?.0)
    }
}

/// The best policy, and the value of the first start.
fn solve(rules: &Rules, horizon: Horizon) -> Result<(Policy, f64), ExactError> {
    check(rules)?;
    let starts = all_starts(rules)?;
    at_most("positions", positions(&starts, GemTable::count(&rules.gems) as usize), 1_000_000_000)?;

    let party = Party::new(rules, 1);
    let mut layers = Layers::of(&party, 1);
    let mut later: Vec<(Start, f64)> = Vec::new();
    let (mut rounds, mut lines, mut bits) = (Vec::new(), Vec::new(), Bits::default());
    for (index, starts) in starts.iter().enumerate().rev() {
        let round = index as u32 + 1;
        let last = round == rules.rounds;
        let value_of = |next: Start| {
            if last || horizon == Horizon::Round {
                return 0.0;
            }
            let next = next.enter(rules, round + 1);
            let at = later.binary_search_by(|(start, _)| start.cmp(&next));
            later[at.expect("the starts are closed under what a round can do")].1
        };
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for &start in starts {
            let (more, value) = best(&party, &Round::new(rules, start, &value_of), &mut layers, &mut bits);
            places.push((start, lines.len() as u32));
            lines.extend(more);
            values.push((start, value));
        }
        rounds.push(places);
        later = values;
    }
    rounds.reverse();
    let first = Start::initial(rules).enter(rules, 1);
    let value = later.iter().find(|(start, _)| *start == first).expect("round 1 has its start").1;
    Ok((Policy { gems: party.table, rounds, lines, bits: bits.words }, value))
}

/// A growing bit vector.
#[derive(Default)]
struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(64) {
            self.words.push(0);
        }
        if bit {
            self.words[self.length / 64] |= 1 << (self.length % 64);
        }
        self.length += 1;
    }
}

/// The best play of a round: one line per place, and the value before the first card.
fn best(party: &Party, round: &Round<'_>, layers: &mut Layers<'_, 1>, bits: &mut Bits) -> (Vec<Line>, f64) {
    let gems = &party.table;
    let bounds = Best::new(party, round);
    // `leaves` has an entry per multiset where leaving is not certainly best: true if leaving is best there.
    let mut leaves = Vec::new();
    let mut lines = Vec::new();
    layers.prepare(round);
    for place in round.places() {
        let leaving = bounds.leaving[place.on_path];
        let kept = gems.sums.partition_point(|&sum| bounds.surely_leaves(&place, party.all() - sum, sum) > 0);
        let [values] = layers.layer(&place);
        for (value, &sum) in values.iter_mut().zip(&gems.sums).skip(kept) {
            *value = leaving + f64::from(sum);
        }
        leaves.clear();
        leaves.resize(kept, false);
        layers.visit_below(kept, &place, |multiset, mut draw| {
            let (leave, stay) = (leaving + f64::from(gems.sums[multiset]), draw.value_after(0));
            // Nobody leaves before the first card, and with an empty deck all leave.
            let is_best = place.deck(gems, multiset) == 0 || leave >= stay && !place.is_fresh(multiset);
            leaves[multiset] = is_best;
            draw.set(if is_best { leave } else { stay });
        });
        lines.push(line(gems, &leaves, bits));
    }
    lines.reverse();
    (lines, layers.first()[0])
}

/// Condenses `leaves` to a line, storing exceptions as bits.
fn line(gems: &GemTable, leaves: &[bool], bits: &mut Bits) -> Line {
    let end = |index: usize| gems.sums.get(index).copied().unwrap_or(u32::MAX);
    let stay_below = end(leaves.iter().position(|&leave| leave).unwrap_or(leaves.len()));
    let last_stay = leaves.iter().rposition(|&leave| !leave);
    let leave_from = last_stay.map_or(stay_below, |last| stay_below.max(gems.sums[last] + 1));
    let first_bit = bits.length as u32;
    if stay_below < leave_from {
        for index in gems.first_with_sum(stay_below)..gems.first_with_sum(leave_from) {
            bits.push(leaves.get(index).copied().unwrap_or(true));
        }
    }
    Line { stay_below, leave_from, first_bit }
}

/// The [`Law`] of a round for a lone player who follows the policy.
fn policy_law(rules: &Rules, policy: &Policy, round: u32, start: Start) -> Law {
    let gems = &policy.gems;
    let seen = seen_list(&start);
    let in_deck = usize::from(start.artifacts);
    let starts = &policy.rounds[round as usize - 1];
    let at = starts.binary_search_by(|(other, _)| other.cmp(&start)).expect("the policy has every start");
    let first_line = starts[at].1 as usize;
    let mut law = Law::new();
    // The probability of reaching each position without having left before.
    let mut reached = vec![Vec::new(); (in_deck + 1) * seen.len()];
    reached[0] = vec![0.0; gems.sums.len()];
    reached[0][0] = 1.0;
    for on_path in 0..=in_deck {
        for (s, here) in seen.iter().enumerate() {
            let slot = on_path * seen.len() + s;
            let mut mass = std::mem::take(&mut reached[slot]);
            let line = policy.lines[first_line + slot];
            let worth = start.worth(rules, 0, on_path);
            let mut left = vec![0.0; gems.sums.last().copied().unwrap_or(0) as usize + 1];
            let mut busts = 0.0;
            for multiset in 0..mass.len() {
                let probability = mass[multiset];
                if probability == 0.0 {
                    continue;
                }
                if policy.leaves(&line, multiset) {
                    left[gems.sums[multiset] as usize] += probability;
                    continue;
                }
                let on_path_cards = usize::from(gems.cards[multiset]) + on_path + here.cards;
                let each = probability / (start.cards(rules) - on_path_cards) as f64;
                busts += each;
                for (next, cards) in gems.more(multiset) {
                    mass[next] += each * cards;
                }
                let artifact = (on_path < in_deck).then_some((slot + seen.len(), (in_deck - on_path) as f64));
                let hazards = here.next.iter().map(|&(next, cards)| (on_path * seen.len() + next, cards));
                for (next, cards) in hazards.chain(artifact) {
                    if reached[next].is_empty() {
                        reached[next] = vec![0.0; gems.sums.len()];
                    }
                    reached[next][multiset] += each * cards;
                }
            }
            law.entry(start.after(rules, on_path, 0)).or_default().add_scaled(worth as i32, &left, 1.0);
            for &(copies, cards) in &here.busts {
                law.entry(start.bust(copies).after(rules, 0, on_path)).or_default().add(0, busts * cards);
            }
        }
    }
    law
}
