//! Members in the file: names, what is kept of passwords, who is logged in, and whose seats are whose.

use rusqlite::{Transaction, params};

use crate::accounts::Session;
use crate::key::KeyHash;

/// What a file of an earlier form lacks.
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

/// An account.
#[derive(Clone, Debug)]
pub struct AccountRow {
    /// Its name in the file.
    pub id: String,
    /// What others call the member.
    pub name: String,
    /// The name as it is compared.
    pub folded: String,
    /// What is kept of its password.
    pub password: String,
    /// Whether the operator has locked it.
    pub locked: bool,
}

/// A table at which a member sits, or sat.
#[derive(Clone, Debug)]
pub struct OwnTable {
    /// Its name in addresses.
    pub id: String,
    /// `game/preset`.
    pub game: String,
    /// Whether it is over.
    pub over: bool,
    /// The seats.
    pub seats: Vec<usize>,
}

/// Something to be written of members.
#[derive(Clone, Debug)]
pub enum AccountWrite {
    /// Somebody becomes a member, unless the name is taken.
    Create {
        /// Its name in the file.
        id: String,
        /// What others call it.
        name: String,
        /// The name as it is compared.
        folded: String,
        /// What is kept of its password.
        password: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// It has another password.
    Password {
        /// Whose.
        account: String,
        /// What is kept of it.
        password: String,
    },
    /// It is locked from this time on, or no more.
    Lock {
        /// Which.
        account: String,
        /// When, in seconds since 1970.
        at: Option<i64>,
    },
    /// It is a member no more.
    Delete {
        /// Which.
        account: String,
    },
    /// A browser is logged in.
    Begin(Session),
    /// A browser is logged out.
    End {
        /// What is kept of its key.
        hash: KeyHash,
    },
    /// All browsers of a member are logged out, but for one perhaps.
    EndAll {
        /// Whose.
        account: String,
        /// The one that is not.
        but: Option<KeyHash>,
    },
    /// A member sits at a seat.
    Sit {
        /// Who.
        account: String,
        /// Which table.
        table: String,
        /// The seat.
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
