//! The rules. Clause numbers are those of RULES.md.
//!
//! One set of rule functions serves both orders of acting: in the free order a player sees all options of a
//! tile at once, in the scripted order one after another.

mod act;
mod chance;
mod city;
mod conflict;
mod explore;
mod legal;
pub mod moves;
pub(crate) mod options;
mod turns;

use meeple_core::{Audience, EventSink, Phase, Seat, SetupError};

use crate::action::Action;
use crate::cards::{CARDS, Card, EFFECTS, Effect};
use crate::event::Event;
use crate::map::{CellId, Laid, Map, NO_CELL};
use crate::pile::{MAX_KINDS, Pile};
use crate::rules::moves::Limits;
use crate::state::{After, Player, State, Step, SubTurn};
use crate::tiles::{Back, Edges, Kind, Mark, Wind};
use crate::variant::{ActOrder, CityEdges, MAX_SEATS, Variant};

/// The Capital is the first cell of every map.
pub(crate) const CAPITAL: CellId = 0;

/// Indices into [`crate::ENDS`].
pub(crate) mod end {
    pub const MARGIN: u8 = 0;
    pub const WATER: u8 = 1;
    pub const ROUNDS: u8 = 3;
}

/// Cartolan with one variant, for a number of players.
pub struct Cartolan {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    /// Kinds of tile by colour; counts in piles are in this order.
    pub(crate) kinds: [Vec<Kind>; 2],
    pub(crate) initial: State,
    pub(crate) conflict_probability: f64,
    /// Tiles that the players are entitled to, and tiles dealt, by colour.
    pub(crate) supplies: [(u16, u16); 2],
    /// Limits without and with an empty Chest, cards apart.
    limits: [Limits; 2],
}

impl Cartolan {
    pub(crate) fn make(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        if seats > MAX_SEATS {
            return Err(SetupError::new(format!("cartolan takes 2 to {MAX_SEATS} players, found {seats}")));
        }
        variant.check().map_err(SetupError::new)?;
        let deals = variant.deals(seats).map_err(SetupError::new)?;
        let mut piles = [Pile::EMPTY; 2];
        let mut kinds = [Vec::new(), Vec::new()];
        for (colour, deal) in deals.iter().enumerate() {
            let pile = &mut piles[colour];
            for (kind, count) in &deal.stock {
                let index = kinds[colour].len();
                kinds[colour].push(*kind);
                if kind.mark == Mark::City {
                    // Shuffled into the pile after the deal, so it is there for certain.
                    pile.known[index] = *count;
                    pile.known_sum += u16::from(*count);
                } else {
                    pile.fresh[index] = *count;
                    pile.fresh_sum += u16::from(*count);
                }
            }
            debug_assert!(kinds[colour].len() <= MAX_KINDS);
            pile.fresh_left = deal.dealt;
            if pile.fresh_left == 0 {
                (pile.fresh, pile.fresh_sum) = ([0; MAX_KINDS], 0);
            }
        }
        let mut map = first_map(&variant, seats);
        map.cell_mut(CAPITAL).ships = variant.start_adventurers * seats as u8;
        let second_city = match variant.has_second_city(seats) {
            true => map.find(variant.mythical_distance as i16, 0).expect("it was just laid"),
            false => NO_CELL,
        };
        let mut players = [Player::NONE; MAX_SEATS];
        for player in &mut players[..seats] {
            player.adventurers = variant.start_adventurers;
            for number in 0..usize::from(variant.start_adventurers) {
                player.at[number] = CAPITAL;
                player.adventurer[number].last_city = CAPITAL;
                player.adventurer[number].moves_from = 1;
            }
        }
        let mut persons = [0; EFFECTS];
        let mut deck = [0; CARDS];
        if variant.cards {
            persons = std::array::from_fn(|index| Effect::ALL[index].named_copies());
            deck = std::array::from_fn(|index| Card::from_index(index).copies());
        }
        let initial = State {
            step: Step::Start,
            after: After::Person,
            turn: SubTurn::default(),
            round: 1,
            clock: 0,
            first: 0,
            begun: false,
            lead: 0,
            failed: 0,
            discarded: 0,
            second_city,
            players,
            piles,
            persons,
            deck,
            deck_discards: [0; CARDS],
            hands: [[0; EFFECTS]; MAX_SEATS],
            seen_hands: [[0; EFFECTS]; MAX_SEATS],
            map,
        };
        let conflict_probability = variant.conflict_probability();
        let limits = {
            let v = &variant;
            let burdened = Limits { moves: v.moves, land: v.land_moves, upwind: v.upwind_moves };
            // An empty Chest never slows down.
            let unburdened = Limits {
                moves: v.moves,
                land: v.unburdened_land_moves.max(v.land_moves),
                upwind: v.unburdened_upwind_moves.max(v.upwind_moves),
            };
            [burdened, unburdened]
        };
        let supplies = deals.map(|deal| (deal.wanted, deal.dealt));
        Ok(Self { variant, seats, kinds, initial, conflict_probability, supplies, limits })
    }

