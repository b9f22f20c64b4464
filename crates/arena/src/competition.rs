//! Competitions by the rules of a game's original, as data: who is banned, who comes before whom, what files there are.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::plan::{Ban, Keep, OrderBy};
use crate::schedule::Kind;

/// The rules and the files of a competition. It fits every game that brings the [tool](Record) which writes its records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Competition {
    pub order: OrderBy,
    pub replays: Keep,
    /// Seat rotations of each deal: no others may be asked for.
    pub rotations: u16,
    /// Whether competitors keep the order of their numbers.
    pub fixed: bool,
    /// See [`FaultPolicy::strikes`](meeple_bothost::FaultPolicy::strikes).
    pub strikes: Option<u32>,
    pub ban: Ban,
    /// The same where everybody plays alone.
    pub alone_ban: Ban,
    pub ties: TieBreak,
    pub record: Record,
    pub files: Files,
}

/// The tournament that splits equals. The banned stay equal; an episode of it with one of them counts for nobody.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TieBreak {
    pub schedule: Kind,
    pub table: u16,
    pub deals: u64,
    /// Where its record is.
    pub folder: String,
}

/// The tool of a game that makes a record of its original out of a replay. In its arguments `{ids}` are the numbers of the
/// players by seats.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub tool: String,
    pub arguments: Vec<String>,
}

/// The names of files. In names of records `{episode}` is a number, `{first}` and `{second}` are who sits there; in those
/// of tournaments that split equals `{part}` is nothing for the first, then `-1`, `-2` and so on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {
    pub players: String,
    pub failed: String,
    pub ranks: String,
    /// Where everybody plays alone: wins and times, and the first line of it.
    pub alone: String,
    pub alone_header: String,
    pub record: String,
    pub summary: String,
    /// The same of tournaments that split equals, and who won each of their episodes.
    pub tie_record: String,
    pub tie_summary: String,
    pub tie_winners: String,
}

impl Competition {
    /// The competition of originals.
    pub fn original() -> &'static Self {
        static ORIGINAL: LazyLock<Competition> = LazyLock::new(|| {
            toml::from_str(include_str!("../competitions/original.toml")).expect("it is whole, as tests show")
        });
        &ORIGINAL
    }
}

/// A name with its places filled.
pub(crate) fn filled(name: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(name.to_owned(), |name, (place, text)| name.replace(place, text))
}
