//! Final ranking of a tournament by the rules of a `Competition`: tie-breaks and output files.
//!
//! A victory is a first place, shared or not; a ban erases the victories before it. Competitors tied in
//! victories play a tie-break tournament, ranked by victories again; remaining ties stay.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use meeple_core::{NoHost, ToolRequest};
use meeple_games::find_game;

use crate::bots::Bots;
use crate::competition::{Competition, Record, filled};
use crate::error::ArenaError;
use crate::files::{file_name, write};
use crate::options::RunOptions;
use crate::plan::{Competitor, CompetitorKind, TournamentPlan};
use crate::results::write_results;
use crate::runner::{RunEnd, run};
use crate::schedule::Kind;
use crate::store::{DATABASE, RecordStore};

/// Finishes a tournament by the rules of its competition: breaks ties, and writes the competition's files.
///
/// Returns the ranking: groups of competitors, best first. It is `None` for solo play, or if the run was
/// stopped before the ranking was complete.
///
/// # Errors
/// If a record cannot be read or a file cannot be written.
pub fn finish(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    bots: &mut Bots,
    directory: Option<&Path>,
    options: &mut RunOptions<'_>,
) -> Result<Option<Vec<Vec<usize>>>, ArenaError> {
    let Competition { ties, files, .. } = Competition::original();
    write_players(plan, directory)?;
    write_failed(plan, directory)?;
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
    write_text(directory, &files.summary, &victories_table(plan, store, &groups)?)?;
    let mut ranking = Vec::new();
    for (index, group) in groups.into_iter().enumerate() {
        // Banned competitors get no more games.
        if group.members.len() == 1 || group.victories.is_none() {
            ranking.push(group.members);
            continue;
        }
        match split(plan, &group.members, index, bots, directory, options)? {
            Some(split) => ranking.extend(split),
            None => return Ok(None),
        }
    }
    write_text(directory, &files.ranks, &ranks_table(plan, &ranking))?;
    Ok(Some(ranking))
}

fn finish_ties(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    directory: Option<&Path>,
    part: &str,
) -> Result<Vec<Vec<usize>>, ArenaError> {
    let files = &Competition::original().files;
    let named = |name: &str| filled(name, &[("{part}", part)]);
    let groups = by_victories(plan, store)?;
    write_records(plan, store, directory, &files.tie_record)?;
    write_text(directory, &named(&files.tie_winners), &winners_table(plan, store, &groups)?)?;
    write_text(directory, &named(&files.tie_summary), &victories_table(plan, store, &groups)?)?;
    Ok(groups.into_iter().map(|group| group.members).collect())
}

struct Group {
    /// `None` for the banned.
    victories: Option<u64>,
    members: Vec<usize>,
}

