//! Tests of a game's encoding: golden files of its numbers, the table in its documentation, and walks for
//! laws that a game checks itself.
//!
//! A golden file `encodings/PRESET.txt` holds the version and a few moments of one random episode. Each
//! moment has a fingerprint of a seat's observation, and every field with its numbers. If the numbers of an
//! equal observation change, the version must be raised; otherwise a bless refuses to write them.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use meeple_core::{
    Defined, Definition, Encoding, Episode, EpisodeSeed, Field, NoEvents, Phase, Playable, Preset, Seat,
    Viewer,
};

use crate::digest::Digest;
use crate::golden::{Mode, hold_golden};
use crate::laws::encodings::Encoder;
use crate::laws::{BrokenLaw, preset_variant, usual_seats};

/// Recorded moments, by the number of steps before them.
const MOMENTS: [usize; 6] = [0, 3, 12, 40, 150, 600];
/// Maximum count of numbers written in full; longer fields are written as a fingerprint.
const IN_FULL: usize = 40;
/// Number of steps after which an episode is cut off.
const MAX_STEPS: usize = 5_000;

/// Compares the golden numbers of every preset of `G` in `folder`, and the encoding table in the document
/// `table`, with the current code.
///
/// # Panics
/// If a golden file or the table is missing or differs.
pub fn encodings<G: Defined>(folder: impl AsRef<Path>, table: impl AsRef<Path>) {
    let mode = Mode::from_environment();
    let definition = G::definition();
    let mut wrong = check_encodings(&definition, folder.as_ref(), mode);
    wrong.extend(hold_table(&definition, table.as_ref(), mode).err());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Differences from the golden numbers in `folder`, one text per file.
pub fn check_encodings<G: Playable>(definition: &Definition<G>, folder: &Path, mode: Mode) -> Vec<String> {
    let hold = |preset: &Preset| {
        let path = folder.join(format!("{}.txt", preset.name));
        let fresh = numbers_text(definition, preset)?;
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        if let Some(moment) = changed_meaning(&stored, &fresh) {
            return Err(format!(
                "{}: the numbers of the same observation changed, and the version of the encoding did not ({moment})\n\
                 hint: raise the version",
                path.display()
            ));
        }
        hold_golden(&path, &fresh, definition.info.id, mode)
    };
    definition.info.presets.iter().filter_map(|preset| hold(preset).err()).collect()
}

/// The first moment with an equal observation but different numbers in both texts. `None` if there is no such
/// moment, or the versions differ.
fn changed_meaning(stored: &str, fresh: &str) -> Option<String> {
    let version = |text: &str| text.lines().find(|line| line.starts_with("version ")).map(str::to_owned);
    if version(stored) != version(fresh) {
        return None;
    }
    let moments = |text: &str| -> Vec<(String, String)> {
        let parts = text.split("\n\n").skip(1).filter_map(|part| part.split_once('\n'));
        parts.map(|(head, numbers)| (head.to_owned(), numbers.trim_end().to_owned())).collect()
    };
    let before = moments(stored);
    let differs = |(head, numbers): &(String, String)| {
        before.iter().any(|(other, their)| other == head && their != numbers)
    };
    moments(fresh).into_iter().find(differs).map(|(head, _)| head)
}

fn numbers_text<G: Playable>(definition: &Definition<G>, preset: &Preset) -> Result<String, String> {
    let variant = preset_variant(definition, preset);
    let seats = usual_seats(definition, &variant);
    let game =
        Arc::new(definition.set_up(variant, seats).map_err(|error| format!("{}: {error}", preset.name))?);
    let encoding = game.encoding().ok_or_else(|| format!("{} has no encoding", definition.info.id))?;
    let encoder = Encoder::with(&*game, encoding);
    let mut text = format!("# golden numbers; written by `cargo xtask bless {}`\n", definition.info.id);
    let _ = writeln!(text, "game {} preset {} seats {seats}", definition.info.id, preset.name);
    let _ = writeln!(text, "version {}", encoding.version);
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(1, 0));
    loop {
        let steps = episode.steps().len();
        if MOMENTS.contains(&steps) || episode.phase() == Phase::Over {
            let seat = match episode.phase() {
                Phase::Decide(owing) => owing.lowest().unwrap_or(Seat::new(0)),
                // A seat that only watches is recorded, too.
                Phase::Chance | Phase::Over => Seat::new(steps % seats),
            };
            moment(&mut text, &encoder, &episode, seat)?;
        }
        match episode.phase() {
            Phase::Over => return Ok(text),
            _ if steps > MAX_STEPS => return Ok(text),
            Phase::Chance => episode.step_chance(),
            Phase::Decide(owing) => {
                let seat = owing.lowest().unwrap_or(Seat::new(0));
                let action = episode.sample_action(seat);
                episode.act(seat, &action).map_err(|illegal| format!("seat {seat}: {illegal}"))?;
            }
        }
    }
}

