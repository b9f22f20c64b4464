//! Golden playthroughs: one episode per preset, recorded step by step, to reveal every change of a rule, an
//! agent, an event or an observation.
//!
//! A playthrough is a text file `PRESET.txt`. A header (game, rules version, preset, variant, players, seed)
//! is followed by every step:
//!
//! ```text
//! step 7: seats 0, 2 decide
//!   public sees turn 3; tents [0,0,14]     what has changed in the observation, by path in its JSON
//!   0, 2 sees decided "stay"               the same of what seats see otherwise than the public
//!   > 0 stay                               what happened: `c OUTCOME` for chance, `SEAT ACTION` for a seat
//!   ! [all] … {"event": …}                 events as text and JSON, with who may see them
//!   = 3 0 5                                scores, when they changed
//! ```
//!
//! Observations are recorded before the step, for the public and for the seats that owe a decision. Before a
//! chance draw they are recorded for all seats, at large tables for the first eight. Changes that exceed a
//! page, and late steps, are recorded only as a fingerprint.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use meeple_core::{
    AgentInfo, AgentSpec, Audience, Defined, Definition, Episode, EpisodeSeed, Params, Phase, Playable,
    Preset, Seat,
};

use crate::digest::Digest;
use crate::golden::{Mode, hold_golden};
use crate::laws::{agents_with, build, demo, preset_variant, usual_seats};
use crate::seen::Seen;

/// Maximum number of steps recorded in full.
const IN_FULL: usize = 200;
/// Maximum number of recorded steps. Steps after [`IN_FULL`] share one fingerprint; steps beyond the maximum
/// affect only the end result.
const MAX_STEPS: usize = 1_500;

/// Compares the golden playthrough of every preset of `G` in the folder `folder` with a new one.
///
/// ```no_run
/// # use meeple_testkit::toys::Hands as MyGame;
/// #[test]
/// fn playthroughs() {
///     meeple_testkit::playthroughs::<MyGame>(concat!(env!("CARGO_MANIFEST_DIR"), "/playthroughs"));
/// }
/// ```
///
/// # Panics
/// If a playthrough is missing, differs, or belongs to no preset.
pub fn playthroughs<G: Defined>(folder: impl AsRef<Path>) {
    playthroughs_with::<G>(folder, Vec::new());
}

/// As [`playthroughs`], with additional agents for the demo line-up.
///
/// # Panics
/// As [`playthroughs`].
pub fn playthroughs_with<G: Defined>(folder: impl AsRef<Path>, agents: Vec<AgentInfo<G>>) {
    let definition = G::definition();
    let presets = definition.info.presets;
    hold(check_playthroughs(&definition, folder.as_ref(), presets, &agents, Mode::from_environment()));
}

/// As [`playthroughs`], also for these named settings that are no presets of the game.
///
/// # Panics
/// As [`playthroughs`].
pub fn playthroughs_also<G: Defined>(folder: impl AsRef<Path>, settings: &[Preset]) {
    let definition = G::definition();
    let presets = [definition.info.presets, settings].concat();
    hold(check_playthroughs(&definition, folder.as_ref(), &presets, &[], Mode::from_environment()));
}

#[track_caller]
fn hold(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Differences of the playthroughs of these presets in `folder`, one text per file.
pub fn check_playthroughs<G: Playable>(
    definition: &Definition<G>,
    folder: &Path,
    presets: &[Preset],
    agents: &[AgentInfo<G>],
    mode: Mode,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for preset in presets {
        let path = folder.join(format!("{}.txt", preset.name));
        let held = playthrough(definition, preset, agents, 1)
            .and_then(|fresh| hold_golden(&path, &fresh, definition.info.id, mode));
        wrong.extend(held.err());
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let preset = name.strip_suffix(".txt");
        if !preset.is_some_and(|name| presets.iter().any(|preset| preset.name == name)) {
            wrong.push(format!("{} is the playthrough of no preset", entry.path().display()));
        }
    }
    wrong
}

/// Plays the demo line-up of a preset (random players if it does not fit) and records every step.
///
/// # Errors
/// If the preset cannot be set up or an agent fails.
pub fn playthrough<G: Playable>(
    definition: &Definition<G>,
    preset: &Preset,
    extra: &[AgentInfo<G>],
    seed: u64,
) -> Result<String, String> {
    let info = definition.info;
    let variant = preset_variant(definition, preset);
    let seats = usual_seats(definition, &variant);
    let game =
        Arc::new(definition.set_up(variant, seats).map_err(|error| format!("{}: {error}", preset.name))?);
    let line_up = demo(info, seats).unwrap_or_else(|| vec![AgentSpec::parse("random"); seats]);
    let known = agents_with(definition, extra.iter().cloned());
    let mut agents = build(&*game, &known, &line_up).map_err(|fault| fault.what)?;
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(seed, 0));
    for (agent, seat) in agents.iter_mut().zip(Seat::all(seats)) {
        agent.begin_episode(&game, seat);
    }

    let mut text = String::new();
    let names: Vec<String> = line_up.iter().map(AgentSpec::to_string).collect();
    let _ = writeln!(text, "# a golden playthrough; written by `cargo xtask bless {}`", info.id);
    let _ = writeln!(text, "game {} rules {}", info.id, info.rules_version);
    let _ = writeln!(text, "preset {}", preset.name);
    let _ = writeln!(text, "variant {}", game.variant().to_json());
    let _ = writeln!(text, "players {}", shortened(&names));
    let _ = writeln!(text, "seed {seed}");

    let mut scores = vec![0; seats];
    let mut seen = Seen::default();
    let mut rest = Digest::new();
    loop {
        let owing: Vec<Seat> = match episode.phase() {
            Phase::Over => break,
            Phase::Chance => Vec::new(),
            Phase::Decide(seats) => seats.collect(),
        };
        let is_recorded = episode.steps().len() < MAX_STEPS;
        let mut step = String::new();
        if is_recorded {
            head(&mut step, &episode, &owing, &mut seen);
        }
        // Simultaneous decisions form one entry: no seat sees another's.
        let (steps, events) = (episode.steps().len(), episode.events().len());
        if owing.is_empty() {
            episode.step_chance();
        }
        for seat in owing {
            let action = episode.ask(seat, agents[seat.index()].as_mut());
            episode
                .act(seat, &action)
                .map_err(|illegal| format!("'{}' at seat {seat}: {illegal}", names[seat.index()]))?;
        }
        if is_recorded {
            body(&mut step, &episode, steps, events, &mut scores);
            if steps < IN_FULL { text.push_str(&step) } else { rest.add(&step) }
        }
    }
    if rest != Digest::new() {
        let _ = writeln!(text, "\nsteps after {IN_FULL}, up to {MAX_STEPS}: {}", rest.short());
    }
    end(&mut text, &episode);
    Ok(text)
}

