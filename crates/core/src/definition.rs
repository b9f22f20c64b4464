//! A game before its variant and seats are chosen, as a value.

use crate::adapter::BotAdapter;
use crate::agent::AgentInfo;
use crate::foreign::{ForeignRecord, ForeignRecordError};
use crate::game::{Game, SetupError};
use crate::info::GameInfo;
use crate::playable::Playable;
use crate::tool::Tool;

/// A trained player that ships with the game.
#[derive(Clone, Copy, Debug)]
pub struct LearnedPlayer {
    /// Name in a line-up. Several files may share a name: one player, trained for different numbers of seats.
    pub name: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Content of a file written by `meeple learn`.
    pub file: &'static [u8],
}

/// Reader of another program's game records; see [`Definition::foreign_record`].
pub type ReadForeign = fn(&str, &[String]) -> Option<Result<ForeignRecord, ForeignRecordError>>;

/// Refusal of a player's colour; see [`Definition::check_color`].
pub type CheckColor = fn(&str) -> Result<(), String>;

/// A game before its variant and seats are chosen: facts, default variant and extras, as data.
///
/// A value, so one Rust type can stand for many games: a type that runs rules from a file has a definition
/// per file. A game with a Rust type of its own implements [`Defined`].
///
/// ```
/// use meeple_core::{Defined, Game};
/// use meeple_testkit::toys::Nim;
///
/// let nim = Nim::definition();
/// let game = nim.by_default(2).unwrap();
/// assert_eq!(game.info().id, nim.info.id);
/// ```
pub struct Definition<G: Game> {
    /// Static facts: id, name, seats, presets.
    pub info: &'static GameInfo,
    /// The default variant. Presets and settings change a copy of it.
    pub variant: G::Variant,
    /// Number of seats of a table for this many named players; larger where the variant fixes the seats and
    /// [`GameInfo::filler`] plays the rest.
    pub seats_for: fn(&G::Variant, usize) -> usize,
    /// The game's own agents.
    pub agents: Vec<AgentInfo<G>>,
    /// Settings of tree search that suit the game, as in a line-up: `depth=4,widening=2`. They replace the
    /// search's own defaults.
    pub search_settings: &'static str,
    /// Trained players that ship with the game.
    pub learned: &'static [LearnedPlayer],
    /// The game's own tools: exact values, map generators, …
    pub tools: Vec<Tool<G>>,
    /// Adapters with which bots of the game's original play unchanged.
    pub adapters: &'static [BotAdapter],
    /// Refuses a colour that no player may have (`AGENT@COLOUR` in a line-up), with the expected one in
    /// words; `None` where the game chooses its players' colours itself.
    pub check_color: Option<CheckColor>,
    /// Reads another program's game record, given the user's display options; `None` if the text is no such
    /// record.
    pub foreign_record: ReadForeign,
    /// Sets the game up; see [`set_up`](Self::set_up).
    pub make: fn(G::Variant, usize) -> Result<G, SetupError>,
}

impl<G: Game> Definition<G> {
    /// A game with these facts and this default variant, without extras. `make` sets it up for a number of
    /// seats within [`GameInfo::seats`], or explains the conflict.
    pub fn new(
        info: &'static GameInfo,
        variant: G::Variant,
        make: fn(G::Variant, usize) -> Result<G, SetupError>,
    ) -> Self {
        Self {
            info,
            variant,
            seats_for: |_, named| named,
            agents: Vec::new(),
            search_settings: "",
            learned: &[],
            tools: Vec::new(),
            adapters: &[],
            check_color: None,
            foreign_record: |_, _| None,
            make,
        }
    }

    /// The game's own agents, plus those of `others` with unused names.
    pub fn agents_with(&self, others: impl IntoIterator<Item = AgentInfo<G>>) -> Vec<AgentInfo<G>> {
        let mut agents = self.agents.clone();
        for agent in others {
            if !agents.iter().any(|own| own.name == agent.name) {
                agents.push(agent);
            }
        }
        agents
    }

    /// Sets the game up with this variant for `seats` seats. The caller checks that they are within
    /// [`GameInfo::seats`].
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn set_up(&self, variant: G::Variant, seats: usize) -> Result<G, SetupError> {
        (self.make)(variant, seats)
    }

    /// Sets the game up with its default variant.
    ///
    /// # Errors
    /// As [`set_up`](Self::set_up).
    pub fn by_default(&self, seats: usize) -> Result<G, SetupError> {
        self.set_up(self.variant.clone(), seats)
    }
}

/// A Rust type that is one game.
pub trait Defined: Playable {
    /// The game before its variant and seats are chosen.
    fn definition() -> Definition<Self>;
}
