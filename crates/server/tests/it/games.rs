//! Whole games of every game, played by a browser that knows only the names of buttons.

use serde_json::{Value, json};

use crate::client::{Browser, Socket, start};

/// The question as a page's script keeps and shows it.
struct Asked {
    socket: Socket,
    version: Value,
    /// The last question that was sent while the table waited, in pieces.
    pieces: Vec<String>,
    shown: String,
    /// Number of messages that had changes in place of the whole question.
    changes: usize,
}

impl Asked {
    fn begin(browser: &Browser, table: &str) -> Self {
        let mut socket = browser.socket(table, "?as=0");
        socket.say(&json!({ "type": "hello", "since": 0, "pieces": true }));
        let (version, pieces, shown, changes) = (Value::Null, Vec::new(), String::new(), 0);
        Self { socket, version, pieces, shown, changes }
    }

    /// Receives the next message.
    fn hear(&mut self) {
        let message = self.socket.hear();
        if message["version"].is_null() {
            return;
        }
        self.version = message["version"].clone();
        let parts = &message["parts"];
        if let Some(changes) = parts["ask_changes"].as_array() {
            self.changes += 1;
            for change in changes {
                let (at, gone, come): (usize, usize, Vec<String>) =
                    serde_json::from_value(change.clone()).unwrap();
                self.pieces.splice(at..at + gone, come);
            }
            self.shown = self.pieces.concat();
        } else if let Some(ask) = parts["ask"].as_str() {
            ask.clone_into(&mut self.shown);
            if message["asked"] == true {
                let begins =
                    ask.match_indices('<').map(|(at, _)| at).filter(|at| !ask[at + 1..].starts_with('/'));
                let places: Vec<usize> = begins.chain([ask.len()]).collect();
                assert_eq!(places[0], 0, "a question begins with an element");
                self.pieces = places.windows(2).map(|ends| ask[ends[0]..ends[1]].to_owned()).collect();
            }
        }
    }

    /// Compares it with the question that a fresh page gets.
    fn compare(&mut self, browser: &Browser, table: &str) {
        let number = |version: &Value| version.as_u64().unwrap_or(0);
        loop {
            let mut fresh = Self::begin(browser, table);
            while fresh.version.is_null() {
                fresh.hear();
            }
            while self.version.is_null() || number(&self.version) < number(&fresh.version) {
                self.hear();
            }
            // Something may have happened after the fresh page was loaded.
            if self.version == fresh.version {
                assert_eq!(self.shown, fresh.shown, "{} changes", self.changes);
                return;
            }
        }
    }
}

/// Plays to the end with one button per question, and returns the number of buttons pressed. After each, the
/// question assembled from changes must equal that of a fresh page.
fn play(game: &str, fields: &[(&str, &str)]) -> usize {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open(game, fields);
    let mut asked = Asked::begin(&browser, &table);
    for pressed in 0.. {
        let page = browser.until_asked(&table);
        asked.compare(&browser, &table);
        assert!(page.body.contains("<ul class=\"legend\"><li>"), "{}", page.body);
        if page.is_over() {
            let moment = browser.get(&format!("{table}/at/0"));
            assert!(moment.body.contains("<ul class=\"legend\"><li>"), "{}", moment.body);
            assert!(page.body.contains("class=\"places\""), "{}", page.body);
            let replay = browser.get(&format!("{table}/replay.json"));
            assert_eq!((replay.status, replay.header("content-type")), (200, Some("application/json")));
            return pressed;
        }
        let actions = page.actions();
        assert!(!actions.is_empty(), "{}", page.body);
        // Not always the first, because some games would go round in circles.
        let answer = browser.answer(&table, &page, &actions[pressed * 7 % actions.len()]);
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    unreachable!("it ended")
}

#[test]
fn of_a_question_that_is_much_like_the_one_before_the_rest_is_sent() {
    let server = start(None);
    let mut browser = server.browser();
    // Without agents the messages are independent of timing.
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "me")]);
    let mut asked = Asked::begin(&browser, &table);
    // A page of an older release gets whole questions.
    let mut old = browser.socket(&table, "?as=0");
    old.say(&json!({ "type": "hello", "since": 0 }));
    for _ in 0..4 {
        let page = browser.until_asked(&table);
        asked.compare(&browser, &table);
        let action = page.actions()[0].clone();
        assert_eq!(browser.answer(&table, &page, &action).status, 303);
    }
    asked.compare(&browser, &table);
    let mut shown = String::new();
    while shown != asked.shown {
        let message = old.hear();
        assert!(message["parts"]["ask_changes"].is_null(), "{message}");
        if let Some(ask) = message["parts"]["ask"].as_str() {
            ask.clone_into(&mut shown);
        }
    }
    assert!(asked.changes > 0, "{}", asked.shown);
}

#[test]
fn incan_gold_is_played_to_its_end() {
    assert!(play("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:5"), ("agent.2", "backpack:20")]) >= 5);
}

#[test]
fn game17_is_played_to_its_end() {
    assert!(play("game17", &[("agent.0", "me"), ("agent.1", "t800")]) >= 1);
}

#[test]
fn carcassonne_is_played_to_its_end() {
    assert!(play("carcassonne", &[("agent.0", "me"), ("agent.1", "greedy")]) >= 40);
}

#[test]
fn cartolan_is_played_to_its_end() {
    assert!(play("cartolan", &[("agent.0", "me"), ("agent.1", "trader")]) >= 20);
}

#[test]
fn privateers_is_played_to_its_end() {
    assert!(play("privateers", &[("agent.0", "me"), ("agent.1", "trader"), ("set.max_rounds", "20")]) >= 10);
}
