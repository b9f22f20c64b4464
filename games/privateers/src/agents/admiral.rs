//! The admiral, the strongest of the game's agents.
//!
//! The admiral differs from the trader in six ways. It sells its cannons at first, because capital doubles
//! faster than anything else. It buys cannons back when it is rich, because cannons and ships count in the
//! value. It plans two legs ahead over all reachable cells, with the whole wind, and values unknown ports by
//! the remaining prices. It estimates the danger of robbery at the end of its turn. It attacks reachable
//! ships if the odds are good and the expected gain, including the future, is positive. It buys no goods that
//! it cannot sell before the end.

mod chart;
mod params;
mod trade;

use meeple_core::{Agent, Seat, SeatSet, Turn};

use crate::action::Action;
use crate::agents::merchant::after_fight;
use crate::fight::Fighter;
use crate::game::Privateers;
use crate::map::Cell;
use crate::observe::Observation;
use crate::prospects::{CARRIED, HORIZON, INCOME, age};
use crate::reach::Reach;
use crate::ship::{CLASSES, Class};
use crate::state::Stage;
use crate::variant::{MAX_BUDGET, MAX_SEATS};
use crate::wind::Heading;

pub(crate) use params::AdmiralParams;
use trade::Trade;

/// Assumed cannons, by class, of ships that have attacked somebody and whose cannons are unknown.
const ARMED: [u16; 3] = [2, 6, 10];
/// Estimated income per round of the admiral's own ship, by class, once it is rich.
const OWN_INCOME: [f64; 3] = [0.0, 100.0, 550.0];
/// Growth of a fresh ship, from simulations: its gain in `n` rounds is `GROWTH * n²`.
const GROWTH: f64 = 2.5;
/// Future gain of other seats as a share of the admiral's.
const OTHERS: f64 = 0.3;

/// Upper bound on the rounding error of an attack's gain, which is a difference of probabilities.
const ROUNDING: f64 = 1e-9;

/// Assumed number of mounted cannons of another ship. A ship that has never attacked is assumed to have
/// bought none.
fn supposed_cannons(obs: &Observation<'_>, other: Seat) -> u16 {
    let mounts = obs.game().build(obs.class(other)).mounts;
    let start = obs.variant().start_cannons;
    if obs.is_fresh(other) {
        return start.min(mounts);
    }
    let tally = obs.tally(other);
    let supposed = match obs.sighting(other) {
        Some(seen) if seen.exact => return seen.mounted,
        Some(seen) => seen.mounted,
        None if tally.attacks > 0 => ARMED[obs.class(other).index()],
        None => start,
    };
    supposed.min(mounts)
}

#[derive(Clone, Copy, Debug, Default)]
struct Rival {
    class: usize,
    /// First round in which the ship has had this class.
    since: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Look {
    cannons: u16,
    /// Value of money and goods.
    wealth: f64,
    /// Estimated value of the seat at the end; 0 for the own seat and for sunk seats.
    strength: f64,
    /// The square of `strength`.
    square: f64,
}

/// The own side of a fight, which does not depend on the opponent.
struct Stakes {
    ship: Fighter,
    value: f64,
    /// Value of the seat plus its future gain.
    own: f64,
    /// Value of the seat after it is sunk.
    again: f64,
    /// Smallest accepted probability of winning.
    patience: f64,
}

pub(crate) struct Admiral {
    params: AdmiralParams,
    trade: Trade,
    reach: Reach,
    rivals: [Rival; MAX_SEATS],
    /// Turn and number of attacks at the last look at the rivals.
    watched: (u32, u32),
    /// True once the rivals have been weighed since the moment in `watched`.
    is_weighed: bool,
    /// The rivals as weighed; valid until a turn or a fight changes them.
    looks: [Look; MAX_SEATS],
    /// By seat: the sum of the squares of all other strengths.
    others: [f64; MAX_SEATS],
    /// Turn, attacks, stay and target port for which the course was set.
    set: (u32, u32, u32, usize),
    /// Remaining headings of the course, the next one last.
    route: Vec<Heading>,
}

impl Admiral {
    pub(crate) fn new(params: AdmiralParams) -> Self {
        Self {
            trade: Trade::new(params.clone()),
            params,
            reach: Reach::default(),
            rivals: [Rival::default(); MAX_SEATS],
            watched: (0, 0),
            is_weighed: false,
            looks: [Look::default(); MAX_SEATS],
            others: [0.0; MAX_SEATS],
            set: (0, 0, 0, 0),
            route: Vec::with_capacity(MAX_BUDGET),
        }
    }

