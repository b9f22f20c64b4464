//! The schema of a record, and the comparison of databases with it.

use rusqlite::Connection;

/// The tables, indices and views of every record. Their text is part of the format: the schema of opened
/// records, of every format, must match it exactly.
pub(super) const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE competitors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL,
    files TEXT) STRICT;
CREATE TABLE episodes (idx INTEGER PRIMARY KEY, deal INTEGER NOT NULL, rotation INTEGER NOT NULL,
    seating TEXT NOT NULL, scores TEXT NOT NULL, places TEXT NOT NULL, winners INTEGER NOT NULL,
    forfeits TEXT NOT NULL, end INTEGER NOT NULL, length INTEGER NOT NULL, decisions INTEGER NOT NULL,
    replay_at INTEGER, replay_bytes INTEGER) STRICT;
CREATE TABLE faults (id INTEGER PRIMARY KEY, episode INTEGER NOT NULL, competitor INTEGER NOT NULL,
    seat INTEGER NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL, step INTEGER NOT NULL, record TEXT NOT NULL)
    STRICT;
CREATE INDEX faults_by_episode ON faults (episode);
CREATE TABLE times (episode INTEGER NOT NULL, seat INTEGER NOT NULL, competitor INTEGER NOT NULL,
    asked INTEGER NOT NULL, fallbacks INTEGER NOT NULL, cpu_us INTEGER, wall_us INTEGER NOT NULL,
    longest_us INTEGER NOT NULL, start_cpu_us INTEGER, start_wall_us INTEGER NOT NULL, PRIMARY KEY (episode, seat)) STRICT, WITHOUT ROWID;
CREATE TABLE bans (competitor INTEGER PRIMARY KEY, episode INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
CREATE TABLE sessions (id INTEGER PRIMARY KEY, first_episode INTEGER NOT NULL, version TEXT NOT NULL,
    sandbox TEXT NOT NULL) STRICT;
CREATE TABLE ratings (competitor INTEGER PRIMARY KEY, points REAL NOT NULL, low REAL NOT NULL,
    high REAL NOT NULL, rank INTEGER NOT NULL, band INTEGER NOT NULL) STRICT;
CREATE VIEW seats AS SELECT episodes.idx AS episode, deal, seat.key AS seat, seat.value AS competitor,
    json_extract(scores, '$[' || seat.key || ']') AS score,
    json_extract(places, '$[' || seat.key || ']') AS place
    FROM episodes, json_each(seating) AS seat;
";

/// Dropped bytes of bots' stderr output. Only records with dropped bytes have this table, so older releases
/// can read the others.
pub(super) const DROPPED: &str = "
CREATE TABLE dropped (episode INTEGER NOT NULL, seat INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (episode, seat)) STRICT, WITHOUT ROWID;
";

/// True if a record has the table of dropped bytes.
pub(super) fn has_dropped(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'dropped'", [], |row| row.get(0))
}

/// Kind, name, table, and SQL text of a schema object.
type Entry = (String, String, String, Option<String>);

fn entries(connection: &Connection) -> rusqlite::Result<Vec<Entry>> {
    let all = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
    connection.prepare(all)?.query_map([], |row| row.try_into())?.collect()
}

/// The first difference of a database's schema from a record's: a missing, changed or extra table, index,
/// view or trigger.
pub(super) fn difference(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(TABLES)?;
    if has_dropped(connection)? {
        fresh.execute_batch(DROPPED)?;
    }
    let (expected, found) = (entries(&fresh)?, entries(connection)?);
    let named = |(kind, name, ..): &Entry| format!("the {kind} '{name}'");
    let same = |a: &Entry, b: &Entry| (&a.0, &a.1) == (&b.0, &b.1);
    let stranger = found.iter().filter(|own| !expected.contains(own)).map(|own| {
        match expected.iter().find(|other| same(own, other)) {
            Some(_) => format!("{} is not as it was made", named(own)),
            None => format!("{} is none of a record's", named(own)),
        }
    });
    let missing = expected.iter().filter(|own| !found.iter().any(|other| same(own, other)));
    Ok(stranger.chain(missing.map(|own| format!("{} is missing", named(own)))).next())
}
