//! False claims in the info block are detected.

use std::sync::Arc;

use meeple_core::{
    ChanceStreams, Defined, Definition, Domain, EventSink, Figure, FigureKind, Game, GameInfo, Outcome,
    ParamError, ParamSpec, ParamValue, Params, Phase, Playable, Present, Preset, Seat, SetupError, Stream,
    Viewer, params,
};
use meeple_testkit::toys::{Nim, NimVariant, Take};
use meeple_testkit::{run_every_preset, run_facts};

use crate::every_law::note;

const NIM: GameInfo = Nim::INFO;

/// Nim with another info block, and perhaps another variant type that converts to Nim's, or a wrongly kept
/// variant.
macro_rules! misdeclared {
    ($name:ident, $info:expr) => {
        misdeclared!($name, $info, NimVariant, |variant: &NimVariant| Ok::<_, SetupError>(variant.clone()));
    };
    ($name:ident, $info:expr, $variant:ty, $make:expr) => {
        misdeclared!($name, $info, $variant, $make, |variant| variant);
    };
    ($name:ident, $info:expr, $variant:ty, $make:expr, $kept:expr) => {
        struct $name(Nim, $variant);

        impl Game for $name {
            type Variant = $variant;
            type State = <Nim as Game>::State;
            type Action = Take;
            type Chance = <Nim as Game>::Chance;
            type Event = <Nim as Game>::Event;
            type Observation<'a> = <Nim as Game>::State;

            fn info(&self) -> &'static GameInfo {
                const { &$info }
            }

            fn variant(&self) -> &$variant {
                &self.1
            }

            fn seats(&self) -> usize {
                2
            }

            fn initial_state(&self) -> Self::State {
                self.0.initial_state()
            }

            fn phase(&self, state: &Self::State) -> Phase {
                self.0.phase(state)
            }

            fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Take>) {
                self.0.legal_actions(state, seat, actions);
            }

            fn action_bound(&self) -> u32 {
                self.0.action_bound()
            }

            fn action_id(&self, state: &Self::State, seat: Seat, action: &Take) -> u32 {
                self.0.action_id(state, seat, action)
            }

            fn apply_unchecked(
                &self,
                state: &mut Self::State,
                seat: Seat,
                action: &Take,
                events: &mut impl EventSink<Self::Event>,
            ) {
                self.0.apply_unchecked(state, seat, action, events);
            }

            fn sample_chance(&self, state: &Self::State, streams: &mut ChanceStreams) -> Self::Chance {
                self.0.sample_chance(state, streams)
            }

            fn apply_chance(
                &self,
                state: &mut Self::State,
                chance: &Self::Chance,
                events: &mut impl EventSink<Self::Event>,
            ) {
                self.0.apply_chance(state, chance, events);
            }

            fn chance_outcomes(&self, _state: &Self::State) -> Option<Vec<(Self::Chance, f64)>> {
                None
            }

            fn observe<'a>(&'a self, state: &'a Self::State, _viewer: Viewer) -> Self::Observation<'a> {
                *state
            }

            fn determinize(&self, observation: &Self::State, _rng: &mut Stream, state: &mut Self::State) {
                *state = *observation;
            }

            fn score(&self, state: &Self::State, seat: Seat) -> i64 {
                self.0.score(state, seat)
            }

            fn outcome(&self, state: &Self::State, outcome: &mut Outcome) {
                self.0.outcome(state, outcome);
            }
        }

        impl Present for $name {}

        impl Playable for $name {}

        impl Defined for $name {
            fn definition() -> Definition<Self> {
                Definition::new(const { &$info }, Default::default(), |variant, seats| {
                    if seats != 2 {
                        return Err(SetupError::new("two seats only"));
                    }
                    Ok(Self(Nim::new($make(&variant)?, seats)?, $kept(variant)))
                })
            }
        }
    };
}

/// Compares the law that the declaration breaks with the expected one.
fn check_declared<G: Defined>(expected: &str) {
    let broken = run_facts(&G::definition()).expect_err("a false declaration is noticed");
    assert_eq!(broken.law, expected, "{broken}");
    note(broken.law);
}

/// Compares the law that play breaks with the expected one.
fn check<G: Defined>(expected: &str) {
    let broken = run_every_preset(&Arc::new(G::definition()), |laws| laws.episodes(2).agent_episodes(1))
        .expect_err("a false claim is noticed");
    assert_eq!(broken.law, expected, "{broken}");
    note(broken.law);
}

#[test]
pub fn the_wrapper_itself_is_sound() {
    misdeclared!(Sound, NIM);
    assert!(run_every_preset(&Arc::new(Sound::definition()), |laws| laws.episodes(2)).is_ok());
}

