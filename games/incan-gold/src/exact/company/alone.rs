//! Solves for the player left alone after the other has left.

use super::rows::{Gems, Layers, Place, Round, Rows};

/// Values of the explorer left alone, before the next card: `[hazards seen][multiset]`. All gems on the path
/// came while both were there, and no artifact is left on it.
pub(super) type Entries = Vec<Vec<f64>>;

/// Thresholds for leaving, in gems above half of those on the path: by artifacts on the path,
/// hazards seen, and multiset. Rows end with the last that is not zero.
pub(super) type Thresholds = Vec<Box<[u8]>>;

/// A threshold that no backpack of two players' row reaches; see `Rows::longest`.
pub(super) const LONGEST_ROW: u64 = 255;

/// Rounds are solved one after another with the same memory.
pub(super) struct Alone<'g> {
    gems: &'g Gems,
    rows: Rows,
    layers: Layers,
    sums: Vec<f64>,
}

impl<'g> Alone<'g> {
    pub(super) fn new(gems: &'g Gems) -> Self {
        let rows = Rows::alone(gems);
        let (layers, sums) = (Layers::new(&rows), vec![0.0; rows.longest()]);
        Self { gems, rows, layers, sums }
    }

    /// The best play: the own gems of the round and the value of the rounds to come.
    ///
    /// The larger the backpack, the more there is to lose: leaving at one backpack means leaving at all that
    /// are larger, with the same cards on the path.
    pub(super) fn best(&mut self, round: &Round<'_>) -> (Thresholds, Entries) {
        let Self { gems, rows, layers, sums } = self;
        let seen = round.seen.len();
        let in_deck = usize::from(round.start.artifacts);
        let mut thresholds = vec![vec![0u8; gems.len()]; (in_deck + 1) * seen];
        let mut entries = vec![vec![0.0; gems.len()]; seen];
        let bounds = Bounds::new(round);
        layers.sweep(gems, rows, round, |place, multiset, mut draw| {
            let length = rows.length(multiset);
            let leaving = f64::from(place.worth + gems.half[multiset]) + round.after_claim[place.on_path];
            let surely = if place.deck(&gems.table, multiset) == 0 {
                0
            } else {
                // R4.1: an explorer left alone draws a card before it may leave; the first value is
                // always needed.
                let left = gems.all() - gems.table.sums[multiset];
                bounds.surely_leaves(place, left, gems.half[multiset]).clamp(1, length)
            };
            let stay = &mut sums[..surely];
            if surely > 0 {
                draw.values_after(stay);
            }
            if place.on_path == 0 {
                // R6.3: without a card everybody walks out.
                entries[place.seen][multiset] = stay.first().copied().unwrap_or(leaving);
            }
            let first = stay.iter().enumerate().position(|(more, stay)| leaving + more as f64 >= *stay);
            let first = first.unwrap_or(surely);
            let row = draw.row();
            row[..first].copy_from_slice(&stay[..first]);
            for (more, value) in row.iter_mut().enumerate().skip(first) {
                *value = leaving + more as f64;
            }
            thresholds[place.on_path * seen + place.seen][multiset] = first as u8;
        });
        (thresholds.into_iter().map(trimmed).collect(), entries)
    }

    /// Values of following a strategy. `share` times its gems of the round count, and the rounds to come;
    /// `odds` fills in the probabilities of leaving for the backpacks of a row.
    pub(super) fn follow(
        &mut self,
        round: &Round<'_>,
        share: f64,
        mut odds: impl FnMut(&Place, usize, &mut [f64]),
    ) -> Entries {
        let Self { gems, rows, layers, sums } = self;
        let mut entries = vec![vec![0.0; gems.len()]; round.seen.len()];
        let mut leaves = vec![0.0; sums.len()];
        layers.sweep(gems, rows, round, |place, multiset, mut draw| {
            let length = rows.length(multiset);
            let (leaves, stay) = (&mut leaves[..length], &mut sums[..length]);
            if place.deck(&gems.table, multiset) == 0 {
                leaves.fill(1.0);
            } else {
                odds(place, multiset, leaves);
            }
            let (claimed, gained) = (round.after_claim[place.on_path], place.worth + gems.half[multiset]);
            let has_cards = place.deck(&gems.table, multiset) > 0;
            if has_cards && (place.on_path == 0 || leaves.iter().any(|&odds| odds < 1.0)) {
                draw.values_after(stay);
            } else {
                stay.fill(0.0);
            }
            if place.on_path == 0 {
                entries[place.seen][multiset] =
                    if has_cards { stay[0] } else { share * f64::from(gained) + claimed };
            }
            let row = draw.row();
            for (more, (value, (&leave, &stay))) in row.iter_mut().zip(leaves.iter().zip(&*stay)).enumerate()
            {
                let left = share * (f64::from(gained) + more as f64) + claimed;
                *value = leave * left + (1.0 - leave) * stay;
            }
        });
        entries
    }
}

fn trimmed(mut row: Vec<u8>) -> Box<[u8]> {
    row.truncate(row.iter().rposition(|&value| value > 0).map_or(0, |last| last + 1));
    row.into()
}

/// Backpacks from which leaving is certainly best, here and in all that can follow: what the deck
/// can still bring is less than what its deadly cards would cost. (The head of `optimal.rs` says
/// why.)
pub(super) struct Bounds {
    most_after_bust: f64,
    /// By artifacts on the path: the most that any further one adds to leaving; nothing if one can take away.
    added: Vec<Option<f64>>,
    /// By artifacts on the path: what leaving is worth besides the gems.
    leaving: Vec<f64>,
}

impl Bounds {
    pub(super) fn new(round: &Round<'_>) -> Self {
        let in_deck = usize::from(round.start.artifacts);
        let worth = |count| f64::from(round.start.worth(round.rules, 0, count));
        let leaving: Vec<f64> = (0..=in_deck).map(|count| worth(count) + round.after_claim[count]).collect();
        let added = (0..=in_deck).map(|on_path| {
            let steps = leaving[on_path..].windows(2).map(|pair| pair[1] - pair[0]);
            steps.clone().all(|step| step >= 0.0).then(|| steps.fold(0.0, f64::max))
        });
        Self { most_after_bust: round.most_after_bust(), added: added.collect(), leaving }
    }

    /// The number of gems above `least` from which leaving is certainly best, with `left` gems in the deck.
    /// It may exceed the number of gems there are.
    pub(super) fn surely_leaves(&self, place: &Place, left: u32, least: u32) -> usize {
        let Some(added) = self.added[place.on_path].filter(|_| place.risk > 0.0) else {
            return usize::MAX;
        };
        let ahead = self.leaving[place.on_path] - self.most_after_bust;
        let left = f64::from(left) + place.artifacts * added;
        let backpack = (left / place.risk).max(0.0) - ahead;
        // A number that is not positive becomes 0.
        (backpack - f64::from(least)).ceil() as usize
    }
}
