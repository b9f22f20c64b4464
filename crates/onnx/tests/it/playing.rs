//! Tests of episodes that ONNX networks play.

use meeple_core::{AgentSpec, Seating};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use meeple_learn::to_onnx;

use crate::{data, game, shipped};

/// Results of the first of two players, as JSON.
fn played(words: [&str; 2], episodes: u64, threads: usize) -> serde_json::Value {
    let game = game("incan-gold", 2);
    let simulation = Simulation {
        game: &*game,
        line_up: LineUp::parse(&words.map(str::to_owned)).unwrap(),
        seed: 5,
        episodes,
        seating: Seating::DealGroups,
        threads,
    };
    let run = simulate(&simulation, &mut NoProgress, &StopFlag::new()).unwrap();
    serde_json::to_value(&run.summary.agents[0].results).unwrap()
}

fn named(agent: &str, file: &std::path::Path) -> String {
    AgentSpec::with(agent, [("file", file.to_str().unwrap())]).to_string()
}

/// A network exported to ONNX decides as the original.
#[test]
fn an_exported_network_plays_the_same_episodes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.onnx");
    std::fs::write(&file, to_onnx(&shipped())).unwrap();
    let onnx = named("onnx", &file);
    let own = played(["net", "turn:7"], 60, 1);
    assert_eq!(played([&onnx, "turn:7"], 60, 1), own);
    assert_eq!(played([&onnx, "turn:7"], 60, 2), own);
}

#[test]
fn values_and_policies_play_and_are_searched_with_on_any_number_of_threads() {
    for name in ["value.onnx", "policy.onnx", "both.onnx"] {
        let spec = named("onnx", &data(name));
        let one = played([&spec, "random"], 60, 1);
        assert_eq!(one, played([&spec, "random"], 60, 2), "{name}");
        assert_ne!(one, played(["random", "random"], 60, 1), "{name}");
    }
    // A file with both plays by its policy.
    let [both, policy, value] =
        ["both.onnx", "policy.onnx", "value.onnx"].map(|name| named("onnx", &data(name)));
    let by_both = played([&both, "random"], 60, 1);
    assert_eq!(by_both, played([&policy, "random"], 60, 1));
    assert_ne!(by_both, played([&value, "random"], 60, 1));
    let search = format!("mcts:value={},margin=0,iterations=20,trees=2", data("value.onnx").display());
    let one = played([&search, "turn:7"], 20, 1);
    assert_eq!(one, played([&search, "turn:7"], 20, 2));
    assert_ne!(one, played(["mcts:margin=0,iterations=20,trees=2", "turn:7"], 20, 1));
}
