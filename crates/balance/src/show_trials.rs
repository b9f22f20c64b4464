//! Trials of rules in words, tables and plots.

use meeple_lab::plots::{Caption, Plot, bars, intervals, lines};
use meeple_lab::text::number;
use meeple_lab::{Grid, LabError, texts};

use crate::answers::{Answers, Estimate, SURVIVES, gap};
use crate::plan::TablePayoff;
use crate::sentences::{Sentence, list, percent, surviving};
use crate::show::{Detail, range};
use crate::trials::{Effect, Effects, SkippedSetting, Trial, Trials};

/// Maximum number of strategies with a bar of their own; the rest shares one.
const MAX_BARS: usize = 7;
/// Maximum length of a text in a column.
const MAX_LETTERS: usize = 24;
/// Maximum number of effects in a table for the terminal.
const MAX_EFFECTS: usize = 10;

pub fn sentences_of_values(trials: &Trials) -> Vec<Sentence> {
    let Trials { parameter, trials, .. } = trials;
    let alive = |answers: &Answers| -> Vec<String> {
        let names = surviving(&answers.strategies).into_iter();
        names.map(|standing| format!("`{}` {}", standing.name, percent(standing.equilibrium.value))).collect()
    };
    let names = |answers: &Answers| -> Vec<String> {
        let mut names: Vec<String> =
            surviving(&answers.strategies).into_iter().map(|standing| standing.name.clone()).collect();
        names.sort();
        names
    };
    // Neighbouring values with the same survivors share one sentence.
    let runs = trials.chunk_by(|a, b| names(&a.answers) == names(&b.answers));
    let clauses = runs.map(|run| {
        let [first, last] = [&run[0], &run[run.len() - 1]];
        let numbers = trials.iter().all(|trial| trial.value.parse::<f64>().is_ok());
        let values = match run.len() {
            1 => first.value.clone(),
            _ if numbers => format!("{} to {}", first.value, last.value),
            _ => list(&run.iter().map(|trial| trial.value.clone()).collect::<Vec<_>>()),
        };
        let at = format!("{parameter}={values}");
        let who = alive(&first.answers);
        let certain = run.iter().all(|trial| {
            let alive = |share: f64| share >= SURVIVES;
            let strategies = trial.answers.strategies.iter();
            strategies.clone().all(|own| {
                (if alive(own.equilibrium.value) { own.survives } else { 1.0 - own.survives }) >= 0.95
            })
        });
        let hedge = if certain { "" } else { ", as far as these games can tell" };
        match (&who[..], run.len()) {
            ([_], _) => format!("at {at} {} dominates{hedge}", name(&who[0])),
            (_, 1) => format!("at {at} {} survive{hedge}", list(&who)),
            _ => format!(
                "at {at} {} survive{hedge}",
                list(&who.iter().map(|text| name(text)).collect::<Vec<_>>())
            ),
        }
    });
    let survivors = Sentence {
        question: "Which strategies survive at each value?",
        answer: format!("{}.", clauses.collect::<Vec<_>>().join("; ")),
    };
    let mut all = vec![survivors];
    let Some(first) = trials.first() else { return all };
    let unit = first.answers.length_unit;
    let length = |trial: &Trial| trial.answers.at_all_tables.length;
    all.push(Sentence {
        question: "How does the length change?",
        answer: match extremes(parameter, trials, length, |length| plain(length, 1.0)) {
            Some(ends) => format!("{ends} ({unit}, at all tables)."),
            None => {
                format!(
                    "No significant change: {} {unit}, averaged over all tables.",
                    plain(length(first), 1.0)
                )
            }
        },
    });
    if !first.answers.at_all_tables.spots.is_empty() {
        let (what, scale) = (spot(&first.answers), scale(&first.answers));
        let unit = crate::show::unit(&first.answers);
        let gap = |trial: &Trial| trial.unfairness;
        let meaning = format!("gain of the best {what} over the worst ({unit}, at all tables)");
        all.push(Sentence {
            question: "How does fairness change?",
            answer: match extremes(parameter, trials, gap, |gap| plain(gap, scale)) {
                Some(ends) => format!("{ends}: {meaning}."),
                None => {
                    format!("No significant change: {} is the {meaning}.", plain(gap(first), scale))
                }
            },
        });
    }
    if first.answers.ends.len() > 1 {
        all.push(Sentence { question: "How do the endings change?", answer: endings(parameter, trials) });
    }
    all
}

