//! The solver for the explorer who stays when the others have left.

use super::induction::{Draw, Layers, Place, Round};
use super::party::Party;

/// Values of a lone explorer before the next card: `[hazards seen][multiset]`. All gems on the path came
/// while all players explored, and no artifact is left on the path.
pub(super) type Entries = Vec<Vec<f64>>;

/// Thresholds for leaving: the number of gems above the least backpack, `[artifacts on the path, then hazards
/// seen][multiset]`. Rows end with the last threshold that is not zero.
pub(super) type Thresholds = Vec<Box<[u8]>>;

/// Upper bound on the length of a row of backpacks of two players, so that a threshold fits into a byte. See
/// [`Level::widest`](super::party::Level).
pub(super) const MAX_ROW: u64 = 255;

/// The solver for the lone explorer of two players. It reuses its memory from round to round.
pub(super) struct Alone<'p> {
    party: &'p Party,
    layers: Layers<'p, 1>,
    sums: Vec<f64>,
}

impl<'p> Alone<'p> {
    pub(super) fn new(party: &'p Party) -> Self {
        Self { party, layers: Layers::of(party, 1), sums: vec![0.0; party.levels[0].widest()] }
    }

    /// The best play: it maximises the own gems of the round plus the value of the later rounds.
    ///
    /// A larger backpack has more to lose. So if leaving is best with one backpack, it is best with all
    /// larger ones, for the same cards on the path.
    pub(super) fn best(&mut self, round: &Round<'_>) -> (Thresholds, Entries) {
        let Self { party, layers, sums } = self;
        let mut thresholds = Thresholds::new();
        let mut entries = vec![vec![0.0; party.multisets()]; round.seen.len()];
        let mut row = vec![0; party.multisets()];
        let best = Best::new(party, round);
        layers.prepare(round);
        for place in round.places() {
            layers.visit(&place, |multiset, draw| {
                let stay = &mut sums[..party.levels[0].widths[multiset]];
                row[multiset] = best.fill(&place, multiset, draw, [stay]) as u8;
                if place.on_path == 0 {
                    entries[place.seen][multiset] = stay[0];
                }
            });
            let end = row.iter().rposition(|&more| more > 0).map_or(0, |last| last + 1);
            thresholds.push(row[..end].into());
        }
        thresholds.reverse();
        (thresholds, entries)
    }

    /// The values of following a strategy. A value is `share` times the gems of the round, plus the value of
    /// the later rounds. `odds` fills in the probabilities of leaving for the backpacks of a row.
    pub(super) fn follow(
        &mut self,
        round: &Round<'_>,
        share: f64,
        mut odds: impl FnMut(&Place, usize, &mut [f64]),
    ) -> Entries {
        let Self { party, layers, sums } = self;
        let mut entries = vec![vec![0.0; party.multisets()]; round.seen.len()];
        let mut leaves = vec![0.0; sums.len()];
        layers.prepare(round);
        for place in round.places() {
            let claimed = round.after_claim[place.on_path];
            layers.visit(&place, |multiset, mut draw| {
                let width = party.levels[0].widths[multiset];
                let (leaves, stay) = (&mut leaves[..width], &mut sums[..width]);
                let has_cards = place.deck(&party.table, multiset) > 0;
                if has_cards {
                    odds(&place, multiset, leaves);
                } else {
                    leaves.fill(1.0);
                }
                if has_cards && (place.on_path == 0 || leaves.iter().any(|&odds| odds < 1.0)) {
                    draw.values_after(0, stay);
                } else {
                    stay.fill(0.0);
                }
                let gained = place.worth + party.least[multiset];
                if place.on_path == 0 {
                    entries[place.seen][multiset] =
                        if has_cards { stay[0] } else { share * f64::from(gained) + claimed };
                }
                let [row] = draw.block();
                for (more, (value, (&leave, &stay))) in
                    row.iter_mut().zip(leaves.iter().zip(&*stay)).enumerate()
                {
                    let left = share * (f64::from(gained) + more as f64) + claimed;
                    *value = leave * left + (1.0 - leave) * stay;
                }
            });
        }
        entries
    }
}

