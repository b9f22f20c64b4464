//! Agents that are fast enough to decide without a separate thread.

use std::collections::BTreeSet;
use std::time::Duration;

use meeple_table::Holder;

/// A decision in less than this time is quick.
const MAX_QUICK_DECISION: Duration = Duration::from_millis(2);

/// Agents, by text, whose last decision was quick.
#[derive(Default, Debug)]
pub struct QuickAgents(BTreeSet<String>);

impl QuickAgents {
    /// Returns true if the seat's agent is quick.
    pub fn has(&self, holder: &Holder) -> bool {
        matches!(holder, Holder::Agent(text) if self.0.contains(text))
    }

    /// Removes the seat's agent, which needs a separate thread until its next quick decision.
    pub fn forget(&mut self, holder: &Holder) {
        if let Holder::Agent(text) = holder {
            self.0.remove(text);
        }
    }

    pub fn note(&mut self, holder: &Holder, took: Duration) {
        match holder {
            Holder::Agent(text) if took >= MAX_QUICK_DECISION => drop(self.0.remove(text)),
            Holder::Agent(text) if !self.0.contains(text) => drop(self.0.insert(text.clone())),
            _ => {}
        }
    }
}
