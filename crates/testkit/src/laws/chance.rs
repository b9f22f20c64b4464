//! Laws of chance.

use std::collections::BTreeSet;

use meeple_core::{ChanceStreams, EpisodeSeed, EventLog, NoEvents, Playable};

use super::fault::{Held, granted, hold, hold_same, short, text_form};
use super::memory::{Memory, Position};
use super::values::Counter;

/// Laws of an outcome's text, which is its id in replays.
const TEXT: [&str; 2] = ["chance-text-one-line", "chance-text-round-trip"];
/// Number of draws of a frequency test.
const DRAWS: usize = 600;

/// Laws of a position where a chance draw is due.
pub(crate) fn draw<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let outcomes = at.game.chance_outcomes(at.state);
    let first = at.game.sample_chance(at.state, &mut at.chance.clone());
    let again = at.game.sample_chance(at.state, &mut at.chance.clone());
    hold!("chance-repeatable", first == again, "the same streams draw {first} and then {again}");
    text_form(&first, TEXT)?;
    let verdict = at.game.check_chance(at.state, &first);
    granted("chance-samples-possible", verdict, || {
        format!("chance draws {first}, which `check_chance` refuses")
    })?;
    if let Some(outcomes) = &outcomes {
        listed(at, outcomes)?;
        hold!(
            "chance-samples-listed",
            outcomes.iter().any(|(outcome, _)| *outcome == first),
            "chance draws {first}, which `chance_outcomes` does not list"
        );
        for outcome in memory.outcomes.values().cloned().chain(altered(&first, memory)) {
            let is_listed = outcomes.iter().any(|(listed, _)| *listed == outcome);
            hold!(
                "check-chance-agrees-with-list",
                at.game.check_chance(at.state, &outcome).is_ok() == is_listed,
                "`chance_outcomes` {} {outcome}, but `check_chance` says otherwise",
                if is_listed { "lists" } else { "does not list" }
            );
        }
        if outcomes.len() > 1 && memory.frequency_budget > 0 {
            memory.frequency_budget -= 1;
            frequencies(at, outcomes, memory)?;
        }
        for (outcome, _) in outcomes.iter().take(40) {
            memory.remember_outcome(outcome);
        }
    } else if memory.frequency_budget > 0 {
        memory.frequency_budget -= 1;
        unlisted(at, &first, memory)?;
    }
    memory.remember_outcome(&first);
    resolved(at, &first)
}

/// Law of unlisted outcomes: `check_chance` accepts only outcomes that can be drawn. If the outcomes are too
/// many to draw them all, it accepts only those with the shape of a drawn one: kind, names and count of
/// numbers.
fn unlisted<G: Playable>(at: &Position<'_, G>, first: &G::Chance, memory: &mut Memory<G>) -> Held {
    let mut drawn = BTreeSet::new();
    for _ in 0..DRAWS {
        let mut streams = ChanceStreams::new(EpisodeSeed::from_bits(memory.rng.bits()));
        drawn.insert(at.game.sample_chance(at.state, &mut streams).to_string());
    }
    let shapes: BTreeSet<String> = drawn.iter().map(|text| shape(text)).collect();
    let all_drawn = 20 * drawn.len() <= DRAWS;
    for outcome in
        memory.outcomes.values().cloned().collect::<Vec<_>>().into_iter().chain(altered(first, memory))
    {
        if at.game.check_chance(at.state, &outcome).is_err() {
            continue;
        }
        let text = outcome.to_string();
        hold!(
            "check-chance-refuses-what-is-never-drawn",
            if all_drawn { drawn.contains(&text) } else { shapes.contains(&shape(&text)) },
            "`check_chance` accepts {text}, but {DRAWS} draws gave nothing like it, as {first}"
        );
        let mut after = at.state.clone();
        at.game.apply_chance(&mut after, &outcome, &mut NoEvents);
        let _ = at.game.phase(&after);
    }
    Ok(())
}

/// A text with its numbers replaced by `#`.
fn shape(text: &str) -> String {
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let words = text.split_inclusive([' ', ',', '/', ':']).map(|word| {
        let end = word.trim_end_matches([' ', ',', '/', ':']).len();
        if number(&word[..end]) { format!("#{}", &word[end..]) } else { word.to_owned() }
    });
    words.collect()
}

