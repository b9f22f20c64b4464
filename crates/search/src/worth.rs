//! What the end of a rollout is worth to every seat.

use meeple_core::{Game, Outcome, Phase, Seat};

/// Turns ends of rollouts into one number per seat.
///
/// With two seats and more it lies from 0 to 1: the share of the win, mixed with the margin over the best other score,
/// which is bent so that no single rollout outweighs the rest, on the scale of all margins so far. At a table of one seat
/// it is the score itself, and only [`normal`](Self::normal) brings it to the scale of the others.
pub(crate) struct Worth {
    weight: f64,
    outcome: Outcome,
    margins: Vec<f64>,
    /// Number, sum and sum of squares of all margins so far.
    count: f64,
    sum: f64,
    squares: f64,
}

impl Worth {
    pub(crate) fn new(weight: f64) -> Self {
        Self { weight, outcome: Outcome::default(), margins: Vec::new(), count: 0.0, sum: 0.0, squares: 0.0 }
    }

    /// Forgets all margins.
    pub(crate) fn restart(&mut self) {
        (self.count, self.sum, self.squares) = (0.0, 0.0, 0.0);
    }

    /// Writes what `state` is worth, by seat: its outcome, or its scores as they stand if it is not over.
    pub(crate) fn measure<G: Game>(&mut self, game: &G, state: &G::State, worth: &mut Vec<f64>) {
        self.outcome.clear();
        if game.phase(state) == Phase::Over {
            game.outcome(state, &mut self.outcome);
        } else {
            self.outcome.scores.extend(Seat::all(game.seats()).map(|seat| game.score(state, seat)));
            self.outcome.rank_by_score();
        }
        self.take_margins();
        for margin in &self.margins {
            self.count += 1.0;
            self.sum += margin;
            self.squares += margin * margin;
        }
        worth.clear();
        if self.margins.len() == 1 {
            worth.extend_from_slice(&self.margins);
            return;
        }
        let winners = self.outcome.winners() as f64;
        // Without any margin so far all are 0, whatever they are divided by.
        let scale = (self.squares / self.count).sqrt().max(f64::MIN_POSITIVE);
        for (margin, place) in self.margins.iter().zip(&self.outcome.places) {
            let share = if *place == 1 { 1.0 / winners } else { 0.0 };
            let ratio = margin / scale;
            let bent = 0.5 + 0.5 * ratio / (1.0 + ratio.abs());
            worth.push((1.0 - self.weight) * share + self.weight * bent);
        }
    }

    /// Every seat's score less the best other; the score itself at a table of one.
    fn take_margins(&mut self) {
        let scores = &self.outcome.scores;
        let best = scores.iter().copied().max().unwrap_or(0);
        let leaders = scores.iter().filter(|score| **score == best).count();
        let second = scores.iter().copied().filter(|score| *score < best).max().unwrap_or(0);
        self.margins.clear();
        let rival = |score: i64| match (scores.len(), leaders) {
            (1, _) => 0,
            (_, 1) if score == best => second,
            _ => best,
        };
        self.margins.extend(scores.iter().map(|score| (score - rival(*score)) as f64));
    }

    /// A mean worth on the scale of 0 to 1 that exploration is made for. Scores of a lone seat are counted in standard
    /// deviations of all so far; a straight line, so that means keep their order.
    #[inline]
    pub(crate) fn normal(&self, mean: f64, seats: usize) -> f64 {
        if seats > 1 {
            return mean;
        }
        let centre = self.sum / self.count;
        let deviation = (self.squares / self.count - centre * centre).max(0.0).sqrt();
        if deviation > 0.0 { 0.5 + 0.25 * (mean - centre) / deviation } else { 0.5 }
    }
}
