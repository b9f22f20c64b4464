//! Schedules: pairings and seatings, as a function of an episode's number.
//!
//! Nothing is generated ahead: a schedule of ten million episodes takes no memory, and any slice of it can be
//! computed independently.

use std::collections::BTreeSet;
use std::ops::Range;

use meeple_core::{EpisodeSeed, Stream};
use serde::{Deserialize, Serialize};

use crate::seed::{Purpose, RootSeed};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// All competitors at one table.
    Single,
    /// Every set of competitors that fits at a table, equally often.
    RoundRobin,
    /// All competitors shuffled and dealt to tables, repeatedly.
    BattleRoyale,
    /// Every competitor against the anchors; competitors do not meet each other.
    Gauntlet,
    /// Every competitor alone with the game's fillers: all in the same deals, or each in its own
    /// ([`Schedule::own_deals`]). In stored records the kind is `vs-zombies`.
    #[serde(rename = "vs-zombies")]
    Alone,
}

impl Kind {
    pub const ALL: [Self; 5] =
        [Self::Single, Self::RoundRobin, Self::BattleRoyale, Self::Gauntlet, Self::Alone];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::RoundRobin => "round-robin",
            Self::BattleRoyale => "battle-royale",
            Self::Gauntlet => "gauntlet",
            Self::Alone => "vs-zombies",
        }
    }
}

/// A schedule: a pure function from episode numbers to pairings.
///
/// Episodes come in *deal groups*: the same deal, played in several seat rotations. The statistics take the
/// group as their unit.
///
/// A bot that has played a deal knows it, so with bots the rotations of a deal are not consecutive. Groups
/// form *blocks*, and a block is played rotation by rotation: all its groups in the first seating, then all
/// in the next. Bots restart between rotations, which is once per block and rotation instead of once per
/// episode. Groups are complete at the end of their block. In solo play of common deals, the competitors take
/// the role of rotations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    pub kind: Kind,
    pub competitors: u16,
    pub table: u16,
    /// Seat rotations of each deal, in `1..=table`.
    pub rotations: u16,
    /// Deals per table; in a battle royale, rounds.
    pub deals: u64,
    /// The anchors of a gauntlet; empty otherwise.
    pub anchors: Vec<u16>,
    /// If true, an incomplete rotation begins with the competitors in the order of their numbers, for games
    /// whose deal itself orders the seats. If false, it begins with a drawn seating.
    pub fixed: bool,
    /// Deal groups per block, played rotation by rotation; with 1 the rotations of a deal are consecutive.
    pub block: u64,
    /// In solo play: if true, every competitor has deals of its own, so no deal is played twice. False in
    /// plans of earlier releases.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_deals: bool,
    pub seed: RootSeed,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// Number of the episode, from 0.
    pub index: u64,
    /// Number of the deal group and of its deal, from 0.
    pub group: u64,
    /// Seat rotation within the group, from 0.
    pub rotation: u16,
    pub seats: Vec<u16>,
}

/// Upper bound on the number of groups before pairings repeat; larger schedules would never end.
const MAX_TABLES: u64 = 1 << 40;

