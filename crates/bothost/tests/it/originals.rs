//! Bots as written for game17's original: with and without numpy, at every level.

use std::path::PathBuf;

use meeple_bothost::{
    BotProcess, EpisodeRecord, FaultCode, FaultPolicy, Limits, Sandbox, SeatPlan, play_episode,
};

use crate::support::{
    BotFile, bot_file, game_with, has, limits, native, patient, python_with_numpy, sandboxes, seat, seed,
};

fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: None, ..FaultPolicy::default() }
}

/// Plays a bot alone among zombies on a board of 6 x 6.
fn play(file: &BotFile, sandbox: &Sandbox, rounds: &str) -> EpisodeRecord {
    let limits = Limits { memory_mib: 512, ..limits() };
    let mut bot = BotProcess::launch(&file.spec, sandbox, &limits)
        .unwrap_or_else(|error| panic!("{}: {error}", sandbox.level()));
    assert_eq!(bot.hello().games, ["game17"]);
    let game = game_with("game17", &[("size", "6"), ("rounds", rounds)], 1);
    let mut seats: Vec<SeatPlan<'_>> = vec![seat(&mut bot)];
    seats.extend((1..36).map(|_| native("zombie")));
    play_episode(&*game, seed(4), &mut seats, &policy()).unwrap()
}

fn moves(record: &EpisodeRecord) -> Vec<String> {
    let steps = &record.replay.as_ref().unwrap().steps;
    steps.iter().filter_map(|step| step.strip_prefix("0 ").map(str::to_owned)).collect()
}

/// Every sandbox of this machine with each interpreter: with numpy, and without it if the one on PATH lacks
/// it.
fn settings() -> Vec<(Sandbox, &'static str)> {
    let mut settings = Vec::new();
    for sandbox in sandboxes() {
        if let Some(python) = python_with_numpy() {
            settings.push((sandbox.clone().with_python(Some(python)), "numpy"));
        }
        settings.push((sandbox, "on PATH"));
    }
    settings
}

/// The example of the original's documents: every piece goes in a random direction.
const STUB: &str = "
import numpy as np
from game17 import find_owned_pieces

def make_moves(owner, rounds_left, owners, numbers):
    moves = []
    for i, j, count in find_owned_pieces(owner, owners, numbers):
        shares = np.random.multinomial(count, [0.25] * 4)
        for k in range(4):
            if shares[k] > 0:
                moves.append((np.array([i, j]), 'nsew'[k], shares[k]))
    return moves
";

/// A bot that moves fractional counts, from squares that are arrays.
const FLOATS: &str = "
import numpy as np

def make_moves(owner, rounds_left, owners, numbers):
    mine = np.argwhere((owners == owner) & (numbers > 0))
    return [(square, 'n', np.ceil(numbers[tuple(square)] * 0.6) - 0.25) for square in mine]
";

/// A bot that uses every function of the package once.
const HELPERS: &str = "
import numpy as np
import game17
from game17 import create_board, destination, find_owned_pieces, get_mover_factory, update_board
from game17 import T800
from game17.T800 import make_moves as t800, zombie_strategy
from game17.zombie import make_moves as zombie
from game17.basic_mover import get_mover_factory as same
from game17.game17 import apply_diff, board_diff, print_board
import game17.game_runners as runners
import json

def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    own, counts = create_board(4)
    assert sorted(own.flatten().tolist()) == list(range(16)) and (counts == 4).all()
    row, column = [int(part[0]) for part in np.nonzero(own == 3)]
    before = counts.copy()
    update_board(3, [((row, column), 's', 3.9)], own, counts)
    assert counts[row, column] == 1 and counts[(row + 1) % 4, column] == 7, counts
    assert own[(row + 1) % 4, column] != 3
    update_board(3, [((row, column), 's', 9)], own, counts)
    assert counts[row, column] == 1, 'too many'
    changes = board_diff(before, counts)
    assert len(changes) == 2
    apply_diff(before, changes)
    assert (before == counts).all()
    print_board(own, counts)
    assert destination((0, 3), 'n', 4).tolist() == [3, 3]
    assert zombie_strategy([4, 4, 4, 4], 4).sum() == 0 and zombie_strategy([0, 0, 0, 0], 8).sum() > 0.99
    assert same is get_mover_factory and game17.T800 is T800
    scores, times, record = runners.game17({5: same(t800)}, board_size=3, num_rounds=3)
    assert sum(scores.values()) == 9 and 5 in times
    assert len(json.loads(json.dumps(record, cls=runners.NumPyEncoder))['diffs']) > 9
    try:
        game17.single({})
        raise AssertionError('nobody plays here')
    except NotImplementedError as error:
        assert 'meeple play' in str(error)
    inner = get_mover_factory(t800)(owner, owners, numbers, turn_order, num_rounds)
    return lambda owners, numbers: inner(owners, numbers) + zombie(owner, 0, owners * 0 - 1, numbers)
