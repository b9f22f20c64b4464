//! Tables in the database file.

use meeple_core::AnyEntry;
use meeple_replay::{compressed, read_text};
use meeple_table::{Entry, Holder};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::key::KeyHash;
use crate::replays::recorded::MAX_TEXT;
use crate::store::{FileChange, Store, StoreError, damaged};

#[derive(Clone, Debug)]
pub struct TableRow {
    /// The name of the table in addresses.
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// Parameters that differ from the preset.
    pub settings: Vec<(String, String)>,
    /// The version of the game's rules.
    pub rules: u32,
    /// The root seed.
    pub root: u64,
    pub holders: Vec<Holder>,
    /// Steps of the continued replay, played before the table opened.
    pub steps: Vec<String>,
    /// True if the table is listed publicly.
    pub listed: bool,
    /// The time of opening, in seconds since 1970.
    pub created: i64,
    /// The time control, as text.
    pub time: Option<String>,
}

impl TableRow {
    /// The settings that set up its game. A parameter that is newer than the table gets the value that
    /// matches the earlier rules.
    pub fn settings_for(&self, entry: &dyn AnyEntry) -> Vec<(String, String)> {
        entry.settings_of_stored(&self.settings, &serde_json::Value::Null)
    }
}

#[derive(Clone, Debug)]
pub struct Stored {
    pub row: TableRow,
    /// Entries that the table has accepted, in order.
    pub entries: Vec<Entry>,
    /// Hashes of keys, with the seats they open.
    pub keys: Vec<(KeyHash, usize)>,
    /// The identifier of the rematch, if it was opened.
    pub next: Option<String>,
    /// Accounts of members, with their seats.
    pub sitting: Vec<(String, usize)>,
    /// Remaining times at the last entry, by seat, in ms.
    pub left: Option<Vec<u64>>,
}

#[derive(Clone, Debug)]
pub struct Listed {
    pub id: String,
    /// `game/preset`.
    pub game: String,
    pub over: bool,
    /// Current holders, by seat.
    pub holders: Vec<Holder>,
    /// The time control, as text.
    pub time: Option<String>,
}

impl Listed {
    /// The seats that are open to anybody.
    pub fn open_seats(&self) -> Vec<usize> {
        let seats = self.holders.iter().enumerate();
        seats.filter(|(_, holder)| !self.over && **holder == Holder::Open).map(|(seat, _)| seat).collect()
    }
}

/// A change of a table in the file.
#[derive(Clone, Debug)]
pub enum TableWrite {
    Open(TableRow),
    /// Entries that a table has accepted.
    Append {
        table: String,
        /// The number of the first entry.
        first: usize,
        /// The entries, as JSON.
        entries: Vec<String>,
        /// The time of the end in seconds since 1970, if the table has ended.
        ended: Option<i64>,
        /// Remaining times, by seat, in ms.
        left: Option<Vec<u64>>,
    },
    Key {
        table: String,
        hash: KeyHash,
        seat: usize,
    },
    Next {
        /// The finished table.
        table: String,
        /// The rematch.
        next: String,
    },
    Sit {
        table: String,
        account: String,
        seat: usize,
    },
    /// Withdrawal of all keys and members from a seat.
    DropKeys {
        table: String,
        seat: usize,
    },
}

impl FileChange for TableWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        match self {
            Self::Open(TableRow {
                id,
                game,
                settings,
                rules,
                root,
                holders,
                steps,
                listed,
                created,
                time,
            }) => {
                let steps = (!steps.is_empty()).then(|| compressed(&json(steps)));
                change
                .prepare_cached(
                    "insert into game(id, game, settings, rules, root, holders, listed, created, steps, time) \
                 values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    id,
                    game,
                    json(settings),
                    rules,
                    format!("{root:016x}"),
                    json(holders),
                    listed,
                    created,
                    steps,
                    time
                ])?;
            }
            Self::Append { table, first, entries, ended, left } => {
                let mut insert = change.prepare_cached("insert into entry values(?, ?, ?)")?;
                for (number, entry) in (*first as i64..).zip(entries) {
                    insert.execute(params![table, number, entry])?;
                }
                if let Some(left) = left {
                    change
                        .prepare_cached("update game set left = ? where id = ?")?
                        .execute(params![json(left), table])?;
                }
                if let Some(ended) = ended {
                    change
                        .prepare_cached("update game set ended = ? where id = ? and ended is null")?
                        .execute(params![ended, table])?;
                }
            }
            Self::Key { table, hash, seat } => {
                change.prepare_cached("insert or replace into key values(?, ?, ?)")?.execute(params![
                    table,
                    hash.as_slice(),
                    *seat as i64
                ])?;
            }
            Self::Next { table, next } => {
                change
                    .prepare_cached("update game set next = ? where id = ?")?
                    .execute(params![next, table])?;
            }
            Self::Sit { table, account, seat } => {
                change.prepare_cached("insert or replace into sitting values(?, ?, ?)")?.execute(params![
                    table,
                    *seat as i64,
                    account
                ])?;
            }
            Self::DropKeys { table, seat } => {
                for query in [
                    "delete from key where game = ? and seat = ?",
                    "delete from sitting where game = ? and seat = ?",
                ] {
                    change.prepare_cached(query)?.execute(params![table, *seat as i64])?;
                }
            }
        }
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data is JSON")
}

