//! Input of people at a table: answers to questions, and changes of their drafts.

/// A person's answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The action's text, or a text that the game accepts as input.
    Text(&'a str),
    /// The index of a listed action, from 0.
    Index(usize),
}

/// A person's change of the draft at their seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftOrder<'a> {
    /// Adds a step. A first step starts a draft only if it can be taken back and the same seat decides again
    /// directly after it; any other first step is played immediately.
    Step(Reply<'a>),
    /// Drops the last step.
    Undo,
    /// Discards the draft.
    Drop,
    /// Confirms the draft, so that its steps are played.
    Commit,
}
