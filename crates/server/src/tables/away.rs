//! Open pages, and the replacement of absent players.

use std::sync::Arc;

use meeple_table::{Holder, Refused};

use crate::tables::hosted::{Handover, Hosted};
use crate::tables::hub::{Hub, substitute};
use crate::trouble::Trouble;

/// A player without a sign of life for this time is absent. The time is long because phones close the sockets
/// of hidden pages.
const AWAY_MS: u64 = 120_000;

/// A guard for an open page: its seats are present until it is dropped.
pub struct OpenPage {
    hosted: Arc<Hosted>,
    seats: Vec<usize>,
    hub: Arc<Hub>,
}

impl OpenPage {
    /// Registers a page that controls these seats.
    pub fn new(hub: &Arc<Hub>, hosted: &Arc<Hosted>, seats: &[usize]) -> Self {
        let mut heard = hosted.presence.heard();
        for seat in seats {
            *heard.sockets.entry(*seat).or_default() += 1;
        }
        drop(heard);
        Self { hosted: Arc::clone(hosted), seats: seats.to_vec(), hub: Arc::clone(hub) }
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.hosted.presence.hear(&self.seats, self.hub.time.now_ms());
        let mut heard = self.hosted.presence.heard();
        for seat in &self.seats {
            if let Some(count) = heard.sockets.get_mut(seat) {
                *count -= 1;
            }
        }
    }
}

impl Hub {
    /// Replaces a member at all unfinished tables by the games' advisors.
    ///
    /// # Errors
    /// If a replacement fails. Earlier replacements remain.
    pub async fn leave_all(self: &Arc<Self>, account: &str) -> Result<(), Trouble> {
        for own in self.store.tables_of(account, usize::MAX >> 1).await? {
            if own.over {
                continue;
            }
            let hosted = self.find(&own.id).await?;
            for seat in hosted.seats_of_member(account) {
                match self.leave(&hosted, seat, None).await {
                    // The game has ended meanwhile, so nobody needs a replacement.
                    Ok(()) | Err(Trouble::Refused(Refused::Over)) => {}
                    Err(trouble) => return Err(trouble),
                }
            }
        }
        Ok(())
    }

    /// Seats an agent at an open seat, or in place of an absent player for whom the table waits. Callers
    /// check that the request comes from a player of the table.
    ///
    /// # Errors
    /// If the seat does not exist, has an agent already, or has a player who is present or not to move. If
    /// the agent cannot play, or the change cannot be stored.
    pub async fn replace(
        self: &Arc<Self>,
        hosted: &Arc<Hosted>,
        seat: usize,
        agent: Option<&str>,
    ) -> Result<(), Trouble> {
        let agent = substitute(hosted, agent)?;
        let frame = hosted.shown(None).await?.frame;
        let Some(line) = frame.seats.get(seat) else {
            return Err(Refused::NoSeat { last: frame.seats.len() - 1, found: seat }.into());
        };
        match &line.holder {
            Holder::Open => return self.change(hosted, move |table| table.fill(seat, &agent)).await,
            Holder::Agent(name) => {
                return Err(Trouble::Setup(format!(
                    "expected a seat that is open, or whose player is away; seat {seat} is played by {name}"
                )));
            }
            Holder::Person { .. } => {}
        }
        // `None` passes: in games with secret decisions nobody may know which seats owe one.
        if line.owes == Some(false) {
            return Err(Trouble::Setup(format!(
                "expected a player for whom the table waits; it does not wait for seat {seat}\nhint: try again when it does"
            )));
        }
        let away = hosted.presence.away(seat, self.time.now_ms());
        if away < AWAY_MS {
            let (found, rest) = (away / 1000, (AWAY_MS - away).div_ceil(1000));
            return Err(Trouble::Setup(format!(
                "expected a player who has been away for {} seconds, found one who was there {found} seconds ago\n\
                 hint: try again in {rest} seconds",
                AWAY_MS / 1000
            )));
        }
        let nobody = Some((seat, Handover::Nobody));
        self.change_with(hosted, nobody, move |table| table.leave(seat, &agent)).await
    }
}
