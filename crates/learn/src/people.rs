//! Games of people: replays that are learned from.
//!
//! Nobody asks why they did what they did. A position is learned to bring what came of it, whoever played on from there, as when
//! agents are watched.

use meeple_core::{
    Definition, NoEvents, Outcome, Params, Playable, Replay, ReplayError, Seat, Step, StepOf, Stream, Viewer,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::chooser::Chooser;
use crate::error::LearnError;
use crate::lessons::Deeds;
use crate::plan::Positions;

/// A game of people, as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What it is called in messages: its file.
    pub name: String,
    /// What happened.
    pub replay: Replay,
}

/// What of people is in a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// Games that it was given.
    pub games: usize,
    /// SHA-256 of their texts, one after the other.
    pub sha256: String,
    /// Episodes that were one of these games.
    pub episodes: u64,
}

/// Games of people that fit a game and its rules.
pub(crate) struct Library<G: Playable> {
    games: Vec<Played<G>>,
    told: People,
}

/// A whole game.
pub(crate) struct Played<G: Playable> {
    steps: Vec<StepOf<G>>,
    outcome: Outcome,
}

impl<G: Playable> Library<G> {
    /// Plays all of them once.
    ///
    /// # Errors
    /// The first that is wrong, of another game or other rules, or not over; that there is none.
    pub(crate) fn new(
        definition: &Definition<G>,
        game: &G,
        recorded: &[Recorded],
    ) -> Result<Self, LearnError> {
        if recorded.is_empty() {
            return Err(LearnError::Plan("replays: expected games of people, found none".to_owned()));
        }
        let mut hash = Sha256::new();
        let mut games = Vec::with_capacity(recorded.len());
        for Recorded { name, replay } in recorded {
            let wrong = |error| LearnError::Replay { name: name.clone(), error };
            games.push(played(definition, game, replay).map_err(wrong)?);
            hash.update(replay.to_text());
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let told = People { games: games.len(), sha256, episodes: 0 };
        Ok(Self { games, told })
    }

    /// What they are, before anything was learned from them.
    pub(crate) fn told(&self) -> People {
        self.told.clone()
    }

    /// One of them.
    pub(crate) fn any(&self, draws: &mut Stream) -> &Played<G> {
        &self.games[draws.index(self.games.len())]
    }
}

/// The steps of a replay, if they are of this game and lead to its end.
fn played<G: Playable>(
    definition: &Definition<G>,
    game: &G,
    replay: &Replay,
) -> Result<Played<G>, ReplayError> {
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
    Ok(Played { steps: episode.steps().to_vec(), outcome })
}

/// Reads games of people, as who watches them.
pub(crate) struct Reader<'a, G: Playable> {
    pub(crate) game: &'a G,
    pub(crate) chooser: Chooser<G>,
    pub(crate) positions: Positions,
    /// Draws what a seat cannot know.
    pub(crate) imagined: Stream,
}

impl<G: Playable> Reader<'_, G> {
    /// What every seat did in a game, and how it ended.
    pub(crate) fn read<'p>(&mut self, played: &'p Played<G>) -> (Vec<Deeds>, &'p Outcome) {
        let game = self.game;
        let mut state = game.initial_state();
        let mut deeds: Vec<Deeds> = Seat::all(game.seats())
            .map(|seat| {
                let mut deeds = Deeds::default();
                deeds.begin(seat);
                deeds
            })
            .collect();
        for step in &played.steps {
            match step {
                Step::Chance(chance) => game.apply_chance(&mut state, chance, &mut NoEvents),
                Step::Action(seat, action) => {
                    let (seat, seen) = (*seat, game.observe(&state, Viewer::Seat(*seat)));
                    let own = &mut deeds[seat.index()];
                    if self.positions != Positions::After {
                        own.add(self.chooser.judge_before(game, seat, &seen));
                    }
                    if self.positions != Positions::Before {
                        own.add(self.chooser.judge(game, seat, &seen, action, &mut self.imagined));
                    }
                    drop(seen);
                    game.apply_unchecked(&mut state, seat, action, &mut NoEvents);
                }
            }
        }
        (deeds, &played.outcome)
    }
}
