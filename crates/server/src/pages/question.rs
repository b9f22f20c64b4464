//! The question that a form answers.

use maud::{Markup, html};

/// Which question a form answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Whose it is.
    pub seat: usize,
    /// Its number.
    pub number: u64,
    /// How many steps have been tried out since; `None` where what is chosen happens at once.
    pub steps: Option<usize>,
}

impl Question {
    /// The same as fields of a form that nobody sees.
    pub fn fields(self) -> Markup {
        html! {
            input type="hidden" name="seat" value=(self.seat);
            input type="hidden" name="number" value=(self.number);
            @if let Some(steps) = self.steps { input type="hidden" name="steps" value=(steps); }
        }
    }
}