impl Schedule {
    /// Checks that the numbers form a schedule.
    ///
    /// # Errors
    /// The expected and the found value.
    pub fn check(&self) -> Result<(), String> {
        let (competitors, table) = (self.competitors, self.table);
        let least = match self.kind {
            Kind::Alone | Kind::Single => 1,
            _ => 2,
        };
        if competitors < least {
            return Err(format!(
                "a {} schedule needs at least {least} competitors, found {competitors}",
                self.kind.name()
            ));
        }
        match self.kind {
            Kind::Single if table != competitors => {
                return Err(format!("expected a table of all {competitors} competitors, found {table}"));
            }
            Kind::Alone if table != 1 => {
                return Err(format!("expected a table of 1 against the fillers, found {table}"));
            }
            Kind::Gauntlet if usize::from(table) > self.anchors.len() + 1 => {
                return Err(format!(
                    "a table of {table} in a gauntlet needs {} anchors, found {}",
                    table.saturating_sub(1),
                    self.anchors.len()
                ));
            }
            Kind::Gauntlet if self.anchors.len() >= usize::from(competitors) => {
                return Err("a gauntlet needs a competitor that is no anchor, found none".into());
            }
            Kind::Gauntlet if !self.has_valid_anchors() => {
                return Err(format!(
                    "expected different anchors below {competitors}, found {:?}",
                    self.anchors
                ));
            }
            _ => {}
        }
        if table == 0 || table > competitors {
            return Err(format!("expected a table of 1 to {competitors} competitors, found {table}"));
        }
        if self.kind != Kind::Alone && self.kind != Kind::Single && table < 2 {
            return Err(format!("expected a table of at least 2 competitors, found {table}"));
        }
        if self.own_deals && self.kind != Kind::Alone {
            return Err(format!("expected deals of competitors' own in {} only", Kind::Alone.name()));
        }
        if self.rotations == 0 || self.rotations > table {
            return Err(format!("expected 1 to {table} seat rotations, found {}", self.rotations));
        }
        if self.deals == 0 {
            return Err("expected at least 1 deal, found 0".into());
        }
        if self.block == 0 {
            return Err("expected blocks of at least 1 deal group, found 0".into());
        }
        let episodes = self
            .tables()
            .filter(|tables| *tables <= MAX_TABLES)
            .and_then(|tables| tables.checked_mul(self.deals))
            .and_then(|groups| groups.checked_mul(u64::from(self.rotations)))
            .filter(|episodes| *episodes < 1 << 48);
        match episodes {
            Some(_) => Ok(()),
            None => Err(format!(
                "expected fewer than 2^48 episodes, found more: {} deals of every table of {table} out of {competitors}",
                self.deals
            )),
        }
    }

    fn has_valid_anchors(&self) -> bool {
        let different: BTreeSet<u16> = self.anchors.iter().copied().collect();
        different.len() == self.anchors.len() && different.iter().all(|anchor| *anchor < self.competitors)
    }

    /// Number of groups after which the pairings repeat with other deals.
    fn tables(&self) -> Option<u64> {
        let (competitors, table) = (u64::from(self.competitors), u64::from(self.table));
        match self.kind {
            Kind::Single => Some(1),
            Kind::Alone => Some(competitors),
            Kind::RoundRobin => choose(competitors, table),
            Kind::BattleRoyale => Some(competitors.div_ceil(table)),
            Kind::Gauntlet => {
                let anchors = self.anchors.len() as u64;
                choose(anchors, table - 1)?.checked_mul(competitors - anchors)
            }
        }
    }

    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn episodes(&self) -> u64 {
        self.tables().expect("checked") * self.deals * u64::from(self.rotations)
    }

    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn groups(&self) -> u64 {
        if self.is_shared() { self.deals } else { self.tables().expect("checked") * self.deals }
    }

    /// True if all competitors play the same deals alone.
    fn is_shared(&self) -> bool {
        self.kind == Kind::Alone && !self.own_deals
    }

    /// True if a deal is played more than once.
    ///
    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn repeats_deals(&self) -> bool {
        self.group_episodes() > 1
    }

    pub fn seed_of(&self, group: u64) -> EpisodeSeed {
        self.seed.deal(group)
    }

    /// The episodes of the block that an episode belongs to.
    ///
    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn block_of(&self, index: u64) -> Range<u64> {
        let (groups, each) = (self.groups(), self.group_episodes());
        let episodes = self.block.min(groups) * each;
        let begin = index / episodes * episodes;
        begin..(begin + episodes).min(groups * each)
    }

    /// The first episode after `index` at which deals repeat, from another seat or for another competitor;
    /// the number of episodes if there is none. All bots that have played must restart there, because they
    /// might pass information on.
    ///
    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn next_repeat(&self, index: u64) -> u64 {
        let (each, all) = (self.group_episodes(), self.episodes());
        if each == 1 {
            return all;
        }
        let end_of_rotation = |index: u64| {
            let block = self.block_of(index);
            let groups = (block.end - block.start) / each;
            block.start + ((index - block.start) / groups + 1) * groups
        };
        let end = end_of_rotation(index);
        // A block's last rotation and the next block's first have no deals in common.
        if end < all && self.block_of(end).start == end { end_of_rotation(end) } else { end }
    }

