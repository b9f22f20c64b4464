use meeple_core::{GameInfo, ParamType, ParamValue, choice, params};

choice! {
    /// Seats with decisions in the tree, and their goals there.
    pub enum TreeKind {
        /// Everybody has, and wants the best for itself.
        MaxN = "maxn",
        /// Everybody has, and all others want the worst for the seat that searches.
        Paranoid = "paranoid",
        /// Only the seat that searches has; the others act as in rollouts.
        OwnOnly = "self",
        /// Everybody has, in a tree of its own that knows only its own decisions.
        Apart = "multi",
    }
}

choice! {
    /// Selection rule in the tree.
    pub enum Selection {
        /// The highest upper bound of confidence.
        Ucb = "ucb",
        /// The same, with bounds in proportion to how promising the game's hints find an action.
        Puct = "puct",
        /// Regret matching where several seats decide at once; elsewhere as `ucb`.
        Regret = "rm",
    }
}

/// Value of a rollout that was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CutValue {
    /// The scores as they stand.
    Scores,
    /// The value by the game's hints.
    Hints,
    /// The value by hints loaded from this file.
    File(String),
}

impl CutValue {
    /// The reserved words, which are no file names.
    pub const WORDS: &'static [&'static str] = &["scores", "hints"];
}

impl ParamType for CutValue {
    fn from_text(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "scores" => Some(Self::Scores),
            "hints" => Some(Self::Hints),
            file => Some(Self::File(file.to_owned())),
        }
    }

    fn to_value(&self) -> ParamValue {
        ParamValue::Text(match self {
            Self::Scores => "scores".to_owned(),
            Self::Hints => "hints".to_owned(),
            Self::File(file) => file.clone(),
        })
    }
}

/// Source of priors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Promise {
    /// The game's hints.
    Hints,
    /// A policy in a file.
    File(String),
}

impl Promise {
    /// The reserved words, which are no file names.
    pub const WORDS: &'static [&'static str] = &["hints"];
}

impl ParamType for Promise {
    fn from_text(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "hints" => Some(Self::Hints),
            file => Some(Self::File(file.to_owned())),
        }
    }

    fn to_value(&self) -> ParamValue {
        ParamValue::Text(match self {
            Self::Hints => "hints".to_owned(),
            Self::File(file) => file.clone(),
        })
    }
}

