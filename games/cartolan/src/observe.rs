//! The observation of a viewer: the whole position except other players' hands of Technologies. Piles are
//! multisets, so no order needs to be hidden.

use std::fmt;

use meeple_core::{Listed, Phase, Seat, Stream, Viewer};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::allowed::Allowed;
use crate::cards::{CARDS, Card, EFFECTS};
use crate::game::Cartolan;
use crate::map::{AgentId, Cell, CellId, Ground, Map, NO_AGENT, NO_CELL};
use crate::patterns::Patterns;
use crate::pile::{Pile, pick, total};
use crate::rules::options;
use crate::state::{Adventurer, Player, State, Step, SubTurn, Tally};
use crate::tiles::{Back, Dir, Edges, Face, Kind};
use crate::variant::{Limits, Variant};
use crate::ways::turn_states::TurnStates;

#[derive(Clone, Copy)]
pub struct Observation<'a> {
    game: &'a Cartolan,
    state: &'a State,
    viewer: Viewer,
}

impl<'a> Observation<'a> {
    pub(crate) fn new(game: &'a Cartolan, state: &'a State, viewer: Viewer) -> Self {
        Self { game, state, viewer }
    }

    #[inline]
    pub fn variant(&self) -> &'a Variant {
        &self.game.variant
    }

    #[inline]
    pub fn seats(&self) -> usize {
        self.game.seats
    }

    /// The round, from 1.
    #[inline]
    pub fn round(&self) -> u16 {
        self.state.round
    }

    #[inline]
    pub fn step(&self) -> Step {
        self.state.step
    }

    pub fn phase(&self) -> Phase {
        self.state.phase()
    }

    #[inline]
    pub fn map(&self) -> &'a Map {
        &self.state.map
    }

    #[inline]
    pub fn players(&self) -> &'a [Player] {
        &self.state.players[..self.game.seats]
    }

    /// The players other than that of this seat.
    #[inline]
    pub(crate) fn others(&self, seat: usize) -> impl Iterator<Item = &'a Player> {
        self.players().iter().enumerate().filter(move |(other, _)| *other != seat).map(|(_, player)| player)
    }

    /// The Vault of a seat minus the fullest Vault of the others.
    pub(crate) fn lead_of(&self, seat: usize) -> i64 {
        let best = self.others(seat).map(|player| i64::from(player.vault)).max().unwrap_or(0);
        i64::from(self.players()[seat].vault) - best
    }

    #[inline]
    pub(crate) fn attacked(&self, option: u8) -> &'a Adventurer {
        self.state.adventurer(options::attacked(option))
    }

    #[inline]
    pub(crate) fn owner(&self) -> &'a Player {
        self.state.owner()
    }

    #[inline]
    pub fn turn(&self) -> &'a SubTurn {
        &self.state.turn
    }

    #[inline]
    pub fn hero(&self) -> &'a Adventurer {
        self.state.hero()
    }

    #[inline]
    pub fn here(&self) -> CellId {
        self.state.here()
    }

    /// Lead of the first Vault over the second at the last evaluation.
    #[inline]
    pub fn lead(&self) -> u32 {
        self.state.lead
    }

    /// The cell of the Mythical City; `None` unless it is on the map.
    #[inline]
    pub fn second_city(&self) -> Option<CellId> {
        (self.state.second_city != NO_CELL).then_some(self.state.second_city)
    }

    #[inline]
    pub fn pile(&self, back: Back) -> &'a Pile {
        &self.state.piles[back as usize]
    }

    /// The kinds of tile of a colour, in the order of the pile's counts.
    #[inline]
    pub fn kinds(&self, back: Back) -> &'a [Kind] {
        &self.game.kinds[back as usize]
    }

    /// The states of a turn with a loaded or an empty Chest: all states, and all merged into one.
    #[inline]
    pub(crate) fn turn_states(&self, has_empty_chest: bool) -> &'a [TurnStates; 2] {
        &self.game.turn_states[usize::from(has_empty_chest)]
    }

    #[inline]
    pub(crate) fn patterns(&self) -> &'a Patterns {
        &self.game.patterns
    }

    /// Number of failed explorations.
    pub fn failed(&self) -> u32 {
        self.state.failed
    }

    /// Masks of the sides that the acting Adventurer may cross, and of those where it may roll for a gust.
    #[inline]
    pub fn ways(&self) -> (u8, u8) {
        self.game.ways(self.state)
    }

    #[inline]
    pub fn limits(&self) -> Limits {
        self.game.limits(self.state)
    }

    /// The crossings that the acting Adventurer may make now.
    #[inline]
    pub fn allowed(&self) -> Allowed {
        self.game.allowed(self.state)
    }

    /// Mask of the sides that the acting Adventurer may cross, before disasters that it may not enter are
    /// excluded. The step must be [`Step::Move`].
    #[inline]
    pub(crate) fn passable(&self) -> u8 {
        debug_assert_eq!(self.state.step, Step::Move, "nobody else leaves a tile");
        self.state.turn.passable
    }

    /// The acting Adventurer's crossing of a placed tile's side.
    #[inline]
    pub fn crossing(&self, from: CellId, dir: Dir) -> crate::map::Crossing {
        self.game.crossing(self.state, self.state.map.cell(from), dir)
    }

    /// Returns true if the acting Adventurer may move onto a cell.
    #[inline]
    pub fn may_enter(&self, cell: CellId) -> bool {
        self.game.may_enter(self.state, cell)
    }

    /// Mask of the options that may be chosen now.
    #[inline]
    pub(crate) fn offered(&self) -> u32 {
        self.state.turn.done.offered
    }

    #[inline]
    pub fn can_hire_adventurer(&self) -> bool {
        self.game.can_hire_adventurer(self.state)
    }

    /// Bits of the Technologies in hand that may be equipped now; 0 if the hand is hidden from the viewer.
    #[inline]
    pub(crate) fn equippable(&self) -> u16 {
        match self.viewer.sees(Seat::new(usize::from(self.state.turn.seat))) {
            true => self.game.equippable(self.state),
            false => 0,
        }
    }

    /// The wind that a tile would get beside the acting Adventurer's tile, if it fits there.
    pub fn fitting_wind(&self, dir: Dir, tile: Kind) -> Option<crate::tiles::Wind> {
        self.game.fitting_wind(self.state, dir, tile)
    }

    pub fn chart(&self, adventurer: &Adventurer, which: u8) -> Kind {
        self.game.chart(adventurer, which)
    }

    pub fn hand_size(&self, seat: usize) -> u32 {
        total(&self.state.hands[seat])
    }

    /// The hand of a seat, by effect; `None` if it is hidden from the viewer.
    pub fn hand(&self, seat: usize) -> Option<&'a [u8; EFFECTS]> {
        self.viewer.sees(Seat::new(seat)).then_some(&self.state.hands[seat])
    }

    /// The public part of a hand, by effect: Technologies that were used and returned to the hand.
    pub fn seen_hand(&self, seat: usize) -> &'a [u8; EFFECTS] {
        &self.state.seen_hands[seat]
    }

    /// The cards whose place the viewer does not know: in the Discovery deck or in hidden hands.
    fn unseen_deck(&self) -> [u8; CARDS] {
        let mut unseen = self.state.deck;
        for seat in 0..self.game.seats {
            if self.hand(seat).is_none() {
                let held = self.state.hands[seat].iter().zip(self.seen_hand(seat));
                for (count, (held, seen)) in unseen.iter_mut().zip(held) {
                    *count += *held - *seen;
                }
            }
        }
        unseen
    }

    /// Samples the hidden parts of hands, uniformly over the cards in hidden places.
    pub(crate) fn determinize(&self, rng: &mut Stream, state: &mut State) {
        state.clone_from(self.state);
        let mut pool = self.unseen_deck();
        for seat in 0..self.game.seats {
            if self.hand(seat).is_some() {
                continue;
            }
            let seen = self.seen_hand(seat);
            let size = self.hand_size(seat) - total(seen);
            state.hands[seat] = *seen;
            for _ in 0..size {
                let technologies = &pool[..EFFECTS];
                let index = pick(technologies, total(technologies), rng);
                pool[index] -= 1;
                state.hands[seat][index] += 1;
            }
        }
        state.deck = pool;
    }
}

