//! Checks of bots' conduct: faults, forfeits and bans, against each other and the plan's rules.

use std::collections::VecDeque;
use std::ops::Range;

use meeple_bothost::{FaultRecord, OnFault, Then};

use crate::error::ArenaError;
use crate::ledger::Offences;
use crate::plan::{CompetitorKind, TournamentPlan};
use crate::row::{PlayedEpisode, SeatTiming};
use crate::store::{FaultRow, RecordStore};

#[derive(Default)]
pub(super) struct Own {
    pub faults: Vec<FaultRecord>,
    pub times: Vec<SeatTiming>,
    /// Seats with competitors banned earlier.
    pub banned: Vec<usize>,
}

/// Faults, times and bans, followed through the episodes.
pub(super) struct Conduct<'p> {
    plan: &'p TournamentPlan,
    /// Competitor, episode, reason.
    bans: Vec<(u16, u64, String)>,
    offences: Vec<Offences>,
    faults: VecDeque<FaultRow>,
    times: VecDeque<(u64, SeatTiming)>,
}

impl<'p> Conduct<'p> {
    pub fn new(plan: &'p TournamentPlan, store: &RecordStore) -> Result<Self, ArenaError> {
        Ok(Self {
            plan,
            bans: store.bans()?,
            offences: vec![Offences::default(); plan.competitors.len()],
            faults: VecDeque::new(),
            times: VecDeque::new(),
        })
    }

    pub fn read(&mut self, store: &RecordStore, episodes: Range<u64>) -> Result<(), ArenaError> {
        self.faults = store.faults_of(episodes.clone())?.into();
        // The store gives the faults in the order of their ids, which altered rows may violate. The check of
        // each episode detects alterations.
        self.faults.make_contiguous().sort_by_key(|fault| fault.episode);
        self.times.clear();
        let times = &mut self.times;
        store.each_time_of(episodes, |episode, time| times.push_back((episode, time)))
    }

    pub fn check(&mut self, row: &PlayedEpisode) -> Result<Own, String> {
        let (index, mut own) = (row.pairing.index, Own::default());
        while self.times.front().is_some_and(|(episode, _)| *episode == index) {
            own.times.extend(self.times.pop_front().map(|(_, time)| time));
        }
        let mut stored = Vec::new();
        while self.faults.front().is_some_and(|fault| fault.episode == index) {
            stored.extend(self.faults.pop_front());
        }
        for (seat, competitor) in row.pairing.seats.iter().enumerate() {
            if self.bans.iter().any(|(banned, since, _)| banned == competitor && *since < index) {
                own.banned.push(seat);
            }
        }
        for fault in &stored {
            own.faults.push(self.read_fault(row, fault)?);
        }
        self.check_times(row, &own)?;
        self.check_consequences(row, &own)?;
        self.check_bans(row, &own)?;
        Ok(own)
    }

    fn may_have_faults(&self, row: &PlayedEpisode, own: &Own, seat: usize) -> bool {
        row.pairing.seats.get(seat).is_some_and(|competitor| {
            self.plan.competitors[usize::from(*competitor)].kind == CompetitorKind::Bot
        }) && !own.banned.contains(&seat)
    }

    /// Parses the fault of a row and compares it with the row's columns.
    fn read_fault(&self, row: &PlayedEpisode, stored: &FaultRow) -> Result<FaultRecord, String> {
        let fault: FaultRecord = serde_json::from_str(&stored.record)
            .map_err(|error| format!("a fault is stored that cannot be read: {error}"))?;
        if serde_json::to_string(&fault).expect("a fault is plain data") != stored.record {
            return Err("expected the text of a fault, found other spaces or keys".to_owned());
        }
        let recorded = (stored.seat, stored.code.as_str(), stored.detail.as_str(), stored.step);
        let own = (fault.seat.index(), fault.fault.code.name(), fault.fault.detail.as_str(), fault.step);
        let competitor = row.pairing.seats.get(stored.seat).copied();
        if recorded != own || competitor != Some(stored.competitor) {
            return Err(format!(
                "a fault is stored as {recorded:?} of competitor {}, but is {own:?} of competitor {}",
                stored.competitor,
                competitor.map_or("none".to_owned(), |own| own.to_string())
            ));
        }
        Ok(fault)
    }

