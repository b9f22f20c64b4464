//! Playing episodes with bots: one at a time, or several side by side.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};

use meeple_bothost::{
    Answer, Bad, End, Fault, FaultCode, Player, SeatPlan, SeatRecord, Start, Turn, Usage, Who, play_episode,
};
use meeple_core::{AgentSpec, AnyGame};

use crate::bots::{BotSet, Bots};
use crate::contest::Contest;
use crate::error::ArenaError;
use crate::ledger::{Ledger, Standing};
use crate::options::RunOptions;
use crate::plan::{Keep, Plan};
use crate::row::EpisodeRow;
use crate::schedule::Pairing;
use crate::store::Store;
use crate::table::{filler, player_names, row_of_record};

/// An episode that was played, and what was held of its bots when it began.
struct Played {
    row: EpisodeRow,
    seats: Vec<SeatRecord>,
    standings: Vec<Standing>,
}

/// Plays what is missing in the record, as many episodes side by side as there are sets of bots.
pub(crate) fn run_with_bots(
    plan: &Plan,
    game: &dyn AnyGame,
    store: &mut Store,
    bots: &mut Bots,
    contest: &mut Contest<'_>,
    options: &mut RunOptions<'_>,
) -> Result<(), ArenaError> {
    let ledger = Ledger::of_record(plan, store)?;
    let mut run =
        Run { plan, first: store.next(), total: plan.schedule.episodes(), ledger, store, contest, options };
    let mut none = BotSet::default();
    match bots.sets.as_mut_slice() {
        [] => run.one_by_one(game, &mut none),
        [only] => run.one_by_one(game, only),
        sets => run.side_by_side(game, sets),
    }
}

/// A run, episode after episode in order.
struct Run<'r, 'c, 'o> {
    plan: &'r Plan,
    ledger: Ledger<'r>,
    store: &'r mut Store,
    contest: &'r mut Contest<'c>,
    options: &'r mut RunOptions<'o>,
    first: u64,
    total: u64,
}

