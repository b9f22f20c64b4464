//! A position of the game: a flat value.

use meeple_core::{Phase, Seat};
use serde::Serialize;

use crate::cards::{CARDS, EFFECTS, Effect, MAX_CHARTS};
use crate::map::{AgentId, AgentSet, CellId, Map, NO_CELL};
use crate::pile::Pile;
use crate::tiles::Dir;
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_SEATS};

/// A carried map tile: its colour, and its place among the kinds of that colour. Two bits and six.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Chart(u8);

impl Chart {
    const NONE: Self = Self(0);

    /// The kind with this number, of this colour (0 water, 1 land).
    pub fn new(colour: u8, kind: u8) -> Self {
        Self(colour << 6 | kind)
    }

    /// Index of its colour.
    pub fn colour(self) -> usize {
        usize::from(self.0 >> 6)
    }

    /// Number of its kind.
    pub fn kind(self) -> u8 {
        self.0 & 63
    }
}

/// An Adventurer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Adventurer {
    /// Wealth in its Chest.
    pub chest: u16,
    /// The city where it was last.
    pub last_city: CellId,
    /// Whether it is a pirate.
    pub pirate: bool,
    /// Its named card.
    pub person: Option<Effect>,
    /// The Technology it uses.
    pub gear: Option<Effect>,
    /// The carried map tiles; the first `charts` count.
    pub(crate) chart: [Chart; MAX_CHARTS],
    /// Number of carried map tiles.
    pub charts: u8,
    /// Colour of the next map tile to be carried: 0 water, 1 land.
    pub(crate) next_chart: u8,
    /// Turns it has had, as the original counts them.
    pub turns: u16,
    /// First round in which it may move.
    pub moves_from: u16,
    /// Wonders used since its last visit to a city, by number.
    pub used: u64,
    /// Agents that cannot rest it in its next turn, as in [`SubTurn::rested`]; a quirk of the scripted order.
    pub(crate) barred: AgentSet,
    /// Land, upwind and downwind moves that count for its next turn; a quirk of the scripted order.
    pub carried_moves: [u8; 3],
    /// When it came to its tile, by [`State::clock`].
    pub(crate) arrived: u32,
    /// Tiles moved to.
    pub distance: u32,
}

impl Adventurer {
    /// One that is not in play.
    pub(crate) fn none() -> Self {
        Self { last_city: NO_CELL, ..Self::default() }
    }

    /// Takes a carried map tile away.
    pub(crate) fn hand_over_chart(&mut self, which: u8) -> Chart {
        let chart = self.chart[usize::from(which)];
        self.chart.copy_within(usize::from(which) + 1.., usize::from(which));
        self.charts -= 1;
        self.chart[usize::from(self.charts)] = Chart::NONE;
        chart
    }

    /// How many of its cards have this effect.
    #[inline]
    pub fn count(&self, effect: Effect) -> u8 {
        u8::from(self.person == Some(effect)) + u8::from(self.gear == Some(effect))
    }
}

/// An Agent on the map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Agent {
    /// Where it is; [`NO_CELL`] in the supply.
    pub cell: CellId,
    /// Its wealth.
    pub wealth: u16,
    /// Whether it was dispossessed.
    pub dispossessed: bool,
}

impl Agent {
    pub(crate) const NONE: Agent = Agent { cell: NO_CELL, wealth: 0, dispossessed: false };

    /// It gets wealth.
    #[inline]
    pub(crate) fn gain(&mut self, wealth: u16) {
        self.wealth = self.wealth.saturating_add(wealth).min(MAX_CHEST);
    }

    /// Whether it is on the map.
    #[inline]
    pub fn is_placed(&self) -> bool {
        self.cell != NO_CELL
    }
}

