//! The competition modes of the original of game17, by its rules and with its files.
//!
//! Everybody plays in the same games; a victory is a first place, shared or not. Whoever takes too long is
//! banned: earlier victories are erased. Equals in victories play a round robin, one game a pair, which splits
//! them by victories again; who is equal then stays equal.
//!
//! It works for any game that brings a tool `record` which exports replays in its original's format.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use meeple_core::ToolRequest;
use meeple_games::find_game;

use crate::bots::Bots;
use crate::error::ArenaError;
use crate::files::{file_name, write};
use crate::options::RunOptions;
use crate::plan::{Competitor, Plan};
use crate::results::write_results;
use crate::runner::{RunEnd, run};
use crate::schedule::Kind;
use crate::standings::Times;
use crate::store::{DATABASE, Store};

/// The tool of a game that writes its original's records.
pub(crate) const RECORD_TOOL: &str = "record";

/// The folder of a record of episodes that splits equals, by number; the first has none.
fn suffix(number: usize) -> String {
    if number == 0 { String::new() } else { format!("-{number}") }
}

/// Finishes a tournament by the original's rules: splits equals, and writes the original's files.
///
/// Returns the ranking: groups of competitors, best first. `None` if it was stopped before it was known.
///
/// # Errors
/// If a record cannot be read or a file cannot be written.
pub fn finish(
    plan: &Plan,
    store: &mut Store,
    bots: &mut Bots,
    directory: Option<&Path>,
    options: &mut RunOptions<'_>,
) -> Result<Option<Vec<Vec<usize>>>, ArenaError> {
    write_players(plan, directory)?;
    if plan.schedule.kind == Kind::VsZombies {
        return write_zombies(plan, store, directory).map(|()| None);
    }
    let (games, summary) = match plan.schedule.kind {
        Kind::RoundRobin => (GameNames::Pairs, "round-robin-summary.txt".to_owned()),
        _ => (GameNames::Numbers, "battle-royale-summary.txt".to_owned()),
    };
    let groups = by_victories(plan, store)?;
    write_games(plan, store, directory, games)?;
    write_text(directory, &summary, &victories_table(plan, &groups))?;
    if plan.schedule.kind == Kind::RoundRobin {
        write_text(directory, "round-robin.txt", &pairs_table(plan, store)?)?;
        write_text(directory, "ranks.txt", &ranks_table(plan, groups.iter().map(|group| &group.members)))?;
        return Ok(Some(groups.into_iter().map(|group| group.members).collect()));
    }
    let mut ranking = Vec::new();
    let mut number = 0;
    for group in groups {
        // The banned stay equal: who ran out of time again and again is not asked in even more games.
        if group.members.len() == 1 || group.victories.is_none() {
            ranking.push(group.members);
            continue;
        }
        match split(plan, &group.members, number, bots, directory, options)? {
            Some(split) => ranking.extend(split),
            None => return Ok(None),
        }
        number += 1;
    }
    write_text(directory, "ranks.txt", &ranks_table(plan, ranking.iter()))?;
    Ok(Some(ranking))
}

/// Competitors with as many victories.
struct Group {
    /// `None` for the banned.
    victories: Option<u64>,
    members: Vec<usize>,
}

/// Groups of equal victories, best first; the banned are the last. Games with a banned competitor in a round
/// robin count for nobody.
fn by_victories(plan: &Plan, store: &Store) -> Result<Vec<Group>, ArenaError> {
    let mut banned = vec![false; plan.competitors.len()];
    for (competitor, _, _) in store.bans()? {
        banned[usize::from(competitor)] = true;
    }
    let mut victories = vec![0u64; plan.competitors.len()];
    store.each(&mut |row| {
        let erased = plan.schedule.kind == Kind::RoundRobin
            && row.pairing.seats.iter().any(|own| banned[usize::from(*own)]);
        for (seat, own) in row.pairing.seats.iter().enumerate() {
            victories[usize::from(*own)] += u64::from(!erased && row.is_first(seat));
        }
        true
    })?;
    let key = |index: usize| if banned[index] { None } else { Some(victories[index]) };
    let mut order: Vec<usize> = (0..plan.competitors.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(key(*index)), *index));
    let groups = order.chunk_by(|a, b| key(*a) == key(*b));
    Ok(groups.map(|members| Group { victories: key(members[0]), members: members.to_vec() }).collect())
}

