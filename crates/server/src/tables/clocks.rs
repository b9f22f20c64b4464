//! The clocks of people at tables. A clock runs while its seat owes a decision; a task handles its expiry.

use std::sync::Arc;

use meeple_core::AgentSpec;
use meeple_table::{Refused, RunOut};

use crate::tables::agents::table_fault;
use crate::tables::hosted::{Handover, Hosted};
use crate::tables::hub::Hub;
use crate::tables::thinking::Undecided;
use crate::tables::timing::Timing;
use crate::trouble::Trouble;

impl Hub {
    /// Starts the task that watches a table's clocks, unless it runs already or no clock is running.
    pub fn watch_clocks(self: &Arc<Self>, hosted: &Arc<Hosted>) {
        let Some(timing) = &hosted.timing else { return };
        {
            let mut state = timing.lock();
            if state.is_watched || state.clocks.next_end().is_none() {
                return;
            }
            state.is_watched = true;
        }
        // The watcher's `Arc` keeps the table in memory, so that clocks run while nobody watches.
        let (hub, hosted) = (Arc::clone(self), Arc::clone(hosted));
        tokio::spawn(async move {
            let timing = hosted.timing.as_ref().expect("it has one");
            loop {
                let end = {
                    let mut state = timing.lock();
                    let end = state.clocks.next_end();
                    state.is_watched = end.is_some();
                    end
                };
                let Some(end) = end else { return };
                tokio::select! {
                    () = timing.time.until(end) => {}
                    () = timing.moved.notified() => continue,
                }
                let out = timing.lock().clocks.out(timing.time.now_ms());
                let Some(seat) = out else { continue };
                match hub.handle_expired_clock(&hosted, timing, seat).await {
                    Ok(()) => {}
                    // The decision came in time, or the question is gone.
                    Err(Trouble::Refused(Refused::Stale(_) | Refused::Empty(_) | Refused::Over)) => {
                        match hosted.live.lock().await.table() {
                            Ok(table) => drop(timing.go_on(table)),
                            Err(_) => return,
                        }
                    }
                    Err(Trouble::Closed(_) | Trouble::Broken(_) | Trouble::Unstored(_)) => return,
                    Err(trouble) => {
                        hub.break_down(&hosted, &format!("seat {seat}: {trouble}")).await;
                        return;
                    }
                }
            }
        });
    }

    /// Handles an expired clock: the game's advisor makes the decision, or takes over the seat. Games without
    /// an advisor use `random`.
    async fn handle_expired_clock(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        timing: &Timing,
        seat: usize,
    ) -> Result<(), Trouble> {
        let advisor = hosted.entry.info().advisor;
        let agent = AgentSpec::parse(if advisor.is_empty() { "random" } else { advisor });
        let what = timing.lock().clocks.miss(seat);
        let fault = table_fault("TIMEOUT", timing.waited_ms(seat));
        if what == RunOut::Seat {
            let nobody = Some((seat, Handover::Nobody));
            return self.change_with(hosted, nobody, move |table| table.lose_seat(seat, &agent, fault)).await;
        }
        let thought = hosted.live.lock().await.table()?.stand_in(seat, &agent);
        let thought = thought.ok_or(Refused::Empty(seat))?;
        let question = thought.question();
        let action = match self.decide(hosted, &hosted.party, &agent, thought).await {
            Ok((action, _)) => action,
            Err(Undecided::Late | Undecided::Stuck | Undecided::Fault(_)) => {
                self.random_decision(hosted, seat).await?
            }
            Err(ended @ Undecided::Ended) => return Err(ended.into()),
        };
        self.change(hosted, move |table| table.take_stand_in(question, &action, &agent, fault)).await
    }
}
