//! Competitions by the rules of a game's original, as data: bans, ranking and output files.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::plan::{Ban, OrderBy, ReplayRetention};
use crate::schedule::Kind;

/// The rules and files of a competition. It fits every game that has the [tool](Record) for its records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Competition {
    pub order: OrderBy,
    pub replays: ReplayRetention,
    /// Seat rotations of each deal; requests for another number are refused.
    pub rotations: u16,
    /// See [`Schedule::fixed`](crate::schedule::Schedule::fixed).
    pub fixed: bool,
    /// See [`FaultPolicy::strikes`](meeple_bothost::FaultPolicy::strikes).
    pub strikes: Option<u32>,
    pub ban: Ban,
    pub alone_ban: Ban,
    pub ties: TieBreak,
    pub record: Record,
    pub files: Files,
}

/// The tie-break tournament. Competitors banned in it stay tied, and their episodes count for nobody.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TieBreak {
    pub schedule: Kind,
    pub table: u16,
    pub deals: u64,
    pub folder: String,
}

/// A game's converter from replays to records of its original. In its arguments `{ids}` stands for the
/// players' numbers by seat.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub tool: String,
    pub arguments: Vec<String>,
}

/// File names. In names of records `{episode}` is a number, and `{first}` and `{second}` are the players. In
/// names of tie-break files `{part}` is empty for the group with the most victories. It is `-1`, `-2` and so
/// on for the groups after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {
    pub players: String,
    pub failed: String,
    pub ranks: String,
    /// For solo play: the file of wins and times, and its header line.
    pub alone: String,
    pub alone_header: String,
    pub record: String,
    pub summary: String,
    pub tie_record: String,
    pub tie_summary: String,
    pub tie_winners: String,
}

impl Competition {
    pub fn original() -> &'static Self {
        static ORIGINAL: LazyLock<Competition> = LazyLock::new(|| {
            toml::from_str(include_str!("../competitions/original.toml")).expect("it is whole, as tests show")
        });
        &ORIGINAL
    }
}

pub(crate) fn filled(name: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(name.to_owned(), |name, (place, text)| name.replace(place, text))
}
