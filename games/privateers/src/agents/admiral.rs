//! The strongest of the game's own agents.
//!
//! It differs from the trader in six things. It sells its cannons at first, because capital doubles faster
//! than anything else, and buys them back when it is rich: cannons and ships count for the value. It plans
//! two legs ahead, and values unknown ports by the prices that are left. It sails by the cells it can reach
//! with the whole wind, not step by step. It weighs who might rob it where its turn ends. It attacks when
//! what it may win outweighs what it may lose, futures included. And it stops buying what it could not sell
//! before the end.

mod chart;
mod trade;

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::discard;
use crate::agents::pirate::{assumed_cannons, chance_against};
use crate::observe::Observation;
use crate::reach::Reach;
use crate::rules::Privateers;
use crate::ship::Class;
use crate::state::Stage;
use crate::variant::MAX_SEATS;

use trade::Trade;

params! {
    /// Settings of `admiral`.
    pub struct AdmiralParams {
        /// How much hostile rivals raise the money that must be left, in dollars each.
        pub outfit: f64 = 0.0 => "outfit", real(0.0, 100_000.0);
        /// Money that must be left after buying a galleon.
        pub galleon: i64 = 100 => "galleon", int(0, 100_000);
        /// Money that must be left after buying a frigate.
        pub frigate: i64 = 300 => "frigate", int(0, 100_000);
        /// Working capital, in holds of spice, above which cannons are bought.
        pub capital: f64 = 1.0 => "capital", real(0.0, 100.0);
        /// How heavily the risk of being robbed where a turn ends weighs; 1 is as estimated.
        pub caution: f64 = 0.1 => "caution", real(0.0, 100.0);
        /// Whether a poor schooner sells its cannons for capital.
        pub disarm: bool = true => "disarm", switch();
        /// How much every hostile rival lowers that capital.
        pub alarm: f64 = 20.0 => "alarm", real(0.0, 1000.0);
        /// How much the share of hostile rivals lowers it for who cannot come back.
        pub mortal: f64 = 120.0 => "mortal", real(0.0, 10_000.0);
        /// Expected number of hostile rivals from which a schooner keeps its cannons.
        pub peace: f64 = 0.7 => "peace", real(0.0, 100.0);
        /// By how many percent points an attack must raise the chance to win the game.
        pub boldness: f64 = 0.0 => "boldness", real(0.0, 100.0);
        /// What seeing an unknown port is worth, in percent of the value.
        pub curiosity: f64 = 6.0 => "curiosity", real(0.0, 1000.0);
        /// Cells per turn that plans reckon with.
        pub pace: f64 = 3.5 => "pace", real(0.5, 12.0);
    }
}

/// Cannons that others are supposed to have until seen, by class.
const ASSUMED: [u16; 3] = [2, 5, 9];
/// What somebody else's ship of each class is supposed to gain in a round.
const INCOME: [f64; 3] = [12.0, 50.0, 250.0];
/// What the admiral's own ship of each class gains in a round, once it is rich.
const OWN_INCOME: [f64; 3] = [0.0, 100.0, 550.0];
/// What a fresh ship makes of so many rounds is this times their square, from simulations.
const GROWTH: f64 = 2.5;
/// Others make this share of what the admiral makes of the same time.
const OTHERS: f64 = 0.3;
/// Rounds that count if the game has no cap, and at most.
const HORIZON: f64 = 200.0;
/// What a ship of each class is supposed to carry when it is bought.
const CARRIED: [f64; 3] = [60.0, 300.0, 500.0];

/// What the admiral keeps in mind about another ship.
#[derive(Clone, Copy, Debug, Default)]
struct Rival {
    class: usize,
    /// Round since when it has had this class.
    since: u32,
}

/// The admiral.
pub(crate) struct Admiral {
    params: AdmiralParams,
    trade: Trade,
    reach: Reach,
    rivals: [Rival; MAX_SEATS],
    /// Turn, stay and target for which the course was set, and the course.
    set: (u32, u32, usize),
    course: Option<crate::map::Cell>,
}

impl Admiral {
    pub(crate) fn new(params: AdmiralParams) -> Self {
        Self {
            trade: Trade::new(&params),
            params,
            reach: Reach::default(),
            rivals: [Rival::default(); MAX_SEATS],
            set: (0, 0, 0),
            course: None,
        }
    }

    fn watch(&mut self, obs: &Observation<'_>) {
        for other in obs.living() {
            let rival = &mut self.rivals[other.index()];
            let class = obs.class(other).index();
            if rival.class != class || obs.fitted_in_round(other) > rival.since {
                *rival = Rival { class, since: obs.round() };
            }
        }
    }

