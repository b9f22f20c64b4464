//! Totals of a bot's clock.

use std::time::Duration;

use meeple_bothost::{BotTurn, EpisodeStart, FaultPolicy, Legal, Player, play_episode};
use meeple_core::Seat;

use crate::support::{bot_file, game, has, launch, native, patient, sandboxes, seat, seed, shell_bot};

/// The time of an episode is the sum of its questions, in wall and CPU time.
#[test]
fn the_time_used_is_the_sum_of_all_questions() {
    let policy = FaultPolicy { clock: patient(), ..FaultPolicy::default() };
    for sandbox in sandboxes() {
        let mut bot = launch(&shell_bot().spec, &sandbox);
        let game = game("incan-gold", 2);
        for index in 0..2 {
            let mut seats = [seat(&mut bot), native("turn:3")];
            let record = play_episode(&*game, seed(index), &mut seats, &policy).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
            let (own, used) = (record.seats[0], bot.used());
            // Both the host of the episode and the player count the time.
            assert_eq!(own.used, used, "{}", sandbox.level());
            assert!(own.asked > 1 && used.wall_us >= own.asked, "{}: {own:?}", sandbox.level());
            assert!(used.wall_us >= own.longest_us, "{}: {own:?}", sandbox.level());
        }
    }
}

/// Waits for a bot neither spin nor oversleep.
#[test]
fn waits_are_neither_empty_nor_long() {
    if !has("python3") {
        return;
    }
    // The bot never answers, so that there is time to look.
    let text = "
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}))
    if m['t'] == 'start': print(json.dumps({'t': 'ready', 'g': m['g']}))
";
    let file = bot_file("silent.py", text);
    for sandbox in sandboxes() {
        let mut bot = launch(&file.spec, &sandbox);
        let clock = patient();
        let start = EpisodeStart {
            game: "incan-gold",
            rules_version: 1,
            variant: &serde_json::Value::Null,
            seat: Seat::new(0),
            seats: 1,
            names: None,
            seed: 0,
            clock: &clock,
            observation: None,
        };
        bot.start(&start).unwrap();
        let legal = ["stay".to_owned(), "leave".to_owned()];
        let turn = BotTurn {
            number: 0,
            simultaneous: false,
            observation: "{}",
            events: "[]",
            legal: Legal::List(&legal),
        };
        bot.ask(&turn).unwrap();
        for _ in 0..3 {
            let waiting = bot.waiting().expect("it is a process");
            assert!(!waiting.polled.is_empty());
            let range = Duration::from_millis(1)..=Duration::from_millis(100);
            assert!(range.contains(&waiting.at_most), "{}: {:?}", sandbox.level(), waiting.at_most);
            assert!(bot.poll_answer().unwrap().is_none());
        }
    }
}
