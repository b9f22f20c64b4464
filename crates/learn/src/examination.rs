//! What a network is worth: games against a fixed gauntlet.

use std::path::Path;

use meeple_core::{AgentSpec, AnyGame, Seating};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use serde::Serialize;

use crate::error::LearnError;
use crate::plan::Plan;

/// What a network has done against one of the gauntlet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examined {
    /// Whom it met; nobody, if it played alone.
    pub against: String,
    /// Rounds that it had learned from.
    pub round: u32,
    /// Mean share of the win, with its interval of 95 %.
    pub share: f64,
    /// Its lower end,
    pub share_low: f64,
    /// and the upper one.
    pub share_high: f64,
    /// Mean score.
    pub score: f64,
    /// Half of its interval of 95 %.
    pub score_half: f64,
}

/// Lets the network in this file meet everybody of the plan's gauntlet, over deals that no training has: every deal from
/// every seat.
///
/// # Errors
/// If somebody cannot play.
pub fn examine(
    game: &dyn AnyGame,
    plan: &Plan,
    file: &Path,
    round: u32,
    threads: usize,
    stop: &StopFlag,
) -> Result<Vec<Examined>, LearnError> {
    let own = AgentSpec::with("net", [("file", &*file.to_string_lossy())]).to_string();
    let alone = [String::new()];
    let gauntlet = if game.seats() == 1 { &alone[..] } else { &plan.gauntlet };
    let mut all = Vec::new();
    for against in gauntlet {
        let mut words = vec![own.clone()];
        let filler = game.info().filler;
        let players = filler.map_or(game.seats(), |_| plan.seats.min(game.seats()));
        words.extend((1..players).map(|_| against.clone()));
        // Where fillers have most seats, every deal from every seat would be hundreds of episodes of few deals.
        let seating = if players < game.seats() { Seating::Shuffle } else { Seating::DealGroups };
        let simulation = Simulation {
            game,
            line_up: LineUp::parse(&words)?.fill(game.seats(), filler)?,
            // Roots of episodes are whole numbers; this one is no plan's that somebody would write.
            seed: plan.seed ^ (1 << 62),
            episodes: plan.examine_episodes,
            seating,
            threads,
        };
        simulation.check()?;
        let results = simulate(&simulation, &mut NoProgress, stop)?.summary.agents.swap_remove(0).results;
        let [low, high] = results.mean_score_ci.unwrap_or([results.mean_score; 2]);
        all.push(Examined {
            against: against.clone(),
            round,
            share: results.win_share,
            share_low: results.win_share_ci[0],
            share_high: results.win_share_ci[1],
            score: results.mean_score,
            score_half: (high - low) / 2.0,
        });
    }
    Ok(all)
}