    fn check_times(&self, row: &PlayedEpisode, own: &Own) -> Result<(), String> {
        let due = (0..row.pairing.seats.len()).filter(|seat| self.may_have_faults(row, own, *seat));
        let due: Vec<(usize, u16)> = due.map(|seat| (seat, row.pairing.seats[seat])).collect();
        let found: Vec<(usize, u16)> =
            own.times.iter().map(|time| (usize::from(time.seat), time.competitor)).collect();
        if due != found {
            return Err(format!("expected times of seats and competitors {due:?}, found {found:?}"));
        }
        // A decision counts by its CPU time, or by its wall time where CPU time is not measured.
        let all_us = |time: &SeatTiming| time.wall_us.max(time.cpu_us.unwrap_or(0));
        match own.times.iter().find(|time| time.longest_us > all_us(time)) {
            None => Ok(()),
            Some(time) => Err(format!(
                "expected at most {} µs for the longest decision of seat {}, found {}",
                all_us(time),
                time.seat,
                time.longest_us
            )),
        }
    }

    /// Checks that each fault led to the plan's consequence, and the resulting forfeits.
    fn check_consequences(&self, row: &PlayedEpisode, own: &Own) -> Result<(), String> {
        let policy = &self.plan.faults;
        let mut counts = vec![0; row.pairing.seats.len()];
        let mut out = vec![false; counts.len()];
        for fault in &own.faults {
            let seat = fault.seat.index();
            if !self.may_have_faults(row, own, seat) {
                return Err(format!("a fault of seat {seat}, where no bot plays"));
            }
            if out[seat] {
                return Err(format!("a fault of seat {seat} after it was out"));
            }
            counts[seat] += 1;
            let then = Then::from(policy.rule().consequence(counts[seat], fault.fault.severity()));
            if fault.then != then {
                return Err(format!(
                    "fault {} of seat {seat}: expected {then:?} after it, found {:?}",
                    counts[seat], fault.then
                ));
            }
            out[seat] = then == Then::Out;
        }
        let forfeits =
            (0..counts.len()).filter(|seat| policy.on_fault == OnFault::Forfeit && counts[*seat] > 0);
        let forfeits: Vec<u16> = forfeits.map(|seat| seat as u16).collect();
        if forfeits == row.forfeits {
            return Ok(());
        }
        Err(format!("forfeits: the faults lead to {forfeits:?}, stored {:?}", row.forfeits))
    }

    /// Checks that the plan's rule gives exactly the stored bans, from the stored times and faults.
    fn check_bans(&mut self, row: &PlayedEpisode, own: &Own) -> Result<(), String> {
        let index = row.pairing.index;
        let timed = |competitor: u16| own.times.iter().any(|time| time.competitor == competitor);
        if let Some((banned, _, _)) =
            self.bans.iter().find(|(banned, episode, _)| *episode == index && !timed(*banned))
        {
            return Err(format!("a ban of competitor {banned}, which is no bot that played here"));
        }
        for time in &own.times {
            let (seat, competitor) = (usize::from(time.seat), usize::from(time.competitor));
            let mut faults = own.faults.iter().filter(|fault| fault.seat.index() == seat).peekable();
            let faulted = faults.peek().is_some();
            // A timed-out decision counts at least its time limit.
            let raised = faults.map(|fault| {
                let used = fault.fault.used.unwrap_or_default();
                let used_us = used.cpu_us.unwrap_or(used.wall_us);
                fault.fault.allowed_us.unwrap_or_default().saturating_sub(used_us)
            });
            let counted_us = raised.fold(time.cpu_us.unwrap_or(time.wall_us), u64::saturating_add);
            let due = self.offences[competitor].add(self.plan, time, counted_us, faulted);
            let found =
                self.bans.iter().find(|(banned, episode, _)| *banned == time.competitor && *episode == index);
            let found = found.map(|(_, _, reason)| reason);
            if due.as_ref() != found {
                let shown = |reason: Option<&String>| reason.map_or("none".to_owned(), Clone::clone);
                return Err(format!(
                    "a ban of competitor {competitor}: the times and faults lead to '{}', stored '{}'",
                    shown(due.as_ref()),
                    shown(found)
                ));
            }
        }
        Ok(())
    }

    /// Problems with stored rows that belong to no episode.
    pub fn leftovers(&self, store: &RecordStore) -> Result<Vec<String>, ArenaError> {
        let mut problems = Vec::new();
        for table in ["faults", "times", "bans"] {
            match store.strays(table)? {
                0 => {}
                count => problems.push(format!("the table {table}: {count} rows of no stored episode")),
            }
        }
        match store.stray_drops()? {
            0 => {}
            count => problems.push(format!("the table dropped: {count} rows of no bot in a stored episode")),
        }
        Ok(problems)
    }
}
