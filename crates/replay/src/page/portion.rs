//! A portion of an episode's moments, within a budget.

use serde_json::{Value, json};

/// Maximum number of marks of one kind. A page has room for a few hundred.
const MAX_MARKS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageBudget {
    /// Approximate size of the page in bytes. Only the last moment may exceed it.
    pub bytes: usize,
    /// Number of lines drawn, including unchanged ones: a measure of CPU time.
    pub lines: usize,
}

impl PageBudget {
    pub const UNLIMITED: Self = Self { bytes: usize::MAX, lines: usize::MAX };
}

/// Moments on a page: from number `from` on, as many as the budget allows, but at least two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    pub from: usize,
    pub budget: PageBudget,
}

impl Default for Portion {
    fn default() -> Self {
        Self { from: 0, budget: PageBudget::UNLIMITED }
    }
}

/// Marks on the timeline, as numbers of moments.
#[derive(Default)]
pub struct Marks {
    landmarks: Vec<usize>,
    /// Moments at which the length grows, each with the new length.
    lengths: Vec<(usize, u64)>,
    turns: Vec<usize>,
    length: Option<u64>,
    owing: Option<Vec<usize>>,
}

impl Marks {
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

    /// The marks for the page, thinned out evenly if there are too many.
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
