//! The equilibrium of several players who maximise gems, whatever the others have.
//!
//! All play alike, and the tents do not matter. A position has therefore one value for all explorers, and one
//! for all others: these can still win in later rounds, to which busts and artifacts matter. With `k`
//! explorers, each leaves with the probability that makes leaving and staying equally good if the other `k -
//! 1` do so too; or all stay, or all leave, if that is best for each. Nobody gains by another decision
//! anywhere, and thus nobody gains by another plan.

use super::super::policy::seen_size;
use super::super::rules::Rules;
use super::super::start::Start;
use super::alone::Bounds;
use super::decisions::Decisions;
use super::mix::{self, Choice, Gains};
use super::party::{Level, MOST_PLAYERS, Party};
use super::rows::{Place, Round};

/// Values of an explorer, and of a player who does not explore.
#[derive(Clone, Debug, Default)]
struct Pair {
    explorer: Vec<f64>,
    spectator: Vec<f64>,
}

impl Pair {
    fn new(cells: usize) -> Self {
        Self { explorer: vec![0.0; cells], spectator: vec![0.0; cells] }
    }
}

/// Values after a single player has left, before the next card: by number of explorers before, less 2, and by
/// hazards seen. There are no spare gems and no artifacts on the path then, and of every block only the first
/// row exists.
type Behind = Vec<Vec<Pair>>;

/// Statistics of a group of starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// Reached positions with a decision.
    pub(crate) positions: u64,
    pub(crate) mixed: u64,
    /// Positions in which the opposite decision of all is an equilibrium, too.
    pub(crate) ambiguous: u64,
}

impl Found {
    pub(crate) fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.mixed += other.mixed;
        self.ambiguous += other.ambiguous;
    }
}

/// Groups of starts are solved one after another with the same memory.
pub(super) struct Solver<'p> {
    party: &'p Party,
    rules: &'p Rules,
    choice: Choice,
    /// By number of explorers, less 1, and hazards seen: the values before a decision. Those of one
    /// more artifact on the path are overwritten by those of one less.
    layers: Vec<Vec<Pair>>,
    /// By number of explorers, less 1: the values before the next card, at the current place.
    drawn: Vec<Pair>,
    /// By number of explorers, less 2: start of the first row of a multiset in [`Behind`].
    firsts: Vec<Vec<usize>>,
}

pub(super) struct Solved {
    /// By start, in the order given.
    pub(super) values: Vec<f64>,
    pub(super) decisions: Vec<Decisions>,
    pub(super) found: Found,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    Nothing,
    Decisions,
}

