//! Networks in the ONNX format, as a user names them.

use crate::{meeple, stdout};

const SHIPPED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");

#[test]
fn a_network_is_exported_and_what_is_none_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("net.onnx");
    stdout(&format!("learn export {SHIPPED} -o {}", out.display()));
    let bytes = std::fs::read(&out).unwrap();
    assert!(bytes.windows(10).any(|window| window == b"incan-gold"));
    // A repeated export gives the same bytes.
    stdout(&format!("learn export {SHIPPED} -o {}", out.display()));
    assert_eq!(std::fs::read(&out).unwrap(), bytes);
    let output = meeple(&format!("learn export {} -o {SHIPPED}.onnx", out.display())).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("expected a file of safetensors") && errors.contains("hint:"), "{errors}");
    let organised = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/cartolan/learned/sorn-2.safetensors");
    let none = folder.path().join("sorn.onnx");
    let output = meeple(&format!("learn export {organised} -o {}", none.display())).output().unwrap();
    assert_eq!((output.status.code(), none.exists()), (Some(1), false));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("expected a feed-forward network") && errors.contains("hint: "), "{errors}");
    for words in ["learn", "learn export", "learn incan-gold", "learn export a b"] {
        assert_eq!(meeple(words).output().unwrap().status.code(), Some(2), "{words}");
    }
}

#[cfg(feature = "onnx")]
#[test]
fn networks_of_other_programs_play_wherever_agents_do() {
    use crate::json;

    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("net.onnx").display().to_string();
    stdout(&format!("learn export {SHIPPED} -o {net}"));
    // In about one of some hundred episodes rounding decides between equal actions; with this seed it does
    // not.
    let own = json("sim incan-gold net turn:7 -n 100 --json --seed 5");
    let other = json(&format!("sim incan-gold onnx:{net} turn:7 -n 100 --json --seed 5"));
    assert_eq!(own["agents"][0]["mean_score"], other["agents"][0]["mean_score"]);
    let output = stdout(&format!("match incan-gold onnx:{net} turn:7 -n 20"));
    assert!(output.contains("onnx"), "{output}");
    let tournament = folder.path().join("tournament").display().to_string();
    stdout(&format!("tournament incan-gold onnx:{net} turn:7 random -n 4 --seed 1 --out {tournament}"));
    assert!(stdout(&format!("verify {tournament}")).contains("proved"));
    stdout(&format!("play incan-gold onnx:{net} turn:7 --level totals --seed 1"));
    json(&format!("sim incan-gold mcts:value={net},margin=0,iterations=10 turn:7 -n 4 --json"));
}

#[cfg(not(feature = "onnx"))]
#[test]
fn a_program_without_them_says_how_to_build_one_with_them() {
    for spec in ["onnx:net.onnx", "mcts:value=net.onnx"] {
        let output = meeple(&format!("sim incan-gold {spec} turn:7 -n 4")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && errors.contains("net.onnx: expected a program with networks of ONNX"),
            "{errors}"
        );
        assert!(errors.contains("hint: `cargo build --release --features onnx`"), "{errors}");
    }
}
