//! Paths home and to worthwhile errands, and their values minus the cost of their moves.
//!
//! Encodings use this module, so it depends on the position alone and does not use the heap.

use crate::map::{CellId, Ground};
use crate::observe::Observation;
use crate::odds::OddsTable;
use crate::state::{Adventurer, Player, Step};
use crate::tiles::Dir;
use crate::ways::MAX_HOME;
use crate::ways::homeward::{Distances, Homeward};
use crate::ways::turn_states::bits;
use crate::worth::{ENCODED, Prospect, Terms, visit, wins_by_banking};

/// Cost of a move on the path home, in wealth.
const MOVE_HOME: f32 = ENCODED.rate as f32;
/// Cost of a move on the outward path, in wealth.
const MOVE_THERE: f32 = (ENCODED.rate * ENCODED.haste) as f32;

/// The outlook of an Adventurer, in wealth, minus the cost of moves. The moves spent in this turn count as
/// cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ahead {
    pub home: f32,
    pub visit: f32,
    pub explore: f32,
    pub meet: f32,
    /// The best of all errands, or `home` if the return is due.
    pub best: f32,
    /// True if the Adventurer should go home: this wins the game, or the tiles run out.
    pub is_due: bool,
}

pub(crate) struct Outlook<'a> {
    seen: &'a Observation<'a>,
    seat: usize,
    lead: i64,
    odds: OddsTable<64>,
    /// The paths home that were computed last.
    homeward: Option<Homeward<'a>>,
    /// The paths from the last start.
    distances: Distances,
}

impl<'a> Outlook<'a> {
    pub(crate) fn new(seen: &'a Observation<'a>, seat: usize) -> Self {
        let (odds, lead) = (OddsTable::new(), seen.lead_of(seat));
        Self { seen, seat, lead, odds, homeward: None, distances: Distances::NONE }
    }

    /// The outlook of an own Adventurer.
    pub(crate) fn of(&mut self, number: usize) -> Ahead {
        let (seen, seat) = (self.seen, self.seat);
        let player = &seen.players()[seat];
        let (adventurer, at) = (&player.adventurer[number], player.at[number]);
        self.find_paths_home(adventurer);
        let homeward = self.homeward.as_ref().expect("they were found");
        let turn = seen.turn();
        let is_own_turn = usize::from(turn.seat) == seat;
        let acts = is_own_turn && usize::from(turn.adventurer) == number && is_under_way(seen);
        let (state, spent) = match acts {
            true if homeward.states() == 1 => (0, u16::from(turn.total())),
            true => (homeward.turn.current(turn, seen.variant().movement), u16::from(turn.total())),
            false
                if is_own_turn && turn.moved >> number & 1 == 0 && usize::from(turn.adventurer) != number =>
            {
                (0, 0)
            }
            false => (0, u16::from(homeward.turn.limits.moves)),
        };
        let spent = MOVE_THERE * f32::from(spent);
        let moves_home = homeward.home(usize::from(at), state);
        let home = -spent - MOVE_HOME * f32::from(moves_home);
        let chest = adventurer.chest;
        let is_due = wins_by_banking(seen, self.lead, chest)
            || ENCODED.fears_end::<f32>(seen, chest, moves_home, false);
        // A pirate that stays at a disaster loses nothing. The parameter `pirate_at_disaster` is ignored
        // here.
        let at_risk = if adventurer.pirate { 0 } else { chest };
        let terms = ENCODED.terms(seen, self.lead, chest, at_risk);
        if let Step::Explore(side, ..) | Step::TryChart(side) = seen.step()
            && acts
        {
            let explore = home + exploration(seen, &mut self.odds, adventurer, (at, side), &terms);
            return Ahead { home, visit: home, explore, meet: home, best: explore, is_due };
        }
        let mut ahead = self.errands(adventurer, at, state, acts && seen.step() == Step::Act, &terms);
        for gain in [&mut ahead.visit, &mut ahead.explore, &mut ahead.meet] {
            *gain -= spent;
        }
        let errand = ahead.visit.max(ahead.explore).max(ahead.meet);
        let best = if is_due && chest > 0 {
            home
        } else if chest > 0 {
            errand.max(home)
        } else {
            errand
        };
        Ahead { home, best, is_due, ..ahead }
    }

