//! Encoding of a seat's observation as numbers, for learners.

use meeple_core::{Encode, FieldSink, Meaning, Seat};

use crate::action::Action;
use crate::card::bits;
use crate::game::IncanGold;
use crate::observe::Observation;
use crate::variant::MAX_HAZARD_KINDS;

const ROUND: Meaning = Meaning::share("round", "all rounds", "Rounds that are over.");
const TURN: Meaning = Meaning::share("turn", "all cards", "Cards drawn this round.");
const DECK: Meaning = Meaning::share("deck", "all cards", "Cards left in the deck.");
const BACKPACK: Meaning = Meaning::share("backpack", "a haul", "Gems in the backpack of each explorer.");
const SPARE: Meaning = Meaning::share("spare", "a haul", "Gems on the path.");
const ALONE: Meaning =
    Meaning::share("alone", "a haul", "Gems that an explorer who left alone now would bring home.");
const EXPLORERS: Meaning = Meaning::share("explorers", "all seats", "Number of explorers.");
const EXPLORES: Meaning = Meaning::flag("explores", "Seats that explore, from the own seat on.");
const DECIDED: Meaning =
    Meaning::flag("decided", "The own decision that waits for those of others: to stay, to leave.");
const PHASE: Meaning = Meaning::flag(
    "phase",
    "The phase: a decision is owed, a card is drawn, the game is \
                                               over.",
);
const TENTS: Meaning = Meaning::share("tents", "a haul", "Gems in the tents, from the own seat on.");
const LEAD: Meaning = Meaning::signed("lead", "a haul", "The own tent minus the best of the others.");
const LEAD_ALONE: Meaning =
    Meaning::signed("lead_alone", "a haul", "The same lead, if the own explorer left alone now.");
const OWN_ARTIFACTS: Meaning =
    Meaning::share("artifacts_of", "all artifacts", "Artifacts claimed, from the own seat on.");
const ARTIFACTS: Meaning =
    Meaning::share("artifacts", "all artifacts", "Artifacts on the path, in the deck, claimed by anybody.");
const ARTIFACT_WORTH: Meaning = Meaning::share(
    "artifact_worth",
    "a haul",
    "Value of the artifacts on the path for an explorer who \
                                                leaves alone.",
);
const SEEN: Meaning = Meaning::flag("hazard_seen", "By kind of hazard: it is on the path.");
const LEFT: Meaning = Meaning::share("hazard_left", "copies", "By kind of hazard: its cards in the deck.");
const NEXT: Meaning = Meaning::share(
    "next_card",
    "probability",
    "The next card is a gem, a first hazard, a hazard that ends the round, an artifact.",
);
const SHARE: Meaning = Meaning::share(
    "next_share",
    "a haul",
    "Mean gems that the next card brings every explorer if it is a gem card.",
);
const RISK: Meaning =
    Meaning::share("risk", "a haul", "Expected gems that every explorer loses at the next card.");

impl Encode for IncanGold {
    const VERSION: u32 = 1;

    /// Encodes gems as shares of a haul: all gems and artifacts of the variant, the most that a round can
    /// bring.
    #[inline]
    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let variant = &self.variant;
        let rounds = f32::from(variant.rounds);
        let deck = seen.deck_set();
        let left = deck.count_ones();
        let share = |count: u32, all: usize| count as f32 / all.max(1) as f32;
        let hauls = |gems: u32| self.shares.haul(gems);
        let over = seen.round() > u32::from(variant.rounds);
        let around = || seat.around(self.seats);

        sink.one(ROUND, share(seen.round() - 1, variant.rounds.into()));
        sink.one(TURN, self.shares.cards(seen.turn()));
        sink.one(DECK, self.shares.cards(left));
        sink.one(BACKPACK, hauls(seen.backpack()));
        sink.one(SPARE, hauls(seen.spare()));
        let alone = seen.backpack() + seen.spare() + seen.artifact_worth(0);
        sink.one(ALONE, hauls(alone));
        sink.one(EXPLORERS, self.shares.seats(seen.explorers()));
        sink.flags(EXPLORES, around().map(|seat| seen.explores(seat)));
        let decided = seen.decided();
        sink.flags(DECIDED, [decided == Some(Action::Stay), decided == Some(Action::Leave)]);
        let deciding = seen.is_deciding();
        sink.flags(PHASE, [deciding, !deciding && !over, over]);

        // R5: a round adds at most one haul to a tent.
        sink.field(TENTS.times(rounds), around().map(|seat| hauls(seen.tent(seat))));
        let best = around().skip(1).map(|seat| seen.tent(seat)).max().unwrap_or(0);
        let own = seen.tent(seat);
        sink.one(LEAD.times(rounds), hauls(own) - hauls(best));
        let added = if seen.explores(seat) { alone } else { 0 };
        sink.one(LEAD_ALONE.times(rounds), hauls(own + added) - hauls(best));

        let artifacts = |count: u32| share(count, variant.artifacts());
        sink.field(OWN_ARTIFACTS, around().map(|seat| artifacts(seen.artifacts_of(seat))));
        // `count_ones` is slow without the popcnt target feature, so each count is computed once.
        let mut copies = [0; MAX_HAZARD_KINDS];
        copies
            .iter_mut()
            .zip(self.pack.hazards())
            .for_each(|(count, kind)| *count = (deck & kind).count_ones());
        let copies = &copies[..usize::from(variant.hazard_kinds)];
        let gems = deck & self.pack.gems();
        let gem_count = gems.count_ones();
        let in_deck = left - gem_count - copies.iter().sum::<u32>();
        sink.field(ARTIFACTS, [seen.artifacts(), in_deck, seen.artifacts_claimed()].map(artifacts));
        sink.one(ARTIFACT_WORTH, hauls(seen.artifact_worth(0)));

        let kinds = || copies.iter().zip(0u8..);
        sink.flags(SEEN, kinds().map(|(_, kind)| seen.hazard_seen(kind)));
        sink.field(LEFT, copies.iter().map(|count| share(*count, variant.hazard_copies.into())));
        // The count is multiplied by the flag, because a branch on it would be unpredictable.
        let fatal: u32 = kinds().map(|(count, kind)| count * u32::from(seen.hazard_seen(kind))).sum();
        let harmless = left - in_deck - fatal - gem_count;
        sink.field(NEXT, [gem_count, harmless, fatal, in_deck].map(|count| share(count, left as usize)));
        let effects = self.effects(seen.explorers().max(1) as u16);
        let shares: u32 = bits(gems).map(|bit| effects[bit as usize % effects.len()].haul.backpack).sum();
        sink.one(SHARE, hauls(shares) / gem_count.max(1) as f32);
        sink.one(RISK, hauls(seen.backpack()) * share(fatal, left as usize));
    }
}
