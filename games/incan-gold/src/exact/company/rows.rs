//! Rows of backpacks, and the positions of a round in the order in which they are solved.

use super::super::optimal::{Seen, seen_list};
use super::super::policy::{GemTable, seen_size};
use super::super::rules::{ExactError, MOST_COPIES, Rules, at_most};
use super::super::start::Start;

pub(super) const PLAYERS: u32 = 2;

/// Multisets of gems, and their division between two explorers.
#[derive(Debug)]
pub(super) struct Gems {
    pub(super) table: GemTable,
    /// Backpack of each of two, by multiset, if both were there for all of it.
    pub(super) half: Vec<u32>,
    /// Spare gems, by multiset, if both were there for all of it.
    pub(super) spare: Vec<u32>,
}

impl Gems {
    pub(super) fn new(rules: &Rules) -> Self {
        let table = GemTable::new(&rules.gems);
        let (mut half, mut spare) = (vec![0; table.sums.len()], vec![0; table.sums.len()]);
        // A multiset comes after all it contains.
        for multiset in 0..table.sums.len() {
            for (value, (next, left)) in table.more(multiset).enumerate() {
                if left > 0.0 {
                    half[next] = half[multiset] + table.values[value] / PLAYERS;
                    spare[next] = spare[multiset] + table.values[value] % PLAYERS;
                }
            }
        }
        Self { table, half, spare }
    }

    pub(super) fn len(&self) -> usize {
        self.table.sums.len()
    }

    pub(super) fn all(&self) -> u32 {
        self.table.sums.last().copied().unwrap_or(0)
    }
}

/// Layout of the values of a multiset in a layer: one for each backpack, ascending, or one in all.
#[derive(Debug)]
pub(super) struct Rows {
    /// By multiset, with one more at the end.
    starts: Vec<usize>,
    /// By value of a gem: distance along the row from a backpack to the one with that gem.
    shifts: Vec<usize>,
}

impl Rows {
    /// Rows of a lone explorer: backpacks from half of the gems to all of them.
    pub(super) fn alone(gems: &Gems) -> Self {
        let lengths = gems.table.sums.iter().zip(&gems.half).map(|(sum, half)| (sum - half) as usize + 1);
        let shifts = gems.table.values.iter().map(|value| (value - value / PLAYERS) as usize).collect();
        Self { starts: ends(lengths), shifts }
    }

    /// The backpack of two explorers follows from the gems.
    pub(super) fn together(gems: &Gems) -> Self {
        Self { starts: ends(gems.half.iter().map(|_| 1)), shifts: vec![0; gems.table.values.len()] }
    }

    pub(super) fn cells(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn start(&self, multiset: usize) -> usize {
        self.starts[multiset]
    }

    #[inline]
    pub(super) fn length(&self, multiset: usize) -> usize {
        self.starts[multiset + 1] - self.starts[multiset]
    }

    pub(super) fn longest(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }
}

/// Zero and the sums of the first one, two, … lengths.
fn ends(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let sums = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    std::iter::once(0).chain(sums).collect()
}

pub(super) struct Round<'r> {
    pub(super) rules: &'r Rules,
    pub(super) start: Start,
    pub(super) seen: Vec<Seen>,
    /// Value of the rounds to come, by number of artifacts claimed, with none left on the path.
    pub(super) after_claim: Vec<f64>,
    /// The same if none is claimed, by number left on the path.
    pub(super) after_left: Vec<f64>,
    /// The same after a bust, by artifacts on the path and copies of the hazard; `None` if there is
    /// no such hazard.
    after_bust: Vec<[Option<f64>; MOST_COPIES + 1]>,
}

/// Positions that differ in gems and backpack only.
pub(super) struct Place {
    pub(super) on_path: usize,
    /// Index among the sets of hazards.
    pub(super) seen: usize,
    /// Artifacts on the path, to a lone leaver.
    pub(super) worth: u32,
    /// Number of cards without gems.
    pub(super) path: usize,
    /// Number of cards, gems on the path included.
    cards: usize,
    /// Sets of hazards with one more kind, and the number of cards that lead to each.
    pub(super) hazards: Vec<(usize, f64)>,
    pub(super) artifacts: f64,
    /// Sum over the cards that bust.
    pub(super) busts: f64,
    /// Number of cards in the deck that bust.
    pub(super) risk: f64,
}

impl Place {
    #[inline]
    pub(super) fn deck(&self, table: &GemTable, multiset: usize) -> usize {
        self.cards - usize::from(table.cards[multiset])
    }
}

