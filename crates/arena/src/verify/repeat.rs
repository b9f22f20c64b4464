use std::collections::VecDeque;

use meeple_bothost::{
    Bad, BotAnswer, BotProcess, BotReply, BotTurn, End, EpisodeStart, Fault, FaultCode, FaultRecord, Limits,
    Player, Sandbox, SeatPlan, Usage, Waiting, Who, play_episode,
};
use meeple_core::{AnyGame, Replay};

use super::conduct::Own;
use crate::bots::{check_files, launch_process};
use crate::error::ArenaError;
use crate::plan::{CompetitorKind, TournamentPlan};
use crate::row::PlayedEpisode;
use crate::table::player_names;

#[derive(Clone, Copy)]
pub(super) struct StoredEpisode<'a> {
    pub plan: &'a TournamentPlan,
    pub game: &'a dyn AnyGame,
    pub row: &'a PlayedEpisode,
    pub own: &'a Own,
    pub replay: &'a Replay,
}

pub(super) struct Repeated {
    bots: Vec<Option<BotProcess>>,
}

impl Repeated {
    /// Launches all bots of a plan, checks their fingerprints, and keeps the repeatable bots.
    pub fn launch(plan: &TournamentPlan, sandbox: &Sandbox) -> Result<Self, ArenaError> {
        // Restarts have no limit here: the record says which starts were denied.
        let limits = Limits { restarts: u32::MAX, ..plan.limits };
        let mut bots = Vec::new();
        for competitor in &plan.competitors {
            bots.push(None);
            if competitor.kind == CompetitorKind::Bot {
                let bot = launch_process(competitor, sandbox, &limits)?;
                check_files(competitor, Some(bot.hash()), "")?;
                if bot.hello().repeatable {
                    bots.pop();
                    bots.push(Some(bot.untimed()));
                }
            }
        }
        Ok(Self { bots })
    }

    pub fn has(&self, competitor: usize) -> bool {
        self.bots[competitor].is_some()
    }

    /// True if the bot at this seat is rerun.
    fn repeats(&self, episode: StoredEpisode<'_>, seat: usize) -> bool {
        let competitor = episode.row.pairing.seats.get(seat).filter(|_| !episode.own.banned.contains(&seat));
        competitor.is_some_and(|competitor| self.has(usize::from(*competitor)))
    }

    /// Reruns the bots of an episode and compares their decisions and faults with the record.
    pub fn check(&mut self, episode: StoredEpisode<'_>) -> Result<Again, String> {
        let mut again = Again::default();
        let (steps, faults) = self.play(episode, &mut again)?;
        let StoredEpisode { plan, game, row, own, replay } = episode;
        let Some((step, seat)) = difference(&replay.steps, &steps) else {
            let compared_faults = |faults: &[FaultRecord]| {
                let mut own: Vec<_> =
                    faults.iter().filter(|fault| self.repeats(episode, fault.seat.index())).collect();
                own.sort_by_key(|fault| fault.seat);
                own.into_iter().map(compared).collect::<Vec<_>>()
            };
            return same_faults(&compared_faults(&own.faults), &compared_faults(&faults)).map(|()| again);
        };
        let names = player_names(plan, game, &row.pairing);
        let name = names.get(seat).map_or("?", String::as_str);
        for own in &row.pairing.seats {
            if let Some(bot) = &mut self.bots[usize::from(*own)] {
                bot.renew();
            }
        }
        let (second, _) = self.play(episode, &mut Again::default())?;
        let answer = |steps: &[String]| steps.get(step).map_or("nothing", |text| action(text)).to_owned();
        let (recorded, first) = (answer(&replay.steps), answer(&steps));
        let verdict = if steps.get(..=step) == second.get(..=step) {
            "and again in a new process: either the record was altered, or another program played, or the bot depends on \
             something else than the messages of the episode"
                .to_owned()
        } else {
            format!(
                "and '{}' in a new process: the bot declares itself repeatable and is not",
                answer(&second)
            )
        };
        Err(format!(
            "step {}: '{recorded}' is recorded of '{name}', which decides '{first}' when it is run again, {verdict}",
            step + 1
        ))
    }

