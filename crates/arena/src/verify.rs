//! Proving a tournament: every episode again, and the standings from the episodes.

use std::path::Path;

use meeple_core::{AnyGame, Phase, Replay, Seat};
use meeple_lab::{Progress, StopFlag};
use serde::Serialize;

use crate::ArenaError;
use crate::plan::{Competitor, Plan};
use crate::results::STANDINGS;
use crate::row::EpisodeRow;
use crate::runner::NativeTable;
use crate::standings::Standings;
use crate::store::Store;

/// What was proved.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verification {
    /// Episodes in the record.
    pub episodes: u64,
    /// Episodes proved by their replay: every chance outcome is what the seed gives, every action legal, every
    /// agent of ours decides the same again, and the result is the stored one.
    pub by_replay: u64,
    /// Episodes without replay that were played again from their seed.
    pub by_seed: u64,
    /// Episodes with bots whose replay was not kept: nothing can be proved about them.
    pub unproved: u64,
    /// What is wrong; the first ones of many.
    pub problems: Vec<String>,
    /// Number of all problems.
    pub problem_count: u64,
    /// The standings.
    pub standings: StandingsCheck,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

/// What the stored standings are against those that follow from the episodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandingsCheck {
    /// The same, byte for byte.
    Same,
    /// Others.
    Differ,
    /// There are none yet: the tournament was broken off.
    #[default]
    Missing,
}

/// Episodes that are read at once.
const SLICE: u64 = 512;

/// Problems that are told one by one.
pub const MOST_PROBLEMS: usize = 20;

impl Verification {
    /// Whether everything that is stored was proved.
    pub fn is_proved(&self) -> bool {
        self.problem_count == 0
            && self.unproved == 0
            && !self.stopped
            && self.standings != StandingsCheck::Differ
    }

    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }
}

/// Proves the tournament in a directory.
///
/// # Errors
/// If its record cannot be read. What is wrong inside is in the result.
pub fn verify(
    directory: &Path,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<Verification, ArenaError> {
    let mut store = Store::open_read_only(directory)?;
    let plan = store.plan()?;
    let game = plan.set_up()?;
    let mut found = Verification { episodes: store.next(), ..Verification::default() };
    if game.variant() != plan.variant {
        found.problem(format!("the plan: expected the variant {}, found {}", game.variant(), plan.variant));
    }
    let mut natives = NativeTable::new(&plan, &*game);
    // A slice at a time: a long tournament does not fit into memory.
    let mut rows: Vec<EpisodeRow> = Vec::new();
    for done in 0..found.episodes {
        if done % SLICE == 0 {
            progress.update(done, found.episodes, "");
            rows.clear();
            store.each_of(done..done + SLICE, |row| {
                rows.push(row);
                true
            })?;
        }
        if stop.is_stopped() {
            found.stopped = true;
            break;
        }
        let row = &rows[(done % SLICE) as usize];
        let index = row.pairing.index;
        let planned = plan.schedule.pairing(index);
        if planned != row.pairing {
            found.problem(format!("episode {index}: expected {planned:?}, found {:?}", row.pairing));
            continue;
        }
        let replay = match store.replay(index) {
            Ok(replay) => replay,
            Err(error) => {
                found.problem(error.to_string());
                continue;
            }
        };
        let checked = match &replay {
            Some(replay) => {
                found.by_replay += 1;
                check_replay(&plan, &*game, row, replay)
            }
            None if plan.is_native() => {
                found.by_seed += 1;
                let again = natives.play_unrecorded(planned)?;
                compare(row, &again)
            }
            None => {
                found.unproved += 1;
                Ok(())
            }
        };
        if let Err(reason) = checked {
            found.problem(format!("episode {index}: {reason}"));
        }
    }
    progress.update(found.episodes, found.episodes, "");
    found.standings = match std::fs::read_to_string(directory.join(STANDINGS)) {
        Ok(text) if text == Standings::compute(&plan, &store)?.to_json() => StandingsCheck::Same,
        Ok(_) => StandingsCheck::Differ,
        Err(_) => StandingsCheck::Missing,
    };
    Ok(found)
}

fn compare(stored: &EpisodeRow, again: &EpisodeRow) -> Result<(), String> {
    let facts = |row: &EpisodeRow| {
        format!(
            "scores {:?}, places {:?} ({} first), end {}, length {}, decisions {}",
            row.scores, row.places, row.winners, row.end, row.length, row.decisions
        )
    };
    if facts(stored) == facts(again) && stored.forfeits == again.forfeits {
        return Ok(());
    }
    Err(format!("stored {}, but playing it again gives {}", facts(stored), facts(again)))
}

/// Plays a replay from its seed and compares everything on the way.
fn check_replay(plan: &Plan, game: &dyn AnyGame, row: &EpisodeRow, replay: &Replay) -> Result<(), String> {
    let expect = |what: &str, expected: String, found: String| {
        if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
    };
    let seed = plan.schedule.seed_of(row.pairing.group);
    expect("game of the replay", plan.game.clone(), replay.game.clone())?;
    expect("rules version", plan.rules_version.to_string(), replay.rules_version.to_string())?;
    expect("variant", plan.variant.to_string(), replay.variant.to_string())?;
    expect("seed", format!("{:016x}", seed.bits()), replay.seed.clone().unwrap_or_default())?;
    let named: Vec<&str> =
        row.pairing.seats.iter().map(|own| plan.competitors[usize::from(*own)].name.as_str()).collect();
    let players: Vec<&str> = replay.players.iter().take(named.len()).map(String::as_str).collect();
    expect("players", named.join(", "), players.join(", "))?;
    expect("seats", game.seats().to_string(), replay.players.len().to_string())?;

    let mut episode = game.episode(seed);
    for (seat, own) in row.pairing.seats.iter().enumerate() {
        if let Some(agent) = Competitor::agent(&plan.competitors[usize::from(*own)]) {
            episode.seat_agent(Seat::new(seat), &agent).map_err(|error| error.to_string())?;
        }
    }
    let mut decisions = 0;
    for (number, text) in replay.steps.iter().enumerate() {
        let wrong = |reason: String| format!("step {} ('{text}'): {reason}", number + 1);
        if text.starts_with("c ") {
            if episode.phase() != Phase::Chance {
                return Err(wrong("chance does not draw here".into()));
            }
            episode.step_chance();
            let drawn = episode.step_text(episode.steps() - 1);
            if drawn != *text {
                return Err(wrong(format!("the seed gives '{drawn}'")));
            }
            continue;
        }
        let (seat, action) = text.split_once(' ').unwrap_or((text, ""));
        let seat = seat.parse::<usize>().ok().filter(|seat| *seat < game.seats());
        let seat = Seat::new(seat.ok_or_else(|| wrong("expected a seat".into()))?);
        // An agent of ours decides the same again; for a seat of a bot there is none to ask.
        if let Some(decided) = episode.ask_agent(seat)
            && decided != action
        {
            return Err(wrong(format!("the agent at seat {seat} decides '{decided}'")));
        }
        episode.act(seat, action).map_err(|illegal| wrong(illegal.reason))?;
        decisions += 1;
    }
    let outcome = episode.outcome().ok_or("the replay stops before the end")?;
    let named = row.pairing.seats.len();
    let again = EpisodeRow {
        scores: outcome.scores[..named].to_vec(),
        places: outcome.places[..named].to_vec(),
        winners: outcome.winners() as u32,
        end: outcome.end,
        length: episode.length(),
        decisions,
        ..row.clone()
    };
    compare(row, &again)
}
