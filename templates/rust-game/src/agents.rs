//! Agents of the game. `random`, `greedy`, `flat` and `mcts` play every game and need nothing here.

use meeple_core::{Agent, AgentInfo, Turn, params};

use crate::{Choice, TemplateGame};

pub(crate) fn all() -> Vec<AgentInfo<TemplateGame>> {
    vec![AgentInfo::new("cautious", "stays with a high die", |_, params: CautiousParams| {
        Ok(Cautious(params))
    })]
}

params! {
    /// Settings of the agent `cautious`.
    pub struct CautiousParams {
        /// Smallest die that stays.
        pub least: u8 = 4 => "least", int(1, 21);
    }
}

struct Cautious(CautiousParams);

impl Agent<TemplateGame> for Cautious {
    fn act(&mut self, turn: Turn<'_, TemplateGame>) -> Choice {
        // The observation of the agent's own seat: its own die, and nobody else's.
        let die = turn.observe().die(turn.seat()).unwrap_or(0);
        if die >= self.0.least { Choice::Stay } else { Choice::Fold }
    }
}
