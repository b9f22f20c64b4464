//! The coward: a trader that keeps out of reach of stronger ships.

use meeple_core::{Agent, Seat, Turn, params};

use crate::action::Action;
use crate::agents::merchant::{Merchant, after_fight};
use crate::game::Privateers;
use crate::map::Cell;
use crate::observe::Observation;
use crate::reach::Reach;

params! {
    pub struct CowardParams {
        /// Cost, in cells, of every turn ended within reach of a stronger class.
        pub fear: f64 = 4.0 => "fear", real(0.0, 100.0);
        /// Cells that a stronger ship is assumed to sail before it attacks.
        pub sight: u16 = 4 => "sight", int(0, 24);
        /// Money that must be left after buying a ship.
        pub reserve: i64 = 200 => "reserve", int(0, 1_000_000);
    }
}

pub(crate) struct Coward {
    params: CowardParams,
    merchant: Merchant,
    reach: Reach,
    /// The cell where the turn should end.
    goal: Option<Cell>,
    /// The turn and target port for which `goal` was chosen.
    chosen: (u32, Option<usize>),
}

impl Coward {
    pub(crate) fn new(params: CowardParams) -> Self {
        Self {
            merchant: Merchant::new(params.reserve, 0.0),
            params,
            reach: Reach::default(),
            goal: None,
            chosen: (0, None),
        }
    }

    fn turn(&mut self, obs: &Observation<'_>, seat: Seat) -> Action {
        if let Some(action) = self.merchant.trade(obs, seat) {
            return action;
        }
        let Some(port) = self.merchant.target(obs, seat) else { return Action::EndTurn };
        obs.reach(&mut self.reach);
        if self.chosen != (obs.turns(), Some(port)) {
            self.chosen = (obs.turns(), Some(port));
            self.goal = self.choose(obs, seat, port);
        }
        let step = self.goal.and_then(|goal| self.reach.first_step(goal));
        step.map_or(Action::EndTurn, Action::Move)
    }

    /// The reachable cell with the smallest sum of remaining distance and danger.
    fn choose(&self, obs: &Observation<'_>, seat: Seat, port: usize) -> Option<Cell> {
        let price = |cell: Cell| {
            let way = f64::from(obs.map().port_distance(port, cell));
            way + self.params.fear * self.danger(obs, seat, cell)
        };
        let prices = self.reach.cells().map(|(cell, _)| (price(cell), cell));
        prices.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, cell)| cell)
    }

    /// Number of stronger ships that may attack on a cell.
    fn danger(&self, obs: &Observation<'_>, seat: Seat, cell: Cell) -> f64 {
        let class = obs.class(seat);
        let stronger = obs.living().filter(|other| *other != seat && obs.class(*other) > class);
        let near = stronger.filter(|other| {
            let range = u16::from(obs.game().build(obs.class(*other)).range);
            obs.cell(*other).manhattan(cell) <= self.params.sight + range
        });
        near.count() as f64
    }
}

impl Agent<Privateers> for Coward {
    fn begin_episode(&mut self, game: &Privateers, _seat: Seat) {
        self.merchant.begin(game);
        self.goal = None;
        self.chosen = (0, None);
    }

    fn act(&mut self, turn: Turn<'_, Privateers>) -> Action {
        let (obs, seat) = (turn.observe(), turn.seat());
        after_fight(&obs, seat).unwrap_or_else(|| self.turn(&obs, seat))
    }
}
