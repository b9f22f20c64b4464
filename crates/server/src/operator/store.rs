//! The operator's actions in the database file (closed tables, bans, deletions), and statistics of the file.

use rusqlite::{Connection, Transaction, params};

use crate::store::{FileChange, Store, StoreError, damaged};

/// An action of the operator, or a deletion of old tables.
#[derive(Clone, Debug)]
pub enum OperatorWrite {
    Close {
        table: String,
        reason: String,
        /// The time of the closing, in seconds since 1970.
        at: i64,
    },
    Ban {
        address: String,
        /// The time of the ban, in seconds since 1970.
        at: i64,
    },
    Pardon {
        address: String,
    },
    /// The deletion of old tables: finished ones, and those without any person's action.
    Forget {
        /// Tables that ended before this time are deleted, in seconds since 1970; `None` keeps all finished
        /// tables.
        before: Option<i64>,
        /// Tables without any person's action are deleted if opened before this time, in seconds since 1970.
        untouched_before: i64,
        /// Tables in use, which stay.
        but: Vec<String>,
    },
}

/// Statistics of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holdings {
    /// The size of the database in bytes, without its write-ahead log.
    pub bytes: u64,
    /// Numbers of rows, by kind.
    pub rows: Vec<(&'static str, u64)>,
}

impl FileChange for OperatorWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        match self {
            Self::Close { table, reason, at } => {
                change
                    .prepare_cached("update game set closed = ?, ended = coalesce(ended, ?) where id = ?")?
                    .execute(params![reason, at, table])?;
            }
            Self::Ban { address, at } => {
                change
                    .prepare_cached("insert or ignore into ban values(?, ?)")?
                    .execute(params![address, at])?;
            }
            Self::Pardon { address } => {
                change.prepare_cached("delete from ban where address = ?")?.execute([address])?;
            }
            Self::Forget { before, untouched_before, but } => {
                // Two kinds of entries show a person's action: decisions with the identifier of a message,
                // and changes of a seat's holder.
                let mut old = change.prepare_cached(
                    "select id from game where ended < ?1 or (ended is null and created < ?2 and not exists \
                 (select 1 from entry where game = game.id \
                  and (entry like '%\"id\":%' or entry like '{\"seated\":%')))",
                )?;
                let old = old.query_map(params![before, untouched_before], |row| row.get(0))?;
                let old: Vec<String> = old.collect::<Result<_, _>>()?;
                for table in old.iter().filter(|table| !but.contains(table)) {
                    for query in [
                        "delete from entry where game = ?",
                        "delete from key where game = ?",
                        "delete from sitting where game = ?",
                        "delete from game where id = ?",
                    ] {
                        change.prepare_cached(query)?.execute([table])?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Store {
    pub async fn bans(&self) -> Result<Vec<String>, StoreError> {
        let read = |file: &Connection| {
            let mut query = file.prepare_cached("select address from ban order by address")?;
            query.query_map([], |row| row.get(0))?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("bans", &error))
    }

    pub async fn holdings(&self) -> Result<Holdings, StoreError> {
        let read = |file: &Connection| -> rusqlite::Result<Holdings> {
            let number = |query: &str| {
                file.prepare_cached(query)?.query_row([], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
            };
            let rows = [
                ("tables being played", "select count(*) from game where ended is null"),
                ("tables that are over", "select count(*) from game where ended is not null"),
                ("steps", "select count(*) from entry"),
                ("uploads", "select count(*) from replay"),
                ("runs of the laboratory", "select count(*) from job"),
                ("competitions", "select count(*) from competition"),
            ];
            let rows = rows.map(|(name, query)| number(query).map(|count| (name, count)));
            Ok(Holdings {
                bytes: number("pragma page_count")? * number("pragma page_size")?,
                rows: rows.into_iter().collect::<Result<_, _>>()?,
            })
        };
        self.read(read).await?.map_err(|error| damaged("file", &error))
    }
}