/// Plays the round robin of a group of equals.
fn split(
    plan: &Plan,
    members: &[usize],
    number: usize,
    bots: &mut Bots,
    directory: Option<&Path>,
    options: &mut RunOptions<'_>,
) -> Result<Option<Vec<Vec<usize>>>, ArenaError> {
    let mut own = plan.clone();
    own.competitors = members.iter().map(|index| plan.competitors[*index].clone()).collect();
    own.rating.anchor = 0;
    own.sprt = None;
    own.schedule.kind = Kind::RoundRobin;
    own.schedule.competitors = members.len() as u16;
    own.schedule.table = 2;
    own.schedule.deals = 1;
    own.schedule.block = 1;
    own.schedule.seed = plan.schedule.seed.child(number as u64);
    let folder = directory.map(|directory| directory.join(format!("round-robin{}", suffix(number))));
    let mut store = match &folder {
        Some(folder) if folder.join(DATABASE).exists() => Store::open(folder)?,
        Some(folder) => Store::create(folder, &own, "")?,
        None => Store::in_memory(&own, "")?,
    };
    let mut taken = bots.take(members);
    let end = run(&own, &mut store, &mut taken, options);
    bots.put_back(members, taken);
    if end? == RunEnd::Stopped {
        return Ok(None);
    }
    let groups = by_victories(&own, &store)?;
    write_games(&own, &mut store, directory, GameNames::Pairs)?;
    let suffix = suffix(number);
    write_text(directory, &format!("round-robin{suffix}.txt"), &pairs_table(&own, &store)?)?;
    write_text(directory, &format!("round-robin-summary{suffix}.txt"), &victories_table(&own, &groups))?;
    if let Some(folder) = &folder {
        write_results(&own, &store, Some(folder))?;
    }
    store.close()?;
    let groups = groups.into_iter().map(|group| group.members.iter().map(|index| members[*index]).collect());
    Ok(Some(groups.collect()))
}

/// How the files of games are called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GameNames {
    /// `battle-royale-<k>.json`.
    Numbers,
    /// `<a> vs <b>.json`.
    Pairs,
}

/// Writes every game in the original's format.
fn write_games(
    plan: &Plan,
    store: &mut Store,
    directory: Option<&Path>,
    names: GameNames,
) -> Result<(), ArenaError> {
    let Some(directory) = directory else { return Ok(()) };
    let entry = find_game(&plan.game)?;
    let mut pairings = Vec::new();
    store.each(&mut |row| {
        pairings.push(row.pairing);
        true
    })?;
    for pairing in pairings {
        let Some(replay) = store.replay(pairing.index)? else { continue };
        let name = match names {
            GameNames::Numbers => format!("battle-royale-{}.json", pairing.index),
            GameNames::Pairs => {
                let name = |seat: usize| file_name(&plan.competitors[usize::from(pairing.seats[seat])].name);
                format!("{} vs {}.json", name(0), name(1))
            }
        };
        let path = directory.join(name);
        if path.exists() {
            continue;
        }
        let text = replay.to_text();
        let arguments = ["export", "replay", "-o", "record"].map(str::to_owned);
        let output = entry.run_tool(
            RECORD_TOOL,
            plan.preset.as_deref(),
            &plan.set,
            ToolRequest { arguments: &arguments, seed: 0, read_file: &mut |_| Ok(text.clone()) },
        )?;
        for (_, content) in output.files {
            write(&path, content.as_bytes())?;
        }
    }
    Ok(())
}

