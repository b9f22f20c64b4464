//! Queries on members.

use rusqlite::{Connection, OptionalExtension, params};

use super::accounts::{AccountRow, OwnTable};
use super::{Store, StoreError, damaged};
use crate::accounts::Session;

impl Store {
    /// The account of a folded name.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>, StoreError> {
        self.account_where("folded", folded).await
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

    /// The sessions that began after this time. Older ones are deleted.
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
