//! Episodes with bots: sequential, or several in parallel.

use meeple_bothost::{
    Bad, BotAnswer, BotTurn, End, EpisodeStart, Fault, FaultCode, Player, SeatPlan, SeatRecord, Usage, Who,
    play_episode,
};
use meeple_core::{AgentSpec, AnyGame};
use meeple_lab::LabError;
use meeple_lab::pool::{self, Panicked, Pool, PoolWorker};

use crate::bots::{BotSet, Bots};
use crate::contest::Contest;
use crate::error::ArenaError;
use crate::ledger::{Admission, Ledger};
use crate::options::RunOptions;
use crate::plan::{ReplayRetention, TournamentPlan};
use crate::row::EpisodeRow;
use crate::schedule::Pairing;
use crate::store::RecordStore;
use crate::table::{ban_events, failed, filler, player_names, row_of_record};

struct Played {
    row: EpisodeRow,
    seats: Vec<SeatRecord>,
    admissions: Vec<Admission>,
}

/// Plays the episodes missing in the record, one in parallel per set of bots.
pub(crate) fn run_with_bots(
    plan: &TournamentPlan,
    game: &dyn AnyGame,
    store: &mut RecordStore,
    bots: &mut Bots,
    contest: &mut Contest<'_>,
    options: &mut RunOptions<'_>,
) -> Result<(), ArenaError> {
    let ledger = Ledger::of_record(plan, store)?;
    let (first, total) = (store.next(), plan.schedule.episodes());
    let mut run = Run { plan, first, total, ledger, store, contest, options };
    let mut none = [BotSet::default()];
    run.play(game, if bots.sets.is_empty() { &mut none } else { &mut bots.sets })
}

struct Run<'r, 'c, 'o> {
    plan: &'r TournamentPlan,
    ledger: Ledger<'r>,
    store: &'r mut RecordStore,
    contest: &'r mut Contest<'c>,
    options: &'r mut RunOptions<'o>,
    first: u64,
    total: u64,
}

impl Run<'_, '_, '_> {
    /// True if the run must stop. A run first plays at least one episode, so repeated stop and resume makes
    /// progress.
    fn is_stopped(&self) -> bool {
        self.store.next() > self.first && self.options.stop.is_stopped()
    }

    fn next_repeat(&self) -> u64 {
        self.plan.schedule.next_repeat(self.store.next())
    }

    /// Records an episode; returns true if the sequential test has ended the match.
    fn take(&mut self, played: Played) -> Result<bool, ArenaError> {
        let Played { mut row, seats, .. } = played;
        self.ledger.add(&mut row, &seats);
        self.contest.add(&row);
        self.store.append(&[row])?;
        self.options.progress.update(self.store.next(), self.total, "");
        Ok(self.contest.is_over(self.store.next()))
    }

    /// Plays up to the next repetition of deals, where all bots restart: no bot that knows a deal may be
    /// alive while another plays it.
    fn play(&mut self, game: &dyn AnyGame, sets: &mut [BotSet]) -> Result<(), ArenaError> {
        let (plan, first, stop) = (self.plan, self.first, self.options.stop);
        // After a stop, unstarted episodes are dropped, except for the run's first.
        let work = |worker: &mut PoolWorker<'_, &mut BotSet, ()>, Order { pairing, admissions }| {
            (pairing.index == first || !stop.is_stopped())
                .then(|| play(plan, game, worker.tool, pairing, admissions))
        };
        loop {
            // A slow episode must not let the others run ahead without limit. A single set plays strictly in
            // order.
            let ahead = if sets.len() > 1 { 8 * sets.len() } else { 1 };
            let over = pool::run(sets.iter_mut(), ahead, work, |pool| self.direct(pool))?;
            if over || self.store.next() >= self.total || self.is_stopped() {
                return Ok(());
            }
            std::thread::scope(|scope| {
                for bots in &mut *sets {
                    scope.spawn(|| bots.forget());
                }
            });
        }
    }

    /// Plays and records episodes in order, up to the next repetition of deals, or a stop. An episode may
    /// change the admission of a bot (a ban); later ones played with the old admission are then played again.
    /// Returns true if the sequential test has ended the match.
    fn direct(&mut self, pool: &mut Tables<'_>) -> Result<bool, ArenaError> {
        let end = self.next_repeat();
        let mut upcoming = self.store.next();
        loop {
            while upcoming < end && pool.has_room() && !self.is_stopped() {
                let pairing = self.plan.schedule.pairing(upcoming);
                let admissions = self.ledger.admissions(&pairing.seats);
                pool.give(Order { pairing, admissions });
                upcoming += 1;
            }
            let Some(played) = pool.take() else { return Ok(false) };
            let next = self.store.next();
            let panic = |Panicked { message }| LabError::Panic { first: next, last: next, message };
            let Some(played) = played.map_err(panic)?.transpose()? else { return Ok(false) };
            if played.admissions != self.ledger.admissions(&played.row.pairing.seats) {
                return Ok(false);
            }
            if self.take(played)? {
                return Ok(true);
            }
        }
    }
}

