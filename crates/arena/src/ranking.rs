//! Finishing a tournament by the rules of a `Competition`: equals are split, and its files are written.
//!
//! A victory is a first place, shared or not; a ban erases earlier ones. Equals in victories play a tournament of their
//! own, which splits them by victories again; who is equal then stays equal.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use meeple_core::ToolRequest;
use meeple_games::find_game;

use crate::bots::Bots;
use crate::competition::{Competition, Record, filled};
use crate::error::ArenaError;
use crate::files::{file_name, write};
use crate::options::RunOptions;
use crate::plan::{Competitor, Plan};
use crate::results::write_results;
use crate::runner::{RunEnd, run};
use crate::schedule::Kind;
use crate::standings::Times;
use crate::store::{DATABASE, Store};

/// Finishes a tournament by the rules of its competition: splits equals, and writes the competition's files.
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
    let Competition { ties, files, .. } = Competition::original();
    write_players(plan, directory)?;
    if plan.schedule.kind == Kind::Alone {
        return write_alone(plan, store, directory).map(|()| None);
    }
    if plan.schedule.kind == ties.schedule {
        let groups = finish_ties(plan, store, directory, "")?;
        write_text(directory, &files.ranks, &ranks_table(plan, &groups))?;
        return Ok(Some(groups));
    }
    let groups = by_victories(plan, store)?;
    write_records(plan, store, directory, &files.record)?;
    write_text(directory, &files.summary, &victories_table(plan, &groups))?;
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
    write_text(directory, &files.ranks, &ranks_table(plan, &ranking))?;
    Ok(Some(ranking))
}

/// Ranks and tells a tournament of those that split equals.
fn finish_ties(
    plan: &Plan,
    store: &mut Store,
    directory: Option<&Path>,
    part: &str,
) -> Result<Vec<Vec<usize>>, ArenaError> {
    let files = &Competition::original().files;
    let named = |name: &str| filled(name, &[("{part}", part)]);
    let groups = by_victories(plan, store)?;
    write_records(plan, store, directory, &files.tie_record)?;
    write_text(directory, &named(&files.tie_winners), &winners_table(plan, store)?)?;
    write_text(directory, &named(&files.tie_summary), &victories_table(plan, &groups))?;
    Ok(groups.into_iter().map(|group| group.members).collect())
}

/// Competitors with as many victories.
struct Group {
    /// `None` for the banned.
    victories: Option<u64>,
    members: Vec<usize>,
}

/// Groups of equal victories, best first; the banned are the last.
fn by_victories(plan: &Plan, store: &Store) -> Result<Vec<Group>, ArenaError> {
    let mut banned = vec![false; plan.competitors.len()];
    for (competitor, _, _) in store.bans()? {
        banned[usize::from(competitor)] = true;
    }
    let mut victories = vec![0u64; plan.competitors.len()];
    store.each(&mut |row| {
        let erased = plan.schedule.kind == Competition::original().ties.schedule
            && row.pairing.seats.iter().any(|own| banned[usize::from(*own)]);
        for (seat, own) in row.pairing.seats.iter().enumerate() {
            victories[usize::from(*own)] += u64::from(!erased && row.is_first(seat));
        }
    })?;
    let key = |index: usize| if banned[index] { None } else { Some(victories[index]) };
    let mut order: Vec<usize> = (0..plan.competitors.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(key(*index)), *index));
    let groups = order.chunk_by(|a, b| key(*a) == key(*b));
    Ok(groups.map(|members| Group { victories: key(members[0]), members: members.to_vec() }).collect())
}

/// Plays the tournament that splits a group of equals.
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
    let ties = &Competition::original().ties;
    own.schedule.kind = ties.schedule;
    own.schedule.competitors = members.len() as u16;
    own.schedule.table = ties.table;
    own.schedule.deals = ties.deals;
    own.schedule.block = 1;
    own.schedule.seed = plan.schedule.seed.child(number as u64);
    let part = if number == 0 { String::new() } else { format!("-{number}") };
    let folder = directory.map(|directory| directory.join(filled(&ties.folder, &[("{part}", &part)])));
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
    let groups = finish_ties(&own, &mut store, directory, &part)?;
    if let Some(folder) = &folder {
        write_results(&own, &store, Some(folder))?;
    }
    store.close()?;
    let groups = groups.into_iter().map(|group| group.into_iter().map(|index| members[index]).collect());
    Ok(Some(groups.collect()))
}

