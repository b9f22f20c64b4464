//! Networks as the value of positions, for searches.

use meeple_core::{Encoding, Game, Hints, Phase, Playable, Position, Seat, Viewer};

use crate::agent::{fitting, read};
use crate::goal::Goal;
use crate::network::{Network, Scratch};

/// What a search asks for values: a network of whatever make.
pub trait Judge: Send {
    /// What it foretells.
    fn goal(&self) -> Goal;
    /// How far what it foretells lies apart, in units of the goal.
    fn spread(&self) -> f64;
    /// What it says of a position, told as these numbers, in units of the goal.
    fn value(&mut self, numbers: &[f32]) -> f32;
}

/// A network of ours, with the memory that it needs.
struct OwnJudge {
    goal: Goal,
    network: Network,
    scratch: Scratch,
}

impl Judge for OwnJudge {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn spread(&self) -> f64 {
        self.network.scale.into()
    }

    fn value(&mut self, numbers: &[f32]) -> f32 {
        self.network.value(numbers, &mut self.scratch)
    }
}

/// The hints of a game, but that the network in `file` says what a position is worth.
///
/// # Errors
/// If there is no such file, or its network is of something else; in words.
pub fn value_hints<G: Playable>(game: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
    let learned = read(file).map_err(|error| error.to_string())?;
    let encoding = fitting(game, &learned, file).map_err(|error| error.to_string())?;
    if learned.reservoir.is_some() {
        return Err(format!(
            "{file}: expected a network that says what positions are worth, found units that remember\n\
             hint: it plays as net:{file}"
        ));
    }
    // What a policy's scores add up to is no value, but it comes with what it expects.
    let network = learned.critic.unwrap_or(learned.network);
    let judge = OwnJudge { goal: learned.about.goal, network, scratch: Scratch::default() };
    Ok(judged_hints(game, encoding, Box::new(judge)))
}

/// The hints of a game, but that `judge` says what a position is worth, of what this encoding tells.
pub fn judged_hints<G: Playable>(
    game: &G,
    encoding: Encoding<G>,
    judge: Box<dyn Judge>,
) -> Box<dyn Hints<G>> {
    Box::new(LearnedValue {
        game_hints: game.hints(),
        goal: judge.goal(),
        judge,
        encoding,
        numbers: vec![0.0; encoding.size(game)],
        ignored: Vec::new(),
    })
}

struct LearnedValue<G: Game> {
    game_hints: Box<dyn Hints<G>>,
    goal: Goal,
    judge: Box<dyn Judge>,
    encoding: Encoding<G>,
    numbers: Vec<f32>,
    /// What the game thinks of a position, where only how sure it is counts.
    ignored: Vec<f64>,
}

impl<G: Game> LearnedValue<G> {
    /// Appends what every seat may expect, in units of the goal, to `values`. Networks learn from where a seat decides; so,
    /// where one has what the other has not, whoever decides is asked for both.
    fn expect(&mut self, position: &Position<'_, G>, values: &mut Vec<f64>) {
        let seats = position.game().seats();
        let opposed = seats == 2 && self.goal != Goal::Score;
        match position.phase() {
            Phase::Decide(deciding) if opposed && deciding.len() == 1 => {
                let asked = deciding.lowest().expect("there is one");
                let value = self.value(position, asked);
                values.extend(Seat::all(seats).map(|seat| if seat == asked { value } else { -value }));
            }
            _ => values.extend(Seat::all(seats).map(|seat| self.value(position, seat))),
        }
    }

    /// What one seat may expect.
    fn value(&mut self, position: &Position<'_, G>, seat: Seat) -> f64 {
        let seen = position.observe(Viewer::Seat(seat));
        (self.encoding.write)(position.game(), &seen, seat, &mut self.numbers);
        self.judge.value(&self.numbers).into()
    }
}

impl<G: Game> Hints<G> for LearnedValue<G> {
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        Some(&mut *self.game_hints)
    }

    /// Points are the network's. How far they may still move is the game's, if it knows; else as far as in the episodes that the
    /// network learned from first. A network of the win says nothing of points.
    fn scores(&mut self, position: &Position<'_, G>, scores: &mut Vec<f64>) -> Option<f64> {
        if self.goal == Goal::Win {
            return self.game_hints.scores(position, scores);
        }
        self.ignored.clear();
        let spread = self.game_hints.scores(position, &mut self.ignored);
        self.expect(position, scores);
        if self.goal == Goal::Margin {
            // The difference of two is a margin again.
            scores.iter_mut().for_each(|score| *score /= 2.0);
        }
        Some(spread.unwrap_or_else(|| self.judge.spread()))
    }

    fn know_only_wins(&self) -> bool {
        self.goal == Goal::Win
    }

    fn shares(&mut self, position: &Position<'_, G>, shares: &mut Vec<f64>) -> bool {
        let seats = position.game().seats();
        if self.goal != Goal::Win || seats < 2 {
            return false;
        }
        self.expect(position, shares);
        // As utilities are made of shares.
        let even = 1.0 / seats as f64;
        shares.iter_mut().for_each(|share| *share = (even + *share * (1.0 - even)).max(0.0));
        let whole: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share = if whole > 0.0 { *share / whole } else { even });
        true
    }
}
