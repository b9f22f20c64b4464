use meeple_lab::LabError;
use meeple_lab::plots::{Caption, Plot, ValueRow, bars, intervals, matrix};

use crate::answers::{Answers, Estimate, Luck};
use crate::plan::TablePayoff;
use crate::show::{parts, ranked, unit};

fn scaled(estimate: Estimate, scale: f64) -> (f64, Option<[f64; 2]>) {
    let Estimate { value, interval } = estimate.times(scale);
    (value, interval)
}

fn note(answers: &Answers) -> String {
    let Answers { deals, seats, tables, .. } = answers;
    format!(
        "{deals} deals of each of {tables} tables, from each of {seats} seats. 95 % intervals over deals."
    )
}

/// # Errors
/// If one cannot be drawn.
pub fn plots(answers: &Answers) -> Result<Vec<Plot>, LabError> {
    let mut plots = vec![survivors(answers)?];
    if answers.strategies.len() > 1 {
        plots.push(pairs(answers)?);
    }
    if !answers.at_all_tables.spots.is_empty() {
        plots.push(spots(answers)?);
    }
    if let Some(luck) = &answers.luck {
        plots.push(decides(answers, luck)?);
    }
    Ok(plots)
}

fn survivors(answers: &Answers) -> Result<Plot, LabError> {
    let caption = Caption {
        name: "survivors".into(),
        title: "Who survives in the equilibrium".into(),
        note: note(answers),
        alt: "The share of the equilibrium of every strategy, with its interval".into(),
        axis: "share of the equilibrium (%)".into(),
        ..Caption::default()
    };
    let row = |index: usize| {
        let standing = &answers.strategies[index];
        let (value, interval) = scaled(standing.equilibrium, 100.0);
        (standing.name.clone(), value, interval)
    };
    let rows: Vec<_> = ranked(answers).into_iter().map(row).collect();
    intervals(&caption, &rows, 0.0)
}

fn pairs(answers: &Answers) -> Result<Plot, LabError> {
    let order = ranked(answers);
    let names: Vec<String> = order.iter().map(|index| answers.strategies[*index].name.clone()).collect();
    let shares = answers.pay_off == TablePayoff::Win && answers.seats == 2;
    let value = |own: usize, other: usize| {
        let margin = answers.margins[own][other].value;
        match answers.pay_off {
            TablePayoff::Win if shares => 50.0 + 50.0 * margin,
            TablePayoff::Win => 100.0 * margin,
            TablePayoff::Score => margin,
        }
    };
    let cells = order
        .iter()
        .flat_map(|own| order.iter().map(move |other| (own != other).then(|| value(*own, *other))));
    let values: Vec<Option<f64>> = cells.collect();
    let most = values.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
    let scale = if shares { (0.0, 100.0) } else { (-most.max(1e-9), most.max(1e-9)) };
    let what = if shares { "share of the win" } else { "gained more than the column" };
    let caption = Caption {
        name: "pairs".into(),
        title: "Win shares by pair".into(),
        note: note(answers),
        alt: "What every strategy wins of every other, row against column".into(),
        axis: format!("{what} ({})", unit(answers)),
        columns: "against".into(),
    };
    matrix(&caption, &names, &values, scale, 1)
}

fn spots(answers: &Answers) -> Result<Plot, LabError> {
    let (what, first) = if answers.spots_are_turns { ("turn", 1) } else { ("seat", 0) };
    let (scale, fair) = match answers.pay_off {
        TablePayoff::Win => (100.0, 100.0 / answers.seats as f64),
        TablePayoff::Score => (1.0, 0.0),
    };
    let caption = Caption {
        name: "spots".into(),
        title: format!("What a {what} is worth"),
        note: note(answers),
        alt: format!("What each {what} gains among players of the equilibrium and at all tables"),
        axis: format!("gained ({}); dashed: the fair part", unit(answers)),
        ..Caption::default()
    };
    let rows = |of: &str, spots: &[Estimate]| -> Vec<ValueRow> {
        let row = |(index, spot): (usize, &Estimate)| {
            let (value, interval) = scaled(*spot, scale);
            (format!("{what} {}, {of}", index + first), value, interval)
        };
        spots.iter().enumerate().map(row).collect()
    };
    let best = rows("equilibrium", &answers.at_equilibrium.spots);
    intervals(&caption, &[best, rows("all tables", &answers.at_all_tables.spots)].concat(), fair)
}

fn decides(answers: &Answers, luck: &Luck) -> Result<Plot, LabError> {
    let caption = Caption {
        name: "decides".into(),
        title: "What decides a game".into(),
        note: note(answers),
        alt: "Parts of the variance of what a seat gains in one game".into(),
        axis: "part of the variance (%)".into(),
        ..Caption::default()
    };
    let names = parts(luck).map(|(name, _)| name.to_owned());
    let values = parts(luck).map(|(_, part)| 100.0 * part.value);
    bars(&caption, &names, &[("a game".to_owned(), values.to_vec())])
}
