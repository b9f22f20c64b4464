//! Clocks and limits.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use crate::usage::Usage;

/// The kind of time that counts as thinking time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClockBasis {
    /// CPU time of the bot's process and of all that it has started, all threads. The load of the machine
    /// does not matter; the wall clock is only a ceiling.
    #[default]
    Cpu,
    /// Wall time.
    Wall,
}

/// The thinking time of one seat in one episode: a bank, and an increment after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clock {
    /// Time in ms for the answer to `start`, beside the bank.
    pub start_ms: u64,
    /// The bank at the start of the episode, in ms.
    pub bank_ms: u64,
    /// If true, the answer to `start` is charged to the bank, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub start_in_bank: bool,
    /// Increment in ms after every move.
    pub increment_ms: u64,
    /// Upper bound in ms for a single move, even if the bank holds more; `None` for the bank alone.
    #[serde(deserialize_with = "number_or_none")]
    pub move_ms: Option<u64>,
    /// The time that is counted.
    pub basis: ClockBasis,
    /// With [`ClockBasis::Cpu`]: factor of the ceiling on a move's wall time, applied to its CPU budget.
    pub wall_factor: u32,
    /// Constant part in ms of the ceiling on a move's wall time, so that no player loses by the load of the
    /// machine.
    pub wall_slack_ms: u64,
    /// With [`ClockBasis::Cpu`]: start-up and all moves of an episode together may take [`wall_factor`] times
    /// their CPU time on the wall, plus this many ms. This bounds the delay that a sleeping bot can cause.
    ///
    /// [`wall_factor`]: Self::wall_factor
    pub episode_slack_ms: u64,
}

impl Default for Clock {
    /// A bank of 5 s plus 50 ms per move in CPU time, at most 2 s for one move. An episode has 15 s of sleep.
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
    /// The same clock with its times multiplied, for slower and busier machines.
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

    /// Largest wall time allowed for a budget.
    pub fn ceiling(&self, budget: Duration) -> Duration {
        match self.basis {
            ClockBasis::Wall => budget,
            ClockBasis::Cpu => {
                self.explained(budget).saturating_add(Duration::from_millis(self.wall_slack_ms))
            }
        }
    }

    /// The part of a wall time that the machine's load cannot explain: the excess over
    /// [`wall_factor`](Self::wall_factor) times the CPU time. Zero if the clock counts wall time, or CPU time
    /// was not measurable.
    pub fn slept(&self, used: Usage) -> Duration {
        match (self.basis, used.cpu_us) {
            (ClockBasis::Cpu, Some(cpu_us)) => {
                let wall = Duration::from_micros(used.wall_us);
                wall.saturating_sub(self.explained(Duration::from_micros(cpu_us)))
            }
            _ => Duration::ZERO,
        }
    }

    /// The wall time that this CPU time may take.
    fn explained(&self, cpu: Duration) -> Duration {
        cpu.saturating_mul(self.wall_factor.max(1))
    }
}

/// A limit in a notation without null: a number, or the word `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number, or \"none\"")]
pub enum NumberOrNone<T> {
    /// A limit of this number.
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
    /// Returns the number; `None` for no limit.
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

/// Upper bound on every number of [`Limits`]: 2⁴⁰, so that sums and units never overflow.
const MAX_NUMBER: u64 = 1 << 40;

fn bounded<'de, T: Deserialize<'de> + Copy + TryInto<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let number = T::deserialize(deserializer)?;
    if number.try_into().is_ok_and(|number| number <= MAX_NUMBER) {
        return Ok(number);
    }
    Err(serde::de::Error::custom(format!("expected a whole number up to {MAX_NUMBER}")))
}

/// Resource limits of a bot's process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Wall time in ms from launch to the bot's `hello`.
    #[serde(deserialize_with = "bounded")]
    pub launch_ms: u64,
    /// Time in ms for the process to end after `bye` and the end of its input; after that it is killed.
    #[serde(deserialize_with = "bounded")]
    pub shutdown_ms: u64,
    /// Longest line from the bot, in bytes.
    #[serde(deserialize_with = "bounded")]
    pub line_bytes: usize,
    /// Bytes on stderr in one episode. Excess bytes are dropped and counted, without a fault; the tail is
    /// always kept.
    #[serde(deserialize_with = "bounded")]
    pub stderr_bytes: u64,
    /// Bytes of the tail of stderr that are kept.
    #[serde(deserialize_with = "bounded")]
    pub stderr_tail_bytes: usize,
    /// Memory in MiB of all processes of the bot together, and private writable memory of each
    /// (`RLIMIT_DATA`).
    #[serde(deserialize_with = "bounded")]
    pub memory_mib: u64,
    /// Number of processes and threads of the bot together.
    #[serde(deserialize_with = "bounded")]
    pub processes: u64,
    /// Open files of each process.
    #[serde(deserialize_with = "bounded")]
    pub open_files: u64,
    /// Size in MiB of the bot's scratch folder, and of the largest file in it; at most 64 files per MiB.
    #[serde(deserialize_with = "bounded")]
    pub disk_mib: u64,
    /// CPU seconds of each process over its whole life; a backstop behind the clock.
    #[serde(deserialize_with = "bounded")]
    pub cpu_s: u64,
    /// Restarts of a bot that has ended, over the life of the [`BotProcess`](crate::BotProcess). A tournament
    /// instead counts over its episodes, across processes.
    pub restarts: u32,
    /// If true, the bot is stopped while others think, with all its descendants.
    pub freeze: bool,
}

impl Limits {
    /// Sets the limit of this name, as in `stderr_bytes` and `4096`.
    ///
    /// # Errors
    /// If the name is unknown, or the value has the wrong type or is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut all = serde_json::to_value(*self).expect("plain data");
        let fields = all.as_object_mut().expect("a struct is an object");
        let Some(field) = fields.get_mut(name) else {
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            let meant = meeple_core::did_you_mean(name, names.iter().copied());
            return Err(format!("expected one of {}, found '{name}'\nhint: {meant}", names.join(", ")));
        };
        let kind = if field.is_boolean() {
            "true or false".to_owned()
        } else {
            format!("a whole number up to {MAX_NUMBER}")
        };
        let wrong = || format!("{name}: expected {kind}, found '{value}'");
        *field = serde_json::from_str(value).map_err(|_| wrong())?;
        *self = serde_json::from_value(all).map_err(|_| wrong())?;
        Ok(())
    }

    /// Memory limit for all processes of a bot together, in bytes. It covers the memory of one process, the
    /// files in a scratch folder in memory, and the kernel's own overhead.
    pub(crate) fn total_bytes(&self) -> u64 {
        (self.memory_mib + self.disk_mib + 32) << 20
    }

    /// Limit of files and folders in the scratch folder: 16 KiB each on average.
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
