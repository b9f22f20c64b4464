//! The inputs of the strategies, and the strategies that need no others: played by agents, and evaluated
//! exactly by [`exact`](crate::exact).

use crate::card::Card;

/// The view of an explorer who decides.
pub(crate) trait Sight {
    /// Cards drawn this round.
    fn turn(&self) -> u32;
    /// Gems in the backpack of each explorer.
    fn backpack(&self) -> u32;
    /// Gems on the path.
    fn spare(&self) -> u32;
    /// Number of explorers.
    fn explorers(&self) -> u32;
    /// Number of distinct hazards on the path.
    fn hazards(&self) -> u32;
    /// True if this hazard kind is on the path.
    fn hazard_seen(&self, kind: u8) -> bool;
    /// Artifacts on the path.
    fn artifacts(&self) -> u32;
    /// Points for `extra` artifacts beside those on the path, to a lone leaver now.
    fn artifact_worth(&self, extra: u32) -> u32;
    /// The distinct cards left in the deck with their numbers.
    fn deck(&self) -> impl Iterator<Item = (Card, u32)>;
    /// Number of cards left in the deck.
    fn deck_size(&self) -> u32;
}

/// A strategy that leaves nothing to chance.
pub(crate) trait Rule {
    /// True if it leaves.
    fn leaves(&self, seen: &impl Sight) -> bool;

    /// True if it asks for the number of the turn.
    fn counts_turns(&self) -> bool {
        false
    }
}

/// Never leaves by itself.
pub(crate) struct Never;

impl Rule for Never {
    #[inline]
    fn leaves(&self, _: &impl Sight) -> bool {
        false
    }
}

/// Leaves when seeing one more card and leaving then is not better, in expectation.
pub(crate) struct Lookahead;

impl Rule for Lookahead {
    fn leaves(&self, seen: &impl Sight) -> bool {
        let now = seen.backpack() + seen.spare() + seen.artifact_worth(0);
        next_card_then_leave(seen, now) <= f64::from(now)
    }
}

/// Expected points of an explorer who sees one more card and then leaves alone, where leaving now gives
/// `now`; the others stay both times.
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
