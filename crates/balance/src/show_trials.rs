//! Trials of rules in words, tables and plots.

use meeple_lab::plots::{Caption, Plot, bars, intervals, lines};
use meeple_lab::text::{number, with_half};
use meeple_lab::{Grid, LabError, texts};

use crate::answers::{Answers, Estimate, SURVIVES, gap};
use crate::plan::PayOff;
use crate::sentences::{Sentence, list, percent, surviving};
use crate::trials::{Effect, Effects, Trials};

/// Strategies that have a bar of their own; the rest is one.
const MOST_BARS: usize = 7;
/// Effects in a table for the terminal.
const MOST_EFFECTS: usize = 25;

/// Which strategies survive at which values, and what else changes.
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
    // Neighbours of which the same survive are told together.
    let runs = trials.chunk_by(|a, b| names(&a.answers) == names(&b.answers));
    let told = runs.map(|run| {
        let [first, last] = [&run[0], &run[run.len() - 1]];
        let at = if run.len() == 1 {
            format!("{parameter}={}", first.value)
        } else {
            format!("{parameter}={} to {}", first.value, last.value)
        };
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
        answer: format!("{}.", told.collect::<Vec<_>>().join("; ")),
    };
    let lengths = trials.iter().map(|trial| (&trial.value, trial.answers.at_all_tables.length.value));
    let least = lengths.clone().min_by(|a, b| a.1.total_cmp(&b.1));
    let most = lengths.max_by(|a, b| a.1.total_cmp(&b.1));
    let mut all = vec![survivors];
    if let (Some((short, least)), Some((long, most)), Some(first)) = (least, most, trials.first()) {
        all.push(Sentence {
            question: "How does the length change?",
            answer: format!(
                "From {} {unit} at {parameter}={short} to {} at {parameter}={long}, at all tables.",
                number(least),
                number(most),
                unit = first.answers.length_unit
            ),
        });
    }
    all
}

/// The name alone, of a name with its share.
fn name(text: &str) -> String {
    text.rsplit_once("` ").map_or_else(|| text.to_owned(), |(name, _)| format!("{name}`"))
}

