//! Plans: everything that training depends on, so that the same plan makes the same network.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::choosing::Choosing;
use crate::error::LearnError;
use crate::goal::Goal;
use crate::reservoir::SornPlan;

/// Which positions are learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Those that actions lead to, before chance draws and others decide: what a player looks at that chooses by them.
    #[default]
    After,
    /// Those in which a seat has yet to decide: what a search asks about.
    Before,
    /// These and those.
    Both,
}

/// What is learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learns {
    /// What positions are worth: the action that leads to the best is taken.
    #[default]
    Value,
    /// Which actions to take: how likely each is.
    Policy,
}

/// How a player is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// Seats at the table.
    pub seats: usize,
    /// Parameters of the rules, as `--set` takes them.
    pub set: BTreeMap<String, String>,
    /// What it learns to foretell, and wants.
    pub goal: Goal,
    /// What is learned: values of positions, or a policy.
    #[serde(skip_serializing_if = "is_value")]
    pub learns: Learns,
    /// The root seed of all that is drawn.
    pub seed: u64,
    /// Sizes of the hidden layers.
    pub hidden: Vec<usize>,
    /// Fields of the game's encoding that it learns from, by name; all, if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Rounds of playing and learning from it.
    pub rounds: u32,
    /// Episodes of a round.
    pub episodes: u32,
    /// Of the episodes, how many are among learners alone, from 0 to 1; in the others one learner meets `opponents`.
    pub self_play: f64,
    /// Agents that are met.
    pub opponents: Vec<String>,
    /// Rounds at the beginning in which `opponents` play alone, and are watched: what becomes of positions that they reach is
    /// sooner learned than how to reach them.
    pub watch_rounds: u32,
    /// In later rounds, the share of episodes in which they do.
    pub watch: f64,
    /// Files of games of people, which are learned from, too: as they are named, from the plan's folder on. In the last part of a
    /// name `*` stands for anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replays: Vec<String>,
    /// The share of episodes that are one of them, of all rounds.
    #[serde(skip_serializing_if = "is_nothing")]
    pub replay_share: f64,
    /// Which positions are learned from.
    pub positions: Positions,
    /// TD(λ): 1 learns from how it ended, 0 from the next position alone.
    pub lambda: f64,
    /// Shares of decisions that are made at random, at the beginning and at the end.
    pub explore: [f64; 2],
    /// Sizes of steps, at the beginning and at the end.
    pub rate: [f64; 2],
    /// Decisions from which a step is made.
    pub minibatch: usize,
    /// The share of decisions that are learned from: those of an episode are much alike.
    pub keep: f64,
    /// How often a round is learned from.
    pub passes: u32,
    /// Random actions to choose from, in games whose actions cannot be listed.
    pub samples: u32,
    /// Whether only those actions are looked at that the game's hints advise, instead of all, or of drawn ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub advice: bool,
    /// With `advice`, how much better than the most promising action another must be foretold to be, in units of the goal.
    #[serde(skip_serializing_if = "is_nothing")]
    pub doubt: f64,
    /// An agent that teaches a policy: what it would do is what the policy learns.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub teacher: String,
    /// Rounds at the beginning in which it does; in the others the policy tries, and learns from what came of it.
    #[serde(skip_serializing_if = "is_none")]
    pub teach_rounds: u32,
    /// Shares of decisions in these rounds that are made as the teacher would, at their beginning and at their end; others are
    /// the policy's, so that it is taught where it comes to by itself (DAgger; Ross, Gordon and Bagnell 2011).
    #[serde(skip_serializing_if = "is_usual_guidance")]
    pub guided: [f64; 2],
    /// How much it is worth to a policy that tries to stay undecided, in spreads of what comes of its decisions.
    #[serde(skip_serializing_if = "is_usual_entropy")]
    pub entropy: f64,
    /// How a policy plays when it has learned: 0 takes what is likeliest, 1 draws by how likely actions are.
    #[serde(skip_serializing_if = "is_nothing")]
    pub temperature: f64,
    /// Agents against which it is examined: one line-up of all other seats each.
    pub gauntlet: Vec<String>,
    /// Rounds between examinations.
    pub examine_every: u32,
    /// Episodes of an examination, against each of `gauntlet`.
    pub examine_episodes: u64,
    /// A self-organising recurrent network instead of a feed-forward one, whose readout learns from rewards: `lambda` is what is
    /// left of a trace after a decision, `rate` the size of its steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sorn: Option<SornPlan>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seats: 2,
            set: BTreeMap::new(),
            goal: Goal::Win,
            learns: Learns::Value,
            seed: 1,
            hidden: vec![64, 32],
            fields: Vec::new(),
            rounds: 100,
            episodes: 400,
            self_play: 1.0,
            opponents: Vec::new(),
            watch_rounds: 0,
            watch: 0.0,
            replays: Vec::new(),
            replay_share: 0.0,
            positions: Positions::After,
            lambda: 0.7,
            explore: [0.1, 0.02],
            rate: [1e-3, 1e-4],
            minibatch: 64,
            keep: 1.0,
            passes: 1,
            samples: 60,
            advice: false,
            doubt: 0.0,
            teacher: String::new(),
            teach_rounds: 0,
            guided: USUAL_GUIDANCE,
            entropy: USUAL_ENTROPY,
            temperature: 0.0,
            gauntlet: Vec::new(),
            examine_every: 10,
            examine_episodes: 1_000,
            sorn: None,
        }
    }
}

