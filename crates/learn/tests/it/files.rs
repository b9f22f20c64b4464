//! Networks as files.

use meeple_core::AgentSpec;
use meeple_learn::{Checkpoint, LearnError, TrainingPlan};

use crate::{game, plan, trained};

fn a_plan() -> TrainingPlan {
    plan("rounds = 2\nepisodes = 16\nhidden = [8]\n")
}

#[test]
fn a_network_is_read_as_it_was_written() {
    let (learned, _) = trained("incan-gold", &a_plan(), 1);
    let bytes = learned.to_bytes();
    let again = Checkpoint::from_bytes(&bytes, "it").unwrap();
    assert_eq!(again.network, learned.network);
    assert_eq!(again.pending, learned.pending);
    assert_eq!(again.to_bytes(), bytes);
    let alone = Checkpoint { pending: None, ..again };
    assert!(alone.to_bytes().len() * 2 < bytes.len());
    assert_eq!(Checkpoint::from_bytes(&alone.to_bytes(), "it").unwrap().network, learned.network);
}

#[test]
fn damage_is_noticed_wherever_it_is() {
    let (learned, _) = trained("incan-gold", &a_plan(), 1);
    let bytes = Checkpoint { pending: None, ..learned }.to_bytes();
    for cut in (0..bytes.len()).step_by(7) {
        assert!(Checkpoint::from_bytes(&bytes[..cut], "it").is_err(), "cut at {cut}");
    }
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for at in header..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        let error = Checkpoint::from_bytes(&bytes, "it").unwrap_err();
        assert!(matches!(error, LearnError::Network { .. }), "{at}: {error}");
    }
    for at in 0..header {
        let mut bytes = bytes.clone();
        bytes[at] = bytes[at].wrapping_add(3);
        let _ = Checkpoint::from_bytes(&bytes, "it");
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let (learned, _) = trained("incan-gold", &a_plan(), 1);
    let learned = Checkpoint { network: learned.network.perturbed(3, f32::NAN), pending: None, ..learned };
    let error = Checkpoint::from_bytes(&learned.to_bytes(), "it").unwrap_err().to_string();
    assert!(error.contains("finite"), "{error}");
}

#[test]
fn a_network_plays_what_it_has_learned_and_nothing_else() {
    let (learned, _) = trained("incan-gold", &a_plan(), 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let spec = AgentSpec::with("net", [("file", path.to_str().unwrap())]);
    let check = |name: &str, seats: &str| {
        let game = game(name, &plan(seats));
        game.check_line_up(&vec![spec.clone(); game.seats()]).map_err(|error| error.to_string())
    };
    assert!(check("incan-gold", "").unwrap_err().contains("net.safetensors"));
    std::fs::write(&path, learned.to_bytes()).unwrap();
    check("incan-gold", "").unwrap();
    for (name, seats, expected) in [
        ("incan-gold", "seats = 3", "expected seats 3, found a network for 2"),
        ("carcassonne", "", "expected game carcassonne, found a network for incan-gold"),
    ] {
        let error = check(name, seats).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    for change in ["encoding_version", "rules_version"] {
        let mut other = learned.clone();
        match change {
            "encoding_version" => other.about.encoding_version += 1,
            _ => other.about.rules_version += 1,
        }
        std::fs::write(&path, other.to_bytes()).unwrap();
        let error = check("incan-gold", "").unwrap_err();
        assert!(error.contains("version"), "{change}: {error}");
    }
    std::fs::write(&path, b"{}").unwrap();
    assert!(check("incan-gold", "").unwrap_err().contains("safetensors"));
}