struct StepText<'a>(&'a State);

impl fmt::Display for StepText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0;
        match state.step {
            Step::Start => f.write_str("start"),
            Step::Person(seat, number, None) => write!(f, "person {seat}.{number}"),
            Step::Person(seat, number, Some(first)) => write!(f, "person {seat}.{number} {first}"),
            Step::ChoosePerson(seat, number, low, high) => write!(f, "choose {seat}.{number} {low} {high}"),
            Step::Chart(seat, number, colour) => {
                let back = Back::ALL[usize::from(colour)];
                write!(f, "chart {seat}.{number} {back} {:?}", state.after)
            }
            Step::Pick => f.write_str("pick"),
            Step::Move => f.write_str("move"),
            Step::Gust(dir) => write!(f, "gust {dir}"),
            Step::TryChart(dir) => write!(f, "try {dir}"),
            Step::Explore(dir, tried, colour) => {
                write!(f, "explore {dir} {tried} {}", Back::ALL[usize::from(colour)])
            }
            Step::Reward => f.write_str("reward"),
            Step::Discover => f.write_str("discover"),
            Step::Act => f.write_str("act"),
            Step::Conflict(option, wins, losses) => {
                write!(f, "conflict {} {wins} {losses}", options::action(option))
            }
            Step::Relocate(cell, price) => {
                let (x, y) = state.place(cell);
                write!(f, "relocate {x} {y} {price}")
            }
            Step::Send(agent) => write!(f, "send {agent}"),
            Step::Bank => f.write_str("bank"),
            Step::Buy => f.write_str("buy"),
            Step::Equip => f.write_str("equip"),
            Step::Drop => f.write_str("drop"),
            Step::Over(reason) => write!(f, "over: {}", crate::info::ENDS[usize::from(reason)]),
        }
    }
}

