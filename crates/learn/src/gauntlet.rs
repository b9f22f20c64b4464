//! Evaluation of a network against a fixed gauntlet of agents.

use std::path::Path;

use meeple_core::{AgentSpec, AnyGame, Seating};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use serde::Serialize;

use crate::error::LearnError;
use crate::plan::TrainingPlan;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GauntletResult {
    /// The agent at the other seats; empty if the network played alone.
    pub against: String,
    pub round: u32,
    /// Mean share of the win, with its 95 % interval.
    pub share: f64,
    pub share_low: f64,
    pub share_high: f64,
    /// Mean score, with half the width of its 95 % interval.
    pub score: f64,
    pub score_half: f64,
}

/// Plays the network in a file against the plan's gauntlet, on deals that no training uses. Each deal is
/// played from every seat; in games with fillers, seats are shuffled.
///
/// # Errors
/// If a player cannot play.
pub fn play_gauntlet(
    game: &dyn AnyGame,
    plan: &TrainingPlan,
    file: &Path,
    round: u32,
    threads: usize,
    stop: &StopFlag,
) -> Result<Vec<GauntletResult>, LearnError> {
    let own = AgentSpec::with("net", [("file", &*file.to_string_lossy())]).to_string();
    let alone = [String::new()];
    let gauntlet = if game.seats() == 1 { &alone[..] } else { &plan.gauntlet };
    let mut all = Vec::new();
    for against in gauntlet {
        let mut words = vec![own.clone()];
        let filler = game.info().filler;
        let players = filler.map_or(game.seats(), |_| plan.seats.min(game.seats()));
        words.extend((1..players).map(|_| against.clone()));
        // With fillers, a deal group would have an episode for each of hundreds of seats: few deals would be
        // played.
        let seating = if players < game.seats() { Seating::Shuffle } else { Seating::DealGroups };
        let simulation = Simulation {
            game,
            line_up: LineUp::parse(&words)?.fill(game.seats(), filler)?,
            // The seed is far from those that plans use.
            seed: plan.seed ^ (1 << 62),
            episodes: plan.examine_episodes,
            seating,
            threads,
        };
        simulation.check()?;
        let results = simulate(&simulation, &mut NoProgress, stop)?.summary.agents.swap_remove(0).results;
        let [low, high] = results.mean_score_ci.unwrap_or([results.mean_score; 2]);
        all.push(GauntletResult {
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
