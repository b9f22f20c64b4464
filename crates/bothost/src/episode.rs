//! One episode of any game, with native agents and players on its seats.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use meeple_core::Answer as Taken;
use meeple_core::{
    ActionKind, AgentError, AgentSpec, AnyGame, Consequence, Driver, Due, EpisodeSeed, EpisodeView,
    FaultRule, Outcome, Phase, PlayerFault, PlayerLabel, Question, Replay, ReplayFault, Seat, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fault::{Fault, FaultCode};
use crate::limits::Clock;
use crate::pipes::{has_come, pause};
use crate::player::{Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Legal, Player, Then};
use crate::usage::Usage;
use crate::wall::WallClock;

/// The plan for one seat: a name and a player.
pub struct SeatPlan<'a> {
    /// The name in the replay. The other players see it if the policy reveals names.
    pub name: String,
    /// The player: an agent, an external player or nobody.
    pub who: Who<'a>,
}

/// The player of a seat.
pub enum Who<'a> {
    /// A native agent of the game, in the host's process.
    Native(AgentSpec),
    /// An external player.
    Player(&'a mut dyn Player),
    /// No player: the game's fallback action at every decision. For players that are banned or failed to
    /// launch.
    Nobody,
}

/// The rules of hosting: fault handling, clock, visibility of names, replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultPolicy {
    /// The consequence of a fault.
    pub on_fault: OnFault,
    /// With [`OnFault::Fallback`]: after this many faults in an episode the fallback plays the seat to the
    /// end. `None` for no limit; a player that is gone is always replaced.
    pub strikes: Option<u32>,
    /// The thinking time of every player.
    pub clock: Clock,
    /// If true, players see each other's names.
    pub reveal_names: bool,
    /// If true, the replay is recorded, which costs time and memory.
    pub keep_replay: bool,
}

impl Default for FaultPolicy {
    /// Fallback moves, three strikes, names hidden, replays kept.
    fn default() -> Self {
        Self {
            on_fault: OnFault::Fallback,
            strikes: Some(3),
            clock: Clock::default(),
            reveal_names: false,
            keep_replay: true,
        }
    }
}

impl FaultPolicy {
    /// The fault rule for the episode's driver.
    pub fn rule(&self) -> FaultRule {
        FaultRule { forfeit: self.on_fault == OnFault::Forfeit, strikes: self.strikes }
    }
}

/// The consequence of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// The game's fallback action is taken instead.
    #[default]
    Fallback,
    /// The seat forfeits: the fallback plays it to the end, and [`SeatRecord::forfeited`] says that its place
    /// must not count.
    Forfeit,
}

/// The result of an episode.
#[derive(Clone, Debug)]
pub struct EpisodeRecord {
    /// Scores, places and the reason of the end, by the rules alone: forfeits do not change it.
    pub outcome: Outcome,
    /// Records by seat.
    pub seats: Vec<SeatRecord>,
    /// Faults, in order of occurrence.
    pub faults: Vec<FaultRecord>,
    /// Length in the game's unit.
    pub length: u64,
    /// The replay, if the policy keeps it.
    pub replay: Option<Replay>,
}

/// Statistics of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Decisions that the seat made, fallbacks included.
    pub decisions: u64,
    /// Decisions that the player was asked for.
    pub asked: u64,
    /// Decisions taken by the fallback.
    pub fallbacks: u64,
    /// Number of faults.
    pub faults: u32,
    /// True if the seat forfeited.
    pub forfeited: bool,
    /// Start-up time, including the launch of a process for it; zero without a start and for native agents.
    #[serde(default)]
    pub start: Usage,
    /// Total time used for decisions, including unanswered ones. Zero for native agents, which are not timed.
    pub used: Usage,
    /// Time used in µs as one number, for rules about time: CPU time where measured, otherwise wall time. A
    /// decision that ran out of time counts at least its allowance.
    #[serde(default)]
    pub counted_us: u64,
    /// The longest decision in µs: CPU time where measured, otherwise wall time.
    pub longest_us: u64,
    /// Bytes on stderr beyond [`Limits::stderr_bytes`](crate::Limits::stderr_bytes), which were dropped.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_bytes: u64,
}