struct ShownAdventurer<'a> {
    game: &'a Cartolan,
    state: &'a State,
    adventurer: &'a Adventurer,
    at: CellId,
}

impl Serialize for ShownAdventurer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, state, adventurer, at } = *self;
        let used = |cell: &&Cell| cell.ground == Ground::Wonder && adventurer.has_used(cell);
        let wonders = || state.map.cells().iter().filter(used).map(|cell| (cell.x, cell.y));
        let charts = || (0..adventurer.charts).map(|which| game.chart(adventurer, which));
        let mut shown = serializer.serialize_struct("Adventurer", 12)?;
        shown.serialize_field("at", &state.place(at))?;
        shown.serialize_field("chest", &adventurer.chest)?;
        shown.serialize_field("pirate", &adventurer.pirate)?;
        shown.serialize_field("last_city", &state.place(adventurer.last_city))?;
        shown.serialize_field("used_wonders", &Listed(wonders))?;
        shown.serialize_field("person", &adventurer.person)?;
        shown.serialize_field("technology", &adventurer.gear)?;
        shown.serialize_field("charts", &Listed(charts))?;
        shown.serialize_field("next_chart", &Back::ALL[usize::from(adventurer.next_chart)])?;
        shown.serialize_field("moves_from_round", &adventurer.moves_from)?;
        shown.serialize_field("turns", &adventurer.turns)?;
        shown.serialize_field("distance", &adventurer.distance)?;
        shown.end()
    }
}

struct ShownPlayer<'a>(Observation<'a>, usize);

