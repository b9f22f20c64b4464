//! Priority of tables: runs and competitions pause while the server is late, and end with the same results.

use std::time::Duration;

use crate::client::{Browser, Page, Running, options, run, start, until_some};
use meeple_server::Server;

const LATE: Duration = Duration::from_secs(1);
const PAUSED: &str = "Paused while tables need the machine";

fn run_of(browser: &mut Browser, game: &str, agent: &str, episodes: &str) -> String {
    let fields = [("agent.0", agent), ("agent.1", agent), ("episodes", episodes), ("seed", "3")];
    let answer = browser.post(&format!("/lab/{game}"), &fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").unwrap().to_owned()
}

fn competition_of(browser: &mut Browser) -> String {
    let fields = [("others", "turn:7\nturn:4\nturn:2"), ("deals", "600"), ("table", "2")];
    let answer = browser.post("/competitions/incan-gold", &fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").unwrap().to_owned()
}

/// Waits until the page of a job contains these words.
fn until_it_says(browser: &mut Browser, job: &str, words: &str) -> Page {
    until_some(words, || {
        let page = browser.get(job);
        assert_eq!(page.status, 200, "{}", page.body);
        page.body.contains(words).then_some(page)
    })
}

/// A server that is late from the start.
fn late() -> Running {
    let server = start(None);
    server.lateness.tell(LATE);
    server
}

#[test]
fn what_is_asked_of_a_late_server_begins_when_it_is_not() {
    let (server, quiet) = (late(), start(None));
    let (mut browser, mut other) = (server.browser(), quiet.browser());
    let job = run_of(&mut browser, "incan-gold", "turn:7", "20000");
    let page = until_it_says(&mut browser, &job, PAUSED);
    assert!(page.body.contains("data-running"), "{}", page.body);
    let state = browser.get(&format!("/api/v1/jobs/{}", job.rsplit('/').next().unwrap())).body;
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    assert_eq!((&state["paused"], &state["counted"]), (&true.into(), &0.into()), "{state}");
    assert!(browser.get("/metrics").body.contains("\nmeeple_jobs_paused 1\n"));
    // Players are not delayed by it.
    let table = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let asked = browser.until_asked(&table);
    assert_eq!(browser.answer(&table, &asked, "stay").status, 303);
    assert!(browser.get(&job).body.contains(PAUSED));
    server.lateness.tell(Duration::ZERO);
    until_it_says(&mut browser, &job, "Done: 20000 episodes.");
    assert!(browser.get("/metrics").body.contains("\nmeeple_jobs_paused 0\n"));
    // The result equals one without a pause.
    assert_eq!(run_of(&mut other, "incan-gold", "turn:7", "20000"), job);
    until_it_says(&mut other, &job, "Done: 20000 episodes.");
    let result = |browser: &mut Browser| {
        let mut result: serde_json::Value =
            serde_json::from_str(&browser.get(&format!("{job}/result.json")).body).unwrap();
        result.as_object_mut().unwrap().retain(|name, _| !name.contains("second"));
        result
    };
    assert_eq!(result(&mut browser), result(&mut other));
}

#[test]
fn what_is_being_played_pauses_in_the_middle_and_can_be_stopped_there() {
    let server = start(None);
    let mut browser = server.browser();
    // Hours of work, so that it cannot end before it is inspected.
    let job = run_of(&mut browser, "cartolan", "merchant", "10000000");
    until_it_says(&mut browser, &job, "Below are the first");
    server.lateness.tell(LATE);
    let counted = |page: &Page| page.body.split_once("class=\"report\"").map(|(_, part)| part.to_owned());
    let first = until_it_says(&mut browser, &job, PAUSED);
    assert!(counted(&first).is_some(), "what there is stays in sight: {}", first.body);
    let competition = competition_of(&mut browser);
    assert_eq!(counted(&browser.get(&job)), counted(&first));
    assert_eq!(browser.post(&format!("{job}/stop"), &[]).status, 303);
    until_it_says(&mut browser, &job, "Stopped. The results so far are below.");
    // The next one waits in its place.
    until_it_says(&mut browser, &competition, PAUSED);
    server.lateness.tell(Duration::ZERO);
    let done = until_it_says(&mut browser, &competition, "Done: ");
    assert!(!done.body.contains(PAUSED));
}

#[test]
fn the_operator_sees_that_they_pause() {
    let mut config = options(None);
    config.operator = true;
    let server = Server::bind(&config).unwrap();
    let link = server.operator_link().unwrap();
    let server = run(server);
    let mut operator = server.browser();
    operator.get(&format!("/operator{}", link.split_once("/operator").unwrap().1));
    let says =
        |page: Page, words: &str| page.body.contains(&format!("Runs and competitions</dt><dd>{words}</dd>"));
    assert!(says(operator.get("/operator"), "may play"));
    server.lateness.tell(LATE);
    assert!(says(operator.get("/operator"), "pause"));
    server.lateness.tell(Duration::from_millis(19));
    assert!(says(operator.get("/operator"), "may play"));
}