// By reference, as serde's `skip_serializing_if` requires.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl SeatRecord {
    /// Adds the time of a decision, at least `least_us`.
    fn charge(&mut self, used: Usage, least_us: u64) {
        self.used = self.used + used;
        let own_us = used.cpu_us.unwrap_or(used.wall_us);
        self.longest_us = self.longest_us.max(own_us);
        self.counted_us += own_us.max(least_us);
    }
}

/// One fault of an episode.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The seat at fault.
    pub seat: Seat,
    /// Steps of the episode before the fault.
    pub step: usize,
    /// Number of the question to this seat, from 0; `None` before the first.
    pub turn: Option<u64>,
    /// The fault itself.
    pub fault: Fault,
    /// The consequence for the seat.
    pub then: Then,
    /// The seat's observation, for a fault at a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Value>,
}

impl FaultRecord {
    /// Converts the fault to the form stored in replays.
    pub fn in_replay(&self) -> ReplayFault {
        let PlayerFault { kind, took_us, .. } = self.fault.player_fault();
        let then = match self.then {
            Then::Fallback => Consequence::Fallback,
            Then::Out => Consequence::Out,
        };
        ReplayFault { took_us, ..ReplayFault::new(self.seat, self.step, kind, then) }
    }
}

/// The seed for a player's own random numbers at `seat`. It is a hash of the episode seed, from which the
/// deal cannot be recovered.
pub fn bot_seed(seed: EpisodeSeed, seat: Seat) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"meeple bot seed 1");
    hash.update(seed.bits().to_le_bytes());
    hash.update((seat.index() as u64).to_le_bytes());
    let digest = hash.finalize();
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// The reason why an episode has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpisodeError {
    /// A native agent does not exist or cannot play this game; nothing has been started.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A panic of the game or of a native agent.
    #[error(transparent)]
    Panic(#[from] EpisodePanic),
}

/// A panic while an episode was played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a panic of {} at step {step}: {message}", .seat.as_ref().map_or("the game".to_owned(), |(seat, spec)| format!("the agent '{spec}' at seat {seat}")))]
pub struct EpisodePanic {
    /// The seat whose native agent was deciding, with the agent; `None` outside of decisions of agents.
    pub seat: Option<(Seat, AgentSpec)>,
    /// Number of steps before the panic.
    pub step: usize,
    /// The panic message.
    pub message: String,
}

impl EpisodePanic {
    /// The panic with this payload.
    pub fn new(seat: Option<(Seat, AgentSpec)>, step: usize, payload: &(dyn Any + Send)) -> Self {
        Self { seat, step, message: meeple_core::panic_message(payload) }
    }
}

