//! Every flaw of Dice is detected, and by one law.

use crate::toys::dice::{Dice, DiceFlaw};
use meeple_testkit::Laws;

use crate::every_law::note;

/// Laws to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// All laws.
    All,
    /// Only the laws of whole episodes, because the laws of single positions would detect the flaw earlier.
    Episodes,
}

/// The runs and laws that detect a flaw; none for the sound game.
fn noticed_by(flaw: DiceFlaw) -> &'static [(Run, &'static str)] {
    use Run::{All, Episodes};
    match flaw {
        DiceFlaw::None => &[],
        DiceFlaw::ActionTorn => &[(All, "action-text-one-line")],
        DiceFlaw::ActionReadsAsOther => &[(All, "action-text-round-trip"), (Episodes, "replay-verifies")],
        DiceFlaw::ActionOfNothing | DiceFlaw::ActionOfOther => {
            &[(All, "ids-invert"), (Episodes, "batch-equals-episodes")]
        }
        DiceFlaw::ApplyRefuses => &[(All, "apply-agrees-with-list")],
        DiceFlaw::AudienceOfNobody => &[(All, "audience-names-seats")],
        DiceFlaw::BoundTooLow => &[(All, "ids-below-bound")],
        DiceFlaw::ChanceActs => &[(All, "chance-phase-refuses")],
        DiceFlaw::ChanceCheckTooKind => &[(All, "check-chance-agrees-with-list")],
        DiceFlaw::ChanceListsNothing => &[(All, "chance-list-not-empty")],
        DiceFlaw::ChanceListsTwice => &[(All, "chance-list-distinct")],
        DiceFlaw::ChanceListsZero => &[(All, "chance-probability-positive")],
        DiceFlaw::ChanceMoody => &[(All, "chance-repeatable")],
        DiceFlaw::ChanceRefused => &[(All, "chance-samples-possible")],
        DiceFlaw::ChanceTorn => &[(All, "chance-text-one-line")],
        DiceFlaw::CloneDiffers => &[(All, "clone-equals")],
        DiceFlaw::CloneFromDiffers => &[(All, "clone-from-equals")],
        DiceFlaw::DeterminizeWears => &[(All, "nothing-hidden-nothing-redrawn")],
        DiceFlaw::DrawingMoody => &[(All, "drawing-repeatable")],
        DiceFlaw::EndUndeclared => &[(All, "end-reason-declared")],
        DiceFlaw::Endless => &[(Episodes, "episodes-end")],
        DiceFlaw::EventMatters => &[(All, "events-do-not-matter")],
        DiceFlaw::EventMoody => &[(Episodes, "same-seed-same-bytes")],
        DiceFlaw::EventTorn => &[(All, "event-text-one-line")],
        DiceFlaw::EventUnwritten => &[(All, "event-serialises")],
        DiceFlaw::InputRefused => &[(All, "input-accepts-action-text")],
        DiceFlaw::LengthMoody => &[(All, "length-repeatable")],
        DiceFlaw::ListMoody => &[(All, "list-repeatable")],
        DiceFlaw::MarksNothing => &[(All, "ids-marked")],
        DiceFlaw::NobodyDecides => &[(All, "decide-names-somebody")],
        DiceFlaw::ObservationUnwritten => &[(All, "observation-serialises")],
        DiceFlaw::OddSampled => &[(All, "samples-listed")],
        DiceFlaw::OutcomeMoody => &[(All, "outcome-repeatable")],
        DiceFlaw::OutComesBack => &[(All, "who-is-out-stays-out")],
        DiceFlaw::OutcomeShort => &[(All, "outcome-for-every-seat")],
        DiceFlaw::SampleIllegal => &[(All, "samples-legal")],
        DiceFlaw::ReasonMissing => &[(All, "reason-given")],
        DiceFlaw::ScreenEmpty => &[(All, "screen-not-empty")],
        DiceFlaw::ScreenFarOff | DiceFlaw::ScreenBeyond => &[(All, "board-follows")],
        DiceFlaw::ScreenMoody => &[(All, "screen-repeatable")],
        DiceFlaw::SpotIllegal => &[(All, "spots-legal")],
        DiceFlaw::SpotsForAll => &[(All, "spots-only-for-owing")],
        DiceFlaw::StateUnwritten => &[(All, "state-serialises")],
        DiceFlaw::StrangerDecides => &[(All, "decide-names-seats")],
    }
}

#[test]
pub fn every_flaw_of_dice_is_noticed() {
    let mut wrong = Vec::new();
    for flaw in DiceFlaw::ALL {
        for (run, law) in noticed_by(*flaw) {
            let laws = Laws::new(Dice::with_flaw(*flaw)).longest(2_000);
            let laws = match run {
                Run::All => laws,
                Run::Episodes => laws.episodes(0).twins(0),
            };
            match laws.run() {
                Err(broken) if broken.law == *law => note(law),
                found => wrong.push(format!("{flaw} ({run:?}): expected {law}, found {found:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