/// Writes the record of every episode.
fn write_records(
    plan: &Plan,
    store: &mut Store,
    directory: Option<&Path>,
    name: &str,
) -> Result<(), ArenaError> {
    let Some(directory) = directory else { return Ok(()) };
    let entry = find_game(&plan.game)?;
    let mut pairings = Vec::new();
    store.each(&mut |row| pairings.push(row.pairing))?;
    for pairing in pairings {
        let Some(replay) = store.replay(pairing.index)? else { continue };
        let player = |seat: usize| {
            pairing.seats.get(seat).map(|own| file_name(&plan.competitors[usize::from(*own)].name))
        };
        let [first, second] = [0, 1].map(|seat| player(seat).unwrap_or_default());
        let episode = pairing.index.to_string();
        let places = [("{episode}", episode.as_str()), ("{first}", &first), ("{second}", &second)];
        let path = directory.join(filled(name, &places));
        if path.exists() {
            continue;
        }
        let text = replay.to_text();
        let Record { tool, arguments } = &Competition::original().record;
        let output = entry.run_tool(
            tool,
            plan.preset.as_deref(),
            &plan.set,
            ToolRequest { arguments, seed: 0, read_file: &mut |_| Ok(text.clone()) },
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

/// Which file is which player.
fn write_players(plan: &Plan, directory: Option<&Path>) -> Result<(), ArenaError> {
    let line = |(index, competitor): (usize, &Competitor)| format!("{} is player {index}\n", competitor.run);
    let lines: String = plan.competitors.iter().enumerate().map(line).collect();
    write_text(directory, &Competition::original().files.players, &lines)
}

/// Player, wins and the largest mean CPU time per turn in seconds, tab-separated.
fn write_alone(plan: &Plan, store: &Store, directory: Option<&Path>) -> Result<(), ArenaError> {
    let mut wins = vec![0u64; plan.competitors.len()];
    store.each(&mut |row| wins[usize::from(row.pairing.seats[0])] += u64::from(row.is_first(0)))?;
    let times = Times::compute(plan, store)?;
    let files = &Competition::original().files;
    let mut text = format!("{}\n", files.alone_header);
    for ((competitor, wins), bot) in plan.competitors.iter().zip(wins).zip(&times.competitors) {
        let seconds = bot.slowest_episode_us.unwrap_or(0.0) / 1e6;
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}\t{wins}\t{seconds:.6}", competitor.name);
    }
    write_text(directory, &files.alone, &text)
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

/// Who won each episode.
fn winners_table(plan: &Plan, store: &Store) -> Result<String, ArenaError> {
    let nobody = &Competition::original().files.nobody;
    let mut text = "pair: winners\n".to_owned();
    store.each(&mut |row| {
        let members: Vec<usize> = row.pairing.seats.iter().map(|own| usize::from(*own)).collect();
        let first = (0..members.len()).filter(|seat| row.is_first(*seat)).map(|seat| members[seat]);
        let winners = names_of(plan, &first.collect::<Vec<_>>());
        let winners = if winners.is_empty() { nobody } else { &winners };
        let _ = writeln!(text, "{}: {winners}", names_of(plan, &members));
    })?;
    Ok(text)
}

/// Rank from 0, and the numbers of the players that share it.
fn ranks_table(plan: &Plan, groups: &[Vec<usize>]) -> String {
    let mut text = "rank  players\n".to_owned();
    for (rank, members) in groups.iter().enumerate() {
        let numbers = members.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let _ = writeln!(text, "{rank:>4}  {numbers}  ({})", names_of(plan, members));
    }
    text
}

/// Tells who could not be started, and why.
///
/// # Errors
/// If it cannot be written.
pub fn write_failed(directory: &Path, failed: &[(String, String)]) -> Result<(), ArenaError> {
    let line = |(run, reason): &(String, String)| format!("{run}\t{}\n", reason.replace('\n', "; "));
    write_text(
        Some(directory),
        &Competition::original().files.failed,
        &failed.iter().map(line).collect::<String>(),
    )
}

/// Whether the folder has tie-breaks that were not finished; they need their bots.
pub fn is_open(directory: &Path) -> bool {
    !fs::exists(directory.join(&Competition::original().files.ranks)).unwrap_or(false)
}
