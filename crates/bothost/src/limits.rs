//! Clocks and limits.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use crate::usage::Usage;

/// What thinking time is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClockBasis {
    /// CPU time of the bot's process and of everything that it has started, all threads. Load of the machine does
    /// not matter. The wall clock is only a ceiling.
    #[default]
    Cpu,
    /// Time on the wall.
    Wall,
}

/// The thinking time of one seat in one episode: a bank, and an increment after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clock {
    /// For the answer to `start`, beside the bank.
    pub start_ms: u64,
    /// At the beginning.
    pub bank_ms: u64,
    /// Whether the answer to `start` comes out of the bank, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub start_in_bank: bool,
    /// Added after every move.
    pub increment_ms: u64,
    /// The most a single move may take, whatever is in the bank; `None` for the bank alone.
    #[serde(deserialize_with = "number_or_none")]
    pub move_ms: Option<u64>,
    /// What is counted.
    pub basis: ClockBasis,
    /// With [`ClockBasis::Cpu`]: a move may take this many times its CPU budget on the wall …
    pub wall_factor: u32,
    /// … and this much more, so that a busy machine costs nobody a game.
    pub wall_slack_ms: u64,
    /// With [`ClockBasis::Cpu`]: getting ready and all moves of an episode together may take [`wall_factor`] times
    /// their CPU time on the wall, and this much more. Who sleeps does not hold an episode up any longer.
    ///
    /// [`wall_factor`]: Self::wall_factor
    pub episode_slack_ms: u64,
}

impl Default for Clock {
    /// 5 s and 50 ms a move, at most 2 s for one, on CPU time; 15 s of sleep in an episode.
    fn default() -> Self {
        Self {
            start_ms: 2_000,
            bank_ms: 5_000,
            start_in_bank: false,
            increment_ms: 50,
            move_ms: Some(2_000),
            basis: ClockBasis::Cpu,
            wall_factor: 5,
            wall_slack_ms: 2_000,
            episode_slack_ms: 15_000,
        }
    }
}

impl Clock {
    /// The same clock with many times its time, for machines that are slower and busier.
    pub(crate) fn eased(&self) -> Self {
        const EASE: u64 = 20;
        let eased = |ms: u64| ms.saturating_mul(EASE);
        Self {
            start_ms: eased(self.start_ms),
            bank_ms: eased(self.bank_ms),
            increment_ms: eased(self.increment_ms),
            move_ms: self.move_ms.map(eased),
            wall_slack_ms: eased(self.wall_slack_ms),
            episode_slack_ms: eased(self.episode_slack_ms),
            ..*self
        }
    }

    /// The longest that a wait for this much budget can take on the wall.
    pub fn ceiling(&self, budget: Duration) -> Duration {
        match self.basis {
            ClockBasis::Wall => budget,
            ClockBasis::Cpu => {
                self.explained(budget).saturating_add(Duration::from_millis(self.wall_slack_ms))
            }
        }
    }

    /// How much of a time on the wall nobody but the player is to blame for: what is beyond its CPU time, even on a
    /// machine that is busy [`wall_factor`](Self::wall_factor) times over. Zero if the clock counts time on the
    /// wall, or CPU time could not be measured.
    pub fn slept(&self, used: Usage) -> Duration {
        match (self.basis, used.cpu_us) {
            (ClockBasis::Cpu, Some(cpu_us)) => {
                let wall = Duration::from_micros(used.wall_us);
                wall.saturating_sub(self.explained(Duration::from_micros(cpu_us)))
            }
            _ => Duration::ZERO,
        }
    }

    /// Time on the wall that so much CPU time may take.
    fn explained(&self, cpu: Duration) -> Duration {
        cpu.saturating_mul(self.wall_factor.max(1))
    }
}

/// A limit as people write it where there is no null: a number, or the word `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number, or \"none\"")]
pub enum NumberOrNone<T> {
    /// So much.
    Number(T),
    /// No limit.
    None(NoLimit),
}

/// The word `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoLimit {
    /// No limit.
    None,
}

impl<T> NumberOrNone<T> {
    /// The number, if there is one.
    pub fn number(self) -> Option<T> {
        match self {
            Self::Number(number) => Some(number),
            Self::None(NoLimit::None) => None,
        }
    }
}

fn number_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(Option::<NumberOrNone<u64>>::deserialize(deserializer)?.and_then(NumberOrNone::number))
}

/// What a process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// From launch to the bot's `hello`, on the wall.
    pub launch_ms: u64,
    /// From `bye` and the end of input to the end of the process; then it is killed.
    pub shutdown_ms: u64,
    /// Longest line that the bot may send.
    pub line_bytes: usize,
    /// Bytes on stderr in one episode. What comes beyond is dropped and counted, which is no fault; the tail is kept in
    /// any case.
    pub stderr_bytes: u64,
    /// Bytes of the tail of stderr that are kept.
    pub stderr_tail_bytes: usize,
    /// Memory of all processes of the bot together, and private writable memory of each (`RLIMIT_DATA`).
    pub memory_mib: u64,
    /// Processes and threads of the bot.
    pub processes: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// Size of its scratch folder, and of the largest file in it; it may hold 64 files for each MiB.
    pub disk_mib: u64,
    /// CPU seconds of each process over its whole life; a backstop behind the clock.
    pub cpu_s: u64,
    /// How often a bot that went away is started again, over the life of the [`BotProcess`](crate::BotProcess). A
    /// tournament counts over its episodes instead, whichever process played them.
    pub restarts: u32,
    /// Whether the bot is stopped while others think, with everything that it has started.
    pub freeze: bool,
}

impl Limits {
    /// Sets the limit of this name, as in `stderr_bytes` and `4096`.
    ///
    /// # Errors
    /// If there is none of this name, or the value is none of its kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut all = serde_json::to_value(*self).expect("plain data");
        let fields = all.as_object_mut().expect("a struct is an object");
        let Some(field) = fields.get_mut(name) else {
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            let meant = meeple_core::did_you_mean(name, names.iter().copied());
            return Err(format!("expected one of {}, found '{name}'\nhint: {meant}", names.join(", ")));
        };
        let kind = if field.is_boolean() { "true or false" } else { "a whole number" };
        let wrong = || format!("{name}: expected {kind}, found '{value}'");
        *field = serde_json::from_str(value).map_err(|_| wrong())?;
        *self = serde_json::from_value(all).map_err(|_| wrong())?;
        Ok(())
    }

    /// Memory of all processes of a bot together, whatever form it has: what one process may have, the files in its
    /// scratch folder if that is in memory, and what the kernel itself needs for them.
    pub(crate) fn total_bytes(&self) -> u64 {
        (self.memory_mib + self.disk_mib + 32) << 20
    }

    /// Files and folders in the scratch folder: 16 KiB each on average.
    pub(crate) fn files(&self) -> u64 {
        self.disk_mib * 64
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            launch_ms: 20_000,
            shutdown_ms: 500,
            line_bytes: 1 << 20,
            stderr_bytes: 16 << 20,
            stderr_tail_bytes: 8 << 10,
            memory_mib: 512,
            processes: 64,
            open_files: 256,
            disk_mib: 16,
            cpu_s: 24 * 3600,
            restarts: 5,
            freeze: true,
        }
    }
}
