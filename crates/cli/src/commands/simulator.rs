//! `meeple match --adapter`: compatibility with the match simulator of an original.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use meeple_arena::{RecordStore, ReplayRetention, Request, SIMULATOR_OUTPUT as OUTPUT, TournamentPlan};
use meeple_bothost::{BotSpec, ClockBasis, Fault, OnFault};
use meeple_core::{MatchSimulator, NoHost, ToolRequest};
use meeple_games::{adapters, find_game, parse_game};
use serde_json::Value;

use crate::args::{ArenaArgs, Simulator};
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::terminal;

/// Refuses words like `3:./bot.py`, which only a match simulator accepts.
pub fn refuse_copies(game: &str, words: &[String]) -> anyhow::Result<()> {
    let is_copies = |word: &str| {
        word.split_once(':').is_some_and(|(count, run)| {
            !count.is_empty()
                && count.chars().all(|c| c.is_ascii_digit())
                && BotSpec::looks_like_bot(run, adapters())
        })
    };
    let Some(word) = words.iter().find(|word| is_copies(word)) else { return Ok(()) };
    let entry = parse_game(game)?.entry;
    let simulator = entry.adapters().iter().find(|adapter| adapter.simulator.is_some());
    let hint = match simulator {
        Some(adapter) => {
            format!("COUNT:PATH is for --adapter {}, the match simulator of the original", adapter.id)
        }
        None => "name each copy, as in first=./bot.py second=./bot.py".to_owned(),
    };
    Err(usage(format!("expected a bot or an agent, found '{word}'\nhint: {hint}")))
}

/// Translates a line-up in the simulator's words: `COUNT:PATH` means that number of copies, and every file is
/// a bot of the simulator's interface. Bots of equal names are numbered, within and across words.
pub fn bots(simulator: Simulator, words: &[String]) -> anyhow::Result<Vec<String>> {
    let prefix = simulator.adapter.prefix.map_or(String::new(), |prefix| format!("{prefix}:"));
    let mut named = Vec::new();
    for word in words {
        let (count, run) = match word.split_once(':') {
            Some((count, run)) if !count.is_empty() && count.chars().all(|c| c.is_ascii_digit()) => {
                let count = count.parse::<usize>().ok().filter(|count| (1..=100).contains(count));
                let count = count.ok_or_else(|| {
                    usage(format!(
                        "expected 1 to 100 copies as in 3:./bot.py, found '{word}'\nhint: leave out bots \
                         that should not play"
                    ))
                })?;
                (count, run)
            }
            _ => (1, word.as_str()),
        };
        let (given, run) = match run.split_once('=') {
            Some((name, run)) if !name.contains([':', '/']) => (Some(name), run),
            _ => (None, run),
        };
        let plain = BotSpec::looks_like_bot(run, adapters()) && !run.starts_with("cmd:");
        let run = if plain && !run.starts_with(&prefix) { format!("{prefix}{run}") } else { run.to_owned() };
        let name = match given {
            Some(name) => name.to_owned(),
            None if plain => BotSpec::parse(&run, adapters())?.name,
            None => run.replace([':', '/', '='], " "),
        };
        let alone = given.map_or_else(|| run.clone(), |name| format!("{name}={run}"));
        named.extend(std::iter::repeat_n(Named { name, run, alone }, count));
    }
    let numbered = named.iter().enumerate().map(|(at, bot)| {
        let same = |list: &[Named]| list.iter().filter(|other| other.name == bot.name).count();
        if same(&named) == 1 {
            bot.alone.clone()
        } else {
            format!("{}-{}={}", bot.name, same(&named[..at]), bot.run)
        }
    });
    Ok(numbered.collect())
}

/// One bot of a line-up.
#[derive(Clone)]
struct Named {
    name: String,
    run: String,
    /// The word for this bot if no other bot has its name.
    alone: String,
}

