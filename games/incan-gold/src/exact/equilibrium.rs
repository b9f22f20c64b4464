//! Equilibria as tables and JSON, for the command line.

use std::sync::Arc;

use meeple_core::{TextTable, ToolError, ToolNews, ToolOutput};
use serde_json::json;

use super::kept::{Listener, with_kept};
use super::output::output;
use super::range::Range;
use super::{
    Choice, Goal, LastRound, Nash, Rules, ShareSize, Size, best_response, result, solve_share,
    unknown_responses, unknown_values,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Margin,
    Gems,
    Win,
}

#[derive(Debug)]
struct Asked {
    seats: usize,
    goal: Wanted,
    choice: Choice,
    output: Option<String>,
    gaps: Option<Range>,
}

fn usage(message: &str) -> ToolError {
    ToolError::Usage(format!("equilibrium: {message}\nhint: try 'equilibrium --seats 3 --goal gems'"))
}

impl Asked {
    fn parse(arguments: &[String]) -> Result<Self, ToolError> {
        let (mut seats, mut goal, mut choice, mut output, mut gaps) = (2, None, Choice::Smallest, None, None);
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (flag, attached) = word.split_once('=').filter(|_| word.starts_with("--")).unzip();
            let flag = flag.unwrap_or(word);
            let mut value = |expected: &str| {
                let found = attached.or_else(|| words.next());
                found.ok_or_else(|| usage(&format!("{flag}: expected {expected}, found nothing")))
            };
            match flag {
                "--seats" => {
                    let text = value("a number of players")?;
                    let wrong = || usage(&format!("--seats: expected a number of players, found '{text}'"));
                    seats = text.parse().map_err(|_| wrong())?;
                }
                "--goal" => {
                    goal = Some(match value("margin, gems or win")? {
                        "margin" => Wanted::Margin,
                        "gems" => Wanted::Gems,
                        "win" => Wanted::Win,
                        found => {
                            let message = format!("--goal: expected margin, gems or win, found '{found}'");
                            return Err(usage(&message));
                        }
                    });
                }
                "--choose" => {
                    choice = match value("smallest or largest")? {
                        "smallest" => Choice::Smallest,
                        "largest" => Choice::Largest,
                        found => {
                            let message = format!("--choose: expected smallest or largest, found '{found}'");
                            return Err(usage(&message));
                        }
                    };
                }
                "--gap" => {
                    let range = Range::parse(value("a number or a range")?);
                    let range = range.map_err(|error| usage(&format!("--gap: {error}")))?;
                    if !range.is_whole() || range.to() > MAX_GAP {
                        let text = range.text();
                        let message =
                            format!("--gap: expected whole numbers up to {MAX_GAP}, found '{text}'");
                        return Err(usage(&message));
                    }
                    gaps = Some(range);
                }
                "--output" | "-o" => output = Some(value("a file")?.to_owned()),
                _ => {
                    let expected = "--seats, --goal, --choose, --gap and --output";
                    return Err(usage(&format!("expected {expected}, found '{word}'")));
                }
            }
        }
        let goal = goal.unwrap_or(if seats == 2 && output.is_none() { Wanted::Margin } else { Wanted::Gems });
        if goal != Wanted::Gems && (seats != 2 || output.is_some() || choice != Choice::Smallest) {
            return Err(usage(
                "all but --goal gems is for two players, and nothing of it is chosen or written",
            ));
        }
        if goal != Wanted::Win && gaps.is_some() {
            return Err(usage("--gap: expected --goal win beside it"));
        }
        Ok(Self { seats, goal, choice, output, gaps })
    }
}

pub(super) fn run(
    rules: &Rules,
    arguments: &[String],
    listener: &mut Listener<'_>,
) -> Result<ToolOutput, ToolError> {
    let asked = Asked::parse(arguments)?;
    match asked.goal {
        Wanted::Margin => margin(rules, listener),
        Wanted::Gems => gems(rules, &asked, listener),
        Wanted::Win => win(rules, asked.gaps, listener),
    }
}

