//! The best a lone player can do: dynamic programming over everything that is known.
//!
//! A position in a round is its [`Start`], the multiset of gems on the path, the artifacts on the path, and
//! for each number of copies how many kinds of hazards with that many have been seen. Equal gems and equal
//! kinds are interchangeable, and the backpack is the sum of the gems. In the classic game there are 13,824
//! multisets of gems and 108 starts.
//!
//! Most positions need no work. Let `S` be the sum of the gems in the deck, `A` the artifacts in the deck,
//! `d` the most that another artifact adds to the value of leaving, `L` the value of leaving now (later
//! rounds included), and `V` the most that can be had after a bust. If no artifact makes leaving worse,
//! `L >= V`, and `S + A·d - Σ (n-1)·(L - V) <= 0`, summed over the kinds seen with `n` copies each, then one
//! more card is not worth it (the sum is an upper bound of the gain, times the cards in the deck), and every
//! card that can come makes the sum smaller: it is best to leave here and in all later positions. As `S`
//! falls and `L` rises with the backpack, this cuts off all backpacks from some sum on.

use super::mass::Mass;
use super::policy::{GemTable, Line, Policy, seen_index, seen_size};
use super::rules::{ExactError, MOST_COPIES, Rules, at_most};
use super::start::{Kinds, Law, Start, all_starts, check_work, compose};

/// A player's horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// Maximises the mean score of the whole game: a bust removes a hazard, and an artifact claimed
    /// now is gone later.
    Game,
    /// Maximises the mean gain of each round as if it were the last.
    Round,
}

#[derive(Clone, Debug)]
pub struct Optimal {
    pub policy: Policy,
    /// The distribution of the score of a lone player who follows it.
    pub score: Mass,
    /// The maximised value: the mean of `score`, or that of the first round if this is the horizon.
    pub value: f64,
}

pub fn optimal(rules: &Rules, horizon: Horizon) -> Result<Optimal, ExactError> {
    let (policy, value) = solve(rules, horizon)?;
    check_work(rules)?;
    let score = compose(rules, |round, start, _| policy_law(rules, &policy, round, start));
    Ok(Optimal { policy, score, value })
}

impl Policy {
    /// When leaving and staying are equally good, it leaves. Fails if the rules are out of range or
    /// have too many positions.
    pub fn best(rules: &Rules, horizon: Horizon) -> Result<Self, ExactError> {
        Ok(solve(rules, horizon)?.0)
    }
}

fn solve(rules: &Rules, horizon: Horizon) -> Result<(Policy, f64), ExactError> {
    rules.check()?;
    let multisets = GemTable::count(&rules.gems);
    at_most("multisets of gem cards", multisets, 100_000)?;
    let starts = all_starts(rules)?;
    let lines: u64 = starts
        .iter()
        .flatten()
        .map(|start| (usize::from(start.artifacts) + 1) as u64 * seen_size(&start.kinds) as u64)
        .sum();
    at_most("positions", lines.saturating_mul(multisets), 1_000_000_000)?;

    let mut solver = Solver::new(rules);
    let mut later: Vec<(Start, f64)> = Vec::new();
    let mut rounds = Vec::new();
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
        let solved: Vec<(Start, u32, f64)> = starts
            .iter()
            .map(|&start| {
                let first_line = solver.lines.len() as u32;
                (start, first_line, solver.solve(start, &value_of))
            })
            .collect();
        rounds.push(solved.iter().map(|&(start, line, _)| (start, line)).collect::<Vec<_>>());
        later = solved.iter().map(|&(start, _, value)| (start, value)).collect();
    }
    rounds.reverse();
    let first = Start::initial(rules).enter(rules, 1);
    let value = later.iter().find(|(start, _)| *start == first).expect("round 1 has its start").1;
    let policy = Policy { gems: solver.gems, rounds, lines: solver.lines, bits: solver.bits.words };
    Ok((policy, value))
}

/// A set of hazards on the path; lists hold each set after its subsets.
pub(super) struct Seen {
    /// Hazard cards on the path.
    pub(super) cards: usize,
    /// Cards in the deck that bust: `(copies of the kind, cards)`.
    pub(super) busts: Vec<(usize, f64)>,
    /// The sets with one more kind, and the number of cards that lead to each.
    pub(super) next: Vec<(usize, f64)>,
}

