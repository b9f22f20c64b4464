//! Actions and chance outcomes, each with one text form.

use std::fmt;
use std::str::FromStr;

use crate::cards::{Card, Effect, MAX_CHARTS};
use crate::tiles::{Dir, Kind};
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_DEALT, MAX_MYTHICAL_DISTANCE, MAX_SEATS};

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Action {
    /// `pick N`: the player's next Adventurer.
    Pick(u8),
    /// `go D`: leave the tile over this side.
    Go(Dir),
    /// `gust D`: roll the die for a way against the wind.
    Gust(Dir),
    /// `wait`: spend a move on the tile.
    Wait,
    /// `end`: end the Adventurer's turn.
    #[default]
    End,
    /// `chart N`: try a carried map tile.
    Chart(u8),
    /// `draw`: draw from the pile instead.
    Draw,
    /// `wealth`: take the reward for a discovery.
    Wealth,
    /// `card`: draw a Discovery card instead.
    Card,
    /// `trade`: at a wonder.
    Trade,
    /// `collect`: an own Agent's wealth.
    Collect,
    /// `rest`: at an Agent.
    Rest,
    /// `attack agent`: the one on the tile.
    AttackAgent,
    /// `restore`: the own dispossessed Agent.
    Restore,
    /// `attack adventurer S.N`: Adventurer N of seat S.
    Attack {
        /// The other player.
        seat: u8,
        /// Which of the other player's Adventurers.
        adventurer: u8,
    },
    /// `court`: the disaster.
    Court,
    /// `place`: an Agent on this tile.
    Place,
    /// `courier N`: send wealth to own Agent N.
    Courier(u8),
    /// `done`: nothing (more) here.
    Done,
    /// `send K`: how much the courier takes.
    Send(u16),
    /// `relocate N`: take own Agent N from where it is.
    Relocate(u8),
    /// `bank K`: move K wealth from Chest to Vault.
    Bank(u16),
    /// `hire adventurer`: at this city.
    HireAdventurer,
    /// `hire agent X Y`: an Agent for the tile at (X, Y).
    HireAgent {
        /// Place, east.
        x: i16,
        /// Place, north.
        y: i16,
    },
    /// `equip EFFECT`: use a Technology of the hand.
    Equip(Effect),
    /// `keep`: change nothing.
    Keep,
    /// `drop N`: put a carried map tile away.
    Drop(u8),
    /// `name EFFECT`: choose one of the two cards drawn.
    Name(Effect),
}

/// Reach of the places that an Agent can be hired for: all tiles in a row beyond the farthest city.
const REACH: i16 = MAX_MYTHICAL_DISTANCE + 1 + MAX_DEALT as i16;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Pick(adventurer) => write!(f, "pick {adventurer}"),
            Action::Go(dir) => write!(f, "go {dir}"),
            Action::Gust(dir) => write!(f, "gust {dir}"),
            Action::Wait => f.write_str("wait"),
            Action::End => f.write_str("end"),
            Action::Chart(chart) => write!(f, "chart {chart}"),
            Action::Draw => f.write_str("draw"),
            Action::Wealth => f.write_str("wealth"),
            Action::Card => f.write_str("card"),
            Action::Trade => f.write_str("trade"),
            Action::Collect => f.write_str("collect"),
            Action::Rest => f.write_str("rest"),
            Action::AttackAgent => f.write_str("attack agent"),
            Action::Restore => f.write_str("restore"),
            Action::Attack { seat, adventurer } => write!(f, "attack adventurer {seat}.{adventurer}"),
            Action::Court => f.write_str("court"),
            Action::Place => f.write_str("place"),
            Action::Courier(agent) => write!(f, "courier {agent}"),
            Action::Done => f.write_str("done"),
            Action::Send(wealth) => write!(f, "send {wealth}"),
            Action::Relocate(agent) => write!(f, "relocate {agent}"),
            Action::Bank(wealth) => write!(f, "bank {wealth}"),
            Action::HireAdventurer => f.write_str("hire adventurer"),
            Action::HireAgent { x, y } => write!(f, "hire agent {x} {y}"),
            Action::Equip(effect) => write!(f, "equip {effect}"),
            Action::Keep => f.write_str("keep"),
            Action::Drop(chart) => write!(f, "drop {chart}"),
            Action::Name(effect) => write!(f, "name {effect}"),
        }
    }
}

/// Reads a whole number without sign, leading zeros or blanks, up to `most`.
fn number(text: &str, most: u16) -> Result<u16, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse()
        .ok()
        .filter(|number| plain && *number <= most)
        .ok_or_else(|| format!("expected a number from 0 to {most}, found '{text}'"))
}

