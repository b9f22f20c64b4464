//! Agents that decide at tables, each on a thread beside them.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_core::Question;
use meeple_table::{Refused, Table, Thought};

use super::quick::QuickAgents;
use super::{Hosted, Hub, Trouble};

/// Agents that are quick decide one after another for so long: then everybody is told how it stands.
const BURST: Duration = Duration::from_millis(20);

/// What an agent has decided on a thread of its own, and how long it took.
type Decided = (Question, String, Duration);

impl Hosted {
    fn quick(&self) -> MutexGuard<'_, QuickAgents> {
        self.quick.lock().unwrap_or_else(PoisonError::into_inner)
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
            loop {
                let slow = {
                    let mut live = hosted.live.lock().await;
                    let thought = live.table.as_ref().and_then(Table::thought);
                    live.thinking = thought.is_some();
                    let (Some(table), Some(thought)) = (&live.table, thought) else { return };
                    let is_quick = hosted.quick().has(&table.holders()[thought.seat().index()]);
                    (!is_quick).then_some(thought)
                };
                let decided = match slow {
                    None => None,
                    Some(thought) => match hub.decide(thought).await {
                        Ok(Some(decided)) => Some(decided),
                        // The server ends.
                        Ok(None) => return,
                        Err(fault) => {
                            hub.break_down(&hosted, &fault).await;
                            return;
                        }
                    },
                };
                let of = Arc::clone(&hosted);
                let take = move |table: &mut Table| {
                    let mut quick = of.quick();
                    if let Some((question, action, took)) = decided {
                        table.take_thought(question, &action)?;
                        quick.note(&table.holders()[question.seat.index()], took);
                    }
                    go_on(table, &mut quick)
                };
                match hub.change(&hosted, take).await {
                    // It came too late: somebody else sits there now.
                    Ok(()) | Err(Trouble::Refused(Refused::Stale(_))) => {}
                    Err(Trouble::Closed(_)) => return,
                    Err(error) => {
                        hub.break_down(&hosted, &error.to_string()).await;
                        return;
                    }
                }
            }
        });
    }

    /// Has an agent decide on a thread of its own; nothing if the server ends.
    async fn decide(&self, thought: Thought) -> Result<Option<Decided>, String> {
        let question = thought.question();
        let Ok(mind) = Arc::clone(&self.minds).acquire_owned().await else { return Ok(None) };
        let decided = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let decided = thought.decide();
            drop(mind);
            (decided, began.elapsed())
        });
        let fault = |error: &dyn std::fmt::Display| format!("seat {}: {error}", question.seat);
        let (decided, took) = decided.await.map_err(|error| fault(&error))?;
        Ok(Some((question, decided.map_err(|error| fault(&error))?, took)))
    }
}

/// Lets agents that are known to be quick decide one after another, for a short while: hundreds of them are stored and
/// shown as one.
fn go_on(table: &mut Table, quick: &mut QuickAgents) -> Result<(), Refused> {
    let began = Instant::now();
    while began.elapsed() < BURST
        && let Some(thought) = table.thought()
        && quick.has(&table.holders()[thought.seat().index()])
    {
        let (question, asked) = (thought.question(), Instant::now());
        table.take_thought(question, &thought.decide()?)?;
        quick.note(&table.holders()[question.seat.index()], asked.elapsed());
    }
    Ok(())
}
