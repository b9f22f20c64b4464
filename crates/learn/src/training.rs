//! Training: rounds of playing and learning from it.

use std::sync::Arc;

use meeple_core::{EpisodeSeed, Seat, Stream};
use meeple_lab::{StopFlag, pool};

use crate::adam::Adam;
use crate::error::LearnError;
use crate::learned::{About, Learned, Pending};
use crate::lessons::{Choices, Lessons};
use crate::mind::Mind;
use crate::network::{Network, Scratch};
use crate::people::People;
use crate::plan::{Learns, Plan};
use crate::policy::{Asked, Desk, add_slope};
use crate::reservoir::Reservoir;
use crate::self_play::School;
use crate::sorn::Changes;

/// Episodes that have the same players, and are played by one thread.
const CHUNK: u64 = 8;
/// What to do about weights that grow without end.
const SMALLER: &str = "it has learned in steps that are too large: a smaller rate";

/// A training that goes on.
pub struct Training<'a> {
    school: &'a dyn School,
    plan: Plan,
    /// Rounds that were learned from.
    round: u32,
    network: Network,
    reservoir: Option<Reservoir>,
    /// Numbers of a position that the plan leaves out.
    left_out: Vec<usize>,
    adam: Adam,
    /// Of a policy.
    critic: Option<Critic>,
    /// By whom the next round is played: what was learned a round before, because one is played while another is learned.
    player: Arc<Mind>,
    /// Of the first round: for the scale of its output.
    begun: bool,
    /// Episodes so far that were games of people.
    people: u64,
}

/// What says how much is to be expected where a policy decides.
struct Critic {
    network: Network,
    adam: Adam,
}

/// What a round has brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Decisions that were learned from.
    pub decisions: usize,
    /// Mean squared error before each was learned from, where 1 is what foretelling the mean of the first round would have; of
    /// rewards, their mean square against that of the rounds so far; of a policy, how unlikely what it should do was to it on average.
    pub error: f64,
}

impl<'a> Training<'a> {
    /// From the beginning.
    ///
    /// # Errors
    /// If the opponents cannot play.
    pub fn new(school: &'a dyn School, plan: Plan) -> Result<Self, LearnError> {
        school.check(&plan)?;
        let mut rng = drawing(&plan, u64::MAX);
        let inputs = school.about().sizes[0];
        let reservoir = plan.sorn.as_ref().map(|sorn| Reservoir::new(inputs, sorn, &mut rng));
        let inputs = reservoir.as_ref().map_or(inputs, Reservoir::units);
        let left_out = left_out(school, &plan)?;
        let mut network = Network::new(inputs, &plan.hidden, &mut rng);
        network.ignore(&left_out);
        let adam = Adam::new(network.weights());
        let critic = (plan.learns == Learns::Policy).then(|| {
            let mut network = Network::new(inputs, &plan.hidden, &mut rng);
            network.ignore(&left_out);
            let adam = Adam::new(network.weights());
            Critic { network, adam }
        });
        let expects = critic.as_ref().map(|critic| critic.network.clone());
        let player =
            Arc::new(Mind { network: network.clone(), reservoir: reservoir.clone(), critic: expects });
        Ok(Self {
            school,
            plan,
            round: 0,
            network,
            reservoir,
            left_out,
            adam,
            critic,
            player,
            begun: false,
            people: 0,
        })
    }