/// All sets of hazards that can be seen in a round, in the order of their numbers.
pub(super) fn seen_list(start: &Start) -> Vec<Seen> {
    let kinds = &start.kinds;
    let of_index = |index: usize| {
        let mut counts: Kinds = [0; MOST_COPIES + 1];
        let mut rest = index;
        for copies in 1..=MOST_COPIES {
            let radix = usize::from(kinds[copies]) + 1;
            counts[copies] = (rest % radix) as u8;
            rest /= radix;
        }
        let present = (1..=MOST_COPIES).filter(|&copies| kinds[copies] > 0);
        let more = present.clone().filter(|&copies| counts[copies] < kinds[copies]);
        Seen {
            cards: counts.iter().map(|&count| usize::from(count)).sum(),
            busts: present
                .filter(|&copies| copies >= 2 && counts[copies] > 0)
                .map(|copies| (copies, f64::from(counts[copies]) * (copies - 1) as f64))
                .collect(),
            next: more
                .map(|copies| {
                    let mut then = counts;
                    then[copies] += 1;
                    (seen_index(kinds, &then), f64::from(kinds[copies] - counts[copies]) * copies as f64)
                })
                .collect(),
        }
    };
    (0..seen_size(kinds)).map(of_index).collect()
}

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

/// Common data of the positions that differ in the gems only.
struct Place<'a> {
    /// Value of leaving without any gems.
    leaving: f64,
    /// Number of cards in the deck if there are no gems on the path.
    cards: usize,
    /// True if there is nothing but gems on the path.
    fresh: bool,
    /// Values after an artifact or the first hazard of a kind, by multiset, and the number of such
    /// cards.
    others: Vec<(&'a [f64], f64)>,
    /// Sum over the cards that bust.
    busts: f64,
    bound: Option<Bound>,
}

/// A sufficient condition for leaving; see the head of this file.
#[derive(Clone, Copy)]
struct Bound {
    /// Highest contribution of the artifacts in the deck.
    artifacts: f64,
    /// Advantage of leaving without any gems over the best value after a bust.
    ahead: f64,
    /// Number of cards in the deck that bust.
    risk: f64,
}

impl Bound {
    /// `sum` is the backpack, `left` the gems in the deck. If true, it is also true for every
    /// larger sum.
    fn cuts_off(&self, sum: f64, left: f64) -> bool {
        let ahead = self.ahead + sum;
        ahead >= 0.0 && left + self.artifacts <= self.risk * ahead
    }
}

/// Starts are solved one after another.
struct Solver<'a> {
    rules: &'a Rules,
    gems: GemTable,
    lines: Vec<Line>,
    bits: Bits,
    /// True for each position of the last layer where leaving is best, unless it is cut off.
    leaves: Vec<bool>,
    /// Values of the positions of a start: a layer has those that differ in the gems only.
    layers: Vec<Vec<f64>>,
}

impl<'a> Solver<'a> {
    fn new(rules: &'a Rules) -> Self {
        let gems = GemTable::new(&rules.gems);
        Self { rules, gems, lines: Vec::new(), bits: Bits::default(), leaves: Vec::new(), layers: Vec::new() }
    }

    /// `later` gives the values of the next round, before its artifact enters.
    fn solve(&mut self, start: Start, later: &impl Fn(Start) -> f64) -> f64 {
        let seen = seen_list(&start);
        let in_deck = usize::from(start.artifacts);
        let leaving: Vec<f64> = (0..=in_deck)
            .map(|claimed| {
                f64::from(start.worth(self.rules, 0, claimed)) + later(start.after(self.rules, claimed, 0))
            })
            .collect();
        // By artifacts on the path.
        let after_bust: Vec<[f64; MOST_COPIES + 1]> = (0..=in_deck)
            .map(|on_path| {
                let mut values = [f64::NEG_INFINITY; MOST_COPIES + 1];
                for copies in start.bust_copies() {
                    values[copies] = later(start.bust(copies).after(self.rules, 0, on_path));
                }
                values
            })
            .collect();
        let most_after_bust = after_bust.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);

