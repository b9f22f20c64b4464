//! Bots of SYNCS 2025 run unchanged: folder, pipes, frames, queries, events, faults.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use meeple_bothost::{
    BotProcess, BotSpec, Clock, ClockBasis, EpisodeRecord, FaultCode, FaultPolicy, Limits, OnFault,
    SandboxLevel, play_episode,
};
use meeple_core::{
    AgentSpec, Answer, AnyGame, Driver, Due, NoHost, PlayerLabel, Question, Seat, ToolRequest, Viewer,
};
use meeple_games::adapters;
use serde_json::{Value, json};

use crate::support::{
    bot_file, game, game_with, has, launch, limits, native, patient, repository, sandbox, sandboxes, seat,
    seed,
};

/// A bot beside the adapter, without a sandbox: the test is its host, and reads what it writes into its
/// folder.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl Talk {
    fn new(bot: &Path) -> Self {
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

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn ask(&mut self, message: &Value) -> Value {
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
        // When it answers again, its game is over.
        talk.ask(&json!({ "t": "hello" }));
    }
    (driver, asked)
}

fn everything() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/everything.py")
}

/// Tiles that look the same after fewer than four turns.
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
        // Without claimable features the host asks nothing, but the bot must be asked.
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

fn sorted(list: &Value) -> Value {
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

/// Records every frame.
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

/// The policy of the original: its limits count on the wall; here they never matter.
fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: None, on_fault: OnFault::Forfeit, ..FaultPolicy::default() }
}

fn simple() -> BotSpec {
    BotSpec::parse(repository().join("bots/syncs/simple.py").to_str().unwrap(), adapters()).unwrap()
}

#[test]
fn simple_bots_play_in_every_sandbox() {
    if !has("python3") {
        return;
    }
    let game = game("carcassonne/river", 4);
    for sandbox in sandboxes() {
        let mut bots = [launch(&simple(), &sandbox), launch(&simple(), &sandbox)];
        let [one, other] = &mut bots;
        assert_eq!(one.hello().games, ["carcassonne"]);
        // Twice: the second game has a new process of the bot, which remembers nothing.
        for number in 0..2 {
            let mut seats = [seat(one), native("greedy"), seat(other), native("random")];
            let record = play_episode(&*game, seed(number), &mut seats, &policy()).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
            assert!(record.seats[0].decisions > 8 && record.seats[0].asked == record.seats[0].decisions);
        }
    }
}

#[test]
fn a_simple_bot_passes_the_checks() {
    if !has("python3") {
        return;
    }
    let mut talk = Talk::new(&repository().join("bots/syncs/simple.py"));
    let game = game("carcassonne/river", 2);
    // Messages out of order, as in the host's checks: a game that ends at once, twice, and one
    // without a start.
    for _ in 0..2 {
        let start = json!({
            "t": "start", "g": 1, "opts": game.variant(), "seat": 0, "seats": 2, "seed": "0000000000000001",
            "clock": { "start_ms": 60_000 },
        });
        assert_eq!(talk.ask(&start)["t"], "ready");
        talk.say(&json!({ "t": "unheard of" }));
        let turn = json!({
            "t": "turn", "g": 1, "n": 0, "obs": { "stage": "tile" }, "ev": [{ "event": "x-check" }], "legal": ["a", "b"],
        });
        assert_eq!(talk.ask(&turn), json!({ "t": "move", "g": 1, "n": 0, "a": 0 }));
        talk.say(&json!({ "t": "end" }));
        talk.say(&json!({ "t": "end" }));
    }
}

/// A game of a faulty bot against an agent.
fn wrong(text: &str, policy: &FaultPolicy) -> EpisodeRecord {
    let sandbox = sandbox(SandboxLevel::None).unwrap();
    let file = bot_file("bot.py", &text.replace("PLAY", PLAY));
    let mut bot = launch(&file.spec, &sandbox);
    let mut seats = [seat(&mut bot), native("greedy")];
    play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, policy).unwrap()
}