#[test]
pub fn names_are_well_formed_and_unique() {
    misdeclared!(Id, GameInfo { id: "Nim_Game", ..NIM });
    check_declared::<Id>("names-well-formed");
    const PRESET: Preset = Preset { name: "one", doc: "One.", set: &[] };
    misdeclared!(Twice, GameInfo { presets: &[PRESET, PRESET], ..NIM });
    check_declared::<Twice>("names-unique");
    const FIGURE: Figure = Figure::count("sticks-left", "sticks", "Left.");
    misdeclared!(FigureName, GameInfo { episode_figures: &[FIGURE], ..NIM });
    check_declared::<FigureName>("names-well-formed");
}

#[test]
pub fn facts_and_docs_are_given() {
    misdeclared!(NoRules, GameInfo { rules: " ", ..NIM });
    check_declared::<NoRules>("facts-given");
    misdeclared!(NoGuide, GameInfo { guide: "", ..NIM });
    check_declared::<NoGuide>("guide-whole");
    const SHORT: &str = "# Nim\n\n## In one page\n\nTake.\n\n## Your first game\n\n## Tips\n\nNone.\n";
    misdeclared!(ShortGuide, GameInfo { guide: SHORT, ..NIM });
    check_declared::<ShortGuide>("guide-whole");
    misdeclared!(NoAdvisor, GameInfo { advisor: "nobody", ..NIM });
    check_declared::<NoAdvisor>("advisor-plays");
    misdeclared!(NoStrength, GameInfo { strengths: "# meeple tournament nim\n90 80 random\n", ..NIM });
    check_declared::<NoStrength>("strengths-listed");
    misdeclared!(NoEnds, GameInfo { ends: &[], ..NIM });
    check_declared::<NoEnds>("facts-given");
    misdeclared!(NoPresets, GameInfo { presets: &[], ..NIM });
    check_declared::<NoPresets>("facts-given");
    misdeclared!(NoDoc, GameInfo { presets: &[Preset { name: "one", doc: "", set: &[] }], ..NIM });
    check_declared::<NoDoc>("docs-given");
    // These figures are built by their fields, because the constructors refuse empty units and no words at
    // compile time.
    const FIGURE: Figure = Figure::count("left", "sticks", "Sticks left.");
    misdeclared!(FigureDoc, GameInfo { seat_figures: &[Figure { doc: " ", ..FIGURE }], ..NIM });
    check_declared::<FigureDoc>("docs-given");
    misdeclared!(FigureUnit, GameInfo { episode_figures: &[Figure { unit: "", ..FIGURE }], ..NIM });
    check_declared::<FigureUnit>("docs-given");
    misdeclared!(FigureWords, GameInfo { seat_figures: &[Figure { doc: "Sticks", ..FIGURE }], ..NIM });
    check_declared::<FigureWords>("docs-given");
    const TWICE: Figure = Figure::category("left", "sticks", "What is left.", &["none", "none"]);
    misdeclared!(WordTwice, GameInfo { seat_figures: &[TWICE], ..NIM });
    check_declared::<WordTwice>("names-unique");
    const NO_WORDS: Figure = Figure { kind: FigureKind::Category(&[]), ..FIGURE };
    misdeclared!(NoWords, GameInfo { seat_figures: &[NO_WORDS], ..NIM });
    check_declared::<NoWords>("figures-of-their-kind");
    const WIDE: &str =
        "take N takes N sticks, which is more than anybody wants to read in one line of the help";
    misdeclared!(WideHelp, GameInfo { input_help: WIDE, ..NIM });
    check_declared::<WideHelp>("help-fits");
    #[allow(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    const NOBODY: GameInfo = GameInfo { seats: 3..=2, ..NIM };
    misdeclared!(NoSeats, NOBODY);
    check_declared::<NoSeats>("seats-declared");
}

#[test]
pub fn presets_can_be_set_and_played() {
    misdeclared!(
        Unset,
        GameInfo { presets: &[Preset { name: "one", doc: "One.", set: &[("stick", "1")] }], ..NIM }
    );
    check_declared::<Unset>("presets-parse");
    misdeclared!(Seats, GameInfo { seats: 3..=4, demo: &[], ..NIM });
    check::<Seats>("presets-playable");
}

#[test]
pub fn the_demo_line_up_plays() {
    misdeclared!(Unknown, GameInfo { demo: &["random", "nobody"], ..NIM });
    check::<Unknown>("line-up-builds");
    misdeclared!(TooMany, GameInfo { demo: &["random", "random", "random"], ..NIM });
    check::<TooMany>("demo-fits");
    misdeclared!(TooFew, GameInfo { demo: &["random"], ..NIM });
    check::<TooFew>("demo-fits");
    misdeclared!(Filled, GameInfo { demo: &["random"], filler: Some("random"), ..NIM });
    assert!(run_every_preset(&Arc::new(Filled::definition()), |laws| laws.episodes(1)).is_ok());
}

