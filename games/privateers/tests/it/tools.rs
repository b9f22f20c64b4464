//! The tools, as the command line calls them.

use meeple_core::{Defined as _, NoHost, ToolCall, ToolError, ToolOutput};
use meeple_privateers::{Privateers, SeaMap, fight};

use crate::bench::game;

fn run(name: &str, arguments: &[&str]) -> Result<ToolOutput, ToolError> {
    run_with(&[], name, arguments)
}

fn run_with(set: &[(&str, &str)], name: &str, arguments: &[&str]) -> Result<ToolOutput, ToolError> {
    let game = game(1, set);
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let tools = Privateers::definition().tools;
    let tool = tools.iter().find(|tool| tool.name == name).unwrap();
    let mut read = |path: &str| match path {
        "good.map" => Ok("name: x\nauthor: y\nversion: 1\n\nA..\n...\n..B\n".to_owned()),
        "bad.map" => Ok("name: x\nauthor: y\nversion: 1\n\nA..\n##.\n.#B\n".to_owned()),
        _ => Err(format!("{path}: no such file")),
    };
    (tool.run)(&mut ToolCall {
        game: &game,
        arguments: &arguments,
        seed: 7,
        read_file: &mut read,
        tell: &mut |_| {},
        host: &NoHost,
    })
}

#[test]
fn exact_fights() {
    let output = run("exact", &["fight", "frigate:4", "schooner:4", "--distance", "2"]).unwrap();
    assert_eq!((&output.json["format"], &output.json["game"]), (&1.into(), &"privateers".into()));
    let win = output.json["rows"][0]["win"].as_f64().unwrap();
    assert!((win - 0.656455).abs() < 5e-7);
    assert_eq!(output.tables[0].rows[0][4], "0.656455");
    let own_range = run("exact", &["fight", "frigate:4", "schooner:4"]).unwrap();
    assert_eq!(own_range.json["rows"][0]["win"].as_f64(), Some(win));
}

/// Parameters that change fights, with probabilities by hand or from the game's table.
#[test]
fn exact_fights_follow_the_variant() {
    let win = |set: &[(&str, &str)], fighters: [&str; 2]| {
        let output = run_with(set, "exact", &["fight", fighters[0], fighters[1]]).unwrap();
        output.json["rows"][0]["win"].as_f64().unwrap()
    };
    let close = |left: f64, right: f64| (left - right).abs() < 1e-12;
    // One roll: the higher die wins at once where nobody has points.
    assert!(close(win(&[("max_rolls", "1")], ["schooner:0", "schooner:0"]), 15.0 / 36.0));
    // With one point each, a difference of 2 or more wins at once (10 of 36); by a difference of 1
    // (5 of 36) the initiator is ahead. Equal points go to the defender.
    assert!(close(win(&[("max_rolls", "1")], ["schooner:1", "schooner:1"]), 15.0 / 36.0));
    assert!(close(win(&[("max_rolls", "1")], ["schooner:2", "schooner:1"]), 21.0 / 36.0), "a tie, too");
    let far = [("ranges", "0,1,5")];
    assert!(win(&far, ["frigate:2", "schooner:2"]) > win(&[], ["frigate:2", "schooner:2"]) + 0.05);
    assert!(win(&[("mounts", "4,12,20")], ["frigate:20", "frigate:18"]) > 0.5);
    // Without a binding limit, the result equals the table that agents use.
    for (a, b, free) in [(2, 2, 0), (0, 2, 0), (4, 18, 0), (18, 4, 2), (18, 12, 1), (7, 7, 2)] {
        let table = fight::FightTable::new(18, 2).win(a, b, free);
        assert!((fight::win_in_rolls(a, b, free, 10_000) - table).abs() < 1e-12, "{a} {b} {free}");
    }
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
    let good = run("map", &["check", "good.map"]).unwrap().json;
    assert_eq!(
        (&good["format"], &good["game"], &good["ports"]),
        (&1.into(), &"privateers".into(), &2.into())
    );
    assert_eq!(run("map", &["check", "archipelago"]).unwrap().json["cells_not_land"], 340);
    let failed = |file: &str| match run("map", &["check", file]) {
        Err(ToolError::Failed(text) | ToolError::Usage(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(failed("bad.map").contains("row 3, column 1"), "{}", failed("bad.map"));
    assert!(failed("none.map").contains("no such file"));
}