/// A bot that plays its first tile well; `PLAY` in the texts of bots stands for it.
const PLAY: &str = "
import json, sys
from helper.game import Game
game = Game()
def tile(query):
    for placed in reversed(game.state.map.placed_tiles):
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            x, y = placed.placed_pos[0] + dx, placed.placed_pos[1] + dy
            for index, tile in enumerate(game.state.my_tiles):
                river = 'RIVER' in [edge.name for edge in tile.internal_edges.values()]
                fits = game.can_place_tile_at(tile, x, y)
                if fits and (not river or game.state.map.river_validation(tile, x, y) == 'pass'):
                    tile.placed_pos = x, y
                    return game.move_place_tile(query, tile._to_model(), index)
def answer():
    query = game.get_next_query()
    if query.query_type == 'query_place_tile':
        return tile(query)
    return game.move_place_meeple_pass(query)
game.send_move(answer())
";

/// A bot that always claims and never counts its meeples.
const SPENDER: &str = "PLAY
last = None
while True:
    query = game.get_next_query()
    if query.query_type == 'query_place_tile':
        move = tile(query)
        last = move.tile
    else:
        move = game.move_place_meeple_pass(query)
        laid = game.state.map.placed_tiles[-1] if last is None else game.state.map._grid[last.pos[1]][last.pos[0]]
        for edge in game.state.get_placeable_structures(laid._to_model()):
            if not game.state._get_claims(laid, edge):
                move = game.move_place_meeple(query, laid._to_model(), placed_on=edge)
                break
    game.send_move(move)
";

/// Checks code and words of the first fault.
fn check(text: &str, expected: FaultCode, words: &[&str]) {
    let record = wrong(text, &policy());
    let fault = &record.faults.first().expect("it does something wrong").fault;
    let message = format!("{} {} {}", fault.detail, fault.line.as_deref().unwrap_or(""), fault.stderr_tail);
    assert_eq!(fault.code, expected, "{message}");
    for word in words {
        assert!(message.contains(word), "expected '{word}' in: {message}");
    }
    assert!(record.seats[0].forfeited);
    assert_eq!(record.faults.len(), 1, "a ban ends the bot's game");
}

#[test]
fn moves_against_the_rules() {
    if !has("python3") {
        return;
    }
    let cases = [
        (
            "PLAY\nmove = answer()\nwhile move.event_type != 'move_place_tile':\n    game.send_move(move); move = answer()\nmove.tile.pos = (0, 0)\ngame.send_move(move)",
            &[
                "at [0, 0] with rotation",
                "player_tile_index ",
                "this tile may lie at [8",
                "in this game's words it is 'place R",
            ][..],
        ),
        ("PLAY\nwhile True:\n    move = answer(); move.player_id = 1; game.send_move(move)", &["your own"]),
        (
            "PLAY\nwhile True:\n    move = answer()\n    if move.event_type == 'move_place_tile': move.player_tile_index = 7\n    game.send_move(move)",
            &["player_tile_index"],
        ),
        (
            "PLAY\nquery = game.get_next_query()\ntile = game.state.map.placed_tiles[-1]\ngame.send_move(game.move_place_meeple(query, tile._to_model(), 'middle'))\nanswer()",
            &["middle"],
        ),
        (
            "PLAY\nquery = game.get_next_query()\ntile = game.state.map.placed_tiles[-1]\ngame.send_move(game.move_place_meeple(query, tile._to_model(), 'MONASTARY'))\nanswer()",
            &["move_place_meeple of R", "placed_on MONASTARY", "on this tile "],
        ),
        // Without a meeple nothing can be claimed, whatever the tile shows.
        (SPENDER, &["no meeple is left, all 7 are out"]),
        // A tile instead of the requested meeple.
        (
            "PLAY\nlast = None\nwhile True:\n    move = answer()\n    if move.event_type == 'move_place_tile':\n        last = move\n    elif last: game.send_move(last)\n    game.send_move(move)",
            &["move_place_tile is no answer to query_place_meeple: expected move_place_meeple"],
        ),
        // Half a surrogate pair cannot be encoded.
        (
            "PLAY\nquery = game.get_next_query()\ntile = game.state.map.placed_tiles[-1]\ngame.send_move(game.move_place_meeple(query, tile._to_model(), 'field_\\ud800'))\nanswer()",
            &["placed_on field_?"],
        ),
    ];
    for (text, words) in cases {
        check(text, FaultCode::InvalidMove, words);
    }
}