";

/// A bot that wraps around the edges with negative indices, half with arrays and half with lists.
const NEGATIVE: &str = "
import numpy as np

def make_moves(owner, rounds_left, owners, numbers):
    size = owners.shape[0]
    mine = np.argwhere((owners == owner) & (numbers > 1))
    moves = [([int(i) - size, int(j) - size], 'e', 1) for i, j in mine]
    return moves + [(square - size, np.str_('w') if hasattr(np, 'str_') else 'w', 1) for square in mine]
";

/// A bot that modifies everything it receives.
const MUTATION: &str = "
def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    owners[:, :] = owner
    numbers[:] = 1000
    del turn_order[:]
    def move(owners, numbers):
        mine = [(i, j) for i in range(6) for j in range(6) if owners[i, j] == owner and numbers[i, j]]
        assert len(mine) < 36 and numbers.max() < 145, numbers
        owners[:] = owner
        moves = [(square, 's', int(numbers[square])) for square in mine]
        numbers *= 0
        return iter(moves)
    return move
";

#[test]
fn bots_of_the_documents_play_without_a_fault() {
    if !has("python3") {
        return;
    }
    for (name, text) in
        [("stub.py", STUB), ("floats.py", FLOATS), ("helpers.py", HELPERS), ("mutation.py", MUTATION)]
    {
        let file = bot_file(name, text);
        let mut played: Vec<(&str, Vec<String>)> = Vec::new();
        for (sandbox, python) in settings() {
            let record = play(&file, &sandbox, "6");
            assert_eq!(record.faults, [], "{name}, {}, {python}", sandbox.level());
            let moves = moves(&record);
            assert!(moves.iter().any(|step| step != "-"), "{name}, {python}: {moves:?}");
            played.push((python, moves));
        }
        // The same seed gives the same numbers at every level: one sequence with numpy and one with the
        // stand-in. The stand-in may be needed at one level only, where another interpreter runs that other
        // users may read. Bots without randomness play the same with both.
        let draws = text.contains("random") || text.contains("t800");
        let with_numpy = played.iter().find(|(python, _)| *python == "numpy").map(|(_, moves)| moves);
        let others: Vec<_> = played.iter().filter(|(_, moves)| with_numpy != Some(moves)).collect();
        for (python, moves) in &others {
            assert!(*python != "numpy" && (draws || with_numpy.is_none()), "{name}, {python}: {moves:?}");
            assert_eq!(*moves, others[0].1, "{name}, {python}");
        }
    }
}

#[test]
fn parts_of_pieces_are_cut_off() {
    if !has("python3") {
        return;
    }
    let text = FLOATS.replace("np.ceil(numbers[tuple(square)] * 0.6) - 0.25", "np.float64(2.75)");
    let file = bot_file("floats.py", &text);
    for (sandbox, python) in settings() {
        let first = moves(&play(&file, &sandbox, "1"));
        assert!(first.len() == 1 && first[0].ends_with(":n2"), "{python}: {first:?}");
    }
}

#[test]
fn negative_origins_count_from_the_end() {
    if !has("python3") {
        return;
    }
    let file = bot_file("negative.py", NEGATIVE);
    for (sandbox, python) in settings() {
        let record = play(&file, &sandbox, "3");
        assert_eq!(record.faults, [], "{python}");
        let moves = moves(&record);
        assert!(moves[0].contains("e1") && moves[0].contains("w1") && !moves[0].contains('-'), "{moves:?}");
    }
}

#[test]
fn what_is_set_up_is_no_part_of_the_first_turn() {
    if !has("python3") {
        return;
    }
    let text = "
import time
def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    began = time.process_time()
    while time.process_time() < began + 0.6:
        pass
    assert (numbers == 4).all() and sorted(turn_order) == list(range(36)) and num_rounds == 2
    return lambda owners, numbers: []
";
    let file = bot_file("slow_start.py", text);
    for sandbox in sandboxes() {
        let record = play(&file, &sandbox, "2");
        assert_eq!(record.faults, []);
        let own = record.seats[0];
        assert!(
            own.counted_us < 300_000,
            "{}: {} µs in {} turns",
            sandbox.level(),
            own.counted_us,
            own.asked
        );
        assert!(own.start.cpu_us.is_none_or(|cpu| cpu >= 500_000), "{:?}", own.start);
    }
}

#[test]
fn who_fails_to_set_up_stays_put() {
    if !has("python3") {
        return;
    }
    for (body, word) in
        [("raise ValueError('no plan')", "ValueError: no plan"), ("raise SystemExit(3)", "SystemExit: 3")]
    {
        let text = format!("def get_mover(**board):\n    {body}\n");
        let file = bot_file("broken.py", &text);
        for sandbox in sandboxes() {
            let record = play(&file, &sandbox, "4");
            assert!(!record.faults.is_empty());
            for fault in &record.faults {
                assert_eq!(fault.fault.code, FaultCode::InvalidMove, "{fault:#?}");
                assert!(fault.fault.detail.contains(word), "{fault:#?}");
            }
            assert_eq!(record.seats[0].fallbacks, record.seats[0].decisions);
        }
    }
}

