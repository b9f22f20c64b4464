//! `meeple bench`: speed of the games' demo line-ups on one core, and cost of agents.

mod agents;

use std::time::Instant;

use meeple_core::Seating;
use meeple_games::{GameName, games, parse_game};
use meeple_lab::SetUp;
use serde_json::{Value, json};

use self::agents::AgentCost;
use crate::args::BenchArgs;
use crate::failure::usage;
use crate::terminal;

/// Number of measured time slices; the median of their rates is shown.
const PIECES: usize = 7;

pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(usage(format!("--seconds: expected more than 0, at most 3600, found {}", args.seconds)));
    }
    let names: Vec<GameName<'_>> = if args.games.is_empty() {
        games().into_iter().map(|entry| GameName { entry, preset: None }).collect()
    } else {
        args.games.iter().map(|text| parse_game(text)).collect::<Result<_, _>>()?
    };
    if args.agents {
        return bench_agents(args, &names);
    }
    let rows: Vec<Measured> =
        names.iter().map(|name| measure(name, args.seconds)).collect::<anyhow::Result<_>>()?;
    if args.json {
        let list: Vec<Value> = rows.iter().map(Measured::to_json).collect();
        return terminal::print_json(&json!({ "format": 1, "games": list }));
    }
    let columns = ["game", "line-up", "episodes/s", "lowest", "highest", "decisions/s", "decisions/episode"]
        .map(str::to_owned);
    let cells: Vec<Vec<String>> = rows.iter().map(Measured::cells).collect();
    terminal::print(&terminal::table(&columns, &cells))?;
    terminal::print("\none core; median, lowest and highest of 7 time slices")
}

fn bench_agents(args: &BenchArgs, names: &[GameName<'_>]) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for name in names {
        rows.extend(agents::measure(name, args.seconds)?);
    }
    if args.json {
        let list: Vec<Value> = rows.iter().map(AgentCost::to_json).collect();
        return terminal::print_json(&json!({ "format": 1, "agents": list }));
    }
    let cells: Vec<Vec<String>> = rows.iter().map(AgentCost::cells).collect();
    terminal::print(&terminal::table(&AgentCost::COLUMNS.map(str::to_owned), &cells))?;
    terminal::print("\none core; the agent at every seat; its decisions alone, not the rules")
}

struct Measured {
    game: String,
    line_up: String,
    /// Episodes per second of each slice, sorted.
    rates: Vec<f64>,
    decisions_per_episode: f64,
}

impl Measured {
    fn median(&self) -> f64 {
        self.rates[self.rates.len() / 2]
    }

    fn to_json(&self) -> Value {
        json!({
            "game": self.game, "line_up": self.line_up, "episodes_per_second": self.median(),
            "episodes_per_second_lowest": self.rates[0],
            "episodes_per_second_highest": self.rates[self.rates.len() - 1],
            "decisions_per_second": self.median() * self.decisions_per_episode,
            "decisions_per_episode": self.decisions_per_episode,
        })
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.game.clone(),
            self.line_up.clone(),
            format!("{:.0}", self.median()),
            format!("{:.0}", self.rates[0]),
            format!("{:.0}", self.rates[self.rates.len() - 1]),
            format!("{:.0}", self.median() * self.decisions_per_episode),
            format!("{:.1}", self.decisions_per_episode),
        ]
    }
}

fn measure(name: &GameName<'_>, seconds: f64) -> anyhow::Result<Measured> {
    let info = name.entry.info();
    let words: Vec<String> = info.demo.iter().map(|word| (*word).to_owned()).collect();
    let set_up = SetUp::new(name.entry, name.preset, &[], &words)?;
    let mut runner = set_up.game.runner(&set_up.line_up.players())?;
    let (mut next, mut decisions) = (0, 0);
    let mut rates = Vec::with_capacity(PIECES);
    // The first slice warms up and is discarded.
    for piece in 0..=PIECES {
        let (start, first) = (Instant::now(), next);
        let mut batch = 1;
        while start.elapsed().as_secs_f64() < seconds / PIECES as f64 {
            runner.run(1, Seating::Rotate, next..next + batch, &mut |report| {
                decisions += report.decisions;
                true
            });
            next += batch;
            // The clock is read rarely: a batch doubles the slice's episodes, up to 16,384 at once.
            batch = (next - first).clamp(1, 1 << 14);
        }
        if piece > 0 {
            rates.push((next - first) as f64 / start.elapsed().as_secs_f64());
        }
    }
    rates.sort_by(f64::total_cmp);
    let preset = name.preset.map_or(String::new(), |preset| format!("/{preset}"));
    Ok(Measured {
        game: format!("{}{preset}", info.id),
        line_up: info.demo.join(" "),
        rates,
        decisions_per_episode: decisions as f64 / next as f64,
    })
}
