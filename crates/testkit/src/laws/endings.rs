//! Laws of the end of an episode.

use meeple_core::{FigureSheet, Game, Outcome, Seat};

use super::desk::Position;
use super::fault::{Held, hold};

/// Laws of a state that is over.
pub(crate) fn ending<G: Game>(at: &Position<'_, G>, decisions: u64) -> Held {
    let seats = at.game.seats();
    let mut outcome = Outcome::default();
    at.game.outcome(at.state, &mut outcome);
    hold!(
        "outcome-for-every-seat",
        outcome.scores.len() == seats && outcome.places.len() == seats,
        "{seats} seats, but {} scores and {} places",
        outcome.scores.len(),
        outcome.places.len()
    );
    hold!(
        "end-reason-declared",
        outcome.end < G::INFO.ends.len(),
        "the end reason is {}, but INFO.ends names {}",
        outcome.end,
        G::INFO.ends.len()
    );
    let mut total = 0.0;
    for seat in Seat::all(seats) {
        let place = outcome.places[seat.index()];
        let better = outcome.places.iter().filter(|other| **other < place).count();
        hold!(
            "places-valid",
            place as usize == better + 1,
            "seat {seat} has place {place}, but {better} seats are better: {:?}",
            outcome.places
        );
        let utility = outcome.utility(seat);
        hold!("utility-bounded", (-1.0..=1.0).contains(&utility), "seat {seat} has the utility {utility}");
        total += utility;
        let score = at.game.score(at.state, seat);
        hold!(
            "one-score",
            score == outcome.scores[seat.index()],
            "seat {seat} has {} in the outcome, but `score` says {score}",
            outcome.scores[seat.index()]
        );
    }
    hold!("utility-zero-sum", total.abs() < 1e-6, "the utilities sum to {total}");
    let mut again = Outcome::default();
    at.game.outcome(at.state, &mut again);
    hold!("outcome-repeatable", again == outcome, "`outcome` differs when asked for twice");

    let mut sheet = FigureSheet::default();
    at.game.figures(at.state, &mut sheet);
    hold!(
        "figures-as-declared",
        sheet.episode_values().len() == G::INFO.episode_figures.len()
            && sheet.seat_values().len() == seats * G::INFO.seat_figures.len(),
        "INFO declares {} figures per episode and {} for each of {seats} seats, found {} and {} in all",
        G::INFO.episode_figures.len(),
        G::INFO.seat_figures.len(),
        sheet.episode_values().len(),
        sheet.seat_values().len()
    );
    hold!(
        "figures-finite",
        sheet.episode_values().iter().chain(sheet.seat_values()).all(|value| value.is_finite()),
        "a figure is not finite: {sheet:?}"
    );
    let length = at.game.length(at.state, decisions);
    hold!(
        "length-repeatable",
        length == at.game.length(at.state, decisions),
        "`length` differs when asked for twice"
    );
    Ok(())
}
