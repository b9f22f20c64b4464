//! What the file knows of members.

use std::sync::Arc;

use meeple_core::AgentSpec;
use meeple_table::Refused;

use super::{Hub, Trouble};
use crate::accounts::Session;
use crate::store::{AccountRow, AccountWrite, OwnTable, StoreError, Write};

/// The most tables that a member is shown.
const MOST_TABLES: usize = 200;

impl Hub {
    /// Browsers that have been logged in since this time.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn sessions(&self, since: i64) -> Result<Vec<Session>, StoreError> {
        self.store.sessions(since).await
    }

    /// The account whose name is this, as names are compared.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>, Trouble> {
        Ok(self.store.account_named(folded).await?)
    }

    /// The account that is stored under the first of these forms of a name that somebody has.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn account_called(&self, forms: &[String]) -> Result<Option<AccountRow>, Trouble> {
        for folded in forms {
            if let Some(found) = self.account_named(folded).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The account of this name in the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn account_of(&self, id: &str) -> Result<Option<AccountRow>, Trouble> {
        Ok(self.store.account_of(id).await?)
    }

    /// All accounts with their names.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn member_names(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.store.member_names().await
    }

    /// How many members there are, and the names of those that are locked.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn members(&self) -> Result<(u64, Vec<String>), Trouble> {
        Ok(self.store.members().await?)
    }

    /// The last tables at which a member sits or sat, newest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn tables_of(&self, account: &str) -> Result<Vec<OwnTable>, Trouble> {
        Ok(self.store.tables_of(account, MOST_TABLES).await?)
    }

    /// Notes what becomes of members.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn note_account(&self, writes: Vec<AccountWrite>) -> Result<(), Trouble> {
        let writes = writes.into_iter().map(Write::Account).collect();
        self.store.write(writes).await.map_err(Trouble::Unstored)
    }

    /// A member leaves all tables that are being played; the game's advisors play on.
    ///
    /// # Errors
    /// If one cannot be left. Those before it were.
    pub async fn leave_all(self: &Arc<Self>, account: &str) -> Result<(), Trouble> {
        for own in self.store.tables_of(account, usize::MAX >> 1).await? {
            if own.over {
                continue;
            }
            let hosted = self.find(&own.id).await?;
            for seat in hosted.seats_of_member(account) {
                let agent = AgentSpec::parse(hosted.entry.info().advisor);
                match self.leave(&hosted, seat, agent).await {
                    // It has ended meanwhile.
                    Ok(()) | Err(Trouble::Refused(Refused::Over)) => {}
                    Err(trouble) => return Err(trouble),
                }
            }
        }
        Ok(())
    }
}