/// Applies the original's limits, unless flags override them, and its consequence of faults.
pub fn apply(simulator: Simulator, args: &ArenaArgs, request: &mut Request) {
    let limits = simulator.data;
    let faults = &mut request.faults;
    let clock = &mut faults.clock;
    clock.basis = ClockBasis::Wall;
    clock.start_ms = limits.start_wall_ms;
    clock.bank_ms = args.bank_ms.unwrap_or(limits.game_wall_ms);
    clock.start_in_bank = true;
    clock.increment_ms = args.increment_ms.unwrap_or(0);
    clock.move_ms = Some(args.move_ms.unwrap_or(limits.move_wall_ms)).filter(|ms| *ms > 0);
    faults.on_fault = args.on_fault.unwrap_or(OnFault::Forfeit);
    // The simulator's files are made from replays, so all replays are kept.
    request.replays.get_or_insert(ReplayRetention::All);
}

struct Ban {
    seat: u64,
    step: u64,
    kind: String,
    reason: String,
}

/// Writes the simulator's output files, in a numbered folder for each episode with a replay. Prints their
/// location, or a warning if there are none.
pub fn write_files(
    simulator: Simulator,
    plan: &TournamentPlan,
    store: &mut RecordStore,
    directory: &Path,
) -> anyhow::Result<()> {
    let MatchSimulator { tool, bans: kinds, .. } = simulator.data;
    let entry = find_game(&plan.game)?;
    let mut bans = BTreeMap::new();
    if plan.faults.on_fault == OnFault::Forfeit {
        store.each_fault(&mut |episode, _, code, record| {
            let record: Value = serde_json::from_str(record).unwrap_or_default();
            let fault = serde_json::from_value::<Fault>(record["fault"].clone());
            let reason = fault.map_or_else(|_| code.to_owned(), |fault| fault.reason());
            let number = |what: &str| record[what].as_u64().unwrap_or_default();
            let kind = kinds.iter().find(|(own, _)| *own == code).map_or(code, |(_, kind)| kind).to_owned();
            let ban = Ban { seat: number("seat"), step: number("step"), kind, reason };
            bans.entry(episode).or_insert(ban);
        })?;
    }
    let mut written = 0;
    for episode in 0..store.next() {
        let Some(replay) = store.replay(episode)? else { continue };
        let text = replay.to_text();
        let mut arguments = vec!["export".to_owned(), "replay".to_owned(), "-o".to_owned(), ".".to_owned()];
        if let Some(Ban { seat, step, kind, reason }) = bans.remove(&episode) {
            arguments.extend(["--ban".to_owned(), seat.to_string(), step.to_string(), kind, reason]);
        }
        let request = ToolRequest {
            arguments: &arguments,
            seed: 0,
            read_file: &mut |_| Ok(text.clone()),
            tell: &mut |_| {},
            host: &NoHost,
        };
        let output = entry.run_tool(tool, plan.preset.as_deref(), &plan.set, request)?;
        let folder = directory.join(OUTPUT).join(episode.to_string());
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for (name, content) in output.files {
            let path = folder.join(name.trim_start_matches("./"));
            write_atomically(&path, content.as_bytes())?;
        }
        written += 1;
    }
    let shown = directory.join(OUTPUT);
    terminal::tell(match (written, store.next()) {
        (0, _) => {
            "warning: no files of the match simulator, because no replay was kept (hint: --replays all)"
                .into()
        }
        (some, all) if some < all => {
            format!("meeple: wrote {}, for {some} of {all} episodes (hint: --replays all)", shown.display())
        }
        _ => format!("meeple: wrote {}", shown.display()),
    });
    Ok(())
}

pub fn check(simulator: Simulator, game: &str) -> anyhow::Result<()> {
    let (entry, id) = (parse_game(game)?.entry, simulator.adapter.id);
    if entry.adapters().iter().all(|adapter| adapter.id != id) {
        bail!(usage(format!(
            "--adapter {id}: {} has no such interface\nhint: leave out --adapter",
            entry.info().id
        )));
    }
    Ok(())
}
