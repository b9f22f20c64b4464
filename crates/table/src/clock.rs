//! Clocks of people. Pure: the caller passes the time, in milliseconds since an epoch of the caller's choice.
//!
//! A person's time runs while a question to that person is open. Used time is deducted when the table goes
//! on. Until then [`Clocks::left`] computes the remaining time at a given moment.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Number of consecutive missed decisions at which a person loses the seat.
const MAX_MISSED: u32 = 3;
const SECOND_MS: u64 = 1000;
/// Permitted times: `LIMIT_MS` for each decision, `BANK_MS` for a whole game.
const LIMIT_MS: RangeInclusive<u64> = 5 * SECOND_MS..=3600 * SECOND_MS;
const BANK_MS: RangeInclusive<u64> = 10 * SECOND_MS..=3 * 3600 * SECOND_MS;
/// Largest permitted increment.
const MAX_INCREMENT_MS: u64 = 600 * SECOND_MS;

/// The thinking time of each person. As text, `30s` means 30 seconds for each decision. `10m+5s` means ten
/// minutes for the whole game, and five more seconds for each decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A limit for each decision.
    Decision {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
    /// A bank for the whole game, and an increment.
    Game {
        /// The bank at the start, in milliseconds.
        bank_ms: u64,
        /// Increment per decision, in milliseconds.
        increment_ms: u64,
    },
}

/// A text that is no valid time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "time: expected as in 30s (for each decision, 5s to 1h) or 10m+5s (for the game, 10s to 3h, and up to 10m more with each \
     decision), found '{0}'"
)]
pub struct NoTimeControl(pub String);

/// The consequence of running out of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOut {
    /// A substitute takes this decision.
    Decision,
    /// A substitute takes over the seat.
    Seat,
}

/// The remaining time of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Remaining time in milliseconds.
    pub ms: u64,
    /// True if the clock runs.
    pub runs: bool,
}

/// The clocks of all seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    seats: Vec<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seat {
    /// Remaining time when the clock was last started or stopped, in milliseconds.
    left_ms: u64,
    running: Option<Running>,
    /// Number of consecutive decisions taken by substitutes.
    missed: u32,
    /// True if a substitute takes the open decision.
    is_missing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    number: u64,
    since_ms: u64,
}

impl TimeControl {
    /// The time at the start, in milliseconds.
    fn beginning_ms(self) -> u64 {
        match self {
            Self::Decision { limit_ms } => limit_ms,
            Self::Game { bank_ms, .. } => bank_ms,
        }
    }

    /// The time control as a phrase, such as "30s for each decision".
    pub fn words(self) -> String {
        match self {
            Self::Decision { limit_ms } => format!("{} for each decision", spelled(limit_ms)),
            Self::Game { bank_ms, increment_ms: 0 } => format!("{} for the game", spelled(bank_ms)),
            Self::Game { bank_ms, increment_ms } => {
                format!(
                    "{} for the game, and {} more with each decision",
                    spelled(bank_ms),
                    spelled(increment_ms)
                )
            }
        }
    }
}

/// Formats whole seconds in the largest unit that divides them.
fn spelled(ms: u64) -> String {
    let seconds = ms / SECOND_MS;
    match seconds {
        1.. if seconds.is_multiple_of(3600) => format!("{}h", seconds / 3600),
        1.. if seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        _ => format!("{seconds}s"),
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Decision { limit_ms } => f.write_str(&spelled(limit_ms)),
            Self::Game { bank_ms, increment_ms } => {
                write!(f, "{}+{}", spelled(bank_ms), spelled(increment_ms))
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    fn from_str(text: &str) -> Result<Self, NoTimeControl> {
        let read = || match text.split_once('+') {
            None => {
                let limit_ms = duration_ms(text)?;
                LIMIT_MS.contains(&limit_ms).then_some(Self::Decision { limit_ms })
            }
            Some((bank, increment)) => {
                let (bank_ms, increment_ms) = (duration_ms(bank)?, duration_ms(increment)?);
                let fits = BANK_MS.contains(&bank_ms) && increment_ms <= MAX_INCREMENT_MS;
                fits.then_some(Self::Game { bank_ms, increment_ms })
            }
        };
        read().ok_or_else(|| NoTimeControl(text.to_owned()))
    }
}

fn duration_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return None,
    };
    let number = &text[..text.len() - 1];
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u64>().ok().filter(|_| is_number)?.checked_mul(seconds * SECOND_MS)
}

