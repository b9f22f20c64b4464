//! Verification of a server's database file. Everything stored is read. Tables, uploads and competitions are
//! replayed and compared. Nothing is written.

use std::net::IpAddr;
use std::path::Path;

use argon2::password_hash::PasswordHash;
use meeple_core::{AnyEntry, EpisodeSeed};
use meeple_games::parse_game;
use meeple_lab::{Progress, StopFlag};
use meeple_table::{Holder, NoTimeControl, Table, TimeControl};
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use crate::competitions::plan::{Competition, replay};
use crate::competitions::store::{CompetitionState, StoredCompetition, stored_competition};
use crate::jobs::job::{JobQuestion, JobResult};
use crate::key;
use crate::laboratory::plan::Plan;
use crate::members::names::stored_forms;
use crate::replays::recorded::{MAX_TEXT, Recorded};
use crate::store::{StoreError, expect_our_file};
use crate::tables::store::{Stored, stored};

/// Upper bound on problems that are listed individually.
const MAX_PROBLEMS: usize = 20;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FileProof {
    /// Tables whose record was replayed. Every step is legal, chance follows the seed, and the stored end is
    /// right.
    pub tables: u64,
    /// Entries of these tables: decisions and changes of seats.
    pub entries: u64,
    /// Uploads that were replayed.
    pub replays: u64,
    /// Members with a valid name and password hash.
    pub members: u64,
    pub sessions: u64,
    /// Competitions whose record is complete up to the last episode played.
    pub competitions: u64,
    /// Episodes of these competitions, replayed from their seeds.
    pub episodes: u64,
    /// Runs of the laboratory that can be read. They are not replayed.
    pub runs: u64,
    /// Tables, competitions and runs with other rules or of other releases, which this release cannot replay.
    pub unproved: u64,
    /// Descriptions of the first problems.
    pub problems: Vec<String>,
    pub problem_count: u64,
    /// True if the verification was stopped before the end.
    pub stopped: bool,
}

impl FileProof {
    /// Returns true if everything stored was verified.
    pub fn is_proved(&self) -> bool {
        self.problem_count == 0 && self.unproved == 0 && !self.stopped
    }

    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(text);
        }
    }

    fn check(&mut self, what: &str, checked: Result<(), String>) -> bool {
        let is_right = checked.is_ok();
        if let Err(reason) = checked {
            self.problem(format!("{what}: {reason}"));
        }
        is_right
    }
}

/// Verifies a server's database file. No server may use the file meanwhile.
///
/// # Errors
/// If the file cannot be read, or has the schema of another release. Problems of the contents are in the
/// result.
pub fn prove_file(
    path: &Path,
    progress: &mut dyn Progress,
    stop: &StopFlag,
) -> Result<FileProof, StoreError> {
    let name = path.display().to_string();
    let sqlite = |error: rusqlite::Error| StoreError::of_sqlite(&name, error);
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
    expect_our_file(&name, &file)?;
    let mut found = FileProof::default();
    for reason in texts(&file, "pragma integrity_check(20)").map_err(sqlite)? {
        if reason != "ok" {
            found.problem(format!("the database: {reason}"));
        }
    }
    accounts(&file, &mut found).map_err(sqlite)?;
    links(&file, &mut found).map_err(sqlite)?;
    let tables = texts(&file, "select id from game order by created, id").map_err(sqlite)?;
    let replays = texts(&file, "select id from replay order by id").map_err(sqlite)?;
    let competitions = texts(&file, "select id from competition order by created, id").map_err(sqlite)?;
    let total = (tables.len() + replays.len() + competitions.len()) as u64;
    let mut done = 0;
    let mut go_on = |found: &mut FileProof| {
        progress.update(done, total, "");
        done += 1;
        found.stopped |= stop.is_stopped();
        !found.stopped
    };
    for id in tables {
        if !go_on(&mut found) {
            return Ok(found);
        }
        match table(&file, &id) {
            Ok(Some(entries)) => {
                found.tables += 1;
                found.entries += entries;
            }
            Ok(None) => found.unproved += 1,
            Err(reason) => found.problem(format!("table {id}: {reason}")),
        }
    }
    for id in replays {
        if !go_on(&mut found) {
            return Ok(found);
        }
        let read = "select text from replay where id = ?";
        let packed: Vec<u8> = file.query_row(read, [&id], |row| row.get(0)).map_err(sqlite)?;
        if found.check(&format!("replay {id}"), upload(&id, packed)) {
            found.replays += 1;
        }
    }
    for id in competitions {
        if !go_on(&mut found) {
            return Ok(found);
        }
        match competition(&file, &id, stop) {
            Ok(Some(episodes)) => {
                found.competitions += 1;
                found.episodes += episodes;
            }
            Ok(None) => found.unproved += 1,
            Err(reason) => found.problem(format!("competition {id}: {reason}")),
        }
    }
    found.stopped |= stop.is_stopped();
    runs(&file, &mut found).map_err(sqlite)?;
    progress.update(total, total, "");
    Ok(found)
}

