//! The example bot in Rust plays every game.

// Tests start processes.
#![allow(clippy::disallowed_methods)]

use meeple_bothost::{BotProcess, BotSpec, FaultPolicy, Limits, Sandbox, SeatPlan, Who, play_episode};
use meeple_core::{AgentSpec, EpisodeSeed};

#[test]
fn it_plays_every_game_without_a_fault() {
    let spec = BotSpec::parse(env!("CARGO_BIN_EXE_random-bot"), &[]).unwrap();
    let mut bot = BotProcess::launch(&spec, &Sandbox::none(), &Limits::default()).unwrap();
    for entry in meeple_games::games() {
        let info = entry.info();
        let game = entry.set_up(None, &[], (*info.seats.start()).max(info.demo.len().min(3))).unwrap();
        let mut seats = vec![SeatPlan { name: "bot".into(), who: Who::Player(&mut bot) }];
        let filler = info.filler.unwrap_or("random");
        seats.extend(
            (1..game.seats())
                .map(|_| SeatPlan { name: filler.into(), who: Who::Native(AgentSpec::parse(filler)) }),
        );
        let record =
            play_episode(&*game, EpisodeSeed::new(17, 0), &mut seats, &FaultPolicy::default()).unwrap();
        assert!(record.faults.is_empty(), "{}: {:#?}", info.id, record.faults);
        assert!(record.seats[0].asked > 0, "{}", info.id);
    }
}
