//! The state of a search: its faults, with minimised cases.

use std::fmt::Write as _;

use meeple_core::Playable;

use super::case::Case;
use super::plan::Fuzz;
use super::play::Played;
use super::watched::Watched;
use crate::laws::fault::{BrokenLaw, Fault, short};
use crate::laws::panics;

/// One case in this many is also walked at random, under the laws of every step.
const WALKED: u64 = 8;
/// Number of distinct faults that ends the search.
const MAX_FAULTS: usize = 5;
/// Maximum number of cases tried while minimising a fault.
const MAX_SMALLER: usize = 200;

/// Statistics of a search.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct FuzzReport {
    /// Cases tried.
    pub cases: u64,
    /// Cases that were refused, with a reason.
    pub refused: u64,
    /// Cases that were cut, because their parameters make them long.
    pub cut: u64,
    /// Cases that were also walked at random.
    pub walked: u64,
    /// Steps of all checked episodes.
    pub steps: u64,
}

pub(super) struct Search<'f, G: Playable> {
    fuzz: &'f Fuzz<G>,
    report: FuzzReport,
    found: Vec<((&'static str, String), BrokenLaw)>,
    watched: Option<&'f Watched>,
}

impl<'f, G: Playable> Search<'f, G> {
    pub(super) fn new(fuzz: &'f Fuzz<G>, watched: Option<&'f Watched>) -> Self {
        Self { fuzz, report: FuzzReport::default(), found: Vec::new(), watched }
    }

    pub(super) fn try_case(&mut self, case: &Case) {
        if self.found.len() >= MAX_FAULTS {
            return;
        }
        let walk = self.report.cases.is_multiple_of(WALKED);
        self.report.cases += 1;
        if let Some(watched) = self.watched {
            watched.begin(self.fuzz.command(case, &case.agents));
        }
        match panics::catch(|| self.fuzz.play(case, walk)) {
            Ok(Played::Refused) => self.report.refused += 1,
            Ok(Played::Cut(steps)) => {
                self.report.cut += 1;
                self.report.steps += steps as u64;
            }
            Ok(Played::Whole(steps)) => self.report.steps += steps as u64,
            Err(fault) => self.remember(case, walk, fault),
        }
        self.report.walked += u64::from(walk);
    }

    fn remember(&mut self, case: &Case, walk: bool, fault: Fault) {
        let signature = signature(&fault);
        if self.found.iter().any(|(known, _)| *known == signature) {
            return;
        }
        let (case, fault) = self.fuzz.smaller(case, walk, fault);
        let broken = self.fuzz.broken(&case, fault);
        if self.watched.is_some() {
            eprintln!("{broken}\n");
        }
        self.found.push((signature, broken));
    }

    pub(super) fn result(self) -> Result<FuzzReport, Vec<BrokenLaw>> {
        if self.found.is_empty() {
            return Ok(self.report);
        }
        Err(self.found.into_iter().map(|(_, broken)| broken).collect())
    }
}

impl<G: Playable> Fuzz<G> {
    fn fault_of(&self, case: &Case, walk: bool) -> Option<Fault> {
        panics::catch(|| self.play(case, walk)).err()
    }

    /// Minimises the case, as long as it keeps the same fault.
    fn smaller(&self, case: &Case, walk: bool, fault: Fault) -> (Case, Fault) {
        let (mut best, mut best_fault) = (case.clone(), fault);
        let mut tries = 0;
        loop {
            let next = candidates(&best).into_iter().find_map(|candidate| {
                tries += 1;
                if tries > MAX_SMALLER {
                    return None;
                }
                let fault = self.fault_of(&candidate, walk)?;
                (signature(&fault) == signature(&best_fault)).then_some((candidate, fault))
            });
            match next {
                Some(smaller) => (best, best_fault) = smaller,
                None => return (best, best_fault),
            }
        }
    }

    fn broken(&self, case: &Case, fault: Fault) -> BrokenLaw {
        let mut message = format!("{}\n", short(&fault.what));
        let seated = panics::catch(|| match self.set_up(case)? {
            Some(game) => self.seated(&game, case),
            None => Ok(Vec::new()),
        });
        // If even the set-up fails, the command has the named players.
        let line_up = seated.unwrap_or_else(|_| case.line_up(case.named));
        let _ = write!(message, "as in: {}", self.command(case, &line_up));
        BrokenLaw { law: fault.law, message }
    }
}

/// Smaller cases: with one setting, agent, argument or player less, or with a single agent.
fn candidates(case: &Case) -> Vec<Case> {
    let mut smaller = Vec::new();
    for index in 0..case.set.len() {
        let mut less = case.clone();
        less.set.remove(index);
        smaller.push(less);
    }
    if case.agents.len() > 1 {
        for agent in &case.agents {
            smaller.push(Case { agents: vec![agent.clone()], ..case.clone() });
        }
        for index in 0..case.agents.len() {
            let mut less = case.clone();
            less.agents.remove(index);
            smaller.push(less);
        }
    }
    for (index, agent) in case.agents.iter().enumerate() {
        // An argument's value may be a list with commas, which extends to the next name.
        let mut given: Vec<Vec<&str>> = Vec::new();
        for item in agent.arguments.split(',') {
            match given.last_mut() {
                Some(list) if !item.contains('=') => list.push(item),
                _ => given.push(vec![item]),
            }
        }
        for left_out in 0..given.len() {
            let mut less = case.clone();
            let kept = given.iter().enumerate().filter(|(at, _)| *at != left_out);
            let kept: Vec<&str> = kept.flat_map(|(_, items)| items.iter().copied()).collect();
            less.agents[index].arguments = kept.join(",");
            if less.agents != case.agents {
                smaller.push(less);
            }
        }
    }
    if case.named > 1 {
        smaller.push(Case { named: case.named - 1, ..case.clone() });
    }
    smaller
}

/// Identity of a fault: the law, and for a panic its place.
fn signature(fault: &Fault) -> (&'static str, String) {
    let place = fault.what.lines().next().filter(|_| fault.law == "no-panic");
    (fault.law, place.unwrap_or_default().to_owned())
}
