//! The answers in sentences, by the questions of a designer.

use meeple_lab::text::number;

use crate::answers::{Answers, CourseStatistics, Estimate, Luck, SURVIVES, StrategyCycles, StrategyStanding};
use crate::plan::TablePayoff;

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Sentence {
    pub question: &'static str,
    pub answer: String,
}

/// Text like `61.2 %`.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if (0.05..0.95).contains(&percent) { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// Text like `61.2 ± 1.3 %`.
fn percent_of(share: Estimate) -> String {
    format!("{} %", share.percent())
}

/// A pay-off as text, in percentage points of the win or in points of score.
fn pay_off_of(answers: &Answers, pay_off: Estimate) -> String {
    match answers.pay_off {
        TablePayoff::Win => format!("{} percentage points of the win", pay_off.times(100.0).text()),
        TablePayoff::Score => format!("{} points of score", pay_off.text()),
    }
}

pub(crate) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub fn sentences(answers: &Answers) -> Vec<Sentence> {
    let mut all = vec![Sentence { question: "Which strategies survive?", answer: survivors(answers) }];
    if answers.strategies.len() > 1 {
        all.push(Sentence { question: "Does everything have an answer?", answer: rings(answers) });
    }
    let mut push = |question, answer| all.push(Sentence { question, answer });
    let best = &answers.at_equilibrium;
    let question =
        if answers.spots_are_turns { "What is the order of turns worth?" } else { "What is a seat worth?" };
    if !best.spots.is_empty() {
        push(question, spots(answers, best));
    }
    push("How long does it take?", length(answers, best));
    if answers.ends.len() > 1 {
        push("How does it end?", ends(answers, best));
    }
    push("How much is there to decide?", decisions(best));
    push("Does the lead change?", leads(best));
    if let Some(parts) = answers.luck.as_ref().filter(|_| answers.strategies.len() > 1) {
        push("How much is luck?", luck(parts));
    }
    all
}

/// The surviving strategies, the greatest share first.
pub(crate) fn surviving(strategies: &[StrategyStanding]) -> Vec<&StrategyStanding> {
    let mut surviving: Vec<&StrategyStanding> =
        strategies.iter().filter(|standing| standing.equilibrium.value >= SURVIVES).collect();
    surviving.sort_by(|a, b| b.equilibrium.value.total_cmp(&a.equilibrium.value));
    surviving
}

fn survivors(answers: &Answers) -> String {
    let alive = surviving(&answers.strategies);
    let count = answers.strategies.len();
    let Some(first) = alive.first() else { return "none".into() };
    let others = answers.strategies.iter().filter(|standing| standing.name != first.name);
    let next = others.max_by(|a, b| a.gain.value.total_cmp(&b.gain.value));
    match (&alive[..], next) {
        (_, None) => format!("`{}` plays alone: name a second strategy.", first.name),
        ([only], Some(next)) => {
            let loses = pay_off_of(answers, next.gain.times(-1.0));
            if only.survives >= 0.95 && others_survive(answers, only) <= 0.05 {
                format!(
                    "`{}` dominates: it alone forms the equilibrium of {count} strategies. Playing the \
                     next best, `{}`, against it costs {loses}.",
                    only.name, next.name
                )
            } else {
                format!(
                    "`{}` alone forms the equilibrium of {count} strategies, but this is not certain: \
                     {}.{MORE}",
                    only.name,
                    list(&rivals(answers, only))
                )
            }
        }
        (several, _) if first.equilibrium.value >= 0.8 => {
            let rest: Vec<String> = several[1..].iter().map(|standing| share(standing)).collect();
            format!(
                "`{}` dominates: {} of the equilibrium, beside {}.",
                first.name,
                percent(first.equilibrium.value),
                list(&rest)
            )
        }
        (several, _) => {
            let shares: Vec<String> = several.iter().map(|standing| share(standing)).collect();
            let shaky = several.iter().any(|standing| standing.survives < 0.95);
            let hint = if shaky { MORE } else { "" };
            format!(
                "{} of {count} strategies survive in the equilibrium: {}.{hint}",
                several.len(),
                list(&shares)
            )
        }
    }
}

const MORE: &str = " Play more episodes (-n) to see which ones survive.";

/// Lower bound on the share of the resamples in which another strategy survives.
fn others_survive(answers: &Answers, only: &StrategyStanding) -> f64 {
    let others = answers.strategies.iter().filter(|standing| standing.name != only.name);
    others.map(|standing| standing.survives).fold(0.0, f64::max)
}

fn rivals(answers: &Answers, only: &StrategyStanding) -> Vec<String> {
    let mut others: Vec<&StrategyStanding> = answers
        .strategies
        .iter()
        .filter(|standing| standing.name != only.name && standing.survives > 0.05)
        .collect();
    others.sort_by(|a, b| b.survives.total_cmp(&a.survives));
    let sentence = |standing: &&StrategyStanding| {
        format!("`{}` survives in {} of the resamples", standing.name, percent(standing.survives))
    };
    match others.get(..3.min(others.len())) {
        Some(others) if !others.is_empty() => others.iter().map(sentence).collect(),
        _ => vec![format!("it survives in only {} of the resamples", percent(only.survives))],
    }
}

