//! Value networks as hints of a search.

use meeple_core::{Encoding, Game, Hints, Phase, Playable, Position, Seat, Viewer};

use crate::agent::{fitting, read};
use crate::goal::Goal;
use crate::network::{Network, Scratch};

pub trait Evaluator: Send {
    fn goal(&self) -> Goal;
    /// Typical spread of the values, in units of the goal.
    fn spread(&self) -> f64;
    /// The value of a position by its features, in units of the goal.
    fn value(&mut self, features: &[f32]) -> f32;
}

struct NetworkEvaluator {
    goal: Goal,
    network: Network,
    scratch: Scratch,
}

impl Evaluator for NetworkEvaluator {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn spread(&self) -> f64 {
        self.network.scale.into()
    }

    fn value(&mut self, features: &[f32]) -> f32 {
        self.network.value(features, &mut self.scratch)
    }
}

/// The game's hints, with position values by the network in `file`.
///
/// # Errors
/// If the file cannot be read, or its model does not fit.
pub fn value_hints<G: Playable>(game: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
    let learned = read(file).map_err(|error| error.to_string())?;
    let encoding = fitting(game, &learned, file).map_err(|error| error.to_string())?;
    if learned.reservoir.is_some() {
        return Err(format!(
            "{file}: expected a network that says what positions are worth, found units that remember\n\
             hint: it plays as net:{file}"
        ));
    }
    // A policy's scores are no values; its critic's are.
    let network = learned.critic.unwrap_or(learned.network);
    let evaluator = NetworkEvaluator { goal: learned.about.goal, network, scratch: Scratch::default() };
    Ok(evaluator_hints(game, encoding, Box::new(evaluator)))
}

/// The game's hints, with position values by `evaluator`.
pub fn evaluator_hints<G: Playable>(
    game: &G,
    encoding: Encoding<G>,
    evaluator: Box<dyn Evaluator>,
) -> Box<dyn Hints<G>> {
    Box::new(LearnedValue {
        game_hints: game.hints(),
        goal: evaluator.goal(),
        evaluator,
        encoding,
        features: vec![0.0; encoding.size(game)],
        ignored: Vec::new(),
    })
}

struct LearnedValue<G: Game> {
    game_hints: Box<dyn Hints<G>>,
    goal: Goal,
    evaluator: Box<dyn Evaluator>,
    encoding: Encoding<G>,
    features: Vec<f32>,
    /// Scores by the game's own hints, of which only the spread is used.
    ignored: Vec<f64>,
}

impl<G: Game> LearnedValue<G> {
    /// Appends the value of every seat, in units of the goal. Networks are trained where a seat decides: in a
    /// zero-sum game of two seats, that seat's value gives both values.
    fn evaluate(&mut self, position: &Position<'_, G>, values: &mut Vec<f64>) {
        let seats = position.game().seats();
        let opposed = seats == 2 && self.goal != Goal::Score;
        match position.phase() {
            Phase::Decide(deciding) if opposed && deciding.len() == 1 => {
                let deciding = deciding.lowest().expect("there is one");
                let value = self.value(position, deciding);
                values.extend(Seat::all(seats).map(|seat| if seat == deciding { value } else { -value }));
            }
            _ => values.extend(Seat::all(seats).map(|seat| self.value(position, seat))),
        }
    }

    fn value(&mut self, position: &Position<'_, G>, seat: Seat) -> f64 {
        let seen = position.observe(Viewer::Seat(seat));
        (self.encoding.write)(position.game(), &seen, seat, &mut self.features);
        self.evaluator.value(&self.features).into()
    }
}

impl<G: Game> Hints<G> for LearnedValue<G> {
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        Some(&mut *self.game_hints)
    }

    /// Points predicted by the network, with the spread of the game's hints, else of the network. A network
    /// that predicts wins has no points: the game's hints give them.
    fn scores(&mut self, position: &Position<'_, G>, scores: &mut Vec<f64>) -> Option<f64> {
        if self.goal == Goal::Win {
            return self.game_hints.scores(position, scores);
        }
        self.ignored.clear();
        let spread = self.game_hints.scores(position, &mut self.ignored);
        self.evaluate(position, scores);
        if self.goal == Goal::Margin {
            scores.iter_mut().for_each(|score| *score /= 2.0);
        }
        Some(spread.unwrap_or_else(|| self.evaluator.spread()))
    }

    fn know_only_wins(&self) -> bool {
        self.goal == Goal::Win
    }

    fn shares(&mut self, position: &Position<'_, G>, shares: &mut Vec<f64>) -> bool {
        let seats = position.game().seats();
        if self.goal != Goal::Win || seats < 2 {
            return false;
        }
        self.evaluate(position, shares);
        // Converts utilities to shares of the win.
        let even = 1.0 / seats as f64;
        shares.iter_mut().for_each(|share| *share = (even + *share * (1.0 - even)).max(0.0));
        let whole: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share = if whole > 0.0 { *share / whole } else { even });
        true
    }
}
