//! The question that a form answers.

use maud::{Markup, html};

/// The identity of a question in a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    pub seat: usize,
    pub number: u64,
    /// The number of steps in the draft; `None` where choices take effect at once.
    pub steps: Option<usize>,
}

impl Question {
    /// Hidden form fields.
    pub fn fields(self) -> Markup {
        html! {
            input type="hidden" name="seat" value=(self.seat);
            input type="hidden" name="number" value=(self.number);
            @if let Some(steps) = self.steps { input type="hidden" name="steps" value=(steps); }
        }
    }
}
