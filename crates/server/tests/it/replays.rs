//! Stored episodes: finished tables and uploads.

use serde_json::Value;

use crate::client::{Browser, Page, options, start, start_with, until};

/// Plays a table of agents and a person who leaves the temple at once, and returns its address.
fn played(browser: &mut Browser) -> String {
    let table =
        browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3"), ("agent.2", "turn:5")]);
    loop {
        let page = browser.until_asked(&table);
        if page.is_over() {
            return table;
        }
        browser.answer(&table, &page, "leave");
    }
}

fn replay_of(table: &str) -> String {
    table.replacen("/t/", "/r/", 1)
}

/// Uploads a replay as a program does.
fn upload(browser: &mut Browser, address: &str, text: &str) -> Page {
    let origin = format!("http://{address}");
    browser.send("POST", "/replays", &[("origin", &origin), ("content-type", "application/json")], text)
}

/// The data of the player's page.
fn data(page: &Page) -> Value {
    let (_, data) = page.body.split_once("id=\"data\">").expect("the page has data");
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The same data without the address for more moments, which depends on the page.
fn played_data(page: &Page) -> Value {
    let mut data = data(page);
    data["source"].take();
    data
}

#[test]
fn a_table_that_is_over_has_a_replay_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let running = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:3")]);
    let early = browser.get(&replay_of(&running));
    assert_eq!(early.status, 409, "{}", early.body);
    let table = played(&mut browser);
    let link = replay_of(&table);
    assert!(browser.get(&table).body.contains(&format!("href=\"{link}\"")));
    let before = browser.get(&link);
    assert_eq!(before.status, 200, "{}", before.body);
    drop(server);

    let server = start(Some(&file));
    let mut stranger = server.browser();
    let page = stranger.get(&link);
    assert_eq!(page.body, before.body);
    // The script is a file, because the page's policy allows no inline scripts.
    assert!(page.body.contains("<script src=\"/assets/player.js") && !page.body.contains("<script>"));
    let replay = stranger.get(&format!("{link}/replay.json"));
    let steps = serde_json::from_str::<Value>(&replay.body).unwrap()["steps"].as_array().unwrap().len();
    assert_eq!(data(&page)["last"], steps);
    assert_eq!(replay.body, stranger.get(&format!("{table}/replay.json")).body);
    let alone = stranger.get(&format!("{link}/replay.html?as=1"));
    assert!(alone.body.contains("<script>\n") && !alone.body.contains("src=\"/"));
    assert!(alone.header("content-disposition").unwrap().ends_with(".html\""));
    assert_eq!(played_data(&alone), played_data(&stranger.get(&format!("{link}?as=1"))));
    let drawing = stranger.get(&format!("{link}/at/3.svg?as=public"));
    assert_eq!(drawing.header("content-type"), Some("image/svg+xml"));
    assert!(drawing.body.starts_with("<svg"));
    let moment = stranger.get(&format!("{link}/at/3"));
    assert!(moment.body.contains(&format!("moment 3 of {steps}")), "{}", moment.body);
    assert!(stranger.get(&format!("{link}/at/last")).body.contains(&format!("moment {steps} of {steps}")));
    for (path, status, expected) in [
        ("/r/nothing", 404, "there is no replay"),
        (&format!("{link}?as=3"), 400, "expected a seat from 0 to 2, public or all, found &#39;3&#39;"),
    ] {
        let page = stranger.get(path);
        assert_eq!(page.status, status, "{}", page.body);
        assert!(page.body.replace('\'', "&#39;").contains(expected), "{}", page.body);
    }
}

