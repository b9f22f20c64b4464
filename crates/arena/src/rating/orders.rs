//! Counted finishing orders, the input of ratings.

use std::collections::BTreeMap;

use meeple_core::Stream;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrant {
    pub competitor: u16,
    pub seat: u16,
    /// Smaller is better, equal places are a tie, gaps are irrelevant.
    pub place: u32,
}

/// The finishing orders of episodes, in deal groups.
///
/// Equal orders are stored once and counted: a hundred thousand episodes of four agents are a few hundred
/// patterns. The sequence of groups affects only the draws of the bootstrap.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    pub(super) competitors: usize,
    pub(super) seats: usize,
    pub(super) patterns: Vec<Pattern>,
    known: BTreeMap<Vec<u32>, u32>,
    /// Pattern of every episode, group by group.
    pub(super) episodes: Vec<u32>,
    /// Start index of each group in `episodes`.
    pub(super) groups: Vec<u32>,
    last_group: Option<u64>,
}

/// A finishing order: entrants with seats, in blocks of equal place, best first.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub entrants: Vec<(u16, u16)>,
    pub blocks: Vec<u16>,
}

impl Orders {
    pub fn new(competitors: usize) -> Self {
        Self { competitors, ..Self::default() }
    }

    /// Adds an episode. Episodes of a deal group must be consecutive. Episodes with fewer than two entrants
    /// carry no information and are skipped.
    ///
    /// # Panics
    /// If a competitor's index is out of range.
    pub fn add(&mut self, group: u64, entrants: &[Entrant]) {
        if entrants.len() < 2 {
            return;
        }
        if self.last_group != Some(group) {
            self.last_group = Some(group);
            self.groups.push(self.episodes.len() as u32);
        }
        let mut sorted = entrants.to_vec();
        sorted.sort_by_key(|entrant| (entrant.place, entrant.competitor, entrant.seat));
        let mut key = Vec::with_capacity(2 * sorted.len());
        let mut blocks: Vec<u16> = Vec::new();
        for (index, entrant) in sorted.iter().enumerate() {
            assert!(usize::from(entrant.competitor) < self.competitors, "competitor out of range");
            self.seats = self.seats.max(usize::from(entrant.seat) + 1);
            if index > 0 && sorted[index - 1].place == entrant.place {
                *blocks.last_mut().expect("the first entrant began a block") += 1;
            } else {
                blocks.push(1);
            }
            key.push(u32::from(entrant.competitor) << 16 | u32::from(entrant.seat));
            key.push(blocks.len() as u32);
        }
        let next = self.patterns.len() as u32;
        let pattern = *self.known.entry(key).or_insert(next);
        if pattern == next {
            let entrants = sorted.iter().map(|entrant| (entrant.competitor, entrant.seat)).collect();
            self.patterns.push(Pattern { entrants, blocks });
        }
        self.episodes.push(pattern);
    }

    pub fn competitors(&self) -> usize {
        self.competitors
    }

    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    pub fn episodes(&self) -> usize {
        self.episodes.len()
    }

    pub(super) fn counts(&self) -> Vec<f64> {
        let mut counts = vec![0.0; self.patterns.len()];
        for pattern in &self.episodes {
            counts[*pattern as usize] += 1.0;
        }
        counts
    }

    /// Draws as many groups as there are, with replacement, and counts their patterns.
    pub(super) fn draw_groups(&self, stream: &mut Stream, counts: &mut Vec<f64>) {
        counts.clear();
        counts.resize(self.patterns.len(), 0.0);
        for _ in 0..self.groups.len() {
            let group = stream.index(self.groups.len());
            let begin = self.groups[group] as usize;
            let end = self.groups.get(group + 1).map_or(self.episodes.len(), |end| *end as usize);
            for pattern in &self.episodes[begin..end] {
                counts[*pattern as usize] += 1.0;
            }
        }
    }

    /// True if seat effects are identifiable: there are several seats, and every competitor that played sat
    /// at more than one.
    pub(super) fn seats_are_mixed(&self) -> bool {
        let mut seat_of = vec![None; self.competitors];
        let mut moved = vec![false; self.competitors];
        for (competitor, seat) in self.patterns.iter().flat_map(|pattern| &pattern.entrants) {
            let first = seat_of[usize::from(*competitor)].get_or_insert(*seat);
            moved[usize::from(*competitor)] |= *first != *seat;
        }
        let played = seat_of.iter().zip(&moved).filter(|(seat, _)| seat.is_some());
        self.seats > 1 && played.clone().count() > 0 && played.clone().all(|(_, moved)| *moved)
    }
}