/// What one seat did in the episode, for the figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// Trades.
    pub trades: u16,
    /// Wonders discovered.
    pub wonders: u16,
    /// Tiles placed.
    pub tiles: u16,
    /// Explorations without success.
    pub failed: u16,
    /// Attacks, arrests included, courting not.
    pub attacks: u16,
    /// Of these, with success.
    pub attacks_won: u16,
    /// Rests. In the scripted order one may leave an Adventurer where it cannot go on; nothing else that is seen
    /// tells of it then.
    pub rests: u16,
    /// Sum over all arrivals of the distance to the Capital.
    pub range: u32,
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Player {
    /// Wealth in the Vault.
    pub vault: u32,
    /// Number of Adventurers in play.
    pub adventurers: u8,
    /// Places of the Adventurers; [`NO_CELL`] for those not in play.
    pub at: [CellId; MAX_ADVENTURERS],
    /// The Adventurers.
    pub adventurer: [Adventurer; MAX_ADVENTURERS],
    /// The Agents.
    pub agent: [Agent; MAX_AGENTS],
    /// Numbers of the Agents on the map in the order in which they came there.
    pub agents: [u8; MAX_AGENTS],
    /// How many are on the map.
    pub agents_placed: u8,
    /// What it did.
    pub tally: Tally,
}

impl Player {
    /// One that nobody plays.
    pub(crate) fn none() -> Self {
        Self {
            vault: 0,
            adventurers: 0,
            at: [NO_CELL; MAX_ADVENTURERS],
            adventurer: [Adventurer::none(); MAX_ADVENTURERS],
            agent: [Agent::NONE; MAX_AGENTS],
            agents: [0; MAX_AGENTS],
            agents_placed: 0,
            tally: Tally::default(),
        }
    }

    /// Numbers of the Agents on the map, oldest first.
    #[inline]
    pub fn placed_agents(&self) -> &[u8] {
        &self.agents[..usize::from(self.agents_placed)]
    }

    /// The Agent that came onto the map as the one with this index, oldest first.
    #[inline]
    pub(crate) fn placed_agent(&self, index: u8) -> Option<&Agent> {
        (index < self.agents_placed)
            .then(|| self.agent_numbered(self.agents[usize::from(index) & (MAX_AGENTS - 1)]))
    }

    /// The Agent with this number.
    #[inline]
    pub(crate) fn agent_numbered(&self, number: u8) -> &Agent {
        &self.agent[usize::from(number) & (MAX_AGENTS - 1)]
    }

    /// The Adventurers in play and where they are.
    #[inline]
    pub(crate) fn crew(&self) -> impl Iterator<Item = (&Adventurer, CellId)> {
        self.adventurer.iter().zip(self.at.iter().copied()).take(usize::from(self.adventurers))
    }

    /// Wealth in all Chests.
    #[inline]
    pub fn chests(&self) -> u32 {
        self.adventurer[..usize::from(self.adventurers)].iter().map(|one| u32::from(one.chest)).sum()
    }
}

/// What happens between two decisions of the same move: what was done once cannot be done again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Done {
    /// Options taken in this move, as a mask of `crate::rules::options`.
    pub options: u32,
    /// Options that may be taken now.
    pub offered: u32,
    /// In the scripted order: options below this are past.
    pub cursor: u8,
    /// Whether the tile was placed by this move.
    pub new_tile: bool,
    /// Whether the move was a wait.
    pub waited: bool,
    /// Whether a visit to a city goes on with purchases.
    pub(crate) will_buy: bool,
}

/// The turn of one Adventurer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SubTurn {
    /// The player.
    pub seat: u8,
    /// Which Adventurer.
    pub adventurer: u8,
    /// Where it is.
    pub(crate) here: CellId,
    /// Land moves since the beginning or the last rest.
    pub land: u8,
    /// Upwind moves.
    pub upwind: u8,
    /// Downwind moves and waits.
    pub downwind: u8,
    /// Agents that cannot rest this Adventurer any more in this turn.
    pub rested: AgentSet,
    /// The Agent just placed, which cannot rest in this move.
    pub just_placed: AgentSet,
    /// Whether the free rest was used.
    pub free_rest_used: bool,
    /// Whether the turn ends after this move.
    pub over: bool,
    /// Whether the turn is over, but moves of the next may be made at once; a quirk of the scripted order.
    pub overtime: bool,
    /// What was done in this move.
    pub done: Done,
    /// Adventurers of the player that have had their turn: bit by number.
    pub moved: u8,
    /// Sides of the tile over which the Adventurer may leave, whatever lies there, if it moves next.
    pub(crate) passable: u8,
    /// Those over which it may roll for a gust then, whatever lies there.
    pub(crate) gusts: u8,
}

