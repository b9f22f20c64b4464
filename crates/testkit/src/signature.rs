//! Signatures: digests of a game's behaviour, to detect unintended changes.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use meeple_core::{Defined, Definition, Episode, EpisodeSeed, Phase, Playable};

use crate::digest::Digest;
use crate::golden::{Mode, hold_golden};
use crate::laws::{preset_variant, usual_seats};

/// Number of random episodes per preset.
const EPISODES: u64 = 40;

/// Compares the signature stored in the file at `path` with that of the current code.
///
/// ```no_run
/// # use meeple_testkit::toys::Hands as MyGame;
/// #[test]
/// fn signature() {
///     meeple_testkit::signature::<MyGame>(concat!(env!("CARGO_MANIFEST_DIR"), "/signature.txt"));
/// }
/// ```
///
/// # Panics
/// If the signature is missing or differs.
pub fn signature<G: Defined>(path: impl AsRef<Path>) {
    let definition = G::definition();
    let held = signature_text(&definition)
        .and_then(|fresh| hold_golden(path.as_ref(), &fresh, definition.info.id, Mode::from_environment()));
    if let Err(wrong) = held {
        panic!("{wrong}");
    }
}

/// The signature of a game: a digest per preset, and one over all presets. A digest covers every step, score,
/// place, end reason and length of 40 random episodes, but no agent, event or picture.
///
/// # Errors
/// If a preset cannot be set up, or an episode does not end.
pub fn signature_text<G: Playable>(definition: &Definition<G>) -> Result<String, String> {
    let info = definition.info;
    let mut text = format!("# fingerprint of behaviour; written by `cargo xtask bless {}`\n", info.id);
    let mut all = Digest::new();
    for preset in info.presets {
        let variant = preset_variant(definition, preset);
        let seats = usual_seats(definition, &variant);
        let game = definition
            .set_up(variant, seats)
            .map_err(|error| format!("preset '{}': {error}", preset.name))?;
        let digest = fingerprint(game)?;
        let _ = writeln!(text, "{} {seats} {digest}", preset.name);
        all.add(&format!("{} {seats} {digest}", preset.name));
    }
    let _ = writeln!(text, "signature {all}");
    Ok(text)
}

fn fingerprint<G: Playable>(game: G) -> Result<Digest, String> {
    const MAX_STEPS: usize = 1_000_000;
    let game = Arc::new(game);
    let mut digest = Digest::new();
    for index in 0..EPISODES {
        let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(0x5169, index));
        loop {
            match episode.phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = episode.sample_action(seat);
                        episode.act(seat, &action).map_err(|illegal| format!("seat {seat}: {illegal}"))?;
                    }
                }
            }
            if episode.steps().len() > MAX_STEPS {
                return Err(format!("episode {index} is not over after {MAX_STEPS} steps"));
            }
        }
        for step in episode.steps() {
            digest.add(&step.to_string());
        }
        let outcome = episode.outcome().unwrap_or_default();
        digest.add(&format!("{:?} {:?} {}", outcome.scores, outcome.places, game.info().ends[outcome.end]));
        digest.add(&episode.length().to_string());
    }
    Ok(digest)
}