/// Names, with repetitions at large tables counted.
fn shortened(names: &[String]) -> String {
    let mut parts: Vec<(String, usize)> = Vec::new();
    for name in names {
        match parts.last_mut() {
            Some((last, count)) if last == name => *count += 1,
            _ => parts.push((name.clone(), 1)),
        }
    }
    let part = |(name, count): &(String, usize)| {
        if *count > 3 { format!("{name} x{count}") } else { vec![name.clone(); *count].join(" ") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" ")
}

fn head<G: Playable>(text: &mut String, episode: &Episode<G>, owing: &[Seat], seen: &mut Seen) {
    let number = episode.steps().len() + 1;
    let list = |seats: &[Seat]| seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(", ");
    let _ = match owing {
        [] => writeln!(text, "\nstep {number}: chance draws"),
        [seat] => writeln!(text, "\nstep {number}: seat {seat} decides"),
        seats => writeln!(text, "\nstep {number}: seats {} decide", list(seats)),
    };
    let all: Vec<Seat> = Seat::all(episode.game().seats()).collect();
    seen.tell(text, episode, if owing.is_empty() { &all } else { owing });
}

fn body<G: Playable>(
    text: &mut String,
    episode: &Episode<G>,
    steps: usize,
    events: usize,
    scores: &mut Vec<i64>,
) {
    for step in &episode.steps()[steps..] {
        let _ = writeln!(text, "  > {step}");
    }
    for (audience, event) in &episode.events().entries()[events..] {
        let who = match audience {
            Audience::All => "all".to_owned(),
            Audience::Seats(seats) => seats.map(|seat| seat.to_string()).collect::<Vec<_>>().join(", "),
        };
        let json = serde_json::to_string(event).expect("events serialise: a law checks it");
        let _ = writeln!(text, "  ! [{who}] {event} {json}");
    }
    let now: Vec<i64> =
        Seat::all(episode.game().seats()).map(|seat| episode.game().score(episode.state(), seat)).collect();
    if now != *scores {
        let _ = writeln!(text, "  = {}", now.iter().map(i64::to_string).collect::<Vec<_>>().join(" "));
        *scores = now;
    }
}

fn end<G: Playable>(text: &mut String, episode: &Episode<G>) {
    let info = episode.game().info();
    let outcome = episode.outcome().unwrap_or_default();
    let state = serde_json::to_string(episode.state()).expect("states serialise: a law checks it");
    let mut figures = meeple_core::FigureSheet::default();
    episode.game().figures(episode.state(), &mut figures);
    let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let places: Vec<String> = outcome.places.iter().map(u32::to_string).collect();
    let scores: Vec<String> = outcome.scores.iter().map(i64::to_string).collect();
    let _ = writeln!(text, "\nend {} after {} steps", info.ends[outcome.end], episode.steps().len());
    let _ = writeln!(text, "  scores {}", scores.join(" "));
    let _ = writeln!(text, "  places {}", places.join(" "));
    let _ = writeln!(text, "  length {} {}", episode.length(), info.length_unit);
    let _ = writeln!(text, "  figures {}", list(figures.episode_values()));
    let _ = writeln!(text, "  figures by seat {}", list(figures.seat_values()));
    let _ = writeln!(text, "  state {}", Digest::of(&state).short());
}