impl SubTurn {
    /// Moves since the beginning or the last rest.
    #[inline]
    pub fn total(&self) -> u8 {
        self.land + self.upwind + self.downwind
    }
}

/// What a new tile is tried for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Chance says who begins.
    Start,
    /// Chance draws a named card for an Adventurer; the first of two, if there is a choice.
    Person(u8, u8, Option<Effect>),
    /// The owner chooses between two named cards.
    ChoosePerson(u8, u8, Effect, Effect),
    /// Chance draws a map tile to carry, of this colour.
    Chart(u8, u8, u8),
    /// The player picks the next Adventurer.
    Pick,
    /// The Adventurer moves.
    Move,
    /// The die rolls for a gust.
    Gust(Dir),
    /// The player tries a carried map tile or draws.
    TryChart(Dir),
    /// A tile of this colour is drawn; this many were.
    Explore(Dir, u8, u8),
    /// The player takes wealth or a card for a discovery.
    Reward,
    /// A Discovery card is drawn.
    Discover,
    /// The player acts on the tile.
    Act,
    /// Conflicts with the target of this option: wins still needed, losses that end it.
    Conflict(u8, u8, u8),
    /// The player chooses which Agent is moved to this cell, for this price.
    Relocate(CellId, u16),
    /// The player chooses how much goes to this Agent.
    Send(u8),
    /// The player banks.
    Bank,
    /// The player buys.
    Buy,
    /// The player equips a Technology.
    Equip,
    /// The player says which carried map tile is put away.
    Drop,
    /// The game is over, for this reason.
    Over(u8),
}

/// What comes after map tiles were taken along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum After {
    Person,
    Act,
    City,
    NextAdventurer,
}

const _: () = assert!(
    MAX_SEATS.is_power_of_two() && MAX_ADVENTURERS.is_power_of_two() && MAX_AGENTS.is_power_of_two(),
    "indices are masked"
);

/// A position. All that is hidden is in `hands`; nothing has an order that is yet to come.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) step: Step,
    pub(crate) after: After,
    pub(crate) turn: SubTurn,
    pub(crate) round: u16,
    /// Counts arrivals.
    pub(crate) clock: u32,
    pub(crate) first: u8,
    pub(crate) begun: bool,
    /// Lead of the first Vault over the second as last evaluated.
    pub(crate) lead: u32,
    pub(crate) failed: u32,
    pub(crate) discarded: u32,
    /// The Mythical City, once it is on the map.
    pub(crate) second_city: CellId,
    pub(crate) players: [Player; MAX_SEATS],
    pub(crate) piles: [Pile; 2],
    /// Named cards left.
    pub(crate) persons: [u8; EFFECTS],
    /// Discovery cards left.
    pub(crate) deck: [u8; CARDS],
    /// Discovery cards used up.
    pub(crate) deck_discards: [u8; CARDS],
    /// Technologies held and not used, by seat: known to their owner alone.
    pub(crate) hands: [[u8; EFFECTS]; MAX_SEATS],
    /// What everybody knows to be in them: Technologies that were used and went back.
    pub(crate) seen_hands: [[u8; EFFECTS]; MAX_SEATS],
    pub(crate) map: Map,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), ..*self }
    }

    /// Copies what is in use, and nothing twice: this is how an episode begins.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        // All are named, so that a new field cannot be forgotten.
        #[rustfmt::skip]
        let Self {
            step, after, turn, round, clock, first, begun, lead, failed, discarded, second_city, players, piles,
            persons, deck, deck_discards, hands, seen_hands, map,
        } = source;
        self.map.clone_from(map);
        (self.step, self.after, self.turn) = (*step, *after, *turn);
        (self.round, self.clock, self.first, self.begun) = (*round, *clock, *first, *begun);
        (self.lead, self.failed, self.discarded) = (*lead, *failed, *discarded);
        self.second_city = *second_city;
        self.players.copy_from_slice(players);
        self.piles.copy_from_slice(piles);
        (self.persons, self.deck, self.deck_discards) = (*persons, *deck, *deck_discards);
        (self.hands, self.seen_hands) = (*hands, *seen_hands);
    }
}

