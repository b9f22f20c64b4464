//! One episode of any game, with native agents and players on its seats.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use meeple_core::{
    ActionKind, AgentError, AgentSpec, AnyEpisode, AnyGame, EpisodeSeed, Outcome, Phase, Replay, Seat, Viewer,
};
use nix::poll::{PollFd, PollFlags, PollTimeout};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::fault::{Fault, FaultCode};
use crate::limits::Clock;
use crate::player::{Answer, Bad, End, Legal, Player, Reply, Start, Then, Turn};
use crate::usage::Usage;

/// Who plays a seat.
pub struct SeatPlan<'a> {
    /// The name in the replay, and, if the policy reveals names, to the others.
    pub name: String,
    /// Who it is.
    pub who: Who<'a>,
}

/// Who it is that plays a seat.
pub enum Who<'a> {
    /// An agent of the game, in our process.
    Native(AgentSpec),
    /// A competitor outside.
    Player(&'a mut dyn Player),
    /// Nobody: the game's fallback action, always. For players that are banned or could not be launched.
    Nobody,
}

/// What faults lead to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultPolicy {
    /// After a fault.
    pub on_fault: OnFault,
    /// With [`OnFault::Fallback`]: at this many faults in an episode the fallback plays the seat to the end.
    /// `None` for never, but for players that are gone.
    pub strikes: Option<u32>,
    /// The thinking time of every player.
    pub clock: Clock,
    /// Whether players are told each other's names.
    pub reveal_names: bool,
    /// Whether the replay is made; it takes time and memory.
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
    /// What happens after a fault, which is the so-many-th of its seat in the episode, from 1.
    pub fn after(&self, fault: &Fault, count: u32) -> Then {
        match self.on_fault {
            OnFault::Fallback if fault.alive && self.strikes.is_none_or(|strikes| count < strikes) => {
                Then::Fallback
            }
            OnFault::Fallback | OnFault::Forfeit => Then::Out,
        }
    }
}

/// What a fault leads to.
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

/// What happened in an episode.
#[derive(Clone, Debug)]
pub struct EpisodeRecord {
    /// Scores, places, end. As the rules see it: forfeits do not change it.
    pub outcome: Outcome,
    /// By seat.
    pub seats: Vec<SeatRecord>,
    /// In the order they happened.
    pub faults: Vec<FaultRecord>,
    /// Length in the game's unit.
    pub length: u64,
    /// The replay, if the policy keeps it.
    pub replay: Option<Replay>,
}

/// What happened on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Decisions that the seat made, fallbacks included.
    pub decisions: u64,
    /// Decisions that the player was asked for.
    pub asked: u64,
    /// Decisions in which the fallback stood in.
    pub fallbacks: u64,
    /// Faults.
    pub faults: u32,
    /// Whether it forfeited.
    pub forfeited: bool,
    /// What getting ready took, with the launch of a process for it; zero if it never was, and for native agents.
    #[serde(default)]
    pub start: Usage,
    /// Time used for decisions, in sum, those without an answer too. Zero for native agents, who are not timed.
    pub used: Usage,
    /// The same as one number, for rules about time: CPU time where it was measured, otherwise time on the wall. A
    /// decision that ran out of time counts as at least what it was allowed.
    #[serde(default)]
    pub counted_us: u64,
    /// The longest decision, on the basis of the clock.
    pub longest_us: u64,
}

impl SeatRecord {
    /// Adds the time of a decision, which counts as at least so much.
    fn charge(&mut self, used: Usage, least_us: u64) {
        self.used.wall_us += used.wall_us;
        if let Some(cpu) = used.cpu_us {
            *self.used.cpu_us.get_or_insert(0) += cpu;
        }
        let own_us = used.cpu_us.unwrap_or(used.wall_us);
        self.longest_us = self.longest_us.max(own_us);
        self.counted_us += own_us.max(least_us);
    }
}

/// One fault of an episode.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Who.
    pub seat: Seat,
    /// Steps of the episode before it.
    pub step: usize,
    /// Number of the question in the episode and seat; `None` before the first.
    pub turn: Option<u64>,
    /// What.
    pub fault: Fault,
    /// What happened then.
    pub then: Then,
    /// What the seat was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Value>,
}