fn texts(file: &Connection, query: &str) -> rusqlite::Result<Vec<String>> {
    file.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

fn accounts(file: &Connection, found: &mut FileProof) -> rusqlite::Result<()> {
    let mut query = file.prepare("select id, name, folded, password from account order by id")?;
    let rows =
        query.query_map([], |row| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    for row in rows {
        let [id, name, folded, password] = row?;
        let checked = if !stored_forms(&name).contains(&folded) {
            Err(format!("expected the name '{}' folded, found '{folded}'", name.escape_debug()))
        } else if PasswordHash::new(&password).is_err() {
            Err("expected the hash of a password, found something else".to_owned())
        } else {
            Ok(())
        };
        if found.check(&format!("member {id}"), checked) {
            found.members += 1;
        }
    }
    let mut query = file.prepare("select id, length(hash) from session order by id")?;
    for row in query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))? {
        let (id, length) = row?;
        let expected = size_of::<key::KeyHash>() as i64;
        let checked = if length == expected {
            Ok(())
        } else {
            Err(format!("expected {expected} bytes, found {length}"))
        };
        if found.check(&format!("login {id}"), checked) {
            found.sessions += 1;
        }
    }
    for address in texts(file, "select address from ban order by address")? {
        if address.parse::<IpAddr>().is_err() {
            found.problem(format!("bans: expected an address, found '{}'", address.escape_debug()));
        }
    }
    Ok(())
}

/// Verifies that references point to existing rows.
fn links(file: &Connection, found: &mut FileProof) -> rusqlite::Result<()> {
    for (what, query) in [
        ("entries of no table", "select distinct game from entry where game not in (select id from game)"),
        ("keys to no table", "select distinct game from key where game not in (select id from game)"),
        ("seats at no table", "select distinct game from sitting where game not in (select id from game)"),
        (
            "seats of no member",
            "select distinct account from sitting where account not in (select id from account)",
        ),
        (
            "logins of no member",
            "select distinct account from session where account not in (select id from account)",
        ),
        (
            "pieces of no competition",
            "select distinct competition from piece where competition not in (select id from competition)",
        ),
    ] {
        for name in texts(file, query)? {
            found.problem(format!("{what}: '{}'", name.escape_debug()));
        }
    }
    Ok(())
}

