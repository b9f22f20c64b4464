//! The search among parameters finds faults, minimises them, and prints how to reproduce them.

use meeple_core::{
    ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Outcome, Phase, Playable, Present, Seat,
    SetupError, Stream, Viewer, params,
};
use meeple_testkit::toys::{Hands, Nim, NimVariant, Take};
use meeple_testkit::{BrokenLaw, Fuzz, fuzz};

use crate::every_law::note;

params! {
    /// Nim with something at the end of a range.
    pub struct Ledge {
        /// Sticks on the table.
        pub sticks: u8 = 12 => "sticks", int(1, 100);
        /// Distance of the edge.
        pub edge: u16 = 3 => "edge", int(0, 5000);
        /// A state of tiredness.
        pub tired: bool = false => "tired", switch();
        /// A parameter without effect.
        pub weather: Vec<u8> = vec![1, 2] => "weather", int_list(1, 9, 0, 4);
    }
}

fn nim(ledge: &Ledge) -> NimVariant {
    NimVariant { sticks: ledge.sticks, ..NimVariant::default() }
}

const NIM: GameInfo = Nim::INFO;
const LEDGE: GameInfo =
    GameInfo { presets: &[meeple_core::Preset { name: "ledge", doc: "A ledge.", set: &[] }], ..NIM };

fn found<G: Defined>(combinations: u64) -> Vec<BrokenLaw> {
    let found = Fuzz::<G>::new().combinations(combinations).run().expect_err("there is something to find");
    found.iter().for_each(|broken| note(broken.law));
    found
}

#[test]
fn sound_games_pass() {
    fuzz::<Nim>(|fuzz| fuzz.combinations(200));
    misdeclared!(Sound, LEDGE, Ledge, |ledge: &Ledge| Ok::<_, SetupError>(nim(ledge)));
    let search = || Fuzz::<Sound>::new().combinations(30).run().unwrap();
    let report = search();
    assert!(report.refused == 0 && report.cut == 0 && report.walked * 8 >= report.cases, "{report:?}");
    assert_eq!(report, search(), "it is a function of the seed");
}

#[test]
pub fn a_panic_at_the_end_of_a_range_is_found_and_made_small() {
    misdeclared!(Falls, LEDGE, Ledge, |ledge: &Ledge| {
        assert!(ledge.edge < 5000, "somebody fell");
        Ok::<_, SetupError>(nim(ledge))
    });
    let [broken] = found::<Falls>(0).try_into().expect("one fault is reported once");
    assert_eq!(broken.law, "no-panic");
    assert!(broken.message.contains("somebody fell"), "{broken}");
    let [_, command] = broken.message.split("as in: ").collect::<Vec<_>>().try_into().unwrap();
    assert!(
        command.starts_with("meeple sim nim/ledge ") && command.contains(" --set 'edge=5000' "),
        "{broken}"
    );
    assert!(!command.contains("sticks") && !command.contains("weather"), "{broken}");
}

#[test]
fn a_panic_of_a_combination_is_found_and_made_small() {
    misdeclared!(Tires, LEDGE, Ledge, |ledge: &Ledge| {
        assert!(ledge.edge < 4000 || !ledge.tired, "somebody fell asleep");
        Ok::<_, SetupError>(nim(ledge))
    });
    let [broken] = found::<Tires>(300).try_into().expect("one fault is reported once");
    let command = broken.message.split("as in: ").nth(1).unwrap();
    assert!(command.contains("--set 'edge=") && command.contains("--set 'tired=on'"), "{broken}");
    assert_eq!(command.matches("--set").count(), 2, "{broken}");
}

#[test]
pub fn a_refusal_must_name_a_parameter() {
    misdeclared!(Shrugs, LEDGE, Ledge, |ledge: &Ledge| match ledge.edge {
        0 => Err(SetupError::new("that is too near")),
        _ => Ok(nim(ledge)),
    });
    assert_eq!(found::<Shrugs>(0)[0].law, "refusals-name-a-parameter");
    misdeclared!(Explains, LEDGE, Ledge, |ledge: &Ledge| match ledge.edge {
        0 => Err(SetupError::new("expected an edge farther away")),
        _ => Ok(nim(ledge)),
    });
    let report = Fuzz::<Explains>::new().run().unwrap();
    assert!((1..report.cases / 4).contains(&report.refused), "{report:?}");
}

#[test]
fn broken_laws_and_endless_episodes_are_found() {
    let found: Vec<BrokenLaw> = found::<Hands>(0);
    assert!(found.len() > 1, "{found:?}");
    for broken in &found {
        assert!(broken.message.contains("--set 'flaw="), "every flaw is a parameter: {broken}");
    }
    let endless = Fuzz::<Hands>::new().short(&[("flaw", "endless")]).combinations(0).run().unwrap_err();
    assert!(endless.iter().any(|broken| broken.law == "episodes-end"), "{endless:?}");
}
