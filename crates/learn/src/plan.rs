//! Training plans: everything that a training depends on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::LearnError;
use crate::goal::Goal;
use crate::play_settings::PlaySettings;
use crate::reservoir::SornPlan;

/// Positions that a value network is trained on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingPositions {
    /// Afterstates: positions after an action, before chance draws and others decide. Players evaluate these.
    #[default]
    After,
    /// Positions in which a seat has yet to decide. Searches evaluate these.
    Before,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// A value network; the action of the best afterstate is played.
    #[default]
    Value,
    /// A policy network with a critic.
    Policy,
}

/// Settings of a training, in TOML.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingPlan {
    pub seats: usize,
    /// Parameters of the game, as for `--set`.
    pub set: BTreeMap<String, String>,
    pub goal: Goal,
    #[serde(skip_serializing_if = "is_value")]
    pub learns: ModelKind,
    pub seed: u64,
    pub hidden: Vec<usize>,
    /// Fields of the encoding; all if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    pub rounds: u32,
    pub episodes: u32,
    /// Share of episodes in which the model has all seats; in the others it has one seat, against
    /// `opponents`.
    pub self_play: f64,
    pub opponents: Vec<String>,
    /// Number of first rounds in which only `opponents` play. They reach good positions, whose values are
    /// learned sooner than the way there.
    pub watch_rounds: u32,
    /// Share of episodes in later rounds in which only `opponents` play.
    pub watch: f64,
    /// Replays of human games, relative to the plan's folder. `*` in a file name matches anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replays: Vec<String>,
    /// Share of episodes that are one of these replays.
    #[serde(skip_serializing_if = "is_zero")]
    pub replay_share: f64,
    pub positions: TrainingPositions,
    /// λ of TD(λ): 1 uses the outcome alone, 0 the next prediction alone.
    pub lambda: f64,
    /// Share of uniformly random decisions, in the first and the last round.
    pub explore: [f64; 2],
    /// Learning rate, in the first and the last round.
    pub rate: [f64; 2],
    pub minibatch: usize,
    /// Share of positions to train on: those of an episode are highly correlated.
    pub keep: f64,
    pub passes: u32,
    /// Number of random candidates where actions cannot be listed.
    pub samples: u32,
    /// Evaluates only actions that the game's hints advise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub advice: bool,
    /// With `advice`, the gain that another action needs over the most promising one, in units of the goal.
    #[serde(skip_serializing_if = "is_zero")]
    pub doubt: f64,
    /// The expert that a policy imitates.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub teacher: String,
    /// Number of first rounds in which the policy imitates the expert; later it learns from its own actions
    /// (PPO).
    #[serde(skip_serializing_if = "is_zero_rounds")]
    pub teach_rounds: u32,
    /// Share of decisions that the expert plays, in the first and the last of these rounds. The policy plays
    /// the others, to learn in the positions that it reaches (DAgger; Ross, Gordon and Bagnell 2011).
    #[serde(skip_serializing_if = "is_default_guided")]
    pub guided: [f64; 2],
    /// Weight of the entropy bonus, in units of the advantages' root mean square.
    #[serde(skip_serializing_if = "is_default_entropy")]
    pub entropy: f64,
    /// Softmax temperature of the trained policy; 0 plays the likeliest action.
    #[serde(skip_serializing_if = "is_zero")]
    pub temperature: f64,
    /// Agents of the evaluation; each has all other seats in turn.
    pub gauntlet: Vec<String>,
    pub examine_every: u32,
    /// Episodes of an evaluation against each agent.
    pub examine_episodes: u64,
    /// Self-organising network in place of the feed-forward network. `lambda` becomes the decay of the
    /// eligibility trace, `rate` the learning rate of the readout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sorn: Option<SornPlan>,
}

impl Default for TrainingPlan {
    fn default() -> Self {
        Self {
            seats: 2,
            set: BTreeMap::new(),
            goal: Goal::Win,
            learns: ModelKind::Value,
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
            positions: TrainingPositions::After,
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
            guided: DEFAULT_GUIDED,
            entropy: DEFAULT_ENTROPY,
            temperature: 0.0,
            gauntlet: Vec::new(),
            examine_every: 10,
            examine_episodes: 1_000,
            sorn: None,
        }
    }
}