impl<'r> Round<'r> {
    /// `later` gives the value of a start of the next round, before its artifact enters.
    pub(super) fn new(rules: &'r Rules, start: Start, later: &dyn Fn(Start) -> f64) -> Self {
        let counts = 0..=usize::from(start.artifacts);
        let of_busts = |left: usize| {
            let mut values = [None; MOST_COPIES + 1];
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

    pub(super) fn is_last(&self) -> bool {
        let safe = self.after_claim.iter().chain(&self.after_left);
        safe.chain(self.after_bust.iter().flatten().flatten()).all(|value| *value == 0.0)
    }

    /// The highest value of the later rounds after a bust.
    pub(super) fn most_after_bust(&self) -> f64 {
        self.after_bust.iter().flatten().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    pub(super) fn place(&self, on_path: usize, index: usize) -> Place {
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

/// Values of a round's positions, with a layer for each set of hazards seen. Layers of one more
/// artifact on the path are overwritten by those of one less, whose positions ask only for their
/// own place.
pub(super) struct Layers {
    layers: Vec<Vec<f64>>,
    cells: usize,
}

impl Layers {
    pub(super) fn new(rows: &Rows) -> Self {
        Self { layers: Vec::new(), cells: rows.cells() }
    }

    /// Goes through the positions of a round, each after all that can follow it. `fill` gets the place, the
    /// multiset, and the values of its layer, of which it writes the multiset's row; it may ask
    /// [`Draw`] for the values of another card.
    pub(super) fn sweep(
        &mut self,
        gems: &Gems,
        rows: &Rows,
        round: &Round<'_>,
        mut fill: impl FnMut(&Place, usize, Draw<'_>),
    ) {
        if self.layers.len() < round.seen.len() {
            self.layers.resize(round.seen.len(), vec![0.0; self.cells]);
        }
        for on_path in (0..=usize::from(round.start.artifacts)).rev() {
            for seen in (0..round.seen.len()).rev() {
                let place = round.place(on_path, seen);
                let mut values = std::mem::take(&mut self.layers[seen]);
                for multiset in (0..gems.len()).rev() {
                    let draw = Draw {
                        gems,
                        rows,
                        place: &place,
                        multiset,
                        values: &mut values,
                        others: &self.layers,
                    };
                    fill(&place, multiset, draw);
                }
                self.layers[seen] = values;
            }
        }
    }

    pub(super) fn first(&self) -> f64 {
        self.layers[0][0]
    }
}

/// The row of a multiset that is about to be filled, and what one more card leads to.
pub(super) struct Draw<'l> {
    gems: &'l Gems,
    rows: &'l Rows,
    place: &'l Place,
    multiset: usize,
    values: &'l mut [f64],
    others: &'l [Vec<f64>],
}

impl Draw<'_> {
    /// The values after one more card, for the first backpacks of the row, as many as `sums` has room for.
    /// There must be a card.
    pub(super) fn values_after(&self, sums: &mut [f64]) {
        sums.fill(self.place.busts);
        let mut add = |row: &[f64], cards: f64| {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += cards * value;
            }
        };
        for (value, (next, left)) in self.gems.table.more(self.multiset).enumerate() {
            if left > 0.0 {
                add(&self.values[self.rows.start(next) + self.rows.shifts[value]..], left);
            }
        }
        let start = self.rows.start(self.multiset);
        for &(other, cards) in &self.place.hazards {
            add(&self.others[other][start..], cards);
        }
        if self.place.artifacts > 0.0 {
            add(&self.values[start..], self.place.artifacts);
        }
        let share = 1.0 / self.place.deck(&self.gems.table, self.multiset) as f64;
        sums.iter_mut().for_each(|sum| *sum *= share);
    }

    pub(super) fn row(&mut self) -> &mut [f64] {
        let start = self.rows.start(self.multiset);
        &mut self.values[start..start + self.rows.length(self.multiset)]
    }
}

/// Number of positions of all starts of the game.
pub(super) fn positions(starts: &[Vec<Start>], cells: usize) -> u64 {
    let layers = |start: &Start| (u64::from(start.artifacts) + 1) * seen_size(&start.kinds) as u64;
    starts.iter().flatten().map(layers).sum::<u64>().saturating_mul(cells as u64)
}

/// Refuses rules that would take hours, before anything is computed.
pub(super) fn check(rules: &Rules) -> Result<(), ExactError> {
    rules.check()?;
    at_most("multisets of gem cards", GemTable::count(&rules.gems), 100_000)
}
