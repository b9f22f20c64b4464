//! The training loop: rounds of self-play and gradient steps.

use std::sync::Arc;

use meeple_core::{EpisodeSeed, Seat, Stream};
use meeple_lab::{StopFlag, pool};

use crate::adam::Adam;
use crate::batch::{PolicyBatch, TrainingBatch};
use crate::checkpoint::{Checkpoint, CheckpointInfo, TrainingState};
use crate::error::LearnError;
use crate::model::LearnedModel;
use crate::network::{Network, Scratch};
use crate::plan::{ModelKind, TrainingPlan};
use crate::policy::{PolicyExample, PolicyScratch, accumulate_policy_gradient};
use crate::replays::HumanGames;
use crate::reservoir::Reservoir;
use crate::self_play::Environment;
use crate::sorn::SornUpdate;

/// Number of episodes of a task, which all have the same players.
const CHUNK: u64 = 8;
const DIVERGED: &str = "the steps were too large: a smaller rate";

pub struct Training<'a> {
    environment: &'a dyn Environment,
    plan: TrainingPlan,
    round: u32,
    network: Network,
    reservoir: Option<Reservoir>,
    masked: Vec<usize>,
    adam: Adam,
    critic: Option<Critic>,
    /// The model of the next round. It is one round old: self-play runs beside the gradient steps.
    player: Arc<LearnedModel>,
    /// True once the first round has set offset and scale of the output.
    is_scaled: bool,
    /// Episodes so far that were replays of human games.
    human_episodes: u64,
}

struct Critic {
    network: Network,
    adam: Adam,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingRound {
    /// The round, counted from 1.
    pub round: u32,
    /// Number of training targets: positions, decisions or rewards.
    pub decisions: usize,
    /// Training error. Of a value network: mean squared error, in units of the target variance of round 1. Of
    /// a SORN: mean squared reward, in units of its running mean. Of a policy: mean of 1 − p(target).
    pub error: f64,
}

impl<'a> Training<'a> {
    /// # Errors
    /// If an opponent or the expert cannot play.
    pub fn new(environment: &'a dyn Environment, plan: TrainingPlan) -> Result<Self, LearnError> {
        environment.check(&plan)?;
        let mut rng = stream(&plan, u64::MAX);
        let inputs = environment.required_info().sizes[0];
        let reservoir = plan.sorn.as_ref().map(|sorn| Reservoir::new(inputs, sorn, &mut rng));
        let inputs = reservoir.as_ref().map_or(inputs, Reservoir::units);
        let masked = masked_features(environment, &plan)?;
        let mut network = Network::new(inputs, &plan.hidden, &mut rng);
        network.zero_inputs(&masked);
        let adam = Adam::new(network.weights());
        let critic = (plan.learns == ModelKind::Policy).then(|| {
            let mut network = Network::new(inputs, &plan.hidden, &mut rng);
            network.zero_inputs(&masked);
            let adam = Adam::new(network.weights());
            Critic { network, adam }
        });
        let player = LearnedModel {
            network: network.clone(),
            reservoir: reservoir.clone(),
            critic: critic.as_ref().map(|critic| critic.network.clone()),
        };
        Ok(Self {
            environment,
            plan,
            round: 0,
            network,
            reservoir,
            masked,
            adam,
            critic,
            player: Arc::new(player),
            is_scaled: false,
            human_episodes: 0,
        })
    }

