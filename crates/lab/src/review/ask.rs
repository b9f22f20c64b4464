use meeple_core::{
    AgentSpec, AnyEntry, AnyEpisode, Budget, EpisodeSeed, Replay, Seat, Stream, ValueUnit, Viewer,
};

use super::review::{Review, Reviewed};
use super::verdict::ReviewVerdict;
use crate::error::LabError;
use crate::pool::{self, Panicked, PoolWorker};
use crate::progress::{Progress, StopFlag};

/// Options of a review.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    /// The judging agent.
    pub agent: AgentSpec,
    /// Iterations per decision; the agent's default if `None`.
    pub iterations: Option<u64>,
    /// Restricts the review to the decisions of this seat.
    pub seat: Option<Seat>,
    /// Root of the agent's random streams. Every moment has its own stream, so judgements are independent.
    pub seed: u64,
    /// Threads; 0 means all cores. Results do not depend on it.
    pub threads: usize,
}

/// A prepared review: the replay is verified and the agent can play.
pub struct Reviewing<'a> {
    replay: &'a Replay,
    options: &'a ReviewOptions,
    /// Moments and seats of the decisions to judge, without forced decisions.
    asked: Vec<(usize, Seat)>,
    /// The episode, replayed up to the next decision to judge.
    episode: Box<dyn AnyEpisode>,
    /// Final points by seat; `None` if the replay stops before the end.
    points: Option<Vec<f64>>,
    of: Reviewed,
}

/// A decision to judge, with a copy of the episode before it.
struct Asked {
    episode: Box<dyn AnyEpisode>,
    agent: AgentSpec,
    budget: Budget,
    moment: usize,
    seat: Seat,
    played: String,
    stream: Stream,
}

const SHARE: &str = "share";
const POINTS: &str = "points";

impl<'a> Reviewing<'a> {
    /// Verifies a replay and finds the decisions to judge.
    ///
    /// # Errors
    /// If the replay is invalid, or the agent is unknown or cannot play.
    ///
    /// # Panics
    /// If the requested seat is not at the table.
    pub fn new(
        entry: &dyn AnyEntry,
        replay: &'a Replay,
        options: &'a ReviewOptions,
    ) -> Result<Self, LabError> {
        let mut asked = Vec::new();
        let mut moment = 0;
        let mut episode = entry.replay(replay, Viewer::Everything, &mut |before| {
            if let Some(seat) = replay.steps.get(moment).and_then(|step| decider(step))
                && options.seat.is_none_or(|only| only == seat)
                && before.legal_actions(seat).len() != 1
            {
                asked.push((moment, seat));
            }
            moment += 1;
        })?;
        let (info, seats, outcome) = (episode.info(), episode.seats(), episode.outcome());
        assert!(options.seat.is_none_or(|seat| seat.index() < seats), "the seat is one of the table's");
        episode.fork().seat_agent(options.seat.unwrap_or(Seat::new(0)), &options.agent)?;
        let points = outcome.as_ref().map(|end| end.scores.iter().map(|score| *score as f64).collect());
        let winner = outcome.as_ref().and_then(|end| end.places.iter().position(|place| *place == 1));
        let of = Reviewed {
            format: 1,
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            variant: replay.variant.clone(),
            players: replay.players.clone(),
            agent: options.agent.to_string(),
            iterations: options.iterations,
            seed: options.seed,
            // Placeholders until the agent states the unit of its values.
            unit: POINTS,
            even: None,
            ends: outcome.map(|end| Seat::all(seats).map(|seat| end.win_share(seat)).collect()),
            steps: replay.steps.len(),
            viewpoint: options.seat.unwrap_or(Seat::new(winner.unwrap_or(0))),
            asked: asked.len(),
        };
        episode.keep_no_events();
        let unmoved: Vec<u16> = (0..seats as u16).collect();
        episode.restart(EpisodeSeed::from_bits(0), &unmoved);
        Ok(Self { replay, options, asked, episode, points, of })
    }

    /// Number of decisions to judge.
    pub fn decisions(&self) -> usize {
        self.asked.len()
    }

    /// Judges all decisions in parallel. A stopped review holds the verdicts so far, in order from the first.
    ///
    /// # Errors
    /// If the agent gives no analysis or panics.
    pub fn run(mut self, progress: &mut dyn Progress, stop: &StopFlag) -> Result<Review, LabError> {
        let total = self.asked.len();
        let threads = pool::threads(self.options.threads).min(total.max(1));
        let work = |_: &mut PoolWorker<'_, usize, ()>, question: Asked| question.judge();
        let mut judged = Vec::new();
        let questions = (0..total).map(|number| (self.asked[number].0, self.question(number)));
        pool::in_order(threads, questions, stop, work, |moment, verdict| {
            judged.push(verdict.map_err(|Panicked { message }| LabError::Judging { moment, message })??);
            progress.update(judged.len() as u64, total as u64, "");
            Ok::<_, LabError>(())
        })?;
        let seats = self.of.players.len();
        // All values have the unit of the first: an agent has one goal. At a table of one seat they are
        // points.
        let is_share = judged.first().is_none_or(|(_, unit)| unit.is_share(seats));
        let mut of = self.of;
        if is_share {
            (of.unit, of.even) = (SHARE, Some(1.0 / seats as f64));
        } else {
            of.ends = self.points;
        }
        Ok(Review::new(of, judged.into_iter().map(|(verdict, _)| verdict).collect()))
    }
}

impl Reviewing<'_> {
    fn question(&mut self, number: usize) -> Asked {
        let (moment, seat) = self.asked[number];
        for step in &self.replay.steps[self.episode.steps()..moment] {
            let taken = match (decider(step), step.split_once(' ').unwrap_or((step, ""))) {
                (Some(seat), (_, action)) => self.episode.act(seat, action),
                (None, (_, chance)) => self.episode.force_chance(chance),
            };
            taken.expect("the replay was verified");
        }
        let step = &self.replay.steps[moment];
        Asked {
            episode: self.episode.fork(),
            agent: self.options.agent.clone(),
            budget: self.options.iterations.map_or(Budget::Own, Budget::Iterations),
            moment,
            seat,
            played: step.split_once(' ').map_or("", |(_, action)| action).to_owned(),
            stream: EpisodeSeed::new(self.options.seed, moment as u64).agent(seat),
        }
    }
}

impl Asked {
    /// The agent's verdict from the seat's information.
    fn judge(mut self) -> Result<(ReviewVerdict, ValueUnit), LabError> {
        let (seat, seats) = (self.seat, self.episode.seats());
        self.episode.seat_agent(seat, &self.agent)?;
        *self.episode.agent_streams()[seat.index()] = self.stream;
        let judged = self.episode.analyse(seat, self.budget, Some(&self.played));
        let judged = judged.expect("the seat decides, and the agent sits there").expect("it was played");
        let unit = judged.1.unit;
        let verdict = ReviewVerdict::new(self.moment, seat, self.played, judged, seats);
        verdict.map(|verdict| (verdict, unit)).ok_or_else(|| LabError::Silent {
            agent: self.agent.to_string(),
            hint: "mcts and flat do, in every game".to_owned(),
        })
    }
}

/// The seat that takes a step; `None` for chance.
fn decider(step: &str) -> Option<Seat> {
    let (who, _) = step.split_once(' ').unwrap_or((step, ""));
    who.parse().ok()
}
