//! The tools, as the command line calls them.

use meeple_core::{Game, ToolCall, ToolError, ToolOutput};
use meeple_privateers::{Privateers, SeaMap};

use crate::bench::game;

fn run(name: &str, arguments: &[&str]) -> Result<ToolOutput, ToolError> {
    let game = game(1, &[]);
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let tools = Privateers::tools();
    let tool = tools.iter().find(|tool| tool.name == name).unwrap();
    let mut read = |path: &str| match path {
        "good.map" => Ok("name: x\nauthor: y\nversion: 1\n\nA..\n...\n..B\n".to_owned()),
        "bad.map" => Ok("name: x\nauthor: y\nversion: 1\n\nA..\n##.\n.#B\n".to_owned()),
        _ => Err(format!("{path}: no such file")),
    };
    (tool.run)(&mut ToolCall { game: &game, arguments: &arguments, seed: 7, read_file: &mut read })
}

#[test]
fn exact_fights() {
    let output = run("exact", &["fight", "frigate:4", "schooner:4", "--distance", "2"]).unwrap();
    let win = output.json["win"].as_f64().unwrap();
    assert!((win - 0.656455).abs() < 5e-7);
    assert_eq!(output.tables[0].rows[0][4], "0.656455");
    let own_range = run("exact", &["fight", "frigate:4", "schooner:4"]).unwrap();
    assert_eq!(own_range.json["win"].as_f64(), Some(win));
}

#[test]
fn exact_refuses_what_cannot_be() {
    let usage = |arguments: &[&str]| match run("exact", arguments) {
        Err(ToolError::Usage(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(usage(&["fight", "schooner:5", "schooner:4"]).contains("0 to 4"));
    assert!(usage(&["fight", "raft:5", "schooner:4"]).contains("schooner, galleon, frigate"));
    assert!(usage(&["fight", "schooner:4", "schooner:4", "--distance", "1"]).contains("range"));
    assert!(usage(&["fight", "schooner:4"]).contains("expected"));
    assert!(usage(&["duel", "schooner:4", "schooner:4"]).contains("duel"));
    assert!(usage(&["fight", "--speed", "4"]).contains("--speed"));
    assert!(usage(&["fight", "schooner:4", "schooner:4", "--distance"]).contains("value"));
}

#[test]
fn maps_are_generated_into_files() {
    let arguments = ["generate", "--seed", "7", "--width", "12", "--height=8", "--ports", "3", "-o", "x.map"];
    let output = run("map", &arguments).unwrap();
    let (name, content) = &output.files[0];
    assert_eq!((name.as_str(), content.as_str()), ("x.map", include_str!("generated-7.map")));
    assert!(SeaMap::parse(content).is_ok());
    assert!(matches!(run("map", &["generate", "--width", "99"]), Err(ToolError::Usage(_))));
    let crowded = ["generate", "--width", "6", "--height", "6", "--ports", "20"];
    assert!(matches!(run("map", &crowded), Err(ToolError::Failed(_))));
}

#[test]
fn maps_are_checked() {
    assert_eq!(run("map", &["check", "good.map"]).unwrap().json["ports"], 2);
    assert_eq!(run("map", &["check", "archipelago"]).unwrap().json["cells_not_land"], 340);
    let failed = |file: &str| match run("map", &["check", file]) {
        Err(ToolError::Failed(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(failed("bad.map").contains("row 3, column 1"), "{}", failed("bad.map"));
    assert!(failed("none.map").contains("no such file"));
}
