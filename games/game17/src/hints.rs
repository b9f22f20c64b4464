//! Hints for search agents: the hunter's plan, and plans with other habits.

use meeple_core::{Hints, Position, Seat, Stream, Viewer};

use crate::action::{Action, Departure};
use crate::agents::{Habits, Planner, split};
use crate::dangers::PLANS;
use crate::game::Game17;
use crate::observe::Observation;

/// Search settings for this game; measurements are in docs/internals/strength.md.
pub(crate) const SETTINGS: &str = "iterations=96,samples=16,prior=0.05,halving=16,common=on,rescale=on,c=0.3,tree=self,\
                        rollout=hints,epsilon=0,depth=0,value=hints,margin=1";

/// Rounds before the end at which squares start to outweigh pieces.
const LATE: f64 = 12.0;
/// Weight of pieces relative to squares, until `LATE` rounds before the end. Both are shares of the total.
const PIECES: f64 = 0.7;

pub(crate) struct PlanHints {
    planner: Planner,
    searcher: Seat,
}

pub(crate) fn hints() -> Box<dyn Hints<Game17>> {
    Box::new(PlanHints { planner: Planner::default(), searcher: Seat::new(0) })
}

impl Hints<Game17> for PlanHints {
    fn begin(&mut self, _game: &Game17, _observation: &Observation<'_>, seat: Seat) {
        self.searcher = seat;
    }

    /// Returns true once the searcher moves again, so that every other owner has had a turn.
    fn is_settled(&mut self, position: &Position<'_, Game17>) -> bool {
        position.phase().owes(self.searcher)
    }

    fn scores(&mut self, position: &Position<'_, Game17>, scores: &mut Vec<f64>) -> Option<f64> {
        let observation = position.observe(Viewer::Public);
        let squares = observation.owners().len() as f64;
        let pieces: u32 = observation.numbers().iter().sum();
        let rounds = f64::from(observation.rounds_left());
        let weight = PIECES * (rounds / LATE).min(1.0);
        scores.extend(Seat::all(squares as usize).map(|seat| {
            let share = f64::from(observation.pieces_of(seat)) / f64::from(pieces.max(1));
            (1.0 - weight) * f64::from(observation.squares_of(seat)) + weight * share * squares
        }));
        Some(1.0 + rounds)
    }

    fn act(&mut self, position: &Position<'_, Game17>, seat: Seat, rng: &mut Stream) -> Option<Action> {
        let observation = position.observe(Viewer::Seat(seat));
        let mut action = Action::default();
        if observation.squares_of(seat) > PLANS {
            self.planner.plan(&observation, seat, Habits::HUNTER, &mut action);
            return Some(action);
        }
        for square in observation.squares(seat) {
            let number = observation.numbers()[square];
            if number > 0 {
                let place = observation.place(square);
                let counts = split(number, rng);
                action.0.push(Departure { row: place.row.into(), column: place.column.into(), counts });
            }
        }
        Some(action)
    }

    fn candidates(
        &mut self,
        position: &Position<'_, Game17>,
        seat: Seat,
        most: usize,
        _rng: &mut Stream,
        candidates: &mut Vec<Action>,
    ) {
        let observation = position.observe(Viewer::Seat(seat));
        for habits in Habits::all() {
            if candidates.len() == most {
                return;
            }
            let mut action = Action::default();
            self.planner.plan(&observation, seat, habits, &mut action);
            if !candidates.contains(&action) {
                candidates.push(action);
            }
        }
        // Additional candidates: all pieces of the strongest square in one direction. If no capture is
        // certain, all plans may be equal.
        let numbers = observation.numbers();
        let strongest = observation.squares(seat).max_by_key(|square| numbers[*square]);
        let Some(strongest) = strongest.filter(|square| numbers[*square] > 0) else { return };
        let place = observation.place(strongest);
        for direction in 0..4 {
            let mut counts = [0; 4];
            counts[direction] = numbers[strongest] as i32;
            let action =
                Action(vec![Departure { row: place.row.into(), column: place.column.into(), counts }]);
            if candidates.len() < most && !candidates.contains(&action) {
                candidates.push(action);
            }
        }
    }
}