impl Clocks {
    /// Full clocks, without open questions.
    pub fn new(control: TimeControl, seats: usize) -> Self {
        Self::with_left(control, &vec![control.beginning_ms(); seats])
    }

    /// Clocks of a rebuilt table, with the remaining times [stored](Self::all_left) before, by seat. The time
    /// between storing and rebuilding is charged to nobody.
    pub fn with_left(control: TimeControl, left_ms: &[u64]) -> Self {
        let seat = |&left_ms: &u64| Seat { left_ms, running: None, missed: 0, is_missing: false };
        Self { control, seats: left_ms.iter().map(seat).collect() }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Updates the open questions after the table has gone on. `asked` has the number of the open question of
    /// each seat. A seat that has answered gets its increment or a new limit.
    ///
    /// # Panics
    /// If the length of `asked` differs from the number of seats.
    pub fn go_on(&mut self, now_ms: u64, asked: &[Option<u64>]) {
        assert_eq!(asked.len(), self.seats.len(), "every seat is asked or not");
        for (seat, &asked) in self.seats.iter_mut().zip(asked) {
            if seat.running.map(|running| running.number) == asked {
                continue;
            }
            if seat.running.is_some() {
                seat.left_ms = match self.control {
                    TimeControl::Decision { limit_ms } => limit_ms,
                    TimeControl::Game { increment_ms, .. } => seat.left_at(now_ms) + increment_ms,
                };
                if !std::mem::take(&mut seat.is_missing) {
                    seat.missed = 0;
                }
            }
            seat.running = asked.map(|number| Running { number, since_ms: now_ms });
        }
    }

    /// The remaining time of a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn left(&self, seat: usize, now_ms: u64) -> Left {
        let seat = &self.seats[seat];
        Left { ms: seat.left_at(now_ms), runs: seat.running.is_some() }
    }

    /// Time in milliseconds for which the question of a seat has been open; `None` without an open question.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn waited(&self, seat: usize, now_ms: u64) -> Option<u64> {
        Some(now_ms.saturating_sub(self.seats[seat].running?.since_ms))
    }

    /// Remaining times of all seats in milliseconds, for storing with a step.
    pub fn all_left(&self, now_ms: u64) -> Vec<u64> {
        self.seats.iter().map(|seat| seat.left_at(now_ms)).collect()
    }

    /// Time in milliseconds at which the next seat runs out of time, unless the table goes on before. `None`
    /// without open questions.
    pub fn next_end(&self) -> Option<u64> {
        self.seats.iter().filter_map(|seat| Some(seat.running?.since_ms.saturating_add(seat.left_ms))).min()
    }

    /// The first seat whose clock runs and has no time left.
    pub fn out(&self, now_ms: u64) -> Option<usize> {
        self.seats.iter().position(|seat| seat.running.is_some() && seat.left_at(now_ms) == 0)
    }

    /// Records that a seat has run out of time and a substitute decides. With a bank for the game, or after
    /// three consecutive missed decisions, the seat is lost.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn miss(&mut self, seat: usize) -> RunOut {
        let seat = &mut self.seats[seat];
        if !std::mem::replace(&mut seat.is_missing, true) {
            seat.missed += 1;
        }
        match self.control {
            TimeControl::Decision { .. } if seat.missed < MAX_MISSED => RunOut::Decision,
            _ => RunOut::Seat,
        }
    }
}

impl Seat {
    fn left_at(&self, now_ms: u64) -> u64 {
        let gone = self.running.map_or(0, |running| now_ms.saturating_sub(running.since_ms));
        self.left_ms.saturating_sub(gone)
    }
}
