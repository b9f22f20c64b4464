//! Refusals of files that are no networks, or are networks of something else.

use meeple_core::AgentSpec;
use meeple_learn::{Checkpoint, LearnError, to_onnx};
use meeple_onnx::Model;

use crate::{data, game, shipped, wanted};

fn refused(bytes: Vec<u8>) -> String {
    let error = Model::from_bytes(&wanted(), bytes, "it").err().expect("it is refused");
    assert!(matches!(error, LearnError::Network { .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.starts_with("it: expected ") && text.contains(", found ") && text.contains("\nhint: "),
        "{text}"
    );
    text
}

#[test]
fn networks_of_something_else_are_refused() {
    type Change = fn(&mut Checkpoint);
    let cases: &[(Change, &str)] = &[
        (
            |other| other.about.game = "cartolan".to_owned(),
            "expected game incan-gold, found a network for cartolan",
        ),
        (|other| other.about.rules_version += 1, "expected rules version 1, found a network for 2"),
        (|other| other.about.encoding_version += 1, "expected encoding version 1, found a network for 2"),
        (|other| other.about.seats = 3, "expected seats 2, found a network for 3"),
    ];
    for (change, expected) in cases {
        let mut other = shipped();
        change(&mut other);
        let text = refused(to_onnx(&other));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn files_that_do_not_have_what_they_must_are_refused() {
    for (name, expected) in [
        ("no-facts.onnx", "`goal` in the metadata, found none"),
        ("no-number.onnx", "expected finite numbers from `value`, found "),
        ("one-row.onnx", "expected float numbers [16, 1] from `value`, found "),
        ("wide.onnx", "expected float numbers [1, 2] from `policy`, found [1, 3]"),
        ("narrow.onnx", "expected float numbers [n, 40] for `encoding`, found float numbers [n, 39]"),
    ] {
        let text = refused(std::fs::read(data(name)).unwrap());
        assert!(text.contains(expected), "{name}: {text}");
    }
    for bytes in [&b""[..], b"no network", b"{}", &[0xff; 64]] {
        let text = refused(bytes.to_vec());
        assert!(text.contains("expected a file of ONNX, found "), "{text}");
    }
    let other = shipped().to_bytes();
    assert!(refused(other).contains("expected a file of ONNX, found "));
}

/// Metadata stands at the end of a file, so a file that ends before a key lacks it.
#[test]
fn every_fact_is_needed() {
    let whole = to_onnx(&shipped());
    for (key, expected) in
        [("game", "expected `goal` in the metadata"), ("goal", "expected `goal` in the metadata")]
    {
        let at = whole.windows(key.len()).rposition(|window| window == key.as_bytes()).unwrap();
        // Four bytes precede the key: tag and length of the pair, and tag and length of the key.
        let text = refused(whole[..at - 4].to_vec());
        assert!(text.contains(expected), "{key}: {text}");
    }
    for (from, to, expected) in [
        (
            &b"goal\x12\x03win"[..],
            &b"goal\x12\x03wit"[..],
            "win, score or margin for `goal` in the metadata, found 'wit'",
        ),
        (b"seats\x12\x012", b"seats\x12\x01x", "a whole number for `seats` in the metadata, found 'x'"),
        (b"game", b"gamf", "`game` in the metadata, found none"),
    ] {
        let mut other = whole.clone();
        let at = other.windows(from.len()).rposition(|window| window == from).unwrap();
        other[at..at + from.len()].copy_from_slice(to);
        let text = refused(other);
        assert!(text.contains(expected), "{text}");
    }
}

/// Reading a cut or changed file ends, with a network or an error.
#[test]
fn damage_ends_with_an_answer() {
    let wanted = wanted();
    let whole = std::fs::read(data("both.onnx")).unwrap();
    for cut in (0..whole.len()).step_by(11) {
        refused(whole[..cut].to_vec());
    }
    for (at, by) in (0..whole.len()).step_by(3).zip([1, 3, 0x80].into_iter().cycle()) {
        let mut other = whole.clone();
        other[at] = other[at].wrapping_add(by);
        let _ = Model::from_bytes(&wanted, other, "it");
    }
}

/// Messages that the library would read for ever, or from the beginning again and again.
#[test]
fn lengths_and_numbers_without_an_end_are_refused() {
    let whole = to_onnx(&shipped());
    for end in [&[0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01][..], &[0xff; 30], &[0x33]]
    {
        let text = refused([&whole, end].concat());
        assert!(text.contains("found another or a truncated file"), "{text}");
    }
    // Here a number without an end is in the shape of a tensor.
    let tensor = [&[0x0a, 0x0b][..], &[0xff; 11]].concat();
    let graph = [&[0x2a, 0x0d][..], &tensor].concat();
    let text = refused([&[0x08, 0x08, 0x3a, 0x0f][..], &graph].concat());
    assert!(text.contains("found another or a truncated file"), "{text}");
}

/// Errors of a file come before anything is played.
#[test]
fn line_ups_are_refused() {
    let check = |name: &str, seats: usize, file: &str| {
        let spec = AgentSpec::with("onnx", [("file", file)]);
        game(name, seats).check_line_up(&vec![spec; seats]).map_err(|error| error.to_string())
    };
    let value = data("value.onnx").display().to_string();
    check("incan-gold", 2, &value).unwrap();
    for (name, seats, file, expected) in [
        ("incan-gold", 3, value.as_str(), "expected seats 3, found a network for 2"),
        ("carcassonne", 2, &value, "expected game carcassonne, found a network for incan-gold"),
        ("incan-gold", 2, "nowhere.onnx", "nowhere.onnx: No such file"),
        ("incan-gold", 2, "", "expected a file, found none"),
    ] {
        let error = check(name, seats, file).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let search = |file: &str| {
        let spec = AgentSpec::parse(&format!("mcts:value={file},margin=0"));
        game("incan-gold", 2).check_line_up(&vec![spec; 2]).map_err(|error| error.to_string())
    };
    search(&value).unwrap();
    let error = search(&data("policy.onnx").display().to_string()).unwrap_err();
    assert!(error.contains("expected an output `value`, found `policy` alone"), "{error}");
    let error = search("nowhere.onnx").unwrap_err();
    assert!(error.contains("nowhere.onnx: No such file"), "{error}");
}