    /// Takes over a seat in mid-episode, using only its observation.
    pub(crate) fn take_over(&mut self, obs: &Observation<'_>, seat: Seat) {
        self.trade.begin(obs.game());
        self.leave_course();
        for other in obs.living() {
            let class = obs.class(other).index();
            self.rivals[other.index()] = Rival { class, since: obs.round() - age(obs, other) };
        }
        if obs.stage() == Stage::Act && obs.current() == seat {
            self.trade.resume(obs, seat, danger(obs, seat, self.params.suspicion));
        }
    }

    /// Continues the voyage of another admiral. Its course is dropped, because the ship may have left it.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.trade.follow(&other.trade);
        self.rivals = other.rivals;
        self.leave_course();
    }

    pub(crate) fn leave_course(&mut self) {
        self.watched = (0, 0);
        self.set = (0, 0, 0, 0);
        self.route.clear();
    }

    pub(crate) fn decide(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        after_fight(obs, seat).unwrap_or_else(|| self.act_on_turn(obs, seat))
    }

    /// Decides in the own turn if no ship is to be attacked.
    pub(crate) fn decide_in_peace(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        self.trade_or_sail(obs, seat, |admiral, port| admiral.choose_course(obs, seat, port))
    }

    /// Updates the estimates of the other ships. Within the own turn, only fights change the estimates.
    fn watch(&mut self, obs: &Observation<'_>, seat: Seat) {
        let moment = (obs.turns(), u32::from(obs.tally(seat).attacks));
        if self.watched == moment {
            return;
        }
        (self.watched, self.is_weighed) = (moment, false);
        for other in obs.living() {
            let rival = &mut self.rivals[other.index()];
            let class = obs.class(other).index();
            if rival.class != class || obs.fitted_in_round(other) > rival.since {
                *rival = Rival { class, since: obs.round() };
            }
        }
    }

    /// Assumed money and goods of another ship.
    fn wealth_of(&self, obs: &Observation<'_>, other: Seat) -> f64 {
        if obs.is_fresh(other) {
            return f64::from(obs.variant().start_money);
        }
        let rival = self.rivals[other.index()];
        let rounds = f64::from(obs.round().saturating_sub(rival.since));
        let taken = obs.sighting(other).map_or(0.0, |seen| f64::from(seen.money));
        (CARRIED[rival.class] + INCOME[rival.class] * rounds).max(taken)
    }

    /// Estimated gain of the admiral with a ship of this class until the end.
    fn future(obs: &Observation<'_>, class: Class) -> f64 {
        let rounds = obs.rounds_left().map_or(HORIZON, f64::from).min(HORIZON);
        (OWN_INCOME[class.index()] * rounds).max(GROWTH * rounds * rounds)
    }

    /// The future gain that remains after being sunk.
    fn second_chance(obs: &Observation<'_>) -> f64 {
        if obs.game().respawns() { Self::future(obs, Class::Schooner) } else { 0.0 }
    }

    fn stake(obs: &Observation<'_>, seat: Seat) -> f64 {
        let value = obs.value(seat).unwrap_or(0) as f64;
        value + Self::future(obs, obs.class(seat)) - Self::second_chance(obs)
    }