#[test]
pub fn claims_about_play_are_held_against_play() {
    misdeclared!(Simultaneous, GameInfo { simultaneous: true, ..NIM });
    check::<Simultaneous>("simultaneous-as-declared");
    misdeclared!(Hidden, GameInfo { information: meeple_core::Information::Hidden, ..NIM });
    check::<Hidden>("hidden-is-redrawn");
    misdeclared!(Structured, GameInfo { actions: meeple_core::ActionKind::Structured, ..NIM });
    check::<Structured>("structured-lists-nothing");
    const FIGURE: Figure = Figure::count("left", "sticks", "Left.");
    misdeclared!(Idle, GameInfo { actions: meeple_core::ActionKind::Structured, ..NIM });
    let broken = run_every_preset(&Arc::new(Idle::definition()), |laws| laws.episodes(0).agent_episodes(0))
        .unwrap_err();
    assert_eq!(broken.law, "actions-as-declared", "{broken}");
    note(broken.law);
    misdeclared!(Figures, GameInfo { seat_figures: &[FIGURE], ..NIM });
    check::<Figures>("figures-as-declared");
}

#[test]
pub fn parameters_keep_their_declarations() {
    params! {
        /// A default outside the domain.
        struct Outside {
            /// Sticks.
            sticks: u8 = 0 => "sticks", int(1, 9);
        }
    }
    misdeclared!(
        BadDefault,
        GameInfo { presets: &[ONE], ..NIM },
        Outside,
        |_: &Outside| Ok::<_, SetupError>(NimVariant::default())
    );
    check_declared::<BadDefault>("defaults-in-domain");

    params! {
        /// A domain wider than the type.
        struct Wide {
            /// Sticks.
            sticks: u8 = 5 => "sticks", int(1, 1000);
        }
    }
    misdeclared!(TooWide, GameInfo { presets: &[ONE], ..NIM }, Wide, |_: &Wide| Ok::<_, SetupError>(
        NimVariant::default()
    ));
    check_declared::<TooWide>("domains-enforced");

    macro_rules! slips {
        ($name:ident, $slip:ident) => {
            misdeclared!(
                $name,
                GameInfo { presets: &[ONE], ..NIM },
                Slips<{ Slip::$slip as u8 }>,
                |slips: &Slips<{ Slip::$slip as u8 }>| Ok::<_, SetupError>(NimVariant {
                    sticks: slips.sticks,
                    ..NimVariant::default()
                })
            );
        };
    }
    slips!(Sound, None);
    assert!(run_facts(&Sound::definition()).is_ok());
    slips!(Empty, DomainEmpty);
    check_declared::<Empty>("domains-not-empty");
    slips!(Unread, Unreadable);
    check_declared::<Unread>("params-readable");
    slips!(OtherDefault, DefaultMisdocumented);
    check_declared::<OtherDefault>("defaults-as-documented");
    slips!(JsonForgets, JsonForgets);
    check_declared::<JsonForgets>("params-round-trip");

    misdeclared!(
        Forgets,
        NIM,
        NimVariant,
        |variant: &NimVariant| Ok::<_, SetupError>(variant.clone()),
        |_| NimVariant::default()
    );
    check::<Forgets>("variant-kept");
}

/// Mistake of [`Slips`].
enum Slip {
    None,
    DomainEmpty,
    Unreadable,
    DefaultMisdocumented,
    JsonForgets,
}

/// One parameter, declared by hand with a mistake that `params!` cannot make.
#[derive(Clone, Debug, PartialEq)]
struct Slips<const SLIP: u8> {
    sticks: u8,
}

impl<const SLIP: u8> Slips<SLIP> {
    fn has(slip: Slip) -> bool {
        slip as u8 == SLIP
    }
}

impl<const SLIP: u8> Default for Slips<SLIP> {
    fn default() -> Self {
        Self { sticks: 5 }
    }
}

impl<const SLIP: u8> Params for Slips<SLIP> {
    fn specs(&self) -> Vec<ParamSpec> {
        let domain = match Self::has(Slip::DomainEmpty) {
            true => Domain::Int { min: 9, max: 1 },
            false => Domain::Int { min: 1, max: 9 },
        };
        let default = if Self::has(Slip::DefaultMisdocumented) { "7" } else { "5" };
        vec![ParamSpec { name: "sticks", default: default.into(), domain, doc: "Sticks.".into() }]
    }

    fn get(&self, name: &str) -> Option<ParamValue> {
        let is_known = name == "sticks" && !Self::has(Slip::Unreadable);
        is_known.then_some(ParamValue::Int(self.sticks.into()))
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        match text.parse() {
            Ok(sticks @ 1..=9) if name == "sticks" => self.sticks = sticks,
            _ => return Err(ParamError::Unknown { name: name.into(), hint: "sticks".into() }),
        }
        Ok(())
    }

    fn with_json(&self, value: &serde_json::Value) -> Result<Self, ParamError> {
        let mut slips = Self::default();
        if !Self::has(Slip::JsonForgets) {
            slips.set("sticks", &value["sticks"].to_string())?;
        }
        Ok(slips)
    }
}

const ONE: Preset = Preset { name: "one", doc: "One.", set: &[] };
