//! Accounts in the file.

use std::sync::Arc;

use meeple_core::AgentSpec;
use meeple_table::Refused;

use super::{Hub, Trouble};
use crate::accounts::Session;
use crate::store::{AccountRow, AccountWrite, OwnTable, StoreError, Write};

/// Upper bound on the tables that a member's page lists.
const MAX_TABLES: usize = 200;

impl Hub {
    /// The sessions that began at or after this time.
    pub async fn sessions(&self, since: i64) -> Result<Vec<Session>, StoreError> {
        self.store.sessions(since).await
    }

    /// The account of a folded name.
    pub async fn account_named(&self, folded: &str) -> Result<Option<AccountRow>, Trouble> {
        Ok(self.store.account_named(folded).await?)
    }

    /// The account that is stored under the first of these forms that exists.
    pub async fn account_called(&self, forms: &[String]) -> Result<Option<AccountRow>, Trouble> {
        for folded in forms {
            if let Some(found) = self.account_named(folded).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    pub async fn account_of(&self, id: &str) -> Result<Option<AccountRow>, Trouble> {
        Ok(self.store.account_of(id).await?)
    }

    pub async fn member_names(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.store.member_names().await
    }

    /// The number of members, and the names of locked ones.
    pub async fn members(&self) -> Result<(u64, Vec<String>), Trouble> {
        Ok(self.store.members().await?)
    }

    /// The last tables at which a member sits or sat, newest first.
    pub async fn tables_of(&self, account: &str) -> Result<Vec<OwnTable>, Trouble> {
        Ok(self.store.tables_of(account, MAX_TABLES).await?)
    }

    pub async fn note_account(&self, writes: Vec<AccountWrite>) -> Result<(), Trouble> {
        let writes = writes.into_iter().map(Write::Account).collect();
        self.store.write(writes).await.map_err(Trouble::Unstored)
    }

    /// Replaces a member at all unfinished tables by the games' advisors.
    ///
    /// # Errors
    /// If one fails. Earlier ones stay replaced.
    pub async fn leave_all(self: &Arc<Self>, account: &str) -> Result<(), Trouble> {
        for own in self.store.tables_of(account, usize::MAX >> 1).await? {
            if own.over {
                continue;
            }
            let hosted = self.find(&own.id).await?;
            for seat in hosted.seats_of_member(account) {
                let agent = AgentSpec::parse(hosted.entry.info().advisor);
                match self.leave(&hosted, seat, agent).await {
                    // The game has ended meanwhile.
                    Ok(()) | Err(Trouble::Refused(Refused::Over)) => {}
                    Err(trouble) => return Err(trouble),
                }
            }
        }
        Ok(())
    }
}