params! {
    /// Settings of [`Mcts`](crate::Mcts).
    pub struct MctsParams {
        /// Iterations per decision, shared evenly among the trees.
        pub iterations: u32 = 400 => "iterations", int(1, 100_000_000);
        /// Exploration constant c of UCB, for values in 0..=1.
        pub exploration: f64 = 0.4 => "c", real(0.0, 10.0);
        /// Selection rule: `ucb` (highest upper confidence bound), `puct` (bounds in proportion to the
        /// prior), `rm` (regret matching where several seats decide at once; the decision is drawn from the
        /// average strategy).
        pub select: Selection = Selection::Ucb => "select", choice(Selection::WORDS);
        /// Seats with decisions in the tree: `maxn` (all, each for itself), `paranoid` (all others against
        /// the own seat), `self` (only the own seat; others act as in rollouts), `multi` (all, each in a
        /// tree of its own).
        pub tree: TreeKind = TreeKind::MaxN => "tree", choice(TreeKind::WORDS);
        /// Number of independent trees; their visits are summed.
        pub trees: u32 = 1 => "trees", int(1, 64);
        /// Weight of the margin against the share of the win, from 0 (only winning) to 1 (only the margin
        /// over the best other seat, on the scale of the margins at the ends of rollouts).
        pub margin: f64 = 0.5 => "margin", real(0.0, 1.0);
        /// Bends margins, so that a very large one counts little more than a large one; `off` counts them
        /// linearly up to eight times their scale.
        pub bend: bool = true => "bend", switch();
        /// Measures mean values in standard deviations of all results so far, so that `c` means the same at
        /// high and low stakes.
        pub rescale: bool = false => "rescale", switch();
        /// Policy of rollouts: `any` (random legal actions), `hints` (the game's advice), or an agent of
        /// the game itself, as in a line-up.
        pub rollout: String = "any".to_owned() => "rollout", text();
        /// Probability of a random decision in a rollout, in place of that policy's.
        pub epsilon: f64 = 0.1 => "epsilon", real(0.0, 1.0);
        /// Probability that a random decision in a rollout is the action with the best mean result for its
        /// seat so far (MAST); 0 keeps no statistics.
        pub mast: f64 = 0.0 => "mast", real(0.0, 1.0);
        /// Maximal number of decisions in a rollout.
        pub depth: u32 = 10_000 => "depth", int(0, 1_000_000);
        /// Value of a rollout that was cut off: its `scores` so far; or, once the position is settled, the
        /// evaluation by the game's `hints` or by a network, a file that `meeple learn` has written.
        pub value: CutValue = CutValue::Scores => "value", choice_or_file(CutValue::WORDS);
        /// Weight of the prior: an action's bound is raised by this, times its prior relative to the best
        /// (at most 1), divided by its visits. Above 0, and with `puct`, the most promising actions are
        /// tried first, and those of prior 0 never.
        pub prior: f64 = 0.0 => "prior", real(0.0, 1000.0);
        /// Source of the prior, with `prior` above 0 or `puct`: the game's `hints`, or a policy network, a
        /// file that `meeple learn` has written.
        pub policy: Promise = Promise::Hints => "policy", choice_or_file(Promise::WORDS);
        /// Progressive widening: at most this times the square root of the visits actions are tried; 0
        /// tries all. The most promising go first, or the choice of the rollouts' agent. Without a prior
        /// all are tried at the root.
        pub widening: f64 = 0.0 => "widening", real(0.0, 1000.0);
        /// Sequential Halving at the root: this number of actions (the most promising ones) share the
        /// iterations evenly, and the worse half is dropped again and again; 0 is off.
        pub halving: u32 = 0 => "halving", int(0, 4096);
        /// Common random numbers: the n-th visits of all root actions have the same state and luck, so that
        /// less of the difference between actions is luck.
        pub common: bool = false => "common", switch();
        /// Maximal number of chance outcomes at which the tree branches. With 0 it never does, except with
        /// `rm` at 12 outcomes or fewer: a strategy that is the same for all outcomes is no equilibrium.
        pub outcomes: u32 = 0 => "outcomes", int(0, 1000);
        /// Transpositions: nodes of the tree are positions instead of sequences of actions. Different ways
        /// to one position share its statistics, and chance outcomes are distinguished. Only in games
        /// without hidden information.
        pub transpositions: bool = false => "transpositions", switch();
        /// Reuses the subtree for the own seat's next decision if it follows at once; its visits count as
        /// iterations of that decision.
        pub reuse: bool = false => "reuse", switch();
        /// MCTS-Solver: takes proven wins and avoids proven losses, in games without hidden information and
        /// chance. Not with `margin=1`, which ignores wins.
        pub solver: bool = true => "solver", switch();
        /// Random actions to choose from at each node of the tree, in games whose actions cannot be listed.
        pub samples: u32 = 20 => "samples", int(1, 10_000);
        /// Maximal number of entries (tried actions) in each tree. A full tree still updates its
        /// statistics, but does not grow.
        pub entries: u32 = 4_000_000 => "entries", int(1, 100_000_000);
    }
}

/// Chance outcomes up to which the tree of regret matching branches by default.
const MAX_BRANCHING: u32 = 12;

impl MctsParams {
    /// Number of chance outcomes up to which the tree branches. Regret matching matters only for simultaneous
    /// decisions; positions distinguish draws anyway.
    pub(crate) fn branching(&self, info: &GameInfo) -> u32 {
        match (self.transpositions, self.select, self.outcomes) {
            (true, ..) => 0,
            (_, Selection::Regret, 0) if info.simultaneous => MAX_BRANCHING,
            (_, _, outcomes) => outcomes,
        }
    }
}