    /// Estimates the rivals, as [`gain`](Self::gain) requires.
    fn weigh(&mut self, obs: &Observation<'_>, seat: Seat) {
        if self.is_weighed {
            return;
        }
        self.is_weighed = true;
        self.looks = [Look::default(); MAX_SEATS];
        let futures =
            std::array::from_fn::<_, CLASSES, _>(|class| OTHERS * Self::future(obs, Class::ALL[class]));
        let ships = std::array::from_fn::<_, CLASSES, _>(|class| {
            f64::from(obs.game().build(Class::ALL[class]).price)
        });
        for other in obs.living().filter(|other| *other != seat) {
            let class = obs.class(other).index();
            let wealth = self.wealth_of(obs, other);
            let strength = wealth + ships[class] + futures[class];
            let cannons = supposed_cannons(obs, other);
            self.looks[other.index()] = Look { cannons, wealth, strength, square: square(strength) };
        }
        // Sums from both ends need no subtraction, so the rounding error stays negligible.
        let (mut before, mut after) = (0.0, 0.0);
        for (others, look) in self.others.iter_mut().zip(&self.looks[..obs.seats()]) {
            *others = before;
            before += look.square;
        }
        for (others, look) in self.others.iter_mut().zip(&self.looks[..obs.seats()]).rev() {
            *others += after;
            after += look.square;
        }
    }

    /// Ships that may be attackable in this turn, judged by Manhattan distance.
    fn near(&self, obs: &Observation<'_>, seat: Seat) -> SeatSet {
        let (cell, range) = (obs.cell(seat), obs.game().build(obs.class(seat)).range);
        let farthest = self.reach.span() + u16::from(range);
        let mut near = 0;
        for other in obs.living() {
            near |=
                u64::from(obs.cell(other).manhattan(cell) <= farthest && !obs.fought(other)) << other.index();
        }
        SeatSet::from_mask(near).without(seat)
    }

    fn stakes(&self, obs: &Observation<'_>, seat: Seat) -> Stakes {
        let (class, value) = (obs.class(seat), obs.value(seat).unwrap_or(0) as f64);
        let patience = match class {
            _ if obs.rounds_left().is_some_and(|rounds| rounds < self.params.hurry) => 0.0,
            _ if !obs.game().respawns() => self.params.mortal_nerve,
            Class::Schooner => self.params.reckless,
            Class::Galleon | Class::Frigate => self.params.nerve,
        };
        Stakes {
            ship: Fighter::new(class, obs.mounted(seat).unwrap_or(0)),
            value,
            own: value + Self::future(obs, class),
            again: Self::second_chance(obs),
            patience,
        }
    }

    /// Increase of the probability of winning the game by an attack from this distance; negative if waiting
    /// is better. If the increase is at most `least`, the result is any number up to `least`.
    fn gain(&self, obs: &Observation<'_>, stakes: &Stakes, other: Seat, distance: u8, least: f64) -> f64 {
        let Look { cannons, wealth, strength: theirs, .. } = self.looks[other.index()];
        let Stakes { ship, value, own, again, patience } = *stakes;
        let win = obs.game().win_probability(ship, Fighter::new(obs.class(other), cannons), distance);
        if win < patience {
            return -1.0;
        }
        let loot = if ship.mounted > 0 { wealth + 95.0 * f64::from(cannons) } else { 0.0 };
        let gain = |rest: f64| {
            let share = |own: f64, theirs: f64| {
                let (own, theirs) = (square(own), square(theirs) + rest);
                own / (own + theirs).max(1.0)
            };
            let won = share(own + loot, OTHERS * again);
            let lost = share(again, theirs + value);
            win * won + (1.0 - win) * lost - share(own, theirs)
        };
        let about = gain(self.others[other.index()]);
        if about < least - ROUNDING {
            return about;
        }
        let mut rest = 0.0;
        for (index, look) in self.looks[..obs.seats()].iter().enumerate() {
            rest += if index == other.index() { 0.0 } else { look.square };
        }
        gain(rest)
    }

