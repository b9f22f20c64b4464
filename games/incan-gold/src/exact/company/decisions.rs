//! The leaving decisions in all positions of a round with one start. Most take two bits.

use super::super::party::Party;
use super::super::policy::seen_size;
use super::super::start::Start;

#[derive(Debug)]
pub(super) struct Decisions {
    seen: usize,
    /// By artifacts on the path, then by set of hazards seen.
    places: Vec<AtPlace>,
    /// Buffer for the current place: the lone explorer's thresholds for leaving, by multiset.
    alone: Vec<u16>,
    /// Buffer for the current place: probabilities of leaving, by number of explorers minus 2, then by cell.
    together: Vec<Vec<f32>>,
}

/// The decisions in positions that differ only in gems and backpacks.
#[derive(Debug, Default)]
struct AtPlace {
    /// By multiset: the number of gems above the least from which a lone explorer leaves. The list ends with
    /// the last entry that is not zero.
    alone: Box<[u16]>,
    /// Decisions of several explorers, by their number minus 2.
    together: Vec<Mixes>,
}

/// Probabilities by cell, most of which are 0 or 1. Cells beyond the end have probability 1.
#[derive(Debug)]
pub(super) struct Mixes {
    /// Two bits per cell: [`STAYS`], [`LEAVES`] or [`MIXES`].
    codes: Box<[u64]>,
    /// By word of codes: the number of entries of `between` for earlier words.
    before: Box<[u32]>,
    /// The probabilities strictly between 0 and 1, by cell.
    between: Box<[f32]>,
}

const CELLS_A_WORD: usize = 32;
const STAYS: u64 = 0;
const LEAVES: u64 = 1;
const MIXES: u64 = 2;

impl Mixes {
    pub(super) fn new(odds: &[f32]) -> Self {
        let end = odds.iter().rposition(|&odds| odds < 1.0).map_or(0, |last| last + 1);
        let (mut codes, mut before, mut between) = (Vec::new(), Vec::new(), Vec::new());
        for cells in odds[..end].chunks(CELLS_A_WORD) {
            before.push(between.len() as u32);
            let mut word = 0;
            for (place, &odds) in cells.iter().enumerate() {
                let code = match odds {
                    0.0 => STAYS,
                    1.0 => LEAVES,
                    _ => {
                        between.push(odds);
                        MIXES
                    }
                };
                word |= code << (2 * place);
            }
            codes.push(word);
        }
        // The padding of the last word can be read, so it must have probability 1.
        if let Some(word) = codes.last_mut() {
            for place in (end - 1) % CELLS_A_WORD + 1..CELLS_A_WORD {
                *word |= LEAVES << (2 * place);
            }
        }
        Self { codes: codes.into(), before: before.into(), between: between.into() }
    }

    pub(super) fn at(&self, cell: usize) -> f64 {
        let (word, place) = (cell / CELLS_A_WORD, cell % CELLS_A_WORD);
        let Some(codes) = self.codes.get(word) else { return 1.0 };
        match codes >> (2 * place) & 3 {
            STAYS => 0.0,
            LEAVES => 1.0,
            _ => {
                const SECOND_BITS: u64 = 0xaaaa_aaaa_aaaa_aaaa;
                let below = codes & SECOND_BITS & ((1 << (2 * place)) - 1);
                self.between[self.before[word] as usize + below.count_ones() as usize].into()
            }
        }
    }
}

impl Decisions {
    pub(super) fn new(party: &Party, start: &Start) -> Self {
        let seen = seen_size(&start.kinds);
        let places = (0..(usize::from(start.artifacts) + 1) * seen).map(|_| AtPlace::default()).collect();
        let mut decisions = Self { seen, places, alone: Vec::new(), together: Vec::new() };
        decisions.alone = vec![0; party.least.len()];
        decisions.together = party.levels[1..].iter().map(|level| vec![1.0; level.cells()]).collect();
        decisions
    }

    /// Records the lone explorer's threshold: the number of gems above the least from which it leaves.
    pub(super) fn alone(&mut self, multiset: usize, from: usize) {
        self.alone[multiset] = from as u16;
    }

    pub(super) fn together(&mut self, explorers: usize, cell: usize, odds: f64) {
        self.together[explorers - 2][cell] = odds as f32;
    }

    /// Stores the decisions of a place. All of them must be recorded before.
    pub(super) fn close(&mut self, on_path: usize, seen: usize) {
        let end = self.alone.iter().rposition(|&from| from > 0).map_or(0, |last| last + 1);
        let place = AtPlace {
            alone: self.alone[..end].into(),
            together: self.together.iter().map(|odds| Mixes::new(odds)).collect(),
        };
        self.places[on_path * self.seen + seen] = place;
        if on_path + seen == 0 {
            (self.alone, self.together) = (Vec::new(), Vec::new());
        }
    }

    /// The probability of leaving with `more` gems than the least; `None` if there is no such position.
    pub(super) fn odds(
        &self,
        party: &Party,
        explorers: usize,
        on_path: usize,
        seen: usize,
        multiset: usize,
        [more, spare]: [u32; 2],
    ) -> Option<f64> {
        let place = self.places.get(on_path * self.seen + seen)?;
        if explorers == 1 {
            let from = place.alone.get(multiset).copied().unwrap_or(0);
            return Some(if more + spare >= from.into() { 1.0 } else { 0.0 });
        }
        let level = party.levels.get(explorers - 1)?;
        let full = explorers == party.players;
        let (more, spare) = if full { (0, 0) } else { (more as usize, spare as usize) };
        let is_known = more < level.widths[multiset] && spare < level.rows[multiset];
        let cell = is_known.then(|| party.cell(explorers, multiset, more, spare))?;
        Some(place.together.get(explorers - 2)?.at(cell))
    }
}
