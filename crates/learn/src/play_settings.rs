//! Settings by which a trained player picks its actions.

use crate::goal::Goal;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaySettings {
    pub(crate) goal: Goal,
    /// Candidates to sample where actions cannot be listed.
    pub(crate) samples: u32,
    /// If given, only actions that the game's hints advise are evaluated, and another than the first of them
    /// is taken only if its predicted value is higher by this much, in units of the goal.
    pub(crate) doubt: Option<f32>,
    /// Temperature of a policy's softmax; 0 takes the highest score.
    pub(crate) temperature: f32,
}
