//! Tools of games, lists, benchmark, doctor.

use crate::{json, stdout};

#[test]
fn exact_values_are_the_published_ones() {
    let rows = json("exact incan-gold solo turn:7 --json")["rows"].clone();
    assert!((rows[0]["mean"].as_f64().unwrap() - 96.4873).abs() < 5e-5);
    for key in ["setting", "mean", "sd", "p10", "p50", "p90", "p_zero"] {
        assert!(rows[0].get(key).is_some(), "{key}");
    }
    let versus = json("exact incan-gold versus turn:3..4 turn:5 --json")["rows"].clone();
    assert_eq!(versus.as_array().unwrap().len(), 2);
    for row in versus.as_array().unwrap() {
        let share = |key: &str| row[key].as_f64().unwrap();
        assert!((share("win") + share("draw") + share("loss") - 1.0).abs() < 1e-9);
        assert!(share("mean_a") > 0.0 && share("mean_b") > 0.0);
    }
}

#[test]
fn lists_describe_the_games() {
    assert!(stdout("games").contains("incan-gold"));
    assert!(stdout("games incan-gold").contains("hazards.copies"));
    assert!(stdout("games --tools").contains("meeple exact incan-gold"));
    assert!(stdout("rules incan-gold").contains("R3.3"));
    let agents = stdout("agents incan-gold");
    for name in
        ["turn", "backpack", "random", "hazards", "never", "lookahead", "optimal-solo", "human", "flat"]
    {
        assert!(agents.contains(name), "{name} is missing in\n{agents}");
    }
    let listed = stdout("agents privateers");
    for text in ["mixed:LOOT,LOOT,assumed=…,…,arm=…,reserve=…\n", "A list goes on until the next name"]
    {
        assert!(listed.contains(text), "{text} is missing in\n{listed}");
    }
    assert_eq!(json("games --json")["format"], 1);
}