pub fn stored(file: &Connection, table: &str) -> Result<Option<Stored>, StoreError> {
    let wrong = |error: rusqlite::Error| damaged(table, &error);
    let unread = |error: serde_json::Error| damaged(table, &error);
    let found = file
        .prepare_cached(
            "select game, settings, rules, root, holders, listed, created, next, steps, time, left from game where id = ?",
        )
        .map_err(wrong)?
        .query_row([table], |row| {
            let texts = [row.get::<_, String>(0)?, row.get(1)?, row.get(3)?, row.get(4)?];
            let rest = (row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?, row.get(10)?);
            Ok((texts, row.get::<_, u32>(2)?, rest))
        })
        .optional()
        .map_err(wrong)?;
    type Rest = (bool, i64, Option<String>, Option<Vec<u8>>, Option<String>, Option<String>);
    let Some(([game, settings, root, holders], rules, rest)) = found else { return Ok(None) };
    let (listed, created, next, steps, time, left): Rest = rest;
    let left = left.map(|text| serde_json::from_str(&text)).transpose().map_err(unread)?;
    let steps = match steps {
        None => Vec::new(),
        Some(packed) => {
            let text = read_text(packed, MAX_TEXT).map_err(|error| damaged(table, &error))?;
            serde_json::from_str(&text).map_err(unread)?
        }
    };
    let row = TableRow {
        id: table.to_owned(),
        game,
        settings: serde_json::from_str(&settings).map_err(unread)?,
        rules,
        root: u64::from_str_radix(&root, 16).map_err(|error| damaged(table, &error))?,
        holders: serde_json::from_str(&holders).map_err(unread)?,
        steps,
        listed,
        created,
        time,
    };
    let mut query = file
        .prepare_cached("select number, entry from entry where game = ? order by number")
        .map_err(wrong)?;
    let texts: Vec<(i64, String)> = query
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    let mut entries = Vec::with_capacity(texts.len());
    for (expected, (number, text)) in (0..).zip(texts) {
        if number != expected {
            return Err(damaged(table, &format!("expected entry {expected}, found {number}")));
        }
        entries.push(serde_json::from_str(&text).map_err(unread)?);
    }
    let mut query = file.prepare_cached("select hash, seat from key where game = ?").map_err(wrong)?;
    let keys = query
        .query_map([table], |row| Ok((row.get::<_, KeyHash>(0)?, row.get::<_, u32>(1)? as usize)))
        .and_then(Iterator::collect)
        .map_err(wrong)?;
    let sitting = sitting(file, table).map_err(wrong)?;
    Ok(Some(Stored { row, entries, keys, next, sitting, left }))
}

/// The members at a table, with their seats.
fn sitting(file: &Connection, table: &str) -> rusqlite::Result<Vec<(String, usize)>> {
    let mut query = file.prepare_cached("select account, seat from sitting where game = ?")?;
    query.query_map([table], |row| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize)))?.collect()
}

impl Store {
    /// Finds a table; `None` if there is none.
    pub async fn table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let table = id.to_owned();
        self.read(move |file| stored(file, &table)).await?
    }

    /// The latest public tables, newest first.
    pub async fn listed(&self, most: usize) -> Result<Vec<Listed>, StoreError> {
        let list = move |file: &Connection| {
            let mut query = file.prepare_cached(
                "select id, game, ended, holders, time from game where listed = 1 order by created desc, id limit ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| {
                let texts = (row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(3)?);
                Ok((texts, row.get::<_, Option<i64>>(2)?.is_some(), row.get::<_, Option<String>>(4)?))
            };
            let rows = query.query_map([most as i64], row)?.collect::<Result<Vec<_>, _>>()?;
            // Changes of holders since the start, for unfinished tables.
            let mut seated = file.prepare_cached(
                "select entry from entry where game = ? and entry like '{\"seated\"%' order by number",
            )?;
            rows.into_iter()
                .map(|((id, game, holders), over, time)| {
                    let changes = match over {
                        true => Vec::new(),
                        false => {
                            seated.query_map([&id], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?
                        }
                    };
                    Ok((id, game, holders, changes, over, time))
                })
                .collect::<rusqlite::Result<Vec<_>>>()
        };
        let rows = self.read(list).await?.map_err(|error| damaged("list", &error))?;
        let listed = rows.into_iter().map(|(id, game, holders, changes, over, time)| {
            let unread = |error: serde_json::Error| damaged(&id, &error);
            let mut holders: Vec<Holder> = serde_json::from_str(&holders).map_err(unread)?;
            for change in &changes {
                if let Entry::Seated { seat, holder } = serde_json::from_str(change).map_err(unread)?
                    && let Some(place) = holders.get_mut(seat)
                {
                    *place = holder;
                }
            }
            Ok(Listed { id, game, over, holders, time })
        });
        listed.collect()
    }

    /// The operator's reason for closing a table, if it is closed.
    pub async fn closed(&self, table: &str) -> Result<Option<String>, StoreError> {
        let name = table.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select closed from game where id = ?")?
                .query_row([name], |row| row.get::<_, Option<String>>(0))
                .optional()
        };
        Ok(self.read(read).await?.map_err(|error| damaged(table, &error))?.flatten())
    }
}
