//! A review as tables and a plot.

use meeple_core::Seat;

use super::review::{Review, Swing};
use super::verdict::{ReviewVerdict, Worth};
use crate::error::LabError;
use crate::grid::{Grid, texts};
use crate::plots::{Caption, Plot, PlotSeries, lines};

/// Maximum rows of the tables of swings and of costly decisions.
const MAX_ROWS: usize = 5;
/// Maximum seats shown; the JSON form has all seats.
const MAX_SEATS: usize = 8;
const UNCLEAR: &str = "A cost smaller than its interval may be 0: more iterations make it certain.";
/// Maximum characters shown of an action.
const MAX_ACTION_LETTERS: usize = 44;

/// The tables: swings, the costliest decisions of each seat, and sums by seat.
pub fn review_grids(review: &Review) -> Vec<Grid> {
    let mut grids = Vec::new();
    let clear: Vec<&Swing> = review.swings.iter().filter(|swing| swing.is_clear()).take(MAX_ROWS).collect();
    if !clear.is_empty() {
        grids.push(turns(review, &clear));
    }
    grids.extend(review.seats.iter().take(MAX_SEATS).filter_map(|seat| costliest(review, seat.seat)));
    grids.push(by_seat(review));
    grids
}

fn turns(review: &Review, swings: &[&Swing]) -> Grid {
    let change = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |value| review.bare(value));
    let rows = swings.iter().map(|swing| {
        let to = if swing.to == review.of.steps { "end".to_owned() } else { swing.to.to_string() };
        let whole = Worth { value: swing.after - swing.before, half: swing.half };
        vec![
            swing.from.to_string(),
            to,
            review.bare(swing.before),
            review.bare(swing.after),
            review.worth_text(whole),
            change(swing.own),
            change(swing.rest),
        ]
    });
    let header = texts(["from moment", "to", "before", "after", "change", "own decision", "other causes"]);
    Grid::new(
        format!("Turning points for {}, {}", review.name(review.of.viewpoint), review.unit()),
        header,
        rows,
        0,
    )
}

/// The costliest decisions of a seat, those of certain cost first; `None` if no decision had a cost.
fn costliest(review: &Review, seat: Seat) -> Option<Grid> {
    let cost = |verdict: &ReviewVerdict| verdict.cost.map_or(0.0, |cost| cost.value);
    let is_clear = |verdict: &ReviewVerdict| {
        verdict.cost.is_some_and(|cost| cost.half.is_none_or(|half| cost.value > half))
    };
    let mut costly: Vec<&ReviewVerdict> =
        review.of_seat(seat).filter(|verdict| cost(verdict) > 0.0).collect();
    costly.sort_by(|one, other| is_clear(other).cmp(&is_clear(one)).then(cost(other).total_cmp(&cost(one))));
    let clear = costly.iter().filter(|verdict| is_clear(verdict)).count();
    let note = if clear >= MAX_ROWS.min(costly.len()) { "" } else { UNCLEAR };
    let rows = costly.iter().take(MAX_ROWS).map(|verdict| {
        let cost = verdict.cost.unwrap_or_default();
        let row = [verdict.moment.to_string(), cut(&verdict.played), cut(&verdict.choice)];
        row.into_iter().chain([review.worth_text(cost), review.worth_text(verdict.expected)]).collect()
    });
    let header = texts(["moment", "played", "better", "cost", "expected"]);
    let grid = Grid::new(
        format!("Costliest decisions of {}, {}", review.name(seat), review.unit()),
        header,
        rows,
        3,
    );
    (!costly.is_empty()).then_some(grid.noted(note))
}

fn by_seat(review: &Review) -> Grid {
    let rows = review.seats.iter().take(MAX_SEATS).map(|seat| {
        let share = 100.0 * seat.agreed as f64 / seat.decisions as f64;
        vec![
            review.name(seat.seat),
            seat.decisions.to_string(),
            format!("{share:.0}"),
            seat.mean_cost.map_or_else(|| "?".to_owned(), |cost| review.worth_text(cost)),
        ]
    });
    let header = texts(["seat", "decisions", "agreed %", &format!("mean cost, {}", review.unit())]);
    let more = review.seats.len().saturating_sub(MAX_SEATS);
    let note = if more > 0 {
        format!("… and {more} more seats: see --json, or choose one with --seat")
    } else {
        String::new()
    };
    Grid::new("By seat", header, rows, 1).noted(note)
}

/// Truncates long actions.
fn cut(action: &str) -> String {
    match action.char_indices().nth(MAX_ACTION_LETTERS) {
        Some((end, _)) => format!("{}…", &action[..end]),
        None => action.to_owned(),
    }
}

/// The curve: the expected value of every seat at its decisions.
///
/// # Errors
/// If drawing fails.
pub fn review_plots(review: &Review) -> Result<Vec<Plot>, LabError> {
    let scale = if review.counts_shares() { 100.0 } else { 1.0 };
    let point = |verdict: &ReviewVerdict| {
        let Worth { value, half } = verdict.expected;
        let half = half.unwrap_or(0.0);
        (verdict.moment as f64, scale * value, [scale * (value - half), scale * (value + half)])
    };
    let course = |seat: Seat| -> PlotSeries {
        let mut points: Vec<_> = review.of_seat(seat).map(point).collect();
        if let Some(ends) = review.of.ends.as_ref().filter(|_| review.complete) {
            let end = scale * ends[seat.index()];
            points.push((review.of.steps as f64, end, [end; 2]));
        }
        (review.name(seat), points)
    };
    let courses: Vec<PlotSeries> =
        review.seats.iter().take(MAX_SEATS).map(|seat| course(seat.seat)).collect();
    if courses.is_empty() {
        return Ok(Vec::new());
    }
    let caption = Caption {
        name: "curve".to_owned(),
        title: format!("Expected results in {}", review.of.game),
        note: format!(
            "Estimated by {}, from what each seat knew. Bars: 95 % intervals of its sampling.",
            review.of.agent
        ),
        alt: format!("Expected result of each seat at its decisions, {} lines.", courses.len()),
        axis: if review.counts_shares() { "share of the win in %" } else { "points" }.to_owned(),
        columns: String::new(),
    };
    Ok(vec![lines(&caption, "moment", &courses, review.of.even.map(|even| scale * even))?])
}