#[test]
fn agents_stand_in_the_order_of_their_strength() {
    // A new game has no measured strengths yet.
    for entry in meeple_games::games().iter().filter(|entry| !entry.info().strengths.is_empty()) {
        let info = entry.info();
        let strengths = meeple_core::Strengths::parse(info.strengths).unwrap();
        let known: Vec<&str> = entry.agents().iter().map(|agent| agent.name).collect();
        let measured: Vec<&str> = strengths.measured.iter().map(meeple_core::Strength::agent).collect();
        assert!(measured.iter().all(|name| known.contains(name)), "{}: {measured:?}", info.id);
        for own in entry.own_agents() {
            assert!(measured.contains(&own), "{}: {own} has no strength", info.id);
        }
        let listed = json(&format!("agents {} --json", info.id));
        let listed: Vec<&str> = listed["agents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|agent| agent["name"].as_str().unwrap())
            .collect();
        assert_eq!(listed[..measured.len()], measured, "{}", info.id);
        assert_eq!(listed.len(), known.len());
        let text = stdout(&format!("agents {}", info.id));
        assert!(text.contains(&strengths.command), "{text}");
        let strongest = &strengths.measured[0];
        let advertised = format!("wins {:.0} % of its games", 100.0 * strongest.win_share);
        assert!(text.contains(&advertised), "{advertised} is missing in\n{text}");
    }
}

#[test]
fn a_game_lists_the_numbers_of_its_encoding() {
    for game in meeple_games::games().iter().map(|entry| entry.info().id) {
        let encoding = json(&format!("games {game} --encoding --json"))["encoding"].clone();
        if encoding.is_null() {
            continue;
        }
        let sizes =
            encoding["fields"].as_array().unwrap().iter().map(|field| field["size"].as_u64().unwrap());
        assert_eq!(sizes.sum::<u64>(), encoding["size"].as_u64().unwrap(), "{game}");
    }
    let text = stdout("games incan-gold/boxed --encoding --seats 5");
    assert!(text.starts_with("Incan Gold: version 1 of the encoding, 5 seats: "), "{text}");
    assert!(text.contains("a haul"), "{text}");
    // The encoding is that of the variant, so its size depends on the settings.
    let usual = json("games game17 --encoding --json");
    let small = json("games game17 --encoding --set size=4 --json");
    assert_eq!(small["variant"]["size"], 4);
    assert!(small["encoding"]["size"].as_u64() < usual["encoding"]["size"].as_u64(), "{small}");
    let profiled = json("games cartolan --encoding --profile oct-2020 --json");
    assert_ne!(profiled["variant"], json("games cartolan --encoding --json")["variant"]);
}

#[test]
fn what_is_set_stands_beside_the_defaults() {
    let text = stdout("games incan-gold --set rounds=7");
    let row = text.lines().find(|line| line.starts_with("rounds ")).unwrap();
    assert!(text.contains("as set") && row.contains("7 *"), "{text}");
    assert_eq!(json("games incan-gold --set rounds=7 --json")["variant"]["rounds"], 7);
    assert_eq!(json("games incan-gold --json").get("variant"), None, "the defaults stand in the parameters");
}

#[test]
fn a_game_lists_its_own_tools() {
    let all = stdout("games --tools");
    assert!(all.contains("meeple exact privateers") && all.contains("meeple record game17"));
    let indented = |line: &str| line.starts_with("meeple ") || line.starts_with("    ");
    assert!(all.lines().all(indented), "every line below a call is indented:\n{all}");
    let of_one = stdout("games --tools incan-gold");
    assert!(of_one.starts_with("meeple exact incan-gold solo"), "{of_one}");
    assert!(!of_one.contains("privateers") && !of_one.contains("hazards.copies"), "{of_one}");
    assert_eq!(stdout("games --tools cartolan").trim(), "cartolan has no tools of its own");
    let game = stdout("games privateers");
    assert!(game.contains("best with 5") && game.contains("more players than the map has ports"), "{game}");
    assert!(game.contains("tools:\n  meeple exact privateers fight"), "{game}");
    assert!(!stdout("games cartolan").contains("tools:"));
    let rows = json("games --tools game17 --json");
    assert_eq!(rows["format"], 1);
    assert_eq!((&rows["tools"][0]["name"], &rows["tools"][0]["game"]), (&"record".into(), &"game17".into()));
}

#[test]
fn tools_answer_in_the_format_of_all() {
    let fight = json("exact privateers fight frigate:4 schooner:4 --json");
    assert_eq!((&fight["format"], &fight["game"]), (&1.into(), &"privateers".into()));
    let row = &fight["rows"][0];
    assert_eq!(row["initiator"]["class"], "frigate");
    assert!((row["win"].as_f64().unwrap() + row["loss"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    let map = json("map privateers check pocket --json");
    assert_eq!((&map["format"], &map["game"]), (&1.into(), &"privateers".into()));
}

#[test]
fn tools_are_listed_and_explained() {
    let help = stdout("--help");
    for part in ["exact   incan-gold, privateers", "record  game17", "meeple TOOL --help"] {
        assert!(help.contains(part), "expected {part:?} in\n{help}");
    }
    let of_all = stdout("exact --help");
    assert!(of_all.contains("meeple exact incan-gold solo") && of_all.contains("meeple exact privateers"));
    assert_eq!(stdout("help exact"), of_all);
    let of_one = stdout("exact incan-gold --help");
    assert!(of_one.contains("meeple exact incan-gold solo") && !of_one.contains("privateers"));
    assert!(of_one.contains("--json"));
    assert!(stdout("help sim").contains("--episodes"));
}

#[test]
fn presets_are_described() {
    let boxed = stdout("games incan-gold/boxed");
    let head = boxed.lines().find(|line| line.starts_with("key")).expect("a table of parameters");
    assert_eq!(head.split_whitespace().take(4).collect::<Vec<_>>(), ["key", "boxed", "default", "values"]);
    let line = |key: &str| boxed.lines().find(|line| line.starts_with(key)).unwrap().to_owned();
    assert!(line("artifacts.unclaimed").contains(" * "), "{boxed}");
    assert!(!line("rounds").contains(" * "), "{boxed}");
    assert!(!stdout("games incan-gold").contains("differs from the default"));
    let described = json("games incan-gold/boxed --json");
    assert_eq!(described["preset"], "boxed");
    assert_eq!(described["variant"]["rounds"], 5);
    assert_eq!(stdout("rules incan-gold/boxed"), stdout("rules incan-gold"));
}

#[test]
fn bench_and_doctor_answer() {
    let bench = json("bench incan-gold --seconds 0.05 --json");
    assert!(bench["games"][0]["episodes_per_second"].as_f64().unwrap() > 0.0);
    assert!(stdout("doctor").contains("cores"));
}

#[test]
fn every_agent_is_measured_or_it_is_said_why_not() {
    let bench = json("bench incan-gold cartolan/beginner --agents --seconds 0.001 --json");
    for game in ["incan-gold", "cartolan"] {
        let mut known: Vec<String> = json(&format!("agents {game} --json"))["agents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|agent| agent["name"].as_str().unwrap().to_owned())
            .collect();
        known.sort_unstable();
        let rows: Vec<&serde_json::Value> = bench["agents"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["game"].as_str().unwrap().starts_with(game))
            .collect();
        let mut names: Vec<&str> = rows.iter().map(|row| row["agent"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, known);
        for row in rows {
            let measured = row["microseconds_per_decision"].as_f64().is_some_and(|time| time >= 0.0)
                && row["decisions"].as_u64().is_some_and(|count| count > 0);
            assert!(measured != row["cannot_play"].is_string(), "{row}");
        }
    }
    assert!(stdout("bench incan-gold --agents --seconds 0.001").contains("µs a decision"));
}

#[test]
fn game_records_of_the_original_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (replay, record) = (path("game.json"), path("record.json"));
    stdout(&format!("play game17 t800 --set size=4 --seed 3 --level game --save {replay}"));
    stdout(&format!("record game17 export {replay} -o {record}"));
    let last = stdout(&format!("replay {record}"));
    assert!(last.starts_with("round ") && last.contains("sides left: "), "{last}");
    assert!(stdout(&format!("replay {record} --check")).contains("every move is possible"));
    // Without a terminal a film is printed moment by moment, without pauses.
    let (film, own) =
        (stdout(&format!("replay {record} --film")), stdout(&format!("replay {replay} --film")));
    assert!(film.starts_with("start\n") && film.len() > 3 * last.len());
    assert!(own.contains("wins (") || own.contains("share the win ("), "{own}");
}

#[test]
fn tables_without_players_and_colours_of_players() {
    // Without named players the game fills its seats with its filler.
    let summary = json("sim game17 --set size=3 -n 20 --json");
    assert_eq!(summary["agents"][0]["name"], "zombie");
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("game.json").display().to_string();
    let watched = stdout(&format!(
        "play game17 Ann=hunter@teal t800 --set size=4 --seed 5 --level turn --save {replay}"
    ));
    assert!(watched.contains("A 0 (Ann)") && watched.contains("B 1 (t800)"), "{watched}");
    assert!(stdout(&format!("replay {replay}")).contains("A 0 (Ann)"));
}