impl<'p> Solver<'p> {
    pub(super) fn new(party: &'p Party, rules: &'p Rules, choice: Choice) -> Self {
        let drawn = party.levels.iter().map(|level| Pair::new(level.cells())).collect();
        let layers = party.levels.iter().map(|_| Vec::new()).collect();
        let firsts = party.levels[1..].iter().map(|level| {
            let ends = level.widths.iter().scan(0, |end, width| {
                *end += width;
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect()
        });
        Self { party, rules, choice, layers, drawn, firsts: firsts.collect() }
    }

    /// Solves starts that follow from each other when one player takes artifacts and the others go
    /// on, by artifacts in the deck, ascending. `later` gives the value of a start of the next
    /// round, before its artifact enters.
    pub(super) fn solve(&mut self, group: &[Start], later: &dyn Fn(Start) -> f64, keep: Keep) -> Solved {
        let mut solved = Solved { values: Vec::new(), decisions: Vec::new(), found: Found::default() };
        let mut behind: Vec<Behind> = Vec::new();
        for &start in group {
            let round = Round::new(self.rules, start, later);
            let seen = seen_size(&start.kinds);
            for (layers, level) in self.layers.iter_mut().zip(&self.party.levels) {
                if layers.len() < seen {
                    layers.resize(seen, Pair::new(level.cells()));
                }
            }
            let mine = |firsts: &Vec<usize>| vec![Pair::new(*firsts.last().unwrap_or(&0)); seen];
            behind.push(self.firsts.iter().map(mine).collect());
            let mut decisions = (keep == Keep::Decisions).then(|| Decisions::new(self.party, &start));
            let value = self.start(&round, &mut behind, decisions.as_mut(), &mut solved.found);
            solved.values.push(value);
            solved.decisions.extend(decisions);
        }
        solved
    }

    fn start(
        &mut self,
        round: &Round<'_>,
        behind: &mut [Behind],
        mut decisions: Option<&mut Decisions>,
        found: &mut Found,
    ) -> f64 {
        let bounds = Bounds::new(round);
        let own = behind.len() - 1;
        for on_path in (0..=usize::from(round.start.artifacts)).rev() {
            for seen in (0..round.seen.len()).rev() {
                let place = round.place(on_path, seen);
                for explorers in 1..=self.party.players {
                    if explorers == 1 {
                        self.alone(round, &place, &bounds, decisions.as_deref_mut(), found);
                    } else {
                        let behind = &behind[own - on_path][explorers - 2][seen];
                        self.together(explorers, round, &place, behind, decisions.as_deref_mut(), found);
                    }
                    if on_path == 0 && explorers < self.party.players {
                        let firsts = &self.firsts[explorers - 1];
                        let next = &self.party.levels[explorers];
                        let (level, drawn) = (&self.party.levels[explorers - 1], &self.drawn[explorers - 1]);
                        let mine = &mut behind[own][explorers - 1][seen];
                        for (multiset, &width) in next.widths.iter().enumerate() {
                            let (from, to) = (level.starts[multiset], firsts[multiset]);
                            mine.explorer[to..to + width]
                                .copy_from_slice(&drawn.explorer[from..from + width]);
                            mine.spectator[to..to + width]
                                .copy_from_slice(&drawn.spectator[from..from + width]);
                        }
                    }
                }
                if let Some(decisions) = decisions.as_deref_mut() {
                    decisions.close(on_path, seen);
                }
            }
        }
        self.drawn[self.party.players - 1].explorer[0]
    }

    fn alone(
        &mut self,
        round: &Round<'_>,
        place: &Place,
        bounds: &Bounds,
        mut decisions: Option<&mut Decisions>,
        found: &mut Found,
    ) {
        let party = self.party;
        let level = &party.levels[0];
        let mut values = std::mem::take(&mut self.layers[0][place.seen]);
        let drawn = &mut self.drawn[0];
        // Others may have left spare gems behind.
        let odd = party.players - 2;
        let claimed = round.after_claim[place.on_path];
        for multiset in (0..party.least.len()).rev() {
            let block = level.starts[multiset]..level.starts[multiset + 1];
            let width = level.widths[multiset];
            let (explorer, spectator) =
                (&mut drawn.explorer[block.clone()], &mut drawn.spectator[block.clone()]);
            let leaving = f64::from(place.worth + party.least[multiset]) + claimed;
            let mut first = 0;
            if place.deck(&party.table, multiset) == 0 {
                explorer.iter_mut().enumerate().for_each(|(more, value)| *value = leaving + more as f64);
                spectator.fill(claimed);
            } else {
                let surely =
                    bounds.surely_leaves(place, party.left(multiset), party.least[multiset]).min(width);
                // R4.1: an explorer left alone draws a card before it may leave.
                let entered = party.levels[1].widths[multiset] + odd;
                let asked = surely.max(entered).min(width);
                let draw = Draw { party, level, place, multiset };
                draw.values_after(
                    &values.explorer,
                    &self.layers[0],
                    |pair| &pair.explorer,
                    &mut explorer[..asked],
                );
                if round.is_last() {
                    spectator[..asked].fill(0.0);
                } else {
                    draw.values_after(
                        &values.spectator,
                        &self.layers[0],
                        |pair| &pair.spectator,
                        &mut spectator[..asked],
                    );
                }
                let leaves = |(more, stay): (usize, &f64)| leaving + more as f64 >= *stay;
                first = explorer[..surely].iter().enumerate().position(leaves).unwrap_or(surely);
            }
            found.positions += level.reached[block.clone()].iter().filter(|reached| **reached).count() as u64;
            let (own, other) = (&mut values.explorer[block.clone()], &mut values.spectator[block]);
            own[..first].copy_from_slice(&explorer[..first]);
            other[..first].copy_from_slice(&spectator[..first]);
            own.iter_mut().enumerate().skip(first).for_each(|(more, value)| *value = leaving + more as f64);
            other[first..].fill(claimed);
            if let Some(decisions) = decisions.as_deref_mut() {
                decisions.alone(multiset, first);
            }
        }
        self.layers[0][place.seen] = values;
    }

    /// Several explorers leave with the same probability. `behind` are the values after one of them has left.
    fn together(
        &mut self,
        explorers: usize,
        round: &Round<'_>,
        place: &Place,
        behind: &Pair,
        mut decisions: Option<&mut Decisions>,
        found: &mut Found,
    ) {
        let party = self.party;
        let level = &party.levels[explorers - 1];
        let firsts = &self.firsts[explorers - 2];
        let mut values = std::mem::take(&mut self.layers[explorers - 1][place.seen]);
        let (below, above) = self.drawn.split_at_mut(explorers - 1);
        let drawn = &mut above[0];
        let over = round.after_left[place.on_path];
        for multiset in (0..party.least.len()).rev() {
            let block = level.starts[multiset]..level.starts[multiset + 1];
            let (explorer, spectator) =
                (&mut drawn.explorer[block.clone()], &mut drawn.spectator[block.clone()]);
            let has_cards = place.deck(&party.table, multiset) > 0;
            if has_cards {
                let layers = &self.layers[explorers - 1];
                let draw = Draw { party, level, place, multiset };
                draw.values_after(&values.explorer, layers, |pair| &pair.explorer, explorer);
                if round.is_last() {
                    spectator.fill(0.0);
                } else {
                    draw.values_after(&values.spectator, layers, |pair| &pair.spectator, spectator);
                }
            }
            let is_full = explorers == party.players;
            let width = level.widths[multiset];
            for row in 0..level.rows(multiset) {
                let spare = if is_full { party.spare[multiset] as usize } else { row };
                for more in 0..width {
                    let index = row * width + more;
                    let cell = block.start + index;
                    if !level.reached[cell] {
                        continue;
                    }
                    let backpack = f64::from(party.least[multiset]) + more as f64;
                    if !has_cards {
                        // R6.3: they walk out together.
                        (explorer[index], spectator[index]) =
                            (backpack + (spare / explorers) as f64 + over, over);
                    }
                    let mut crossing = Crossing::new(explorers, [explorer[index], spectator[index]]);
                    let one = firsts[multiset] + more;
                    crossing.leave(
                        1,
                        backpack + f64::from(place.worth) + spare as f64,
                        [behind.explorer[one], behind.spectator[one]],
                    );
                    for leavers in 2..=explorers {
                        let after = if leavers == explorers {
                            [0.0, over]
                        } else {
                            let rest = explorers - leavers;
                            let at = party.cell(rest, multiset, more, spare % leavers);
                            [below[rest - 1].explorer[at], below[rest - 1].spectator[at]]
                        };
                        crossing.leave(leavers, backpack + (spare / leavers) as f64, after);
                    }
                    let (odds, is_ambiguous) = crossing.odds(self.choice);
                    [values.explorer[cell], values.spectator[cell]] = crossing.values(odds);
                    found.positions += 1;
                    found.mixed += u64::from(odds > 0.0 && odds < 1.0);
                    found.ambiguous += u64::from(is_ambiguous);
                    if let Some(decisions) = decisions.as_deref_mut() {
                        decisions.together(explorers, cell, odds);
                    }
                }
            }
        }
        self.layers[explorers - 1][place.seen] = values;
    }
}

struct Crossing {
    explorers: usize,
    /// Value of leaving, by number of other leavers.
    leaving: Gains,
    /// Value of staying, by number of other leavers.
    staying: Gains,
    /// Value of the rest to a player who does not explore, by number of leavers.
    watching: [f64; MOST_PLAYERS + 1],
}

impl Crossing {
    /// `drawn` are the values of an explorer and of a spectator, if all stay.
    fn new(explorers: usize, [explorer, spectator]: [f64; 2]) -> Self {
        let (mut staying, mut watching) = (Gains::default(), [0.0; MOST_PLAYERS + 1]);
        (staying[0], watching[0]) = (explorer, spectator);
        Self { explorers, leaving: Gains::default(), staying, watching }
    }

    /// Sets the values for `leavers` leavers: each gets `gain`; then these are the values of the remaining
    /// explorers, and of the others.
    #[inline]
    fn leave(&mut self, leavers: usize, gain: f64, [explorer, spectator]: [f64; 2]) {
        self.leaving[leavers - 1] = gain + spectator;
        if leavers < self.explorers {
            self.staying[leavers] = explorer;
        }
        self.watching[leavers] = spectator;
    }

    #[inline]
    fn odds(&self, choice: Choice) -> (f64, bool) {
        let mut gains = Gains::default();
        for (gain, (stay, leave)) in gains.iter_mut().zip(self.staying.iter().zip(&self.leaving)) {
            *gain = stay - leave;
        }
        let gains = &gains[..self.explorers];
        (mix::odds(gains, choice), mix::is_ambiguous(gains))
    }

    /// The values of an explorer and of a spectator, if each explorer leaves with this probability.
    #[inline]
    fn values(&self, odds: f64) -> [f64; 2] {
        let leave = if odds > 0.0 { odds * mix::mean(&self.leaving[..self.explorers], odds) } else { 0.0 };
        let stay =
            if odds < 1.0 { (1.0 - odds) * mix::mean(&self.staying[..self.explorers], odds) } else { 0.0 };
        [leave + stay, mix::mean(&self.watching[..=self.explorers], odds)]
    }
}

/// Successors of a multiset's block after one more card.
struct Draw<'d> {
    party: &'d Party,
    level: &'d Level,
    place: &'d Place,
    multiset: usize,
}

impl Draw<'_> {
    /// The values after one more card, of which there must be one. `sums` has the whole block, or
    /// the first cells of its only row.
    fn values_after(&self, values: &[f64], others: &[Pair], of: fn(&Pair) -> &Vec<f64>, sums: &mut [f64]) {
        let Self { party, level, place, multiset } = *self;
        let (rows, start) = (level.rows(multiset), level.starts[multiset]);
        let width = sums.len() / rows;
        sums.fill(place.busts);
        let add = |sums: &mut [f64], row: &[f64], cards: f64| {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += cards * value;
            }
        };
        for ((next, left), &(right, down)) in party.table.more(multiset).zip(&level.shifts) {
            if left > 0.0 {
                let stride = level.widths[next];
                let from = level.starts[next] + down * stride + right;
                for (row, sums) in sums.chunks_exact_mut(width).enumerate() {
                    add(sums, &values[from + row * stride..][..width], left);
                }
            }
        }
        for &(other, cards) in &place.hazards {
            add(sums, &of(&others[other])[start..], cards);
        }
        if place.artifacts > 0.0 {
            add(sums, &values[start..], place.artifacts);
        }
        let share = 1.0 / place.deck(&party.table, multiset) as f64;
        sums.iter_mut().for_each(|sum| *sum *= share);
    }
}
