use meeple_core::{GameInfo, ParamType, ParamValue, choice, params};

choice! {
    /// Seats with decisions in the tree, and their goals.
    pub enum TreeKind {
        /// All seats have decisions, and each maximises its own value.
        MaxN = "maxn",
        /// All seats have decisions, and the others minimise the value of the searching seat.
        Paranoid = "paranoid",
        /// Only the searching seat has decisions; the others act as in rollouts.
        OwnOnly = "self",
        /// All seats have decisions, each in its own tree of its own decisions.
        Apart = "multi",
    }
}

choice! {
    /// Selection rule in the tree.
    pub enum Selection {
        /// The highest upper confidence bound.
        Ucb = "ucb",
        /// The highest bound, with exploration in proportion to the prior.
        Puct = "puct",
        /// Regret matching if several seats decide at once; otherwise as `ucb`.
        Regret = "rm",
    }
}

/// Value of a rollout that was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CutValue {
    /// The current scores.
    Scores,
    /// The evaluation by the game's hints.
    Hints,
    /// The evaluation by hints loaded from this file.
    File(String),
}

impl CutValue {
    /// The reserved words; other texts are file names.
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
pub enum PriorSource {
    /// The priors of the game's hints.
    Hints,
    /// A policy network in this file.
    File(String),
}

impl PriorSource {
    /// The reserved words; other texts are file names.
    pub const WORDS: &'static [&'static str] = &["hints"];
}

impl ParamType for PriorSource {
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
        /// Selection rule: `ucb` (highest upper confidence bound), `puct` (bound with exploration in
        /// proportion to the prior), `rm` (regret matching where several seats decide at once; the decision
        /// is drawn from the average strategy).
        pub select: Selection = Selection::Ucb => "select", choice(Selection::WORDS);
        /// Seats with decisions in the tree: `maxn` (all, each for itself), `paranoid` (all others against
        /// the own seat), `self` (only the own seat; others act as in rollouts), `multi` (all, each in a
        /// tree of its own).
        pub tree: TreeKind = TreeKind::MaxN => "tree", choice(TreeKind::WORDS);
        /// Number of independent trees; their visits are summed.
        pub trees: u32 = 1 => "trees", int(1, 64);
        /// Weight of the margin in the value of a result, from 0 (only the win share counts) to 1 (only the
        /// margin over the best other seat counts). Margins are scaled by those at the ends of rollouts.
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
        /// Probability that a decision in a rollout is random instead of the policy's.
        pub epsilon: f64 = 0.1 => "epsilon", real(0.0, 1.0);
        /// Probability that a random decision in a rollout is the action with the best mean result for its
        /// seat so far (MAST); 0 keeps no statistics.
        pub mast: f64 = 0.0 => "mast", real(0.0, 1.0);
        /// Number of decisions after which a rollout is cut; see `value`.
        pub depth: u32 = 10_000 => "depth", int(0, 1_000_000);
        /// Value of a rollout that was cut: the current `scores`, or the evaluation by the game's `hints` or
        /// by a network file from `meeple learn`. An evaluation waits until the position is settled.
        pub value: CutValue = CutValue::Scores => "value", choice_or_file(CutValue::WORDS);
        /// Weight of the prior: `prior` × p / (visits + 1) is added to an action's bound, where p is its
        /// prior relative to the best (at most 1). Above 0, and with `puct`, actions are first tried in
        /// the order of their priors, and those of prior 0 never.
        pub prior: f64 = 0.0 => "prior", real(0.0, 1000.0);
        /// Source of the prior, with `prior` above 0 or `puct`: the game's `hints`, or a policy network file
        /// from `meeple learn`.
        pub policy: PriorSource = PriorSource::Hints => "policy", choice_or_file(PriorSource::WORDS);
        /// Progressive widening: the number of tried actions is at most this times √visits; 0 tries all.
        /// Actions are added in the order of their priors. Without a prior the choice of the rollout policy
        /// is first, the others are in random order, and the root tries all.
        pub widening: f64 = 0.0 => "widening", real(0.0, 1000.0);
        /// Sequential Halving at the root: this number of actions (the most promising ones) share the
        /// iterations evenly, and the worse half is dropped again and again; 0 is off.
        pub halving: u32 = 0 => "halving", int(0, 4096);
        /// Common random numbers: the n-th visits of all root actions share hidden state and luck, which
        /// reduces the variance of the differences between actions.
        pub common: bool = false => "common", switch();
        /// Maximal number of chance outcomes at which the tree branches; 0 never branches. In games with
        /// simultaneous decisions `rm` takes 0 as 12, because an equilibrium depends on the outcome.
        pub outcomes: u32 = 0 => "outcomes", int(0, 1000);
        /// Transpositions: nodes of the tree are positions instead of sequences of actions. Different ways
        /// to one position share its statistics, and chance outcomes are distinguished. Only in games
        /// without hidden information.
        pub transpositions: bool = false => "transpositions", switch();
        /// Reuses the subtree for the own seat's next decision if that follows immediately; the visits of
        /// the subtree count as iterations.
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

/// Default maximum number of chance outcomes at which the tree branches with regret matching.
const MAX_BRANCHING: u32 = 12;

impl MctsParams {
    /// Maximum number of chance outcomes at which the tree branches. Regret matching matters only for
    /// simultaneous decisions. Transpositions need no branching, because positions distinguish draws.
    pub(crate) fn branching(&self, info: &GameInfo) -> u32 {
        match (self.transpositions, self.select, self.outcomes) {
            (true, ..) => 0,
            (_, Selection::Regret, 0) if info.simultaneous => MAX_BRANCHING,
            (_, _, outcomes) => outcomes,
        }
    }
}