/// Episodes unstarted at a stop come back as `None`.
type Tables<'p> = Pool<'p, Order, Option<Result<Played, ArenaError>>>;

struct Order {
    pairing: Pairing,
    admissions: Vec<Admission>,
}

fn play(
    plan: &TournamentPlan,
    game: &dyn AnyGame,
    bots: &mut BotSet,
    pairing: Pairing,
    admissions: Vec<Admission>,
) -> Result<Played, ArenaError> {
    let absent = game.info().filler.map(AgentSpec::parse);
    let mut gone: Vec<Option<Gone>> = admissions.iter().map(|own| Gone::of(plan, *own)).collect();
    let seed = plan.schedule.seed_of(pairing.group);
    let candidates = bots.at_table(&pairing.seats);
    let mut players = Vec::with_capacity(game.seats());
    for (((own, admission), gone), bot) in
        pairing.seats.iter().zip(&admissions).zip(&mut gone).zip(candidates)
    {
        let competitor = &plan.competitors[usize::from(*own)];
        players.push(match (competitor.agent(), admission, gone, bot) {
            (Some(agent), ..) => Who::Native(agent),
            (None, Admission::Banned, ..) => absent.clone().map_or(Who::Nobody, Who::Native),
            (None, _, Some(gone), _) => Who::Player(gone),
            (None, _, None, Some(bot)) => Who::Player(bot.for_deal(seed)),
            (None, _, None, None) => Who::Nobody,
        });
    }
    players.resize_with(game.seats(), || Who::Native(filler(game)));
    let names = player_names(plan, game, &pairing);
    let mut seats: Vec<SeatPlan<'_>> =
        names.into_iter().zip(players).map(|(name, who)| SeatPlan { name, who }).collect();
    let mut policy = plan.faults.clone();
    policy.keep_replay = plan.replays != ReplayRetention::None;
    let record =
        play_episode(game, seed, &mut seats, &policy).map_err(|error| failed(plan, game, &pairing, error))?;
    drop(seats);
    let seats = record.seats.clone();
    let mut row = row_of_record(plan, pairing, record);
    if let Some(replay) = &mut row.replay {
        let banned: Vec<usize> =
            (0..admissions.len()).filter(|seat| admissions[*seat] == Admission::Banned).collect();
        replay.faults.splice(0..0, ban_events(plan, game, &banned));
    }
    if plan.replays == ReplayRetention::Faulted && row.faults.is_empty() {
        row.replay = None;
    }
    Ok(Played { row, seats, admissions })
}

/// Stand-in for a bot that is no longer restarted.
struct Gone(Fault);

impl Gone {
    fn of(plan: &TournamentPlan, admission: Admission) -> Option<Self> {
        let Admission::GivenUp(code) = admission else { return None };
        let detail = format!("given up after {} restarts", plan.limits.restarts);
        Some(Self(Fault::new(code, detail).fatal()))
    }
}

impl Player for Gone {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Err(self.0.clone())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, _turn: &BotTurn<'_>) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        Err(self.0.clone())
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}

    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        Fault::new(code, detail).fatal()
    }
}
