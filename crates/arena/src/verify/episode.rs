//! Verification of one episode by its replay.

use std::collections::VecDeque;

use meeple_bothost::{FaultRecord, Then};
use meeple_core::{AgentSpec, AnyEpisode, AnyGame, Phase, PlayerLabel, Replay, Seat, Viewer};
use serde_json::Value;

use super::conduct::Own;
use crate::plan::{Competitor, CompetitorKind, TournamentPlan};
use crate::row::{EpisodeEnding, PlayedEpisode};
use crate::table::{ban_events, player_names};

pub(super) fn compare(stored: &PlayedEpisode, again: &PlayedEpisode) -> Result<(), String> {
    let facts = |row: &PlayedEpisode| {
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

/// Replays an episode from its seed and compares everything along the way.
pub(super) fn check_replay(
    plan: &TournamentPlan,
    game: &dyn AnyGame,
    row: &PlayedEpisode,
    own: &Own,
    replay: &Replay,
) -> Result<(), String> {
    let expect = |what: &str, expected: String, found: String| {
        if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
    };
    let seed = plan.schedule.seed_of(row.pairing.group);
    expect("game of the replay", plan.game.clone(), replay.game.clone())?;
    expect("rules version", plan.rules_version.to_string(), replay.rules_version.to_string())?;
    // Replays of earlier releases lack later parameters.
    let variant =
        |stored: &Value| game.variant_of_stored(stored).unwrap_or_else(|| stored.clone()).to_string();
    expect("variant", variant(&plan.variant), variant(&replay.variant))?;
    expect("seed", format!("{:016x}", seed.bits()), replay.seed.clone().unwrap_or_default())?;
    let players: Vec<PlayerLabel> =
        player_names(plan, game, &row.pairing).into_iter().map(PlayerLabel::from).collect();
    let listed =
        |players: &[PlayerLabel]| players.iter().map(PlayerLabel::to_string).collect::<Vec<_>>().join(", ");
    expect("players", listed(&players), listed(&replay.players))?;

    let mut episode = game.episode(seed);
    let mut outside = Vec::with_capacity(game.seats());
    for seat in 0..game.seats() {
        let (agent, player) = who(plan, game, row, own, seat);
        if let Some(agent) = agent {
            episode.seat_agent(Seat::new(seat), &agent).map_err(|error| error.to_string())?;
        }
        outside.push(player);
    }
    check_early_faults(own, replay)?;
    // Most episodes have no faults, and need not know when questions were asked.
    let has_faults = own.faults.iter().any(|fault| fault.turn.is_some());
    let mut decisions = 0;
    for (number, text) in replay.steps.iter().enumerate() {
        let wrong = |reason: String| format!("step {} ('{text}'): {reason}", number + 1);
        if has_faults && let Phase::Decide(owing) = episode.phase() {
            for (seat, player) in Seat::all(game.seats()).zip(&mut outside) {
                if let Some(player) = player.as_mut().filter(|_| owing.contains(seat)) {
                    player.asked_at.get_or_insert(number);
                }
            }
        }
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
        // A native agent decides the same again; a bot's seat has no agent to ask.
        if let Some(decided) = episode.ask_agent(seat)
            && decided != action
        {
            return Err(wrong(format!("the agent at seat {seat} decides '{decided}'")));
        }
        if let Some(player) = &mut outside[seat.index()] {
            player.decides(&*episode, seat, action).map_err(wrong)?;
        }
        episode.act(seat, action).map_err(|illegal| wrong(illegal.reason))?;
        decisions += 1;
    }
    for (seat, player) in outside.iter().enumerate() {
        if let Some(player) = player {
            player.check_end(seat, own)?;
        }
    }
    let outcome = episode.outcome().ok_or("the replay stops before the end")?;
    // Forfeits have been compared with the faults before.
    let ending = EpisodeEnding {
        outcome: &outcome,
        forfeits: row.forfeits.clone(),
        length: episode.length(),
        decisions,
    };
    let again = PlayedEpisode::new(row.pairing.clone(), ending, plan.placement());
    compare(row, &again)?;
    let mut again = episode.replay(&players, Some(seed));
    again.faults = ban_events(plan, game, &own.banned);
    again.faults.extend(own.faults.iter().map(FaultRecord::in_replay));
    // The variant was compared above, as stored replays may lack later parameters.
    again.variant.clone_from(&replay.variant);
    match difference(replay, &again) {
        None => Ok(()),
        Some(reason) => Err(reason),
    }
}

/// The first difference between a stored replay and a fresh one of the same episode.
fn difference(stored: &Replay, again: &Replay) -> Option<String> {
    let json = |replay| serde_json::to_value(replay).expect("a replay is plain data");
    let (stored, again) = (json(stored), json(again));
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
    };
    let key =
        [keys(&again), keys(&stored)].concat().into_iter().find(|key| stored.get(key) != again.get(key))?;
    let shown = |value: &serde_json::Value| value.get(&key).map_or("none".to_owned(), ToString::to_string);
    Some(format!("{key} of the replay: expected {}, found {}", shown(&again), shown(&stored)))
}

/// Checks that faults without a question, such as a failed start, come before the first decision.
fn check_early_faults(own: &Own, replay: &Replay) -> Result<(), String> {
    let opening = replay.steps.iter().take_while(|step| step.starts_with("c ")).count();
    match own.faults.iter().find(|fault| fault.turn.is_none() && fault.step > opening) {
        None => Ok(()),
        Some(fault) => Err(format!(
            "a fault of seat {} before its first question: expected it after at most {opening} steps, found {}",
            fault.seat, fault.step
        )),
    }
}

fn who(
    plan: &TournamentPlan,
    game: &dyn AnyGame,
    row: &PlayedEpisode,
    own: &Own,
    seat: usize,
) -> (Option<AgentSpec>, Option<Outside>) {
    let filler = game.info().filler.map(AgentSpec::parse);
    let Some(competitor) = row.pairing.seats.get(seat) else {
        return (Some(filler.unwrap_or_else(|| AgentSpec::parse("random"))), None);
    };
    let competitor: &Competitor = &plan.competitors[usize::from(*competitor)];
    if competitor.kind == CompetitorKind::Native {
        return (competitor.agent(), None);
    }
    let absent = own.banned.contains(&seat);
    let faults = own.faults.iter().filter(|fault| fault.seat.index() == seat).cloned().collect();
    match filler.filter(|_| absent) {
        Some(filler) => (Some(filler), None),
        None => (None, Some(Outside { faults, asked: 0, asked_at: None, fallbacks: 0, out: absent, absent })),
    }
}

/// An external player: any legal action is accepted, but the consequences of faults are checked.
struct Outside {
    /// The faults still to come.
    faults: VecDeque<FaultRecord>,
    asked: u64,
    /// Number of steps before the open question; `None` without one, and in episodes without faults.
    asked_at: Option<usize>,
    fallbacks: u64,
    /// True once the fallback plays for the rest of the episode.
    out: bool,
    /// True if the player was banned before the episode.
    absent: bool,
}

impl Outside {
    /// Checks an action of the seat before it is taken.
    fn decides(&mut self, episode: &dyn AnyEpisode, seat: Seat, action: &str) -> Result<(), String> {
        // Faults before the first question are due with it.
        let due = self.faults.front().is_some_and(|fault| fault.turn.unwrap_or(0) == self.asked);
        let asked_at = self.asked_at.take();
        if !self.out && !due {
            self.asked += 1;
            return Ok(());
        }
        if !self.out {
            let fault = self.faults.pop_front().expect("one is due");
            if let Some(turn) = fault.turn {
                self.asked += 1;
                if fault.observation != Some(episode.observation(Viewer::Seat(seat))) {
                    return Err(format!("the fault of seat {seat} here is stored with another observation"));
                }
                // Other seats that decide at the same time may do so between the question and the fault.
                let (first, last) = (asked_at.unwrap_or(episode.steps()), episode.steps());
                if !(first..=last).contains(&fault.step) {
                    return Err(format!(
                        "a fault at question {turn} of seat {seat}: expected it after {first} to {last} steps, found {}",
                        fault.step
                    ));
                }
            }
            self.out = fault.then == Then::Out;
        }
        self.fallbacks += 1;
        let fallback = episode.fallback_action(seat);
        if fallback == action {
            return Ok(());
        }
        Err(format!("after a fault of seat {seat} the fallback is '{fallback}'"))
    }

    fn check_end(&self, seat: usize, own: &Own) -> Result<(), String> {
        // Faults without a turn, such as a failed start, need no question, but come before all others.
        if let Some(fault) = self.faults.iter().find(|fault| fault.turn.is_some() || self.asked > 0) {
            let turn = fault.turn.unwrap_or_default();
            return Err(format!("a fault at question {turn} of seat {seat}, which was not asked"));
        }
        if self.absent {
            return Ok(());
        }
        let Some(time) = own.times.iter().find(|time| usize::from(time.seat) == seat) else {
            return Err(format!("expected times of seat {seat}, found none"));
        };
        if (time.asked, time.fallbacks) == (self.asked, self.fallbacks) {
            return Ok(());
        }
        Err(format!(
            "seat {seat}: stored {} questions and {} fallbacks, found {} and {}",
            time.asked, time.fallbacks, self.asked, self.fallbacks
        ))
    }
}