impl Serialize for ShownPlayer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(observation, seat) = *self;
        let Observation { game, state, .. } = observation;
        let player = &state.players[seat];
        let adventurers =
            || player.crew().map(|(adventurer, at)| ShownAdventurer { game, state, adventurer, at });
        let agents = || {
            player
                .agents_on_map()
                .map(|(number, agent)| (number, state.place(agent.cell), agent.wealth, agent.dispossessed))
        };
        let Tally { trades, wonders, tiles, failed, attacks, attacks_won, rests, range } = player.tally;
        let mut shown = serializer.serialize_struct("Player", 7 + usize::from(game.is_scripted()))?;
        shown.serialize_field("vault", &player.vault)?;
        shown.serialize_field("adventurers", &Listed(adventurers))?;
        shown.serialize_field("agents", &Listed(agents))?;
        shown.serialize_field("hand_size", &observation.hand_size(seat))?;
        shown.serialize_field("hand", &observation.hand(seat))?;
        shown.serialize_field("hand_seen", observation.seen_hand(seat))?;
        shown.serialize_field("tally", &(trades, wonders, tiles, failed, attacks, attacks_won, range))?;
        if game.is_scripted() {
            shown.serialize_field("rests", &rests)?;
        }
        shown.end()
    }
}

struct ShownCell<'a>(&'a Cell);

impl Serialize for ShownCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(cell) = *self;
        let mut shown = serializer.serialize_struct("Cell", 8)?;
        shown.serialize_field("at", &(cell.x, cell.y))?;
        shown.serialize_field("ground", &cell.ground)?;
        shown.serialize_field("back", &cell.back)?;
        // The compass edges are in the order north, east, south, west.
        shown.serialize_field("edges", &Edges(cell.land))?;
        shown.serialize_field("wind", &cell.wind)?;
        shown.serialize_field("domain", &cell.in_domain)?;
        if cell.dropped > 0 {
            shown.serialize_field("dropped", &cell.dropped)?;
        }
        if cell.visited > 0 {
            shown.serialize_field("visited", &cell.visited)?;
        }
        shown.end()
    }
}

fn shown_map(map: &Map) -> impl Serialize {
    Listed(|| map.cells().iter().filter(|cell| cell.is_placed()).map(ShownCell))
}

struct ShownPile<'a>(&'a Pile, &'a [Kind]);

impl Serialize for ShownPile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(pile, kinds) = *self;
        let faces = || kinds.iter().copied().map(Face);
        let mut shown = serializer.serialize_struct("Pile", 5)?;
        shown.serialize_field("left", &pile.left())?;
        shown.serialize_field("face_down", &pile.fresh_left)?;
        shown.serialize_field("unseen", &counted(faces, &pile.fresh))?;
        shown.serialize_field("put_back", &counted(faces, &pile.known))?;
        shown.serialize_field("discards", &counted(faces, &pile.discards))?;
        shown.end()
    }
}

/// Pairs of items and counts, without zero counts.
fn counted<I: Iterator<Item: Serialize>>(things: impl Fn() -> I, counts: &[u8]) -> impl Serialize {
    Listed(move || things().zip(counts.iter().copied()).filter(|(_, count)| *count > 0))
}

struct ShownTurn<'a>(&'a SubTurn);

impl Serialize for ShownTurn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(turn) = *self;
        let moved = || (0..8u8).filter(|number| turn.moved >> number & 1 == 1);
        let mut shown = serializer.serialize_struct("Turn", 15)?;
        shown.serialize_field("seat", &turn.seat)?;
        shown.serialize_field("adventurer", &turn.adventurer)?;
        shown.serialize_field("land", &turn.land)?;
        shown.serialize_field("upwind", &turn.upwind)?;
        shown.serialize_field("downwind", &turn.downwind)?;
        shown.serialize_field("rested", &Listed(|| turn.rested.iter().map(AgentId::who)))?;
        shown.serialize_field("just_placed", &Listed(|| turn.just_placed.iter().map(AgentId::who)))?;
        shown.serialize_field("free_rest_used", &turn.free_rest_used)?;
        shown.serialize_field("over", &turn.over)?;
        shown.serialize_field("overtime", &turn.overtime)?;
        shown.serialize_field("new_tile", &turn.done.new_tile)?;
        shown.serialize_field("waited", &turn.done.waited)?;
        shown.serialize_field("done", &turn.done.options)?;
        shown.serialize_field("cursor", &turn.done.cursor)?;
        shown.serialize_field("moved", &Listed(moved))?;
        shown.end()
    }
}

