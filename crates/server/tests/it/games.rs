//! Whole games of every game, played by a browser that knows nothing but the names of buttons.

use crate::client::start;

/// Plays to the end by pressing a button each time, and returns how often that was.
fn play(game: &str, fields: &[(&str, &str)]) -> usize {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open(game, fields);
    for pressed in 0.. {
        let page = browser.until_asked(&table);
        if page.is_over() {
            assert!(page.body.contains("class=\"places\""), "{}", page.body);
            let replay = browser.get(&format!("{table}/replay.json"));
            assert_eq!((replay.status, replay.header("content-type")), (200, Some("application/json")));
            return pressed;
        }
        let actions = page.actions();
        assert!(!actions.is_empty(), "{}", page.body);
        // Not always the first: some would go round in circles.
        let answer = browser.answer(&table, &page, &actions[pressed * 7 % actions.len()]);
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    unreachable!("it ended")
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