impl Plan {
    /// Reads a plan in TOML.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, LearnError> {
        let plan: Self = toml::from_str(text).map_err(|error| LearnError::Plan(error.to_string()))?;
        plan.check()?;
        Ok(plan)
    }

    /// Whether it can be followed.
    fn check(&self) -> Result<(), LearnError> {
        let within = |name: &str, number: f64, low: f64, high: f64| {
            let inside = (low..=high).contains(&number);
            let wrong = || LearnError::Plan(format!("{name}: expected {low} to {high}, found {number}"));
            if inside { Ok(()) } else { Err(wrong()) }
        };
        within("seats", self.seats as f64, 1.0, 1_000.0)?;
        within("rounds", self.rounds.into(), 1.0, 1e9)?;
        within("episodes", self.episodes.into(), 1.0, 1e6)?;
        within("self_play", self.self_play, 0.0, 1.0)?;
        within("keep", self.keep, 0.0, 1.0)?;
        within("watch", self.watch, 0.0, 1.0)?;
        within("replay_share", self.replay_share, 0.0, 1.0)?;
        within("doubt", self.doubt, 0.0, 1e6)?;
        if self.doubt > 0.0 && !self.advice {
            return Err(LearnError::Plan(format!(
                "doubt: expected 0 without advice, found {}\n\
                 hint: advice = true makes it look only at what the game's hints advise",
                self.doubt
            )));
        }
        within("lambda", self.lambda, 0.0, 1.0)?;
        within("passes", self.passes.into(), 1.0, 1_000.0)?;
        within("minibatch", self.minibatch as f64, 1.0, 1e6)?;
        within("samples", self.samples.into(), 1.0, 1e4)?;
        within("examine_every", self.examine_every.into(), 1.0, 1e9)?;
        within("examine_episodes", self.examine_episodes as f64, 1.0, 1e9)?;
        self.explore.iter().try_for_each(|share| within("explore", *share, 0.0, 1.0))?;
        self.rate.iter().try_for_each(|rate| within("rate", *rate, 0.0, 1.0))?;
        within("hidden", self.hidden.len() as f64, 0.0, 8.0)?;
        self.hidden.iter().try_for_each(|size| within("hidden", *size as f64, 1.0, 4_096.0))?;
        if let Some(sorn) = &self.sorn {
            let SornPlan { units, winners, reads, links, echo, stdp, intrinsic, temperature } = sorn;
            within("sorn.units", *units as f64, 2.0, 1_000.0)?;
            within("sorn.winners", *winners as f64, 1.0, *units as f64)?;
            within("sorn.reads", *reads as f64, 1.0, 1_000.0)?;
            within("sorn.links", *links as f64, 0.0, 1_000.0)?;
            within("sorn.echo", *echo, 0.0, 100.0)?;
            within("sorn.stdp", *stdp, 0.0, 1.0)?;
            within("sorn.intrinsic", *intrinsic, 0.0, 1.0)?;
            within("sorn.temperature", *temperature, 1e-3, 1e3)?;
            let unused = [
                ("hidden", !self.hidden.is_empty()),
                ("watch", self.watch > 0.0),
                ("watch_rounds", self.watch_rounds > 0),
                ("replays", !self.replays.is_empty()),
                ("fields", !self.fields.is_empty()),
                ("advice", self.advice),
                ("positions", self.positions != Positions::After),
            ];
            if let Some((key, _)) = unused.iter().find(|(_, used)| *used) {
                return Err(LearnError::Plan(format!(
                    "{key}: expected none beside [sorn], found some\n\
                     hint: units stand in for hidden layers (hidden = []), and learn from their own rewards alone"
                )));
            }
        }
        self.check_policy()?;
        if self.replays.is_empty() != (self.replay_share == 0.0) {
            return Err(LearnError::Plan(format!(
                "replays and replay_share: expected both or neither, found {} files and a share of {}\n\
                 hint: replays = [\"people/*.json\"] with replay_share = 0.2 makes every fifth episode one of them",
                self.replays.len(),
                self.replay_share
            )));
        }
        let watches = self.watch > 0.0 || self.watch_rounds > 0;
        if self.opponents.is_empty() && (watches || self.self_play < 1.0) {
            return Err(LearnError::Plan(
                "opponents: expected agents that are met or watched, found none\n\
                 hint: opponents = [\"random\"], or self_play = 1 and nobody to watch"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether what it says of policies can be followed.
    fn check_policy(&self) -> Result<(), LearnError> {
        let numbers = [("entropy", self.entropy, 10.0), ("temperature", self.temperature, 1e3)];
        let shares = self.guided.map(|share| ("guided", share, 1.0));
        for (name, number, high) in numbers.into_iter().chain(shares) {
            if !(0.0..=high).contains(&number) {
                return Err(LearnError::Plan(format!("{name}: expected 0 to {high}, found {number}")));
            }
        }
        let (of_policies, hint) = match self.learns {
            Learns::Value => (
                [
                    ("teacher", !self.teacher.is_empty()),
                    ("teach_rounds", self.teach_rounds > 0),
                    ("guided", self.guided != USUAL_GUIDANCE),
                    ("entropy", self.entropy != USUAL_ENTROPY),
                    ("temperature", self.temperature > 0.0),
                ],
                "learns = \"policy\" learns which actions to take",
            ),
            Learns::Policy => (
                [
                    ("sorn", self.sorn.is_some()),
                    ("positions", self.positions != Positions::After),
                    ("watch or watch_rounds", self.watch > 0.0 || self.watch_rounds > 0),
                    ("replays", !self.replays.is_empty()),
                    ("doubt", self.doubt > 0.0),
                ],
                "a policy learns from its teacher and from its own tries alone",
            ),
        };
        if let Some((key, _)) = of_policies.iter().find(|(_, used)| *used) {
            let learns = if self.learns == Learns::Value { "value" } else { "policy" };
            return Err(LearnError::Plan(format!(
                "{key}: expected none where learns = \"{learns}\", found some\nhint: {hint}"
            )));
        }
        if self.teacher.is_empty() != (self.teach_rounds == 0) || self.teach_rounds > self.rounds {
            return Err(LearnError::Plan(format!(
                "teacher and teach_rounds: expected both or neither, and no more rounds of it than {}, found '{}' and {} rounds\n\
                 hint: teacher = \"greedy\" with teach_rounds = {} is taught in all rounds",
                self.rounds, self.teacher, self.teach_rounds, self.rounds
            )));
        }
        Ok(())
    }

    /// How it chooses among actions.
    pub(crate) fn choosing(&self) -> Choosing {
        let doubt = self.advice.then_some(self.doubt as f32);
        Choosing { goal: self.goal, samples: self.samples, doubt, temperature: self.temperature as f32 }
    }

    /// How far training is after so many rounds, from 0 to 1.
    fn progress(&self, round: u32) -> f64 {
        f64::from(round) / f64::from(self.rounds.max(2) - 1)
    }

    /// The share of episodes of a round in which opponents are watched.
    pub(crate) fn watch_at(&self, round: u32) -> f64 {
        if round < self.watch_rounds { 1.0 } else { self.watch }
    }

    /// The share of decisions in a round that are made as the teacher would; none if it does not teach then.
    pub(crate) fn guided_at(&self, round: u32) -> Option<f64> {
        let [first, last] = self.guided;
        let progress = f64::from(round) / f64::from(self.teach_rounds.max(2) - 1);
        (round < self.teach_rounds).then_some(first + (last - first) * progress)
    }

    /// The share of random decisions in a round.
    pub(crate) fn explore_at(&self, round: u32) -> f64 {
        let [first, last] = self.explore;
        first + (last - first) * self.progress(round)
    }

    /// The size of steps in a round.
    pub(crate) fn rate_at(&self, round: u32) -> f32 {
        let [first, last] = self.rate.map(|rate| rate as f32);
        first + (last - first) * self.progress(round) as f32
    }
}

const USUAL_GUIDANCE: [f64; 2] = [1.0, 0.0];
const USUAL_ENTROPY: f64 = 0.01;

// Whether a key is left out of a plan that is kept, as it was before there was such a key.

fn is_nothing(share: &f64) -> bool {
    *share == 0.0
}

fn is_none(rounds: &u32) -> bool {
    *rounds == 0
}

fn is_value(learns: &Learns) -> bool {
    *learns == Learns::Value
}

fn is_usual_guidance(shares: &[f64; 2]) -> bool {
    *shares == USUAL_GUIDANCE
}

fn is_usual_entropy(entropy: &f64) -> bool {
    *entropy == USUAL_ENTROPY
}
