//! The messages: hand-written JSON equals that of the types, and the schema file is up to date.

use meeple_bothost::protocol::{BotMessage, HostMessage, LegalMessage, schema};
use serde_json::{Value, json};

use crate::support::repository;

#[test]
fn the_schema_file_is_up_to_date() {
    let path = repository().join("schema/bot-protocol-1.json");
    let mut expected = serde_json::to_string_pretty(&schema()).unwrap();
    expected.push('\n');
    if std::env::var("MEEPLE_BLESS").is_ok() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{} is old\nhint: MEEPLE_BLESS=1 cargo test -p meeple-bothost schema",
        path.display()
    );
}

#[test]
fn turns_are_written_as_their_type_says() {
    if !crate::support::has("python3") {
        return;
    }
    // A bot that returns the line of its first turn through stderr.
    let text = "
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}))
    if m['t'] == 'start': print(json.dumps({'t': 'ready', 'g': m['g']}))
    if m['t'] == 'turn':
        sys.stderr.write(line)
        print('enough')
";
    let file = crate::support::bot_file("teller.py", text);
    for (name, listed) in [("incan-gold", true), ("game17", false)] {
        let limits = meeple_bothost::Limits { stderr_tail_bytes: 1 << 20, ..crate::support::limits() };
        let sandbox = meeple_bothost::Sandbox::none();
        let mut bot = meeple_bothost::BotProcess::launch(&file.spec, &sandbox, &limits).unwrap();
        let game = crate::support::game(name, 1);
        let mut seats = vec![crate::support::seat(&mut bot)];
        seats.extend((1..game.seats()).map(|_| crate::support::native("zombie")));
        let policy = meeple_bothost::FaultPolicy {
            clock: crate::support::patient(),
            strikes: Some(1),
            ..meeple_bothost::FaultPolicy::default()
        };
        let record =
            meeple_bothost::play_episode(&*game, crate::support::seed(0), &mut seats, &policy).unwrap();
        let line = &record.faults[0].fault.stderr_tail;
        let message: HostMessage = serde_json::from_str(line).unwrap();
        // The line has the fields and values of the type, and no others.
        assert_eq!(serde_json::to_value(&message).unwrap(), serde_json::from_str::<Value>(line).unwrap());
        let HostMessage::Turn { n: 0, obs, legal, bank_us: 10_000_000, .. } = message else {
            panic!("{line}")
        };
        assert_eq!(Some(obs), record.faults[0].observation, "the record shows what the bot saw");
        assert_eq!(matches!(legal, LegalMessage::List(_)), listed);
    }
}

#[test]
fn messages_of_bots_have_one_form() {
    for (message, line) in [
        (
            BotMessage::Hello {
                v: 1,
                name: "x".into(),
                ver: "2".into(),
                games: vec![],
                news: None,
                setup: None,
                repeatable: Some(true),
            },
            json!({ "t": "hello", "v": 1, "name": "x", "ver": "2", "games": [], "repeatable": true }),
        ),
        (BotMessage::Ready { g: 3 }, json!({ "t": "ready", "g": 3 })),
        (
            BotMessage::Move { g: 3, n: 4, a: Some(5), m: None, error: None, garbled: None },
            json!({ "t": "move", "g": 3, "n": 4, "a": 5 }),
        ),
    ] {
        assert_eq!(serde_json::to_value(&message).unwrap(), line);
        assert_eq!(serde_json::from_value::<BotMessage>(line).unwrap(), message);
    }
}

/// Unknown fields are ignored, even if other messages have fields of that name and another type.
#[test]
fn unknown_fields_are_ignored_whatever_they_hold() {
    if !crate::support::has("python3") {
        return;
    }
    let text = r#"
import json, sys
def say(**message): print(json.dumps({"x": [None, {"t": 1}], **message}), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["t"] == "hello": say(t="hello", v=1, g="none", n=-1, a="first", m=None, error=404)
    if m["t"] == "start": say(t="ready", g=m["g"], n="none", a=[], error={}, v="1", name=7, games="all")
    if m["t"] == "turn": say(t="move", g=m["g"], n=m["n"], a=0, v=[1], name=None, ver=1.5, games={})
"#;
    let file = crate::support::bot_file("talker.py", text);
    let mut bot = crate::support::launch(&file.spec, &meeple_bothost::Sandbox::none());
    let policy = meeple_bothost::FaultPolicy {
        clock: crate::support::patient(),
        ..meeple_bothost::FaultPolicy::default()
    };
    let record = crate::support::incan_gold(&mut bot, &policy, 0);
    assert_eq!(record.faults, []);
    assert!(record.seats[0].asked > 0);
}

/// A bot that does not play the game receives no message of the episode, not even its end.
#[test]
fn there_is_no_end_without_a_start() {
    if !crate::support::has("python3") {
        return;
    }
    let text = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    sys.stderr.write(m["t"] + " ")
    if m["t"] == "hello": print(json.dumps({"t": "hello", "v": 1, "games": ["incan-gold"]}), flush=True)
    if m["t"] == "start": print(json.dumps({"t": "ready", "g": m["g"]}), flush=True)
    if m["t"] == "turn": print("enough", flush=True)
"#;
    let file = crate::support::bot_file("picky.py", text);
    let mut bot = crate::support::launch(&file.spec, &meeple_bothost::Sandbox::none());
    let policy = meeple_bothost::FaultPolicy {
        clock: crate::support::patient(),
        strikes: Some(1),
        ..meeple_bothost::FaultPolicy::default()
    };
    let game = crate::support::game("carcassonne", 2);
    let mut seats = [crate::support::seat(&mut bot), crate::support::native("random")];
    let record = meeple_bothost::play_episode(&*game, crate::support::seed(0), &mut seats, &policy).unwrap();
    assert_eq!(record.faults[0].fault.code, meeple_bothost::FaultCode::ProtocolVersion);
    let record = crate::support::incan_gold(&mut bot, &policy, 0);
    assert_eq!(record.faults[0].fault.stderr_tail, "hello start turn", "{record:#?}");
}
