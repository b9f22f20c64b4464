//! How much time people have. Pure: whoever has a clock tells the time, in milliseconds since whatever it likes.
//!
//! Time runs for a person while it is asked, and for nobody else. It is counted when the table goes on; in between
//! [`Clocks::left`] says what is left at a moment.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Decisions in a row that a person may miss before its seat is lost.
const MOST_MISSED: u32 = 3;
const SECOND_MS: u64 = 1000;
/// The least and the most time for a decision, and for a game.
const LIMIT_MS: RangeInclusive<u64> = 5 * SECOND_MS..=3600 * SECOND_MS;
const BANK_MS: RangeInclusive<u64> = 10 * SECOND_MS..=3 * 3600 * SECOND_MS;
/// The most that a decision adds.
const MOST_INCREMENT_MS: u64 = 600 * SECOND_MS;

/// How much time each person has. As a text: `30s` for each decision, `10m+5s` for all of the game and five seconds more with
/// each decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// So much for each decision.
    Decision {
        /// In milliseconds.
        limit_ms: u64,
    },
    /// So much for the game.
    Game {
        /// At its beginning, in milliseconds.
        bank_ms: u64,
        /// What a decision adds, in milliseconds.
        increment_ms: u64,
    },
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "time: expected as in 30s (for each decision, 5s to 1h) or 10m+5s (for the game, 10s to 3h, and up to 10m more with each \
     decision), found '{0}'"
)]
pub struct NoTimeControl(pub String);

/// What becomes of who has run out of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOut {
    /// Somebody else decides this once.
    Decision,
    /// Somebody else plays on.
    Seat,
}

/// What is left to a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// In milliseconds.
    pub ms: u64,
    /// Whether it runs.
    pub runs: bool,
}

/// The times of all seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    seats: Vec<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seat {
    /// What was left when its clock was last started or stopped.
    left_ms: u64,
    running: Option<Running>,
    /// Decisions in a row that others have taken for it.
    missed: u32,
    /// Whether somebody else takes the one that is asked.
    is_missing: bool,
}

/// Since when a question is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    number: u64,
    since_ms: u64,
}

impl TimeControl {
    /// What everybody begins with, in milliseconds.
    fn beginning_ms(self) -> u64 {
        match self {
            Self::Decision { limit_ms } => limit_ms,
            Self::Game { bank_ms, .. } => bank_ms,
        }
    }

    /// The same in words.
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

/// A whole number of seconds in its largest unit.
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
                let fits = BANK_MS.contains(&bank_ms) && increment_ms <= MOST_INCREMENT_MS;
                fits.then_some(Self::Game { bank_ms, increment_ms })
            }
        };
        read().ok_or_else(|| NoTimeControl(text.to_owned()))
    }
}

/// Reads a whole number with its unit.
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
    /// Full ones, at which nobody is asked yet.
    pub fn new(control: TimeControl, seats: usize) -> Self {
        Self::with_left(control, &vec![control.beginning_ms(); seats])
    }

    /// Those of a table that is made again, with what was [left](Self::all_left) when it was stored: what has passed since is
    /// nobody's.
    pub fn with_left(control: TimeControl, left_ms: &[u64]) -> Self {
        let seat = |&left_ms: &u64| Seat { left_ms, running: None, missed: 0, is_missing: false };
        Self { control, seats: left_ms.iter().map(seat).collect() }
    }

    /// How much time there is.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The table has gone on: from now on these questions are open, by seat. Whoever has answered gets what an answer brings.
    ///
    /// # Panics
    /// If there are not as many seats.
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

    /// What is left to a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn left(&self, seat: usize, now_ms: u64) -> Left {
        let seat = &self.seats[seat];
        Left { ms: seat.left_at(now_ms), runs: seat.running.is_some() }
    }

    /// How long the question of a seat has been open, in milliseconds; `None` if none is.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn waited(&self, seat: usize, now_ms: u64) -> Option<u64> {
        Some(now_ms.saturating_sub(self.seats[seat].running?.since_ms))
    }

    /// What is left to all, in milliseconds: to be stored with a step.
    pub fn all_left(&self, now_ms: u64) -> Vec<u64> {
        self.seats.iter().map(|seat| seat.left_at(now_ms)).collect()
    }

    /// When the next seat runs out, if the table does not go on before; nothing while nobody is asked.
    pub fn next_end(&self) -> Option<u64> {
        self.seats.iter().filter_map(|seat| Some(seat.running?.since_ms.saturating_add(seat.left_ms))).min()
    }

    /// The first seat that has run out.
    pub fn out(&self, now_ms: u64) -> Option<usize> {
        self.seats.iter().position(|seat| seat.running.is_some() && seat.left_at(now_ms) == 0)
    }

    /// A seat has run out, and somebody else decides. Whoever had so much for the game, or has missed three decisions in a row,
    /// has lost its seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn miss(&mut self, seat: usize) -> RunOut {
        let seat = &mut self.seats[seat];
        if !std::mem::replace(&mut seat.is_missing, true) {
            seat.missed += 1;
        }
        match self.control {
            TimeControl::Decision { .. } if seat.missed < MOST_MISSED => RunOut::Decision,
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
