//! A position of the game: a flat value.

use meeple_core::{Phase, Seat};
use serde::Serialize;

use crate::cards::{CARDS, EFFECTS, Effect, MAX_CHARTS};
use crate::map::{AgentId, AgentSet, Cell, CellId, Map, NO_CELL};
use crate::pile::Pile;
use crate::tiles::Dir;
use crate::variant::{MAX_ADVENTURERS, MAX_AGENTS, MAX_CHEST, MAX_SEATS};

/// A carried map tile in one byte: two bits for the colour, six for the index among the kinds of that colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub(crate) struct Chart(u8);

impl Chart {
    const NONE: Self = Self(0);

    /// The kind with this index, of this colour (0 water, 1 land).
    pub fn new(colour: u8, kind: u8) -> Self {
        Self(colour << 6 | kind)
    }

    pub fn colour(self) -> usize {
        usize::from(self.0 >> 6)
    }

    pub fn kind(self) -> u8 {
        self.0 & 63
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Adventurer {
    /// Wealth in the Chest.
    pub chest: u16,
    /// The city visited last.
    pub last_city: CellId,
    pub pirate: bool,
    pub person: Option<Effect>,
    pub gear: Option<Effect>,
    /// Carried map tiles; only the first `charts` entries count.
    pub(crate) chart: [Chart; MAX_CHARTS],
    pub charts: u8,
    /// Colour of the next map tile to be carried: 0 water, 1 land.
    pub(crate) next_chart: u8,
    /// Number of turns so far, as the original counts them.
    pub turns: u16,
    /// The first round in which the Adventurer may move.
    pub moves_from: u16,
    /// Bits of the wonders used since the last visit to a city.
    pub used: u64,
    /// Agents where the Adventurer cannot rest in its next turn, as in [`SubTurn::rested`]. A quirk of the
    /// scripted order.
    pub(crate) barred: AgentSet,
    /// Land, upwind and downwind moves that already count for the next turn. A quirk of the scripted order.
    pub carried_moves: [u8; 3],
    /// The time of arrival on the present tile, by [`State::clock`].
    pub(crate) arrived: u32,
    pub distance: u32,
}

/// R28: the half of a robbed Chest, or of the wealth at a disaster, that the taker gets, rounded up.
#[inline]
pub(crate) fn half_taken(wealth: u16) -> u16 {
    wealth.div_ceil(2)
}

impl Adventurer {
    pub(crate) fn none() -> Self {
        Self { last_city: NO_CELL, ..Self::default() }
    }

    pub(crate) fn hand_over_chart(&mut self, which: u8) -> Chart {
        let chart = self.chart[usize::from(which)];
        self.chart.copy_within(usize::from(which) + 1.., usize::from(which));
        self.charts -= 1;
        self.chart[usize::from(self.charts)] = Chart::NONE;
        chart
    }

    /// Returns true if the Adventurer used a cell's wonder since its last visit to a city.
    #[inline]
    pub(crate) fn has_used(&self, cell: &Cell) -> bool {
        self.used >> cell.wonder & 1 == 1
    }

    /// The number of the Adventurer's cards with this effect.
    #[inline]
    pub fn count(&self, effect: Effect) -> u8 {
        u8::from(self.person == Some(effect)) + u8::from(self.gear == Some(effect))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Agent {
    /// The Agent's cell; [`NO_CELL`] in the supply.
    pub cell: CellId,
    pub wealth: u16,
    pub dispossessed: bool,
}

impl Agent {
    pub(crate) const NONE: Agent = Agent { cell: NO_CELL, wealth: 0, dispossessed: false };

    /// Adds wealth, up to [`MAX_CHEST`].
    #[inline]
    pub(crate) fn gain(&mut self, wealth: u16) {
        self.wealth = self.wealth.saturating_add(wealth).min(MAX_CHEST);
    }

    #[inline]
    pub fn is_placed(&self) -> bool {
        self.cell != NO_CELL
    }
}

/// Counts of a seat's actions in the episode, for figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    pub trades: u16,
    pub wonders: u16,
    pub tiles: u16,
    /// Failed explorations.
    pub failed: u16,
    /// Attacks, including arrests but not courting.
    pub attacks: u16,
    pub attacks_won: u16,
    /// Number of rests. In the scripted order a rest may change nothing else in the state.
    pub rests: u16,
    /// Sum over all arrivals of the distance to the Capital.
    pub range: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Player {
    pub vault: u32,
    pub adventurers: u8,
    /// Places of the Adventurers; [`NO_CELL`] for those not in play.
    pub at: [CellId; MAX_ADVENTURERS],
    pub adventurer: [Adventurer; MAX_ADVENTURERS],
    pub agent: [Agent; MAX_AGENTS],
    /// Numbers of the Agents on the map, oldest first.
    pub agents: [u8; MAX_AGENTS],
    pub agents_placed: u8,
    pub tally: Tally,
}

impl Player {
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

    /// The Agents on the map with their numbers, oldest first.
    #[inline]
    pub(crate) fn agents_on_map(&self) -> impl Iterator<Item = (u8, &Agent)> {
        self.placed_agents().iter().map(|number| (*number, self.agent_numbered(*number)))
    }

    /// The Agent at this index in the order of placement, oldest first.
    #[inline]
    pub(crate) fn placed_agent(&self, index: u8) -> Option<&Agent> {
        (index < self.agents_placed)
            .then(|| self.agent_numbered(self.agents[usize::from(index) & (MAX_AGENTS - 1)]))
    }

    #[inline]
    pub(crate) fn agent_numbered(&self, number: u8) -> &Agent {
        &self.agent[usize::from(number) & (MAX_AGENTS - 1)]
    }

    #[inline]
    pub(crate) fn crew(&self) -> impl Iterator<Item = (&Adventurer, CellId)> {
        self.adventurer.iter().zip(self.at.iter().copied()).take(usize::from(self.adventurers))
    }

    #[inline]
    pub fn chests(&self) -> u32 {
        self.adventurer[..usize::from(self.adventurers)].iter().map(|one| u32::from(one.chest)).sum()
    }
}

/// Progress within a move. No option is taken twice in a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Done {
    /// Options taken in this move, as a mask of `crate::rules::options`.
    pub options: u32,
    /// Options that may be taken now.
    pub offered: u32,
    /// In the scripted order: options with numbers below this one are over.
    pub cursor: u8,
    /// True if the current move placed the tile.
    pub new_tile: bool,
    /// True if the current move was a wait.
    pub waited: bool,
    /// True if the visit to a city continues with purchases.
    pub(crate) will_buy: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SubTurn {
    pub seat: u8,
    pub adventurer: u8,
    pub(crate) here: CellId,
    /// Land moves since the start of the turn or the last rest.
    pub land: u8,
    /// Upwind moves since the start of the turn or the last rest.
    pub upwind: u8,
    /// Downwind moves and waits since the start of the turn or the last rest.
    pub downwind: u8,
    /// Agents where this Adventurer can no longer rest in this turn.
    pub rested: AgentSet,
    /// Agents placed in this move, where the Adventurer cannot rest yet.
    pub just_placed: AgentSet,
    /// True once the free rest is used.
    pub free_rest_used: bool,
    /// True if the turn ends after this move.
    pub over: bool,
    /// True if the turn is over but moves of the next turn may follow at once. A quirk of the scripted order.
    pub overtime: bool,
    /// Progress within the current move.
    pub done: Done,
    /// Adventurers of the player that have finished their turn, as bits by number.
    pub moved: u8,
    /// Mask of the sides that the Adventurer may cross if it moves next, before disasters that it may not
    /// enter are excluded.
    pub(crate) passable: u8,
    /// Mask of the sides where the Adventurer may roll for a gust if it moves next, before such disasters are
    /// excluded.
    pub(crate) gusts: u8,
}

impl SubTurn {
    /// Moves since the start of the turn or the last rest.
    #[inline]
    pub fn total(&self) -> u8 {
        self.land + self.upwind + self.downwind
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Chance draws the first seat.
    Start,
    /// Chance draws a named card for an Adventurer: seat, number, and the first card if a second one is
    /// drawn.
    Person(u8, u8, Option<Effect>),
    /// The owner chooses between two named cards.
    ChoosePerson(u8, u8, Effect, Effect),
    /// Chance draws a map tile to carry: seat, number, colour.
    Chart(u8, u8, u8),
    Pick,
    Move,
    /// The die rolls for a gust.
    Gust(Dir),
    /// The player tries a carried map tile or draws.
    TryChart(Dir),
    /// Chance draws a tile: direction, tiles tried so far, colour.
    Explore(Dir, u8, u8),
    /// The player takes wealth or a card for a discovery.
    Reward,
    /// A Discovery card is drawn.
    Discover,
    /// The player acts on the tile.
    Act,
    /// Conflicts with the target of this option: the wins still needed, and the losses that end the attempt.
    Conflict(u8, u8, u8),
    /// The player chooses the Agent that is moved to this cell, for this price.
    Relocate(CellId, u16),
    /// The player chooses the amount for this Agent.
    Send(u8),
    Bank,
    Buy,
    Equip,
    /// The player chooses the carried map tile to put away.
    Drop,
    /// The game is over, for this reason.
    Over(u8),
}

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

/// A position. Only `hands` holds hidden information, and no future order exists.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) step: Step,
    pub(crate) after: After,
    pub(crate) turn: SubTurn,
    pub(crate) round: u16,
    /// The number of arrivals so far.
    pub(crate) clock: u32,
    pub(crate) first: u8,
    pub(crate) begun: bool,
    /// Lead of the first Vault over the second at the last evaluation.
    pub(crate) lead: u32,
    pub(crate) failed: u32,
    pub(crate) discarded: u32,
    /// The Mythical City, once it is on the map.
    pub(crate) second_city: CellId,
    pub(crate) players: [Player; MAX_SEATS],
    pub(crate) piles: [Pile; 2],
    /// Named cards not drawn yet.
    pub(crate) persons: [u8; EFFECTS],
    /// Discovery cards not drawn yet.
    pub(crate) deck: [u8; CARDS],
    /// Discovery cards used up.
    pub(crate) deck_discards: [u8; CARDS],
    /// Technologies in hand and not equipped, by seat. Only their owner knows them.
    pub(crate) hands: [[u8; EFFECTS]; MAX_SEATS],
    /// The public part of the hands: Technologies that were used and returned to the hand.
    pub(crate) seen_hands: [[u8; EFFECTS]; MAX_SEATS],
    pub(crate) map: Map,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { map: self.map.clone(), ..*self }
    }

    /// Copies only the cells in use of the map, because every episode starts with this copy.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        // All fields are named, so a new field cannot be forgotten.
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
    /// The current phase: a player to act, chance, or the end.
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
        // Seats are below `MAX_SEATS`, so the mask changes nothing and avoids a bounds check.
        &self.players[usize::from(self.turn.seat) & (MAX_SEATS - 1)]
    }

    #[inline(always)]
    pub(crate) fn owner_mut(&mut self) -> &mut Player {
        &mut self.players[usize::from(self.turn.seat) & (MAX_SEATS - 1)]
    }

    #[inline]
    pub(crate) fn adventurer(&self, (seat, number): (u8, u8)) -> &Adventurer {
        &self.players[usize::from(seat)].adventurer[usize::from(number)]
    }

    #[inline]
    pub(crate) fn adventurer_mut(&mut self, (seat, number): (u8, u8)) -> &mut Adventurer {
        &mut self.players[usize::from(seat)].adventurer[usize::from(number)]
    }

    #[inline]
    pub(crate) fn agent(&self, agent: AgentId) -> &Agent {
        &self.players[usize::from(agent.seat())].agent[usize::from(agent.number())]
    }

    #[inline]
    pub(crate) fn agent_mut(&mut self, agent: AgentId) -> &mut Agent {
        &mut self.players[usize::from(agent.seat())].agent[usize::from(agent.number())]
    }

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

    #[inline(always)]
    pub(crate) fn here(&self) -> CellId {
        debug_assert_eq!(self.turn.here, self.owner().at[self.hero_index()]);
        self.turn.here
    }

    /// Starts the turn of this Adventurer. It also clears the turn before an Adventurer is chosen.
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
