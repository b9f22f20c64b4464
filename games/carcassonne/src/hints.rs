//! Hints for search agents, computed by the builder agent.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::Action;
use crate::agents::{Builder, Evaluator, Player, Quickness, Weights, builder, quick_builder};
use crate::game::Carcassonne;
use crate::observe::Observation;
use crate::state::Stage;

/// Search settings for this game; measurements are in docs/internals/strength.md.
pub(crate) const SETTINGS: &str = "rollout=hints,value=hints,prior=0.5,widening=0.3,depth=8,halving=8,common=on,rescale=on,c=0.3,epsilon=0.05,margin=0.8";

/// Difference in points that halves an action's weight.
const HALVING_POINTS: f64 = 2.0;
/// Expected points of a future turn, in addition to the outlook of the present board.
const POINTS_PER_TURN: f64 = 2.0;
/// Standard deviation per turn of the margin between two seats, in points.
const TURN_SPREAD: f64 = 3.0;

/// Hints of the builder agent with its default weights.
pub(crate) struct BuilderHints {
    builder: Player<Builder>,
    quick: Player<Builder>,
    legal: Vec<Action>,
    searcher: usize,
}

pub(crate) fn hints(game: &Carcassonne) -> Box<dyn Hints<Carcassonne>> {
    Box::new(BuilderHints::new(game))
}

impl BuilderHints {
    fn new(game: &Carcassonne) -> Self {
        let (builder, quick) =
            (builder(game, Weights::default()), quick_builder(game, &Quickness::default()));
        Self { builder, quick, legal: Vec::new(), searcher: 0 }
    }
}

impl Hints<Carcassonne> for BuilderHints {
    fn begin(&mut self, _game: &Carcassonne, _observation: &Observation<'_>, seat: Seat) {
        self.searcher = seat.index();
    }

    fn prior(
        &mut self,
        position: &Position<'_, Carcassonne>,
        seat: Seat,
        actions: &[Action],
        weights: &mut Vec<f64>,
    ) {
        let observation = position.observe(Viewer::Seat(seat));
        let options = self.builder.weigh_all(&observation, seat.index(), actions);
        let best = options.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        weights.extend(options.iter().map(|(_, value)| {
            let behind = 1.0 + (best - value) / HALVING_POINTS;
            1.0 / (behind * behind)
        }));
    }

    fn is_settled(&mut self, position: &Position<'_, Carcassonne>) -> bool {
        let observation = position.observe(Viewer::Public);
        observation.stage() == Stage::Tile && observation.mover() == Some(self.searcher)
    }

    fn scores(&mut self, position: &Position<'_, Carcassonne>, scores: &mut Vec<f64>) -> Option<f64> {
        let observation = position.observe(Viewer::Public);
        let (builder, mut look) = self.builder.evaluator(&observation);
        builder.prepare(&observation, observation.mover().unwrap_or(0));
        builder.outlooks(&observation, &mut look, scores);
        // Turns left: the next `turns % seats` seats have one more than the others.
        let (order, seats) = (observation.order(), observation.seats());
        let hands: usize = (0..seats).map(|seat| observation.hand_size(seat)).sum();
        let turns = observation.deck() as usize + hands;
        let first =
            order.iter().position(|seat| Some(usize::from(*seat)) == observation.mover()).unwrap_or(0);
        for later in 0..seats {
            let seat = usize::from(order[(first + later) % seats]);
            scores[seat] += POINTS_PER_TURN * ((turns + seats - 1 - later) / seats) as f64;
        }
        Some(2.0 + TURN_SPREAD * (turns as f64).sqrt())
    }

    fn act(&mut self, position: &Position<'_, Carcassonne>, seat: Seat, rng: &mut Stream) -> Option<Action> {
        self.legal.clear();
        position.legal_actions(seat, &mut self.legal);
        let observation = position.observe(Viewer::Seat(seat));
        Some(self.quick.decide(&observation, seat.index(), &self.legal, rng))
    }
}