fn write_text(directory: Option<&Path>, name: &str, text: &str) -> Result<(), ArenaError> {
    directory.map_or(Ok(()), |directory| write(&directory.join(name), text.as_bytes()))
}

/// `players.txt`: which file is which player.
fn write_players(plan: &Plan, directory: Option<&Path>) -> Result<(), ArenaError> {
    let line = |(index, competitor): (usize, &Competitor)| format!("{} is player {index}\n", competitor.run);
    write_text(directory, "players.txt", &plan.competitors.iter().enumerate().map(line).collect::<String>())
}

/// `vs-zombies.txt`: player, wins and the largest mean CPU time per turn in seconds, tab-separated.
fn write_zombies(plan: &Plan, store: &Store, directory: Option<&Path>) -> Result<(), ArenaError> {
    let mut wins = vec![0u64; plan.competitors.len()];
    store.each(&mut |row| {
        wins[usize::from(row.pairing.seats[0])] += u64::from(row.is_first(0));
        true
    })?;
    let times = Times::compute(plan, store)?;
    let mut text = "player\tnum_wins\tmax_time\n".to_owned();
    for ((competitor, wins), bot) in plan.competitors.iter().zip(wins).zip(&times.competitors) {
        let seconds = bot.slowest_episode_us.unwrap_or(0.0) / 1e6;
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}\t{wins}\t{seconds:.6}", competitor.name);
    }
    write_text(directory, "vs-zombies.txt", &text)
}

fn names_of(plan: &Plan, members: &[usize]) -> String {
    members.iter().map(|index| plan.competitors[*index].name.as_str()).collect::<Vec<_>>().join(", ")
}

fn victories_table(plan: &Plan, groups: &[Group]) -> String {
    let mut text = "victories  players\n".to_owned();
    for group in groups {
        let victories = group.victories.map_or("banned".to_owned(), |victories| victories.to_string());
        let _ = writeln!(text, "{victories:>9}  {}", names_of(plan, &group.members));
    }
    text
}

fn pairs_table(plan: &Plan, store: &Store) -> Result<String, ArenaError> {
    let mut text = "pair: winners\n".to_owned();
    store.each(&mut |row| {
        let members: Vec<usize> = row.pairing.seats.iter().map(|own| usize::from(*own)).collect();
        let first = (0..members.len()).filter(|seat| row.is_first(*seat)).map(|seat| members[seat]);
        let winners = names_of(plan, &first.collect::<Vec<_>>());
        let winners = if winners.is_empty() { "none (a zombie)".to_owned() } else { winners };
        let _ = writeln!(text, "{}: {winners}", names_of(plan, &members));
        true
    })?;
    Ok(text)
}

/// `ranks.txt`: rank from 0, and the numbers of the players that share it.
fn ranks_table<'a>(plan: &Plan, groups: impl Iterator<Item = &'a Vec<usize>>) -> String {
    let mut text = "rank  players\n".to_owned();
    for (rank, members) in groups.enumerate() {
        let numbers = members.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let _ = writeln!(text, "{rank:>4}  {numbers}  ({})", names_of(plan, members));
    }
    text
}

/// `players_that_failed_on_import.txt`: who could not be started, and why.
///
/// # Errors
/// If it cannot be written.
pub fn write_failed(directory: &Path, failed: &[(String, String)]) -> Result<(), ArenaError> {
    let line = |(run, reason): &(String, String)| format!("{run}\t{}\n", reason.replace('\n', "; "));
    write(
        &directory.join("players_that_failed_on_import.txt"),
        failed.iter().map(line).collect::<String>().as_bytes(),
    )
}

/// Whether the folder has tie-breaks that were not finished; they need their bots.
pub fn is_open(directory: &Path) -> bool {
    !fs::exists(directory.join("ranks.txt")).unwrap_or(false)
}
