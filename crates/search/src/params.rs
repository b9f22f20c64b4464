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
        /// How much the search explores: the constant c of UCB, for values from 0 to 1.
        pub exploration: f64 = 0.4 => "c", real(0.0, 10.0);
        /// Which action is looked at next: `ucb` (the highest upper bound of confidence), `puct` (bounds in
        /// proportion to the prior), `rm` (regret matching where several decide at once; the decision is
        /// drawn from the average strategy).
        pub select: Selection = Selection::Ucb => "select", choice(Selection::WORDS);
        /// Who has decisions in the tree: `maxn` (all, each for itself), `paranoid` (all others against the
        /// own seat), `self` (only the own seat; others act as in rollouts), `multi` (all, in trees of their
        /// own).
        pub tree: TreeKind = TreeKind::MaxN => "tree", choice(TreeKind::WORDS);
        /// Independent trees whose visits are added up.
        pub trees: u32 = 1 => "trees", int(1, 64);
        /// How much the margin counts beside the share of the win, from 0 (only winning) to 1 (only the
        /// margin over the best other, on the scale of the margins that rollouts end with).
        pub margin: f64 = 0.5 => "margin", real(0.0, 1.0);
        /// Whether margins are bent, so that a very large one counts little more than a large one; `off`
        /// counts them straight up to eight times their scale.
        pub bend: bool = true => "bend", switch();
        /// Counts means in standard deviations of all ends so far, instead of as they are: `c` is then the
        /// same whether much is at stake or little.
        pub rescale: bool = false => "rescale", switch();
        /// Who decides in rollouts: `any` (any legal action, at random), `hints` (as the game advises), or an
        /// agent of the game's own, as in a line-up.
        pub rollout: String = "any".to_owned() => "rollout", text();
        /// Chance that a seat decides at random in a rollout all the same.
        pub epsilon: f64 = 0.1 => "epsilon", real(0.0, 1.0);
        /// Chance that a random decision of a rollout is what has done best for its seat so far (MAST); 0
        /// remembers nothing.
        pub mast: f64 = 0.0 => "mast", real(0.0, 1.0);
        /// Most decisions of a rollout.
        pub depth: u32 = 10_000 => "depth", int(0, 1_000_000);
        /// What a rollout is worth that was cut short: the `scores` as they stand, or what the game's `hints`
        /// think, once the position is settled, or what a network thinks then, a file that `meeple learn` has
        /// written.
        pub value: CutValue = CutValue::Scores => "value", choice_or_file(CutValue::WORDS);
        /// How much the game's hints count beside what was found: an action's bound is higher by this, times
        /// how promising it is against the best (at most 1), over its visits. Above 0, and with `puct`, the
        /// most promising are tried first, and those without any promise never.
        pub prior: f64 = 0.0 => "prior", real(0.0, 1000.0);
        /// What says how promising actions are: the game's `hints`, or a policy, a file that `meeple learn`
        /// has written; with `prior` above 0, or `puct`.
        pub policy: Promise = Promise::Hints => "policy", choice_or_file(Promise::WORDS);
        /// An untried action is tried only while fewer than this times the square root of the visits were; 0
        /// tries all. The most promising go first, or what the rollouts' agent says. Without a prior all are
        /// tried at the root.
        pub widening: f64 = 0.0 => "widening", real(0.0, 1000.0);
        /// At the root, so many actions (the most promising ones) share the iterations evenly, and again and
        /// again the worse half is left out (Sequential Halving); 0 does without.
        pub halving: u32 = 0 => "halving", int(0, 4096);
        /// The n-th look at an action of the root sees the same state and luck as the n-th look at any other:
        /// less of what tells them apart is luck.
        pub common: bool = false => "common", switch();
        /// The tree branches where chance draws one of so many outcomes or fewer; 0 never does, but with `rm`
        /// where there are 12 or fewer: a mixture that is the same whatever was drawn is no equilibrium.
        pub outcomes: u32 = 0 => "outcomes", int(0, 1000);
        /// Places of the tree are positions instead of what was done: ways to the same position share what is
        /// found there (transpositions), and whatever chance draws is told apart. Only where everybody knows
        /// the same.
        pub transpositions: bool = false => "transpositions", switch();
        /// Keeps what was found out about a decision of the own seat that follows at once; its visits count
        /// as iterations of that decision.
        pub reuse: bool = false => "reuse", switch();
        /// Where everybody knows everything and chance does not draw, what is certain counts as such: a win
        /// that was found is taken, a loss that was found avoided (MCTS-Solver). Not with `margin=1`, which
        /// knows no wins.
        pub solver: bool = true => "solver", switch();
        /// Actions to choose from at each place of the tree, in games whose actions cannot be listed.
        pub samples: u32 = 20 => "samples", int(1, 10_000);
        /// Most tries that each tree remembers. A full tree goes on counting, but does not grow.
        pub entries: u32 = 4_000_000 => "entries", int(1, 100_000_000);
    }
}

/// Chance outcomes up to which the tree of regret matching branches by default.
const TOLD_APART: u32 = 12;

impl MctsParams {
    /// Number of chance outcomes up to which the tree branches. Regret matching matters only for simultaneous
    /// decisions; positions distinguish draws anyway.
    pub(crate) fn branching(&self, info: &GameInfo) -> u32 {
        match (self.transpositions, self.select, self.outcomes) {
            (true, ..) => 0,
            (_, Selection::Regret, 0) if info.simultaneous => TOLD_APART,
            (_, _, outcomes) => outcomes,
        }
    }
}
