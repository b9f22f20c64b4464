use meeple_core::{Driver, Due, PlayerLabel, Replay, Seat};

use crate::error::LabError;
use crate::simulation::Simulation;

/// Replays an episode: same deal, same players on the same seats, same decisions.
///
/// # Errors
/// If the simulation has no episodes, or the line-up does not fit the game.
///
/// # Panics
/// If an agent breaks the rules.
pub fn replay(simulation: &Simulation<'_>, index: u64) -> Result<Replay, LabError> {
    simulation.check()?;
    let seats = simulation.game.seats();
    let mut player_at: Vec<u16> = (0..seats as u16).collect();
    let seed = simulation.seating.arrange(simulation.seed, index, &mut player_at);
    let (specs, labels) = (simulation.line_up.players(), simulation.line_up.labels());
    let mut driver = Driver::new(simulation.game.episode(seed));
    let mut players: Vec<PlayerLabel> = Vec::with_capacity(seats);
    for (seat, player) in Seat::all(seats).zip(&player_at) {
        driver.seat_agent(seat, &specs[usize::from(*player)])?;
        players.push(labels[usize::from(*player)].clone());
    }
    loop {
        match driver.due() {
            Due::Chance => driver.draw_chance(),
            Due::Decide(questions) => {
                for question in questions {
                    driver.ask_agent(question).expect("agents know the rules");
                }
            }
            Due::Over => return Ok(driver.replay(&players, Some(seed))),
        }
    }
}
