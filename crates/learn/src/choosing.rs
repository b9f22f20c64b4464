//! How a player chooses by what its network says.

use crate::goal::Goal;

/// How a player chooses by what its network says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choosing {
    pub(crate) goal: Goal,
    /// Actions to choose from, where they cannot be listed.
    pub(crate) samples: u32,
    /// Given, only actions are looked at that the game's hints advise: by how much another than the first of them must be
    /// foretold to be better, in units of the goal.
    pub(crate) doubt: Option<f32>,
    /// Of a policy: its scores count over this; 0 takes the highest.
    pub(crate) temperature: f32,
}