impl State {
    /// Who must act next.
    #[inline]
    pub(crate) fn phase(&self) -> Phase {
        match self.step {
            Step::Start
            | Step::Person(..)
            | Step::Chart(..)
            | Step::Gust(_)
            | Step::Explore(..)
            | Step::Discover
            | Step::Conflict(..) => Phase::Chance,
            Step::ChoosePerson(seat, ..) => Phase::turn(Seat::new(usize::from(seat))),
            Step::Over(_) => Phase::Over,
            _ => Phase::turn(Seat::new(usize::from(self.turn.seat))),
        }
    }

    pub(crate) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// The player whose turn it is.
    #[inline(always)]
    pub(crate) fn owner(&self) -> &Player {
        // There are exactly four places, so the mask only spares the test of the bounds.
        &self.players[usize::from(self.turn.seat) & (MAX_SEATS - 1)]
    }

    #[inline(always)]
    pub(crate) fn owner_mut(&mut self) -> &mut Player {
        &mut self.players[usize::from(self.turn.seat) & (MAX_SEATS - 1)]
    }

    /// This Adventurer.
    #[inline]
    pub(crate) fn adventurer(&self, (seat, number): (u8, u8)) -> &Adventurer {
        &self.players[usize::from(seat)].adventurer[usize::from(number)]
    }

    #[inline]
    pub(crate) fn adventurer_mut(&mut self, (seat, number): (u8, u8)) -> &mut Adventurer {
        &mut self.players[usize::from(seat)].adventurer[usize::from(number)]
    }

    /// This Agent.
    #[inline]
    pub(crate) fn agent(&self, agent: AgentId) -> &Agent {
        &self.players[usize::from(agent.seat())].agent[usize::from(agent.number())]
    }

    #[inline]
    pub(crate) fn agent_mut(&mut self, agent: AgentId) -> &mut Agent {
        &mut self.players[usize::from(agent.seat())].agent[usize::from(agent.number())]
    }

    /// The acting Adventurer.
    #[inline(always)]
    pub(crate) fn hero(&self) -> &Adventurer {
        &self.owner().adventurer[self.hero_index()]
    }

    #[inline(always)]
    pub(crate) fn hero_mut(&mut self) -> &mut Adventurer {
        let index = self.hero_index();
        &mut self.owner_mut().adventurer[index]
    }

    #[inline(always)]
    fn hero_index(&self) -> usize {
        usize::from(self.turn.adventurer) & (MAX_ADVENTURERS - 1)
    }

    /// Where the acting Adventurer is.
    #[inline(always)]
    pub(crate) fn here(&self) -> CellId {
        debug_assert_eq!(self.turn.here, self.owner().at[self.hero_index()]);
        self.turn.here
    }

    /// The turn of this Adventurer begins, or that of nobody in particular.
    #[inline]
    pub(crate) fn start_turn(&mut self, seat: u8, moved: u8, adventurer: u8) {
        self.turn = SubTurn { seat, moved, adventurer, ..SubTurn::default() };
        self.turn.here = self.owner().at[self.hero_index()];
    }

    pub(crate) fn place(&self, cell: CellId) -> (i16, i16) {
        let cell = self.map.cell(cell);
        (cell.x, cell.y)
    }
}