/// The best decision of a lone explorer, who maximises its gems plus the value of the later rounds.
///
/// From some backpack on, leaving is certainly best, here and in all later positions. Define:
///
/// * `S`: the gems in the deck. `A`: the artifacts in the deck.
/// * `d`: the most that another artifact adds to the value of leaving.
/// * `L`: the value of leaving now, later rounds included. `V`: the largest value after a bust.
///
/// Assume that no artifact makes leaving worse. Let `B = S + A·d - Σ (n-1)·(L - V)`, summed over the kinds
/// seen, with `n` copies each. Then `B` is an upper bound on the gain of one more card, times the number of
/// cards in the deck. If `B <= 0`, leaving is best, and every card that can come makes `B` smaller.
pub(super) struct Best<'p> {
    party: &'p Party,
    most_after_bust: f64,
    /// By artifacts on the path: the most that one more artifact adds to the value of leaving; `None` if an
    /// artifact can lower it.
    added: Vec<Option<f64>>,
    /// By artifacts on the path: the value of leaving, without the gems.
    pub(super) leaving: Vec<f64>,
    /// By artifacts on the path: the value of the later rounds after leaving.
    after_claim: &'p [f64],
    is_last: bool,
}

impl<'p> Best<'p> {
    pub(super) fn new(party: &'p Party, round: &'p Round<'_>) -> Self {
        let in_deck = usize::from(round.start.artifacts);
        let worth = |count| f64::from(round.start.worth(round.rules, 0, count));
        let leaving: Vec<f64> = (0..=in_deck).map(|count| worth(count) + round.after_claim[count]).collect();
        let added = (0..=in_deck).map(|on_path| {
            let steps = leaving[on_path..].windows(2).map(|pair| pair[1] - pair[0]);
            steps.clone().all(|step| step >= 0.0).then(|| steps.fold(0.0, f64::max))
        });
        let (most_after_bust, added) = (round.most_after_bust(), added.collect());
        Self {
            party,
            most_after_bust,
            added,
            leaving,
            after_claim: &round.after_claim,
            is_last: round.is_last(),
        }
    }

    /// Fills in the block of a multiset: the values of the explorer, and with `N == 2` also those of the
    /// players who have left. `drawn` receives the values before the next card, as far as later positions
    /// need them. Returns the number of gems above the least from which the explorer leaves.
    #[inline]
    pub(super) fn fill<const N: usize>(
        &self,
        place: &Place,
        multiset: usize,
        mut draw: Draw<'_, N>,
        mut drawn: [&mut [f64]; N],
    ) -> usize {
        let party = self.party;
        let (claimed, least) = (self.after_claim[place.on_path], party.least[multiset]);
        let leaving = f64::from(place.worth + least) + claimed;
        let leave =
            |component: usize, more: usize| if component == 0 { leaving + more as f64 } else { claimed };
        let mut first = 0;
        if place.deck(&party.table, multiset) == 0 {
            // R6.3: with an empty deck all explorers leave.
            for (component, values) in drawn.iter_mut().enumerate() {
                values.iter_mut().enumerate().for_each(|(more, value)| *value = leave(component, more));
            }
        } else {
            let width = drawn[0].len();
            let surely = self.surely_leaves(place, party.left(multiset), least).min(width);
            // R4.1: an explorer left alone draws a card before it may leave. Earlier leavers may have left
            // spare gems on the path.
            let entered = party.levels[1].widths[multiset] + party.players - 2;
            let asked = surely.max(entered).min(width);
            for (component, values) in drawn.iter_mut().enumerate() {
                if component > 0 && self.is_last {
                    values[..asked].fill(0.0);
                } else {
                    draw.values_after(component, &mut values[..asked]);
                }
            }
            let leaves = |(more, stay): (usize, &f64)| leaving + more as f64 >= *stay;
            first = drawn[0][..surely].iter().enumerate().position(leaves).unwrap_or(surely);
        }
        for (component, (row, drawn)) in draw.block().into_iter().zip(&drawn).enumerate() {
            row[..first].copy_from_slice(&drawn[..first]);
            row.iter_mut().enumerate().skip(first).for_each(|(more, value)| *value = leave(component, more));
        }
        first
    }

    /// The number of gems above `least` from which leaving is certainly best, with `left` gems in the deck.
    /// It may exceed the largest possible number of gems.
    #[inline]
    pub(super) fn surely_leaves(&self, place: &Place, left: u32, least: u32) -> usize {
        let Some(added) = self.added[place.on_path].filter(|_| place.risk > 0.0) else {
            return usize::MAX;
        };
        let ahead = self.leaving[place.on_path] - self.most_after_bust;
        let left = f64::from(left) + place.artifacts * added;
        let backpack = (left / place.risk).max(0.0) - ahead;
        // The conversion turns a negative number into 0.
        (backpack - f64::from(least)).ceil() as usize
    }
}
