//! Durability: everything acknowledged survives a crash.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use meeple_server::Server;

use crate::client::{Browser, options, start};

#[test]
fn a_table_goes_on_after_a_restart_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let fields = [("seat.0", "me"), ("agent.1", "greedy"), ("agent.2", "random"), ("seed", "3")];
    let script = |stops: &[usize]| {
        std::fs::remove_file(&file).ok();
        let mut server = start(Some(&file));
        let mut browser = server.browser();
        let table = browser.open("carcassonne", &fields);
        let mut pages = Vec::new();
        for step in 0..12 {
            if stops.contains(&step) {
                let before = browser.until_asked(&table).body;
                drop(server);
                server = start(Some(&file));
                browser = browser.at(server.address);
                assert_eq!(browser.until_asked(&table).body, before, "step {step}");
            }
            let page = browser.until_asked(&table);
            let actions = page.actions();
            assert_eq!(browser.answer(&table, &page, &actions[step % actions.len()]).status, 303);
            pages.push(actions);
        }
        pages
    };
    // Agents decide the same, and chance draws the same.
    assert_eq!(script(&[]), script(&[1, 5, 6]));
}

#[test]
fn everybody_who_sits_there_still_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let (mut host, mut friend) = (server.browser(), server.browser());
    let table = host.open("incan-gold", &[("seat.0", "me"), ("seat.1", "friend")]);
    friend.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]);
    drop(server);
    let server = start(Some(&file));
    for (browser, seat) in [(host, "0"), (friend, "1")] {
        assert_eq!(browser.at(server.address).get(&table).hidden("seat").as_deref(), Some(seat));
    }
}

/// The variable with the file of a server process.
pub const FILE: &str = "MEEPLE_TEST_SERVER_FILE";

/// No test, but the server that others kill. Without a file it does nothing.
#[test]
fn server_process() {
    if let Some(file) = std::env::var_os(FILE) {
        let server = Server::bind(&options(Some(file.as_ref()))).unwrap();
        // Written past the test harness, which would capture it.
        writeln!(std::io::stdout(), "listens at {}", server.address()).unwrap();
        server.run().unwrap();
    }
}

/// The command of such a server: its program and arguments.
pub fn server_process_command() -> (PathBuf, [&'static str; 3]) {
    (std::env::current_exe().unwrap(), ["restart::server_process", "--exact", "--nocapture"])
}

pub fn process(file: &std::path::Path) -> (Child, SocketAddr) {
    let (program, arguments) = server_process_command();
    let mut child =
        Command::new(program).args(arguments).env(FILE, file).stdout(Stdio::piped()).spawn().unwrap();
    let address = address_of(&mut child);
    (child, address)
}

/// Waits until a server process listens, and returns its address.
pub fn address_of(child: &mut Child) -> SocketAddr {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| Some(line.split_once("listens at ")?.1.parse().unwrap()));
    // The output is drained: after a minute the test harness prints a notice, and ends if nobody reads it.
    std::thread::spawn(move || lines.for_each(drop));
    address.expect("the server tells its address")
}

/// A player at a table, with the numbers of acknowledged and sent actions.
struct Player {
    browser: Browser,
    table: String,
    sent: u64,
    acknowledged: u64,
}

impl Player {
    /// Plays until the server is gone or the game is over, and reports every acknowledged action.
    fn play(&mut self, acknowledged: &mpsc::Sender<()>) {
        while let Some(page) = self.browser.try_get(&self.table) {
            if page.is_over() {
                return;
            }
            if !page.is_asked() {
                continue;
            }
            let (seat, number) = (page.hidden("seat").unwrap(), page.hidden("number").unwrap());
            assert_eq!(number, self.sent.to_string(), "questions are counted by answers");
            let actions = page.actions();
            let action = &actions[self.sent as usize % actions.len()];
            let fields = [("seat", seat.as_str()), ("number", &number), ("action", action)];
            self.sent += 1;
            match self.browser.try_post(&format!("{}/act", self.table), &fields) {
                Some(answer) => assert_eq!(answer.status, 303, "{}", answer.body),
                None => return,
            }
            self.acknowledged += 1;
            if acknowledged.send(()).is_err() {
                return;
            }
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed() {
    const TABLES: usize = 6;
    const KILLS: u64 = 10;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (mut server, address) = process(&file);
    let mut players: Vec<Player> = (0..TABLES)
        .map(|_| {
            let mut browser = Browser::new(address);
            let table = browser.open("carcassonne", &[("agent.0", "me"), ("agent.1", "greedy")]);
            Player { browser, table, sent: 0, acknowledged: 0 }
        })
        .collect();
    for kill in 0..KILLS {
        let (acknowledged, heard) = mpsc::channel();
        std::thread::scope(|scope| {
            for player in &mut players {
                let acknowledged = acknowledged.clone();
                scope.spawn(move || player.play(&acknowledged));
            }
            drop(acknowledged);
            // The kill comes while actions are in flight, each time after a different number of them.
            heard.iter().take(5 + kill as usize % 3).count();
            server.kill().unwrap();
        });
        server.wait().unwrap();
        let (again, address) = process(&file);
        server = again;
        for player in &mut players {
            player.browser = player.browser.at(address);
            let page = player.browser.until_asked(&player.table);
            if !page.is_over() {
                let number: u64 = page.hidden("number").unwrap().parse().unwrap();
                assert!(number >= player.acknowledged, "{number} of {} are left", player.acknowledged);
                assert!(number <= player.sent, "{number} of {} were sent", player.sent);
                // Actions in flight have happened or have not.
                (player.sent, player.acknowledged) = (number, number);
            }
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
}
