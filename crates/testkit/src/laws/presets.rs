//! The laws for every preset of a game, at several table sizes.

use std::sync::Arc;

use meeple_core::{ActionKind, Defined, Definition, GameInfo, Information, Playable, Preset};

use super::fault::{BrokenLaw, Fault, Held, hold};
use super::memory::Counts;
use super::run::{Laws, agents_with, enough_twins};
use super::{facts, records};

/// Checks the laws for every preset of `G` at its smallest, usual and largest table. `configure` sets the
/// effort.
///
/// ```
/// use meeple_testkit::{for_every_preset, toys::Hands};
///
/// for_every_preset::<Hands>(|laws| laws.episodes(2).agent_episodes(1));
/// ```
///
/// # Panics
/// If a law is broken, with its place and instructions to reproduce it.
pub fn for_every_preset<G: Defined>(configure: impl Fn(Laws<G>) -> Laws<G>) {
    if let Err(broken) = run_every_preset(&Arc::new(G::definition()), configure) {
        panic!("{broken}");
    }
}

/// Checks the laws about a game's declarations and about its agents, without playing.
///
/// # Errors
/// The first law that is broken.
pub fn run_facts<G: Playable>(definition: &Definition<G>) -> Result<(), BrokenLaw> {
    facts::facts(definition, &agents_with(definition, [])).map_err(|fault| unplaced(definition.info, fault))
}

fn unplaced(info: &GameInfo, fault: Fault) -> BrokenLaw {
    BrokenLaw { law: fault.law, message: format!("{}\ngame {}", fault.what, info.id) }
}

/// As [`for_every_preset`], for any definition, with an error instead of a panic.
///
/// # Errors
/// The first law that is broken.
pub fn run_every_preset<G: Playable>(
    definition: &Arc<Definition<G>>,
    configure: impl Fn(Laws<G>) -> Laws<G>,
) -> Result<(), BrokenLaw> {
    let info = definition.info;
    let early = |fault| unplaced(info, fault);
    run_facts(definition)?;
    let mut seen = Counts::default();
    let mut most_seats = 0;
    let mut demo_played = info.demo.is_empty();
    for preset in info.presets {
        let variant = facts::variant_of(definition, preset).map_err(early)?;
        let tables = tables(definition, &variant);
        let refused = |reason: &str| {
            early(Fault { law: "presets-playable", what: format!("preset '{}': {reason}", preset.name) })
        };
        if tables.is_empty() {
            return Err(refused("no number of seats fits"));
        }
        let mut set_up = 0;
        let mut reason = String::new();
        for seats in tables {
            match definition.set_up(variant.clone(), seats) {
                Ok(game) => {
                    set_up += 1;
                    facts::extremes(definition, &variant, seats).map_err(early)?;
                    let mut laws = configure(Laws::of(Arc::clone(definition), game));
                    laws.preset = Some(preset.name);
                    laws.run_and_remember(&mut seen)?;
                    most_seats = most_seats.max(seats);
                    demo_played |= records::demo(info, seats).is_some();
                }
                Err(error) => reason = error.reason,
            }
        }
        if set_up == 0 {
            return Err(refused(&reason));
        }
    }
    claims(info, seen, most_seats, demo_played).map_err(early)
}

/// Table sizes to try: the smallest, the [usual](usual_seats) and the largest.
fn tables<G: Playable>(definition: &Definition<G>, variant: &G::Variant) -> Vec<usize> {
    let seats = &definition.info.seats;
    let (fewest, most) = (*seats.start(), *seats.end());
    let usual = usual_seats(definition, variant);
    let mut tables: Vec<usize> = [fewest, most].map(|named| (definition.seats_for)(variant, named)).to_vec();
    tables.push(usual);
    tables.retain(|count| seats.contains(count));
    tables.sort_unstable();
    tables.dedup();
    tables
}

/// The usual number of seats: that of the demo line-up, or two.
pub(crate) fn usual_seats<G: Playable>(definition: &Definition<G>, variant: &G::Variant) -> usize {
    let info = definition.info;
    let (fewest, most) = (*info.seats.start(), *info.seats.end());
    let named = if info.demo.is_empty() { 2 } else { info.demo.len() };
    (definition.seats_for)(variant, named.clamp(fewest, most))
}

fn claims(info: &GameInfo, seen: Counts, most_seats: usize, demo_played: bool) -> Held {
    hold!("demo-fits", demo_played, "the demo line-up fits no table of any preset: {:?}", info.demo);
    if most_seats < 2 {
        return Ok(());
    }
    hold!(
        "simultaneous-as-declared",
        !info.simultaneous || seen.simultaneous > 0,
        "INFO.simultaneous is true, but no two seats ever owed a decision at once in {} steps",
        seen.steps
    );
    hold!(
        "hidden-is-redrawn",
        info.information != Information::Hidden || seen.redrawn > 0,
        "information is hidden, but {} determinized states were all equal to the true one",
        seen.determinized
    );
    enough_twins(info, seen.pairs)?;
    hold!(
        "actions-as-declared",
        info.actions != ActionKind::Structured || seen.inspected > 0,
        "nothing was inspected"
    );
    Ok(())
}

pub(crate) fn preset_variant<G: Playable>(definition: &Definition<G>, preset: &Preset) -> G::Variant {
    match facts::variant_of(definition, preset) {
        Ok(variant) => variant,
        Err(fault) => panic!("law '{}' is broken: {}", fault.law, fault.what),
    }
}
