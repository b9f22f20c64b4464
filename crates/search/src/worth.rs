use meeple_core::{Game, Hints, Outcome, Phase, Position, Seat};

use crate::params::{CutValue, MctsParams};

/// Maps ends of rollouts to values: one number per seat.
///
/// With two or more seats a value lies in `0..=1`: the share of the win, mixed with the margin over the best
/// other score. The margin is bent (or cut) on the scale of all margins so far, so that no single rollout
/// outweighs the others. For one seat the value is the score itself, which only [`normal`](Self::normal)
/// scales.
///
/// If a rollout was cut and the hints estimate scores, the share of the win comes from the margins and their
/// remaining spread. Shares given by the hints take precedence.
pub(crate) struct Worth {
    weight: f64,
    cut: CutValue,
    rescale: bool,
    bend: bool,
    outcome: Outcome,
    scores: Vec<f64>,
    margins: Vec<f64>,
    seen: Sums,
    ends: Sums,
    /// The largest standard deviation of a lone seat's scores so far. The current deviation may shrink with
    /// every visit of an action with a constant score, until other actions are never visited again.
    widest: f64,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    #[inline]
    fn add(&mut self, number: f64) {
        self.count += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    #[inline]
    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    #[inline]
    fn deviation(&self) -> f64 {
        let mean = self.mean();
        (self.squares / self.count - mean * mean).max(0.0).sqrt()
    }
}

/// Maps a ratio to `0..=1`, and 0 to the middle. Very large ratios count little more than large ones.
#[inline]
fn bent(ratio: f64) -> f64 {
    0.5 + 0.5 * ratio / (1.0 + ratio.abs())
}

/// Maps a ratio to `0..=1`: linear up to eight times the scale, constant beyond.
#[inline]
fn straight(ratio: f64) -> f64 {
    0.5 + 0.5 * (ratio / 8.0).clamp(-1.0, 1.0)
}

impl Worth {
    pub(crate) fn new(params: &MctsParams) -> Self {
        Self {
            weight: params.margin,
            cut: params.value.clone(),
            rescale: params.rescale,
            bend: params.bend,
            outcome: Outcome::default(),
            scores: Vec::new(),
            margins: Vec::new(),
            seen: Sums::default(),
            ends: Sums::default(),
            widest: 0.0,
        }
    }

    pub(crate) fn restart(&mut self) {
        (self.seen, self.ends, self.widest) = Default::default();
    }

    /// Writes the value of `state` for each seat: that of its outcome, or an estimate if the episode is not
    /// over.
    pub(crate) fn measure<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        hints: &mut dyn Hints<G>,
        worth: &mut Vec<f64>,
    ) {
        self.scores.clear();
        let (mut spread, mut has_shares) = (None, false);
        worth.clear();
        self.outcome.clear();
        if game.phase(state) == Phase::Over {
            game.outcome(state, &mut self.outcome);
        } else {
            if self.cut != CutValue::Scores {
                let position = Position::new(game, state);
                spread = hints.scores(&position, &mut self.scores);
                has_shares = hints.shares(&position, worth);
            }
            if spread.is_none() {
                self.outcome.scores.extend(Seat::all(game.seats()).map(|seat| game.score(state, seat)));
                self.outcome.rank_by_score();
            }
        }
        if spread.is_none() {
            self.scores.clear();
            self.scores.extend(self.outcome.scores.iter().map(|score| *score as f64));
        }
        self.take_margins();
        for margin in &self.margins {
            self.seen.add(*margin);
        }
        if self.margins.len() == 1 {
            self.widest = self.widest.max(self.seen.deviation());
            worth.extend_from_slice(&self.margins);
            return;
        }
        // If all margins so far are 0, the floor avoids a division by 0.
        let scale = (self.seen.squares / self.seen.count).sqrt().max(f64::MIN_POSITIVE);
        match spread {
            _ if has_shares => {}
            None => {
                let winners = self.outcome.winners() as f64;
                worth.extend(
                    self.outcome.places.iter().map(|place| if *place == 1 { 1.0 / winners } else { 0.0 }),
                );
            }
            Some(spread) => {
                worth.extend(self.margins.iter().map(|margin| bent(2.0 * margin / spread)));
                let whole: f64 = worth.iter().sum();
                worth.iter_mut().for_each(|share| *share /= whole);
            }
        }
        let shape = if self.bend { bent } else { straight };
        for (worth, margin) in worth.iter_mut().zip(&self.margins) {
            *worth = (1.0 - self.weight) * *worth + self.weight * shape(margin / scale);
        }
        if self.rescale {
            for worth in worth {
                self.ends.add(*worth);
            }
        }
    }

    fn take_margins(&mut self) {
        let scores = &self.scores;
        let highest = |scores: &mut dyn Iterator<Item = f64>| scores.fold(f64::NEG_INFINITY, f64::max);
        let best = highest(&mut scores.iter().copied());
        let leaders = scores.iter().filter(|score| **score == best).count();
        let second = highest(&mut scores.iter().copied().filter(|score| *score < best));
        self.margins.clear();
        let rival = |score: f64| match (scores.len(), leaders) {
            (1, _) => 0.0,
            (_, 1) if score == best => second,
            _ => best,
        };
        self.margins.extend(scores.iter().map(|score| score - rival(*score)));
    }

    /// A mean value on the scale of `0..=1` that exploration assumes. A lone seat's scores and rescaled ends
    /// are converted to standard deviations. The map is linear and increasing.
    #[inline]
    pub(crate) fn normal(&self, mean: f64, seats: usize) -> f64 {
        let (all, deviation) = match (seats, self.rescale) {
            (1, _) => (&self.seen, self.widest),
            (_, true) => (&self.ends, self.ends.deviation()),
            (_, false) => return mean,
        };
        if deviation > 0.0 { 0.5 + 0.25 * (mean - all.mean()) / deviation } else { 0.5 }
    }
}