    fn attacks(&self, obs: &Observation<'_>, seat: Seat, stakes: &Stakes, other: Seat) -> bool {
        let distance = obs.game().attack_distance(obs.cell(seat), obs.cell(other));
        let least = self.params.boldness / 100.0;
        distance.is_some_and(|distance| self.gain(obs, stakes, other, distance, least) > least)
    }

    /// The reachable cell from which the ship with the largest gain can be attacked in this turn.
    fn strike(&self, obs: &Observation<'_>, seat: Seat, near: SeatSet) -> Option<Cell> {
        if near.is_empty() {
            return None;
        }
        let range = obs.game().build(obs.class(seat)).range;
        let stakes = self.stakes(obs, seat);
        let mut best = (self.params.strike / 100.0, None);
        for other in near {
            let gain = self.gain(obs, &stakes, other, range, best.0);
            if gain <= best.0 {
                continue;
            }
            let in_range = |cell: Cell| {
                obs.game().attack_distance(cell, obs.cell(other)).is_some_and(|distance| distance <= range)
            };
            if let Some((cell, _)) = self.reach.cells().find(|(cell, _)| in_range(*cell)) {
                best = (gain, Some(cell));
            }
        }
        best.1
    }

    fn act_on_turn(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        self.watch(obs, seat);
        let targets = obs.targets();
        if !targets.is_empty() {
            self.weigh(obs, seat);
            let stakes = self.stakes(obs, seat);
            let prey = targets.into_iter().find(|other| self.attacks(obs, seat, &stakes, *other));
            if let Some(prey) = prey {
                return Action::Attack(prey);
            }
        }
        self.trade_or_sail(obs, seat, |admiral, port| {
            let near = admiral.near(obs, seat);
            if !near.is_empty() {
                admiral.weigh(obs, seat);
            }
            admiral.strike(obs, seat, near).or_else(|| admiral.choose_course(obs, seat, port))
        })
    }

    /// Trades or sails. When a course ends, `choose` selects the next one.
    fn trade_or_sail(
        &mut self,
        obs: &Observation<'_>,
        seat: Seat,
        choose: impl Fn(&mut Self, usize) -> Option<Cell>,
    ) -> Action {
        let suspicion = self.params.suspicion;
        if let Some(action) = self.trade.next(obs, seat, || danger(obs, seat, suspicion)) {
            return action;
        }
        let Some(port) = self.trade.target(obs, seat) else { return Action::EndTurn };
        let moment = (obs.turns(), u32::from(obs.tally(seat).attacks), self.trade.stay(), port);
        if self.set != moment {
            self.set = moment;
            obs.reach(&mut self.reach);
            self.route.clear();
            if let Some(cell) = choose(self, port) {
                self.reach.way_back(cell, |heading| self.route.push(heading));
            }
        }
        match self.route.pop() {
            Some(heading) => Action::Move(heading),
            None => Action::EndTurn,
        }
    }
}

/// Probability that a ship attacks if it can, from its past attacks.
fn hostility(obs: &Observation<'_>, other: Seat, suspicion: f64) -> f64 {
    let attacks = f64::from(obs.tally(other).attacks);
    (attacks + suspicion) / (attacks + 1.0 + f64::from(obs.round()) / 20.0)
}

/// Expected number of hostile rivals.
fn danger(obs: &Observation<'_>, seat: Seat, suspicion: f64) -> f64 {
    obs.living().filter(|other| *other != seat).map(|other| hostility(obs, other, suspicion)).sum()
}

fn square(number: f64) -> f64 {
    number * number
}

impl Agent<Privateers> for Admiral {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.trade.begin(game);
        self.rivals = [Rival::default(); MAX_SEATS];
        self.leave_course();
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        self.decide(&turn.observe(), turn.seat())
    }
}