    /// Money and goods that another ship is supposed to carry.
    fn wealth_of(&self, obs: &Observation<'_>, other: Seat) -> f64 {
        if obs.is_fresh(other) {
            return f64::from(obs.variant().start_money);
        }
        let rival = self.rivals[other.index()];
        let rounds = f64::from(obs.round().saturating_sub(rival.since));
        let taken = obs.sighting(other).map_or(0.0, |seen| f64::from(seen.money));
        (CARRIED[rival.class] + INCOME[rival.class] * rounds).max(taken)
    }

    /// What the admiral gains with a ship of this class until the end.
    fn future(obs: &Observation<'_>, class: Class) -> f64 {
        let rounds = obs.rounds_left().map_or(HORIZON, f64::from).min(HORIZON);
        (OWN_INCOME[class.index()] * rounds).max(GROWTH * rounds * rounds)
    }

    /// What is left of the future after being sunk.
    fn second_chance(obs: &Observation<'_>) -> f64 {
        if obs.game().respawns() { Self::future(obs, Class::Schooner) } else { 0.0 }
    }

    /// What being sunk costs.
    fn stake(obs: &Observation<'_>, seat: Seat) -> f64 {
        let value = obs.value(seat).unwrap_or(0) as f64;
        value + Self::future(obs, obs.class(seat)) - Self::second_chance(obs)
    }

    /// Probability that a ship attacks if it can, from what it has done so far.
    fn hostility(obs: &Observation<'_>, other: Seat) -> f64 {
        let attacks = f64::from(obs.deeds(other).attacks);
        (attacks + 0.15) / (attacks + 1.0 + f64::from(obs.round()) / 20.0)
    }

    /// What another seat is supposed to be worth at the end.
    fn strength_of(&self, obs: &Observation<'_>, other: Seat) -> f64 {
        let class = obs.class(other);
        let ship = f64::from(obs.game().build(class).price);
        self.wealth_of(obs, other) + ship + OTHERS * Self::future(obs, class)
    }

    /// Whether attacking raises the chance to win the game.
    fn attacks(&self, obs: &Observation<'_>, seat: Seat, other: Seat) -> bool {
        let Some(distance) = obs.game().attack_distance(obs.cell(seat), obs.cell(other)) else {
            return false;
        };
        let cannons = assumed_cannons(obs, other, &ASSUMED);
        let win = chance_against(obs, seat, other, cannons, distance);
        let armed = obs.mounted(seat).unwrap_or(0) > 0;
        let loot = if armed { self.wealth_of(obs, other) + 95.0 * f64::from(cannons) } else { 0.0 };
        let value = obs.value(seat).unwrap_or(0) as f64;
        let own = value + Self::future(obs, obs.class(seat));
        let theirs = self.strength_of(obs, other);
        let bystanders = obs.living().filter(|third| ![seat, other].contains(third));
        let rest: f64 = bystanders.map(|third| square(self.strength_of(obs, third))).sum();
        let again = Self::second_chance(obs);
        let share = |own: f64, theirs: f64| {
            let (own, theirs) = (square(own), square(theirs) + rest);
            own / (own + theirs).max(1.0)
        };
        let won = share(own + loot, OTHERS * again);
        let lost = share(again, theirs + value);
        win * won + (1.0 - win) * lost > share(own, theirs) + self.params.boldness / 100.0
    }

    fn act_on_turn(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        self.watch(obs);
        let prey = obs.targets().find(|other| self.attacks(obs, seat, *other));
        if let Some(prey) = prey {
            return Action::Attack(prey);
        }
        let others = obs.living().filter(|other| *other != seat);
        let danger = others.map(|other| Self::hostility(obs, other)).sum();
        if let Some(action) = self.trade.next(obs, seat, danger) {
            return action;
        }
        let Some(port) = self.trade.target(obs, seat) else { return Action::EndTurn };
        obs.reach(&mut self.reach);
        let moment = (obs.turns(), self.trade.stay(), port);
        if self.set != moment {
            self.set = moment;
            self.course = self.choose_course(obs, seat, port);
        }
        match self.course.and_then(|cell| self.reach.first_step(cell)) {
            Some(heading) => Action::Move(heading),
            None => Action::EndTurn,
        }
    }
}

fn square(number: f64) -> f64 {
    number * number
}

impl Agent<Privateers> for Admiral {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.trade.begin(game);
        self.rivals = [Rival::default(); MAX_SEATS];
        self.set = (0, 0, 0);
        self.course = None;
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        match obs.stage() {
            Stage::Loot => discard(&obs, seat),
            Stage::Respawn => Action::Respawn,
            _ => self.act_on_turn(&obs, seat),
        }
    }
}
