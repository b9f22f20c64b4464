//! Heuristics for search, encodings for learners, and the inner loop of playouts of a game that is set up.

use crate::encoding::Encoding;
use crate::event::NoEvents;
use crate::hints::{Hints, NoHints};
use crate::phase::Phase;
use crate::present::Present;
use crate::stream::ChanceStreams;
use crate::table::PlayoutTable;

/// A game that is set up, with everything its players use: rules, presentation, search heuristics and
/// encodings. A game crate implements the trait in its `lib.rs`, with functions of its modules.
pub trait Playable: Present {
    /// The game's heuristics for search.
    fn hints(&self) -> Box<dyn Hints<Self>> {
        Box::new(NoHints)
    }

    /// The encoding of observations as numbers; `None` if the game has none.
    fn encoding(&self) -> Option<Encoding<Self>> {
        None
    }

    /// Plays an episode from `state` to its end, without checks or records: the inner loop of every
    /// simulation. Games override it only with something faster; a law checks that the result is the same.
    #[inline]
    fn play_out(&self, state: &mut Self::State, table: &mut PlayoutTable<Self>, streams: &mut ChanceStreams) {
        loop {
            match self.phase(state) {
                Phase::Chance => self.resolve_chance(state, streams, &mut NoEvents),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = table.ask(self, state, seat);
                        debug_assert_eq!(self.check(state, seat, &action), Ok(()), "agents play legally");
                        self.apply_unchecked(state, seat, &action, &mut NoEvents);
                        table.recycle(seat, action);
                    }
                }
                Phase::Over => return,
            }
        }
    }
}