fn margin(rules: &Rules, listener: &mut Listener<'_>) -> Result<ToolOutput, ToolError> {
    let size = Size::of(rules)?;
    (listener.tell)(ToolNews::Says(&size.to_string()));
    let nash = Arc::new(Nash::new(rules)?);
    let mut values = unknown_responses(rules, "nash", Goal::Margin);
    let response = with_kept(&mut values, [0, 1], listener, |values, host, tell| {
        best_response(rules, &nash, Goal::Margin, values, host, tell)
    })?;
    let Size { starts, positions } = size;
    let table = TextTable {
        title: "Two players who want more gems than the other: the equilibrium".into(),
        columns: ["starts", "positions", "gems of each", "value", "best response gains"]
            .map(str::to_owned)
            .to_vec(),
        rows: vec![vec![
            starts.to_string(),
            positions.to_string(),
            format!("{:.4}", response.even),
            "0".into(),
            format!("{:.1e}", response.value),
        ]],
        notes: vec![
            "gems of each: mean of a game; the value, the mean margin, is 0 because both play alike".into(),
            "best response gains: mean margin of the best that can be done against it, computed apart".into(),
            "the agent 'nash' plays it".into(),
        ],
    };
    let row = json!({
        "starts": starts, "positions": positions, "gems": response.even, "value": 0.0, "gain": response.value,
    });
    Ok(output(table, vec![row]))
}

const MAX_GAP: f64 = 10_000.0;

fn win(rules: &Rules, gaps: Option<Range>, listener: &mut Listener<'_>) -> Result<ToolOutput, ToolError> {
    let last_round = LastRound::new(rules)?;
    let gaps = gaps.map_or_else(|| Range::parse("0..30+5").map_err(|error| usage(&error)), Ok)?;
    let mut table = TextTable {
        title: "The last round, for two players who want to win: the equilibrium".into(),
        columns: ["ahead by", "chance"].map(str::to_owned).to_vec(),
        notes: vec![
            "chance: of winning, a draw counting half, for who is ahead; the other has the rest".into(),
            "nothing was claimed before that round, and nothing busted".into(),
            "the agent 'nash:goal=win' plays it, in any last round".into(),
        ],
        ..TextTable::default()
    };
    let mut rows = Vec::new();
    for (done, gap) in (0..).zip(gaps.values()) {
        (listener.tell)(ToolNews::Done { done, total: gaps.len() as u64 });
        if listener.host.is_stopped() {
            return Err(ToolError::Failed("stopped; nothing of it is kept".to_owned()));
        }
        let chance = last_round.chance(gap as i64);
        table.rows.push(vec![gap.to_string(), format!("{chance:.6}")]);
        rows.push(json!({ "ahead": gap, "chance": chance }));
    }
    Ok(output(table, rows))
}

fn gems(rules: &Rules, asked: &Asked, listener: &mut Listener<'_>) -> Result<ToolOutput, ToolError> {
    let Asked { seats, choice, output: file, .. } = asked;
    let size = ShareSize::of(rules, *seats)?;
    (listener.tell)(ToolNews::Says(&size.to_string()));
    let mut values = unknown_values(rules, *seats, *choice);
    with_kept(&mut values, [0, 1], listener, |values, host, tell| {
        solve_share(rules, *seats, *choice, values, host, tell)
    })?;
    let share = result(rules, &values)?;
    let found = share.found;
    let percent = |count: u64| format!("{:.2} %", 100.0 * count as f64 / found.positions.max(1) as f64);
    let table = TextTable {
        title: format!("{seats} players who want gems, whatever the others have: an equilibrium"),
        columns: ["starts", "cells", "positions", "mixed", "two ways", "gems of each"]
            .map(str::to_owned)
            .to_vec(),
        rows: vec![vec![
            size.starts.to_string(),
            size.cells.to_string(),
            found.positions.to_string(),
            percent(found.mixed),
            percent(found.ambiguous),
            format!("{:.6}", share.gems),
        ]],
        notes: vec![
            "all play alike, and nobody gains by another decision anywhere".into(),
            "mixed: positions in which each leaves with a probability between 0 and 1".into(),
            match choice {
                Choice::Smallest => {
                    "two ways: all may stay and all may leave; they stay (--choose largest: leave)".into()
                }
                Choice::Largest => "two ways: all may stay and all may leave; they leave".into(),
            },
            "the agent 'nash-share' plays that with the smallest probabilities of leaving".into(),
        ],
    };
    let row = json!({
        "seats": seats, "starts": size.starts, "cells": size.cells, "positions": found.positions,
        "mixed": found.mixed, "two_ways": found.ambiguous, "gems": share.gems,
    });
    let mut output = output(table, vec![row]);
    output.files.extend(file.iter().map(|file| (file.clone(), values.to_text())));
    Ok(output)
}