/// Slight variations of an outcome: another word or number, one item more or less.
fn altered<G: Playable>(outcome: &G::Chance, memory: &Memory<G>) -> Vec<G::Chance> {
    let text = outcome.to_string();
    let words: Vec<&str> = text.split(' ').collect();
    let mut texts = BTreeSet::new();
    for index in 0..words.len() {
        let with = |word: &str| {
            let mut words = words.clone();
            words[index] = word;
            words.join(" ")
        };
        let items: Vec<&str> = words[index].split(',').collect();
        for place in 0..items.len() {
            let mut fewer = items.clone();
            fewer.remove(place);
            texts.insert(with(&fewer.join(",")));
            if let Ok(number) = items[place].parse::<u32>() {
                for other in [0, 1, number + 1, number.saturating_sub(1), 63, 64, 255] {
                    let other = other.to_string();
                    let mut changed = items.clone();
                    changed[place] = &other;
                    texts.insert(with(&changed.join(",")));
                }
            }
        }
        texts.insert(with(&format!("{},{}", words[index], items.len())));
        // Words at this place in other outcomes.
        for other in memory.outcomes.keys().filter_map(|other| other.split(' ').nth(index)) {
            texts.insert(with(other));
        }
    }
    texts.remove(&text);
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

fn listed<G: Playable>(at: &Position<'_, G>, outcomes: &[(G::Chance, f64)]) -> Held {
    hold!("chance-list-not-empty", !outcomes.is_empty(), "chance draws, but no outcome is listed");
    let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
    hold!(
        "chance-sums-to-one",
        (total - 1.0).abs() < 1e-9,
        "the probabilities of {} outcomes sum to {total}",
        outcomes.len()
    );
    for (index, (outcome, probability)) in outcomes.iter().enumerate() {
        hold!(
            "chance-probability-positive",
            *probability > 0.0,
            "{outcome} is listed with the probability {probability}"
        );
        hold!(
            "chance-list-distinct",
            !outcomes[..index].iter().any(|(other, _)| other == outcome),
            "{outcome} is listed twice"
        );
    }
    for (outcome, _) in outcomes.iter().take(60) {
        text_form(outcome, TEXT)?;
        let verdict = at.game.check_chance(at.state, outcome);
        granted("check-chance-agrees-with-list", verdict, || format!("{outcome} is listed but refused"))?;
        let (mut after, mut logged) = (at.state.clone(), at.state.clone());
        at.game.apply_chance(&mut after, outcome, &mut NoEvents);
        at.game.apply_chance(&mut logged, outcome, &mut EventLog::new());
        hold_same("events-do-not-matter", &after, &logged, || {
            format!("{outcome} leads elsewhere when events are kept")
        })?;
    }
    Ok(())
}

/// Law: Pearson's chi-squared statistic stays below its mean plus seven standard deviations plus 20. The
/// bound is wide enough never to fail by bad luck, and narrow enough to detect a wrong weight.
fn frequencies<G: Playable>(
    at: &Position<'_, G>,
    outcomes: &[(G::Chance, f64)],
    memory: &mut Memory<G>,
) -> Held {
    let mut counts = vec![0usize; outcomes.len()];
    for _ in 0..DRAWS {
        let mut streams = ChanceStreams::new(EpisodeSeed::from_bits(memory.rng.bits()));
        let drawn = at.game.sample_chance(at.state, &mut streams);
        let place = outcomes.iter().position(|(outcome, _)| *outcome == drawn);
        hold!("chance-samples-listed", place.is_some(), "chance draws {drawn}, which is not listed");
        counts[place.unwrap_or_default()] += 1;
    }
    // Rare outcomes share a cell, so every cell expects at least five.
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for ((_, probability), count) in outcomes.iter().zip(&counts) {
        let expected = probability * DRAWS as f64;
        if expected >= 5.0 {
            cells.push((expected, *count as f64));
        } else {
            rare = (rare.0 + expected, rare.1 + *count as f64);
        }
    }
    if rare.0 >= 5.0 {
        cells.push(rare);
    }
    if cells.len() < 2 {
        return Ok(());
    }
    let freedom = (cells.len() - 1) as f64;
    let statistic: f64 =
        cells.iter().map(|(expected, count)| (count - expected) * (count - expected) / expected).sum();
    let shown: Vec<String> = outcomes
        .iter()
        .zip(&counts)
        .map(|((outcome, probability), count)| {
            format!("{outcome} {count} (expected {:.1})", probability * DRAWS as f64)
        })
        .collect();
    hold!(
        "chance-frequencies",
        statistic < freedom + 7.0 * (2.0 * freedom).sqrt() + 20.0,
        "in {DRAWS} draws chance drew {}; chi-square is {statistic:.1} with {freedom} degrees of freedom",
        short(&shown.join(", "))
    );
    Ok(())
}

/// `resolve_chance` equals drawing and applying, and leaves the streams in the same state.
fn resolved<G: Playable>(at: &Position<'_, G>, first: &G::Chance) -> Held {
    let (mut once, mut once_streams) = (at.state.clone(), at.chance.clone());
    let mut once_events = Counter::default();
    at.game.resolve_chance(&mut once, &mut once_streams, &mut once_events);
    let (mut twice, mut twice_streams) = (at.state.clone(), at.chance.clone());
    let mut twice_events = Counter::default();
    let drawn = at.game.sample_chance(&twice, &mut twice_streams);
    hold!("chance-repeatable", drawn == *first, "the same streams draw {first} and then {drawn}");
    at.game.apply_chance(&mut twice, &drawn, &mut twice_events);
    const LAW: &str = "resolve-chance-is-sample-and-apply";
    hold_same(LAW, &once, &twice, || format!("`resolve_chance` leads elsewhere than drawing {drawn}"))?;
    hold!(
        LAW,
        once_events.0 == twice_events.0 && format!("{once_streams:?}") == format!("{twice_streams:?}"),
        "`resolve_chance` tells other events or leaves the streams elsewhere than drawing {drawn}"
    );
    Ok(())
}