fn place(text: &str) -> Result<i16, String> {
    text.parse()
        .ok()
        .filter(|at: &i16| at.abs() <= REACH && at.to_string() == text)
        .ok_or_else(|| format!("expected a coordinate from -{REACH} to {REACH}, found '{text}'"))
}

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let small = |text: &str, bound: usize| number(text, bound as u16 - 1).map(|number| number as u8);
        Ok(match words.as_slice() {
            ["pick", which] => Action::Pick(small(which, MAX_ADVENTURERS)?),
            ["go", dir] => Action::Go(dir.parse()?),
            ["gust", dir] => Action::Gust(dir.parse()?),
            ["wait"] => Action::Wait,
            ["end"] => Action::End,
            ["chart", which] => Action::Chart(small(which, MAX_CHARTS)?),
            ["draw"] => Action::Draw,
            ["wealth"] => Action::Wealth,
            ["card"] => Action::Card,
            ["trade"] => Action::Trade,
            ["collect"] => Action::Collect,
            ["rest"] => Action::Rest,
            ["attack", "agent"] => Action::AttackAgent,
            ["restore"] => Action::Restore,
            ["attack", "adventurer", target] => {
                let (seat, adventurer) = target
                    .split_once('.')
                    .ok_or_else(|| format!("expected SEAT.NUMBER as in 1.0, found '{target}'"))?;
                let (seat, adventurer) = (small(seat, MAX_SEATS)?, small(adventurer, MAX_ADVENTURERS)?);
                Action::Attack { seat, adventurer }
            }
            ["court"] => Action::Court,
            ["place"] => Action::Place,
            ["courier", agent] => Action::Courier(small(agent, MAX_AGENTS)?),
            ["done"] => Action::Done,
            ["send", wealth] => Action::Send(number(wealth, MAX_CHEST)?),
            ["relocate", agent] => Action::Relocate(small(agent, MAX_AGENTS)?),
            ["bank", wealth] => Action::Bank(number(wealth, MAX_CHEST)?),
            ["hire", "adventurer"] => Action::HireAdventurer,
            ["hire", "agent", x, y] => Action::HireAgent { x: place(x)?, y: place(y)? },
            ["equip", effect] => Action::Equip(effect.parse()?),
            ["keep"] => Action::Keep,
            ["drop", which] => Action::Drop(small(which, MAX_CHARTS)?),
            ["name", effect] => Action::Name(effect.parse()?),
            _ => {
                return Err(format!(
                    "expected an action such as 'go n', 'wait', 'end' or 'done', found '{text}'"
                ));
            }
        })
    }
}

/// What chance does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// `start S`: this seat begins.
    Start(u8),
    /// `gust` or `calm`: the wind die.
    Gust(bool),
    /// `tile KIND` or `tile KIND again`: the tile drawn, and whether it had been put back before.
    Tile {
        /// What it is.
        kind: Kind,
        /// Whether it is one of those that were put back into the pile.
        again: bool,
    },
    /// `won` or `lost`: a conflict, from the attacker's side.
    Conflict(bool),
    /// `person EFFECT`: a Named-Adventurer card.
    Person(Effect),
    /// `card CARD`: a Discovery card.
    Card(Card),
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Start(seat) => write!(f, "start {seat}"),
            Chance::Gust(gust) => f.write_str(if *gust { "gust" } else { "calm" }),
            Chance::Tile { kind, again } => write!(f, "tile {kind}{}", if *again { " again" } else { "" }),
            Chance::Conflict(won) => f.write_str(if *won { "won" } else { "lost" }),
            Chance::Person(effect) => write!(f, "person {effect}"),
            Chance::Card(card) => write!(f, "card {card}"),
        }
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.split_once(' ').unwrap_or((text, "")) {
            ("start", seat) => Chance::Start(number(seat, MAX_SEATS as u16 - 1)? as u8),
            ("gust", "") => Chance::Gust(true),
            ("calm", "") => Chance::Gust(false),
            ("tile", tile) => match tile.strip_suffix(" again") {
                Some(kind) => Chance::Tile { kind: kind.parse()?, again: true },
                None => Chance::Tile { kind: tile.parse()?, again: false },
            },
            ("won", "") => Chance::Conflict(true),
            ("lost", "") => Chance::Conflict(false),
            ("person", effect) => Chance::Person(effect.parse()?),
            ("card", card) => Chance::Card(card.parse()?),
            _ => {
                return Err(format!(
                    "expected a chance outcome such as 'tile water WWWW' or 'gust', found '{text}'"
                ));
            }
        })
    }
}
