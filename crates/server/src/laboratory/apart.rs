//! The set-up of plans, apart from the threads that answer requests. It may create thousands of games.

use std::sync::Arc;

use crate::limits::budget::Budget;
use crate::limits::party;
use crate::tables::hub::Hub;
use crate::trouble::Trouble;

/// Proof that code runs inside [`set_up`], and so on none of the threads that answer requests.
pub struct SetUpProof(());

/// Works on a thread for replays. The duration is charged to the current party as [`Budget::JobSeconds`].
pub async fn set_up<T: Send + 'static>(
    hub: &Hub,
    work: impl FnOnce(&SetUpProof) -> Result<T, String> + Send + 'static,
) -> Result<T, Trouble> {
    let (party, budgets) = (party::current(), Arc::clone(hub.budgets()));
    budgets.spend(&party, Budget::JobSeconds, 0.0).map_err(Trouble::UsedUp)?;
    let charged = move || budgets.charge_duration(&party, Budget::JobSeconds, 1.0, || work(&SetUpProof(())));
    hub.apart(charged).await?.map_err(Trouble::Setup)
}