    /// Resumes from a [`checkpoint`](Self::checkpoint).
    ///
    /// # Errors
    /// If it is of another plan or other replays, or has no training state.
    pub fn resume(
        environment: &'a dyn Environment,
        plan: TrainingPlan,
        from: Checkpoint,
    ) -> Result<Self, LearnError> {
        environment.check(&plan)?;
        let what = "the training to resume";
        from.check(what, &environment.required_info())?;
        let wrong = |expected: &str, found: &str| LearnError::Network {
            what: what.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            hint: "another plan wants another folder",
        };
        if from.about.plan != as_json(&plan) {
            return Err(wrong("the same plan", "another"));
        }
        let games = |people: Option<HumanGames>| people.map(|people| (people.games, people.sha256));
        let human_episodes = from.about.people.as_ref().map_or(0, |people| people.episodes);
        if games(from.about.people) != games(environment.required_info().people) {
            return Err(wrong("the same games of people", "others, or changed ones"));
        }
        let pending = from.pending.ok_or_else(|| wrong("a training that can go on", "a network alone"))?;
        let TrainingState { adam, critic, player } = pending;
        let critic = from.critic.zip(critic).map(|(network, adam)| Critic { network, adam });
        if critic.is_some() != (plan.learns == ModelKind::Policy) {
            return Err(wrong("what the plan learns", "something else"));
        }
        let round = from.about.round;
        let masked = masked_features(environment, &plan)?;
        Ok(Self {
            environment,
            masked,
            plan,
            round,
            network: from.network,
            reservoir: from.reservoir,
            adam,
            critic,
            player: Arc::new(player),
            is_scaled: round > 0,
            human_episodes,
        })
    }

    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    pub fn round(&self) -> u32 {
        self.round
    }

    /// The current model, with the state to resume the training.
    pub fn checkpoint(&self) -> Checkpoint {
        let about = self.environment.required_info();
        let people = about.people.map(|people| HumanGames { episodes: self.human_episodes, ..people });
        let about = CheckpointInfo {
            people,
            goal: self.plan.goal,
            sizes: self.model().sizes(),
            round: self.round,
            episodes: u64::from(self.round) * u64::from(self.plan.episodes),
            plan: as_json(&self.plan),
            ..about
        };
        let critic = self.critic.as_ref().map(|critic| critic.adam.clone());
        let pending = TrainingState { adam: self.adam.clone(), critic, player: (*self.player).clone() };
        let LearnedModel { network, reservoir, critic } = self.model();
        Checkpoint { about, network, reservoir, critic, pending: Some(pending) }
    }

    fn model(&self) -> LearnedModel {
        let critic = self.critic.as_ref().map(|critic| critic.network.clone());
        LearnedModel { network: self.network.clone(), reservoir: self.reservoir.clone(), critic }
    }

