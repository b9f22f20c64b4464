//! Bots of the original games run unchanged.

use meeple_bothost::{EpisodeRecord, FaultCode, FaultPolicy, SandboxLevel, SeatPlan, play_episode};
use meeple_core::AdapterKind;
use meeple_games::games;

use crate::support::{
    bot_file, game, game_with, has, incan_gold, launch, native, patient, sandbox, sandboxes, seat, seed,
};

fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: None, ..FaultPolicy::default() }
}

/// A small game17 of a bot against zombies.
fn game17(name: &str, text: &str) -> EpisodeRecord {
    let sandbox = sandbox(SandboxLevel::None).unwrap();
    let file = bot_file(name, text);
    let mut bot = launch(&file.spec, &sandbox);
    assert_eq!(bot.hello().games, ["game17"]);
    let game = game_with("game17", &[("size", "4"), ("rounds", "12")], 1);
    let mut seats: Vec<SeatPlan<'_>> = vec![seat(&mut bot)];
    seats.extend((1..16).map(|_| native("zombie")));
    play_episode(&*game, seed(3), &mut seats, &policy()).unwrap()
}

const EAST: &str = "
def make_moves(owner, rounds_left, owners, numbers):
    size = owners.shape[0]
    assert 0 <= rounds_left < 12
    moves = []
    for i in range(size):
        for j in range(size):
            if owners[i, j] == owner and numbers[i, j] > 0:
                moves.append(((i, j), 'e', numbers[i, j]))
    print('printing does no harm')
    return moves
";

#[test]
fn basic_bots_of_game17() {
    if !has("python3") {
        return;
    }
    let record = game17("east.py", EAST);
    assert_eq!(record.faults, []);
    let steps = record.replay.unwrap().steps;
    let own: Vec<&String> = steps.iter().filter(|step| step.starts_with("0 ")).collect();
    assert!(own.len() > 1 && own.iter().any(|step| step.contains(":e4")), "{own:?}");
    assert!(own.iter().all(|step| !step.contains(":n") && !step.contains(":s")), "{own:?}");
}

#[test]
fn advanced_bots_of_game17_keep_state_for_one_game() {
    if !has("python3") {
        return;
    }
    let text = "
from game17 import find_owned_pieces, destination
class Mover:
    def __init__(self, owner, owners, numbers, turn_order, num_rounds):
        assert num_rounds == 12 and len(turn_order) == 16
        assert (numbers == 4).all() and (owners == owner).sum() == 1, 'the board as it was set up'
        self.owner, self.calls = owner, 0
    def __call__(self, owners, numbers):
        self.calls += 1
        assert self.calls <= 12
        return [((i, j), 'nsew'[self.calls % 4], count) for i, j, count in find_owned_pieces(self.owner, owners, numbers)]
def get_mover(owner=None, owners=None, numbers=None, turn_order=None, num_rounds=None):
    return Mover(owner, owners, numbers, turn_order, num_rounds)
";
    let record = game17("advanced.py", text);
    assert_eq!(record.faults, []);
    assert!(record.replay.unwrap().steps.iter().any(|step| step.starts_with("0 ") && !step.ends_with('-')));
}

#[test]
fn the_original_stub_plays_like_a_zombie() {
    if !has("python3") {
        return;
    }
    let text = "
from game17.zombie import make_moves as make_moves_zombie
def make_moves(owner, rounds_left, owners, numbers):
    return make_moves_zombie(owner, rounds_left, owners, numbers)
";
    assert_eq!(game17("stub.py", text).faults, []);
}

#[test]
fn mistakes_cost_the_turn_and_are_named() {
    if !has("python3") {
        return;
    }
    for (body, word) in [
        ("return 1 // 0", "ZeroDivisionError"),
        ("return [((0, 0), 'n', 1000)]", ""),
        ("return [((-5, 0), 'n', 0)]", "from -4 to 3"),
        ("return [((0, 0), 'up', 1)]", "up"),
        ("return [((0, 0), 'n', 0.5)] * 17", ""),
        ("return [((0, 0.5), 'n', 1)]", "TypeError"),
        ("return [((0, 0), 'n', '1')]", "TypeError"),
        ("return [((0, 0), 'n', float('nan'))]", "ValueError"),
        ("return None", "TypeError"),
        ("return [((0, 0), 'n', -10)]", ""),
    ] {
        let text = format!("def make_moves(owner, rounds_left, owners, numbers):\n    {body}\n");
        let record = game17("wrong.py", &text);
        assert!(!record.faults.is_empty(), "{body}");
        for fault in &record.faults {
            assert_eq!(fault.fault.code, FaultCode::InvalidMove, "{body}: {fault:#?}");
            assert!(fault.fault.detail.contains(word), "{body}: {fault:#?}");
        }
        // Only the turn is lost.
        assert_eq!(record.seats[0].fallbacks, record.seats[0].decisions, "{body}");
        assert_eq!(record.seats[0].asked, record.seats[0].decisions, "{body}");
    }
}

