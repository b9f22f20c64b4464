//! Files of earlier releases.

use std::path::Path;

use rusqlite::Connection;

use crate::client::{Browser, Page, start, until_some};

/// The schema of the first version. It never changes, because users have such files.
const FIRST: &str = "
create table game(
    id text primary key, game text not null, settings text not null, rules int not null, root text not null,
    holders text not null, listed int not null, created int not null, ended int
) without rowid, strict;
create table entry(game text not null, number int not null, entry text not null, primary key(game, number))
    without rowid, strict;
create table key(game text not null, hash blob not null, seat int not null, primary key(game, hash))
    without rowid, strict;
create table job(id text primary key, plan text not null, result text not null) without rowid, strict;
create index by_time on game(created);
pragma application_id = 0x6d65706c;
pragma user_version = 1;
";

/// Converts a file to the first version, with all of its tables that this version can represent.
fn as_first_version(now: &Path, first: &Path) {
    let file = Connection::open(first).unwrap();
    file.execute_batch(FIRST).unwrap();
    file.execute("attach ? as now", [now.to_str().unwrap()]).unwrap();
    file.execute_batch(
        "insert into game select id, game, settings, rules, root, holders, listed, created, ended from now.game;
         insert into entry select * from now.entry;
         insert into key select * from now.key;",
    )
    .unwrap();
}

/// The page of a table that waits for the viewer alone: the agent, which decides at the same time, has
/// decided.
fn until_alone(browser: &mut Browser, table: &str) -> Page {
    until_some("a question to one seat alone", || {
        let page = browser.until_asked(table);
        (page.body.matches("> to move<").count() == 1).then_some(page)
    })
}

#[test]
fn a_file_of_the_first_version_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [new, old] = ["new.db", "old.db"].map(|name| folder.path().join(name));
    let server = start(Some(&new));
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let page = browser.until_asked(&table);
    assert_eq!(browser.answer(&table, &page, "stay").status, 303);
    let before = until_alone(&mut browser, &table);
    drop(server);
    as_first_version(&new, &old);

    let server = start(Some(&old));
    let mut browser = browser.at(server.address);
    assert_eq!(until_alone(&mut browser, &table).body, before.body);
    while !browser.until_asked(&table).is_over() {
        let page = browser.get(&table);
        browser.answer(&table, &page, "leave");
    }
    // Features that the old schema did not cover work as well.
    let rematch = browser.post(&format!("{table}/rematch"), &[]);
    assert_eq!(rematch.status, 303, "{}", rematch.body);
    drop(server);
    let version: i32 =
        Connection::open(&old).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert!(version > 1, "it is marked as what it is now: {version}");
}