impl TrainingPlan {
    /// # Errors
    /// The first mistake, with its place.
    pub fn parse(text: &str) -> Result<Self, LearnError> {
        let plan: Self = toml::from_str(text).map_err(|error| LearnError::Plan(error.to_string()))?;
        plan.check()?;
        Ok(plan)
    }

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
                 hint: advice = true evaluates only actions that the game's hints advise",
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
                ("positions", self.positions != TrainingPositions::After),
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

    fn check_policy(&self) -> Result<(), LearnError> {
        let numbers = [("entropy", self.entropy, 10.0), ("temperature", self.temperature, 1e3)];
        let shares = self.guided.map(|share| ("guided", share, 1.0));
        for (name, number, high) in numbers.into_iter().chain(shares) {
            if !(0.0..=high).contains(&number) {
                return Err(LearnError::Plan(format!("{name}: expected 0 to {high}, found {number}")));
            }
        }
        let (of_policies, hint) = match self.learns {
            ModelKind::Value => (
                [
                    ("teacher", !self.teacher.is_empty()),
                    ("teach_rounds", self.teach_rounds > 0),
                    ("guided", self.guided != DEFAULT_GUIDED),
                    ("entropy", self.entropy != DEFAULT_ENTROPY),
                    ("temperature", self.temperature > 0.0),
                ],
                "learns = \"policy\" trains a policy",
            ),
            ModelKind::Policy => (
                [
                    ("sorn", self.sorn.is_some()),
                    ("positions", self.positions != TrainingPositions::After),
                    ("watch or watch_rounds", self.watch > 0.0 || self.watch_rounds > 0),
                    ("replays", !self.replays.is_empty()),
                    ("doubt", self.doubt > 0.0),
                ],
                "a policy learns from its teacher and its own actions alone",
            ),
        };
        if let Some((key, _)) = of_policies.iter().find(|(_, used)| *used) {
            let learns = if self.learns == ModelKind::Value { "value" } else { "policy" };
            return Err(LearnError::Plan(format!(
                "{key}: expected none where learns = \"{learns}\", found some\nhint: {hint}"
            )));
        }
        if self.teacher.is_empty() != (self.teach_rounds == 0) || self.teach_rounds > self.rounds {
            return Err(LearnError::Plan(format!(
                "teacher and teach_rounds: expected both or neither, and no more rounds of it than {}, found '{}' and {} rounds\n\
                 hint: teacher = \"greedy\" with teach_rounds = {} imitates it in all rounds",
                self.rounds, self.teacher, self.teach_rounds, self.rounds
            )));
        }
        Ok(())
    }

    pub(crate) fn play_settings(&self) -> PlaySettings {
        let doubt = self.advice.then_some(self.doubt as f32);
        PlaySettings { goal: self.goal, samples: self.samples, doubt, temperature: self.temperature as f32 }
    }

    /// Progress of the training, in `0..=1`.
    fn progress(&self, round: u32) -> f64 {
        f64::from(round) / f64::from(self.rounds.max(2) - 1)
    }

    pub(crate) fn watch_at(&self, round: u32) -> f64 {
        if round < self.watch_rounds { 1.0 } else { self.watch }
    }

    /// Share of decisions that the expert plays; `None` after the last round of imitation.
    pub(crate) fn guided_at(&self, round: u32) -> Option<f64> {
        let [first, last] = self.guided;
        let progress = f64::from(round) / f64::from(self.teach_rounds.max(2) - 1);
        (round < self.teach_rounds).then_some(first + (last - first) * progress)
    }

    pub(crate) fn explore_at(&self, round: u32) -> f64 {
        let [first, last] = self.explore;
        first + (last - first) * self.progress(round)
    }

    pub(crate) fn rate_at(&self, round: u32) -> f32 {
        let [first, last] = self.rate.map(|rate| rate as f32);
        first + (last - first) * self.progress(round) as f32
    }
}

const DEFAULT_GUIDED: [f64; 2] = [1.0, 0.0];
const DEFAULT_ENTROPY: f64 = 0.01;

// Keys at their defaults are not stored, so that older plans keep their bytes when a key is added.

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

fn is_zero_rounds(rounds: &u32) -> bool {
    *rounds == 0
}

fn is_value(learns: &ModelKind) -> bool {
    *learns == ModelKind::Value
}

fn is_default_guided(shares: &[f64; 2]) -> bool {
    *shares == DEFAULT_GUIDED
}

fn is_default_entropy(entropy: &f64) -> bool {
    *entropy == DEFAULT_ENTROPY
}
