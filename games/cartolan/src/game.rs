//! The game: its variant, its seats, and tables computed from them.

use meeple_core::SetupError;

use crate::cards::{CARDS, Card, EFFECTS, Effect};
use crate::map::{CAPITAL, Laid, Map, NO_CELL};
use crate::patterns::Patterns;
use crate::pile::{MAX_KINDS, Pile};
use crate::state::{After, Player, State, Step, SubTurn};
use crate::tiles::{Back, Dir, Edges, Kind, Mark, Wind};
use crate::variant::{ActOrder, CityEdges, Limits, MAX_SEATS, Variant};
use crate::ways::turn_states::TurnStates;

pub struct Cartolan {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    /// Kinds of tile, by colour. The counts in piles are in this order.
    pub(crate) kinds: [Vec<Kind>; 2],
    pub(crate) initial: State,
    pub(crate) conflict_probability: f64,
    /// By colour: the number of tiles that the players are entitled to, and the number dealt.
    pub(crate) supplies: [(u16, u16); 2],
    /// Limits of moves with a loaded and with an empty Chest, without the effects of cards.
    pub(crate) limits: [Limits; 2],
    /// The states of a turn under each of [`limits`](Self::limits): all states, and all merged into one.
    pub(crate) turn_states: [[TurnStates; 2]; 2],
    /// Orientations tried when a tile is explored.
    pub(crate) patterns: Patterns,
}

impl Cartolan {
    /// Fails if the number of seats is out of range, or parameters contradict each other or that number.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
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
                    // The city is shuffled into the pile after the deal, so the pile certainly holds it.
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
        let mut players = [Player::none(); MAX_SEATS];
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
            persons = std::array::from_fn(|index| Effect::ALL[index].cards().copies[0]);
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
        let limits = variant.limits();
        let supplies = deals.map(|deal| (deal.wanted, deal.dealt));
        let turn_states = limits.map(|limits| {
            let states = TurnStates::new(&variant, limits);
            [states.clone(), states.merged()]
        });
        let patterns = Patterns::new(variant.exploration, &kinds);
        Ok(Self {
            variant,
            seats,
            kinds,
            initial,
            conflict_probability,
            supplies,
            limits,
            turn_states,
            patterns,
        })
    }

    pub(crate) fn cities(&self, state: &State) -> [Option<(i16, i16)>; 2] {
        let second = (state.second_city != NO_CELL).then(|| state.place(state.second_city));
        [Some((0, 0)), second]
    }

    /// Returns true if Adventurers act in the order of the original's script.
    #[inline]
    pub(crate) fn is_scripted(&self) -> bool {
        self.variant.act_order == ActOrder::Scripted
    }
}

/// A predicate for places in the domain of a city.
pub(crate) fn domain_of(
    variant: &Variant,
    cities: [Option<(i16, i16)>; 2],
) -> impl Fn(i16, i16) -> bool + use<> {
    let radius = u32::from(variant.domain);
    move |x, y| {
        cities
            .iter()
            .flatten()
            .any(|(cx, cy)| u32::from(x.abs_diff(*cx)) + u32::from(y.abs_diff(*cy)) <= radius)
    }
}

/// The first map: the cities, each with plain water tiles around it.
fn first_map(variant: &Variant, seats: usize) -> Map {
    let second = variant.has_second_city(seats).then_some((variant.mythical_distance as i16, 0));
    let cities = [Some((0, 0)), second];
    let domain = domain_of(variant, cities);
    let city_land = variant.city_edges == CityEdges::Land;
    let mut map = Map::new();
    for (at, wind) in cities.into_iter().flatten().zip([Wind::NorthEast, Wind::SouthWest]) {
        let city = Laid { back: Back::Water, edges: Edges::LAND, mark: Mark::City, wind };
        map.lay(at, city, city_land, &domain);
        for dir in Dir::ALL {
            let (dx, dy) = dir.step();
            let sea = Laid { mark: Mark::Plain, edges: Edges::WATER, ..city };
            map.lay((at.0 + dx, at.1 + dy), sea, city_land, &domain);
        }
    }
    map
}
