//! Laws of the end of an episode.

use meeple_core::{Figure, FigureSheet, Outcome, Playable, Seat};

use super::fault::{Held, hold};
use super::memory::Position;

/// Laws of a finished episode with this number of decisions.
pub(crate) fn ending<G: Playable>(at: &Position<'_, G>, decisions: u64) -> Held {
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
        outcome.end < at.game.info().ends.len(),
        "the end reason is {}, but INFO.ends names {}",
        outcome.end,
        at.game.info().ends.len()
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
        sheet.episode_values().len() == at.game.info().episode_figures.len()
            && sheet.seat_values().len() == seats * at.game.info().seat_figures.len(),
        "INFO declares {} figures per episode and {} for each of {seats} seats, found {} and {} in all",
        at.game.info().episode_figures.len(),
        at.game.info().seat_figures.len(),
        sheet.episode_values().len(),
        sheet.seat_values().len()
    );
    figures_of_their_kind(at.game.info().episode_figures, sheet.episode_values(), seats)?;
    for of_seat in sheet.seat_values().chunks_exact(at.game.info().seat_figures.len().max(1)) {
        figures_of_their_kind(at.game.info().seat_figures, of_seat, seats)?;
    }
    turn_order(at)?;
    let length = at.game.length(at.state, decisions);
    hold!(
        "length-repeatable",
        length == at.game.length(at.state, decisions),
        "`length` differs when asked for twice"
    );
    Ok(())
}

fn figures_of_their_kind(figures: &[Figure], values: &[f64], seats: usize) -> Held {
    for (figure, value) in figures.iter().zip(values) {
        hold!(
            "figures-of-their-kind",
            figure.allows(*value, seats),
            "the figure '{}' is a {}, {:?}, and has the value {value} at a table of {seats} seats",
            figure.name,
            figure.kind.word(),
            figure.kind
        );
    }
    Ok(())
}

/// Law: turn places are a permutation, and equal the order of seats unless the order of turns is drawn.
fn turn_order<G: Playable>(at: &Position<'_, G>) -> Held {
    let seats = at.game.seats();
    let places: Vec<usize> = Seat::all(seats).map(|seat| at.game.turn_place(at.state, seat)).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let own: Vec<usize> = (0..seats).collect();
    hold!("turn-order-complete", sorted == own, "the places in the order of turns are {places:?}");
    hold!(
        "turn-order-complete",
        at.game.draws_turn_order() || places == own,
        "the order of turns is not drawn, and yet it is {places:?}"
    );
    Ok(())
}
