//! `meeple bench --agents`: cost of a decision of each agent.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use meeple_core::{AgentSpec, AnyEpisode, EpisodeSeed, Phase, Seat};
use meeple_games::GameName;
use serde_json::{Value, json};

/// Cost of an agent's decisions, or the reason it cannot play here.
pub struct AgentCost {
    game: String,
    agent: String,
    measured: Result<Measured, String>,
}

struct Measured {
    seats: usize,
    decisions: u64,
    spent: Duration,
}

impl Measured {
    fn microseconds(&self) -> f64 {
        self.spent.as_secs_f64() * 1e6 / self.decisions as f64
    }
}

impl AgentCost {
    pub const COLUMNS: [&'static str; 5] = ["game", "agent", "µs a decision", "decisions", "seats"];

    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.game.clone(), self.agent.clone()];
        cells.extend(match &self.measured {
            Ok(measured) => [
                format!("{:.2}", measured.microseconds()),
                measured.decisions.to_string(),
                measured.seats.to_string(),
            ],
            Err(_) => ["cannot play here", "", ""].map(str::to_owned),
        });
        cells
    }

    pub fn to_json(&self) -> Value {
        let (game, agent) = (&self.game, &self.agent);
        match &self.measured {
            Ok(measured) => json!({
                "game": game, "agent": agent, "seats": measured.seats, "decisions": measured.decisions,
                "microseconds_per_decision": measured.microseconds(),
            }),
            Err(reason) => json!({ "game": game, "agent": agent, "cannot_play": reason }),
        }
    }
}

/// Seats of the largest table tried for an agent that cannot play at the demo's table.
const MAX_SMALL_TABLE_SEATS: usize = 4;

/// Measures every agent of a game for `seconds` seconds, at all seats of a table as large as that of the
/// game's demo. Agents that refuse that table are tried at small ones.
pub fn measure(name: &GameName<'_>, seconds: f64) -> anyhow::Result<Vec<AgentCost>> {
    let info = name.entry.info();
    let preset = name.preset.map_or(String::new(), |preset| format!("/{preset}"));
    let mut rows = Vec::new();
    for agent in name.entry.agents() {
        let mut refused = String::new();
        let mut found = None;
        let small = *info.seats.start()..=MAX_SMALL_TABLE_SEATS.min(*info.seats.end());
        for seats in std::iter::once(info.demo.len().max(*info.seats.start())).chain(small) {
            match table(name, agent.name, seats) {
                Ok(episode) => {
                    found = Some(episode);
                    break;
                }
                Err(reason) => refused = reason,
            }
        }
        let measured = match found {
            Some(episode) => Ok(play(episode, seconds)?),
            None => Err(refused),
        };
        rows.push(AgentCost { game: format!("{}{preset}", info.id), agent: agent.name.to_owned(), measured });
    }
    Ok(rows)
}

fn table(name: &GameName<'_>, agent: &str, named: usize) -> Result<Box<dyn AnyEpisode>, String> {
    let game = name.entry.set_up(name.preset, &[], named).map_err(|error| error.to_string())?;
    let mut episode = game.episode(EpisodeSeed::new(1, 0));
    let spec = AgentSpec::parse(agent);
    for seat in Seat::all(game.seats()) {
        episode.seat_agent(seat, &spec).map_err(|error| error.to_string())?;
    }
    episode.keep_no_events();
    Ok(episode)
}

/// Plays one episode after another. Only decisions are timed, less the cost of reading the clock. The first
/// decision at each seat is excluded, because the agent may compute tables in it.
fn play(mut episode: Box<dyn AnyEpisode>, seconds: f64) -> anyhow::Result<Measured> {
    let seats = episode.view().seats();
    let same: Vec<u16> = (0..seats as u16).collect();
    let mut warm = vec![false; seats];
    let (mut decisions, mut spent) = (0u64, Duration::ZERO);
    let clock = (0..1000).map(|_| Instant::now().elapsed()).min().unwrap_or_default();
    let mut began = Instant::now();
    for index in 1.. {
        loop {
            let due = match episode.view().phase() {
                Phase::Over => break,
                Phase::Chance => {
                    episode.step_chance();
                    continue;
                }
                Phase::Decide(due) => due,
            };
            for seat in due {
                let start = Instant::now();
                let action = episode.ask_agent(seat);
                let thought = start.elapsed().saturating_sub(clock);
                let action = action.ok_or_else(|| anyhow!("the agent of seat {seat} did not decide"))?;
                if std::mem::replace(&mut warm[seat.index()], true) {
                    spent += thought;
                    decisions += 1;
                } else {
                    began = Instant::now();
                }
                episode.act(seat, &action).map_err(|illegal| anyhow!("seat {seat}: {illegal}"))?;
            }
            if decisions > 0 && began.elapsed().as_secs_f64() >= seconds {
                return Ok(Measured { seats, decisions, spent });
            }
        }
        episode.restart(EpisodeSeed::new(1, index), &same);
    }
    unreachable!("there are more seeds than time")
}