#[test]
fn messages_that_are_none() {
    if !has("python3") {
        return;
    }
    let send = |frame: &str| {
        format!(
            "PLAY\ngame.get_next_query()\npipe = game.connection._to_engine_pipe\npipe.write({frame:?})\npipe.flush()\ngame.get_next_query()"
        )
    };
    for (frame, word) in [
        ("hello", "COUNT,JSON"),
        ("-3,{}", "COUNT,JSON"),
        ("12345,{}", "COUNT,JSON"),
        // A count that is too small truncates the message, and the rest is no frame either.
        ("5,{\"event_type\": 1}", "expected a move in a frame of 5 characters, found '{\"eve'"),
        ("2,{}", "expected a move"),
        ("4,null", "expected a move"),
        ("37,{\"event_type\": \"event_player_bannned\"}", "expected a move"),
    ] {
        check(&send(frame), FaultCode::InvalidMessage, &[word]);
    }
    let deep = "[".repeat(990);
    let event = "{\"event_type\":\"event_starting_tile_placed\",\"tile_placed\":{\"tile_type\":\"A\",\"pos\":[1,2],\"rotation\":0}}";
    for (text, word) in
        [(&*deep, "expected a move in a frame"), (event, "expected a move, found event_starting_tile_placed")]
    {
        let frame = format!("{},{text}", text.len());
        check(&send(&frame), FaultCode::InvalidMessage, &[word]);
    }
    // A count that is too large leads to a wait.
    let half = "half a frame came: expected 999 characters after the comma, found 2";
    check(&send("999,{}"), FaultCode::Timeout, &[half]);
}

#[test]
fn unreadable_python_is_reported_with_its_line() {
    if !has("python3") {
        return;
    }
    let words = ["SyntaxError: line 3: ", "this is Python"];
    check("from helper.game import Game\n\ndef f(:\n    pass\n", FaultCode::Crash, &words);
}

#[test]
fn a_bot_that_ends_or_closes_its_pipes() {
    if !has("python3") {
        return;
    }
    check("PLAY\nraise ValueError('lost')", FaultCode::Crash, &["ValueError: lost"]);
    check("PLAY\nsys.exit(0)", FaultCode::Crash, &["in the middle of the game"]);
    check("PLAY\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)", FaultCode::Crash, &["signal"]);
    let closed = "PLAY\nimport time\ngame.connection._to_engine_pipe.close()\nwhile True: time.sleep(1)";
    check(closed, FaultCode::BrokenPipe, &["closed one of its pipes"]);
}

#[test]
fn a_bot_that_thinks_too_long() {
    if !has("python3") {
        return;
    }
    let quick = |move_ms, bank_ms| {
        let clock = Clock { move_ms, bank_ms, increment_ms: 0, basis: ClockBasis::Wall, ..patient() };
        FaultPolicy { clock, ..policy() }
    };
    let slow = "PLAY\nwhile True: pass";
    let code = |policy: &FaultPolicy| code_of(slow, policy);
    assert_eq!(code(&quick(Some(400), 60_000)), FaultCode::Timeout);
    assert_eq!(code(&quick(None, 400)), FaultCode::CumulativeTimeout);
    // Start-up time counts, as in the competition: nothing is left for the first tile.
    let late = "import time\ntime.sleep(0.5)\nPLAY";
    let clock = Clock { bank_ms: 500, increment_ms: 0, basis: ClockBasis::Wall, ..patient() };
    let of = |start_in_bank| FaultPolicy { clock: Clock { start_in_bank, ..clock }, ..policy() };
    assert_eq!(code_of(late, &of(true)), FaultCode::CumulativeTimeout);
    assert_ne!(code_of(late, &of(false)), FaultCode::CumulativeTimeout);
}

