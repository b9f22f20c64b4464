//! Observations as positions of the exact tables.

use crate::card::Card;
use crate::exact::{Hazard, Position};
use crate::observe::Observation;
use crate::variant::MAX_HAZARD_KINDS;

/// Calls `ask` with the observed position and the gems on the path.
pub(crate) fn with_position<T>(
    observation: &Observation<'_>,
    ask: impl FnOnce(&Position<'_>, &mut dyn Iterator<Item = u32>) -> T,
) -> T {
    // One pass over the deck suffices: cards missing from it lie on the path.
    let mut artifacts = observation.artifacts();
    let mut hazards = std::array::from_fn::<_, MAX_HAZARD_KINDS, _>(|kind| {
        let seen = observation.hazard_seen(kind as u8);
        Hazard { copies: u32::from(seen), seen }
    });
    for (card, count) in observation.deck() {
        match card {
            Card::Hazard(kind) => hazards[usize::from(kind)].copies += count,
            Card::Artifact | Card::PrintedArtifact(_) => artifacts += count,
            Card::Gem(_) => {}
        }
    }
    let position = Position {
        round: observation.round(),
        hazards: &hazards,
        artifacts,
        artifacts_on_path: observation.artifacts(),
        claimed: observation.artifacts_claimed(),
        backpack: observation.backpack(),
    };
    let mut gems = observation.path().iter().filter_map(|card| match card {
        Card::Gem(value) => Some(u32::from(*value)),
        _ => None,
    });
    ask(&position, &mut gems)
}