/// Replays a table and returns the number of its entries; `None` if it has other rules than this release.
fn table(file: &Connection, id: &str) -> Result<Option<u64>, String> {
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let Stored { row, entries, keys, sitting, left, .. } =
        stored(file, id).map_err(|error| wrong(&error))?.ok_or("it is not there")?;
    let parsed = parse_game(&row.game).map_err(|error| wrong(&error))?;
    let entry: &dyn AnyEntry = parsed.entry;
    if entry.info().rules_version != row.rules {
        return Ok(None);
    }
    let game = entry
        .set_up(parsed.preset, &row.settings_for(entry), row.holders.len())
        .map_err(|error| wrong(&error))?;
    let seats = game.seats();
    if row.holders.len() != seats {
        return Err(format!("expected {seats} players, found {}", row.holders.len()));
    }
    let seed = EpisodeSeed::new(row.root, 0);
    let table =
        Table::rebuild(&*game, seed, row.holders, &row.steps, &entries).map_err(|broken| wrong(&broken))?;
    let read = "select ended is not null, closed is not null from game where id = ?";
    let (ended, closed): (bool, bool) =
        file.query_row(read, [id], |row| Ok((row.get(0)?, row.get(1)?))).map_err(|error| wrong(&error))?;
    // A table whose first steps lead to the end is over without a decision.
    if ended != (table.is_over() || closed) && !(table.is_over() && entries.is_empty()) {
        let state = |over: bool| if over { "over" } else { "being played" };
        return Err(format!(
            "expected a table that is {}, found one marked as {}",
            state(!ended),
            state(ended)
        ));
    }
    let control = row.time.as_deref().map(str::parse::<TimeControl>).transpose();
    let control = control.map_err(|error: NoTimeControl| wrong(&error))?;
    if let Some(left) = left
        && (control.is_none() || left.len() != seats)
    {
        return Err(format!("expected the time left to {seats} seats, found that of {}", left.len()));
    }
    let acting = keys.iter().map(|(_, seat)| *seat).chain(sitting.iter().map(|(_, seat)| *seat));
    for seat in acting {
        match table.holders().get(seat) {
            Some(Holder::Person { .. }) => {}
            Some(_) => {
                return Err(format!("seat {seat}: expected a person, found somebody who may act for nobody"));
            }
            None => return Err(format!("seat {seat}: expected one of {seats}")),
        }
    }
    Ok(Some(entries.len() as u64))
}

fn upload(id: &str, packed: Vec<u8>) -> Result<(), String> {
    let text = meeple_replay::read_text(packed, MAX_TEXT).map_err(|error| error.to_string())?;
    let named = key::name_of(&text);
    if named != id {
        return Err(format!("expected the text of this name, found that of {named}"));
    }
    let recorded = Recorded::read(text.into_bytes(), None).map_err(|error| error.to_string())?;
    recorded.verify().map_err(|error| error.to_string())
}

/// Replays a competition as far as it was played, and returns the number of episodes; `None` if another
/// release began it.
fn competition(file: &Connection, id: &str, stop: &StopFlag) -> Result<Option<u64>, String> {
    let StoredCompetition { row, pieces } =
        stored_competition(file, id).map_err(|error| error.to_string())?;
    let plan = Competition::read(&row.plan).map_err(|error| format!("the plan: {error}"))?;
    if plan.name() != id {
        return Ok(None);
    }
    let mut expected = 0;
    for piece in &pieces {
        if piece.episodes.start != expected || piece.episodes.end <= expected {
            return Err(format!("expected episodes from {expected} on, found {:?}", piece.episodes));
        }
        expected = piece.episodes.end;
    }
    let record = plan.record(&pieces)?;
    if record.next() != expected {
        return Err(format!("expected {expected} episodes in all pieces, found {}", record.next()));
    }
    let mut rows = Vec::new();
    record.each_of(0..expected, &mut |row| rows.push(row)).map_err(|error| error.to_string())?;
    for row in &rows {
        if stop.is_stopped() {
            return Ok(None);
        }
        replay(&plan.0, row).map_err(|reason| format!("episode {}: {reason}", row.pairing.index))?;
    }
    match (row.state, row.result) {
        (CompetitionState::Done, Some(result)) => {
            let again = plan.result(id, &record, 1)?;
            if (again.episodes, &again.json, &again.csv) != (result.episodes, &result.json, &result.csv) {
                return Err("the stored standings do not follow from its episodes".to_owned());
            }
        }
        (CompetitionState::Done, None) => return Err("expected standings, found none".to_owned()),
        (_, Some(_)) => return Err("expected no standings before the end, found some".to_owned()),
        (_, None) => {}
    }
    Ok(Some(expected))
}

/// Verifies runs of the laboratory: their identifiers match their plans, and they can be read.
fn runs(file: &Connection, found: &mut FileProof) -> rusqlite::Result<()> {
    let mut query = file.prepare("select id, plan, result from job order by id")?;
    let rows = query.query_map([], |row| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?]))?;
    for row in rows {
        let [id, plan, result] = row?;
        match serde_json::from_str::<Plan>(&plan)
            .and_then(|plan| Ok((plan, serde_json::from_str::<JobResult>(&result)?)))
        {
            Ok((plan, _)) if plan.name() == id => found.runs += 1,
            Ok(_) => found.unproved += 1,
            Err(error) => found.problem(format!("run {id}: {error}")),
        }
    }
    Ok(())
}
