//! The plan of a load test.

use std::time::Duration;

use thiserror::Error;

use crate::report::LoadSetting;

pub const MAX_TABLES: usize = 10_000;
/// Maximal number of sockets, idle ones included. Each takes a port of this machine.
pub const MAX_SOCKETS: usize = 25_000;
pub const MAX_DURATION: Duration = Duration::from_secs(3600);
pub const MAX_KILLS: u64 = 10_000;

#[derive(Clone, Debug)]
pub struct LoadPlan {
    pub game: String,
    /// Tables played in parallel.
    pub tables: usize,
    /// Number of seats at each table that sockets play. They come first.
    pub people: usize,
    /// Agents of the server at the seats that follow.
    pub agents: Vec<String>,
    /// Spectators' sockets at each table.
    pub watchers: usize,
    /// True if each person also has the page open; messages to pages are counted separately.
    pub tabs: bool,
    /// Time between two answers at a table; zero for as fast as the server accepts them.
    pub every: Duration,
    pub time: Duration,
    /// Number of acknowledged answers after which the run ends early.
    pub answers: Option<u64>,
    /// Sockets that watch a table at which nothing happens.
    pub idle: usize,
    pub seed: u64,
    /// Number of kills of the server, which the test must have started itself. Above 0, `time` is ignored and
    /// all games are finished.
    pub kills: u64,
    /// Handling of broken connections.
    pub breaks: Breaks,
    /// A laboratory run on the same server in every other part of the time.
    pub beside: Option<Beside>,
}

/// A laboratory run on the tested server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beside {
    pub game: String,
    /// Agents of the run, in the words of `meeple sim`.
    pub line_up: Vec<String>,
}

/// Handling of broken connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Breaks {
    /// Broken connections count as errors.
    Unexpected,
    /// Broken connections are reopened, and all games are played to their end.
    Expected,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlanError(String);

impl LoadPlan {
    /// Checks the bounds of the plan.
    pub fn check(&self) -> Result<(), PlanError> {
        let expect = |name: &str, least: u64, most: u64, found: u64| {
            let fits = (least..=most).contains(&found);
            let wrong = || PlanError(format!("{name}: expected {least} to {most}, found {found}"));
            fits.then_some(()).ok_or_else(wrong)
        };
        expect("tables", 1, MAX_TABLES as u64, self.tables as u64)?;
        expect("people", 1, 8, self.people as u64)?;
        expect("seconds", 1, MAX_DURATION.as_secs(), self.time.as_secs())?;
        expect("kill", 0, MAX_KILLS, self.kills)?;
        let people = self.people * if self.tabs { 2 } else { 1 };
        let sockets =
            self.tables.saturating_mul(people.saturating_add(self.watchers)).saturating_add(self.idle);
        expect("sockets of tables and idle ones together", 1, MAX_SOCKETS as u64, sockets as u64)
    }

    /// The setting, as the report shows it.
    pub fn setting(&self) -> LoadSetting {
        LoadSetting {
            game: self.game.clone(),
            tables: self.tables,
            people: self.people,
            agents: self.agents.clone(),
            watchers: self.watchers,
            tabs: self.tabs,
            every: self.every.as_secs_f64(),
            seed: self.seed,
            idle: self.idle,
        }
    }
}