#[test]
fn uploads_are_verified_and_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let address = server.address.to_string();
    let mut browser = server.browser();
    let table = played(&mut browser);
    let replay = browser.get(&format!("{table}/replay.json")).body;
    let kept = upload(&mut browser, &address, &replay);
    assert_eq!(kept.status, 303, "{}", kept.body);
    let link = kept.header("location").unwrap().to_owned();
    assert_eq!(upload(&mut browser, &address, &replay).header("location"), Some(link.as_str()));
    assert_eq!(played_data(&browser.get(&link)), played_data(&browser.get(&replay_of(&table))));

    let first = serde_json::from_str::<Value>(&replay).unwrap()["steps"][0].as_str().unwrap().to_owned();
    let without = |from: &str, to: &str| replay.replacen(from, to, 1);
    for (wrong, status, expected) in [
        (String::new(), 400, "expected a file, found none"),
        ("{}".to_owned(), 400, "expected a replay of format 1"),
        (replay[..replay.len() / 2].to_owned(), 400, "expected a replay in JSON"),
        (without("incan-gold", "chess"), 400, "chess"),
        (without(&first, "c nonsense"), 400, "step 1 ("),
        (without("\"places\": [", "\"places\": [9,"), 400, "but the stored result is"),
        ("x".repeat(1 << 21), 400, "expected at most"),
    ] {
        let page = upload(&mut browser, &address, &wrong);
        assert_eq!(page.status, status, "{expected}: {}", page.body);
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    }
    // A form contains a file among other parts, and appears again with errors.
    let form = |content: &str| {
        format!(
            "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n\r\n{content}\r\n--x--\r\n"
        )
    };
    let origin = format!("http://{address}");
    let headers = [("origin", origin.as_str()), ("content-type", "multipart/form-data; boundary=x")];
    assert_eq!(
        browser.send("POST", "/replays", &headers, form(&replay)).header("location"),
        Some(link.as_str())
    );
    let again = browser.send("POST", "/replays", &headers, form("{}"));
    assert_eq!(again.status, 400);
    assert!(again.body.contains("role=\"alert\"") && again.body.contains("type=\"file\""), "{}", again.body);
    drop(server);
    let server = start(Some(&file));
    assert_eq!(browser.at(server.address).get(&link).status, 200);
}

#[test]
fn strangers_cannot_fill_the_disk() {
    let made = start(None);
    let mut browser = made.browser();
    let replays: Vec<String> = (0..2)
        .map(|_| {
            let table = played(&mut browser);
            browser.get(&format!("{table}/replay.json")).body
        })
        .collect();
    let one = meeple_replay::compressed(&replays[0]).len() as u64;
    let server = start_with(&meeple_server::Options { most_upload_bytes: one + one / 2, ..options(None) });
    let address = server.address.to_string();
    let mut browser = server.browser();
    // A different replay: a player has another name.
    let other = replays[1].replacen("Guest", "Somebody", 1);
    assert_eq!(upload(&mut browser, &address, &replays[0]).status, 303);
    let full = upload(&mut browser, &address, &other);
    assert_eq!(full.status, 507, "{}", full.body);
    assert!(full.body.contains("--uploads"), "{}", full.body);
    // A stored replay takes no further space.
    assert_eq!(upload(&mut browser, &address, &replays[0]).status, 303);
    // A text above the limit is refused, however small it is compressed.
    let bomb = meeple_replay::compressed(&" ".repeat(9 << 20));
    assert!(bomb.len() < 1 << 20);
    let origin = format!("http://{address}");
    let page = browser.send("POST", "/replays", &[("origin", &origin)], &bomb);
    assert_eq!(page.status, 400, "{}", page.body);
    assert!(page.body.contains("expected a replay of at most"), "{}", page.body);
}

#[test]
fn a_record_of_a_games_original_is_shown_as_text() {
    let server = start(None);
    let address = server.address.to_string();
    let mut browser = server.browser();
    let record = concat!(
        r#"{"owners":[[0,1],[2,3]],"numbers":[[4,4],[4,4]],"#,
        r#""diffs":[{"round":0,"owner":0,"owners":[[0,1,0]],"numbers":[[0,0,0],[0,1,8]]}]}"#
    );
    let kept = upload(&mut browser, &address, record);
    assert_eq!(kept.status, 303, "{}", kept.body);
    let link = kept.header("location").unwrap();
    let page = browser.get(link);
    assert!(page.body.contains("moment 0 of"), "{}", page.body);
    assert!(browser.get(&format!("{link}/at/1")).body.contains("moment 1 of"));
    assert_eq!(browser.get(&format!("{link}/replay.json")).body, record);
    let wrong = upload(&mut browser, &address, &record.replacen("[0,0,0]", "[0,0,2]", 1));
    assert_eq!(wrong.status, 400, "{}", wrong.body);
    assert!(wrong.body.contains("expected 16 pieces on the board, found 18"), "{}", wrong.body);
}