    #[inline]
    pub(crate) fn is_scripted(&self) -> bool {
        self.variant.act_order == ActOrder::Scripted
    }

    pub(crate) fn phase_of(&self, state: &State) -> Phase {
        match state.step {
            Step::Start
            | Step::Person(..)
            | Step::Chart(..)
            | Step::Gust(_)
            | Step::Explore(..)
            | Step::Discover
            | Step::Conflict(..) => Phase::Chance,
            Step::ChoosePerson(seat, ..) => Phase::turn(Seat::new(usize::from(seat))),
            Step::Over(_) => Phase::Over,
            _ => Phase::turn(Seat::new(usize::from(state.turn.seat))),
        }
    }

    /// Takes a legal action.
    #[inline(always)]
    pub(crate) fn take(&self, state: &mut State, action: Action, events: &mut impl EventSink<Event>) {
        match action {
            Action::Pick(number) => self.begin_sub_turn(state, number),
            Action::Go(dir) => self.go(state, dir, events),
            Action::Gust(dir) => state.step = Step::Gust(dir),
            Action::Wait => self.wait(state, events),
            Action::End if state.turn.overtime => self.close_sub_turn(state, events),
            Action::End => self.end_sub_turn(state, events),
            Action::Chart(which) => self.try_chart(state, which, events),
            Action::Draw => {
                if let Step::TryChart(dir) = state.step {
                    self.draw_next(state, dir, 0, events);
                }
            }
            Action::Wealth => self.take_reward(state, events),
            Action::Card => self.draw_card(state),
            Action::Trade => self.trade(state, events),
            Action::Collect => self.collect(state, events),
            Action::Rest => self.rest(state, events),
            Action::AttackAgent => self.attack(state, options::ATTACK_AGENT),
            Action::Restore => self.restore(state, events),
            Action::Attack { seat, adventurer } => self.attack(state, options::attack(seat, adventurer)),
            Action::Court => self.attack(state, options::COURT),
            Action::Place => self.place_here(state, events),
            Action::Courier(agent) => state.step = Step::Send(agent),
            Action::Send(wealth) => self.send(state, wealth, events),
            Action::Done => self.done(state, events),
            Action::Relocate(agent) => self.relocate(state, agent, events),
            Action::Bank(wealth) => self.bank(state, wealth, events),
            Action::HireAdventurer => self.hire_adventurer(state, events),
            Action::HireAgent { x, y } => self.hire_agent(state, (x, y), events),
            Action::Equip(effect) => self.equip(state, effect, events),
            Action::Keep => self.next_adventurer(state, events),
            Action::Drop(which) => {
                self.drop_chart(state, which, events);
                self.shed_charts(state, events);
            }
            Action::Name(effect) => self.choose_person(state, effect, events),
        }
    }

    /// Whether a place lies in a city's domain.
    pub(crate) fn domain_of(&self, cities: [Option<(i16, i16)>; 2]) -> impl Fn(i16, i16) -> bool + use<> {
        domain_of(&self.variant, cities)
    }

    pub(crate) fn cities(&self, state: &State) -> [Option<(i16, i16)>; 2] {
        let second = (state.second_city != NO_CELL).then(|| state.place(state.second_city));
        [Some((0, 0)), second]
    }
}

fn domain_of(variant: &Variant, cities: [Option<(i16, i16)>; 2]) -> impl Fn(i16, i16) -> bool + use<> {
    let radius = u32::from(variant.domain);
    move |x, y| {
        cities
            .iter()
            .flatten()
            .any(|(cx, cy)| u32::from(x.abs_diff(*cx)) + u32::from(y.abs_diff(*cy)) <= radius)
    }
}

/// The cities with their plain water around them.
fn first_map(variant: &Variant, seats: usize) -> Map {
    let second = variant.has_second_city(seats).then_some((variant.mythical_distance as i16, 0));
    let cities = [Some((0, 0)), second];
    let domain = domain_of(variant, cities);
    let city_land = variant.city_edges == CityEdges::Land;
    let mut map = Map::new();
    for (at, wind) in cities.into_iter().flatten().zip([Wind::NorthEast, Wind::SouthWest]) {
        let city = Laid { back: Back::Water, edges: Edges::LAND, mark: Mark::City, wind };
        let city_cell = map.lay(at, city, city_land, &domain);
        for dir in crate::tiles::Dir::ALL {
            let (dx, dy) = dir.step();
            let sea = Laid { mark: Mark::Plain, edges: Edges::WATER, ..city };
            map.lay((at.0 + dx, at.1 + dy), sea, city_land, &domain);
        }
        debug_assert!(map.cell(city_cell).is_placed());
    }
    map
}

/// Everybody may see it.
pub(crate) fn tell(events: &mut impl EventSink<Event>, event: impl FnOnce() -> Event) {
    events.emit(Audience::All, event);
}
