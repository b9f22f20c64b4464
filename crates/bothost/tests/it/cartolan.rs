//! Classes with the hooks of Cartolan's original run unchanged.

use meeple_bothost::{
    BotProcess, EpisodeRecord, FaultCode, FaultPolicy, SandboxLevel, SeatPlan, play_episode,
};
use meeple_core::AnyGame;

use crate::support::{
    bot_file, game_with, has, launch, limits, native, patient, repository, sandbox, sandboxes, seat, seed,
};

fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: None, ..FaultPolicy::default() }
}

/// A short game: the rules of the preset with a few rounds.
fn short(preset: &str, set: &[(&str, &str)], seats: usize) -> Box<dyn AnyGame> {
    let set: Vec<(&str, &str)> = [("rounds", "40")].iter().chain(set).copied().collect();
    game_with(preset, &set, seats)
}

fn play(text: &str, game: &dyn AnyGame, opponent: &str) -> EpisodeRecord {
    let file = bot_file("mine.py", text);
    let mut bot = launch(&file.spec, &sandbox(SandboxLevel::None).unwrap());
    assert_eq!(bot.hello().games, ["cartolan"]);
    let mut seats: Vec<SeatPlan<'_>> = vec![seat(&mut bot), native(opponent)];
    play_episode(game, seed(4), &mut seats, &policy()).unwrap()
}

fn actions(record: &EpisodeRecord) -> Vec<String> {
    let steps = &record.replay.as_ref().unwrap().steps;
    steps.iter().filter_map(|step| step.strip_prefix("0 ").map(str::to_owned)).collect()
}

fn count(actions: &[String], beginning: &str) -> usize {
    actions.iter().filter(|action| action.starts_with(beginning)).count()
}

/// The rules of the original's program.
fn original() -> Vec<(&'static str, &'static str)> {
    let info = meeple_games::find_game("cartolan").unwrap().info();
    info.profiles.iter().find(|profile| profile.name == "oct-2020").unwrap().set.to_vec()
}

const PRESETS: [&str; 3] = ["cartolan/beginner", "cartolan/regular", "cartolan/advanced"];

#[test]
fn players_of_the_original_play_every_preset() {
    if !has("python3") {
        return;
    }
    let roles = ["Explorer", "Trader", "Router", "Pirate"];
    let mut bots: Vec<(String, String)> = roles
        .iter()
        .map(|role| {
            let text = format!(
                "from players_heuristical import PlayerRegular{role}\n\
                 class Mine(PlayerRegular{role}):\n    def __init__(self, colour):\n        super().__init__(colour)\n"
            );
            ((*role).to_owned(), text)
        })
        .collect();
    let example = std::fs::read_to_string(repository().join("bots/cartolan/coaster.py")).unwrap();
    bots.push(("coaster".into(), example));
    for (name, text) in &bots {
        let file = bot_file("mine.py", text);
        let mut bot = launch(&file.spec, &sandbox(SandboxLevel::None).unwrap());
        for (preset, set) in PRESETS.iter().flat_map(|preset| {
            let movement = vec![("movement", "budgetted"), ("exploration", "continuous")];
            [(preset, vec![]), (preset, movement), (preset, original())]
        }) {
            for seats in [2, 4] {
                let game = short(preset, &set, seats);
                let mut plans: Vec<SeatPlan<'_>> = vec![seat(&mut bot)];
                plans.extend((1..seats).map(|_| native("random")));
                let record = play_episode(&*game, seed(6), &mut plans, &policy()).unwrap();
                assert_eq!(record.faults, [], "{name}, {preset} {set:?}");
                let actions = actions(&record);
                assert!(count(&actions, "go ") > 10, "{name}, {preset} {set:?}: {actions:?}");
            }
        }
    }
}

/// Beginnings of the actions of a class with these hooks, by the rules of a preset.
struct Case {
    hooks: &'static str,
    set: &'static [(&'static str, &'static str)],
    some: &'static [&'static str],
    none: &'static [&'static str],
}