#[test]
fn a_replay_is_played_on_from_a_moment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let table = played(&mut browser);
    let link = replay_of(&table);
    let replay: Value = serde_json::from_str(&browser.get(&format!("{link}/replay.json")).body).unwrap();
    let steps = replay["steps"].as_array().unwrap();
    let at = steps.len() / 2;
    let go_on = |browser: &mut Browser, at: &str, seat: &str, agent: &str| {
        browser.post(&format!("{link}/play"), &[("at", at), ("as", "all"), ("seat", seat), ("agent", agent)])
    };
    let opened = go_on(&mut browser, &at.to_string(), "1", "as played");
    assert_eq!(opened.status, 303, "{}", opened.body);
    let next = opened.header("location").unwrap().to_owned();
    let page = browser.get(&next);
    // Seat 0 was a person, so the advisor plays it; seat 2 keeps its agent.
    let (log, players) = (page.body.as_str(), &replay["players"]);
    assert!(log.contains("turn:5") && log.contains("Guest"), "{players}");
    drop(server);
    let server = start(Some(&file));
    let mut browser = browser.at(server.address);
    loop {
        let page = browser.until_asked(&next);
        if page.is_over() {
            break;
        }
        assert_eq!(page.hidden("seat").as_deref(), Some("1"));
        browser.answer(&next, &page, "stay");
    }
    let after: Value = serde_json::from_str(&browser.get(&format!("{next}/replay.json")).body).unwrap();
    let after_steps = after["steps"].as_array().unwrap();
    assert_eq!(after_steps[..at], steps[..at], "it begins as the replay does, chance included");
    assert!(after_steps.len() > at);
    assert_eq!(after.get("seed"), None, "its chance follows from no seed");
    // It is an ordinary replay.
    assert_eq!(data(&browser.get(&replay_of(&next)))["last"], after_steps.len());

    for (at, seat, agent, expected) in [
        (&steps.len().to_string(), "0", "as played", "expected a moment before the end"),
        (&"99999".to_owned(), "0", "as played", "expected a moment before the end"),
        (&"0".to_owned(), "3", "as played", "expected a seat from 0 to 2, found 3"),
        (&"0".to_owned(), "0", "nobody-knows", "nobody-knows"),
        (&"0".to_owned(), "0", "net:/etc/hostname", "which may name files"),
    ] {
        let page = go_on(&mut browser, at, seat, agent);
        assert_eq!(page.status, 400, "{}", page.body);
        assert!(page.body.contains(expected), "{expected}: {}", page.body);
    }
}

#[test]
fn uploads_do_not_wait_for_tables_that_play_on() {
    let made = start(None);
    let mut browser = made.browser();
    let table = played(&mut browser);
    let replay = browser.get(&format!("{table}/replay.json")).body;
    let server = start_with(&meeple_server::Options { most_tables: 1, ..options(None) });
    server.time.tell(0);
    let (mut browser, address) = (server.browser(), server.address.to_string());
    // Its agents think for ever, so another table waits for its place and is refused after five seconds.
    browser.open("incan-gold", &[("agent.0", "turn:15"), ("agent.1", "turn:15")]);
    let link = upload(&mut browser, &address, &replay).header("location").unwrap().to_owned();
    let fields = [("at", "1"), ("seat", "0"), ("agent", "random")];
    let uploads = std::thread::scope(|scope| {
        let playing = scope.spawn(|| server.browser().post(&format!("{link}/play"), &fields).status);
        let mut uploads = 0;
        while !playing.is_finished() {
            assert_eq!(upload(&mut browser, &address, &replay).status, 303);
            uploads += 1;
        }
        assert_eq!(playing.join().unwrap(), 503);
        uploads
    });
    assert!(uploads > 20, "{uploads}");
}

/// Every game's replays are shown, and continued with their parameters.
#[test]
fn every_game_is_shown_and_played_on() {
    let server = start(None);
    let address = server.address.to_string();
    let mut browser = server.browser();
    for entry in meeple_games::games() {
        let info = entry.info();
        let table = browser.open(info.id, &[("agent.0", "random"), ("agent.1", "random")]);
        until("the end of the game", || browser.get(&table).is_over());
        let link = replay_of(&table);
        let page = browser.get(&link);
        assert_eq!(page.status, 200, "{}: {}", info.id, page.body);
        let replay = browser.get(&format!("{link}/replay.json")).body;
        let opened =
            browser.post(&format!("{link}/play"), &[("at", "1"), ("seat", "0"), ("agent", "random")]);
        assert_eq!(opened.status, 303, "{}: {}", info.id, opened.body);
        assert_eq!(upload(&mut browser, &address, &replay).status, 303, "{}", info.id);
    }
    let all = browser.get("/replays");
    assert!(all.status == 200 && all.body.contains("type=\"file\""), "{}", all.body);
}
