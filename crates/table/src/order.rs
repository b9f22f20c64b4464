//! Requests of people to a table.

/// An answer, as a person gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The action's text, or a text that the game accepts as input.
    Text(&'a str),
    /// The number of a listed action, from 0.
    Index(usize),
}

/// A person's change of the draft at its seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftOrder<'a> {
    /// Adds a step. A first step is taken at once, without a draft, if another seat decides next, chance
    /// draws, or it reveals something new.
    Step(Reply<'a>),
    /// Drops the last step.
    Undo,
    /// Discards the draft.
    Drop,
    /// Confirms the draft: all its steps are taken.
    Commit,
}