fn plain(estimate: Estimate, scale: f64) -> String {
    estimate.times(scale).text()
}

/// The values at which a number is least and greatest; `None` if the difference may be 0.
fn extremes(
    parameter: &str,
    trials: &[Trial],
    of: impl Fn(&Trial) -> Estimate,
    text: impl Fn(Estimate) -> String,
) -> Option<String> {
    let by_value = |a: &&Trial, b: &&Trial| of(a).value.total_cmp(&of(b).value);
    let (least, most) = (trials.iter().min_by(by_value)?, trials.iter().max_by(by_value)?);
    let at = |trial: &Trial| format!("{} at {parameter}={}", text(of(trial)), trial.value);
    (of(least).ends()[1] < of(most).ends()[0]).then(|| format!("From {} to {}", at(least), at(most)))
}

/// Sentence about the end reason whose share changes most.
fn endings(parameter: &str, trials: &[Trial]) -> String {
    let names = &trials[0].answers.ends;
    let share = |trial: &Trial, end: usize| trial.answers.at_all_tables.ends[end];
    let spread = |end: usize| gap(trials.iter().map(|trial| share(trial, end).value));
    let most = (0..names.len()).max_by(|a, b| spread(*a).total_cmp(&spread(*b)));
    let sentence = most.and_then(|end| {
        let percent = |share: Estimate| format!("{} %", share.percent());
        let ends = extremes(parameter, trials, |trial| share(trial, end), percent)?;
        Some(format!("{ends} end by {}, at all tables.", names[end]))
    });
    sentence.unwrap_or_else(|| "No significant change.".into())
}

fn spot(answers: &Answers) -> &'static str {
    if answers.spots_are_turns { "turn" } else { "seat" }
}

fn scale(answers: &Answers) -> f64 {
    if answers.pay_off == TablePayoff::Win { 100.0 } else { 1.0 }
}

/// The name, without its share.
fn name(text: &str) -> String {
    text.rsplit_once("` ").map_or_else(|| text.to_owned(), |(name, _)| format!("{name}`"))
}

pub fn grids_of_values(trials: &Trials) -> Vec<Grid> {
    let Some(first) = trials.trials.first() else { return Vec::new() };
    let shown = shown(trials);
    let mut header = vec![trials.parameter.clone()];
    header.extend(shown.iter().map(|index| first.answers.strategies[*index].name.clone()));
    let rows = trials.trials.iter().map(|trial| {
        let shares = shown.iter().map(|index| range(trial.answers.strategies[*index].equilibrium));
        std::iter::once(trial.value.clone()).chain(shares).collect()
    });
    let survivors = Grid::new("Share of the equilibrium, %, at each value", header, rows, 1)
        .noted("Strategies that survive nowhere are left out. In brackets the interval over deals.");
    let mut header = vec![trials.parameter.clone(), format!("length ({})", first.answers.length_unit)];
    header.push(format!("best {} over worst ({})", spot(&first.answers), crate::show::unit(&first.answers)));
    header.extend(texts(["changes of the lead", "wins from behind %", "who plays decides %"]));
    let rows = trials.trials.iter().map(|trial| {
        let course = &trial.answers.at_all_tables;
        let scale = scale(&trial.answers);
        vec![
            trial.value.clone(),
            plain(course.length, 1.0),
            if course.spots.is_empty() { "–".into() } else { plain(trial.unfairness, scale) },
            plain(course.lead_changes, 1.0),
            plain(course.comebacks, 100.0),
            trial.answers.luck.as_ref().map_or_else(|| "–".into(), |luck| number(100.0 * luck.agents.value)),
        ]
    });
    let mut grids =
        vec![survivors, Grid::new("What games are like at each value, at all tables", header, rows, 1)];
    if first.answers.ends.len() > 1 {
        let mut header = vec![trials.parameter.clone()];
        header.extend(first.answers.ends.iter().map(|end| (*end).to_owned()));
        let rows = trials.trials.iter().map(|trial| {
            let ends = trial.answers.at_all_tables.ends.iter();
            let ends = ends.map(|end| end.percent());
            std::iter::once(trial.value.clone()).chain(ends).collect()
        });
        grids.push(Grid::new("How games end, %, at all tables", header, rows, 1));
    }
    grids.extend(not_tried(&trials.left_out));
    grids
}

