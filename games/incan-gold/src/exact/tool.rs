//! Exact values as tables and JSON, for the command line.

use std::collections::BTreeMap;

use meeple_core::{TextTable, ToolError, ToolHost, ToolNews, ToolOutput, nearest};
use serde_json::{Value, json};

use super::kept::Listener;
use super::output::output;
use super::range::Range;
use super::{ExactError, Horizon, Mass, Rules, Strategy, Versus, equilibrium, optimal, solo, versus};

/// Arguments, as shown in help.
pub const USAGE: &str = "solo STRATEGY | versus turn:RANGE turn:RANGE | optimal | \
    equilibrium [--seats N] [--goal margin|gems|win] [--choose smallest|largest] [--gap RANGE] [--output FILE] | \
    exploit AGENT... [--goal margin|gems]";

pub const DOC: &str = "Exact values, by counting instead of simulation.\n\
    solo STRATEGY: the score of one player: mean, standard deviation, quantiles, probability of nothing. \
    STRATEGY is turn:RANGE, backpack:RANGE, random:RANGE or hazards:RANGE; RANGE is 7, 1..26 or 0.05..1+0.05.\n\
    versus turn:RANGE turn:RANGE: win, draw and loss of two players who leave after so many cards.\n\
    optimal: the best a lone player can do.\n\
    equilibrium: two players who want more gems than the other (--goal margin), over all rounds, and what the best response to \
    it gains; or two and more (--seats) who want gems, whatever the others have (--goal gems): what it brings each. Where all may \
    stay and all may leave, they stay, or --choose largest. --output writes the values of all starts of rounds, which \
    the agent nash-share needs for other rules than its own. --goal win: the last round of two who want to win, by how far one \
    is ahead (--gap).\n\
    exploit AGENT...: the best response of one other player to each agent, who wants more gems than the agent \
    (--goal margin) or gems (--goal gems), and what it gains.";

const WORDS: &str = "solo, versus, optimal, equilibrium or exploit";

/// Upper bound on the rows that one call computes.
const MAX_ROWS: usize = 5_000;

pub fn run(
    rules: &Rules,
    arguments: &[String],
    tell: &mut dyn FnMut(ToolNews<'_>),
    host: &dyn ToolHost,
) -> Result<ToolOutput, ToolError> {
    if let Some(rest) = arguments.strip_prefix(&["equilibrium".to_owned()]) {
        return equilibrium::run(rules, rest, &mut Listener { host, tell });
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["solo", setting] => run_solo(rules, setting),
        ["versus", first, second] => run_versus(rules, first, second),
        ["optimal"] => run_optimal(rules),
        ["solo", ..] => Err(usage("solo: expected one strategy", "solo turn:1..26")),
        ["versus", ..] => Err(usage("versus: expected two strategies", "versus turn:1..15 turn:1..15")),
        ["optimal", ..] => Err(usage("optimal: expected no arguments", "optimal")),
        [] => Err(usage(&format!("expected {WORDS}, found nothing"), "solo turn:1..26")),
        [other, ..] => {
            let words = ["solo", "versus", "optimal", "equilibrium", "exploit"];
            let hint = nearest(other, words).unwrap_or("solo turn:1..26");
            Err(usage(&format!("expected {WORDS}, found '{other}'"), hint))
        }
    }
}

fn usage(message: &str, hint: &str) -> ToolError {
    ToolError::Usage(format!("{message}\nhint: try '{hint}'"))
}

impl From<ExactError> for ToolError {
    fn from(error: ExactError) -> Self {
        Self::Failed(error.to_string())
    }
}

struct Setting {
    kind: &'static Kind,
    range: Range,
}

struct Kind {
    name: &'static str,
    /// The smallest and the largest parameter.
    limits: [f64; 2],
    whole: bool,
    example: &'static str,
    strategy: fn(f64) -> Strategy,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "turn",
        limits: [1.0, 64.0],
        whole: true,
        example: "1..26",
        strategy: |value| Strategy::Turn(value as u32),
    },
    Kind {
        name: "backpack",
        limits: [0.0, 10_000.0],
        whole: true,
        example: "1..100+3",
        strategy: |value| Strategy::Backpack(value as u32),
    },
    Kind {
        name: "random",
        limits: [0.0, 1.0],
        whole: false,
        example: "0.05..1+0.05",
        strategy: Strategy::Random,
    },
    Kind {
        name: "hazards",
        limits: [1.0, 8.0],
        whole: true,
        example: "1..5",
        strategy: |value| Strategy::Hazards(value as u32),
    },
];