#[test]
fn who_exits_loses_that_turn() {
    if !has("python3") {
        return;
    }
    let text = "
import sys
def make_moves(owner, rounds_left, owners, numbers):
    if rounds_left == 3:
        sys.exit('enough')
    return {}
";
    let file = bot_file("quitter.py", text);
    for sandbox in sandboxes() {
        let record = play(&file, &sandbox, "5");
        assert_eq!(record.faults.len(), 1, "{:#?}", record.faults);
        assert!(record.faults[0].fault.detail.contains("SystemExit: enough"), "{:#?}", record.faults);
        assert_eq!(record.seats[0].fallbacks, 1);
    }
}

#[test]
fn who_asks_a_person_finds_nobody_there() {
    if !has("python3") {
        return;
    }
    let text = "
import os, sys
assert sys.stdin.read() == '' and os.read(0, 9) == b''

def make_moves(owner, rounds_left, owners, numbers):
    if rounds_left == 3:
        return [((0, 0), input('which way? '), 1)]
    if rounds_left == 2:
        raise ValueError('half a pair: \\udc80')
    return {}
";
    let file = bot_file("asker.py", text);
    for sandbox in sandboxes() {
        let record = play(&file, &sandbox, "5");
        let faults: Vec<_> =
            record.faults.iter().map(|fault| (fault.fault.code, &*fault.fault.detail)).collect();
        let [(FaultCode::InvalidMove, asked), (FaultCode::InvalidMove, raised)] = faults[..] else {
            panic!("{}: {faults:?}", sandbox.level())
        };
        assert!(asked.contains("EOFError"), "{asked}");
        assert!(raised.contains("half a pair: ?"), "{raised}");
    }
}

/// The reason why a file is not a bot.
fn refused(name: &str, text: &str, python: Option<PathBuf>) -> String {
    let file = bot_file(name, text);
    let sandbox = sandboxes().remove(0).with_python(python);
    BotProcess::launch(&file.spec, &sandbox, &limits()).err().expect("it is refused").to_string()
}

#[test]
fn an_interpreter_is_named_as_in_a_shell() {
    if !has("python3") {
        return;
    }
    let file = bot_file("bot.py", "def make_moves(owner, rounds_left, owners, numbers):\n    return []\n");
    for (python, runs) in [("python3", true), ("./python3", false), ("no-such-python", false), ("", false)] {
        let sandbox = sandboxes().remove(0).with_python(Some(python.into()));
        assert_eq!(BotProcess::launch(&file.spec, &sandbox, &limits()).is_ok(), runs, "{python:?}");
    }
}

#[test]
fn what_cannot_be_loaded_is_explained() {
    if !has("python3") {
        return;
    }
    let mover = "def make_moves(owner, rounds_left, owners, numbers):\n    return []\n";
    for (text, parts) in [
        (
            format!("import tensorflaw\n{mover}"),
            ["No module named 'tensorflaw'", "has no module 'tensorflaw'", "--python env/bin/python"],
        ),
        (
            format!("{mover}\nprint 'written for Python 2'\n"),
            ["SyntaxError", "it runs with Python 3", "name that with --python"],
        ),
        (
            format!("{mover}\nopen('weights.txt')\n"),
            ["FileNotFoundError", "the file is run once when the bot starts", "weights.txt"],
        ),
        (
            "def one(name, turn, backpack):\n    return 1\ndef two(turn, backpack):\n    return 0\n"
                .to_owned(),
            ["expected one strategy, found 2: one, two", "hint: name the one to play", "strategy = "],
        ),
        ("make_moves = 17\n".to_owned(), ["make_moves or get_mover (game17)", "(incan-gold)", "found none"]),
    ] {
        let message = refused("wrong.py", &text, None);
        for part in parts {
            assert!(message.contains(part), "expected '{part}' in: {message}");
        }
    }
    let message = refused("right.py", mover, Some("/nowhere/python3".into()));
    assert!(
        message.contains("found none at '/nowhere/python3'") && message.contains("hint: name a program"),
        "{message}"
    );
}

#[test]
fn what_the_stand_in_has_not_is_named() {
    if !has("python3") {
        return;
    }
    // The bot imports the stand-in itself, whether or not the machine has numpy.
    let text = "
import sys
sys.modules.pop('numpy', None)
import _meeple_numpy as np
def make_moves(owner, rounds_left, owners, numbers):
    return np.linalg.norm(numbers)
";
    let file = bot_file("algebra.py", text);
    for sandbox in sandboxes() {
        let record = play(&file, &sandbox, "1");
        let detail = &record.faults[0].fault.detail;
        assert!(detail.contains("its stand-in has no 'linalg'") && detail.contains("--python"), "{detail}");
    }
}
