use std::time::Duration;

use meeple_bothost::{ClockBasis, FaultCode, FaultRecord, SeatRecord, Usage};

use crate::error::ArenaError;
use crate::plan::{CompetitorKind, TournamentPlan};
use crate::row::{EpisodeRow, SeatTiming};
use crate::store::RecordStore;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Admission {
    Plays,
    /// The game's filler takes the seat, as if it were vacant; without a filler, the fallback action is
    /// played.
    Banned,
    /// The bot's process has died too often; the fault code is that of its last death.
    GivenUp(FaultCode),
}

/// Accounts of faults, deaths, waiting times and bans: a function of the earlier episodes, independent of
/// parallelism.
pub(crate) struct Ledger<'p> {
    plan: &'p TournamentPlan,
    accounts: Vec<Account>,
}

#[derive(Clone, Default)]
struct Account {
    banned: bool,
    offences: Offences,
    /// Number of faults that ended the bot's process.
    deaths: u64,
    last_death: Option<FaultCode>,
}

impl<'p> Ledger<'p> {
    pub fn of_record(plan: &'p TournamentPlan, store: &RecordStore) -> Result<Self, ArenaError> {
        let mut accounts = vec![Account::default(); plan.competitors.len()];
        for (competitor, _, _) in store.bans()? {
            accounts[usize::from(competitor)].banned = true;
        }
        // Last faulted episode, by competitor: faults of several bots in one episode are interleaved.
        let mut last = vec![None; accounts.len()];
        store.each_fault(&mut |episode, competitor, _, record| {
            let competitor = usize::from(competitor);
            let account = &mut accounts[competitor];
            account.offences.faulted_episodes +=
                u64::from(last[competitor].replace(episode) != Some(episode));
            if let Ok(fault) = serde_json::from_str::<FaultRecord>(record) {
                account.note(&fault);
            }
        })?;
        store.each_time(|_, time| {
            accounts[usize::from(time.competitor)].offences.waiting_us += waiting_us(plan, &time);
        })?;
        Ok(Self { plan, accounts })
    }

    pub fn admission(&self, competitor: u16) -> Admission {
        let account = &self.accounts[usize::from(competitor)];
        match account.last_death {
            _ if account.banned => Admission::Banned,
            Some(code) if account.deaths > u64::from(self.plan.limits.restarts) => Admission::GivenUp(code),
            _ => Admission::Plays,
        }
    }

    pub fn admissions(&self, seats: &[u16]) -> Vec<Admission> {
        seats.iter().map(|own| self.admission(*own)).collect()
    }

    /// Adds the next episode; stores the times of its bots and resulting bans in its row.
    pub fn add(&mut self, row: &mut EpisodeRow, seats: &[SeatRecord]) {
        for fault in &row.faults {
            if let Some(own) = row.pairing.seats.get(fault.seat.index()) {
                self.accounts[usize::from(*own)].note(fault);
            }
        }
        for (seat, own) in row.played.pairing.seats.iter().enumerate() {
            let account = &mut self.accounts[usize::from(*own)];
            if self.plan.competitors[usize::from(*own)].kind == CompetitorKind::Native || account.banned {
                continue;
            }
            let record = &seats[seat];
            let time = SeatTiming {
                seat: seat as u16,
                competitor: *own,
                asked: record.asked,
                fallbacks: record.fallbacks,
                start: record.start,
                cpu_us: record.used.cpu_us,
                wall_us: record.used.wall_us,
                longest_us: record.longest_us,
                dropped_bytes: record.dropped_bytes,
            };
            row.times.push(time);
            if let Some(reason) = account.offences.add(self.plan, &time, record.counted_us, record.faults > 0)
            {
                account.banned = true;
                row.bans.push((*own, reason));
            }
        }
    }
}

impl Account {
    fn note(&mut self, fault: &FaultRecord) {
        if !fault.fault.alive {
            self.deaths += 1;
            self.last_death = Some(fault.fault.code);
        }
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Offences {
    faulted_episodes: u64,
    waiting_us: u64,
}

impl Offences {
    /// Adds an episode; `counted_us` is the time that counts for the mean, in µs. Returns the reason of a
    /// resulting ban.
    pub fn add(
        &mut self,
        plan: &TournamentPlan,
        time: &SeatTiming,
        counted_us: u64,
        faulted: bool,
    ) -> Option<String> {
        self.faulted_episodes += u64::from(faulted);
        self.waiting_us += waiting_us(plan, time);
        let (ban, asked) = (plan.ban, time.asked);
        let mean_ms = counted_us as f64 / 1000.0 / asked.max(1) as f64;
        if ban.mean_ms > 0.0 && mean_ms > ban.mean_ms {
            return Some(format!(
                "expected at most {} ms per decision on average, found {mean_ms:.3} ms over {asked} decisions",
                ban.mean_ms
            ));
        }
        if ban.faulted_episodes > 0 && self.faulted_episodes >= ban.faulted_episodes {
            return Some(format!(
                "expected fewer than {} episodes with faults, found {}",
                ban.faulted_episodes, self.faulted_episodes
            ));
        }
        if ban.waiting_ms > 0 && self.waiting_us > ban.waiting_ms * 1000 {
            return Some(format!(
                "expected at most {} ms of waiting for it in all, found {} ms",
                ban.waiting_ms,
                self.waiting_us / 1000
            ));
        }
        None
    }
}

/// Time in µs for which a bot made the table wait beyond its allowance.
fn waiting_us(plan: &TournamentPlan, time: &SeatTiming) -> u64 {
    let clock = &plan.faults.clock;
    let used = time.start + Usage { cpu_us: time.cpu_us, wall_us: time.wall_us };
    let waited = match (clock.basis, used.cpu_us) {
        (ClockBasis::Cpu, Some(_)) => {
            clock.slept(used).saturating_sub(Duration::from_millis(clock.wall_slack_ms))
        }
        // The clock limits the wall time of moves, but not of the start, which may include the launch of a
        // process.
        _ => {
            let allowed = clock.ceiling(Duration::from_millis(clock.start_ms));
            Duration::from_micros(time.start.wall_us).saturating_sub(allowed)
        }
    };
    waited.as_micros() as u64
}