impl Serialize for Observation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { game, state, .. } = *self;
        let [water, land] = [0, 1].map(|back| ShownPile(&state.piles[back], &game.kinds[back]));
        let cards = || Card::all().map(Card::word);
        let mut shown = serializer.serialize_struct("Cartolan", 16)?;
        shown.serialize_field("step", &format_args!("{}", StepText(state)))?;
        shown.serialize_field("round", &state.round)?;
        shown.serialize_field("first_seat", &state.first)?;
        shown.serialize_field("begun", &state.begun)?;
        shown.serialize_field("lead", &state.lead)?;
        shown.serialize_field("failed_explorations", &state.failed)?;
        shown.serialize_field("discarded", &state.discarded)?;
        shown.serialize_field("turn", &ShownTurn(&state.turn))?;
        shown.serialize_field("players", &Listed(|| (0..game.seats).map(|seat| ShownPlayer(*self, seat))))?;
        shown.serialize_field("water", &water)?;
        shown.serialize_field("land", &land)?;
        shown.serialize_field("persons_left", &counted(cards, &state.persons))?;
        shown.serialize_field("discovery_left", &total(&state.deck))?;
        shown.serialize_field("discovery_unseen", &counted(cards, &self.unseen_deck()))?;
        shown.serialize_field("discovery_used", &counted(cards, &state.deck_discards))?;
        shown.serialize_field("map", &shown_map(&state.map))?;
        shown.end()
    }
}

fn state_of_adventurer((one, at): (&Adventurer, CellId)) -> impl Serialize {
    let cards = (one.person, one.gear, one.chart, one.charts, one.next_chart);
    let counts = (one.moves_from, one.turns, one.distance);
    ((at, one.last_city), one.chest, one.pirate, one.used, cards, counts)
}

fn state_of_player(player: &Player) -> impl Serialize {
    let agents = || {
        player.agents_on_map().map(|(number, agent)| (number, agent.cell, agent.wealth, agent.dispossessed))
    };
    (player.vault, Listed(|| player.crew().map(state_of_adventurer)), Listed(agents))
}

fn state_of_pile(pile: &Pile) -> impl Serialize {
    (&pile.fresh[..], pile.fresh_left, &pile.known[..], &pile.discards[..])
}

/// The serialised form of a state, hands included.
impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let agents_on_map = self.map.cells().iter().filter(|cell| cell.agent != NO_AGENT).count();
        let mut shown = serializer.serialize_struct("State", 12)?;
        shown.serialize_field("step", &format_args!("{}", StepText(self)))?;
        shown.serialize_field("turn", &ShownTurn(&self.turn))?;
        shown.serialize_field("round", &self.round)?;
        shown.serialize_field("first", &self.first)?;
        shown.serialize_field("lead", &self.lead)?;
        shown.serialize_field("counts", &(self.failed, self.discarded, self.begun, agents_on_map))?;
        shown.serialize_field("players", &Listed(|| self.players.iter().map(state_of_player)))?;
        shown.serialize_field("piles", &self.piles.each_ref().map(state_of_pile))?;
        shown.serialize_field("persons", &self.persons)?;
        shown.serialize_field("deck", &(self.deck, self.deck_discards))?;
        shown.serialize_field("hands", &(self.hands, self.seen_hands))?;
        shown.serialize_field("map", &shown_map(&self.map))?;
        shown.end()
    }
}
