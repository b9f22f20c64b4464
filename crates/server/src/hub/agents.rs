//! Agents that decide at tables, each on a thread beside them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_table::{Holder, Refused, Table};

use super::{Hosted, Hub, Trouble};

/// Agents that decide in less than this are not asked on a thread of their own when it is their turn again,
const QUICK: Duration = Duration::from_millis(2);
/// for so long: then everybody is told how it stands.
const BURST: Duration = Duration::from_millis(20);

/// An agent as it is written at its seat.
type AgentText = String;

impl Hosted {
    /// The agent at a seat.
    async fn holder(&self, seat: usize) -> Option<AgentText> {
        match self.live.lock().await.table.as_ref()?.holders().get(seat)? {
            Holder::Agent(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl Hub {
    /// Lets agents decide who owe a decision, unless somebody does already.
    pub(super) async fn think(self: &Arc<Self>, hosted: &Arc<Hosted>) {
        let mut live = hosted.live.lock().await;
        if !std::mem::replace(&mut live.thinking, true) {
            drop(live);
            self.let_think(hosted);
        }
    }

    pub(super) fn let_think(self: &Arc<Self>, hosted: &Arc<Hosted>) {
        let (hub, hosted) = (Arc::clone(self), Arc::clone(hosted));
        tokio::spawn(async move {
            // Agents, by their texts, that have decided quickly.
            let mut known = BTreeSet::new();
            loop {
                let thought = {
                    let mut live = hosted.live.lock().await;
                    let thought = live.table.as_ref().and_then(Table::thought);
                    live.thinking = thought.is_some();
                    thought
                };
                let Some(thought) = thought else { return };
                let question = thought.question();
                let Ok(mind) = Arc::clone(&hub.minds).acquire_owned().await else { return };
                let began = Instant::now();
                let decided = tokio::task::spawn_blocking(move || {
                    let decided = thought.decide();
                    drop(mind);
                    decided
                });
                let fault = match decided.await {
                    Ok(Ok(action)) => {
                        if began.elapsed() < QUICK {
                            known.extend(hosted.holder(question.seat.index()).await);
                        }
                        let quick = known.clone();
                        let take = move |table: &mut Table| {
                            table.take_thought(question, &action)?;
                            go_on(table, &quick)
                        };
                        let taken = hub.change(&hosted, Vec::new(), take).await;
                        match taken {
                            // It came too late: somebody else sits there now.
                            Ok(()) | Err(Trouble::Refused(Refused::Stale(_))) => continue,
                            Err(Trouble::Closed(_)) => return,
                            Err(error) => error.to_string(),
                        }
                    }
                    Ok(Err(error)) => error.to_string(),
                    Err(fault) => fault.to_string(),
                };
                hub.break_down(&hosted, &format!("seat {}: {fault}", question.seat)).await;
                return;
            }
        });
    }
}

/// Lets agents that are known to be quick decide one after another, for a short while: hundreds of them are stored and
/// shown as one.
fn go_on(table: &mut Table, quick: &BTreeSet<AgentText>) -> Result<(), Refused> {
    let began = Instant::now();
    while began.elapsed() < BURST
        && let Some(thought) = table.thought()
        && let Holder::Agent(text) = &table.holders()[thought.seat().index()]
        && quick.contains(text)
    {
        let question = thought.question();
        table.take_thought(question, &thought.decide()?)?;
    }
    Ok(())
}