#[test]
fn each_hook_alone_decides_what_it_is_asked() {
    if !has("python3") {
        return;
    }
    let rich: &[(&str, &str)] = &[
        ("price_hire", "1"),
        ("price_place", "1"),
        ("domain", "1"),
        ("reward_water", "9"),
        ("margin", "999"),
    ];
    let cases = [
        Case {
            hooks: "def continue_move(self, adventurer): adventurer.wait()",
            set: &[],
            some: &["wait"],
            none: &["go "],
        },
        Case {
            hooks: "def continue_turn(self, adventurer): assert adventurer.move('east') or adventurer.turns_moved",
            set: &[],
            some: &["go e", "end"],
            none: &["go n", "wait"],
        },
        // A hook that does nothing must not take for ever.
        Case {
            hooks: "def continue_move(self, adventurer): pass",
            set: &[],
            some: &["wait"],
            none: &["go "],
        },
        Case {
            hooks: "def check_bank_wealth(self, adventurer, report=''): return 1",
            set: rich,
            some: &["bank 1"],
            none: &[],
        },
        Case {
            hooks: "def check_deposit(self, adventurer, maximum, minimum): return maximum - 1",
            set: rich,
            some: &["bank "],
            none: &["bank 9"],
        },
        Case {
            hooks: "def check_place_agent(self, adventurer): return True",
            set: rich,
            some: &["place"],
            none: &[],
        },
        Case {
            hooks: "def check_place_agent(self, adventurer): return True\n    \
                    def check_move_agent(self, adventurer): return self.agents[0]",
            set: &[("agents", "1"), ("price_place", "0"), ("domain", "1")],
            some: &["place", "relocate 0"],
            none: &[],
        },
        Case {
            hooks: "def check_buy_adventurer(self, adventurer): return True",
            set: &[("price_adventurer", "1"), ("reward_water", "9")],
            some: &["hire adventurer", "pick 0"],
            none: &[],
        },
        Case {
            hooks: "def check_buy_agent(self, adventurer, report):\n        \
                    tiles = [tile for column in adventurer.game.play_area.values() for tile in column.values()]\n        \
                    return next((tile for tile in tiles if tile.is_wonder and tile.agent is None), None)",
            set: rich,
            some: &["hire agent "],
            none: &[],
        },
        Case {
            hooks: "def check_trade(self, adventurer, tile):\n        \
                    assert tile.is_wonder and tile is adventurer.current_tile\n        return True",
            set: &[("trading", "decision")],
            some: &["trade"],
            none: &[],
        },
        Case {
            hooks: "def check_trade(self, adventurer, tile): return False",
            set: &[("trading", "decision")],
            some: &[],
            none: &["trade"],
        },
        // An answer by a call, as in one of the original's players, and the same hook in the form of earlier
        // players.
        Case {
            hooks: "def check_place_agent(self, adventurer): return True\n    \
                    def continue_move(self, adventurer): adventurer.move('n') or adventurer.wait()\n    \
                    def check_rest(self, adventurer, agent): adventurer.rest()",
            set: &[("price_place", "0"), ("domain", "0")],
            some: &["place", "rest"],
            none: &[],
        },
        Case {
            hooks: "def check_place_agent(self, adventurer): return True\n    \
                    def continue_move(self, adventurer): adventurer.move('n') or adventurer.wait()\n    \
                    def check_rest(self, agent): return agent.player is not self",
            set: &[("price_place", "0"), ("domain", "0")],
            some: &["place"],
            none: &["rest"],
        },
    ];
    for case in cases {
        let text = format!("class Mine:\n    {}\n", case.hooks);
        let record = play(&text, &*short("cartolan/regular", case.set, 2), "explorer");
        assert_eq!(record.faults, [], "{text}");
        let actions = actions(&record);
        for beginning in case.some {
            assert!(count(&actions, beginning) > 0, "{text}\nexpected {beginning} in {actions:?}");
        }
        for beginning in case.none {
            assert_eq!(count(&actions, beginning), 0, "{text}\nexpected no {beginning} in {actions:?}");
        }
    }
}

