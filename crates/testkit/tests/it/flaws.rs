//! Every flaw of the toy game is detected, and by the law that names it.

use meeple_testkit::Laws;
use meeple_testkit::toys::{Flaw, Hands, Posts, PostsFlaw};

use crate::every_law::note;

/// The laws that may detect a flaw; none for the sound game.
fn noticed_by(flaw: Flaw) -> &'static [&'static str] {
    match flaw {
        Flaw::None => &[],
        Flaw::ObservationLeaks => &["determinize-keeps-information"],
        Flaw::ObservationCountsEarly => &["early-decisions-stay-secret"],
        Flaw::LegalActionsPeek => &["simultaneous-order", "early-decisions-stay-secret"],
        Flaw::EarlyEvent => &["early-decisions-stay-secret"],
        Flaw::EventLeaks => &["events-keep-secrets"],
        Flaw::DeterminizeCopies => &["determinize-sees-observation-only"],
        Flaw::DeterminizeCopiesFolded => &["determinize-sees-observation-only"],
        Flaw::DeterminizeForgets => &["determinize-keeps-information"],
        Flaw::KeyForgets => &["equal-keys-look-alike"],
        Flaw::ListUnsorted | Flaw::ListRepeats => &["list-sorted-unique"],
        Flaw::ListEmpty => &["list-not-empty"],
        Flaw::IdsClash => &["ids-distinct"],
        Flaw::CheckTooKind => &["check-agrees-with-list"],
        Flaw::SampleTooNarrow => &["samples-full-support"],
        Flaw::SampleIllegal => &["samples-legal", "determinized-states-playable"],
        Flaw::FallbackIllegal => &["fallback-legal"],
        Flaw::IllegalChanges => &["illegal-changes-nothing"],
        Flaw::OverAccepts => &["over-refuses"],
        Flaw::BystandersAct => &["bystanders-refused"],
        Flaw::UncheckedDiffers => &["unchecked-twin"],
        Flaw::ActionTextLies => &["action-text-round-trip"],
        Flaw::ChanceTextLies => &["chance-text-round-trip"],
        Flaw::ChanceUneven => &["chance-frequencies"],
        Flaw::ChanceSum => &["chance-sums-to-one"],
        Flaw::ChanceUnlisted => &["chance-samples-listed", "chance-samples-possible"],
        Flaw::ChanceUnchecked => &["check-chance-refuses-what-is-never-drawn"],
        Flaw::ResolveDiffers => &["resolve-chance-is-sample-and-apply"],
        Flaw::DecisionsOwedAgain => &["decisions-are-stored"],
        Flaw::OrderMatters => &["simultaneous-order"],
        Flaw::ResetForgets => &["reset-equals-initial"],
        Flaw::PlacesWrong => &["places-valid"],
        Flaw::ScoreTwice => &["one-score"],
        Flaw::FigureMissing => &["figures-as-declared"],
        Flaw::FigureFraction => &["figures-of-their-kind"],
        Flaw::TurnPlaceTwice | Flaw::TurnOrderUntold => &["turn-order-complete"],
        Flaw::Endless => &["episodes-end", "determinized-states-playable"],
        Flaw::SpotIllegal => &["spots-parse", "spots-legal"],
        Flaw::PartsAlike | Flaw::PartsEndEarly => &["parts-tell-actions-apart"],
        Flaw::PartsEmpty => &["parts-have-words"],
        Flaw::PartsNamedTwice => &["parts-have-different-labels"],
        Flaw::DrawingBroken => &["drawing-has-size"],
        Flaw::EncodingNamesTwice => &["encoding-declared"],
        Flaw::EncodingLeaks => &["encoding-is-determined-by-the-observation"],
        Flaw::EncodingTellsNothing => &["encoding-tells-positions-apart"],
        Flaw::HintsSkip => &["hints-weigh-every-action"],
        Flaw::HintsPeek => &["hints-see-the-observation-only"],
        Flaw::HintsIllegal => &["hints-are-legal"],
        Flaw::HintsRemember => &["hints-do-not-remember"],
        Flaw::HintsUncertain => &["hints-score-every-seat"],
        Flaw::EncodingUnbounded | Flaw::EncodingSkips => &["encoding-in-bounds"],
    }
}

#[test]
pub fn every_flaw_is_noticed() {
    let mut wrong = Vec::new();
    for flaw in Flaw::ALL {
        let laws = Laws::new(Hands::with_flaw(*flaw, 3)).episodes(30).longest(2_000);
        match (laws.run(), noticed_by(*flaw)) {
            (Ok(()), []) => {}
            (Ok(()), expected) => wrong.push(format!("{flaw}: expected {expected:?}, noticed nothing")),
            (Err(broken), expected) if expected.contains(&broken.law) => note(broken.law),
            (Err(broken), expected) => wrong.push(format!("{flaw}: expected {expected:?}, found {broken}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Structured actions have no list, so only `apply` shows whether the game accepts what `check` accepts.
#[test]
pub fn a_game_that_refuses_what_it_checked_is_noticed() {
    let broken = Laws::new(Posts::with_flaw(PostsFlaw::Stubborn, 2)).run().unwrap_err();
    assert_eq!(broken.law, "apply-agrees-with-check", "{broken}");
    note(broken.law);
}

#[test]
pub fn every_flaw_of_a_composer_is_noticed() {
    for (flaw, law) in [
        (PostsFlaw::ComposerForgets, "composer-reads-on"),
        (PostsFlaw::ComposerStays, "composer-steps-back"),
        (PostsFlaw::ComposerPointsNowhere, "composer-points-at-targets"),
        (PostsFlaw::ComposerEnds, "composer-goes-on"),
        (PostsFlaw::ComposerTooEarly, "composer-makes-legal-actions"),
    ] {
        let broken = Laws::new(Posts::with_flaw(flaw, 2)).run().unwrap_err();
        assert_eq!(broken.law, law, "{broken}");
        note(broken.law);
    }
}

#[test]
fn a_broken_law_says_where_and_how_to_see_it_again() {
    let laws = Laws::new(Hands::with_flaw(Flaw::ListUnsorted, 3)).seed(7);
    let message = laws.run().unwrap_err().to_string();
    for part in [
        "law 'list-sorted-unique' is broken",
        "game hands",
        "3 seats",
        "\"flaw\":\"list-unsorted\"",
        "in episode 0 of seed 7",
        "reproduce: Laws::new",
    ] {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}
