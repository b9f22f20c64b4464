//! Members in the file: names, what is kept of passwords, who is logged in, and whose seats are whose.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Listed, Store, StoreError, damaged};
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
    /// What is kept of its password.
    pub password: String,
    /// Whether the operator has locked it.
    pub locked: bool,
}

/// A table at which a member sits, or sat.
#[derive(Clone, Debug)]
pub struct OwnTable {
    /// Which.
    pub table: Listed,
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

/// Whose seats of a table are whose.
pub(super) fn sitting(file: &Connection, table: &str) -> rusqlite::Result<Vec<(String, usize)>> {
    let mut query = file.prepare_cached("select account, seat from sitting where game = ?")?;
    query.query_map([table], |row| Ok((row.get(0)?, row.get::<_, u32>(1)? as usize)))?.collect()
}

impl Store {
    /// The account whose name is this, as names are compared.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>, StoreError> {
        let folded = folded.to_owned();
        let read = move |file: &Connection| {
            let row = |row: &rusqlite::Row<'_>| {
                let locked = row.get::<_, Option<i64>>(3)?.is_some();
                Ok(AccountRow { id: row.get(0)?, name: row.get(1)?, password: row.get(2)?, locked })
            };
            file.prepare_cached("select id, name, password, locked from account where folded = ?")?
                .query_row([folded], row)
                .optional()
        };
        self.read(read).await?.map_err(|error| damaged("accounts", &error))
    }

    /// Browsers that have been logged in since this time; others are forgotten.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn sessions(&self, since: i64) -> Result<Vec<Session>, StoreError> {
        let read = move |file: &Connection| {
            file.prepare_cached("delete from session where began <= ?")?.execute([since])?;
            let mut query = file.prepare_cached(
                "select session.hash, session.id, session.account, account.name, session.began, session.browser \
                 from session join account on account.id = session.account",
            )?;
            let row = |row: &rusqlite::Row<'_>| {
                Ok(Session {
                    hash: row.get(0)?,
                    id: row.get(1)?,
                    account: row.get(2)?,
                    name: row.get(3)?,
                    began: row.get(4)?,
                    browser: row.get(5)?,
                })
            };
            query.query_map([], row)?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("sessions", &error))
    }

    /// The last tables at which a member sits or sat, newest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn tables_of(&self, account: &str, most: usize) -> Result<Vec<OwnTable>, StoreError> {
        let account = account.to_owned();
        let read = move |file: &Connection| {
            let mut query = file.prepare_cached(
                "select game.id, game.game, game.ended, group_concat(sitting.seat) \
                 from sitting join game on game.id = sitting.game where sitting.account = ? \
                 group by game.id order by game.created desc, game.id limit ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| {
                let over = row.get::<_, Option<i64>>(2)?.is_some();
                let table = Listed { id: row.get(0)?, game: row.get(1)?, over };
                let mut seats: Vec<usize> =
                    row.get::<_, String>(3)?.split(',').filter_map(|seat| seat.parse().ok()).collect();
                seats.sort_unstable();
                Ok(OwnTable { table, seats })
            };
            query.query_map(params![account, most as i64], row)?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("sitting", &error))
    }

    /// How many members there are, and the names of those that are locked.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn members(&self) -> Result<(u64, Vec<String>), StoreError> {
        let read = |file: &Connection| {
            let count = file
                .prepare_cached("select count(*) from account")?
                .query_row([], |row| row.get::<_, i64>(0))?;
            let mut query =
                file.prepare_cached("select name from account where locked is not null order by folded")?;
            let locked = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            Ok::<_, rusqlite::Error>((count.unsigned_abs(), locked))
        };
        self.read(read).await?.map_err(|error| damaged("accounts", &error))
    }
}
