//! Definitions of games, before a variant and a number of seats are chosen.

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
    /// Name in a line-up. Files of one player, trained for different numbers of seats, share a name.
    pub name: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Content of a file written by `meeple learn`.
    pub file: &'static [u8],
}

/// Reader of another program's game records; see [`Definition::foreign_record`].
pub type ReadForeign = fn(&str, &[String]) -> Option<Result<ForeignRecord, ForeignRecordError>>;

/// Check of a player's colour; see [`Definition::check_color`].
pub type CheckColor = fn(&str) -> Result<(), String>;

/// A game before its variant and seats are chosen: facts, default variant, agents, tools and other extras.
///
/// One Rust type can have several definitions: a type that runs rules from files has one per file. A Rust
/// type that stands for one game implements [`Defined`].
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
    /// The default variant. Presets and settings change copies of it.
    pub variant: G::Variant,
    /// Number of seats for a variant and a number of named players. There are more seats than named players
    /// if the variant fixes the number of seats and [`GameInfo::filler`] plays the rest.
    pub seats_for: fn(&G::Variant, usize) -> usize,
    /// The game's own agents.
    pub agents: Vec<AgentInfo<G>>,
    /// Settings of tree search that suit the game, as in a line-up: `depth=4,widening=2`. They replace the
    /// defaults of the search.
    pub search_settings: &'static str,
    /// Trained players that ship with the game.
    pub learned: &'static [LearnedPlayer],
    /// The game's own tools, such as map generators or calculators of exact values.
    pub tools: Vec<Tool<G>>,
    /// Adapters for bots of the game's original program.
    pub adapters: &'static [BotAdapter],
    /// Refuses a colour that no player may have (`AGENT@COLOUR` in a line-up); the error describes the
    /// expected colour. `None` if the game chooses its players' colours itself.
    pub check_color: Option<CheckColor>,
    /// Reads another program's game record, given the user's display options. Returns `None` if the text has
    /// another format.
    pub foreign_record: ReadForeign,
    /// Constructor of the game; see [`set_up`](Self::set_up).
    pub make: fn(G::Variant, usize) -> Result<G, SetupError>,
}

impl<G: Game> Definition<G> {
    /// A game with these facts and this default variant, without extras. `make` sets it up for a number of
    /// seats within [`GameInfo::seats`]. If variant and seats conflict, it returns an error.
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

    /// The game's own agents, then those of `others` whose names are not taken.
    pub fn agents_with(&self, others: impl IntoIterator<Item = AgentInfo<G>>) -> Vec<AgentInfo<G>> {
        let mut agents = self.agents.clone();
        for agent in others {
            if !agents.iter().any(|own| own.name == agent.name) {
                agents.push(agent);
            }
        }
        agents
    }

    /// Sets the game up with this variant for `seats` seats. The caller checks that their number is within
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

/// A Rust type that stands for one game.
pub trait Defined: Playable {
    /// Returns the game's definition.
    fn definition() -> Definition<Self>;
}