fn moment<G: Playable>(
    text: &mut String,
    encoder: &Encoder<G>,
    episode: &Episode<G>,
    seat: Seat,
) -> Result<(), String> {
    let (game, state) = (episode.game(), episode.state());
    let seen =
        serde_json::to_string(&game.observe(state, Viewer::Seat(seat))).map_err(|error| error.to_string())?;
    let steps = episode.steps().len();
    let _ = writeln!(text, "\nafter {steps} steps, seat {seat}, observation {}", Digest::of(&seen));
    let numbers = encoder.numbers(game, state, seat).map_err(|fault| fault.what)?;
    let mut rest = &numbers[..];
    for field in &encoder.fields {
        let (own, later) = rest.split_at(field.size);
        let shown: Vec<String> = own.iter().map(f32::to_string).collect();
        let shown = match own.len() {
            0..=IN_FULL => shown.join(" "),
            count => format!("{count} numbers {}", Digest::of(&shown.join(" "))),
        };
        let _ = writeln!(text, "{}: {shown}", field.name);
        rest = later;
    }
    Ok(())
}

/// Compares the part of a document between `<!-- encoding GAME -->` and `<!-- /encoding -->` with the game's
/// encoding.
fn hold_table<G: Playable>(definition: &Definition<G>, path: &Path, mode: Mode) -> Result<(), String> {
    let (id, name) = (definition.info.id, path.display());
    let document = std::fs::read_to_string(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let (begin, end) = (format!("<!-- encoding {id} -->\n"), "<!-- /encoding -->");
    let parts = document.split_once(&begin).and_then(|(before, rest)| {
        let at = rest.find(end)?;
        Some((before, &rest[at..]))
    });
    let (before, after) =
        parts.ok_or_else(|| format!("{name}: expected '{}' and '{end}' around a table", begin.trim()))?;
    hold_golden(path, &format!("{before}{begin}{}{after}", table_text(definition)?), id, mode)
}

/// The fields of the first preset at the usual number of seats, as a Markdown table.
fn table_text<G: Playable>(definition: &Definition<G>) -> Result<String, String> {
    let preset = &definition.info.presets[0];
    let variant = preset_variant(definition, preset);
    let seats = usual_seats(definition, &variant);
    let game = definition.set_up(variant, seats).map_err(|error| error.to_string())?;
    let encoding = game.encoding().ok_or_else(|| format!("{} has no encoding", definition.info.id))?;
    let (version, size, preset) = (encoding.version, encoding.size(&game), preset.name);
    let mut text = format!(
        "\nVersion {version}. {}/{preset} with {seats} seats: {size} numbers.\n\n\
         | field | numbers | from | to | 1 is | what they say |\n|---|---|---|---|---|---|\n",
        definition.info.id
    );
    for Field { name, size, low, high, unit, doc } in (encoding.fields)(&game) {
        let _ = writeln!(text, "| `{name}` | {size} | {low} | {high} | {unit} | {doc} |");
    }
    text.push('\n');
    Ok(text)
}

/// Plays a random episode and calls `each` before every step with a function that encodes a seat's
/// observation. It does this for every seat, at large tables for about eight of them. Tests measure the cost
/// of that function.
///
/// # Panics
/// If the game has no encoding.
pub fn at_every_step<G: Playable>(game: G, seed: u64, mut each: impl FnMut(&mut dyn FnMut())) {
    let encoding = game.encoding().expect("the game has an encoding");
    let mut numbers = vec![0.0; encoding.size(&game)];
    let mut episode = Episode::new(Arc::new(game), EpisodeSeed::new(seed, 0));
    loop {
        let (game, state) = (episode.game(), episode.state());
        let seats = game.seats();
        // At large tables a sample of seats is enough.
        for seat in Seat::all(seats).step_by(seats.div_ceil(8)) {
            each(&mut || {
                let seen = game.observe(state, Viewer::Seat(seat));
                (encoding.write)(game, &seen, seat, &mut numbers);
            });
        }
        match episode.phase() {
            Phase::Over => return,
            Phase::Chance => episode.step_chance(),
            Phase::Decide(owing) => {
                let seat = owing.lowest().expect("somebody decides");
                let action = episode.sample_action(seat);
                episode.act(seat, &action).expect("random actions are legal: a law checks it");
            }
        }
    }
}

/// Maps of chance outcomes and actions to those after every player has moved to the next seat.
pub struct SeatRotation<G: Playable> {
    /// Maps a chance outcome, for this number of seats.
    pub chance: fn(&G::Chance, usize) -> G::Chance,
    /// Maps an action, for this number of seats.
    pub action: fn(&G::Action, usize) -> G::Action,
}

/// Law `encoding-turns-with-the-seats`: if every player moves to the next seat and acts the same there, the
/// numbers stay the same. For games with symmetric seats, where only chance decides the start player.
///
/// # Errors
/// If the law is broken.
pub fn turned_encodings<G: Playable>(
    game: &G,
    encoding: Encoding<G>,
    turned: &SeatRotation<G>,
    seed: u64,
) -> Result<(), BrokenLaw> {
    const LAW: &str = "encoding-turns-with-the-seats";
    let seats = game.seats();
    let encoder = Encoder::with(game, encoding);
    let mut episode_streams = meeple_core::ChanceStreams::new(EpisodeSeed::new(seed, 0));
    let mut rng = meeple_core::Stream::from_seed(seed);
    let (mut one, mut other) = (game.initial_state(), game.initial_state());
    let mut steps = 0;
    loop {
        for seat in Seat::all(seats).step_by(seats.div_ceil(8)) {
            let why = || format!("after {steps} steps everybody moved on by one seat, from {seat}");
            let held = encoder.hold_alike(LAW, game, (&one, &other), (seat, seat.next(seats)), why);
            held.map_err(|fault| BrokenLaw { law: fault.law, message: fault.what })?;
        }
        match game.phase(&one) {
            Phase::Over => return Ok(()),
            Phase::Chance => {
                let outcome = game.sample_chance(&one, &mut episode_streams);
                game.apply_chance(&mut one, &outcome, &mut NoEvents);
                game.apply_chance(&mut other, &(turned.chance)(&outcome, seats), &mut NoEvents);
            }
            Phase::Decide(owing) => {
                let seat = owing.lowest().unwrap_or(Seat::new(0));
                let action = game.sample_action(&one, seat, &mut rng, &mut Vec::new());
                game.apply_unchecked(&mut one, seat, &action, &mut NoEvents);
                let action = (turned.action)(&action, seats);
                let taken = game.apply(&mut other, seat.next(seats), &action, &mut NoEvents);
                taken.map_err(|illegal| BrokenLaw { law: LAW, message: illegal.reason })?;
            }
        }
        steps += 1;
    }
}
