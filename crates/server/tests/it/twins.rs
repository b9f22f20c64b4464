//! Twin episodes at sockets: viewers who may not know the difference get equal messages, order
//! and versions.

use std::collections::BTreeMap;

use meeple_core::{EpisodeSeed, Information, Seat, Stream, Viewer};
use meeple_games::games;
use meeple_testkit::{ScriptedDecision, twin_scripts};
use serde_json::{Value, json};

use crate::client::{Browser, Running, Socket, start};

/// All messages to a viewer's socket while these decisions are taken.
fn sent(
    server: &Running,
    game: &str,
    settings: &BTreeMap<&str, &str>,
    (seats, root): (usize, u64),
    viewer: Viewer,
    script: &[ScriptedDecision],
) -> Vec<Value> {
    let mut browser = server.browser();
    let json = [("content-type", "application/json")];
    let people: Vec<Value> = (0..seats).map(|_| json!("open")).collect();
    let order = json!({ "game": game, "settings": settings, "seats": people, "seed": root });
    let opened = browser.send("POST", "/api/v1/tables", &json, order.to_string());
    assert_eq!(opened.status, 201, "{}", opened.body);
    let table: Value = serde_json::from_str(&opened.body).unwrap();
    let id = table["id"].as_str().unwrap().to_owned();
    // One browser per seat: a browser with several seats is notified of decisions at the others.
    let mut browsers: Vec<_> = (0..seats).map(|_| server.browser()).collect();
    for (seat, browser) in browsers.iter_mut().enumerate() {
        let seat = seat.to_string();
        let page = browser.post(&format!("/t/{id}/join"), &[("seat", &seat), ("name", &format!("p{seat}"))]);
        assert_eq!(page.status, 303, "{}", page.body);
    }
    let (mut watching, query) = match viewer {
        Viewer::Seat(seat) => (browsers[seat.index()].clone(), format!("?as={}&data=1", seat.index())),
        _ => (server.browser(), "?data=1".to_owned()),
    };
    let mut socket = watching.socket(&format!("/t/{id}"), &query);
    let mut messages = Vec::new();
    let page = format!("/t/{id}{}", query.replace("data=1", ""));
    socket.say(&json!({ "type": "hello", "since": 0 }));
    hear_up_to_now(&mut watching, &page, &mut socket, &mut messages);
    for (seat, action) in script {
        let asked = browsers[*seat].get(&format!("/t/{id}?as={seat}"));
        let answered = browsers[*seat].answer(&format!("/t/{id}"), &asked, action);
        assert_eq!(answered.status, 303, "seat {seat}, {action}: {}", answered.body);
        hear_up_to_now(&mut watching, &page, &mut socket, &mut messages);
    }
    messages
}

/// Receives messages up to the state that the page shows.
fn hear_up_to_now(watching: &mut Browser, page: &str, socket: &mut Socket, messages: &mut Vec<Value>) {
    let page = watching.get(page).body;
    let (_, rest) = page.split_once("data-version=\"").expect("the page has a version");
    let version: u64 = rest.split('"').next().and_then(|text| text.parse().ok()).expect("it is a number");
    while messages.last().is_none_or(|message| message["version"] != version) {
        messages.push(socket.hear());
    }
}

#[test]
fn twin_episodes_are_the_same_messages_at_the_socket() {
    let server = start(None);
    // Rich ships that are always near each other: most fights overfill a hold in one of the
    // episodes.
    let fights: &[(&str, &str)] =
        &[("map", "pocket"), ("holds", "1,2,4"), ("ranges", "6,6,6"), ("start_money", "400")];
    let mut differ = 0;
    for entry in games() {
        let info = entry.info();
        if info.information == Information::Perfect {
            continue;
        }
        for preset in info.presets {
            let settings = if info.id == "privateers" { fights } else { &[] };
            let owned: Vec<(String, String)> =
                settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            let seats = 3.clamp(*info.seats.start(), *info.seats.end());
            let Ok(game) = entry.set_up(Some(preset.name), &owned, seats) else { continue };
            let name = format!("{}/{}", info.id, preset.name);
            for (root, viewer) in [(1, Viewer::Public), (2, Viewer::Seat(Seat::new(1)))] {
                let mut rng = Stream::from_seed(root);
                let twins = twin_scripts(&*game, EpisodeSeed::new(root, 0), viewer, 20, &mut rng);
                differ += usize::from(twins.decisions[0] != twins.decisions[1]);
                let settings = settings.iter().copied().collect();
                let [one, two] = [0, 1].map(|world| {
                    sent(&server, &name, &settings, (game.seats(), root), viewer, &twins.decisions[world])
                });
                assert_eq!(one, two, "{name}, {viewer:?}: {:?}", twins.decisions);
            }
        }
    }
    assert!(differ > 0, "{differ}");
}