/// Plays one episode to its end. Players cannot prevent the end; their faults are in the record.
///
/// Seats that decide simultaneously are all asked before any answer is read, and all answers are collected
/// before any is applied.
///
/// # Errors
/// If a native agent does not exist or cannot play this game, or it or the game panics.
///
/// # Panics
/// If there are not as many plans as the game has seats.
pub fn play_episode(
    game: &dyn AnyGame,
    seed: EpisodeSeed,
    seats: &mut [SeatPlan<'_>],
    policy: &FaultPolicy,
) -> Result<EpisodeRecord, EpisodeError> {
    play_episode_by(game, seed, seats, policy, &WallClock::system())
}

/// As [`play_episode`], with another wall clock. Players that read a wall clock must use the same one.
///
/// # Errors
/// As [`play_episode`].
///
/// # Panics
/// As [`play_episode`].
pub fn play_episode_by(
    game: &dyn AnyGame,
    seed: EpisodeSeed,
    seats: &mut [SeatPlan<'_>],
    policy: &FaultPolicy,
    time: &WallClock,
) -> Result<EpisodeRecord, EpisodeError> {
    assert_eq!(seats.len(), game.seats(), "one plan per seat");
    let mut driver = Driver::new(game.episode(seed));
    for (plan, seat) in seats.iter().zip(Seat::all(game.seats())) {
        match &plan.who {
            Who::Native(spec) => driver.seat_agent(seat, spec)?,
            Who::Player(_) => {}
            Who::Nobody => driver.put_out(seat),
        }
    }
    let info = game.info();
    let spec = (info.actions == ActionKind::Structured).then(|| {
        let name = format!("{}/moves", info.id);
        serde_json::json!({ "spec": name, "schema": game.action_schema() }).to_string()
    });
    let mut host = Host {
        ready: vec![false; seats.len()],
        records: vec![SeatRecord::default(); seats.len()],
        simultaneous: info.simultaneous,
        driver,
        plans: seats,
        policy,
        faults: Vec::new(),
        spec,
        written: Written::default(),
        time,
        asks_agent: None,
    };
    host.start(game, seed);
    // The readers of events are known once all players have started.
    let reads_news = |seat: &Seat| host.player(*seat).is_some_and(|player| player.reads_news());
    let readers = Seat::all(game.seats()).filter(reads_news).collect();
    host.driver.keep_events_for(readers);
    // The episode is given up after a panic, so its state does not matter.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| host.play())) {
        return Err(host.panic(&*payload).into());
    }
    let outcome = host.view().outcome().expect("the episode is over");
    host.end(&outcome);
    Ok(EpisodeRecord {
        replay: policy.keep_replay.then(|| {
            let names = host.plans.iter().map(|plan| PlayerLabel::from(plan.name.clone()));
            host.driver.replay(&names.collect::<Vec<_>>(), Some(seed))
        }),
        length: host.view().length(),
        seats: host.records(),
        faults: host.faults,
        outcome,
    })
}

struct Host<'p, 'a> {
    driver: Driver,
    plans: &'p mut [SeatPlan<'a>],
    policy: &'p FaultPolicy,
    /// Statistics that the driver does not count.
    records: Vec<SeatRecord>,
    faults: Vec<FaultRecord>,
    /// True by seat if the player was ready at the start of the episode; others receive no further messages.
    ready: Vec<bool>,
    /// The schema of structured actions; `None` for listed actions.
    spec: Option<String>,
    simultaneous: bool,
    /// Reusable buffers for the parts of a question.
    written: Written,
    time: &'p WallClock,
    /// Seat of the native agent that decides among several deciding seats, to attribute a panic.
    asks_agent: Option<Seat>,
}

#[derive(Default)]
struct Written {
    observation: Vec<u8>,
    events: Vec<u8>,
    legal: Vec<String>,
}

