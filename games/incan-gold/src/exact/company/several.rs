//! The equilibrium of several players who maximise gems, whatever the others have.
//!
//! All players use the same strategy, and the tents do not matter. So a position has one value for all
//! explorers, and one for all other players. The others still gain in later rounds, where busts and claimed
//! artifacts matter.
//!
//! With `k` explorers, each leaves with the probability that makes leaving and staying equally good if the
//! other `k - 1` do the same. All stay, or all leave, if that is best for each. No player gains by a
//! different decision in any position, and thus none gains by a different strategy.

use super::super::alone::Best;
use super::super::induction::{Layers, Place, Round};
use super::super::party::{MAX_PLAYERS, Party};
use super::super::rules::Rules;
use super::super::start::Start;
use super::decisions::Decisions;
use super::mix::{self, Choice, Gains};

/// Values of an explorer, and of a player who does not explore.
type Pair = [Vec<f64>; 2];

fn pair(cells: usize) -> Pair {
    [vec![0.0; cells], vec![0.0; cells]]
}

/// Values after a single player has left, before the next card: by number of explorers before minus 2, then
/// by hazards seen. The path then has no spare gems and no artifacts, so of every block only the first row
/// exists.
type Behind = Vec<Vec<Pair>>;

/// Statistics of a group of starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Found {
    /// Number of reachable positions in which players decide.
    pub(crate) positions: u64,
    /// Number of positions with a mixed decision.
    pub(crate) mixed: u64,
    /// Number of positions in which all leaving and all staying are both equilibria.
    pub(crate) ambiguous: u64,
}

impl Found {
    pub(crate) fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.mixed += other.mixed;
        self.ambiguous += other.ambiguous;
    }
}

/// The solver for groups of starts. It reuses its memory from group to group.
pub(super) struct Solver<'p> {
    party: &'p Party,
    rules: &'p Rules,
    choice: Choice,
    /// By number of explorers minus 1: the values before a decision.
    layers: Vec<Layers<'p, 2>>,
    /// By number of explorers minus 1: the values before the next card, at the current place.
    drawn: Vec<Pair>,
    /// By number of explorers minus 2: the index in [`Behind`] of the first row of each multiset.
    firsts: Vec<Vec<usize>>,
}

/// The solution of a group of starts.
pub(super) struct Solved {
    /// The values by start, in the order given.
    pub(super) values: Vec<f64>,
    /// The decisions by start, if they were requested.
    pub(super) decisions: Vec<Decisions>,
    pub(super) found: Found,
}

/// The results to keep besides values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    Nothing,
    Decisions,
}

