//! The laws for every preset of a game, at several numbers of seats.

use meeple_core::{ActionKind, Information, Playable, Preset};

use super::fault::{Broken, Fault, Held, hold};
use super::memory::Counts;
use super::run::{Laws, agents_with, enough_twins};
use super::{facts, records};

/// Checks the laws for every preset of `G` with few, usual and many seats. `configure` sets the effort.
///
/// ```
/// use meeple_testkit::{for_every_preset, toys::Hands};
///
/// for_every_preset::<Hands>(|laws| laws.episodes(2).agent_episodes(1));
/// ```
///
/// # Panics
/// If a law is broken, saying which, where, and how to see it again.
pub fn for_every_preset<G: Playable>(configure: impl Fn(Laws<G>) -> Laws<G>) {
    if let Err(broken) = run_every_preset(configure) {
        panic!("{broken}");
    }
}

/// The laws of what `G` declares about itself and its own agents, without playing.
///
/// # Errors
/// The first law that is broken.
pub fn run_facts<G: Playable>() -> Result<(), Broken> {
    facts::facts::<G>(&agents_with([])).map_err(unplaced::<G>)
}

fn unplaced<G: Playable>(fault: Fault) -> Broken {
    Broken { law: fault.law, message: format!("{}\ngame {}", fault.what, G::INFO.id) }
}

/// As [`for_every_preset`], for tests of the laws themselves.
///
/// # Errors
/// The first law that is broken.
pub fn run_every_preset<G: Playable>(configure: impl Fn(Laws<G>) -> Laws<G>) -> Result<(), Broken> {
    let early = unplaced::<G>;
    run_facts::<G>()?;
    let mut seen = Counts::default();
    let mut most_seats = 0;
    let mut demo_played = G::INFO.demo.is_empty();
    for preset in G::INFO.presets {
        let variant = facts::variant_of::<G>(preset).map_err(early)?;
        let tables = tables::<G>(&variant);
        let refused = |reason: &str| {
            early(Fault { law: "presets-playable", what: format!("preset '{}': {reason}", preset.name) })
        };
        if tables.is_empty() {
            return Err(refused("no number of seats fits"));
        }
        let mut set_up = 0;
        let mut reason = String::new();
        for seats in tables {
            match G::new(variant.clone(), seats) {
                Ok(game) => {
                    set_up += 1;
                    facts::extremes::<G>(&variant, seats).map_err(early)?;
                    let mut laws = configure(Laws::new(game));
                    laws.preset = Some(preset.name);
                    laws.run_and_remember(&mut seen)?;
                    most_seats = most_seats.max(seats);
                    demo_played |= records::demo::<G>(seats).is_some();
                }
                Err(error) => reason = error.reason,
            }
        }
        if set_up == 0 {
            return Err(refused(&reason));
        }
    }
    claims::<G>(seen, most_seats, demo_played).map_err(early)
}

/// Numbers of seats to try: fewest, as many as the demo, most; two if the game has no demo.
fn tables<G: Playable>(variant: &G::Variant) -> Vec<usize> {
    let (fewest, most) = (*G::INFO.seats.start(), *G::INFO.seats.end());
    let usual = usual_seats::<G>(variant);
    let mut tables: Vec<usize> = [fewest, most].map(|named| G::seats_for(variant, named)).to_vec();
    tables.push(usual);
    tables.retain(|seats| G::INFO.seats.contains(seats));
    tables.sort_unstable();
    tables.dedup();
    tables
}

/// The number of seats for a first look.
pub(crate) fn usual_seats<G: Playable>(variant: &G::Variant) -> usize {
    let (fewest, most) = (*G::INFO.seats.start(), *G::INFO.seats.end());
    let named = if G::INFO.demo.is_empty() { 2 } else { G::INFO.demo.len() };
    G::seats_for(variant, named.clamp(fewest, most))
}

fn claims<G: Playable>(seen: Counts, most_seats: usize, demo_played: bool) -> Held {
    hold!("demo-fits", demo_played, "the demo line-up fits no table of any preset: {:?}", G::INFO.demo);
    if most_seats < 2 {
        return Ok(());
    }
    hold!(
        "simultaneous-as-declared",
        !G::INFO.simultaneous || seen.simultaneous > 0,
        "INFO.simultaneous is true, but no two seats ever owed a decision at once in {} steps",
        seen.steps
    );
    hold!(
        "hidden-is-redrawn",
        G::INFO.information != Information::Hidden || seen.redrawn > 0,
        "information is hidden, but {} determinized states were all equal to the true one",
        seen.determinized
    );
    enough_twins::<G>(seen.pairs)?;
    hold!(
        "actions-as-declared",
        G::INFO.actions != ActionKind::Structured || seen.inspected > 0,
        "nothing was inspected"
    );
    Ok(())
}

/// The variant of a preset of `G`, for goldens.
pub(crate) fn preset_variant<G: Playable>(preset: &Preset) -> G::Variant {
    match facts::variant_of::<G>(preset) {
        Ok(variant) => variant,
        Err(fault) => panic!("law '{}' is broken: {}", fault.law, fault.what),
    }
}
