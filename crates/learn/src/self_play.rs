use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{
    Agent, AgentError, AgentInfo, AgentSpec, AnyGame, Definition, Encoding, EpisodeSeed, Field, Outcome,
    Playable, Playouts, Seat, Seating, Stream, Turn, TypedGame, find_agent,
};

use crate::afterstate::AfterstateAgent;
use crate::agent::required_info;
use crate::batch::{Ended, PolicyTrajectory, TrainingBatch, Trajectory};
use crate::checkpoint::CheckpointInfo;
use crate::error::LearnError;
use crate::model::LearnedModel;
use crate::plan::{ModelKind, TrainingPlan, TrainingPositions};
use crate::play_settings::PlaySettings;
use crate::policy::Policy;
use crate::policy_recorder::{Expert, PolicyRecorder};
use crate::replays::{NamedReplay, ReplayLibrary, ReplayReader};
use crate::sorn::{SornRecord, SornSettings, sorn_learner};

/// A type-erased game in which players are trained.
pub trait Environment: Send + Sync {
    fn required_info(&self) -> CheckpointInfo;
    /// # Errors
    /// The first opponent or expert that cannot play.
    fn check(&self, plan: &TrainingPlan) -> Result<(), LearnError>;
    /// Replaces the human games; on an error nothing changes.
    ///
    /// # Errors
    /// The first replay that is wrong, unfinished, or of another game or other rules.
    fn set_replays(&mut self, games: &[NamedReplay]) -> Result<(), LearnError>;
    /// Name of the encoding's field that contains a feature.
    fn field(&self, feature: usize) -> &'static str;
    /// Plays episodes of a round; `episodes` are numbered over all rounds of the plan.
    ///
    /// # Panics
    /// If the plan was not checked.
    fn play(
        &self,
        plan: &TrainingPlan,
        round: u32,
        model: &Arc<LearnedModel>,
        episodes: Range<u64>,
    ) -> TrainingBatch;
}

/// # Errors
/// If the game has no encoding.
pub fn environment<G: Playable>(game: &dyn AnyGame) -> Result<Box<dyn Environment>, LearnError> {
    let TypedGame { definition, game, agents } = game.typed::<G>().expect("the caller knows its type");
    let encoding = game.encoding().ok_or(LearnError::NoEncoding(definition.info.id))?;
    Ok(Box::new(SelfPlayWorker { definition, game, agents, encoding, replays: None }))
}

struct SelfPlayWorker<G: Playable> {
    definition: Arc<Definition<G>>,
    game: Arc<G>,
    agents: Arc<[AgentInfo<G>]>,
    encoding: Encoding<G>,
    replays: Option<ReplayLibrary<G>>,
}

/// Plays a value network with exploration, and records its trajectory.
struct ValueRecorder<G: Playable> {
    player: AfterstateAgent<G>,
    positions: TrainingPositions,
    explore: f64,
    trajectory: Arc<Mutex<Trajectory>>,
}

impl<G: Playable> Agent<G> for ValueRecorder<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.player.begin_episode(game, seat);
        self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        if self.positions != TrainingPositions::After {
            let evaluation = self.player.evaluate_state(turn.game(), turn.seat(), &turn.observe());
            self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).add(evaluation);
        }
        let (action, evaluation) = self.player.choose(&mut turn, self.explore);
        if let Some(evaluation) = evaluation.filter(|_| self.positions != TrainingPositions::Before) {
            self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).add(evaluation);
        }
        action
    }
}

/// Lets another agent play, and records the trajectory with the values of the network.
struct AgentRecorder<G: Playable> {
    agent: Box<dyn Agent<G>>,
    network: AfterstateAgent<G>,
    positions: TrainingPositions,
    rng: Stream,
    trajectory: Arc<Mutex<Trajectory>>,
}

impl<G: Playable> Agent<G> for AgentRecorder<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
        self.agent.begin_episode(game, seat);
    }

    fn act(&mut self, turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        let action = self.agent.act(turn);
        let mut trajectory = self.trajectory.lock().unwrap_or_else(PoisonError::into_inner);
        if self.positions != TrainingPositions::After {
            trajectory.add(self.network.evaluate_state(game, seat, &seen));
        }
        if self.positions != TrainingPositions::Before {
            trajectory.add(self.network.evaluate_action(game, seat, &seen, &action, &mut self.rng));
        }
        drop(trajectory);
        action
    }
}

impl<G: Playable> SelfPlayWorker<G> {
    fn agent(&self, spec: &str) -> Result<Box<dyn Agent<G>>, AgentError> {
        let spec = AgentSpec::parse(spec);
        find_agent(self.definition.info, &self.agents, &spec)?.build(&self.game, &spec)
    }

    fn value_player(&self, plan: &TrainingPlan, model: &Arc<LearnedModel>) -> AfterstateAgent<G> {
        AfterstateAgent::new(&*self.game, Arc::clone(model), self.encoding, plan.play_settings())
    }
}

impl<G: Playable> Environment for SelfPlayWorker<G> {
    fn required_info(&self) -> CheckpointInfo {
        let people = self.replays.as_ref().map(ReplayLibrary::summary);
        CheckpointInfo { people, ..required_info(&*self.game, &self.encoding) }
    }

