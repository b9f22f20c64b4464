//! Setting plans up, which may be thousands of games.

use std::sync::Arc;

use crate::limits::budget::Budget;
use crate::limits::party;
use crate::tables::hub::Hub;
use crate::trouble::Trouble;

/// Proof that a plan is set up by [`set_up`], and not on a thread that answers requests.
pub struct Apart(());

/// Works on a reader's thread, charged to the current party as processor time of its jobs.
pub async fn set_up<T: Send + 'static>(
    hub: &Hub,
    work: impl FnOnce(&Apart) -> Result<T, String> + Send + 'static,
) -> Result<T, Trouble> {
    let (party, budgets) = (party::current(), Arc::clone(hub.budgets()));
    budgets.spend(&party, Budget::JobSeconds, 0.0).map_err(Trouble::UsedUp)?;
    let charged = move || budgets.charging(&party, Budget::JobSeconds, 1.0, || work(&Apart(())));
    hub.apart(charged).await?.map_err(Trouble::Setup)
}
