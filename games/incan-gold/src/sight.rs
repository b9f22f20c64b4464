//! The inputs of strategies, and the strategies without parameters. Agents play them, and
//! [`exact`](crate::exact) evaluates them.

use crate::card::Card;

/// The view of a deciding explorer; see [`Observation`](crate::Observation).
pub(crate) trait Sight {
    fn turn(&self) -> u32;
    fn backpack(&self) -> u32;
    fn spare(&self) -> u32;
    fn explorers(&self) -> u32;
    fn hazards(&self) -> u32;
    fn hazard_seen(&self, kind: u8) -> bool;
    fn artifacts(&self) -> u32;
    fn artifact_worth(&self, extra: u32) -> u32;
    fn deck(&self) -> impl Iterator<Item = (Card, u32)>;
    fn deck_size(&self) -> u32;
}

/// A deterministic strategy.
pub(crate) trait Rule {
    /// Returns true if the explorer leaves.
    fn leaves(&self, seen: &impl Sight) -> bool;

    /// Returns true if the decision depends on the number of the turn.
    fn counts_turns(&self) -> bool {
        false
    }
}

pub(crate) struct Never;

impl Rule for Never {
    #[inline]
    fn leaves(&self, _: &impl Sight) -> bool {
        false
    }
}

/// Leaves if one more card, followed by leaving, does not bring more points in expectation.
pub(crate) struct Lookahead;

impl Rule for Lookahead {
    fn leaves(&self, seen: &impl Sight) -> bool {
        let now = seen.backpack() + seen.spare() + seen.artifact_worth(0);
        next_card_then_leave(seen, now) <= f64::from(now)
    }
}

/// Expected points of an explorer who sees one more card and then leaves alone. Leaving alone now gives
/// `now`; the other explorers stay in both cases.
fn next_card_then_leave(seen: &impl Sight, now: u32) -> f64 {
    let explorers = seen.explorers().max(1);
    let mut total = 0.0;
    for (card, count) in seen.deck() {
        let points = match card {
            Card::Hazard(kind) if seen.hazard_seen(kind) => 0,
            Card::Hazard(_) => now,
            Card::Artifact => seen.backpack() + seen.spare() + seen.artifact_worth(1),
            Card::PrintedArtifact(worth) => now + u32::from(worth),
            Card::Gem(value) => {
                let value = u32::from(value);
                now + value / explorers + value % explorers
            }
        };
        total += f64::from(count) * f64::from(points);
    }
    total / f64::from(seen.deck_size().max(1))
}