/// A player that follows others and attacks whenever it may.
const ROBBER: &str = "
class Robber:
    def continue_move(self, adventurer):
        others = [one for player in adventurer.game.players if player is not self for one in player.adventurers]
        there, here = others[0].current_tile.tile_position, adventurer.current_tile.tile_position
        assert others[0] in others[0].current_tile.adventurers and adventurer in adventurer.current_tile.adventurers
        east, north = there.longitude - here.longitude, there.latitude - here.latitude
        ways = ('e' if east > 0 else 'w') * (east != 0) + ('n' if north > 0 else 's') * (north != 0)
        for way in ways:
            if adventurer.can_move(way) and adventurer.move(way):
                return
        adventurer.wait()
    def check_attack_adventurer(self, adventurer, other):
        assert other.player is not self and other.current_tile is adventurer.current_tile
        return True
    def check_attack_agent(self, adventurer, agent):
        assert agent is adventurer.current_tile.agent
        return True
";

#[test]
fn hooks_for_attacks_attack() {
    if !has("python3") {
        return;
    }
    let set = [("price_place", "0"), ("domain", "0")];
    let record = play(ROBBER, &*short("cartolan/regular", &set, 2), "router");
    assert_eq!(record.faults, []);
    let actions = actions(&record);
    assert!(
        count(&actions, "attack adventurer 1.") > 0 && count(&actions, "attack agent") > 0,
        "{actions:?}"
    );
}

#[test]
fn what_a_hook_raises_or_says_wrongly_costs_one_decision() {
    if !has("python3") {
        return;
    }
    for (hooks, message) in [
        ("def continue_turn(self, adventurer): raise ValueError('no plan')", "ValueError: no plan"),
        ("def continue_move(self, adventurer): raise SystemExit('enough')", "SystemExit: enough"),
        (
            "def continue_move(self, adventurer): adventurer.move('up')",
            "expected a direction n, e, s or w, found 'up'",
        ),
        ("def check_bank_wealth(self, adventurer): return 'all'", "found 'all'"),
        ("def check_buy_agent(self, adventurer): return 7", "expected a tile of the map or None, found 7"),
        (
            "def check_place_agent(self, adventurer): return adventurer.wait()",
            "expected an answer of the hook, found a call of 'wait' in it",
        ),
        (
            "def continue_turn(self, adventurer):\n        while True: adventurer.trade()",
            "expected something that is legal, found 1001 calls without effect, such as 'trade'",
        ),
        (
            "def __init__(self, colour, size): pass\n    def check_rest(self): pass",
            "nothing to play with: TypeError",
        ),
    ] {
        let text = format!("class Mine:\n    {hooks}\n");
        let set = [("price_hire", "1"), ("price_place", "0"), ("domain", "1")];
        let record = play(&text, &*short("cartolan/regular", &set, 2), "explorer");
        assert!(!record.faults.is_empty(), "{text}");
        for fault in &record.faults {
            assert_eq!(fault.fault.code, FaultCode::InvalidMove, "{text}: {fault:#?}");
        }
        let first = &record.faults[0].fault.detail;
        assert!(first.contains(message), "{text}: {first}");
        assert_eq!(record.seats[0].fallbacks as usize, record.faults.len(), "{text}");
    }
}

/// A hook that catches every exception is abandoned in its place: it delays neither the next game nor later
/// calls.
#[test]
fn a_hook_that_catches_the_end_of_its_game_plays_the_next() {
    if !has("python3") {
        return;
    }
    let again = "        for _ in range(50):\n            try:\n                \
                 adventurer.move('e') or adventurer.wait()\n            except:\n                pass\n";
    let once = "        try:\n            adventurer.move('e') or adventurer.wait()\n        except:\n            return\n";
    for body in [again, once] {
        let file =
            bot_file("mine.py", &format!("class Mine:\n    def continue_turn(self, adventurer):\n{body}"));
        let game = short("cartolan/regular", &[], 2);
        let mut bot = launch(&file.spec, &sandbox(SandboxLevel::None).unwrap());
        for index in 0..3 {
            let mut seats = [seat(&mut bot), native("explorer")];
            let record = play_episode(&*game, seed(index), &mut seats, &policy()).unwrap();
            assert_eq!(record.faults, [], "{body}");
        }
    }
}

