//! What people ask of a table.

/// An answer as a person gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// The action's text, or what the game lets people type.
    Text(&'a str),
    /// The number of a listed action, from 0.
    Index(usize),
}

/// What a person does to the draft of its seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftOrder<'a> {
    /// Adds a step. A first step after which somebody else decides, chance draws or something new is seen needs no draft:
    /// it is taken at once.
    Step(Reply<'a>),
    /// Drops the last step.
    Undo,
    /// Drops all.
    Drop,
    /// Has all steps happen.
    Commit,
}
