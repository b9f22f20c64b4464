//! Setting of a simulation: game, players, seed and number of episodes.

use meeple_core::{AnyGame, Seating};

use crate::error::{LabError, Mismatch};
use crate::line_up::LineUp;
use crate::pool;
use crate::tally::Tally;

/// A simulation to play.
#[derive(Clone)]
pub struct Simulation<'a> {
    /// The game, set up.
    pub game: &'a dyn AnyGame,
    /// The players: as many seats as the game has.
    pub line_up: LineUp,
    /// Root seed of all random streams.
    pub seed: u64,
    /// Episodes to play, at least 1.
    pub episodes: u64,
    /// Assignment of players to seats.
    pub seating: Seating,
    /// Threads; 0 means one per core. Results do not depend on their number.
    pub threads: usize,
}

impl Simulation<'_> {
    /// Checks that the simulation can be played.
    ///
    /// # Errors
    /// If there are no episodes, or the line-up does not fit the game.
    pub fn check(&self) -> Result<(), LabError> {
        if self.episodes == 0 {
            return Err(LabError::Episodes { found: 0 });
        }
        let (seats, players) = (self.game.seats(), self.line_up.seats());
        if seats != players {
            let hint = "name one agent per seat; AGENT*N stands for N seats";
            return Err(LabError::LineUp(Mismatch::new(
                format!("{seats} players"),
                players.to_string(),
                hint,
            )));
        }
        Ok(self.game.check_line_up(&self.line_up.players())?)
    }

    /// Number of consecutive episodes that share a deal; runs are split only between such groups.
    pub fn deal_group(&self) -> u64 {
        match self.seating {
            Seating::DealGroups => self.game.seats().max(1) as u64,
            _ => 1,
        }
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally::new(self.game, &self.line_up, self.seating)
    }

    pub(crate) fn workers(&self) -> usize {
        pool::threads(self.threads)
    }
}

/// The seating's name, as on the command line.
pub(crate) fn seating_word(seating: Seating) -> &'static str {
    match seating {
        Seating::Fixed => "fixed",
        Seating::Rotate => "rotate",
        Seating::Shuffle => "shuffle",
        Seating::DealGroups => "deals",
    }
}
