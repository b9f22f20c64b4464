//! Input of people at a table: answers to questions, and changes of their drafts.

/// An answer in the form in which a person gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The action's text, or a text that the game accepts as input.
    Text(&'a str),
    /// The index of a listed action, from 0.
    Index(usize),
}

/// A person's change of the draft at the person's seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftOrder<'a> {
    /// Adds a step. A first step is taken at once, without a draft, if the seat cannot continue directly.
    /// That is: another seat decides next, chance draws, the game ends, or the step reveals something new.
    Step(Reply<'a>),
    /// Drops the last step.
    Undo,
    /// Discards the draft.
    Drop,
    /// Confirms the draft, so that its steps are played.
    Commit,
}
