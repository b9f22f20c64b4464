//! Competitions by the rules of a game's original: the ranking, and every file.

use std::collections::BTreeMap;
use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{Bots, Failed, RecordStore, Request, RunOptions, ranking, run};
use meeple_core::{NoHost, ToolRequest};
use meeple_games::find_game;
use meeple_lab::{NoProgress, StopFlag};

use crate::request;

/// Stands for the content of a game's record among the files by name.
const RECORD: &str = "a record";
/// The list of players: agents have no entry, and these two bots could not be started.
const PLAYERS: (&str, &str) = ("players.txt", "3.py is player 3\n7.py is player 7\n");
const FOLDER: &str = "a folder";

/// Plays a tournament to its end; returns the ranking, and the files by name.
fn played(request: &Request) -> (Option<Vec<Vec<usize>>>, BTreeMap<String, String>) {
    let mut plan = request.plan().unwrap();
    plan.failed = [3, 7]
        .map(|number| Failed {
            name: format!("{number}"),
            run: format!("{number}.py"),
            number: Some(number),
            reason: "it has no main file".into(),
        })
        .into();
    let directory = tempfile::tempdir().unwrap();
    let mut store = RecordStore::create(directory.path(), &plan, "meeple test").unwrap();
    let (mut progress, stop) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &stop };
    let mut bots = Bots::none();
    run(&plan, &mut store, &mut bots, &mut options).unwrap();
    let ranking =
        ranking::finish(&plan, &mut store, &mut bots, Some(directory.path()), &mut options).unwrap();
    (ranking, files(directory.path()))
}

#[test]
fn owners_in_records_are_the_players_by_their_numbers() {
    let request = competition("t800 hunter zombie=zombie", Kind::RoundRobin, 1);
    let plan = request.plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut store = RecordStore::create(directory.path(), &plan, "meeple test").unwrap();
    let (mut progress, stop) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &stop };
    run(&plan, &mut store, &mut Bots::none(), &mut options).unwrap();
    ranking::finish(&plan, &mut store, &mut Bots::none(), Some(directory.path()), &mut options).unwrap();
    let game = find_game("game17").unwrap();
    let mut winners = 0;
    store
        .each(&mut |row| {
            let numbers: Vec<u16> = row.pairing.seats.iter().map(|own| own + 1).collect();
            let name = format!("{} vs {}.json", numbers[0], numbers[1]);
            let text = std::fs::read_to_string(directory.path().join(name)).unwrap();
            let arguments = ["import".to_owned(), "record".to_owned()];
            let request = ToolRequest {
                arguments: &arguments,
                seed: 0,
                read_file: &mut |_| Ok(text.clone()),
                tell: &mut |_| {},
                host: &NoHost,
            };
            let output = game.run_tool("record", None, &[], request).unwrap().json;
            let first: Vec<u64> =
                output["winners"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
            for (seat, number) in numbers.iter().enumerate() {
                let is_first = row.is_first(seat);
                assert_eq!(first.contains(&u64::from(*number)), is_first, "player {number}: {output}");
                winners += usize::from(is_first);
            }
        })
        .unwrap();
    assert!(winners > 0);
}

fn files(directory: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => std::fs::read_to_string(&path).unwrap(),
            Some("json") => {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
                RECORD.to_owned()
            }
            _ if path.is_dir() => FOLDER.to_owned(),
            _ => String::new(),
        };
        files.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), text);
    }
    files
}

fn competition(words: &str, kind: Kind, deals: u64) -> Request {
    let mut request = request("game17", words);
    request.schedule = Some(kind);
    request.deals = Some(deals);
    request.original = true;
    request.set = vec![("size".into(), "5".into()), ("rounds".into(), "10".into())];
    request
}

fn check(request: &Request, ranking: Option<&[&[usize]]>, expected: &[(&str, &str)]) {
    let (found, mut files) = played(request);
    let ranking = ranking.map(|groups| groups.iter().map(|group| group.to_vec()).collect::<Vec<_>>());
    assert_eq!(found, ranking);
    for (name, text) in expected {
        let found = files.remove(*name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(found, *text, "{name}");
    }
    // Nothing else is left there but the record.
    files.retain(|name, _| !name.starts_with("tournament.db") && name != "replays.jsonl.gz");
    assert_eq!(files.keys().collect::<Vec<_>>(), Vec::<&String>::new());
}

const FAILED: (&str, &str) = ("players_that_failed_on_import.txt", "3, 7\n");

#[test]
fn a_battle_royale_is_ranked_and_reported() {
    check(
        &competition("t800 hunter zombie=zombie twin=zombie", Kind::Single, 3),
        Some(&[&[1], &[0], &[2, 3]]),
        &[
            FAILED,
            PLAYERS,
            ("battle-royale-0.json", RECORD),
            ("battle-royale-1.json", RECORD),
            ("battle-royale-2.json", RECORD),
            (
                "battle-royale-summary.txt",
                "  games won max time\n1         0        0\n2         3        0\n3         0        0\n\
                 4         0        0\n",
            ),
            ("round-robin-1", FOLDER),
            ("1 vs 3.json", RECORD),
            ("1 vs 4.json", RECORD),
            ("3 vs 4.json", RECORD),
            ("round-robin-1.txt", "       winner\n1 vs 3      1\n1 vs 4      1\n"),
            (
                "round-robin-summary-1.txt",
                "  games won max time\n1         2        0\n3         0        0\n4         0        0\n",
            ),
            ("ranks.txt", "  players\n0       2\n1       1\n2    3, 4\n"),
        ],
    );
}

#[test]
fn a_round_robin_is_ranked_and_reported() {
    check(
        &competition("t800 a=zombie b=zombie", Kind::RoundRobin, 1),
        Some(&[&[0], &[1, 2]]),
        &[
            FAILED,
            PLAYERS,
            ("1 vs 2.json", RECORD),
            ("1 vs 3.json", RECORD),
            ("2 vs 3.json", RECORD),
            ("round-robin.txt", "       winner\n1 vs 2      1\n1 vs 3      1\n"),
            (
                "round-robin-summary.txt",
                "  games won max time\n1         2        0\n2         0        0\n3         0        0\n",
            ),
            ("ranks.txt", "  players\n0       1\n1    2, 3\n"),
        ],
    );
}

#[test]
fn a_lone_player_is_reported_with_wins_and_times() {
    check(
        &competition("t800 hunter", Kind::Alone, 4),
        None,
        &[FAILED, PLAYERS, ("vs-zombies.txt", "player\tnum_wins\tmax_time\n1\t4\t0\n2\t4\t0\n")],
    );
}