/// The tables of several values.
pub fn grids_of_values(trials: &Trials) -> Vec<Grid> {
    let Some(first) = trials.trials.first() else { return Vec::new() };
    let shown = shown(trials);
    let mut header = vec![trials.parameter.clone()];
    header.extend(shown.iter().map(|index| first.answers.strategies[*index].name.clone()));
    let range = |Estimate { value, interval: [low, high] }: Estimate| {
        let percent = |share: f64| format!("{:.0}", 100.0 * share);
        if high - low < 0.005 {
            percent(value)
        } else {
            format!("{} ({}–{})", percent(value), percent(low), percent(high))
        }
    };
    let rows = trials.trials.iter().map(|trial| {
        let shares = shown.iter().map(|index| range(trial.answers.strategies[*index].equilibrium));
        std::iter::once(trial.value.clone()).chain(shares).collect()
    });
    let survivors = Grid::new("Share of the equilibrium, %, at each value", header, rows, 1)
        .noted("Strategies that survive nowhere are left out. In brackets the interval over deals.");
    let what = if first.answers.spots_are_turns { "turn" } else { "seat" };
    let header = vec![
        trials.parameter.clone(),
        format!("length ({})", first.answers.length_unit),
        format!("best {what} over worst ({})", crate::show::unit(&first.answers)),
        "changes of the lead".into(),
        "who plays decides %".into(),
    ];
    let rows = trials.trials.iter().map(|trial| {
        let course = &trial.answers.at_all_tables;
        let plain = |estimate: Estimate| with_half(estimate.value, Some(estimate.interval));
        let scale = if trial.answers.pay_off == PayOff::Win { 100.0 } else { 1.0 };
        let gap = scale * gap(course.spots.iter().map(|spot| spot.value));
        vec![
            trial.value.clone(),
            plain(course.length),
            number(gap),
            plain(course.lead_changes),
            trial.answers.luck.as_ref().map_or_else(|| "–".into(), |luck| number(100.0 * luck.agents.value)),
        ]
    });
    vec![survivors, Grid::new("What games are like at each value, at all tables", header, rows, 1)]
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

/// The plots of several values.
///
/// # Errors
/// If one cannot be drawn.
pub fn plots_of_values(trials: &Trials) -> Result<Vec<Plot>, LabError> {
    let Some(first) = trials.trials.first() else { return Ok(Vec::new()) };
    let parameter = &trials.parameter;
    let shown = shown(trials);
    let named = &shown[..shown.len().min(MOST_BARS)];
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
    let unit = first.answers.length_unit;
    let lengths = caption(
        "lengths",
        format!("Length at each {parameter}"),
        format!("length ({unit}), at all tables"),
        "The mean length at every value of the parameter",
    );
    let numbers: Option<Vec<f64>> = trials.trials.iter().map(|trial| trial.value.parse().ok()).collect();
    let of = |trial: &crate::trials::Trial| trial.answers.at_all_tables.length;
    plots.push(match numbers {
        Some(numbers) => {
            let places = numbers.iter().zip(&trials.trials);
            let points = places.map(|(at, trial)| (*at, of(trial).value, of(trial).interval)).collect();
            lines(&lengths, parameter, &[("length".to_owned(), points)], None)?
        }
        None => {
            let row =
                |trial: &crate::trials::Trial| (trial.value.clone(), of(trial).value, of(trial).interval);
            let rows: Vec<_> = trials.trials.iter().map(row).collect();
            intervals(&lengths, &rows, of(&trials.trials[0]).value)?
        }
    });
    Ok(plots)
}

/// Which parameters matter most.
pub fn sentences_of_effects(effects: &Effects) -> Vec<Sentence> {
    // Of many that do nothing some look as if they did: the more were tried, the farther from 0 one must be.
    let tried = effects.effects.len().max(1) as f64;
    let farther = (2.0 * (2.0 * tried / 0.05).ln()).sqrt() / 1.96;
    let certain = |Estimate { value, interval: [_, high] }: &Estimate| value.abs() > farther * (high - value);
    let most = |of: fn(&Effect) -> &Estimate| {
        let told = effects.effects.iter().filter(|effect| certain(of(effect)));
        told.max_by(|a, b| of(a).value.abs().total_cmp(&of(b).value.abs()))
    };
    let changed = |effect: &Effect| format!("{}={} instead of {}", effect.parameter, effect.to, effect.from);
    let what = if effects.base.spots_are_turns { "turn" } else { "seat" };
    let scale = if effects.base.pay_off == PayOff::Win { 100.0 } else { 1.0 };
    let unit = crate::show::unit(&effects.base);
    let signed = |value: f64, unit: &str| format!("{value:+.1} {unit}");
    let length = most(|effect| &effect.length).map_or_else(
        || "None that can be told.".to_owned(),
        |effect| format!("{}: {}.", changed(effect), signed(100.0 * effect.length.value, "%")),
    );
    let fairness = most(|effect| &effect.unfairness).map_or_else(
        || "None that can be told.".to_owned(),
        |effect| {
            format!(
                "{}: the best {what} gains {} over the worst.",
                changed(effect),
                signed(scale * effect.unfairness.value, unit)
            )
        },
    );
    let base: Vec<String> =
        surviving(&effects.base.strategies).iter().map(|standing| standing.name.clone()).collect();
    let turned: Vec<String> = effects
        .effects
        .iter()
        .filter(|effect| effect.survivors.interval[0] > 0.25)
        .map(|effect| format!("{} ({})", changed(effect), list(&effect.alive)))
        .collect();
    let strategies = if turned.is_empty() {
        format!("None turns it round: {} as before.", list(&base))
    } else {
        format!("{}; by the rules as they are {}.", turned.join("; "), list(&base))
    };
    vec![
        Sentence { question: "Which parameter moves the length most?", answer: length },
        Sentence { question: "Which parameter moves fairness most?", answer: fairness },
        Sentence { question: "Which parameters change who survives?", answer: strategies },
    ]
}

/// The tables of effects.
pub fn grids_of_effects(effects: &Effects, detail: crate::show::Detail) -> Vec<Grid> {
    let what = if effects.base.spots_are_turns { "turn" } else { "seat" };
    let scale = if effects.base.pay_off == PayOff::Win { 100.0 } else { 1.0 };
    let header = vec![
        "parameter".into(),
        "from".into(),
        "to".into(),
        "length %".into(),
        format!("best {what} over worst ({})", crate::show::unit(&effects.base)),
        "equilibrium moved %".into(),
        "who survives".into(),
    ];
    let scaled = |Estimate { value, interval: [low, high] }: Estimate, by: f64| {
        with_half(by * value, Some([by * low, by * high]))
    };
    let row = |effect: &Effect| {
        vec![
            effect.parameter.clone(),
            short(&effect.from),
            short(&effect.to),
            scaled(effect.length, 100.0),
            scaled(effect.unfairness, scale),
            format!("{:.0}", 100.0 * effect.survivors.value),
            short(&effect.alive.join(", ")),
        ]
    };
    let shown = match detail {
        crate::show::Detail::Short => effects.effects.len().min(MOST_EFFECTS),
        crate::show::Detail::Full => effects.effects.len(),
    };
    let rest = match effects.effects.len() - shown {
        0 => String::new(),
        more => format!("\n… and {more} more with smaller effects on the length: see --full or --json"),
    };
    let mut grids = vec![
        Grid::new("What other values do, at all tables", header, effects.effects[..shown].iter().map(row), 3)
            .noted(format!("Changes against the rules as they are, on the same deals.{rest}")),
    ];
    if !effects.left_out.is_empty() {
        let row = |left: &crate::trials::LeftOut| {
            vec![left.parameter.clone(), left.value.clone().unwrap_or_default(), short(&left.reason)]
        };
        let header = texts(["parameter", "to", "why not"]);
        grids.push(Grid::new("Not tried", header, effects.left_out.iter().map(row), 3));
    }
    grids
}

/// A text that fits a column.
fn short(text: &str) -> String {
    if text.chars().count() <= 40 {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(39).collect::<String>())
    }
}

/// The plots of effects.
///
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
        let mut sorted: Vec<&Effect> = effects.effects.iter().collect();
        sorted.sort_by(|a, b| of(b).value.abs().total_cmp(&of(a).value.abs()));
        let row = |effect: &&Effect| {
            let Estimate { value, interval: [low, high] } = of(effect);
            let name = format!("{} {} → {}", effect.parameter, short(&effect.from), short(&effect.to));
            (name, scale * value, [scale * low, scale * high])
        };
        let rows: Vec<_> = sorted.iter().map(row).collect();
        intervals(&caption, &rows, 0.0)
    };
    let scale = if effects.base.pay_off == PayOff::Win { 100.0 } else { 1.0 };
    let what = if effects.base.spots_are_turns { "turn" } else { "seat" };
    let unit = crate::show::unit(&effects.base);
    Ok(vec![
        plot(
            "effects-length",
            "Which parameter moves the length",
            "change of the length (%)".into(),
            |effect| effect.length,
            100.0,
        )?,
        plot(
            "effects-spots",
            "Which parameter moves fairness",
            format!("change of what the best {what} gains over the worst ({unit})"),
            |effect| effect.unfairness,
            scale,
        )?,
    ])
}