    /// The best errands of an Adventurer from a cell. Errands on that cell itself count only if it `acts`
    /// there.
    fn errands(
        &mut self,
        adventurer: &Adventurer,
        at: CellId,
        state: usize,
        acts: bool,
        terms: &Terms<f32>,
    ) -> Ahead {
        let Self { seen, seat, odds, homeward, distances, .. } = self;
        let (seen, seat) = (*seen, *seat);
        let homeward = homeward.as_ref().expect("they were found");
        distances.find(homeward, at, state);
        let variant = seen.variant();
        let worst = -MOVE_HOME * f32::from(MAX_HOME);
        let mut ahead = Ahead { visit: worst, explore: worst, meet: worst, ..Ahead::default() };
        let chance = variant.conflict_probability() as f32;
        for (id, cell) in seen.map().cells().iter().enumerate().filter(|(_, cell)| cell.is_placed()) {
            let is_here = usize::from(at) == id;
            let (reached, moves) = distances.to(id);
            // The least cost of a path there and home, over the arrival states in `may`.
            let cost = |may: u64, more: u16| {
                let costs = bits(reached & may).map(|state| {
                    let there = f32::from(moves[state] + more);
                    MOVE_THERE * there + MOVE_HOME * f32::from(homeward.home(id, state))
                });
                costs.fold(f32::INFINITY, f32::min)
            };
            if acts || !is_here {
                let value = visit(seen, seat, adventurer, cell);
                if value > 0 {
                    ahead.visit = ahead.visit.max(f32::from(value) - cost(u64::MAX, 0));
                }
            }
            if cell.ground == Ground::City {
                continue;
            }
            if cell.ships > 0 && variant.inland {
                let others = seen.others(seat).flat_map(Player::crew);
                for (other, _) in others.filter(|(_, place)| usize::from(*place) == id) {
                    let prize: f32 = ENCODED.prize(seen, adventurer, other);
                    if prize > 0.0 {
                        ahead.meet = ahead.meet.max(prize * chance - cost(u64::MAX, u16::from(is_here)));
                    }
                }
            }
            for side in Dir::ALL.iter().copied().filter(|side| cell.open & side.bit() != 0) {
                let cost = cost(homeward.turn.may(cell.crossing(side)), 1);
                if cost == f32::INFINITY {
                    continue;
                }
                let value = exploration(seen, odds, adventurer, (id as CellId, side), terms);
                if value > 0.0 {
                    ahead.explore = ahead.explore.max(value - cost);
                }
            }
        }
        ahead
    }

    /// Computes the paths home for this Adventurer, unless they are cached.
    fn find_paths_home(&mut self, adventurer: &Adventurer) {
        let (seen, has_empty_chest, is_pirate) = (self.seen, adventurer.chest == 0, adventurer.pirate);
        if !self.homeward.as_ref().is_some_and(|known| known.serves(seen, has_empty_chest, is_pirate)) {
            self.homeward.insert(Homeward::new(seen, has_empty_chest, is_pirate)).find(seen, self.seat);
        }
    }
}

/// Returns true if the acting Adventurer's turn is in progress.
fn is_under_way(seen: &Observation<'_>) -> bool {
    let is_in_city =
        seen.map().cells().get(usize::from(seen.here())).is_some_and(|cell| cell.ground == Ground::City);
    let began = seen.turn().total() > 0;
    let of_a_turn = !matches!(seen.step(), Step::Start | Step::Pick | Step::Over(_));
    of_a_turn && !seen.turn().over && !(is_in_city && (began || seen.step() != Step::Move))
}

/// The value of an exploration, without the cost of moves.
fn exploration(
    seen: &Observation<'_>,
    odds: &mut OddsTable<64>,
    adventurer: &Adventurer,
    (at, side): (CellId, Dir),
    terms: &Terms<f32>,
) -> f32 {
    let back = seen.map().cell(at).crossing(side).draws(seen.variant().inland);
    Prospect::of(seen, odds, adventurer.pirate, (at, side), back).value(back, terms)
}