fn not_tried(left_out: &[SkippedSetting]) -> Option<Grid> {
    let row = |left: &SkippedSetting| {
        vec![left.parameter.clone(), short(&left.value.clone().unwrap_or_default()), left.reason.clone()]
    };
    let rows = left_out.iter().map(row);
    (!left_out.is_empty()).then(|| Grid::new("Not tried", texts(["parameter", "to", "why not"]), rows, 3))
}

/// Strategies that survive somewhere, by their greatest share.
fn shown(trials: &Trials) -> Vec<usize> {
    let count = trials.trials.first().map_or(0, |trial| trial.answers.strategies.len());
    let most = |index: usize| {
        let shares = trials.trials.iter().map(|trial| trial.answers.strategies[index].equilibrium.value);
        shares.fold(0.0, f64::max)
    };
    let mut shown: Vec<usize> = (0..count).filter(|index| most(*index) >= SURVIVES).collect();
    shown.sort_by(|a, b| most(*b).total_cmp(&most(*a)));
    shown
}

/// # Errors
/// If one cannot be drawn.
pub fn plots_of_values(trials: &Trials) -> Result<Vec<Plot>, LabError> {
    let Some(first) = trials.trials.first() else { return Ok(Vec::new()) };
    let parameter = &trials.parameter;
    let shown = shown(trials);
    let named = &shown[..shown.len().min(MAX_BARS)];
    let mut parts: Vec<String> =
        named.iter().map(|index| first.answers.strategies[*index].name.clone()).collect();
    parts.push("others".into());
    let rows: Vec<(String, Vec<f64>)> = trials
        .trials
        .iter()
        .map(|trial| {
            let shares = named.iter().map(|index| 100.0 * trial.answers.strategies[*index].equilibrium.value);
            let mut shares: Vec<f64> = shares.collect();
            shares.push((100.0 - shares.iter().sum::<f64>()).max(0.0));
            (format!("{parameter} {}", trial.value), shares)
        })
        .collect();
    if rows.iter().all(|(_, shares)| shares.last().is_none_or(|rest| *rest < 0.01)) {
        parts.pop();
    }
    let caption = |name: &str, title: String, axis: String, alt: &str| Caption {
        name: name.into(),
        title,
        note: format!("{} deals of each table. 95 % intervals over deals.", first.answers.deals),
        alt: alt.into(),
        axis,
        ..Caption::default()
    };
    let survivors = caption(
        "survivors-by-value",
        format!("Who survives at each {parameter}"),
        "share of the equilibrium (%)".into(),
        "Shares of the equilibrium, a bar for every value of the parameter",
    );
    let rows: Vec<_> =
        rows.into_iter().map(|(name, shares)| (name, shares[..parts.len()].to_vec())).collect();
    let mut plots = vec![bars(&survivors, &parts, &rows)?];
    let lengths = caption(
        "lengths",
        format!("Length at each {parameter}"),
        format!("length ({}), at all tables", first.answers.length_unit),
        "The mean length at every value of the parameter",
    );
    plots.push(by_value(&lengths, trials, |trial| trial.answers.at_all_tables.length, 1.0)?);
    if !first.answers.at_all_tables.spots.is_empty() {
        let what = spot(&first.answers);
        let spots = caption(
            "spots-by-value",
            format!("Fairness at each {parameter}"),
            format!("best {what} over worst ({}), at all tables", crate::show::unit(&first.answers)),
            "Gain of the best seat over the worst, at every value of the parameter",
        );
        plots.push(by_value(&spots, trials, |trial| trial.unfairness, scale(&first.answers))?);
    }
    if first.answers.ends.len() > 1 {
        let ends = caption(
            "ends-by-value",
            format!("How games end at each {parameter}"),
            "share of the games (%), at all tables".into(),
            "Shares of the games by the reason of their end, a bar for every value of the parameter",
        );
        let names: Vec<String> = first.answers.ends.iter().map(|end| (*end).to_owned()).collect();
        let row = |trial: &Trial| {
            let shares = trial.answers.at_all_tables.ends.iter().map(|end| 100.0 * end.value);
            (format!("{parameter} {}", trial.value), shares.collect())
        };
        let rows: Vec<(String, Vec<f64>)> = trials.trials.iter().map(row).collect();
        plots.push(bars(&ends, &names, &rows)?);
    }
    Ok(plots)
}

