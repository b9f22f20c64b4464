use crate::goal::Goal;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaySettings {
    pub(crate) goal: Goal,
    /// Number of random candidates where actions cannot be listed.
    pub(crate) samples: u32,
    /// If given, only advised actions are evaluated. Another action than the first then needs a predicted
    /// value that is higher by this much, in units of the goal.
    pub(crate) doubt: Option<f32>,
    /// Temperature of a policy's softmax; 0 takes the highest score.
    pub(crate) temperature: f32,
}
