//! What the operator does and looks at: tables that were ended, addresses that are turned away, what the file holds.

use rusqlite::{Transaction, params};

/// What a file of an earlier form lacks.
pub const TABLES: &str = "
alter table game add column closed text;
create table ban(address text primary key, created int not null) without rowid, strict;
";

/// Something to be written by the operator, or for the time that things are kept.
#[derive(Clone, Debug)]
pub enum OperatorWrite {
    /// A table is ended.
    Close {
        /// Which.
        table: String,
        /// What its players are told.
        reason: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// An address is turned away.
    Ban {
        /// Which.
        address: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// It is let in again.
    Pardon {
        /// Which.
        address: String,
    },
    /// Tables that were over before a moment are forgotten, and those that were opened before another and at which nobody has done
    /// anything since.
    Forget {
        /// In seconds since 1970; none that are over if there is no such moment.
        before: Option<i64>,
        /// In seconds since 1970.
        untouched_before: i64,
        /// Those that somebody looks at stay.
        but: Vec<String>,
    },
}

/// What the file holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holdings {
    /// Its size in bytes, without what waits to be folded in.
    pub bytes: u64,
    /// What there is of everything: its name and how many.
    pub rows: Vec<(&'static str, u64)>,
}

pub(super) fn apply(change: &Transaction<'_>, write: &OperatorWrite) -> rusqlite::Result<()> {
    match write {
        OperatorWrite::Close { table, reason, at } => {
            change
                .prepare_cached("update game set closed = ?, ended = coalesce(ended, ?) where id = ?")?
                .execute(params![reason, at, table])?;
        }
        OperatorWrite::Ban { address, at } => {
            change.prepare_cached("insert or ignore into ban values(?, ?)")?.execute(params![address, at])?;
        }
        OperatorWrite::Pardon { address } => {
            change.prepare_cached("delete from ban where address = ?")?.execute([address])?;
        }
        OperatorWrite::Forget { before, untouched_before, but } => {
            // A person's decision has the name of its message, and whoever has sat down or left is an entry, too.
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