impl Setting {
    fn parse(text: &str) -> Result<Self, ToolError> {
        let (name, range) = text.split_once(':').unwrap_or((text, ""));
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
            let names = KINDS.iter().map(|kind| kind.name);
            let hint = match nearest(name, names.clone()) {
                Some(name) => format!("did you mean '{name}'?"),
                None => "for other agents use sim".into(),
            };
            let names: Vec<&str> = names.collect();
            let expected = names.join(", ");
            return Err(ToolError::Usage(format!(
                "there are exact values for {expected}, found '{name}'\nhint: {hint}"
            )));
        };
        let bad = |reason: String| {
            ToolError::Usage(format!("{name}: {reason}\nhint: for example {name}:{}", kind.example))
        };
        let range = Range::parse(range).map_err(bad)?;
        let [low, high] = kind.limits;
        if kind.whole && !range.is_whole() {
            return Err(bad(format!("expected whole numbers, found '{}'", range.text())));
        }
        if range.from() < low || range.to() > high {
            return Err(bad(format!("expected a range within {low}..{high}, found '{}'", range.text())));
        }
        if range.len() > MAX_ROWS {
            return Err(bad(format!("expected at most {MAX_ROWS} values, found {}", range.len())));
        }
        Ok(Self { kind, range })
    }

    fn label(&self, value: f64) -> String {
        format!("{}:{value}", self.kind.name)
    }
}

fn run_solo(rules: &Rules, text: &str) -> Result<ToolOutput, ToolError> {
    let setting = Setting::parse(text)?;
    let mut rows = Vec::new();
    for value in setting.range.values() {
        rows.push((setting.label(value), solo(rules, (setting.kind.strategy)(value))?));
    }
    let mut output = scores("Score of a lone player", &rows);
    if rows.len() > 3 {
        rows.sort_by(|(_, one), (_, other)| other.mean().total_cmp(&one.mean()));
        let best: Vec<String> =
            rows[..3].iter().map(|(label, score)| format!("{label} ({:.4})", score.mean())).collect();
        output.tables[0].notes.push(format!("best: {}", best.join(", ")));
    }
    Ok(output)
}

fn run_optimal(rules: &Rules) -> Result<ToolOutput, ToolError> {
    let rows = [
        ("optimal".to_owned(), optimal(rules, Horizon::Game)?.score),
        ("optimal round by round".to_owned(), optimal(rules, Horizon::Round)?.score),
    ];
    let mut output = scores("Best score of a lone player", &rows);
    output.tables[0].notes = vec![
        "optimal: the largest mean, counting cards and looking ahead over all rounds".into(),
        "optimal round by round: the largest mean gain of each round, whatever it does to later ones".into(),
    ];
    Ok(output)
}

fn scores(title: &str, rows: &[(String, Mass)]) -> ToolOutput {
    let mut table = TextTable {
        title: title.into(),
        columns: ["setting", "mean", "sd", "p10", "p50", "p90", "P(0)"].map(str::to_owned).to_vec(),
        ..TextTable::default()
    };
    let mut json_rows: Vec<Value> = Vec::new();
    for (label, score) in rows {
        let (mean, sd, zero) = (score.mean(), score.sd(), score.at(0));
        let [p10, p50, p90] = [0.1, 0.5, 0.9].map(|share| score.quantile(share));
        let mut cells = vec![label.clone(), format!("{mean:.4}"), format!("{sd:.4}")];
        cells.extend([p10, p50, p90].map(|value| value.to_string()));
        cells.push(format!("{zero:.6}"));
        table.rows.push(cells);
        json_rows.push(json!({
            "setting": label, "mean": mean, "sd": sd, "p10": p10, "p50": p50, "p90": p90, "p_zero": zero,
        }));
    }
    output(table, json_rows)
}

fn run_versus(rules: &Rules, first: &str, second: &str) -> Result<ToolOutput, ToolError> {
    let [first, second] = [Setting::parse(first)?, Setting::parse(second)?];
    for setting in [&first, &second] {
        if setting.kind.name != "turn" {
            let message = format!("versus has exact values for turn only, found '{}'", setting.kind.name);
            return Err(usage(&message, "versus turn:1..15 turn:1..15"));
        }
    }
    let cells = first.range.len() * second.range.len();
    if cells > MAX_ROWS {
        return Err(usage(
            &format!("versus: expected at most {MAX_ROWS} pairs, found {cells}"),
            "versus turn:1..15 turn:1..15",
        ));
    }
    let mut table = TextTable {
        title: "Two players, seen from the first".into(),
        columns: ["a", "b", "win", "draw", "loss", "mean a", "mean b"].map(str::to_owned).to_vec(),
        ..TextTable::default()
    };
    let mut json_rows = Vec::new();
    // Each pair is computed once, and its mirror image is derived from it.
    let mut known: BTreeMap<[u32; 2], Versus> = BTreeMap::new();
    for a in first.range.values() {
        for b in second.range.values() {
            let turns = [a as u32, b as u32];
            let result = match known.get(&[turns[1], turns[0]]) {
                Some(mirrored) => mirrored.mirrored(),
                None => versus(rules, turns)?,
            };
            known.insert(turns, result);
            let Versus { win, draw, loss, means } = result;
            let (a, b) = (first.label(a), second.label(b));
            let mut cells = vec![a.clone(), b.clone()];
            cells.extend([win, draw, loss].map(|share| format!("{share:.6}")));
            cells.extend(means.map(|mean| format!("{mean:.4}")));
            table.rows.push(cells);
            json_rows.push(json!({
                "a": a, "b": b, "win": win, "draw": draw, "loss": loss, "mean_a": means[0], "mean_b": means[1],
            }));
        }
    }
    Ok(output(table, json_rows))
}