/// A plot of a number along the values of the parameter, or in rows if they are words.
fn by_value(
    caption: &Caption,
    trials: &Trials,
    of: impl Fn(&Trial) -> Estimate,
    scale: f64,
) -> Result<Plot, LabError> {
    let of = |trial: &Trial| {
        let scaled = of(trial).times(scale);
        (scaled.value, scaled.interval)
    };
    let numbers: Option<Vec<f64>> = trials.trials.iter().map(|trial| trial.value.parse().ok()).collect();
    match numbers {
        Some(numbers) => {
            let places = numbers.iter().zip(&trials.trials);
            let points = places
                .map(|(at, trial)| (*at, of(trial).0, of(trial).1.unwrap_or([of(trial).0; 2])))
                .collect();
            lines(caption, &trials.parameter, &[(String::new(), points)], None)
        }
        None => {
            let row = |trial: &Trial| (trial.value.clone(), of(trial).0, of(trial).1);
            let rows: Vec<_> = trials.trials.iter().map(row).collect();
            intervals(caption, &rows, rows[0].1)
        }
    }
}

pub fn sentences_of_effects(effects: &Effects) -> Vec<Sentence> {
    // Multiple comparisons: among many parameters without effect, some look significant by chance. The more
    // parameters were tried, the farther from 0 an effect must be.
    let tried = effects.effects.len().max(1) as f64;
    let farther = (2.0 * (2.0 * tried / 0.05).ln()).sqrt() / 1.96;
    let certain = |change: &Estimate| change.value.abs() > farther * (change.ends()[1] - change.value);
    let most = |of: fn(&Effect) -> &Estimate| {
        let significant = effects.effects.iter().filter(|effect| certain(of(effect)));
        significant.max_by(|a, b| of(a).value.abs().total_cmp(&of(b).value.abs()))
    };
    let changed = |effect: &Effect| format!("{}={} instead of {}", effect.parameter, effect.to, effect.from);
    let (what, scale) = (spot(&effects.base), scale(&effects.base));
    let unit = crate::show::unit(&effects.base);
    let answer_of = |of: fn(&Effect) -> &Estimate, before: &str, scale: f64, unit: &str| match most(of) {
        None => "No parameter has a significant effect.".to_owned(),
        Some(effect) => {
            let sign = if of(effect).value > 0.0 { "+" } else { "" };
            let change = plain(*of(effect), scale);
            format!("{}: {before}{sign}{change} {unit}.", changed(effect))
        }
    };
    let mut all = vec![Sentence {
        question: "Which parameter moves the length most?",
        answer: answer_of(|effect| &effect.length, "", 100.0, "%"),
    }];
    if !effects.base.at_all_tables.spots.is_empty() {
        all.push(Sentence {
            question: "Which parameter moves fairness most?",
            answer: answer_of(
                |effect| &effect.unfairness,
                &format!("gain of the best {what} over the worst changes by "),
                scale,
                unit,
            ),
        });
    }
    let base: Vec<String> =
        surviving(&effects.base.strategies).iter().map(|standing| standing.name.clone()).collect();
    let turned: Vec<String> = effects
        .effects
        .iter()
        .filter(|effect| effect.survivors.ends()[0] > 0.25)
        .map(|effect| format!("{} ({})", changed(effect), list(&effect.alive)))
        .collect();
    let strategies = if turned.is_empty() {
        format!("None: {} survive with each change.", list(&base))
    } else {
        format!("{}; with the current rules {}.", turned.join("; "), list(&base))
    };
    all.push(Sentence { question: "Which parameters change who survives?", answer: strategies });
    all
}