    /// Runs until all rounds are finished, `stop` is raised, or `each` returns false. Results do not depend
    /// on `threads`.
    ///
    /// # Errors
    /// A panic of a game or agent, numbers that are not finite, or an error of `each`.
    pub fn run(
        &mut self,
        threads: usize,
        stop: &StopFlag,
        mut each: impl FnMut(&Self, TrainingRound) -> Result<bool, LearnError>,
    ) -> Result<(), LearnError> {
        let (environment, plan) = (self.environment, self.plan.clone());
        let work = |_: &mut pool::PoolWorker<'_, (), ()>, task: EpisodeChunk| {
            let first = u64::from(task.round) * u64::from(plan.episodes);
            let begin = first + task.chunk * CHUNK;
            let end = (begin + CHUNK).min(first + u64::from(plan.episodes));
            environment.play(&plan, task.round, &task.player, begin..end)
        };
        let chunks = u64::from(self.plan.episodes).div_ceil(CHUNK);
        let ahead = 2 * chunks as usize;
        pool::run((0..pool::threads(threads)).map(|_| ()), ahead, work, |pool| {
            let give = |pool: &mut pool::Pool<'_, EpisodeChunk, TrainingBatch>,
                        round: u32,
                        player: &Arc<LearnedModel>| {
                (0..chunks)
                    .for_each(|chunk| pool.give(EpisodeChunk { round, chunk, player: Arc::clone(player) }));
            };
            if self.round < self.plan.rounds {
                give(pool, self.round, &self.player);
            }
            while self.round < self.plan.rounds && !stop.is_stopped() {
                let mut batch = TrainingBatch::default();
                for _ in 0..chunks {
                    batch.append(pool.take().expect("as many were given")?);
                }
                self.check(&batch)?;
                batch.mask(self.environment.required_info().sizes[0], &self.masked);
                self.player = Arc::new(self.model());
                if self.round + 1 < self.plan.rounds {
                    give(pool, self.round + 1, &self.player);
                }
                let rewards: usize = batch.sorn_updates.iter().map(|update| update.count).sum();
                let error = match (batch.sorn_updates.is_empty(), self.plan.learns) {
                    (false, _) => self.fit_readout(&batch.sorn_updates),
                    (true, ModelKind::Value) => self.fit_values(&batch),
                    (true, ModelKind::Policy) => {
                        let error = self.fit_policy(&batch.policy);
                        self.fit_values(&batch);
                        error
                    }
                };
                self.check_weights()?;
                self.round += 1;
                self.human_episodes += batch.human_episodes;
                let decisions = batch.targets.len() + rewards;
                if !each(self, TrainingRound { round: self.round, decisions, error })? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Checks a batch: a single number that is not finite would spread to every weight in one step.
    fn check(&self, batch: &TrainingBatch) -> Result<(), LearnError> {
        let Some((position, feature, found)) = batch.not_finite(self.environment.required_info().sizes[0])
        else {
            return Ok(());
        };
        let (place, hint) = match feature {
            Some(feature) => {
                let field = self.environment.field(feature);
                let place = format!("in number {} (`{field}`) of position {}", feature + 1, position + 1);
                (place, "the game's encoding writes a number that is not finite")
            }
            None => (format!("as the target of position {}", position + 1), DIVERGED),
        };
        Err(LearnError::NotFinite { round: self.round + 1, found, place, hint })
    }

    fn check_weights(&self) -> Result<(), LearnError> {
        let Network { weights, offset, scale, .. } = &self.network;
        let critic = self.critic.iter().flat_map(|critic| &critic.network.weights);
        let units = self.reservoir.iter().flat_map(|units| units.links.iter().chain(&units.thresholds));
        let mut all = weights.iter().chain([offset, scale]).chain(critic).chain(units);
        let Some(found) = all.find(|weight| !weight.is_finite()) else { return Ok(()) };
        let place = "among the weights".to_owned();
        Err(LearnError::NotFinite { round: self.round + 1, found: *found, place, hint: DIVERGED })
    }

    /// Trains the policy; returns the mean of 1 − p(target) before each step of the first pass.
    fn fit_policy(&mut self, batch: &PolicyBatch) -> f64 {
        let size = self.network.inputs();
        let scale = batch.advantage_scale();
        let entropy = self.plan.entropy as f32;
        let mut scratch = PolicyScratch::default();
        let steps = GradientSteps {
            plan: &self.plan,
            round: self.round,
            rng: EpisodeSeed::new(!self.plan.seed, self.round.into()).agent(Seat::new(2)),
            examples: batch.len(),
        };
        let missed = steps.run(&mut self.network, &mut self.adam, |network, index, gradient| {
            let target = batch.get(index, size);
            // An expert's target needs no exploration.
            let entropy = target.behaviour.map_or(0.0, |_| entropy);
            let example = PolicyExample { target, advantage: batch.advantages[index] / scale, entropy };
            accumulate_policy_gradient(network, &example, gradient, &mut scratch)
        });
        missed / batch.len().max(1) as f64
    }

    /// Trains the value network or critic; returns the mean squared error before each step of the first pass.
    fn fit_values(&mut self, batch: &TrainingBatch) -> f64 {
        let count = batch.targets.len();
        if count == 0 {
            return 0.0;
        }
        let (network, adam) = match &mut self.critic {
            Some(critic) => (&mut critic.network, &mut critic.adam),
            None => (&mut self.network, &mut self.adam),
        };
        if !std::mem::replace(&mut self.is_scaled, true) {
            let mean = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() / count as f64;
            let offset = mean(&mut batch.targets.iter().map(|target| f64::from(*target)));
            let variance =
                mean(&mut batch.targets.iter().map(|target| (f64::from(*target) - offset).powi(2)));
            (network.offset, network.scale) = (offset as f32, variance.sqrt().max(1e-3) as f32);
        }
        let size = network.inputs();
        let mut scratch = Scratch::default();
        let rng = stream(&self.plan, u64::from(self.round));
        let steps = GradientSteps { plan: &self.plan, round: self.round, rng, examples: count };
        let squares = steps.run(network, adam, |network, index, gradient| {
            let features = &batch.features[index * size..][..size];
            let error = network.accumulate_gradient(features, batch.targets[index], gradient, &mut scratch);
            f64::from(error) * f64::from(error)
        });
        squares / count as f64
    }

    /// Steps the readout along the mean of (r − r̄) e, and sets the units to the mean of the workers' units.
    /// Returns the mean squared reward in units of its running mean.
    fn fit_readout(&mut self, updates: &[SornUpdate]) -> f64 {
        let count = updates.iter().map(|update| update.count).sum::<usize>().max(1) as f64;
        let [mean, squares] =
            [0, 1].map(|power| updates.iter().map(|update| update.rewards[power]).sum::<f64>() / count);
        // The reward baseline and its scale are running means.
        let first = !std::mem::replace(&mut self.is_scaled, true);
        let kept = if first { 0.0 } else { 0.9 };
        let before = f64::from(self.network.scale) * f64::from(self.network.scale);
        let scale = kept * before + (1.0 - kept) * squares;
        self.network.scale = scale.sqrt().max(1e-3) as f32;
        self.network.offset = (kept * f64::from(self.network.offset) + (1.0 - kept) * mean) as f32;
        let step = self.plan.rate_at(self.round) / count as f32;
        let share = 1.0 / updates.len() as f32;
        for update in updates {
            let weights = self.network.weights.iter_mut().zip(&update.readout);
            weights.for_each(|(weight, sum)| *weight += step * sum);
            if let Some(units) = &mut self.reservoir {
                units.add(share, &update.units);
            }
        }
        if first { 1.0 } else { squares / before }
    }
}

/// Minibatch gradient descent over shuffled examples.
struct GradientSteps<'a> {
    plan: &'a TrainingPlan,
    round: u32,
    rng: Stream,
    examples: usize,
}

impl GradientSteps<'_> {
    /// Runs all steps; `accumulate` adds an example's gradient and returns its loss. Returns the sum of the
    /// losses of the first pass.
    fn run(
        mut self,
        network: &mut Network,
        adam: &mut Adam,
        mut accumulate: impl FnMut(&Network, usize, &mut [f32]) -> f64,
    ) -> f64 {
        let rate = self.plan.rate_at(self.round);
        let mut order: Vec<usize> = (0..self.examples).collect();
        let mut gradient = vec![0.0; network.weights()];
        let mut sum = 0.0;
        for pass in 0..self.plan.passes {
            self.rng.shuffle(&mut order);
            for minibatch in order.chunks(self.plan.minibatch) {
                gradient.fill(0.0);
                for index in minibatch {
                    let loss = accumulate(network, *index, &mut gradient);
                    if pass == 0 {
                        sum += loss;
                    }
                }
                let share = 1.0 / minibatch.len() as f32;
                gradient.iter_mut().for_each(|gradient| *gradient *= share);
                adam.step(network, &gradient, rate);
            }
        }
        sum
    }
}

struct EpisodeChunk {
    round: u32,
    chunk: u64,
    player: Arc<LearnedModel>,
}

fn masked_features(environment: &dyn Environment, plan: &TrainingPlan) -> Result<Vec<usize>, LearnError> {
    if plan.fields.is_empty() {
        return Ok(Vec::new());
    }
    let size = environment.required_info().sizes[0];
    let fields: Vec<_> = (0..size).map(|feature| environment.field(feature)).collect();
    if let Some(unknown) = plan.fields.iter().find(|name| !fields.contains(&name.as_str())) {
        let mut known = fields;
        known.dedup();
        return Err(LearnError::Plan(format!(
            "fields: expected some of {}, found {unknown}\nhint: `meeple games GAME --encoding` explains them",
            known.join(", ")
        )));
    }
    let is_masked = |feature: &usize| plan.fields.iter().all(|name| name != fields[*feature]);
    Ok((0..fields.len()).filter(is_masked).collect())
}

/// A random stream apart from those of the episodes, one per key.
fn stream(plan: &TrainingPlan, key: u64) -> Stream {
    EpisodeSeed::new(!plan.seed, key).agent(Seat::new(1))
}

fn as_json(plan: &TrainingPlan) -> serde_json::Value {
    serde_json::to_value(plan).expect("plain data")
}
