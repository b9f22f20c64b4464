//! Unconfirmed steps of a turn, of people whose pages have no socket.

use crate::client::{Browser, Page, start, until};

/// The first action that a page offers.
fn first_action(page: &Page) -> String {
    page.actions().into_iter().next().unwrap_or_else(|| panic!("no action is offered: {}", page.body))
}

/// Takes the first action as a step of a draft, as a page without a script does.
fn take_step(browser: &mut Browser, table: &str, steps: usize) {
    let page = browser.get(table);
    let [seat, number] = ["seat", "number"].map(|name| page.hidden(name).expect("the seat is asked"));
    let (steps, action) = (steps.to_string(), first_action(&page));
    let fields = [("seat", &*seat), ("number", &number), ("steps", &steps), ("action", &action)];
    let taken = browser.post(&format!("{table}/act"), &fields);
    assert_eq!(taken.status, 303, "{}", taken.body);
}

#[test]
fn unused_tables_leave_memory_but_those_with_unconfirmed_steps() {
    let server = start(None);
    server.time.tell(0);
    let mut ann = server.browser();
    let seats = [("agent.0", "me"), ("agent.1", "random")];
    let tables = || {
        let metrics = server.browser().get("/metrics").body;
        metrics.lines().find_map(|line| line.strip_prefix("meeple_tables ")).map(str::to_owned)
    };
    let table = ann.open("carcassonne", &seats);
    ann.until_asked(&table);
    take_step(&mut ann, &table, 0);
    let draft = ann.get(&table);
    assert!(draft.body.contains("1 step to confirm"), "{}", draft.body);
    let unused = [ann.open("carcassonne", &seats), ann.open("incan-gold", &seats)];
    unused.iter().for_each(|table| drop(ann.until_asked(table)));
    assert_eq!(tables().as_deref(), Some("3"));
    // A pass skips tables that are in use, for example while an agent decides. So a minute passes before each
    // look, from ten minutes after somebody was there.
    let mut now_ms = 700_000;
    let mut leaves = |left: &str| {
        until("unused tables to leave memory", || {
            server.time.tell(now_ms);
            now_ms += 60_000;
            tables().as_deref() == Some(left)
        });
        now_ms += 700_000;
    };
    leaves("1");
    let after = ann.get(&table);
    assert_eq!(after.body, draft.body, "the draft is as it was");
    // The draft goes on, and confirmed it is part of the game.
    let [seat, number] = ["seat", "number"].map(|name| after.hidden(name).expect("the seat is asked"));
    let confirm = [("seat", &*seat), ("number", &number), ("steps", "1"), ("do", "commit")];
    assert_eq!(ann.post(&format!("{table}/draft"), &confirm).status, 303);
    // Without a draft this table leaves memory, too, and is restored on demand.
    leaves("0");
    for table in unused.iter().chain([&table]) {
        assert_eq!(ann.get(table).status, 200);
    }
}