/// Tables of effects, ranked by length, by fairness, and by survivors.
pub fn grids_of_effects(effects: &Effects, detail: Detail) -> Vec<Grid> {
    let (what, scale) = (spot(&effects.base), scale(&effects.base));
    let header = vec![
        "parameter".into(),
        "from".into(),
        "to".into(),
        "length %".into(),
        format!("best {what} over worst ({})", crate::show::unit(&effects.base)),
        "equilibrium moved %".into(),
        "who survives".into(),
    ];
    let row = |effect: &&Effect| {
        vec![
            effect.parameter.clone(),
            short(&effect.from),
            short(&effect.to),
            plain(effect.length, 100.0),
            plain(effect.unfairness, scale),
            range(effect.survivors),
            short(&effect.alive.join(", ")),
        ]
    };
    let count = effects.effects.len();
    let shown = if detail == Detail::Short { count.min(MAX_EFFECTS) } else { count };
    let rest = match count - shown {
        0 => String::new(),
        more => format!("\n… and {more} more with smaller effects: see --full or --json"),
    };
    let grid = |title: &str, of: fn(&Effect) -> Estimate| {
        let ranked = ranked(&effects.effects, of);
        Grid::new(title, header.clone(), ranked[..shown].iter().map(row), 3)
            .noted(format!("Changes from the current rules, at all tables, on the same deals.{rest}"))
    };
    let mut grids = vec![grid("What moves the length most", |effect| effect.length)];
    if !effects.base.at_all_tables.spots.is_empty() {
        grids.push(grid("What moves fairness most", |effect| effect.unfairness));
    }
    grids.push(grid("What moves the equilibrium most", |effect| effect.survivors));
    grids.extend(not_tried(&effects.left_out));
    grids
}

/// Effects with the greatest absolute change first.
fn ranked(effects: &[Effect], of: fn(&Effect) -> Estimate) -> Vec<&Effect> {
    let mut ranked: Vec<&Effect> = effects.iter().collect();
    ranked.sort_by(|a, b| of(b).value.abs().total_cmp(&of(a).value.abs()));
    ranked
}

fn short(text: &str) -> String {
    if text.chars().count() <= MAX_LETTERS {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(MAX_LETTERS - 1).collect::<String>())
    }
}

/// # Errors
/// If one cannot be drawn.
pub fn plots_of_effects(effects: &Effects) -> Result<Vec<Plot>, LabError> {
    let plot = |name: &str, title: &str, axis: String, of: fn(&Effect) -> Estimate, scale: f64| {
        let caption = Caption {
            name: name.into(),
            title: title.into(),
            note: format!("{} deals of each table. 95 % intervals over deals.", effects.base.deals),
            alt: "The change by every other value of a parameter, with its interval".into(),
            axis,
            ..Caption::default()
        };
        let row = |effect: &&Effect| {
            let Estimate { value, interval } = of(effect).times(scale);
            let name = format!("{} {} → {}", effect.parameter, short(&effect.from), short(&effect.to));
            (name, value, interval)
        };
        let rows: Vec<_> = ranked(&effects.effects, of).iter().map(row).collect();
        intervals(&caption, &rows, 0.0)
    };
    let mut plots = vec![plot(
        "effects-length",
        "Which parameter moves the length",
        "change of the length (%)".into(),
        |effect| effect.length,
        100.0,
    )?];
    if !effects.base.at_all_tables.spots.is_empty() {
        let (what, unit) = (spot(&effects.base), crate::show::unit(&effects.base));
        plots.push(plot(
            "effects-spots",
            "Which parameter moves fairness",
            format!("change of the best {what}'s gain over the worst ({unit})"),
            |effect| effect.unfairness,
            scale(&effects.base),
        )?);
    }
    plots.push(plot(
        "effects-survivors",
        "Which parameter changes who survives",
        "share of the equilibrium that moves to other strategies (%); positive even from noise alone".into(),
        |effect| effect.survivors,
        100.0,
    )?);
    Ok(plots)
}