#[test]
fn incan_gold_strategies() {
    if !has("python3") {
        return;
    }
    for text in [
        "def careful(name, turn, backpack):\n    return turn >= 3\n",
        "def make(limit):\n    def turn_strategy(name, turn, backpack):\n        return turn >= limit\n    return turn_strategy\nstrategy = make(3)\n",
        "def careful(name: str, turn: int, backpack: int) -> bool:\n    return turn >= 3\n",
        // An earlier form of strategies, without a name.
        "def careful(turn, backpack):\n    return turn >= 3\n",
        // Like the original's demonstration: factories, a player, and a simulation that is not run here.
        "from strategies import make_turn_strat, interactive_strat\nfrom game_mechanics import Player, Simulator\n\
         alice = Player('Alice', make_turn_strat(3))\nSimulator(verbosity=1, seed=4).sim(100, [alice])\n",
        "from strategies import make_turn_strat\nturn_strat = make_turn_strat(3)\n",
        // A file that also asks people, which nobody calls here.
        "def careful(name, turn, backpack):\n    return turn >= 3\ndef ask(person):\n    return input(person)\n",
        // An object of its own with a name and a strategy.
        "class Bot:\n    name = 'Bob'\n    def strat(self, turn, backpack):\n        return turn >= 3\nbob = Bot()\n\
         strategy = bob\n",
        // Such an object that the file does not choose, with a method of the other form.
        "class Bot:\n    name = 'Bob'\n    def strategy(self, name, turn, backpack):\n        return turn >= 3\nbob = Bot()\n",
        "strat = lambda name, turn, backpack: turn >= 3\n",
        "from functools import partial\ndef of(limit, name, turn, backpack):\n    return turn >= limit\nstrat = partial(of, 3)\n",
        "class Bot:\n    def __call__(self, turn, backpack):\n        return turn >= 3\nstrat = Bot()\n",
        "def strat(name, turn, backpack=0, verbose=False):\n    return turn >= 3\n",
    ] {
        let file = bot_file("strategy.py", text);
        for sandbox in sandboxes() {
            let mut bot = launch(&file.spec, &sandbox);
            let record = incan_gold(&mut bot, &policy(), 5);
            assert_eq!(record.faults, [], "{}", sandbox.level());
            // The native agent with the same threshold plays the same.
            let game = game("incan-gold", 2);
            let other =
                play_episode(&*game, seed(5), &mut [native("turn:3"), native("turn:3")], &policy()).unwrap();
            assert_eq!(record.outcome, other.outcome);
        }
    }
}

#[test]
fn a_file_with_many_strategies_must_say_which() {
    if !has("python3") {
        return;
    }
    let text =
        "def one(name, turn, backpack):\n    return True\ndef two(name, turn, backpack):\n    return False\n";
    let file = bot_file("many.py", text);
    let sandbox = sandbox(SandboxLevel::None).unwrap();
    let error = meeple_bothost::BotProcess::launch(&file.spec, &sandbox, &crate::support::limits())
        .err()
        .expect("which one?")
        .to_string();
    assert!(error.contains("set  strategy = the_one_to_play"), "{error}");
}

#[test]
fn files_that_speak_the_protocol_run_as_they_are() {
    if !has("python3") {
        return;
    }
    let text = "
import json, sys
def strategy(name, turn, backpack): raise AssertionError('nobody calls this')
for line in sys.stdin:
    m = json.loads(line)
    if m['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1, 'name': 'own'}))
    if m['t'] == 'start': print(json.dumps({'t': 'ready', 'g': m['g']}))
    if m['t'] == 'turn': print(json.dumps({'t': 'move', 'g': m['g'], 'n': m['n'], 'a': 1}))
";
    let file = bot_file("own.py", text);
    let mut bot = launch(&file.spec, &sandbox(SandboxLevel::None).unwrap());
    assert_eq!(bot.hello().name, "own");
    assert_eq!(incan_gold(&mut bot, &policy(), 0).faults, []);
}

#[test]
fn the_adapters_of_all_games_fit_together() {
    let mut ids = vec!["cmd".to_owned()];
    // The program that loads modules counts, too.
    let mut paths = vec!["_meeple_adapter.py"];
    for entry in games() {
        let tools: Vec<&str> = entry.tools().iter().map(|tool| tool.name).collect();
        for adapter in entry.adapters() {
            ids.push(adapter.id.to_owned());
            ids.extend(adapter.prefix.map(str::to_owned));
            let names = adapter.files.iter().map(|(path, _)| *path);
            assert!(
                names.clone().all(|path| path.starts_with("_meeple_")),
                "{adapter:?}: a bot may have the same"
            );
            paths.extend(names);
            let module = adapter.files[0].0.strip_suffix(".py").expect("the first file is run or loaded");
            assert!(adapter.kind == AdapterKind::Launcher || !module.contains('/'), "{adapter:?}: {module}");
            for (code, kind) in adapter.simulator.iter().flat_map(|simulator| simulator.bans) {
                let own: Result<FaultCode, _> = serde_json::from_value((*code).into());
                assert!(own.is_ok() && code != kind, "{adapter:?}: {code}");
            }
            let tool = adapter.simulator.map(|simulator| simulator.tool);
            assert!(tool.is_none_or(|tool| tools.contains(&tool)), "{adapter:?}: {tool:?} of {tools:?}");
        }
    }
    for mut all in [ids, paths.into_iter().map(str::to_owned).collect()] {
        all.sort();
        let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