impl Run<'_, '_, '_> {
    /// Whether it is to stop. It has played at least one episode then, so that stopping and going on gets somewhere.
    fn is_stopped(&self) -> bool {
        self.store.next() > self.first && self.options.stop.is_stopped()
    }

    fn one_by_one(&mut self, game: &dyn AnyGame, bots: &mut BotSet) -> Result<(), ArenaError> {
        let mut repeat = self.next_repeat();
        while self.store.next() < self.total && !self.is_stopped() {
            if self.store.next() == repeat {
                bots.forget();
                repeat = self.next_repeat();
            }
            let pairing = self.plan.schedule.pairing(self.store.next());
            let standings = self.ledger.standings(&pairing.seats);
            if self.take(play(self.plan, game, bots, pairing, standings)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Where the deals begin that were played before the next episode, or are until then.
    fn next_repeat(&self) -> u64 {
        self.plan.schedule.next_repeat(self.store.next())
    }

    /// Takes the next episode into the record. Returns whether the sequential test has ended the match.
    fn take(&mut self, played: Played) -> Result<bool, ArenaError> {
        let Played { mut row, seats, .. } = played;
        self.ledger.add(&mut row, &seats);
        self.contest.add(&row);
        self.store.append(&[row])?;
        self.options.progress.update(self.store.next(), self.total, "");
        Ok(self.contest.is_over(self.store.next()))
    }

    /// Every set of bots plays episodes of its own, up to where deals come again: then all of them begin anew, so that
    /// nobody who knows a deal lives while another plays it.
    fn side_by_side(&mut self, game: &dyn AnyGame, sets: &mut [BotSet]) -> Result<(), ArenaError> {
        let plan = self.plan;
        loop {
            let (done, inbox) = channel();
            let over = std::thread::scope(|scope| {
                let mut tables = Vec::with_capacity(sets.len());
                for (table, bots) in sets.iter_mut().enumerate() {
                    let (orders, received) = channel();
                    let done = done.clone();
                    scope.spawn(move || serve(plan, game, bots, table, &received, &done));
                    tables.push(orders);
                }
                drop(done);
                // The tables end when their orders do.
                self.direct(tables, &inbox)
            })?;
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

    /// Has episodes played up to where deals come again, or have to: they are taken in order, and what one of them has
    /// changed for a bot (a ban) is only known then, so those that were played too early are played again. Returns
    /// whether the sequential test has ended the match.
    fn direct(
        &mut self,
        tables: Vec<Sender<Order>>,
        inbox: &Receiver<(usize, Result<Played, ArenaError>)>,
    ) -> Result<bool, ArenaError> {
        let end = self.next_repeat();
        // A slow episode must not let the others run ahead without end.
        let ahead = 8 * tables.len() as u64;
        let mut idle: Vec<usize> = (0..tables.len()).collect();
        let mut early: BTreeMap<u64, Played> = BTreeMap::new();
        let mut too_early = false;
        let mut upcoming = self.store.next();
        loop {
            while !too_early && let Some(played) = early.remove(&self.store.next()) {
                too_early = played.standings != self.ledger.standings(&played.row.pairing.seats);
                if !too_early && self.take(played)? {
                    return Ok(true);
                }
            }
            while !too_early
                && !self.is_stopped()
                && upcoming < end.min(self.store.next() + ahead)
                && let Some(table) = idle.pop()
            {
                let pairing = self.plan.schedule.pairing(upcoming);
                let standings = self.ledger.standings(&pairing.seats);
                // A table that has gone away has panicked; the end of the scope tells.
                let _ = tables[table].send(Order { pairing, standings });
                upcoming += 1;
            }
            if idle.len() == tables.len() {
                return Ok(false);
            }
            let Ok((table, played)) = inbox.recv() else { return Ok(false) };
            idle.push(table);
            let played = played?;
            early.insert(played.row.pairing.index, played);
        }
    }
}

/// An episode to be played.
struct Order {
    pairing: Pairing,
    standings: Vec<Standing>,
}

/// Plays what is ordered at one table.
fn serve(
    plan: &Plan,
    game: &dyn AnyGame,
    bots: &mut BotSet,
    table: usize,
    orders: &Receiver<Order>,
    done: &Sender<(usize, Result<Played, ArenaError>)>,
) {
    for Order { pairing, standings } in orders {
        if done.send((table, play(plan, game, bots, pairing, standings))).is_err() {
            return;
        }
    }
}

/// Plays one episode.
fn play(
    plan: &Plan,
    game: &dyn AnyGame,
    bots: &mut BotSet,
    pairing: Pairing,
    standings: Vec<Standing>,
) -> Result<Played, ArenaError> {
    let absent = game.info().filler.map(AgentSpec::parse);
    let mut gone: Vec<Option<Gone>> = standings.iter().map(|own| Gone::of(plan, *own)).collect();
    let seed = plan.schedule.seed_of(pairing.group);
    let candidates = bots.at_table(&pairing.seats);
    let mut players = Vec::with_capacity(game.seats());
    for (((own, standing), gone), bot) in pairing.seats.iter().zip(&standings).zip(&mut gone).zip(candidates)
    {
        let competitor = &plan.competitors[usize::from(*own)];
        players.push(match (competitor.agent(), standing, gone, bot) {
            (Some(agent), ..) => Who::Native(agent),
            (None, Standing::Banned, ..) => absent.clone().map_or(Who::Nobody, Who::Native),
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
    policy.keep_replay = plan.replays != Keep::None;
    let record = play_episode(game, seed, &mut seats, &policy)?;
    drop(seats);
    let seats = record.seats.clone();
    let mut row = row_of_record(pairing, record);
    if plan.replays == Keep::Faulted && row.faults.is_empty() {
        row.replay = None;
    }
    Ok(Played { row, seats, standings })
}

/// A bot that is not started any more.
struct Gone(Fault);

impl Gone {
    fn of(plan: &Plan, standing: Standing) -> Option<Self> {
        let Standing::GivenUp(code) = standing else { return None };
        let detail = format!("given up after {} restarts", plan.limits.restarts);
        Some(Self(Fault::new(code, detail).fatal()))
    }
}

impl Player for Gone {
    fn start(&mut self, _start: &Start<'_>) -> Result<Usage, Fault> {
        Err(self.0.clone())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, _turn: &Turn<'_>) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn poll_answer(&mut self) -> Result<Option<Answer>, Fault> {
        Err(self.0.clone())
    }

    fn answer(&mut self) -> Result<Answer, Fault> {
        Err(self.0.clone())
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}

    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        Fault::new(code, detail).fatal()
    }
}
