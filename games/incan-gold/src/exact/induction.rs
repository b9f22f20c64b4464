//! Backward induction over a round, from its last cards to its first.
//!
//! A position of a round has three coordinates: a [`Place`], the multiset of gems on the path, and a cell of
//! a [`Level`]. The cell stands for a backpack or another quantity that matters. A card leads to another cell
//! of the same place, or to a place with one more kind of hazard or one more artifact. Or the card ends the
//! round.
//!
//! These transitions are the same for every pay-off and every decision rule. Solvers provide both: the values
//! of later rounds are in the [`Round`], and the decision rule is the function passed to [`Layers::visit`].

use super::party::{Level, Party};
use super::policy::{GemTable, seen_index, seen_size};
use super::rules::{ExactError, MAX_COPIES, Rules, at_most};
use super::start::{Kinds, Start};

/// A set of hazards on the path. Lists hold each set after its subsets.
pub(super) struct Seen {
    /// Number of hazard cards on the path.
    pub(super) cards: usize,
    /// Cards in the deck that bust: `(copies of the kind, cards)`.
    pub(super) busts: Vec<(usize, f64)>,
    /// The sets with one more kind, and the number of cards that lead to each.
    pub(super) next: Vec<(usize, f64)>,
}

/// All sets of hazards that can be seen in a round, by number.
pub(super) fn seen_list(start: &Start) -> Vec<Seen> {
    let kinds = &start.kinds;
    let of_index = |index: usize| {
        let mut counts: Kinds = [0; MAX_COPIES + 1];
        let mut rest = index;
        for copies in 1..=MAX_COPIES {
            let radix = usize::from(kinds[copies]) + 1;
            counts[copies] = (rest % radix) as u8;
            rest /= radix;
        }
        let present = (1..=MAX_COPIES).filter(|&copies| kinds[copies] > 0);
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

/// A round to be solved: its start, and the values of the later rounds.
pub(super) struct Round<'r> {
    pub(super) rules: &'r Rules,
    pub(super) start: Start,
    pub(super) seen: Vec<Seen>,
    /// Value of the later rounds, by number of artifacts claimed, if no artifact is left on the path.
    pub(super) after_claim: Vec<f64>,
    /// Value of the later rounds if no artifact is claimed, by number left on the path.
    pub(super) after_left: Vec<f64>,
    /// Value of the later rounds after a bust, by artifacts on the path and copies of the hazard; `None` if
    /// no hazard has this number of copies.
    after_bust: Vec<[Option<f64>; MAX_COPIES + 1]>,
}

/// Positions that differ only in gems and backpack.
pub(super) struct Place {
    pub(super) on_path: usize,
    /// Number of the set of hazards on the path.
    pub(super) seen: usize,
    /// Value of the artifacts on the path to a lone leaver.
    pub(super) worth: u32,
    /// Number of cards on the path, without gems.
    pub(super) path: usize,
    /// Number of cards in the deck if no gems are on the path.
    cards: usize,
    /// The sets of hazards with one more kind, and the number of cards that lead to each.
    pub(super) hazards: Vec<(usize, f64)>,
    /// Number of artifacts in the deck.
    pub(super) artifacts: f64,
    /// Sum of the values after a bust over the cards that bust.
    pub(super) busts: f64,
    /// Number of cards in the deck that bust.
    pub(super) risk: f64,
}

impl Place {
    /// Number of cards in the deck.
    #[inline]
    pub(super) fn deck(&self, table: &GemTable, multiset: usize) -> usize {
        self.cards - usize::from(table.cards[multiset])
    }

    /// Returns true before the first card.
    #[inline]
    pub(super) fn is_fresh(&self, multiset: usize) -> bool {
        self.path + multiset == 0
    }
}

impl<'r> Round<'r> {
    /// A round to be solved. `later` gives the value of a start of the next round, before its artifact
    /// enters.
    pub(super) fn new(rules: &'r Rules, start: Start, later: &dyn Fn(Start) -> f64) -> Self {
        let counts = 0..=usize::from(start.artifacts);
        let of_busts = |left: usize| {
            let mut values = [None; MAX_COPIES + 1];
            for copies in start.bust_copies() {
                values[copies] = Some(later(start.bust(copies).after(rules, 0, left)));
            }
            values
        };
        Self {
            rules,
            start,
            seen: seen_list(&start),
            after_claim: counts.clone().map(|count| later(start.after(rules, count, 0))).collect(),
            after_left: counts.clone().map(|left| later(start.after(rules, 0, left))).collect(),
            after_bust: counts.map(of_busts).collect(),
        }
    }

    /// Returns true if no later round has a value.
    pub(super) fn is_last(&self) -> bool {
        let safe = self.after_claim.iter().chain(&self.after_left);
        safe.chain(self.after_bust.iter().flatten().flatten()).all(|value| *value == 0.0)
    }

    /// The largest value of the later rounds after a bust.
    pub(super) fn most_after_bust(&self) -> f64 {
        self.after_bust.iter().flatten().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The places, each after all its successors: by artifacts on the path, then by hazards seen, both
    /// descending.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let counts = (0..=usize::from(self.start.artifacts)).rev();
        counts.flat_map(move |on_path| (0..self.seen.len()).rev().map(move |seen| self.place(on_path, seen)))
    }

    fn place(&self, on_path: usize, index: usize) -> Place {
        let seen = &self.seen[index];
        let path = on_path + seen.cards;
        let bust = |&(copies, cards): &(usize, f64)| cards * self.after_bust[on_path][copies].unwrap_or(0.0);
        Place {
            on_path,
            seen: index,
            worth: self.start.worth(self.rules, 0, on_path),
            path,
            cards: self.start.cards(self.rules) - path,
            hazards: seen.next.clone(),
            artifacts: f64::from(self.start.artifacts) - on_path as f64,
            busts: seen.busts.iter().map(bust).sum(),
            risk: seen.busts.iter().map(|(_, cards)| cards).sum(),
        }
    }
}

/// The values of the positions of a round with one number of explorers: `N` values each. There is one layer
/// per set of hazards seen. Places are solved by descending number of artifacts on the path, and each
/// overwrites a layer of the previous number. A place needs only the layer of its own set of hazards from
/// there.
pub(super) struct Layers<'p, const N: usize> {
    table: &'p GemTable,
    level: &'p Level,
    layers: Vec<[Vec<f64>; N]>,
}

