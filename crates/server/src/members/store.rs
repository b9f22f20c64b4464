//! Members in the database file: names, password hashes, sessions, and seats.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::key::KeyHash;
use crate::members::accounts::Session;
use crate::store::{FileChange, Store, StoreError, damaged};

#[derive(Clone, Debug)]
pub struct AccountRow {
    pub id: String,
    pub name: String,
    /// The name in lower case, for comparisons.
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

/// A change of an account or a session.
#[derive(Clone, Debug)]
pub enum AccountWrite {
    Create {
        id: String,
        name: String,
        folded: String,
        password: String,
        /// The time of the registration, in seconds since 1970.
        at: i64,
    },
    Password {
        account: String,
        password: String,
    },
    /// A lock, or its removal.
    Lock {
        account: String,
        /// The time of the lock, in seconds since 1970; `None` unlocks.
        at: Option<i64>,
    },
    Delete {
        account: String,
    },
    Begin(Session),
    End {
        /// The hash of the session's key.
        hash: KeyHash,
    },
    EndAll {
        account: String,
        /// A session to keep.
        but: Option<KeyHash>,
    },
}

impl FileChange for AccountWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        match self {
            Self::Create { id, name, folded, password, at } => {
                change
                .prepare_cached(
                    "insert or ignore into account(id, name, folded, password, created) values(?, ?, ?, ?, ?)",
                )?
                .execute(params![id, name, folded, password, at])?;
            }
            Self::Password { account, password } => {
                change
                    .prepare_cached("update account set password = ? where id = ?")?
                    .execute([password, account])?;
            }
            Self::Lock { account, at } => {
                change
                    .prepare_cached("update account set locked = ? where id = ?")?
                    .execute(params![at, account])?;
            }
            Self::Delete { account } => {
                for query in [
                    "delete from session where account = ?",
                    "delete from sitting where account = ?",
                    "delete from account where id = ?",
                ] {
                    change.prepare_cached(query)?.execute([account])?;
                }
            }
            Self::Begin(Session { hash, id, account, began, browser, .. }) => {
                change.prepare_cached("insert into session values(?, ?, ?, ?, ?)")?.execute(params![
                    hash.as_slice(),
                    id,
                    account,
                    began,
                    browser
                ])?;
            }
            Self::End { hash } => {
                change.prepare_cached("delete from session where hash = ?")?.execute([hash.as_slice()])?;
            }
            Self::EndAll { account, but } => {
                change
                    .prepare_cached("delete from session where account = ? and hash is not ?")?
                    .execute(params![account, but.as_ref().map(KeyHash::as_slice)])?;
            }
        }
        Ok(())
    }
}

impl Store {
    /// The account of a folded name.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>, StoreError> {
        self.account_where("folded", folded).await
    }

    /// The account that is stored under the first of these folded names that exists.
    pub async fn account_called(&self, forms: &[String]) -> Result<Option<AccountRow>, StoreError> {
        for folded in forms {
            if let Some(found) = self.account_named(folded).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    pub async fn account_of(&self, id: &str) -> Result<Option<AccountRow>, StoreError> {
        self.account_where("id", id).await
    }

    async fn account_where(&self, column: &'static str, is: &str) -> Result<Option<AccountRow>, StoreError> {
        let is = is.to_owned();
        let read = move |file: &Connection| {
            let row = |row: &rusqlite::Row<'_>| {
                let locked = row.get::<_, Option<i64>>(4)?.is_some();
                let (id, name, folded, password) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(AccountRow { id, name, folded, password, locked })
            };
            let query = format!("select id, name, folded, password, locked from account where {column} = ?");
            file.prepare_cached(&query)?.query_row([is], row).optional()
        };
        self.read(read).await?.map_err(|error| damaged("accounts", &error))
    }

    pub async fn member_names(&self) -> Result<Vec<(String, String)>, StoreError> {
        let read = |file: &Connection| {
            let mut query = file.prepare_cached("select id, name from account")?;
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("accounts", &error))
    }

    /// The sessions that began after this time, in seconds since 1970. Older ones are deleted.
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

    /// The latest tables at which a member sits or sat, newest first.
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
                let mut seats: Vec<usize> =
                    row.get::<_, String>(3)?.split(',').filter_map(|seat| seat.parse().ok()).collect();
                seats.sort_unstable();
                Ok(OwnTable { id: row.get(0)?, game: row.get(1)?, over, seats })
            };
            query.query_map(params![account, most as i64], row)?.collect::<Result<Vec<_>, _>>()
        };
        self.read(read).await?.map_err(|error| damaged("sitting", &error))
    }

    /// The number of members, and the names of locked ones.
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