/// Groups by victories, best first; the banned are last.
fn by_victories(plan: &TournamentPlan, store: &RecordStore) -> Result<Vec<Group>, ArenaError> {
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

fn split(
    plan: &TournamentPlan,
    members: &[usize],
    group: usize,
    bots: &mut Bots,
    directory: Option<&Path>,
    options: &mut RunOptions<'_>,
) -> Result<Option<Vec<Vec<usize>>>, ArenaError> {
    let mut own = plan.clone();
    own.competitors = members
        .iter()
        .map(|index| Competitor { number: Some(number(plan, *index)), ..plan.competitors[*index].clone() })
        .collect();
    own.rating.anchor = 0;
    own.sprt = None;
    let ties = &Competition::original().ties;
    own.schedule.kind = ties.schedule;
    own.schedule.competitors = members.len() as u16;
    own.schedule.table = ties.table;
    own.schedule.deals = ties.deals;
    own.schedule.block = 1;
    own.schedule.seed = plan.schedule.seed.child(group as u64);
    let part = if group == 0 { String::new() } else { format!("-{group}") };
    let folder = directory.map(|directory| directory.join(filled(&ties.folder, &[("{part}", &part)])));
    let mut store = match &folder {
        Some(folder) if folder.join(DATABASE).exists() => RecordStore::open(folder)?,
        Some(folder) => RecordStore::create(folder, &own, "")?,
        None => RecordStore::in_memory(&own, "")?,
    };
    let mut taken = bots.take(members);
    let end = run(&own, &mut store, &mut taken, options);
    bots.put_back(members, taken);
    if end? == RunEnd::Stopped {
        return Ok(None);
    }
    let groups = finish_ties(&own, &mut store, directory, &part)?;
    if let Some(folder) = &folder {
        write_results(&own, &store, Some(folder), options.threads)?;
    }
    store.close()?;
    let groups = groups.into_iter().map(|group| group.into_iter().map(|index| members[index]).collect());
    Ok(Some(groups.collect()))
}

fn write_records(
    plan: &TournamentPlan,
    store: &mut RecordStore,
    directory: Option<&Path>,
    name: &str,
) -> Result<(), ArenaError> {
    let Some(directory) = directory else { return Ok(()) };
    let entry = find_game(&plan.game)?;
    let mut pairings = Vec::new();
    store.each(&mut |row| pairings.push(row.pairing))?;
    for pairing in pairings {
        let Some(replay) = store.replay(pairing.index)? else { continue };
        let ids: Vec<String> =
            pairing.seats.iter().map(|own| number(plan, usize::from(*own)).to_string()).collect();
        let [first, second] = [0, 1].map(|seat| ids.get(seat).map_or_else(String::new, |id| file_name(id)));
        let episode = pairing.index.to_string();
        let places = [("{episode}", episode.as_str()), ("{first}", &first), ("{second}", &second)];
        let path = directory.join(filled(name, &places));
        if path.exists() {
            continue;
        }
        let text = replay.to_text();
        let Record { tool, arguments } = &Competition::original().record;
        let ids = ids.join(",");
        let arguments: Vec<String> = arguments.iter().map(|word| filled(word, &[("{ids}", &ids)])).collect();
        let output = entry.run_tool(
            tool,
            plan.preset.as_deref(),
            &plan.set,
            ToolRequest {
                arguments: &arguments,
                seed: 0,
                read_file: &mut |_| Ok(text.clone()),
                tell: &mut |_| {},
                host: &NoHost,
            },
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

/// Number in the competition's files, from 1.
fn number(plan: &TournamentPlan, index: usize) -> u32 {
    plan.competitors[index].number.unwrap_or(index as u32 + 1)
}

/// Lists the players' files by number. Native agents have numbers too, but no files.
fn write_players(plan: &TournamentPlan, directory: Option<&Path>) -> Result<(), ArenaError> {
    let bots = plan.competitors.iter().enumerate().filter(|(_, own)| own.kind == CompetitorKind::Bot);
    let playing = bots.map(|(index, own)| (number(plan, index), &own.run));
    let all: BTreeMap<u32, &String> =
        playing.chain(plan.failed.iter().filter_map(|own| Some((own.number?, &own.run)))).collect();
    let lines: String = all.iter().map(|(number, run)| format!("{run} is player {number}\n")).collect();
    write_text(directory, &Competition::original().files.players, &lines)
}

/// By competitor: maximum over episodes of the mean CPU time per turn, in seconds; 0 if none was measured.
/// With `won`, only won episodes count.
fn longest_means(plan: &TournamentPlan, store: &RecordStore, won: bool) -> Result<Vec<f64>, ArenaError> {
    let mut winners = Vec::new();
    store.each(&mut |row| {
        winners.push((0..row.pairing.seats.len()).map(|seat| row.is_first(seat)).collect::<Vec<bool>>());
    })?;
    let mut longest = vec![0f64; plan.competitors.len()];
    store.each_time(|episode, time| {
        if let Some(cpu) = time.cpu_us.filter(|_| time.asked > 0)
            && (!won || winners[episode as usize][usize::from(time.seat)])
        {
            let known = &mut longest[usize::from(time.competitor)];
            *known = known.max(cpu as f64 / time.asked as f64 / 1e6);
        }
    })?;
    Ok(longest)
}

/// Formats a number as Python does: small ones with a two-digit exponent.
fn as_in_python(seconds: f64) -> String {
    if seconds == 0.0 || seconds >= 1e-4 {
        return seconds.to_string();
    }
    let text = format!("{seconds:e}");
    let (digits, exponent) = text.split_once("e-").expect("it is below one");
    format!("{digits}e-{exponent:0>2}")
}

/// Writes player, wins, and largest mean CPU time per turn of won games in seconds, separated by tabs.
fn write_alone(
    plan: &TournamentPlan,
    store: &RecordStore,
    directory: Option<&Path>,
) -> Result<(), ArenaError> {
    let mut wins = vec![0u64; plan.competitors.len()];
    store.each(&mut |row| wins[usize::from(row.pairing.seats[0])] += u64::from(row.is_first(0)))?;
    let times = longest_means(plan, store, true)?;
    let files = &Competition::original().files;
    let mut text = format!("{}\n", files.alone_header);
    for (index, (wins, seconds)) in wins.iter().zip(times).enumerate() {
        // Writing to a `String` is infallible.
        let _ = writeln!(text, "{}\t{wins}\t{}", number(plan, index), as_in_python(seconds));
    }
    write_text(directory, &files.alone, &text)
}

/// Numbers of players, sorted.
fn numbers_of(plan: &TournamentPlan, members: &[usize]) -> String {
    let mut numbers: Vec<u32> = members.iter().map(|index| number(plan, *index)).collect();
    numbers.sort_unstable();
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// A table in the format of pandas, as the original prints it: first column left-aligned, all others
/// right-aligned.
fn printed(header: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return format!("Empty DataFrame\nColumns: [{}]\nIndex: []\n", header.join(", "));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let first = width(0);
    let widths: Vec<usize> = (1..).zip(header).map(|(column, name)| name.len().max(width(column))).collect();
    let mut text = String::new();
    let header: Vec<String> = std::iter::once("").chain(header.iter().copied()).map(str::to_owned).collect();
    for row in std::iter::once(&header).chain(rows) {
        let _ = write!(text, "{:first$}", row[0]);
        for (cell, width) in row[1..].iter().zip(&widths) {
            let _ = write!(text, " {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// Seconds in the format of pandas: at most six decimals, with room for a sign if any value is above 0.
fn seconds(values: &[f64]) -> Vec<String> {
    let room = if values.iter().any(|value| *value > 0.0) { " " } else { "" };
    let shown = |value: &f64| {
        let text = format!("{value:.6}");
        let (whole, places) = text.split_once('.').expect("there are six places");
        match places.trim_end_matches('0') {
            _ if *value == 0.0 => format!("{room}0"),
            "" => format!("{room}{whole}.0"),
            places => format!("{room}{whole}.{places}"),
        }
    };
    values.iter().map(shown).collect()
}

fn victories_table(
    plan: &TournamentPlan,
    store: &RecordStore,
    groups: &[Group],
) -> Result<String, ArenaError> {
    let times = seconds(&longest_means(plan, store, false)?);
    let rows: Vec<Vec<String>> = (0..plan.competitors.len())
        .map(|index| {
            let group = groups.iter().find(|group| group.members.contains(&index));
            let won = group.and_then(|group| group.victories);
            let won = won.map_or("banned".to_owned(), |won| won.to_string());
            vec![number(plan, index).to_string(), won, times[index].clone()]
        })
        .collect();
    Ok(printed(&["games won", "max time"], &rows))
}

/// Winners by episode, without episodes of banned competitors.
fn winners_table(plan: &TournamentPlan, store: &RecordStore, groups: &[Group]) -> Result<String, ArenaError> {
    let banned =
        |index: &usize| groups.iter().any(|group| group.victories.is_none() && group.members.contains(index));
    let mut rows = Vec::new();
    store.each(&mut |row| {
        let members: Vec<usize> = row.pairing.seats.iter().map(|own| usize::from(*own)).collect();
        let winners: Vec<usize> =
            (0..members.len()).filter(|seat| row.is_first(*seat)).map(|seat| members[seat]).collect();
        if !winners.is_empty() && !members.iter().any(banned) {
            let pair = members.iter().map(|own| number(plan, *own).to_string()).collect::<Vec<_>>();
            rows.push(vec![pair.join(" vs "), numbers_of(plan, &winners)]);
        }
    })?;
    Ok(printed(&["winner"], &rows))
}

/// Rank from 0, and the numbers of the players that share it.
fn ranks_table(plan: &TournamentPlan, groups: &[Vec<usize>]) -> String {
    let row = |(rank, members): (usize, &Vec<usize>)| vec![rank.to_string(), numbers_of(plan, members)];
    printed(&["players"], &groups.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Writes the numbers of the bots that failed to start; stderr has the reasons.
fn write_failed(plan: &TournamentPlan, directory: Option<&Path>) -> Result<(), ArenaError> {
    let numbers = plan.failed.iter().filter_map(|failed| failed.number);
    let list = numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    write_text(directory, &Competition::original().files.failed, &(list + "\n"))
}

/// True if the directory lacks the file that [`finish`] writes last. Its tie-breaks may be unfinished, and
/// only their bots can finish them.
pub fn is_open(plan: &TournamentPlan, directory: &Path) -> bool {
    let files = &Competition::original().files;
    let last = if plan.schedule.kind == Kind::Alone { &files.alone } else { &files.ranks };
    !fs::exists(directory.join(last)).unwrap_or(false)
}
