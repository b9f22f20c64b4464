//! A portion of an episode's moments, within a budget.

use serde_json::{Value, json};

/// Marks of one kind: a page has room for some hundreds.
const MAX_MARKS: usize = 1000;

/// What the moments of a page may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of the page, about. Exceeded by the last moment at most.
    pub bytes: usize,
    /// Lines that are drawn, also those that are as before: a measure of the processor's time.
    pub lines: usize,
}

impl Budget {
    /// No bound, for a page of one's own on one's own machine.
    pub const UNLIMITED: Self = Self { bytes: usize::MAX, lines: usize::MAX };
}

/// Which moments of an episode a page has: from this one on, and as many as the budget allows, at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The number of the first moment that may be drawn.
    pub from: usize,
    /// What all of them may cost.
    pub budget: Budget,
}

impl Default for Portion {
    fn default() -> Self {
        Self { from: 0, budget: Budget::UNLIMITED }
    }
}

/// The marks on the line of time: numbers of moments.
#[derive(Default)]
pub struct Marks {
    landmarks: Vec<usize>,
    /// With the length from this moment on.
    lengths: Vec<(usize, u64)>,
    turns: Vec<usize>,
    length: Option<u64>,
    owing: Option<Vec<usize>>,
}

impl Marks {
    /// Takes the next moment.
    pub fn add(&mut self, number: usize, landmark: bool, length: u64, owing: Option<Vec<usize>>) {
        if landmark && number > 0 {
            self.landmarks.push(number);
        }
        if self.length.is_none_or(|before| length > before) {
            self.lengths.push((number, length));
            self.length = Some(length);
        }
        if owing.is_some() && owing != self.owing {
            if number > 0 {
                self.turns.push(number);
            }
            self.owing = owing;
        }
    }

    /// For the page: of too many, every second, third and so on.
    pub fn to_json(&self) -> Value {
        json!({
            "landmarks": thinned(&self.landmarks),
            "lengths": thinned(&self.lengths),
            "turns": thinned(&self.turns),
        })
    }
}

fn thinned<T: Copy>(marks: &[T]) -> Vec<T> {
    marks.iter().copied().step_by(marks.len().div_ceil(MAX_MARKS).max(1)).collect()
}