impl<'p> Solver<'p> {
    pub(super) fn new(party: &'p Party, rules: &'p Rules, choice: Choice) -> Self {
        let drawn = party.levels.iter().map(|level| pair(level.cells())).collect();
        let layers = (1..=party.players).map(|explorers| Layers::of(party, explorers)).collect();
        let firsts = party.levels[1..].iter().map(|level| {
            let ends = level.widths.iter().scan(0, |end, width| {
                *end += width;
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect()
        });
        Self { party, rules, choice, layers, drawn, firsts: firsts.collect() }
    }

    /// Solves a group of starts, in ascending order of artifacts in the deck. In a group, a start follows
    /// from another if one player takes artifacts and the others go on. `later` gives the value of a start of
    /// the next round, before its artifact enters.
    pub(super) fn solve(&mut self, group: &[Start], later: &dyn Fn(Start) -> f64, keep: Keep) -> Solved {
        let mut solved = Solved { values: Vec::new(), decisions: Vec::new(), found: Found::default() };
        let mut behind: Vec<Behind> = Vec::new();
        for &start in group {
            let round = Round::new(self.rules, start, later);
            self.layers.iter_mut().for_each(|layers| layers.prepare(&round));
            let mine = |firsts: &Vec<usize>| vec![pair(*firsts.last().unwrap_or(&0)); round.seen.len()];
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
        let best = Best::new(self.party, round);
        let own = behind.len() - 1;
        for place in round.places() {
            let (on_path, seen) = (place.on_path, place.seen);
            for explorers in 1..=self.party.players {
                if explorers == 1 {
                    self.alone(&place, &best, decisions.as_deref_mut(), found);
                } else {
                    let behind = &behind[own - on_path][explorers - 2][seen];
                    self.together(explorers, round, &place, behind, decisions.as_deref_mut(), found);
                }
                if on_path == 0 && explorers < self.party.players {
                    let firsts = &self.firsts[explorers - 1];
                    let [level, next] = [explorers - 1, explorers].map(|level| &self.party.levels[level]);
                    let mine = &mut behind[own][explorers - 1][seen];
                    for (mine, drawn) in mine.iter_mut().zip(&self.drawn[explorers - 1]) {
                        for (multiset, &width) in next.widths.iter().enumerate() {
                            let (from, to) = (level.start(multiset), firsts[multiset]);
                            mine[to..to + width].copy_from_slice(&drawn[from..from + width]);
                        }
                    }
                }
            }
            if let Some(decisions) = decisions.as_deref_mut() {
                decisions.close(on_path, seen);
            }
        }
        self.drawn[self.party.players - 1][0][0]
    }

    /// Solves a position with one explorer, who leaves if that is best.
    fn alone(
        &mut self,
        place: &Place,
        best: &Best<'_>,
        mut decisions: Option<&mut Decisions>,
        found: &mut Found,
    ) {
        let (level, reached) = (&self.party.levels[0], &self.party.reached()[0]);
        let drawn = &mut self.drawn[0];
        self.layers[0].visit(place, |multiset, draw| {
            let block = level.block(multiset);
            let drawn = drawn.each_mut().map(|values| &mut values[block.clone()]);
            let first = best.fill(place, multiset, draw, drawn);
            found.positions += reached[block].iter().filter(|reached| **reached).count() as u64;
            if let Some(decisions) = decisions.as_deref_mut() {
                decisions.alone(multiset, first);
            }
        });
    }

    /// Solves a position with several explorers, who leave with the same probability. `behind` has the values
    /// after one of them has left.
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
        let (level, reached) = (&party.levels[explorers - 1], &party.reached()[explorers - 1]);
        let firsts = &self.firsts[explorers - 2];
        let (below, above) = self.drawn.split_at_mut(explorers - 1);
        let drawn = &mut above[0];
        let (over, choice) = (round.after_left[place.on_path], self.choice);
        let is_full = explorers == party.players;
        self.layers[explorers - 1].visit(place, |multiset, mut draw| {
            let block = level.block(multiset);
            let [explorer, spectator] = drawn.each_mut().map(|values| &mut values[block.clone()]);
            let has_cards = place.deck(&party.table, multiset) > 0;
            if has_cards {
                draw.values_after(0, explorer);
                if round.is_last() {
                    spectator.fill(0.0);
                } else {
                    draw.values_after(1, spectator);
                }
            }
            let width = level.widths[multiset];
            let [explorers_row, spectators_row] = draw.block();
            for row in 0..level.rows[multiset] {
                let spare = if is_full { party.spare[multiset] as usize } else { row };
                for more in 0..width {
                    let index = row * width + more;
                    let cell = block.start + index;
                    if !reached[cell] {
                        continue;
                    }
                    let backpack = f64::from(party.least[multiset]) + more as f64;
                    if !has_cards {
                        // R6.3: with an empty deck they leave together.
                        (explorer[index], spectator[index]) =
                            (backpack + (spare / explorers) as f64 + over, over);
                    }
                    let mut crossing = Crossing::new(explorers, [explorer[index], spectator[index]]);
                    let after_one = behind.each_ref().map(|values| values[firsts[multiset] + more]);
                    crossing.leave(1, backpack + f64::from(place.worth) + spare as f64, after_one);
                    for leavers in 2..=explorers {
                        let after = if leavers == explorers {
                            [0.0, over]
                        } else {
                            let rest = explorers - leavers;
                            let at = party.cell(rest, multiset, more, spare % leavers);
                            below[rest - 1].each_ref().map(|values| values[at])
                        };
                        crossing.leave(leavers, backpack + (spare / leavers) as f64, after);
                    }
                    let (odds, is_ambiguous) = crossing.odds(choice);
                    [explorers_row[index], spectators_row[index]] = crossing.values(odds);
                    found.positions += 1;
                    found.mixed += u64::from(odds > 0.0 && odds < 1.0);
                    found.ambiguous += u64::from(is_ambiguous);
                    if let Some(decisions) = decisions.as_deref_mut() {
                        decisions.together(explorers, cell, odds);
                    }
                }
            }
        });
    }
}

/// A position in which several explorers decide.
struct Crossing {
    explorers: usize,
    /// Value of leaving, by number of other leavers.
    leaving: Gains,
    /// Value of staying, by number of other leavers.
    staying: Gains,
    /// Value of the later play to a player who does not explore, by number of leavers.
    watching: [f64; MAX_PLAYERS + 1],
}

impl Crossing {
    /// A position with the values after another card, of an explorer and of a spectator, if all stay.
    fn new(explorers: usize, [explorer, spectator]: [f64; 2]) -> Self {
        let (mut staying, mut watching) = (Gains::default(), [0.0; MAX_PLAYERS + 1]);
        (staying[0], watching[0]) = (explorer, spectator);
        Self { explorers, leaving: Gains::default(), staying, watching }
    }

    /// Sets the values for `leavers` leavers: each gets `gain`. The last argument has the values of the
    /// remaining explorers and of the other players.
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
