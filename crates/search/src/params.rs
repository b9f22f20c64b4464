//! Settings of the search, declared once.

use meeple_core::{choice, params};

choice! {
    /// Who has decisions in the tree, and what they want there.
    pub enum TreeKind {
        /// Everybody has, and wants the best for itself.
        MaxN = "maxn",
        /// Everybody has, and all others want the worst for the seat that searches.
        Paranoid = "paranoid",
        /// Only the seat that searches has; the others act as in rollouts.
        OwnOnly = "self",
    }
}

params! {
    /// Settings of [`Mcts`](crate::Mcts).
    pub struct MctsParams {
        /// Iterations per decision, shared evenly among the trees.
        pub iterations: u32 = 400 => "iterations", int(1, 100_000_000);
        /// How much the search explores: the constant c of UCB, for values from 0 to 1.
        pub exploration: f64 = 0.4 => "c", real(0.0, 10.0);
        /// Who has decisions in the tree: `maxn` (all, each for itself), `paranoid` (all others against the own seat),
        /// `self` (only the own seat; others act as in rollouts).
        pub tree: TreeKind = TreeKind::MaxN => "tree", choice(TreeKind::WORDS);
        /// Independent trees whose visits are added up.
        pub trees: u32 = 1 => "trees", int(1, 64);
        /// How much the margin counts beside the share of the win, from 0 (only winning) to 1 (only the margin over the
        /// best other, on the scale of the margins that rollouts end with).
        pub margin: f64 = 0.5 => "margin", real(0.0, 1.0);
        /// Who decides in rollouts: `any` (any legal action, at random), or an agent of the game's own, as in a line-up.
        pub rollout: String = "any".to_owned() => "rollout", text();
        /// Chance that a seat decides at random in a rollout all the same.
        pub epsilon: f64 = 0.1 => "epsilon", real(0.0, 1.0);
        /// Most decisions of a rollout; the scores as they stand count then.
        pub depth: u32 = 10_000 => "depth", int(0, 1_000_000);
        /// Below the root, an untried action is tried only while fewer than this times the square root of the visits
        /// were; 0 tries all. The agent of the rollouts, if there is one, says which is tried first.
        pub widening: f64 = 0.0 => "widening", real(0.0, 1000.0);
        /// Actions to choose from at each place of the tree, in games whose actions cannot be listed.
        pub samples: u32 = 20 => "samples", int(1, 10_000);
        /// Most tries that each tree remembers. A full tree goes on counting, but does not grow.
        pub entries: u32 = 4_000_000 => "entries", int(1, 100_000_000);
    }
}
