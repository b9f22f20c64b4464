//! Agents that need no thread of their own.

use std::collections::BTreeSet;
use std::time::Duration;

use meeple_table::Holder;

/// Agents that decide in less than this are not asked on a thread of their own when it is their turn again.
const QUICK: Duration = Duration::from_millis(2);

/// Agents, by their texts at their seats, that have decided quickly when they were asked last.
#[derive(Default, Debug)]
pub struct QuickAgents(BTreeSet<String>);

impl QuickAgents {
    /// Whether who sits there is one of them.
    pub fn has(&self, holder: &Holder) -> bool {
        matches!(holder, Holder::Agent(text) if self.0.contains(text))
    }

    /// Who sits there needs a thread of its own from now on.
    pub fn forget(&mut self, holder: &Holder) {
        if let Holder::Agent(text) = holder {
            self.0.remove(text);
        }
    }

    /// Who sits there has taken so long.
    pub fn note(&mut self, holder: &Holder, took: Duration) {
        match holder {
            Holder::Agent(text) if took >= QUICK => drop(self.0.remove(text)),
            Holder::Agent(text) if !self.0.contains(text) => drop(self.0.insert(text.clone())),
            _ => {}
        }
    }
}
