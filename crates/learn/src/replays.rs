//! Training data from replays of human games.
//!
//! Positions are trained towards the game's outcome; the moves are no targets.

use meeple_core::{
    Definition, NoEvents, Outcome, Params, Playable, Replay, ReplayError, Seat, Step, StepOf, Stream, Viewer,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::afterstate::AfterstateAgent;
use crate::batch::Trajectory;
use crate::error::LearnError;
use crate::plan::TrainingPositions;

#[derive(Clone, Debug, PartialEq)]
pub struct NamedReplay {
    /// The file, for messages.
    pub name: String,
    pub replay: Replay,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HumanGames {
    pub games: usize,
    /// SHA-256 of the concatenated texts of the games.
    pub sha256: String,
    /// Training episodes that were one of these games.
    pub episodes: u64,
}

/// Verified replays of one game and its rules.
pub(crate) struct ReplayLibrary<G: Playable> {
    games: Vec<VerifiedReplay<G>>,
    summary: HumanGames,
}

pub(crate) struct VerifiedReplay<G: Playable> {
    steps: Vec<StepOf<G>>,
    outcome: Outcome,
}

impl<G: Playable> ReplayLibrary<G> {
    /// # Errors
    /// If the list is empty, or a replay is wrong, unfinished, or of another game or other rules; the first
    /// of these.
    pub(crate) fn new(
        definition: &Definition<G>,
        game: &G,
        recorded: &[NamedReplay],
    ) -> Result<Self, LearnError> {
        if recorded.is_empty() {
            return Err(LearnError::Plan("replays: expected games of people, found none".to_owned()));
        }
        let mut hash = Sha256::new();
        let mut games = Vec::with_capacity(recorded.len());
        for NamedReplay { name, replay } in recorded {
            let wrong = |error| LearnError::Replay { name: name.clone(), error };
            games.push(verified(definition, game, replay).map_err(wrong)?);
            hash.update(replay.to_text());
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let summary = HumanGames { games: games.len(), sha256, episodes: 0 };
        Ok(Self { games, summary })
    }

    pub(crate) fn summary(&self) -> HumanGames {
        self.summary.clone()
    }

    pub(crate) fn any(&self, rng: &mut Stream) -> &VerifiedReplay<G> {
        &self.games[rng.index(self.games.len())]
    }
}

fn verified<G: Playable>(
    definition: &Definition<G>,
    game: &G,
    replay: &Replay,
) -> Result<VerifiedReplay<G>, ReplayError> {
    let own = replay.game(definition)?;
    let (rules, others) = (game.variant().to_json(), own.variant().to_json());
    if let Some(spec) = game.variant().specs().iter().find(|spec| rules[spec.name] != others[spec.name]) {
        let (expected, found) = (&rules[spec.name], &others[spec.name]);
        return Err(ReplayError::Setup(format!(
            "expected a game with {0} {expected}, found one with {found}\n\
             hint: a network learns by one set of rules; the plan's `set` says which",
            spec.name
        )));
    }
    if own.seats() != game.seats() {
        let (expected, found) = (game.seats(), own.seats());
        return Err(ReplayError::Setup(format!("expected a game of {expected} seats, found one of {found}")));
    }
    let episode = replay.verify(definition, |_| {})?;
    let outcome = episode.outcome().ok_or_else(|| {
        let steps = replay.steps.len();
        ReplayError::Setup(format!(
            "expected a game that is over, found one that was broken off after step {steps}\n\
             hint: only the end tells what its positions were worth"
        ))
    })?;
    Ok(VerifiedReplay { steps: episode.steps().to_vec(), outcome })
}

/// Evaluates the positions of replays, as [`crate::self_play`] does those of watched agents.
pub(crate) struct ReplayReader<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) network: AfterstateAgent<G>,
    pub(crate) positions: TrainingPositions,
    pub(crate) rng: Stream,
}

impl<G: Playable> ReplayReader<'_, G> {
    /// The trajectory of every seat, and the outcome.
    pub(crate) fn read<'p>(&mut self, replay: &'p VerifiedReplay<G>) -> (Vec<Trajectory>, &'p Outcome) {
        let game = self.game;
        let mut state = game.initial_state();
        let mut trajectories: Vec<Trajectory> = Seat::all(game.seats())
            .map(|seat| {
                let mut trajectory = Trajectory::default();
                trajectory.begin(seat);
                trajectory
            })
            .collect();
        for step in &replay.steps {
            match step {
                Step::Chance(chance) => game.apply_chance(&mut state, chance, &mut NoEvents),
                Step::Action(seat, action) => {
                    let (seat, seen) = (*seat, game.observe(&state, Viewer::Seat(*seat)));
                    let own = &mut trajectories[seat.index()];
                    if self.positions != TrainingPositions::After {
                        own.add(self.network.evaluate_state(game, seat, &seen));
                    }
                    if self.positions != TrainingPositions::Before {
                        own.add(self.network.evaluate_action(game, seat, &seen, action, &mut self.rng));
                    }
                    drop(seen);
                    game.apply_unchecked(&mut state, seat, action, &mut NoEvents);
                }
            }
        }
        (trajectories, &replay.outcome)
    }
}
