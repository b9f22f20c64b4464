//! Members in the file: names, password hashes, sessions, and seats.

use rusqlite::{Transaction, params};

use crate::accounts::Session;
use crate::key::KeyHash;

pub const TABLES: &str = "
create table account(
    id text primary key, name text not null, folded text not null unique, password text not null, created int not null,
    locked int
) without rowid, strict;
create table session(
    hash blob primary key, id text not null, account text not null, began int not null, browser text not null
) without rowid, strict;
create table sitting(game text not null, seat int not null, account text not null, primary key(game, seat))
    without rowid, strict;
create index sitting_by_account on sitting(account);
";

#[derive(Clone, Debug)]
pub struct AccountRow {
    pub id: String,
    pub name: String,
    /// For comparisons.
    pub folded: String,
    pub password: String,
    pub locked: bool,
}

/// A table at which a member sits, or sat.
#[derive(Clone, Debug)]
pub struct OwnTable {
    pub id: String,
    pub game: String,
    pub over: bool,
    pub seats: Vec<usize>,
}

/// A change of members.
#[derive(Clone, Debug)]
pub enum AccountWrite {
    Create {
        id: String,
        name: String,
        folded: String,
        password: String,
        /// In seconds since 1970.
        at: i64,
    },
    Password {
        account: String,
        password: String,
    },
    /// A lock, or its removal.
    Lock {
        account: String,
        /// In seconds since 1970; `None` unlocks.
        at: Option<i64>,
    },
    Delete {
        account: String,
    },
    Begin(Session),
    End {
        /// The hash of its key.
        hash: KeyHash,
    },
    EndAll {
        account: String,
        /// A session to keep.
        but: Option<KeyHash>,
    },
    Sit {
        account: String,
        table: String,
        seat: usize,
    },
}

pub(super) fn apply(change: &Transaction<'_>, write: &AccountWrite) -> rusqlite::Result<()> {
    match write {
        AccountWrite::Create { id, name, folded, password, at } => {
            change
                .prepare_cached(
                    "insert or ignore into account(id, name, folded, password, created) values(?, ?, ?, ?, ?)",
                )?
                .execute(params![id, name, folded, password, at])?;
        }
        AccountWrite::Password { account, password } => {
            change
                .prepare_cached("update account set password = ? where id = ?")?
                .execute([password, account])?;
        }
        AccountWrite::Lock { account, at } => {
            change
                .prepare_cached("update account set locked = ? where id = ?")?
                .execute(params![at, account])?;
        }
        AccountWrite::Delete { account } => {
            for query in [
                "delete from session where account = ?",
                "delete from sitting where account = ?",
                "delete from account where id = ?",
            ] {
                change.prepare_cached(query)?.execute([account])?;
            }
        }
        AccountWrite::Begin(Session { hash, id, account, began, browser, .. }) => {
            change.prepare_cached("insert into session values(?, ?, ?, ?, ?)")?.execute(params![
                hash.as_slice(),
                id,
                account,
                began,
                browser
            ])?;
        }
        AccountWrite::End { hash } => {
            change.prepare_cached("delete from session where hash = ?")?.execute([hash.as_slice()])?;
        }
        AccountWrite::EndAll { account, but } => {
            change
                .prepare_cached("delete from session where account = ? and hash is not ?")?
                .execute(params![account, but.as_ref().map(KeyHash::as_slice)])?;
        }
        AccountWrite::Sit { account, table, seat } => {
            change.prepare_cached("insert or replace into sitting values(?, ?, ?)")?.execute(params![
                table,
                *seat as i64,
                account
            ])?;
        }
    }
    Ok(())
}
