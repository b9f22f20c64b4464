//! What comes with a game besides its rules and its looks: players, advice for searches, adapters, tools, and the inner loop of playouts.

use crate::adapter::BotAdapter;
use crate::agent::AgentInfo;
use crate::encoding::Encoding;
use crate::event::NoEvents;
use crate::foreign::{ForeignRecord, ForeignRecordError};
use crate::hints::SearchHints;
use crate::phase::Phase;
use crate::present::Present;
use crate::stream::ChanceStreams;
use crate::table::Table;
use crate::tool::Tool;

/// A player that has learned.
#[derive(Clone, Copy, Debug)]
pub struct LearnedPlayer {
    /// Its name in a line-up; several files with one name are of one player, for other numbers of seats.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// What it has learned, a file that `meeple learn` has written.
    pub file: &'static [u8],
}

/// A game with everything that comes with it, as the registry wants it. A game crate implements it in its `lib.rs`,
/// which joins rules, looks, agents and tools; they know nothing of each other but the rules.
pub trait Playable: Present {
    /// The game's own agents.
    fn agents() -> Vec<AgentInfo<Self>> {
        Vec::new()
    }

    /// The game's own tools: exact values, map generators, …
    fn tools() -> Vec<Tool<Self>> {
        Vec::new()
    }

    /// What the game tells those who search in it, and how to search.
    fn hints() -> SearchHints<Self> {
        SearchHints::default()
    }

    /// How bots of the game's original play unchanged.
    fn adapters() -> &'static [BotAdapter] {
        &[]
    }

    /// How what a seat knows becomes numbers; `None` if nobody has said.
    fn encoding() -> Option<Encoding<Self>> {
        None
    }

    /// The players that have learned and come with the game.
    fn learned() -> &'static [LearnedPlayer] {
        &[]
    }

    /// Reads a game record of another program's format: `None` if the text is none of this game. `looks` are
    /// words of the user's about how it should be shown.
    fn foreign_record(text: &str, looks: &[String]) -> Option<Result<ForeignRecord, ForeignRecordError>> {
        let _ = (text, looks);
        None
    }

    /// Plays an episode from `state` to its end: the inner loop of every simulation. Nothing is checked or
    /// recorded. Override it only where that is faster, as in games of a few thousand instructions; a law
    /// checks that it is the same.
    #[inline]
    fn play_out(&self, state: &mut Self::State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
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