    /// True if `episodes` is 0 or the end of a block. Then all deal groups so far are complete.
    ///
    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn ends_block(&self, episodes: u64) -> bool {
        episodes.checked_sub(1).is_none_or(|last| self.block_of(last).end == episodes)
    }

    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn group_episodes(&self) -> u64 {
        if self.is_shared() { self.tables().expect("checked") } else { self.rotations.into() }
    }

    /// # Panics
    /// If the schedule does not pass [`check`](Self::check).
    pub fn pairing(&self, index: u64) -> Pairing {
        let tables = self.tables().expect("checked");
        let block = self.block_of(index);
        // The last block may have fewer groups.
        let groups = (block.end - block.start) / self.group_episodes();
        let (rotation, place) = ((index - block.start) / groups, (index - block.start) % groups);
        let (group, rotation) = (block.start / self.group_episodes() + place, rotation as usize);
        if self.is_shared() {
            return Pairing { index, group, rotation: 0, seats: vec![rotation as u16] };
        }
        let (cycle, number) = (group / tables, group % tables);
        let players = self.players(cycle, number);
        let seats = players.len();
        let seats = (0..seats).map(|seat| players[(seat + seats - rotation) % seats]).collect();
        Pairing { index, group, rotation: rotation as u16, seats }
    }

    /// Competitors at a table, in the order of the first rotation.
    fn players(&self, cycle: u64, number: u64) -> Vec<u16> {
        let table = self.table;
        let mut players = match self.kind {
            Kind::Single => (0..table).collect(),
            Kind::Alone => vec![number as u16],
            Kind::RoundRobin => combination(self.competitors, table, number),
            Kind::BattleRoyale => {
                let mut everybody: Vec<u16> = (0..self.competitors).collect();
                self.stream(cycle).shuffle(&mut everybody);
                let begin = number as usize * usize::from(table);
                // The last table is filled up with competitors of the first one.
                let seats = (begin..begin + usize::from(table)).map(|at| everybody[at % everybody.len()]);
                return seats.collect();
            }
            Kind::Gauntlet => {
                let anchors = self.anchors.len() as u16;
                let fields = choose(u64::from(anchors), u64::from(table) - 1).expect("checked");
                let candidate = (0..self.competitors)
                    .filter(|own| !self.anchors.contains(own))
                    .nth((number / fields) as usize)
                    .expect("there are as many tables as candidates times fields");
                let field = combination(anchors, table - 1, number % fields);
                let field = field.into_iter().map(|anchor| self.anchors[usize::from(anchor)]);
                std::iter::once(candidate).chain(field).collect()
            }
        };
        if self.rotations < table && !self.fixed {
            // Without full rotation, at least the first seating is drawn.
            self.stream(cycle ^ number << 32).shuffle(&mut players);
        }
        players
    }

    /// A random stream of the schedule, independent of all deals.
    fn stream(&self, key: u64) -> Stream {
        self.seed.stream(Purpose::Seats, key)
    }
}

/// The binomial coefficient; `None` if it exceeds 64 bits.
fn choose(from: u64, count: u64) -> Option<u64> {
    if count > from {
        return Some(0);
    }
    let mut ways: u128 = 1;
    for step in 0..count.min(from - count) {
        ways = ways * u128::from(from - step) / u128::from(step + 1);
        if ways > u128::from(u64::MAX) {
            return None;
        }
    }
    Some(ways as u64)
}

/// The set of `count` numbers below `from` with this number, in lexicographic order.
fn combination(from: u16, count: u16, mut number: u64) -> Vec<u16> {
    let mut chosen = Vec::with_capacity(usize::from(count));
    let mut next = 0;
    while chosen.len() < usize::from(count) {
        let left = u64::from(count) - chosen.len() as u64 - 1;
        let with = choose(u64::from(from - next) - 1, left).expect("checked");
        if number < with {
            chosen.push(next);
        } else {
            number -= with;
        }
        next += 1;
    }
    chosen
}