fn code_of(text: &str, policy: &FaultPolicy) -> FaultCode {
    wrong(text, policy).faults[0].fault.code
}

/// A bot finds files beside it, as in the original, where its folder has a full name.
#[test]
fn a_bot_knows_its_folder() {
    if !has("python3") {
        return;
    }
    let text = "import helper.game, os, sys\nos.chdir(os.path.dirname(__file__))\n\
                raise SystemExit(' '.join([*sorted(os.listdir(os.path.dirname(__file__))), sys.argv[0]]))";
    check(text, FaultCode::Crash, &["io submission.py submission.py"]);
}

#[test]
fn a_bot_that_is_not_ready_learns_the_reason() {
    if !has("python3") {
        return;
    }
    let never = "import helper.game\nwhile True: pass";
    let clock = Clock { start_ms: 1_000, basis: ClockBasis::Wall, ..patient() };
    let record = wrong(never, &FaultPolicy { clock, ..policy() });
    let fault = &record.faults[0].fault;
    assert_eq!(fault.code, FaultCode::Timeout);
    assert!(fault.detail.starts_with("no ready within 1000 ms"), "{}", fault.detail);
    assert!(fault.stderr_tail.contains("has not opened ./io/from_engine.pipe"), "{}", fault.stderr_tail);
    let missing = "import helper.game\nimport torch_of_the_north";
    check(missing, FaultCode::Crash, &["imports 'torch_of_the_north', which is not there", "hint:"]);
    let record = wrong(missing, &policy());
    let fault = &record.faults[0].fault;
    assert_eq!(fault.missing_module().as_deref(), Some("torch_of_the_north"));
    let message = fault.summary();
    assert!(message.starts_with("CRASH: it ended with status 1; its last words: "), "{message}");
    assert!(message.contains("'torch_of_the_north'") && !message.contains('\n'), "{message}");
    let not_there = "import helper.game\nfrom lib.interact.tile import NoSuchName";
    check(not_there, FaultCode::Crash, &["cannot import name 'NoSuchName'"]);
    check("import helper.game\ndef f(:\n", FaultCode::Crash, &["SyntaxError"]);
}

#[test]
fn a_bot_makes_no_devices() {
    if !has("python3") {
        return;
    }
    let text = "import helper.game, os, stat
os.mkfifo('mine')
for kind in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFREG):
    try:
        os.mknod('other', kind | 0o600, os.makedev(1, 3))
        print('made', oct(kind), file=__import__('sys').stderr)
    except OSError:
        pass
raise SystemExit('a pipe, and nothing else')";
    let file = bot_file("bot.py", text);
    let Some(sandbox) = sandbox(SandboxLevel::InProcess) else { return };
    let mut bot = launch(&file.spec, &sandbox);
    let mut seats = [seat(&mut bot), native("greedy")];
    let record = play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, &policy()).unwrap();
    let tail = &record.faults[0].fault.stderr_tail;
    assert!(tail.contains("a pipe, and nothing else") && !tail.contains("made"), "{tail}");
}

#[test]
fn two_bots_in_one_file_are_refused() {
    let file = bot_file(
        "two.py",
        "from helper.game import Game\ndef make_moves(owner, rounds, owners, numbers): pass\n",
    );
    let sandbox = sandbox(SandboxLevel::None).unwrap();
    let limits = crate::support::limits();
    let refused = meeple_bothost::BotProcess::launch(&file.spec, &sandbox, &limits).err();
    let error = refused.expect("nobody can tell which of the two is meant").to_string();
    assert!(
        error.ends_with(
            "'two.py' is two bots in one file: it imports helper.game and defines make_moves or get_mover\n\
             hint: put each into a file of its own, or say syncs:PATH for the bot that imports helper.game"
        ),
        "{error}"
    );
    // With the prefix it plays.
    let spec = BotSpec::parse(&format!("syncs:{}", file.spec), adapters()).unwrap();
    assert_eq!(spec.to_string(), format!("syncs:{}", file.spec));
    if has("python3") {
        assert_eq!(launch(&spec, &sandbox).hello().games, ["carcassonne"]);
    }
}

