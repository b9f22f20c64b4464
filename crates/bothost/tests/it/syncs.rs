//! Bots of SYNCS 2025 run unchanged: sandboxes, checks and faults.

use meeple_bothost::{
    BotSpec, Clock, ClockBasis, EpisodeRecord, FaultCode, FaultPolicy, OnFault, SandboxLevel, play_episode,
};
use meeple_games::adapters;
use serde_json::json;

use crate::support::{
    bot_file, game, has, launch, native, patient, repository, sandbox, sandboxes, seat, seed,
};
use crate::syncs_conversation::Talk;

/// The policy of the original: its limits count on the wall; here they never matter.
pub fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: None, on_fault: OnFault::Forfeit, ..FaultPolicy::default() }
}

pub fn simple() -> BotSpec {
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
        // Played twice: the second game has a new process of the bot, which remembers nothing.
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
    // Messages out of order, as in the host's checks: a game that ends at once, twice, and one without a
    // start.
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
pub fn wrong(text: &str, policy: &FaultPolicy) -> EpisodeRecord {
    let sandbox = sandbox(SandboxLevel::None).unwrap();
    let file = bot_file("bot.py", &text.replace("PLAY", PLAY));
    let mut bot = launch(&file.spec, &sandbox);
    let mut seats = [seat(&mut bot), native("greedy")];
    play_episode(&*game("carcassonne/river", 2), seed(1), &mut seats, policy).unwrap()
}

/// A bot that plays its first tile well; `PLAY` in the texts of bots stands for it.
pub const PLAY: &str = "
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
pub fn check(text: &str, expected: FaultCode, words: &[&str]) {
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

pub fn code_of(text: &str, policy: &FaultPolicy) -> FaultCode {
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
