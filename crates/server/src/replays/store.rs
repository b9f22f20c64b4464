//! Uploads in the database file.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use crate::store::{FileChange, Store, StoreError, damaged};

/// An upload.
pub struct UploadWrite {
    pub id: String,
    /// The text, compressed.
    pub text: Vec<u8>,
    /// The time of the upload, in seconds since 1970.
    pub created: i64,
}

impl FileChange for UploadWrite {
    fn apply(&self, change: &Transaction<'_>) -> rusqlite::Result<()> {
        let Self { id, text, created } = self;
        change
            .prepare_cached("insert or ignore into replay values(?, ?, ?)")?
            .execute(params![id, text, created])?;
        Ok(())
    }
}

impl Store {
    /// An upload's text, compressed.
    pub async fn replay(&self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = id.to_owned();
        let read = move |file: &Connection| {
            file.prepare_cached("select text from replay where id = ?")?
                .query_row([name], |row| row.get(0))
                .optional()
        };
        self.read(read).await?.map_err(|error| damaged(id, &error))
    }

    /// The total size of uploads and of tables' initial steps, in bytes.
    pub async fn upload_bytes(&self) -> Result<u64, StoreError> {
        let count = |file: &Connection| {
            let texts = "select coalesce(sum(length(text)), 0) from replay";
            let steps = "select coalesce(sum(length(steps)), 0) from game where steps is not null";
            file.prepare_cached(&format!("select ({texts}) + ({steps})"))?
                .query_row([], |row| row.get::<_, i64>(0))
        };
        let bytes = self.read(count).await?.map_err(|error| damaged("uploads", &error))?;
        Ok(bytes.unsigned_abs())
    }
}