/// Values and exceptions of the original's helper: docs/reference/syncs.md lists intended differences.
#[test]
fn the_helper_answers_as_the_original_does() {
    if !has("python3") {
        return;
    }
    let asked_and_expected = [
        // An absent key gives something empty and false, and stays absent.
        (
            "[bool(t.internal_edges['MONASTARY']), len(t.internal_edges.x), 'x' in t.internal_edges]",
            "[False, 0, False]",
        ),
        ("[t.internal_claims['x'] or 'free', t.internal_claims.get('x')]", "['free', None]"),
        ("len(copy.deepcopy(t).internal_edges) + len(pickle.loads(pickle.dumps(t.internal_claims)))", "9"),
        ("tile_counts['x']", "KeyError"),
        // A river tile beside the spring, where no water meets it; water that meets a tile is looked at.
        ("[[game.can_place_tile_at(r, 85 + x, 85) for x in (-1, 1)], r.rotation]", "[[True, True], 0]"),
        ("game.can_place_tile_at(r, 85, 86)", "True"),
        ("game.can_place_tile_at(r, 90, 90)", "False"),
        ("game.state.map.river_validation(r, 85, 86)", "pass"),
        ("game.state.map.river_validation(r, 90, 84)", "disjoint"),
        // Grass and water go on from edge to edge, too.
        ("sorted(e for _, e in near(s, 'left_edge'))", "['bottom_edge', 'left_edge', 'right_edge']"),
        ("game.state.get_completed_components(s)", "{}"),
        ("Tile.adjacent_edges('MONASTARY')", "KeyError"),
        ("Tile.get_external_tile('MONASTARY', (85, 85), game.state.map._grid)", "AssertionError"),
        ("S.is_compatible(S.MONASTARY, S.MONASTARY)", "False"),
        ("[TileModifier.apply_point_modifiers(c, S.CITY, 3, p) for p in (False, True)]", "[5, 4]"),
        ("r.rotate_clockwise(-1) or [r.rotation, r.internal_edges.top_edge.name]", "[3, 'RIVER']"),
        (
            "game.state.get_tile_structures(TileModel(tile_type='ZZ', pos=(0, 0), rotation=0))",
            "AssertionError",
        ),
        (
            "game.state.get_placeable_structures(TileModel(tile_type='R2', pos=(0, 0), rotation=0))",
            "AssertionError",
        ),
        ("Meeple(1, True)", "AssertionError"),
        ("Meeple(1)._free_meeple()", "AssertionError"),
        ("game.state.map.add_expansion_pack(None)", "None"),
        ("game.state.map.start_base_phase()", "AssertionError"),
        ("Tile.get_starting_tile() is Tile.get_starting_tile()", "True"),
        ("game.mutator.commit(99, None)", "RuntimeError"),
        ("[game.state.num_placed_tiles, len(game.state.me.tiles)]", "[0, 1]"),
        ("TileModel(tile_type='A', pos='12', rotation=0)", "ValidationError"),
        ("TileModel(tile_type='A', pos=(1, 2, 3), rotation=0)", "ValidationError"),
        ("str(TileModel(tile_type='A', pos=(1, 2), rotation=0))", "tile_type='A' pos=(1, 2) rotation=0"),
        ("dict(public)['event_type']", "public_move_place_tile"),
    ];
    let cases: Vec<[&str; 2]> =
        asked_and_expected.iter().map(|(asked, expected)| [*asked, *expected]).collect();
    let bot = HELPER_CASES.replace("CASES", &json!(cases).to_string());
    check(&bot, FaultCode::Crash, &["otherwise: []."]);
}