    fn check(&self, plan: &TrainingPlan) -> Result<(), LearnError> {
        let expert = Some(&plan.teacher).filter(|expert| !expert.is_empty());
        plan.opponents.iter().chain(expert).try_for_each(|spec| self.agent(spec).map(drop))?;
        match (plan.replays.is_empty(), &self.replays) {
            (false, None) => Err(LearnError::Plan("replays: expected their games, found none".to_owned())),
            (true, Some(_)) => {
                Err(LearnError::Plan("replays: expected none, found games of people".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn set_replays(&mut self, games: &[NamedReplay]) -> Result<(), LearnError> {
        self.replays = Some(ReplayLibrary::new(&self.definition, &*self.game, games)?);
        Ok(())
    }

    fn field(&self, feature: usize) -> &'static str {
        let mut end = 0;
        let contains = |field: &Field| {
            end += field.size;
            feature < end
        };
        (self.encoding.fields)(&self.game).into_iter().find(contains).map_or("none", |field| field.name)
    }

    fn play(
        &self,
        plan: &TrainingPlan,
        round: u32,
        model: &Arc<LearnedModel>,
        episodes: Range<u64>,
    ) -> TrainingBatch {
        let seats = self.game.seats();
        // These streams are apart from those of the episodes.
        let seed = EpisodeSeed::new(!plan.seed, episodes.start);
        let mut rng = seed.agent(Seat::new(0));
        // The first round's network is untrained, so its predictions are not used.
        let lambda = if round == 0 { 1.0 } else { plan.lambda as f32 };
        let positions = plan.positions;
        // Without replays no random number is drawn here, so that older plans reproduce their files.
        if let Some(replays) = self.replays.as_ref().filter(|_| rng.chance(plan.replay_share)) {
            let (network, determinizing) = (self.value_player(plan, model), seed.agent(Seat::new(1)));
            let mut reader = ReplayReader { game: &*self.game, network, positions, rng: determinizing };
            let mut batch = TrainingBatch::default();
            for _ in episodes {
                let (trajectories, outcome) = reader.read(replays.any(&mut rng));
                for trajectory in &trajectories {
                    batch.add_trajectory(trajectory, &ended(plan, outcome, lambda), &mut rng);
                }
                batch.human_episodes += 1;
            }
            return batch;
        }
        let watches = rng.chance(plan.watch_at(round));
        let alone = !rng.chance(plan.self_play);
        let explore = plan.explore_at(round);
        let mut trajectories = Vec::new();
        let mut policy_trajectories = Vec::new();
        let mut sorn_records = Vec::new();
        let mut players: Vec<Box<dyn Agent<G>>> = Vec::new();
        let filler = self.definition.info.filler;
        let taken = if filler.is_some() { plan.seats.min(seats) } else { seats };
        for player in 0..taken {
            let learns = !watches && (player == 0 || !alone);
            if let Some(sorn) = plan.sorn.as_ref().filter(|_| learns) {
                let settings =
                    SornSettings { plan: sorn, goal: plan.goal, lambda: plan.lambda as f32, explore };
                let (agent, record) = sorn_learner(&*self.game, model, self.encoding, plan.samples, settings);
                players.push(agent);
                sorn_records.push(record);
                continue;
            }
            if plan.learns == ModelKind::Policy && learns {
                let settings = PlaySettings { temperature: 1.0, ..plan.play_settings() };
                let policy = Policy::new(&*self.game, Arc::clone(model), self.encoding, settings);
                let expert = plan.guided_at(round).map(|guided| {
                    let agent = self.agent(&plan.teacher).expect("the plan was checked");
                    Expert { agent, guided, rng: seed.agent(Seat::new(player + 1)) }
                });
                let trajectory = Arc::new(Mutex::new(PolicyTrajectory::default()));
                policy_trajectories.push(Arc::clone(&trajectory));
                players.push(Box::new(PolicyRecorder { policy, expert, trajectory, target: Vec::new() }));
                continue;
            }
            let trajectory = Arc::new(Mutex::new(Trajectory::default()));
            if learns {
                trajectories.push(Arc::clone(&trajectory));
                let player = self.value_player(plan, model);
                players.push(Box::new(ValueRecorder { player, positions, explore, trajectory }));
                continue;
            }
            let agent = self.agent(&plan.opponents[rng.index(plan.opponents.len())]);
            let agent = agent.expect("the plan was checked");
            if watches {
                trajectories.push(Arc::clone(&trajectory));
                let (network, rng) = (self.value_player(plan, model), seed.agent(Seat::new(player + 1)));
                players.push(Box::new(AgentRecorder { agent, network, positions, rng, trajectory }));
            } else {
                players.push(agent);
            }
        }
        // The filler is not recorded.
        for filler in filler.iter().flat_map(|filler| std::iter::repeat_n(filler, seats - taken)) {
            players.push(self.agent(filler).expect("a game's filler is one of its agents"));
        }
        let mut playouts = Playouts::new(Arc::clone(&self.game), players);
        let mut batch = TrainingBatch::default();
        for episode in episodes {
            let outcome = playouts.play(plan.seed, Seating::Rotate, episode).outcome;
            sorn_records.iter().for_each(|record| record.end(outcome));
            for trajectory in &trajectories {
                let trajectory = trajectory.lock().unwrap_or_else(PoisonError::into_inner);
                batch.add_trajectory(&trajectory, &ended(plan, outcome, lambda), &mut rng);
            }
            for trajectory in &policy_trajectories {
                let trajectory = trajectory.lock().unwrap_or_else(PoisonError::into_inner);
                batch.add_policy_trajectory(&trajectory, &ended(plan, outcome, lambda), &mut rng);
            }
        }
        drop(playouts);
        batch.sorn_updates = sorn_records.into_iter().map(SornRecord::update).collect();
        batch
    }
}

fn ended<'a>(plan: &TrainingPlan, outcome: &'a Outcome, lambda: f32) -> Ended<'a> {
    Ended { goal: plan.goal, outcome, lambda, keep: plan.keep }
}