    /// Plays the episode with the bots rerun; returns its steps and faults.
    fn play(
        &mut self,
        episode: StoredEpisode<'_>,
        again: &mut Again,
    ) -> Result<(Vec<String>, Vec<FaultRecord>), String> {
        let StoredEpisode { plan, game, row, own, replay } = episode;
        let mut recorded: Vec<Recorded> = (0..game.seats()).map(|seat| Recorded::of(replay, seat)).collect();
        let mut bots: Vec<Option<&mut BotProcess>> = self.bots.iter_mut().map(Option::as_mut).collect();
        let mut running: Vec<Option<Running<'_>>> = (0..game.seats())
            .map(|seat| {
                let competitor = row.pairing.seats.get(seat).filter(|_| !own.banned.contains(&seat))?;
                let bot = bots[usize::from(*competitor)].take()?;
                let faults = own.faults.iter().filter(|fault| fault.seat.index() == seat).cloned().collect();
                Some(Running { bot, faults, turn: None, again: Again::default() })
            })
            .collect();
        let names = player_names(plan, game, &row.pairing);
        let players = recorded.iter_mut().zip(&mut running).zip(names);
        let mut seats: Vec<SeatPlan<'_>> = players
            .map(|((recorded, running), name)| {
                let player: &mut dyn Player = match running {
                    Some(running) => running,
                    None => recorded,
                };
                SeatPlan { name, who: Who::Player(player) }
            })
            .collect();
        let mut policy = plan.faults.clone();
        policy.keep_replay = true;
        let seed = plan.schedule.seed_of(row.pairing.group);
        let record = play_episode(game, seed, &mut seats, &policy).map_err(|error| error.to_string())?;
        drop(seats);
        for running in running.into_iter().flatten() {
            again.decisions += running.again.decisions;
            again.taken_over += running.again.taken_over;
        }
        Ok((record.replay.map(|replay| replay.steps).unwrap_or_default(), record.faults))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Again {
    pub decisions: u64,
    /// Number of faults taken from the record, because they do not follow from answers, such as a timeout.
    pub taken_over: u64,
}

/// Text of the parts that must be equal of a fault and its repetition. The step counts only where the fault
/// follows from an answer: other faults may be noticed before or after the answers of other seats.
fn compared(fault: &FaultRecord) -> String {
    let FaultRecord { seat, step, turn, then, .. } = fault;
    let question = turn.map_or("before its first question".to_owned(), |turn| format!("at question {turn}"));
    let step = if fault.fault.is_of_answer() { format!(" after {step} steps") } else { String::new() };
    format!("{} of seat {seat} {question}{step}, then {then:?}", fault.fault.code)
}

fn same_faults(recorded: &[String], again: &[String]) -> Result<(), String> {
    let length = recorded.len().max(again.len());
    let Some(at) = (0..length).find(|at| recorded.get(*at) != again.get(*at)) else { return Ok(()) };
    let [recorded, again] = [recorded, again].map(|faults| faults.get(at).map_or("none", String::as_str));
    Err(format!(
        "faults of repeatable bots: recorded is '{recorded}', but '{again}' when they are run again: either the record was \
         altered, or another program played, or a bot depends on something else than the messages of the episode"
    ))
}

/// The first step that differs, and its deciding seat, or `usize::MAX` for chance.
fn difference(recorded: &[String], again: &[String]) -> Option<(usize, usize)> {
    let length = recorded.len().max(again.len());
    let step = (0..length).find(|step| recorded.get(*step) != again.get(*step))?;
    let seat = |steps: &[String]| steps.get(step)?.split(' ').next()?.parse().ok();
    Some((step, seat(recorded).or_else(|| seat(again)).unwrap_or(usize::MAX)))
}

fn action(step: &str) -> &str {
    step.split_once(' ').map_or(step, |(_, action)| action)
}

/// A seat that repeats its recorded actions.
struct Recorded {
    actions: VecDeque<String>,
}

impl Recorded {
    fn of(replay: &Replay, seat: usize) -> Self {
        let own = |step: &&String| step.split(' ').next().and_then(|seat| seat.parse().ok()) == Some(seat);
        Self { actions: replay.steps.iter().filter(own).map(|step| action(step).to_owned()).collect() }
    }
}

impl Player for Recorded {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Ok(Usage::default())
    }

    fn reads_news(&self) -> bool {
        false
    }

    fn renew(&mut self) {}

    fn ask(&mut self, _turn: &BotTurn<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        match self.actions.pop_front() {
            Some(action) => Ok(Some(BotAnswer { reply: BotReply::Text(action), used: Usage::default() })),
            None => Err(Fault::new(FaultCode::InvalidMove, "nothing more is recorded").fatal()),
        }
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// A bot under rerun, with the recorded faults that do not follow from its answers.
struct Running<'a> {
    bot: &'a mut BotProcess,
    /// The recorded faults still to come.
    faults: VecDeque<FaultRecord>,
    turn: Option<u64>,
    again: Again,
}

impl Running<'_> {
    /// The recorded fault that is due at this question, or before the first question for `None`. Faults of
    /// answers are left out.
    fn due(&mut self, turn: Option<u64>) -> Option<Fault> {
        let fault = self.faults.pop_front_if(|fault| fault.turn == turn)?.fault;
        // Faults of an answer recur with the answer.
        let answered = fault.is_of_answer();
        self.again.taken_over += u64::from(!answered);
        (!answered).then_some(fault)
    }
}

impl Player for Running<'_> {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        match self.due(None) {
            Some(fault) => Err(fault),
            None => self.bot.start(start),
        }
    }

    fn wants_setup(&self) -> bool {
        self.bot.wants_setup()
    }

    fn reads_news(&self) -> bool {
        self.bot.reads_news()
    }

    fn renew(&mut self) {
        self.bot.renew();
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        self.turn = Some(turn.number);
        self.again.decisions += 1;
        self.bot.ask(turn).map_err(|own| self.due(Some(turn.number)).unwrap_or(own))
    }

    fn receive(&mut self, now: std::time::Instant) {
        self.bot.receive(now);
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let answer = self.bot.poll_answer();
        if let Ok(None) = answer {
            return answer;
        }
        // The bot was asked in any case, as its later answers may depend on the question.
        match self.due(self.turn) {
            Some(fault) => Err(fault),
            None => answer,
        }
    }

    fn waiting(&self) -> Option<Waiting<'_>> {
        self.bot.waiting()
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        self.bot.refuse(bad);
    }

    fn end(&mut self, end: &End<'_>) {
        self.bot.end(end);
    }

    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        self.bot.fault(code, detail)
    }
}