/// Evaluates expressions and compares the results.
const HELPER_CASES: &str = "
import copy, pickle, sys
from helper.game import Game
from lib.config.map_config import tile_counts
from lib.interact.meeple import Meeple
from lib.interact.structure import StructureType as S
from lib.interact.tile import Tile, TileModifier, create_base_tiles, create_river_tiles
from lib.models.tile_model import TileModel
from lib.interface.events.moves.move_place_tile import MovePlaceTile
game = Game()
game.get_next_query()
otherwise = []
for asked, expected in CASES:
    t, s = create_base_tiles()[0], game.state.map.placed_tiles[0]
    c = next(t for t in create_base_tiles() if t.tile_type == 'C')
    r = next(t for t in create_river_tiles() if t.tile_type == 'R2')
    near = game.state._traverse_connected_component
    public = MovePlaceTile(player_id=1, tile=s._to_model(), player_tile_index=0).get_public()
    try:
        found = str(eval(asked))
    except Exception as error:
        found = type(error).__name__
    if found != expected:
        otherwise.append((asked, expected, found))
sys.exit('otherwise: %s.' % otherwise)
";

/// Every module of the original's packages exists with all of the original's names, imports
/// included.
#[test]
fn modules_offer_what_the_originals_do() {
    if !has("python3") {
        return;
    }
    check(MODULES, FaultCode::Crash, &["missing: []."]);
}

const MODULES: &str = r#"
import importlib, sys
from helper.game import Game
game = Game()
game.get_next_query()
NAMES = """
helper.game ClientSate Connection Game MovePlaceMeeple MovePlaceTile MoveType QueryType StateMutator Tile TileModel
helper.client_state ClientSate EventType GameLogic MAX_MAP_LENGTH Map Meeple PlayerModel Tile TileModifier deepcopy
helper.state_mutator ClientSate EventPlayerWon EventType Meeple MovePlaceMeeplePass StateMutator
helper.interface Connection MoveType QueryType QueryTypeAdapter
helper.utils Tile print_map
lib.config.scoring CITY_PARTIAL_POINTS CITY_POINTS EMBLEM_PARTIAL_POINTS EMBLEM_POINTS FARM_POINTS MONASTARY_POINTS
lib.config.scoring NO_POINTS POINT_LIMIT ROAD_POINTS
lib.config.expansion EXPANSION
lib.config.map_config MAP_CENTER MAX_MAP_LENGTH NUM_PLACEABLE_TILE_TYPES TILE_EDGE_IDS TILE_EXTERNAL_POS tile_counts
lib.game.game_logic GameLogic Map Meeple SharedGameState StructureType Tile TileModifier
lib.interact.map Map Tile create_base_tiles create_river_tiles
lib.interact.tile Meeple StructureType Tile TileModel TileModifier create_base_tiles deepcopy
lib.interface.events.event_player_drew_cards EventPlayerDrewTiles PublicEventPlayerDrewTiles
lib.interface.events.event_player_bannned BanType EventPlayerBanned MoveType
lib.interface.events.typing EventType MoveType
lib.interface.io.ban_type BanType
lib.interface.queries.typing QueryType QueryTypeAdapter
lib.models.player_model PlayerModel PublicPlayerModel TileModel
"""
missing = []
for line in NAMES.splitlines():
    module, *names = line.split() or ['lib']
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        missing.append(str(error))
        continue
    missing += [module + '.' + name for name in names if not hasattr(found, name)]
sys.exit('missing: %s.' % missing)
"#;

/// Printed text takes no scratch space: it goes to the log, and is dropped beyond the limit.
#[test]
fn prints_never_fill_the_scratch_folder() {
    if !has("python3") {
        return;
    }
    let simple = std::fs::read_to_string(repository().join("bots/syncs/simple.py")).unwrap();
    let talker = simple.replacen(
        "query = game.get_next_query()",
        "query = game.get_next_query(); print('x' * 100_000)",
        1,
    );
    assert_ne!(talker, simple);
    let talker = bot_file("talker.py", &talker);
    let limits = Limits { disk_mib: 1, stderr_bytes: 1 << 16, ..limits() };
    for sandbox in sandboxes() {
        let mut bot = BotProcess::launch(&talker.spec, &sandbox, &limits).unwrap();
        let mut seats = [seat(&mut bot), native("greedy")];
        let record = play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, &policy()).unwrap();
        assert_eq!(record.faults, [], "{}", sandbox.level());
        let own = &record.seats[0];
        assert!(own.asked > 30 && own.dropped_bytes > 2 << 20, "{}: {own:?}", sandbox.level());
    }
}

