//! Runs of the laboratory in the database file.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::store::{FileChange, Store, StoreError, damaged};

/// A finished run.
pub struct RunWrite {
    pub id: String,
    /// The plan, as JSON.
    pub plan: String,
    /// The result, as JSON.
    pub result: String,
}

impl FileChange for RunWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        let Self { id, plan, result } = self;
        change
            .prepare_cached("insert or replace into job values(?, ?, ?)")?
            .execute(params![id, plan, result])?;
        Ok(())
    }
}

impl Store {
    /// The plan and the result of a finished run, both as JSON.
    pub async fn job(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        let name = id.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select plan, result from job where id = ?")?
                .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        };
        self.read(read).await?.map_err(|error| damaged(id, &error))
    }
}