fn share(standing: &StrategyStanding) -> String {
    format!("`{}` {}", standing.name, percent(standing.equilibrium.value))
}

fn rings(answers: &Answers) -> String {
    let StrategyCycles { share, clearest, certainty } = &answers.cycles;
    match clearest.filter(|_| *certainty >= 0.95) {
        Some(ring) => {
            let [a, b, c] = ring.map(|index| format!("`{}`", answers.strategies[index].name));
            format!(
                "There is a ring: {a} beats {b}, {b} beats {c}, and {c} beats {a}. Rings explain {} of the \
                 results between pairs.",
                percent(share.value)
            )
        }
        None => format!(
            "No ring is certain; an order of strength explains {} of the results between pairs.",
            percent(1.0 - share.value)
        ),
    }
}

/// The spot that gains most, if significantly above the fair part.
fn best_spot<'a>(answers: &Answers, course: &'a CourseStatistics) -> Option<(usize, &'a Estimate)> {
    let least = 1e-6 * fair(answers).max(1.0);
    let best = course.spots.iter().enumerate().max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    best.filter(|(_, spot)| spot.ends()[0] > fair(answers) + least)
}

fn fair(answers: &Answers) -> f64 {
    match answers.pay_off {
        TablePayoff::Win => 1.0 / answers.seats as f64,
        TablePayoff::Score => 0.0,
    }
}

fn spots(answers: &Answers, course: &CourseStatistics) -> String {
    let what = if answers.spots_are_turns { "turn" } else { "seat" };
    let sentence = |(index, spot): (usize, &Estimate)| {
        let name = if answers.spots_are_turns { index + 1 } else { index };
        let gained = match answers.pay_off {
            TablePayoff::Win => {
                format!("wins {} of the games instead of {}", percent_of(*spot), percent(fair(answers)))
            }
            TablePayoff::Score => format!("is {} ahead of the mean", pay_off_of(answers, *spot)),
        };
        format!("{what} {name} {gained}")
    };
    if let Some(best) = best_spot(answers, course) {
        return format!("Among players of the equilibrium {}.", sentence(best));
    }
    let halves = course.spots.iter().map(|spot| {
        let [low, high] = spot.ends();
        0.5 * (high - low)
    });
    let widest = halves.fold(0.0, f64::max);
    let equal = if widest < 1e-6 {
        format!("every {what} gains the same")
    } else {
        let half = match answers.pay_off {
            TablePayoff::Win => format!("{:.1} percentage points", 100.0 * widest),
            TablePayoff::Score => number(widest),
        };
        format!("no significant difference: every {what} gains its fair part, within {half}")
    };
    // All tables together have more games, so smaller differences are significant.
    match best_spot(answers, &answers.at_all_tables) {
        Some(best) => format!("At all tables {}; among players of the equilibrium {equal}.", sentence(best)),
        None if widest < 1e-6 => format!("Nothing: {equal}."),
        None => format!("Among players of the equilibrium {equal}."),
    }
}

fn length(answers: &Answers, course: &CourseStatistics) -> String {
    let [least, low, median, high, most] = answers.lengths;
    format!(
        "{} {} among players of the equilibrium. At all tables the median is {median}, 80 % of the games take {low} to {high}, and \
         the extremes are {least} and {most}.",
        course.length.text(),
        answers.length_unit
    )
}

fn ends(answers: &Answers, course: &CourseStatistics) -> String {
    let mut ends: Vec<(&str, f64)> =
        answers.ends.iter().copied().zip(course.ends.iter().map(|end| end.value)).collect();
    ends.sort_by(|a, b| b.1.total_cmp(&a.1));
    let named = ends.iter().filter(|(_, share)| *share > 0.0005);
    let texts: Vec<String> = named.map(|(end, share)| format!("{end} {}", percent(*share))).collect();
    format!("By {}.", list(&texts))
}

fn decisions(course: &CourseStatistics) -> String {
    let forced = course
        .forced
        .map_or_else(String::new, |forced| format!("; {} of them leave no choice", percent(forced.value)));
    format!(
        "{} decisions a game, {} in a row by one player{forced}.",
        number(course.decisions.value),
        number(course.decisions_a_turn.value)
    )
}

fn leads(course: &CourseStatistics) -> String {
    format!(
        "The lead changes hands {} times a game, and {} of the wins go to a player who was behind after \
         half of the decisions.",
        number(course.lead_changes.value),
        percent(course.comebacks.value)
    )
}

fn luck(luck: &Luck) -> String {
    let part = |estimate: Estimate| percent(estimate.value);
    if crate::show::parts(luck).iter().all(|(_, part)| part.value == 0.0) {
        return "There is nothing to decide: everybody gains the same in every game.".into();
    }
    let decided = luck.agents.value + luck.seats.value;
    format!(
        "{} of a player's result in one game; strategies explain {}, the seat {}. Luck has three parts: {} \
         is the seat that the deal favours, {} the strategy that it favours, and {} the difference between \
         games of the same players and deal from other seats.",
        percent((1.0 - decided).max(0.0)),
        part(luck.agents),
        part(luck.seats),
        part(luck.deals_by_seat),
        part(luck.deals_by_strategy),
        part(luck.rest)
    )
}