impl<'p, const N: usize> Layers<'p, N> {
    pub(super) fn new(table: &'p GemTable, level: &'p Level) -> Self {
        Self { table, level, layers: Vec::new() }
    }

    /// The layers for this number of explorers of a party.
    pub(super) fn of(party: &'p Party, explorers: usize) -> Self {
        Self::new(&party.table, &party.levels[explorers - 1])
    }

    /// Allocates the layers for a round.
    pub(super) fn prepare(&mut self, round: &Round<'_>) {
        let cells = self.level.cells();
        if self.layers.len() < round.seen.len() {
            self.layers.resize_with(round.seen.len(), || std::array::from_fn(|_| vec![0.0; cells]));
        }
    }

    /// Visits the positions of a place, each after all its successors. Places must come in the order of
    /// [`Round::places`]. `decide` receives the multiset and fills in the values of its block; [`Draw`] gives
    /// it the values after another card.
    pub(super) fn visit(&mut self, place: &Place, decide: impl FnMut(usize, Draw<'_, N>)) {
        self.visit_below(self.level.widths.len(), place, decide);
    }

    /// Like [`visit`](Self::visit), for the multisets below `end`. The values of the other multisets must be
    /// in [`layer`](Self::layer).
    pub(super) fn visit_below(
        &mut self,
        end: usize,
        place: &Place,
        mut decide: impl FnMut(usize, Draw<'_, N>),
    ) {
        let Self { table, level, layers } = self;
        let mut values = std::mem::replace(&mut layers[place.seen], std::array::from_fn(|_| Vec::new()));
        let other = |&(seen, cards): &(usize, f64)| (layers[seen].each_ref().map(Vec::as_slice), cards);
        let others: Vec<_> = place.hazards.iter().map(other).collect();
        let others = others.as_slice();
        for multiset in (0..end).rev() {
            decide(multiset, Draw { table, level, place, multiset, values: &mut values, others });
        }
        layers[place.seen] = values;
    }

    /// The values of a place.
    pub(super) fn layer(&mut self, place: &Place) -> &mut [Vec<f64>; N] {
        &mut self.layers[place.seen]
    }

    /// The values before the first card.
    pub(super) fn first(&self) -> [f64; N] {
        self.layers[0].each_ref().map(|values| values[0])
    }
}

/// The block of a multiset that is to be filled, and its successors.
pub(super) struct Draw<'l, const N: usize> {
    table: &'l GemTable,
    level: &'l Level,
    place: &'l Place,
    multiset: usize,
    values: &'l mut [Vec<f64>; N],
    /// The values of the places with one more hazard, and the number of cards that lead to each.
    others: &'l [([&'l [f64]; N], f64)],
}