#[test]
fn packages_of_the_bots_own_come_first() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("helper");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("__init__.py"), "").unwrap();
    std::fs::write(own.join("game.py"), "raise SystemExit('a helper of my own')\n").unwrap();
    std::fs::write(folder.path().join("main.py"), "from helper.game import Game\n").unwrap();
    let spec = BotSpec::parse(folder.path().to_str().unwrap(), adapters()).unwrap();
    let mut bot = launch(&spec, &sandbox(SandboxLevel::None).unwrap());
    let mut seats = [seat(&mut bot), native("greedy")];
    let record = play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, &policy()).unwrap();
    assert!(record.faults[0].fault.stderr_tail.contains("a helper of my own"));
}

/// Packages of the original that are installed for the bot's interpreter; others that happen to have such a
/// name are not what the bot means.
#[test]
fn installed_packages_come_before_ours() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(folder.path()).status();
    assert!(made.unwrap().success());
    let python = folder.path().join("bin/python3");
    let asked = Command::new(&python)
        .args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        .output()
        .unwrap();
    let packages = PathBuf::from(String::from_utf8(asked.stdout).unwrap().trim());
    let write = |name: &str, text: &str| {
        let path = packages.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let bot = bot_file(
        "bot.py",
        "import helper.game, lib.pieces, sys\n\
         raise SystemExit('%s %s' % (getattr(helper.game, 'MARK', 'ours'), getattr(lib.pieces, 'MARK', 'ours')))\n",
    );
    let sandbox = sandbox(SandboxLevel::None).unwrap().with_python(Some(python));
    let fault = |preset: &str| {
        let mut process = launch(&bot.spec, &sandbox);
        let mut seats = [seat(&mut process), native("greedy")];
        let game = game(&format!("carcassonne/{preset}"), 2);
        play_episode(&*game, seed(1), &mut seats, &policy()).unwrap().faults.remove(0).fault
    };
    let said = || fault("river").last_words().unwrap();
    assert_eq!(said(), "ours ours");
    write("helper/__init__.py", "");
    write("helper/other.py", "MARK = 'stray'\n");
    assert_eq!(said(), "ours ours", "a package of another kind");
    write("helper/game.py", "MARK = 'installed'\n");
    assert_eq!(said(), "installed ours");
    write("lib/__init__.py", "");
    write("lib/pieces.py", "MARK = 'installed'\n");
    assert_eq!(said(), "installed installed");
    // The original packages know neither fields nor towers, nor games without a river.
    for (preset, expected) in [
        ("syncs", "installed installed"),
        ("towers", "ours ours"),
        ("farms", "ours ours"),
        ("classic", "ours ours"),
    ] {
        let fault = fault(preset);
        assert_eq!(fault.last_words().unwrap(), expected, "{preset}");
        assert_eq!(
            fault.stderr_tail.contains("hint: carcassonne/river"),
            expected == "ours ours",
            "{preset}"
        );
    }
    // Installed in place, as by `pip install -e`: it is on the interpreter's path and readable
    // for bots.
    let beside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::create_dir(beside.path().join("helper")).unwrap();
    std::fs::write(beside.path().join("helper/__init__.py"), "").unwrap();
    std::fs::write(beside.path().join("helper/game.py"), "MARK = 'edited'\n").unwrap();
    std::fs::remove_dir_all(packages.join("helper")).unwrap();
    write("edited.pth", beside.path().to_str().unwrap());
    assert_eq!(said(), "edited installed");
}