/// The seed that a player gets for its own random numbers at `seat` of the episode with this seed: a hash, so
/// that nobody can calculate back to the deal.
pub fn bot_seed(seed: EpisodeSeed, seat: Seat) -> u64 {
    let mut hash = Sha256::new();
    hash.update(b"meeple bot seed 1");
    hash.update(seed.bits().to_le_bytes());
    hash.update((seat.index() as u64).to_le_bytes());
    let digest = hash.finalize();
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// Plays one episode to its end. Whatever the players do, it comes to one; what they did wrong is in the
/// record.
///
/// Seats that decide at the same time are all asked before any answer is looked at, and all answers are
/// collected before any is taken.
///
/// # Errors
/// If a native agent does not exist or cannot play this game; nothing has been started then.
///
/// # Panics
/// If there are not as many plans as the game has seats.
pub fn play_episode(
    game: &dyn AnyGame,
    seed: EpisodeSeed,
    seats: &mut [SeatPlan<'_>],
    policy: &FaultPolicy,
) -> Result<EpisodeRecord, AgentError> {
    assert_eq!(seats.len(), game.seats(), "one plan per seat");
    let mut episode = game.episode(seed);
    for (plan, seat) in seats.iter().zip(Seat::all(game.seats())) {
        if let Who::Native(spec) = &plan.who {
            episode.seat_agent(seat, spec)?;
        }
    }
    let names: Vec<String> = seats.iter().map(|plan| plan.name.clone()).collect();
    let mut host = Host::new(game, episode, seats, policy);
    host.start(game, seed, &names);
    host.play();
    let outcome = host.episode.outcome().expect("the episode is over");
    host.end(&outcome);
    Ok(EpisodeRecord {
        replay: policy.keep_replay.then(|| host.episode.replay(&names, Some(seed))),
        length: host.episode.length(),
        seats: host.records,
        faults: host.faults,
        outcome,
    })
}

/// An episode being hosted.
struct Host<'p, 'a> {
    episode: Box<dyn AnyEpisode>,
    plans: &'p mut [SeatPlan<'a>],
    policy: &'p FaultPolicy,
    records: Vec<SeatRecord>,
    faults: Vec<FaultRecord>,
    /// Whether the player of a seat is still asked.
    playing: Vec<bool>,
    /// Whether it was ready when the episode began; who was not hears no more of it.
    ready: Vec<bool>,
    /// The first event that the seat has not been told of.
    next_event: Vec<usize>,
    /// What structured actions look like; `None` for listed ones.
    spec: Option<String>,
    simultaneous: bool,
}

/// A decision of one seat, before it is taken.
enum Decision {
    /// The text of an action that is legal.
    Text(String),
    /// A structured action that may be illegal.
    Json(Box<RawValue>),
    Fallback,
}

/// What a seat was asked.
struct Question {
    seat: Seat,
    legal: Vec<String>,
}

impl<'p, 'a> Host<'p, 'a> {
    fn new(
        game: &dyn AnyGame,
        episode: Box<dyn AnyEpisode>,
        plans: &'p mut [SeatPlan<'a>],
        policy: &'p FaultPolicy,
    ) -> Self {
        let info = game.info();
        let spec = (info.actions == ActionKind::Structured).then(|| {
            let name = format!("{}/moves", info.id);
            serde_json::json!({ "spec": name, "schema": game.action_schema() }).to_string()
        });
        let seats = plans.len();
        Self {
            playing: plans.iter().map(|plan| matches!(plan.who, Who::Player(_))).collect(),
            ready: vec![false; seats],
            simultaneous: info.simultaneous,
            episode,
            plans,
            policy,
            records: vec![SeatRecord::default(); seats],
            faults: Vec::new(),
            next_event: vec![0; seats],
            spec,
        }
    }

    fn player(&mut self, seat: Seat) -> Option<&mut (dyn Player + 'a)> {
        match &mut self.plans[seat.index()].who {
            Who::Player(player) => Some(&mut **player),
            Who::Native(_) | Who::Nobody => None,
        }
    }

    fn start(&mut self, game: &dyn AnyGame, seed: EpisodeSeed, names: &[String]) {
        let (info, variant, clock) = (game.info(), game.variant(), self.policy.clock);
        let names = self.policy.reveal_names.then_some(names);
        for seat in Seat::all(game.seats()) {
            let start = Start {
                game: info.id,
                rules_version: info.rules_version,
                variant: &variant,
                seat,
                seats: game.seats(),
                names,
                seed: bot_seed(seed, seat),
                clock: &clock,
            };
            match self.player(seat).map(|player| player.start(&start)) {
                Some(Ok(used)) => {
                    self.ready[seat.index()] = true;
                    self.records[seat.index()].start = used;
                }
                // Who is not ready does not play.
                Some(Err(fault)) => self.note(seat, fault.fatal()),
                None => {}
            }
        }
    }

    fn play(&mut self) {
        loop {
            match self.episode.phase() {
                Phase::Chance => self.episode.step_chance(),
                Phase::Over => return,
                Phase::Decide(seats) => {
                    let owing: Vec<Seat> = seats.collect();
                    let mut asked = Vec::new();
                    for seat in &owing {
                        asked.extend(self.ask(*seat));
                    }
                    let mut answers = self.collect(&asked).into_iter();
                    let mut questions = asked.into_iter().peekable();
                    // Decided before anything is taken: agents must not see what others have decided either.
                    let mut decisions = Vec::with_capacity(owing.len());
                    for seat in owing {
                        let decision = match questions.next_if(|question| question.seat == seat) {
                            Some(question) => {
                                let answer = answers.next().expect("one answer per question");
                                self.decide(&question, answer)
                            }
                            None => self.episode.ask_agent(seat).map_or(Decision::Fallback, Decision::Text),
                        };
                        decisions.push((seat, decision));
                    }
                    for (seat, decision) in decisions {
                        self.take(seat, decision);
                    }
                }
            }
        }
    }

    /// Sends the question to a seat that a player plays.
    fn ask(&mut self, seat: Seat) -> Option<Question> {
        let index = seat.index();
        if !self.playing[index] {
            return None;
        }
        let observation = self.observation(seat);
        let mut events = Vec::new();
        self.next_event[index] =
            self.episode.write_events(Viewer::Seat(seat), self.next_event[index], &mut events);
        let events = text(events);
        let legal = if self.spec.is_none() { self.episode.legal_actions(seat) } else { Vec::new() };
        let number = self.records[index].asked;
        let simultaneous = self.simultaneous;
        self.records[index].asked += 1;
        let spec = self.spec.take();
        let turn = Turn {
            number,
            simultaneous,
            observation: &observation,
            events: &events,
            legal: match &spec {
                Some(spec) => Legal::Spec(spec),
                None => Legal::List(&legal),
            },
        };
        let result = self.player(seat).map(|player| player.ask(&turn));
        self.spec = spec;
        match result {
            Some(Ok(())) => Some(Question { seat, legal }),
            Some(Err(fault)) => {
                self.note(seat, fault);
                None
            }
            None => None,
        }
    }

    fn observation(&self, seat: Seat) -> String {
        let mut bytes = Vec::new();
        self.episode.write_observation(Viewer::Seat(seat), &mut bytes);
        text(bytes)
    }

    /// The answers, in the order of the questions.
    fn collect(&mut self, asked: &[Question]) -> Vec<Result<Answer, Fault>> {
        if let [question] = asked {
            return self.player(question.seat).map(Player::answer).into_iter().collect();
        }
        let mut answers: Vec<Option<Result<Answer, Fault>>> = asked.iter().map(|_| None).collect();
        loop {
            for (question, answer) in asked.iter().zip(&mut answers) {
                if answer.is_none() {
                    *answer = self.player(question.seat).and_then(|player| player.poll_answer().transpose());
                }
            }
            if answers.iter().all(Option::is_some) {
                return answers.into_iter().flatten().collect();
            }
            self.wait(
                asked
                    .iter()
                    .zip(&answers)
                    .filter(|(_, answer)| answer.is_none())
                    .map(|(asked, _)| asked.seat),
            );
        }
    }

    /// Waits until one of these seats may have an answer.
    fn wait(&self, seats: impl Iterator<Item = Seat>) {
        let mut at_most = Duration::from_secs(1);
        let mut descriptors: Vec<BorrowedFd<'_>> = Vec::new();
        for seat in seats {
            if let Who::Player(player) = &self.plans[seat.index()].who {
                let Some(waiting) = player.waiting() else { return };
                at_most = at_most.min(waiting.at_most);
                descriptors.extend(waiting.descriptors.into_iter().flatten());
            }
        }
        let mut polled: Vec<PollFd<'_>> =
            descriptors.iter().map(|descriptor| PollFd::new(*descriptor, PollFlags::POLLIN)).collect();
        let timeout = PollTimeout::try_from(at_most.as_millis().max(1)).unwrap_or(PollTimeout::MAX);
        // An interrupted wait is only a short one: the caller looks again.
        let _ = nix::poll::poll(&mut polled, timeout);
    }

    fn decide(&mut self, question: &Question, answer: Result<Answer, Fault>) -> Decision {
        let seat = question.seat;
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => {
                self.note(seat, fault);
                return Decision::Fallback;
            }
        };
        self.records[seat.index()].charge(answer.used, 0);
        let mut legal = question.legal.iter();
        let wrong = match answer.reply {
            Reply::Index(index) => match usize::try_from(index).ok().and_then(|index| legal.nth(index)) {
                Some(text) => return Decision::Text(text.clone()),
                None if self.spec.is_some() => {
                    "expected \"m\" with a structured move, found an index \"a\"".into()
                }
                None => {
                    format!("expected an index below {}, found {index}", question.legal.len())
                }
            },
            Reply::Move(json) if self.spec.is_some() => return Decision::Json(json),
            Reply::Move(_) => "expected \"a\" with an index into legal, found a move \"m\"".to_owned(),
            Reply::Failed(why) => format!("the bot reports that it has no move: {why}"),
        };
        self.refuse(seat, FaultCode::InvalidMove, wrong);
        Decision::Fallback
    }

    fn take(&mut self, seat: Seat, decision: Decision) {
        self.records[seat.index()].decisions += 1;
        match decision {
            Decision::Text(text) => {
                self.episode.act(seat, &text).expect("it was listed, or chosen by an agent, as legal");
                return;
            }
            Decision::Json(json) => match self.episode.act_json(seat, json.get()) {
                Ok(()) => return,
                Err(illegal) => self.refuse(seat, FaultCode::InvalidMove, illegal.reason),
            },
            Decision::Fallback => {}
        }
        self.records[seat.index()].fallbacks += 1;
        let fallback = self.episode.fallback_action(seat);
        self.episode.act(seat, &fallback).expect("the fallback action is legal: a law checks it");
    }

    /// A fault that we found.
    fn refuse(&mut self, seat: Seat, code: FaultCode, detail: String) {
        if let Some(player) = self.player(seat) {
            let fault = player.fault(code, detail);
            self.note(seat, fault);
        }
    }

    /// Records a fault, draws the consequences and tells the player.
    fn note(&mut self, seat: Seat, fault: Fault) {
        let index = seat.index();
        let record = &mut self.records[index];
        record.faults += 1;
        if let Some(used) = fault.used {
            record.charge(used, fault.allowed_us.unwrap_or_default());
        }
        let turn = record.asked.checked_sub(1);
        record.forfeited |= self.policy.on_fault == OnFault::Forfeit;
        let then = self.policy.after(&fault, record.faults);
        if then == Then::Out {
            self.playing[index] = false;
        }
        if fault.alive
            && let Some(player) = self.player(seat)
        {
            player.refuse(&Bad { code: fault.code, message: &fault.detail, then });
        }
        let observation = turn.map(|_| self.episode.observation(Viewer::Seat(seat)));
        self.faults.push(FaultRecord { seat, step: self.episode.steps(), turn, fault, then, observation });
    }

    fn end(&mut self, outcome: &Outcome) {
        let reason = self.episode.info().ends[outcome.end];
        for (plan, ready) in self.plans.iter_mut().zip(&self.ready) {
            if let Who::Player(player) = &mut plan.who
                && *ready
            {
                player.end(&End { places: &outcome.places, scores: &outcome.scores, reason });
            }
        }
    }
}

/// What our own serialisers wrote.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