impl<const N: usize> Draw<'_, N> {
    /// The expected values after one more card. `sums` has the length of the whole block, or of the first
    /// cells of its only row. The deck must have a card.
    pub(super) fn values_after(&self, component: usize, sums: &mut [f64]) {
        let Self { table, level, place, multiset, .. } = *self;
        let (values, start) = (&self.values[component], level.start(multiset));
        sums.fill(place.busts);
        let add = |sums: &mut [f64], row: &[f64], cards: f64| {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += cards * value;
            }
        };
        let (rows, width) = (level.rows[multiset], level.widths[multiset]);
        for ((next, left), &(right, down)) in table.more(multiset).zip(&level.shifts) {
            let stride = level.widths[next];
            let first = level.start(next) + down * stride + right;
            if left > 0.0 && rows == 1 {
                add(sums, &values[first..], left);
            } else if left > 0.0 {
                for (row, sums) in sums.chunks_exact_mut(width).enumerate() {
                    add(sums, &values[first + row * stride..][..width], left);
                }
            }
        }
        for (other, cards) in self.others {
            add(sums, &other[component][start..], *cards);
        }
        if place.artifacts > 0.0 {
            add(sums, &values[start..], place.artifacts);
        }
        let share = 1.0 / place.deck(table, multiset) as f64;
        sums.iter_mut().for_each(|sum| *sum *= share);
    }

    /// Like [`values_after`](Self::values_after), for blocks of one cell, without loops over cells.
    #[inline(always)] // the inner loop of every solver
    pub(super) fn value_after(&self, component: usize) -> f64 {
        let Self { table, place, multiset, .. } = *self;
        let values = &self.values[component];
        let mut sum = place.busts;
        for (next, left) in table.more(multiset) {
            sum += left * values[next];
        }
        for (other, cards) in self.others {
            sum += cards * other[component][multiset];
        }
        (sum + place.artifacts * values[multiset]) / place.deck(table, multiset) as f64
    }

    /// The block to be filled.
    pub(super) fn block(&mut self) -> [&mut [f64]; N] {
        let block = self.level.block(self.multiset);
        self.values.each_mut().map(|values| &mut values[block.clone()])
    }
}

impl Draw<'_, 1> {
    /// Fills in a block of one cell.
    #[inline]
    pub(super) fn set(&mut self, value: f64) {
        self.values[0][self.multiset] = value;
    }
}

/// Number of positions over all starts of the game.
pub(super) fn positions(starts: &[Vec<Start>], cells: usize) -> u64 {
    let layers = |start: &Start| (u64::from(start.artifacts) + 1) * seen_size(&start.kinds) as u64;
    starts.iter().flatten().map(layers).sum::<u64>().saturating_mul(cells as u64)
}

/// Rejects rules that would take hours, before any computation.
pub(super) fn check(rules: &Rules) -> Result<(), ExactError> {
    rules.check()?;
    at_most("multisets of gem cards", GemTable::count(&rules.gems), 100_000)
}
