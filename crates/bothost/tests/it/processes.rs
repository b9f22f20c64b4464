//! Bots as processes: they play, are timed, and leave nothing behind.

use meeple_bothost::{BotSpec, FaultPolicy, Sandbox, SeatPlan, play_episode};

use crate::support::{
    game, game_with, has, incan_gold, launch, native, patient, repository, sandboxes, seat, seed,
};

fn example(path: &str) -> BotSpec {
    BotSpec::parse(repository().join("bots").join(path).to_str().unwrap()).unwrap()
}

fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), ..FaultPolicy::default() }
}

#[test]
fn a_python_bot_plays_in_every_sandbox() {
    for sandbox in sandboxes() {
        let mut bot = launch(&example("python/random_bot.py"), &sandbox);
        assert!(bot.measures_cpu(), "{}", sandbox.level());
        for index in 0..3 {
            let record = incan_gold(&mut bot, &policy(), index);
            assert_eq!(record.faults, [], "{}", sandbox.level());
            let used = record.seats[0].used;
            assert!(used.cpu_us.unwrap() > 0 && used.wall_us > 0, "{}: {used:?}", sandbox.level());
        }
    }
}