        let first_line = self.lines.len();
        let empty = Line { stay_below: 0, leave_from: 0, first_bit: 0 };
        self.lines.resize(first_line + (in_deck + 1) * seen.len(), empty);
        let slots = (in_deck + 1) * seen.len();
        if self.layers.len() < slots {
            self.layers.resize(slots, vec![0.0; self.gems.sums.len()]);
        }
        // The most and the least that another artifact adds to leaving, from here on.
        let (mut most_added, mut least_added) = (0.0f64, 0.0f64);
        for on_path in (0..=in_deck).rev() {
            if on_path < in_deck {
                let added = leaving[on_path + 1] - leaving[on_path];
                most_added = most_added.max(added);
                least_added = least_added.min(added);
            }
            for s in (0..seen.len()).rev() {
                let slot = on_path * seen.len() + s;
                let mut values = std::mem::take(&mut self.layers[slot]);
                let artifact = (on_path < in_deck).then(|| (slot + seen.len(), (in_deck - on_path) as f64));
                let hazards = seen[s].next.iter().map(|&(next, cards)| (on_path * seen.len() + next, cards));
                let place = Place {
                    leaving: leaving[on_path],
                    cards: start.cards(self.rules) - on_path - seen[s].cards,
                    fresh: on_path + seen[s].cards == 0,
                    others: hazards
                        .chain(artifact)
                        .map(|(slot, cards)| (self.layers[slot].as_slice(), cards))
                        .collect(),
                    busts: seen[s]
                        .busts
                        .iter()
                        .map(|&(copies, cards)| cards * after_bust[on_path][copies])
                        .sum(),
                    bound: (least_added >= 0.0 && !seen[s].busts.is_empty()).then(|| Bound {
                        artifacts: (in_deck - on_path) as f64 * most_added,
                        ahead: leaving[on_path] - most_after_bust,
                        risk: seen[s].busts.iter().map(|(_, cards)| cards).sum(),
                    }),
                };
                fill(&self.gems, &place, &mut values, &mut self.leaves);
                self.lines[first_line + slot] = self.line();
                self.layers[slot] = values;
            }
        }
        self.layers[0][0]
    }

    fn line(&mut self) -> Line {
        let sums = &self.gems.sums;
        let kept = self.leaves.len();
        let end = |index: usize| sums.get(index).copied().unwrap_or(u32::MAX);
        let first_leave = self.leaves.iter().position(|&leave| leave).unwrap_or(kept);
        let stay_below = end(first_leave);
        let leave_from = match self.leaves.iter().rposition(|&leave| !leave) {
            Some(last) => stay_below.max(sums[last] + 1),
            None => stay_below,
        };
        let first_bit = self.bits.length as u32;
        if stay_below < leave_from {
            let first = self.gems.first_with_sum(stay_below);
            let last = self.gems.first_with_sum(leave_from);
            for index in first..last {
                self.bits.push(self.leaves.get(index).copied().unwrap_or(true));
            }
        }
        Line { stay_below, leave_from, first_bit }
    }
}

/// Computes the values of a layer, and where to leave, as far as that is not certain beforehand.
fn fill(gems: &GemTable, place: &Place<'_>, values: &mut [f64], leaves: &mut Vec<bool>) {
    let all = gems.sums.last().copied().unwrap_or(0);
    let kept = place.bound.map_or(gems.sums.len(), |bound| {
        gems.sums.partition_point(|&sum| !bound.cuts_off(f64::from(sum), f64::from(all - sum)))
    });
    for (value, &sum) in values.iter_mut().zip(&gems.sums).skip(kept) {
        *value = place.leaving + f64::from(sum);
    }
    leaves.clear();
    leaves.resize(kept, false);
    for here in (0..kept).rev() {
        let deck = place.cards - usize::from(gems.cards[here]);
        let leave = place.leaving + f64::from(gems.sums[here]);
        let mut stay = place.busts;
        for (next, cards) in gems.more(here) {
            stay += cards * values[next];
        }
        for (other, cards) in &place.others {
            stay += cards * other[here];
        }
        let stay = stay / deck as f64;
        // Nobody leaves before the first card; an empty deck sends everybody home.
        leaves[here] = deck == 0 || leave >= stay && !(place.fresh && here == 0);
        values[here] = if leaves[here] { leave } else { stay };
    }
}

/// The law of a round for a lone player who follows the policy.
fn policy_law(rules: &Rules, policy: &Policy, round: u32, start: Start) -> Law {
    let gems = &policy.gems;
    let seen = seen_list(&start);
    let in_deck = usize::from(start.artifacts);
    let starts = &policy.rounds[round as usize - 1];
    let at = starts.binary_search_by(|(other, _)| other.cmp(&start)).expect("the policy has every start");
    let first_line = starts[at].1 as usize;
    let mut law = Law::new();
    // Probability of being in each position without having left before it.
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