#[test]
fn what_a_bot_does_to_lists_of_the_game_confuses_nobody() {
    if !has("python3") {
        return;
    }
    let text = "class Mine:\n    def continue_move(self, adventurer):\n        me = adventurer.player\n        \
                adventurer.game.players.sort(key=lambda player: player is me)\n        \
                assert adventurer in me.adventurers and adventurer.player is me\n        \
                adventurer.move('e') or adventurer.move('n') or adventurer.wait()\n";
    let record = play(text, &*short("cartolan/regular", &[], 2), "explorer");
    assert_eq!(record.faults, []);
    assert!(actions(&record).len() > 20);
}

#[test]
fn two_classes_in_a_file_must_say_which_plays() {
    if !has("python3") {
        return;
    }
    let two = "class One:\n    def continue_move(self, adventurer): adventurer.wait()\n\
               class Two:\n    def continue_turn(self, adventurer): adventurer.move('n')\n";
    let file = bot_file("two.py", two);
    let error = BotProcess::launch(&file.spec, &sandbox(SandboxLevel::None).unwrap(), &limits()).err();
    let error = error.expect("which one?").to_string();
    for part in [
        "expected one class with hooks, found 2: One, Two",
        "hint: name the one to play: set  player = TheOne",
    ] {
        assert!(error.contains(part), "{error}");
    }
    // A class that the file names, an object that it makes, and a class that builds on the others.
    for (text, sign) in [
        (format!("{two}player = One\n"), "wait"),
        (format!("{two}player = Two()\n"), "go n"),
        (format!("{two}class Three(One, Two): pass\n"), "go n"),
    ] {
        let record = play(&text, &*short("cartolan/beginner", &[], 2), "random");
        assert_eq!(record.faults, [], "{text}");
        assert_eq!(actions(&record)[0], sign, "{text}");
    }
}

#[test]
fn classes_play_at_every_level_and_alike() {
    if !has("python3") {
        return;
    }
    // State and random choices of the last game must not influence the next.
    let text = "from base import Player\nimport random\nclass Mine(Player):\n    \
                def continue_move(self, adventurer):\n        \
                assert self.vault_wealth == 0 or adventurer.game.turn > 1\n        \
                adventurer.move(random.choice('nesw'))\n";
    let file = bot_file("mine.py", text);
    let game = short("cartolan/regular", &[], 2);
    let mut played: Vec<Vec<String>> = Vec::new();
    for sandbox in sandboxes() {
        let mut bot = launch(&file.spec, &sandbox);
        for index in [3, 4, 3] {
            let mut seats = [seat(&mut bot), native("pirate")];
            let record = play_episode(&*game, seed(index), &mut seats, &policy()).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
            if index == 3 {
                played.push(actions(&record));
            }
        }
    }
    assert!(played.iter().all(|actions| *actions == played[0] && actions.len() > 40), "{played:?}");
}

/// The example of docs/reference/cartolan-bots.md plays, and every name of its table exists.
#[test]
fn the_page_for_players_of_the_original_is_true() {
    if !has("python3") {
        return;
    }
    let page = std::fs::read_to_string(repository().join("docs/reference/cartolan-bots.md")).unwrap();
    let example = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let table = page.split("## What you can use").nth(1).and_then(|rest| rest.split("\n\n").nth(1)).unwrap();
    let mut checks = String::new();
    for row in table.lines().skip(2) {
        let words: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(words.len() > 4, "{row}");
        for name in &words[1..] {
            let capitals = if row.contains("in capitals") { name.to_uppercase() } else { (*name).to_owned() };
            checks +=
                &format!("        assert hasattr({0}, '{name}') and hasattr({0}, '{capitals}')\n", words[0]);
        }
    }
    let place = "    def check_place_agent(self, adventurer):\n        return True\n";
    let text = format!(
        "{example}{place}    def check_rest(self, adventurer, agent):\n        \
         game, player, tile = adventurer.game, game_player(adventurer), adventurer.current_tile\n\
         {checks}        print('all is there')\n        return True\n\
         def game_player(adventurer):\n    return adventurer.game.players[1]\n"
    );
    let set = [("price_place", "0"), ("domain", "0")];
    let record = play(&text, &*short("cartolan/regular", &set, 2), "explorer");
    assert_eq!(record.faults, [], "{text}");
    assert!(count(&actions(&record), "rest") > 0);
}
