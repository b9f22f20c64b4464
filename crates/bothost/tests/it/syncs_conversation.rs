//! Bots of SYNCS 2025: the conversation, and the knowledge that a client gathers from it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use meeple_core::{
    AgentSpec, Answer, AnyGame, Driver, Due, NoHost, PlayerLabel, Question, Seat, ToolRequest, Viewer,
};
use serde_json::{Value, json};

use crate::support::{game, game_with, has, repository, seed};

/// A bot beside the adapter, without a sandbox: the test is its host, and reads what it writes into its
/// folder.
pub struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl Talk {
    pub fn new(bot: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let adapter =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/carcassonne/adapter/syncs2025/launch.py");
        let mut child = Command::new("python3")
            .arg(adapter)
            .arg(bot)
            .env("TMPDIR", folder.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PYTHONHASHSEED", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut talk = Self { child, input, output, folder };
        let hello = talk.ask(&json!({ "t": "hello" }));
        assert_eq!(hello["games"], json!(["carcassonne"]));
        talk
    }

    pub fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    pub fn ask(&mut self, message: &Value) -> Value {
        self.say(message);
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: '{line}'"))
    }

    /// A file that the bot has written, by lines of JSON.
    fn written(&self, seat: usize, name: &str) -> Vec<Value> {
        let path = self.folder.path().join(format!("submission{seat}")).join(name);
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The observations behind the host's questions to a seat, by the kind of query and the number of tiles laid.
type Asked = BTreeMap<(String, usize), Value>;

/// Plays a game with the adapter on some seats and agents on the others; `asked` are the questions of each
/// seat.
fn play(game: &dyn AnyGame, number: u64, talks: &mut [Option<Talk>]) -> (Driver, Vec<Asked>) {
    let mut driver = Driver::new(game.episode(seed(number)));
    let mut asked = vec![Asked::new(); talks.len()];
    for (seat, talk) in Seat::all(game.seats()).zip(talks.iter_mut()) {
        match talk {
            None => driver.seat_agent(seat, &AgentSpec::parse("greedy")).unwrap(),
            Some(talk) => {
                let start = json!({
                    "t": "start", "g": 1, "opts": game.variant(), "seat": seat.index(), "seats": game.seats(),
                    "seed": "0000000000000007", "clock": { "start_ms": 60_000 },
                });
                assert_eq!(talk.ask(&start)["t"], "ready");
            }
        }
    }
    loop {
        match driver.due() {
            Due::Chance => driver.draw_chance(),
            Due::Over => break,
            Due::Decide(questions) => {
                for question @ Question { seat, number } in questions {
                    let Some(talk) = &mut talks[seat.index()] else {
                        driver.ask_agent(question).unwrap();
                        continue;
                    };
                    let events: Vec<Value> = driver.news(seat).into_iter().map(|event| event.json).collect();
                    let observation = driver.view().observation(Viewer::Seat(seat));
                    let laid = observation["board"].as_array().unwrap().len();
                    asked[seat.index()]
                        .insert((observation["stage"].as_str().unwrap().into(), laid), observation.clone());
                    let legal = driver.view().legal_actions(seat);
                    let answer = talk.ask(&json!({
                        "t": "turn", "g": 1, "n": number, "obs": observation, "ev": events, "legal": legal,
                    }));
                    let index = answer["a"].as_u64().unwrap_or_else(|| panic!("{answer}"));
                    driver.answer(seat, number, Answer::Index(index as usize)).unwrap();
                }
            }
        }
    }
    for talk in talks.iter_mut().flatten() {
        talk.say(&json!({ "t": "end" }));
        // Once the adapter answers again, the bot's game is over.
        talk.ask(&json!({ "t": "hello" }));
    }
    (driver, asked)
}

fn everything() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/everything.py")
}

/// Number of turns after which a tile looks the same; 4 for all others.
const SYMMETRIC: [(&str, u64); 11] = [
    ("B", 1),
    ("C", 1),
    ("X", 1),
    ("F", 2),
    ("G", 2),
    ("H", 2),
    ("U", 2),
    ("R2", 2),
    ("R4", 2),
    ("R6", 2),
    ("R8", 4),
];

fn placed(tiles: &Value) -> BTreeSet<String> {
    let one = |tile: &Value| {
        let name = tile[0].as_str().unwrap();
        let turns = SYMMETRIC.iter().find(|(other, _)| *other == name).map_or(4, |(_, turns)| *turns);
        format!("{name} {},{} r{}", tile[1], tile[2], tile[3].as_u64().unwrap() % turns)
    };
    tiles.as_array().unwrap().iter().map(one).collect()
}

/// Compares a bot's knowledge at every query with the host's.
fn compare(asked: &Asked, dumps: &[Value]) {
    let mut compared = 0;
    let mut events = 0;
    for known in dumps {
        assert!(known["events"].as_u64() > Some(events), "every query has news");
        events = known["events"].as_u64().unwrap();
        let stage = if known["query"] == "query_place_tile" { "tile" } else { "action" };
        let laid = known["placed"].as_array().unwrap().len();
        // Without claimable features the host asks nothing, but the adapter asks the bot.
        let Some(seen) = asked.get(&(stage.to_owned(), laid)) else {
            assert_eq!(stage, "action");
            continue;
        };
        compared += 1;
        assert_eq!(placed(&known["placed"]), placed(&seen["board"]));
        let mut meeples: Vec<Value> = seen["meeples"]
            .as_array()
            .unwrap()
            .iter()
            .map(|meeple| {
                let on = meeple["on"].as_str().unwrap();
                json!([meeple["seat"], meeple["cell"], on.split(' ').next()])
            })
            .collect();
        meeples.sort_by_key(Value::to_string);
        let mut theirs = known["meeples"].as_array().unwrap().clone();
        theirs.sort_by_key(Value::to_string);
        assert_eq!(theirs, meeples);
        let players = seen["players"].as_array().unwrap();
        let of_all = |what: &str| Value::Array(players.iter().map(|player| player[what].clone()).collect());
        assert_eq!(known["points"], of_all("points"));
        assert_eq!(known["supply"], of_all("meeples"));
        assert_eq!(known["tiles"], of_all("tiles"));
        assert_eq!(known["order"], seen["order"]);
        let hand = &players[seen["me"].as_u64().unwrap() as usize]["hand"];
        let mut hand: Vec<&str> =
            hand.as_array().unwrap().iter().map(|tile| tile.as_str().unwrap()).collect();
        hand.sort_unstable();
        assert_eq!(known["hand"], json!(hand));
        if laid > 12 {
            let unseen: Vec<Value> =
                seen["unseen"].as_object().unwrap().iter().map(|(k, n)| json!([k, n])).collect();
            let mut unseen = unseen;
            unseen.sort_by_key(Value::to_string);
            let mut theirs = known["unseen"].as_array().unwrap().clone();
            theirs.sort_by_key(Value::to_string);
            assert_eq!(theirs, unseen);
        }
    }
    assert_eq!(compared, asked.len(), "every question of the host was put to the bot");
}

#[test]
fn what_a_client_folds_is_what_the_host_knows_in_four_copies() {
    if !has("python3") {
        return;
    }
    let game = game_with("carcassonne/river", &[("point-limit", "0")], 4);
    let mut talks: Vec<Option<Talk>> = (0..4).map(|_| Some(Talk::new(&everything()))).collect();
    for number in 0..3 {
        let (driver, asked) = play(&*game, number, &mut talks);
        assert!(driver.view().length() >= 82, "a long game: {}", driver.view().length());
        for (seat, (talk, asked)) in talks.iter().zip(&asked).enumerate() {
            compare(asked, &talk.as_ref().unwrap().written(seat, "dump.jsonl"));
        }
    }
}

#[test]
fn what_a_client_folds_is_what_the_host_knows_among_agents() {
    if !has("python3") {
        return;
    }
    for (number, seats) in [(3, 2), (4, 3), (5, 6)] {
        let game = game("carcassonne/river", seats);
        let mut talks: Vec<Option<Talk>> = (0..seats).map(|_| None).collect();
        talks[1] = Some(Talk::new(&everything()));
        let (_, asked) = play(&*game, number, &mut talks);
        compare(&asked[1], &talks[1].as_ref().unwrap().written(1, "dump.jsonl"));
    }
}

#[test]
fn the_whole_game_is_played_and_folded() {
    if !has("python3") {
        return;
    }
    let climber = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/climber.py");
    let mut taken = BTreeSet::new();
    for (number, preset) in [(0, "towers"), (1, "towers"), (2, "farms")] {
        let game = game_with(&format!("carcassonne/{preset}"), &[("point-limit", "0")], 3);
        let mut talks = [Some(Talk::new(&climber)), None, Some(Talk::new(&climber))];
        let (_, asked) = play(&*game, number, &mut talks);
        for seat in [0, 2] {
            let dumps = talks[seat].as_ref().unwrap().written(seat, "dump.jsonl");
            for last in dumps.last().into_iter().filter(|last| last["taken"].is_object()) {
                taken.extend(last["taken"].as_object().unwrap().keys().cloned());
            }
            let mut compared = 0;
            for known in dumps.iter().filter(|known| known["query"].is_string()) {
                let stage = match known["query"].as_str().unwrap() {
                    "query_place_tile" => "tile",
                    "query_place_meeple" => "action",
                    _ => "capture",
                };
                let laid = known["placed"].as_u64().unwrap() as usize;
                // If questions recur after a ransom, only the last is kept.
                let Some(seen) = asked[seat].get(&(stage.to_owned(), laid)) else { continue };
                let players = seen["players"].as_array().unwrap();
                let of_all =
                    |what: &str| Value::Array(players.iter().map(|player| player[what].clone()).collect());
                if known["points"] != of_all("points") && seen["ransoms_paid"] != 0 {
                    continue;
                }
                compared += 1;
                assert_eq!(known["points"], of_all("points"));
                assert_eq!(known["supply"], of_all("meeples"));
                assert_eq!(known["tiles"], of_all("tiles"));
                assert_eq!(
                    known["hand"],
                    players[seat]["hand"].as_array().map(|_| sorted(&players[seat]["hand"])).unwrap()
                );
                assert_eq!(known["prisoners"], of_all("prisoners"));
                let towers = seen["towers"].as_array().unwrap().iter().filter(|tower| tower["height"] != 0);
                let towers =
                    towers.map(|tower| json!([tower["cell"], tower["height"], tower["guard"]])).collect();
                assert_eq!(sorted(&known["towers"]), sorted(&Value::Array(towers)));
                let meeples = seen["meeples"].as_array().unwrap();
                let meeples = meeples.iter().map(|meeple| json!([meeple["seat"], meeple["cell"]])).collect();
                assert_eq!(sorted(&known["standing"]), sorted(&Value::Array(meeples)));
            }
            assert!(compared > 25, "{compared}");
        }
    }
    for kind in [
        "field",
        "move_build_floor",
        "move_close_tower",
        "move_capture_meeple",
        "move_capture_pass",
        "move_pay_ransom",
    ] {
        assert!(taken.contains(kind), "no {kind} among {taken:?}");
    }
}

pub fn sorted(list: &Value) -> Value {
    let mut list = list.as_array().unwrap().clone();
    list.sort_by_key(Value::to_string);
    Value::Array(list)
}

/// The conversation with `bots/syncs/simple.py`, frame by frame, and the game's log as the original writes
/// it.
fn conversation(preset: &str, limit: &str) -> (String, Vec<Value>) {
    let simple = std::fs::read_to_string(repository().join("bots/syncs/simple.py")).unwrap();
    let recorded = simple.replace("    game = Game()\n", RECORDED);
    assert_ne!(recorded, simple);
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("recorded.py");
    std::fs::write(&bot, recorded).unwrap();
    let game = game_with(preset, &[("point-limit", limit)], 2);
    let mut talks = [Some(Talk::new(&bot)), None];
    let (driver, _) = play(&*game, 11, &mut talks);
    let path = talks[0].as_ref().unwrap().folder.path().join("submission0/frames.txt");
    let players: Vec<PlayerLabel> = ["bot", "greedy"].map(|name| PlayerLabel::from(name.to_owned())).into();
    let replay = driver.view().replay(&players, Some(seed(11))).to_text();
    let arguments = ["export", "replay", "-o", "out"].map(str::to_owned);
    let request = ToolRequest {
        arguments: &arguments,
        seed: 0,
        read_file: &mut |_| Ok(replay.clone()),
        tell: &mut |_| {},
        host: &NoHost,
    };
    let entry = meeple_games::parse_game(preset).unwrap().entry;
    let files = entry.run_tool("syncs", None, &[], request).unwrap().files;
    let (_, log) = files.iter().find(|(name, _)| name == "out/game.json").unwrap();
    (std::fs::read_to_string(path).unwrap(), serde_json::from_str(log).unwrap())
}

/// The events sent to a bot are the log of the game, as far as the bot may know it.
#[test]
fn events_sent_to_a_bot_match_the_log() {
    if !has("python3") {
        return;
    }
    for preset in ["river", "syncs"] {
        let (frames, log) = conversation(&format!("carcassonne/{preset}"), "0");
        let mut number = 0;
        for frame in frames.lines().filter_map(|line| line.strip_prefix("< ")) {
            let query: Value = serde_json::from_str(frame.split_once(' ').unwrap().1).unwrap();
            let update = query["update"].as_object().unwrap();
            for sent in (number..number + update.len()).map(|number| &update[&number.to_string()]) {
                let known = &log[number];
                let kind = |event: &Value| event["event_type"].as_str().unwrap().replace("public_", "");
                assert_eq!(kind(sent), kind(known), "{preset}: event {number}");
                for field in ["player_id", "reward", "num_tiles", "turn_order", "end_tile"] {
                    assert_eq!(
                        sent[field], known[field],
                        "{preset}: {field} of event {number}: {sent}, {known}"
                    );
                }
                assert_eq!(sent["tile"]["pos"], known["tile"]["pos"], "{preset}: event {number}");
                assert_eq!(sent["tile"]["tile_type"], known["tile"]["tile_type"], "{preset}: event {number}");
                let own = sent["player_id"] == 0;
                assert!(own || sent.get("tiles").is_none(), "hands of others are hidden: {sent}");
                number += 1;
            }
        }
        assert!(log.len() - number < 40 && number > 250, "{number} of {}", log.len());
    }
}

/// Code that records every frame.
const RECORDED: &str = "    game = Game()
    frames = open('frames.txt', 'w', encoding='utf-8')
    pipe, receive, send = game.connection, game.connection._receive, game.connection._send
    def noted(mark, text):
        print(mark, len(text), text, file=frames, flush=True)
        return text
    pipe._receive = lambda: noted('<', receive())
    pipe._send = lambda text: send(noted('>', text))
";

#[test]
fn conversations_are_as_recorded() {
    if !has("python3") {
        return;
    }
    for preset in ["river", "syncs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/conversations/{preset}.txt"));
        let (found, _) = conversation(&format!("carcassonne/{preset}"), "8");
        if std::env::var_os("MEEPLE_BLESS").is_some() {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        let differing = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
        assert_eq!(differing, None, "{preset}: the first frame that differs");
        assert_eq!(found.len(), expected.len(), "{preset}");
    }
}