    /// From where [`learned`](Self::learned) was.
    ///
    /// # Errors
    /// If that is of another plan, or no training.
    pub fn resume(school: &'a dyn School, plan: Plan, from: Learned) -> Result<Self, LearnError> {
        school.check(&plan)?;
        let what = "the training to go on with";
        from.check(what, &school.about())?;
        let wrong = |expected: &str, found: &str| LearnError::Network {
            what: what.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            hint: "another plan wants another folder",
        };
        if from.about.plan != as_json(&plan) {
            return Err(wrong("the same plan", "another"));
        }
        let games = |people: Option<People>| people.map(|people| (people.games, people.sha256));
        let people = from.about.people.as_ref().map_or(0, |people| people.episodes);
        if games(from.about.people) != games(school.about().people) {
            return Err(wrong("the same games of people", "others, or changed ones"));
        }
        let pending = from.pending.ok_or_else(|| wrong("a training that can go on", "a network alone"))?;
        let Pending { adam, critic, player } = pending;
        let critic = from.critic.zip(critic).map(|(network, adam)| Critic { network, adam });
        if critic.is_some() != (plan.learns == Learns::Policy) {
            return Err(wrong("what the plan learns", "something else"));
        }
        let round = from.about.round;
        let left_out = left_out(school, &plan)?;
        Ok(Self {
            school,
            left_out,
            plan,
            round,
            network: from.network,
            reservoir: from.reservoir,
            adam,
            critic,
            player: Arc::new(player),
            begun: round > 0,
            people,
        })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Rounds that were learned from.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The network as it is, and what is needed to go on with it.
    pub fn learned(&self) -> Learned {
        let about = self.school.about();
        let people = about.people.map(|people| People { episodes: self.people, ..people });
        let about = About {
            people,
            goal: self.plan.goal,
            sizes: self.mind().sizes(),
            round: self.round,
            episodes: u64::from(self.round) * u64::from(self.plan.episodes),
            plan: as_json(&self.plan),
            ..about
        };
        let critic = self.critic.as_ref().map(|critic| critic.adam.clone());
        let pending = Pending { adam: self.adam.clone(), critic, player: (*self.player).clone() };
        let Mind { network, reservoir, critic } = self.mind();
        Learned { about, network, reservoir, critic, pending: Some(pending) }
    }

    /// What has been learned.
    fn mind(&self) -> Mind {
        let critic = self.critic.as_ref().map(|critic| critic.network.clone());
        Mind { network: self.network.clone(), reservoir: self.reservoir.clone(), critic }
    }

    /// Goes on until all rounds are done, `stop` is raised, or `each`, which is told of every round, wants no more. How many
    /// threads play changes nothing.
    ///
    /// # Errors
    /// A panic of game or agent, or what `each` says.
    pub fn run(
        &mut self,
        threads: usize,
        stop: &StopFlag,
        mut each: impl FnMut(&Self, Round) -> Result<bool, LearnError>,
    ) -> Result<(), LearnError> {
        let (school, plan) = (self.school, self.plan.clone());
        let work = |_: &mut pool::Worker<'_, (), ()>, job: Job| {
            let first = u64::from(job.round) * u64::from(plan.episodes);
            let begin = first + job.chunk * CHUNK;
            let end = (begin + CHUNK).min(first + u64::from(plan.episodes));
            school.play(&plan, job.round, &job.player, begin..end)
        };
        let chunks = u64::from(self.plan.episodes).div_ceil(CHUNK);
        let ahead = 2 * chunks as usize;
        pool::run((0..pool::threads(threads)).map(|_| ()), ahead, work, |pool| {
            let give = |pool: &mut pool::Pool<'_, Job, Lessons>, round: u32, player: &Arc<Mind>| {
                (0..chunks).for_each(|chunk| pool.give(Job { round, chunk, player: Arc::clone(player) }));
            };
            if self.round < self.plan.rounds {
                give(pool, self.round, &self.player);
            }
            while self.round < self.plan.rounds && !stop.is_stopped() {
                let mut lessons = Lessons::default();
                for _ in 0..chunks {
                    lessons.append(pool.take().expect("as many were given")?);
                }
                self.check(&lessons)?;
                lessons.leave_out(self.school.about().sizes[0], &self.left_out);
                self.player = Arc::new(self.mind());
                if self.round + 1 < self.plan.rounds {
                    give(pool, self.round + 1, &self.player);
                }
                let rewarded: usize = lessons.changes.iter().map(|changes| changes.count).sum();
                let error = match (lessons.changes.is_empty(), self.plan.learns) {
                    (false, _) => self.learn_from_rewards(&lessons.changes),
                    (true, Learns::Value) => self.learn(&lessons),
                    (true, Learns::Policy) => {
                        let error = self.learn_policy(&lessons.choices);
                        self.learn(&lessons);
                        error
                    }
                };
                self.check_weights()?;
                self.round += 1;
                self.people += lessons.people;
                let decisions = lessons.targets.len() + rewarded;
                let told = Round { round: self.round, decisions, error };
                if !each(self, told)? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Whether all that is to be learned from are numbers: what is none would be in every weight a step later.
    fn check(&self, lessons: &Lessons) -> Result<(), LearnError> {
        let Some((position, number, found)) = lessons.not_finite(self.school.about().sizes[0]) else {
            return Ok(());
        };
        let (place, hint) = match number {
            Some(number) => {
                let field = self.school.field(number);
                let place = format!("in number {} (`{field}`) of position {}", number + 1, position + 1);
                (place, "the game's encoding says what is no number")
            }
            None => (format!("as what position {} should have been foretold", position + 1), SMALLER),
        };
        Err(LearnError::NotFinite { round: self.round + 1, found, place, hint })
    }

    /// Whether what was learned are still numbers.
    fn check_weights(&self) -> Result<(), LearnError> {
        let Network { weights, middle, scale, .. } = &self.network;
        let critic = self.critic.iter().flat_map(|critic| &critic.network.weights);
        let units = self.reservoir.iter().flat_map(|units| units.links.iter().chain(&units.thresholds));
        let mut all = weights.iter().chain([middle, scale]).chain(critic).chain(units);
        let Some(found) = all.find(|weight| !weight.is_finite()) else { return Ok(()) };
        let place = "among the weights".to_owned();
        Err(LearnError::NotFinite { round: self.round + 1, found: *found, place, hint: SMALLER })
    }

    /// Learns a policy from the decisions of a round, in a drawn order. How unlikely what was wanted was on average.
    fn learn_policy(&mut self, choices: &Choices) -> f64 {
        let size = self.network.inputs();
        let rate = self.plan.rate_at(self.round);
        let spread = choices.spread();
        let mut draws = EpisodeSeed::new(!self.plan.seed, self.round.into()).agent(Seat::new(2));
        let mut order: Vec<usize> = (0..choices.len()).collect();
        let mut slope = vec![0.0; self.network.weights()];
        let mut desk = Desk::default();
        let mut unlikely = 0.0;
        for pass in 0..self.plan.passes {
            draws.shuffle(&mut order);
            for batch in order.chunks(self.plan.minibatch) {
                slope.fill(0.0);
                for index in batch {
                    let options = choices.get(*index, size);
                    // What is taught is wanted for sure.
                    let entropy = options.chance.map_or(0.0, |_| self.plan.entropy as f32);
                    let better = choices.better[*index] / spread;
                    let asked = Asked { options, better, entropy };
                    let missed = add_slope(&self.network, &asked, &mut slope, &mut desk);
                    if pass == 0 {
                        unlikely += missed;
                    }
                }
                let share = 1.0 / batch.len() as f32;
                slope.iter_mut().for_each(|slope| *slope *= share);
                self.adam.step(&mut self.network, &slope, rate);
            }
        }
        unlikely / choices.len().max(1) as f64
    }

    /// Learns from the decisions of a round what is to be expected, in a drawn order.
    fn learn(&mut self, lessons: &Lessons) -> f64 {
        let count = lessons.targets.len();
        if count == 0 {
            return 0.0;
        }
        let (network, adam) = match &mut self.critic {
            Some(critic) => (&mut critic.network, &mut critic.adam),
            None => (&mut self.network, &mut self.adam),
        };
        if !std::mem::replace(&mut self.begun, true) {
            let mean = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() / count as f64;
            let middle = mean(&mut lessons.targets.iter().map(|target| f64::from(*target)));
            let spread =
                mean(&mut lessons.targets.iter().map(|target| (f64::from(*target) - middle).powi(2)));
            (network.middle, network.scale) = (middle as f32, spread.sqrt().max(1e-3) as f32);
        }
        let size = network.inputs();
        let rate = self.plan.rate_at(self.round);
        let mut draws = drawing(&self.plan, u64::from(self.round));
        let mut order: Vec<usize> = (0..count).collect();
        let mut slope = vec![0.0; network.weights()];
        let mut scratch = Scratch::default();
        let mut squares = 0.0;
        for pass in 0..self.plan.passes {
            draws.shuffle(&mut order);
            for batch in order.chunks(self.plan.minibatch) {
                slope.fill(0.0);
                for index in batch {
                    let numbers = &lessons.numbers[index * size..][..size];
                    let error = network.add_slope(numbers, lessons.targets[*index], &mut slope, &mut scratch);
                    if pass == 0 {
                        squares += f64::from(error) * f64::from(error);
                    }
                }
                let share = 1.0 / batch.len() as f32;
                slope.iter_mut().for_each(|slope| *slope *= share);
                adam.step(network, &slope, rate);
            }
        }
        squares / count as f64
    }

    /// Learns from what self-organising networks have learned in the parts of a round: the readout takes a step along the
    /// mean of what its rewards ask for, and units become the mean of what they have become.
    fn learn_from_rewards(&mut self, changes: &[Changes]) -> f64 {
        let count = changes.iter().map(|changes| changes.count).sum::<usize>().max(1) as f64;
        let [sum, squares] =
            [0, 1].map(|which| changes.iter().map(|changes| changes.rewards[which]).sum::<f64>() / count);
        // What is expected, and what a surprise is measured by, follow slowly.
        let first = !std::mem::replace(&mut self.begun, true);
        let kept = if first { 0.0 } else { 0.9 };
        let before = f64::from(self.network.scale) * f64::from(self.network.scale);
        let scale = kept * before + (1.0 - kept) * squares;
        self.network.scale = scale.sqrt().max(1e-3) as f32;
        self.network.middle = (kept * f64::from(self.network.middle) + (1.0 - kept) * sum) as f32;
        let step = self.plan.rate_at(self.round) / count as f32;
        let share = 1.0 / changes.len() as f32;
        for changes in changes {
            let weights = self.network.weights.iter_mut().zip(&changes.readout);
            weights.for_each(|(weight, asked)| *weight += step * asked);
            if let Some(units) = &mut self.reservoir {
                units.add(share, &changes.units);
            }
        }
        if first { 1.0 } else { squares / before }
    }
}

/// A part of a round.
struct Job {
    round: u32,
    chunk: u64,
    player: Arc<Mind>,
}

/// The numbers of a position that a plan leaves out.
fn left_out(school: &dyn School, plan: &Plan) -> Result<Vec<usize>, LearnError> {
    if plan.fields.is_empty() {
        return Ok(Vec::new());
    }
    let fields: Vec<_> = (0..school.about().sizes[0]).map(|number| school.field(number)).collect();
    if let Some(unknown) = plan.fields.iter().find(|name| !fields.contains(&name.as_str())) {
        let mut known = fields;
        known.dedup();
        return Err(LearnError::Plan(format!(
            "fields: expected some of {}, found {unknown}\nhint: `meeple games GAME --encoding` tells what they say",
            known.join(", ")
        )));
    }
    let is_left_out = |number: &usize| plan.fields.iter().all(|name| name != fields[*number]);
    Ok((0..fields.len()).filter(is_left_out).collect())
}

/// What is drawn beside the episodes, once for every key.
fn drawing(plan: &Plan, key: u64) -> Stream {
    EpisodeSeed::new(!plan.seed, key).agent(Seat::new(1))
}

fn as_json(plan: &Plan) -> serde_json::Value {
    serde_json::to_value(plan).expect("plain data")
}