impl<'a> Host<'_, 'a> {
    fn view(&self) -> &dyn EpisodeView {
        self.driver.view()
    }

    fn records(&self) -> Vec<SeatRecord> {
        let seats = Seat::all(self.plans.len()).zip(&self.records).zip(self.plans.iter());
        seats
            .map(|((seat, record), plan)| {
                let tally = self.driver.tally(seat);
                SeatRecord {
                    decisions: tally.decisions,
                    asked: if matches!(plan.who, Who::Player(_)) { tally.asked } else { 0 },
                    fallbacks: tally.fallbacks,
                    faults: tally.faults,
                    ..*record
                }
            })
            .collect()
    }

    fn player(&mut self, seat: Seat) -> Option<&mut (dyn Player + 'a)> {
        match &mut self.plans[seat.index()].who {
            Who::Player(player) => Some(&mut **player),
            Who::Native(_) | Who::Nobody => None,
        }
    }

    fn start(&mut self, game: &dyn AnyGame, seed: EpisodeSeed) {
        let (info, variant, clock) = (game.info(), game.variant(), self.policy.clock);
        let names: Option<Vec<String>> =
            self.policy.reveal_names.then(|| self.plans.iter().map(|plan| plan.name.clone()).collect());
        // Players that want the setup observe the table after its first chance events.
        let wants_setup =
            |plan: &SeatPlan<'_>| matches!(&plan.who, Who::Player(player) if player.wants_setup());
        if self.plans.iter().any(wants_setup) {
            while self.view().phase() == Phase::Chance {
                self.driver.draw_chance();
            }
        }
        for seat in Seat::all(game.seats()) {
            // Most seats of a large table belong to agents, which receive no messages.
            let Some(setup) = self.player(seat).map(|player| player.wants_setup()) else { continue };
            let mut observation = Vec::new();
            if setup {
                self.view().write_observation(Viewer::Seat(seat), &mut observation);
            }
            let start = EpisodeStart {
                game: info.id,
                rules_version: info.rules_version,
                variant: &variant,
                seat,
                seats: game.seats(),
                names: names.as_deref(),
                seed: bot_seed(seed, seat),
                clock: &clock,
                observation: setup.then(|| text(&observation)),
            };
            match self.player(seat).map(|player| player.start(&start)) {
                Some(Ok(used)) => {
                    self.ready[seat.index()] = true;
                    self.records[seat.index()].start = used;
                }
                // A player that is not ready is replaced by the fallback for the whole episode.
                Some(Err(fault)) => self.note(seat, None, fault.fatal()),
                None => {}
            }
        }
    }

    fn play(&mut self) {
        loop {
            self.driver.play_on().expect(LEGAL);
            match self.driver.due() {
                Due::Chance => self.driver.draw_chance(),
                Due::Over => return,
                Due::Decide(questions) => {
                    let (outside, agents): (Vec<_>, Vec<_>) =
                        questions.into_iter().partition(|question| self.player(question.seat).is_some());
                    // All external players are asked before any answer is read, so they think at the same
                    // time.
                    let mut asked = outside;
                    let mut first = None;
                    asked.retain(|question| {
                        let sent = self.ask(*question);
                        first.get_or_insert_with(|| self.time.now());
                        sent
                    });
                    let answers = self.collect(&asked, first.unwrap_or_else(|| self.time.now()));
                    for question in agents {
                        self.asks_agent = Some(question.seat);
                        self.driver.ask_agent(question).expect(LEGAL);
                    }
                    self.asks_agent = None;
                    for (question, answer) in asked.into_iter().zip(answers) {
                        self.take(question, answer);
                    }
                }
            }
        }
    }

    /// The panic with this payload, and the agent that was deciding.
    fn panic(&self, payload: &(dyn Any + Send)) -> EpisodePanic {
        let owing = |phase| match phase {
            Phase::Decide(owing) if owing.len() == 1 => owing.lowest(),
            Phase::Decide(_) | Phase::Chance | Phase::Over => None,
        };
        // A broken game may panic again here.
        let facts = || {
            let seat = self.asks_agent.or_else(|| owing(self.view().phase()))?;
            match &self.plans[seat.index()].who {
                Who::Native(spec) => Some((seat, spec.clone())),
                Who::Player(_) | Who::Nobody => None,
            }
        };
        let seat = catch_unwind(AssertUnwindSafe(facts)).unwrap_or_default();
        let step = catch_unwind(AssertUnwindSafe(|| self.view().steps())).unwrap_or_default();
        EpisodePanic::new(seat, step, payload)
    }

    /// Sends the question to a seat with an external player. Returns true if it was sent.
    fn ask(&mut self, Question { seat, number }: Question) -> bool {
        // The buffers keep their capacity from the previous question.
        let Written { mut observation, mut events, mut legal } = std::mem::take(&mut self.written);
        observation.clear();
        self.view().write_observation(Viewer::Seat(seat), &mut observation);
        events.clear();
        if self.player(seat).is_some_and(|player| player.reads_news()) {
            self.driver.write_news(seat, &mut events);
        } else {
            events.extend_from_slice(b"[]");
        }
        if self.spec.is_none() {
            self.view().write_legal_actions(seat, &mut legal);
        }
        let simultaneous = self.simultaneous;
        let spec = self.spec.take();
        let turn = BotTurn {
            number,
            simultaneous,
            observation: text(&observation),
            events: text(&events),
            legal: match &spec {
                Some(spec) => Legal::Spec(spec),
                None => Legal::List(&legal),
            },
        };
        let result = self.player(seat).map_or(Ok(()), |player| player.ask(&turn));
        self.spec = spec;
        self.written = Written { observation, events, legal };
        result.map_err(|fault| self.note(seat, Some(number), fault)).is_ok()
    }

    /// Collects the answers in the order of the questions, the first of which was sent at `looked`.
    ///
    /// The host never waits for one player alone: it receives from all players before it judges any answer.
    /// Input that arrives during work of the host counts as received before that work, which served other
    /// players.
    fn collect(&mut self, asked: &[Question], mut looked: Instant) -> Vec<Result<BotAnswer, Fault>> {
        let mut answers: Vec<Option<Result<BotAnswer, Fault>>> = asked.iter().map(|_| None).collect();
        while answers.iter().any(Option::is_none) {
            let open = asked.iter().zip(&answers).filter(|(_, answer)| answer.is_none());
            let came = self.wait(open.map(|(asked, _)| asked.seat)).unwrap_or(looked);
            for (question, _) in asked.iter().zip(&answers).filter(|(_, answer)| answer.is_none()) {
                if let Some(player) = self.player(question.seat) {
                    player.receive(came);
                }
            }
            looked = self.time.now();
            for (question, answer) in asked.iter().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
                *answer = self.player(question.seat).and_then(|player| player.poll_answer().transpose());
            }
        }
        answers.into_iter().flatten().collect()
    }

    /// Waits until one of these seats may have an answer. Returns the arrival time; `None` if no wait was
    /// needed.
    fn wait(&self, seats: impl Iterator<Item = Seat>) -> Option<Instant> {
        let mut at_most = Duration::from_secs(1);
        let mut polled = Vec::new();
        for seat in seats {
            if let Who::Player(player) = &self.plans[seat.index()].who {
                let waiting = player.waiting()?;
                at_most = at_most.min(waiting.at_most);
                polled.extend(waiting.polled);
            }
        }
        if has_come(&mut polled) {
            return None;
        }
        pause(&mut polled, at_most);
        Some(self.time.now())
    }

    fn take(&mut self, Question { seat, number }: Question, answer: Result<BotAnswer, Fault>) {
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => return self.note(seat, Some(number), fault),
        };
        self.records[seat.index()].charge(answer.used, 0);
        let structured = self.spec.is_some();
        let taken = match &answer.reply {
            BotReply::Index(_) if structured => {
                Err("expected \"m\" with a structured move, found an index \"a\"".to_owned())
            }
            BotReply::Move(_) if !structured => {
                Err("expected \"a\" with an index into legal, found a move \"m\"".to_owned())
            }
            BotReply::Text(action) => {
                self.driver.answer(seat, number, Taken::Text(action)).map_err(|refusal| refusal.to_string())
            }
            BotReply::Failed(why) => Err(format!("the bot has no move: {why}")),
            BotReply::Index(index) => {
                let index = usize::try_from(*index).unwrap_or(usize::MAX);
                self.driver.answer(seat, number, Taken::Index(index)).map_err(|refusal| refusal.to_string())
            }
            BotReply::Move(json) => self
                .driver
                .answer(seat, number, Taken::Json(json.get()))
                .map_err(|refusal| refusal.to_string()),
        };
        if let Err(detail) = taken
            && let Some(player) = self.player(seat)
        {
            let fault = player.fault(FaultCode::InvalidMove, detail);
            self.note(seat, Some(number), fault);
        }
    }

    /// Records a fault at a question (or before the first), applies the consequences and notifies the player.
    fn note(&mut self, seat: Seat, turn: Option<u64>, fault: Fault) {
        let record = &mut self.records[seat.index()];
        if let Some(used) = fault.used {
            record.charge(used, fault.allowed_us.unwrap_or_default());
        }
        record.forfeited |= self.policy.on_fault == OnFault::Forfeit;
        let (step, observation) =
            (self.view().steps(), turn.map(|_| self.view().observation(Viewer::Seat(seat))));
        let consequence = self.driver.fault(seat, turn, fault.player_fault(), self.policy.rule());
        let then =
            Then::from(consequence.expect("a question is open until its answer or its fault has come"));
        if fault.alive
            && let Some(player) = self.player(seat)
        {
            player.refuse(&Bad { code: fault.code, message: &fault.detail, then });
        }
        self.faults.push(FaultRecord { seat, step, turn, fault, then, observation });
    }

    fn end(&mut self, outcome: &Outcome) {
        let reason = self.view().info().ends[outcome.end];
        for ((plan, ready), record) in self.plans.iter_mut().zip(&self.ready).zip(&mut self.records) {
            if let Who::Player(player) = &mut plan.who
                && *ready
            {
                record.dropped_bytes = player.dropped_bytes();
                player.end(&End { places: &outcome.places, scores: &outcome.scores, reason });
            }
        }
    }
}

/// Converts the output of our own serialisers to text.
fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("JSON is UTF-8")
}

const LEGAL: &str = "agents play legally: a law checks it";
