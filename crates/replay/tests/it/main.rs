//! Replays from bytes, and moments by number.

use meeple_core::{
    AnyEntry, Consequence, Domain, EpisodeSeed, PlayerLabel, Replay, ReplayFault, Seat, Viewer,
};
use meeple_games::{find_game, games};
use meeple_replay::{
    FaultLog, Page, PageBudget, PageSurroundings, Portion, compressed, count_moments, moment, parse,
    parse_viewer, read_text, unpacked_length,
};
use serde_json::Value;

/// A complete random episode.
fn played(entry: &dyn AnyEntry) -> Replay {
    let seats = (*entry.info().seats.start()).max(2);
    played_with(entry, &[], seats, usize::MAX)
}

/// The first `steps` steps of a random episode.
fn played_with(entry: &dyn AnyEntry, settings: &[(String, String)], seats: usize, steps: usize) -> Replay {
    let game = entry.set_up(None, settings, seats).expect("it can be played");
    let mut episode = game.episode(EpisodeSeed::new(3, 0));
    while episode.view().steps() < steps {
        match episode.phase() {
            meeple_core::Phase::Chance => episode.step_chance(),
            meeple_core::Phase::Over => break,
            meeple_core::Phase::Decide(mut seats) => {
                let seat = seats.next().expect("somebody decides");
                let action = episode.sample_action(seat);
                episode.act(seat, &action).expect("what is drawn is legal");
            }
        }
    }
    let players = vec![PlayerLabel::from("random"); game.seats()];
    episode.view().replay(&players, None)
}

#[test]
fn texts_are_read_compressed_or_not_up_to_a_length() {
    let text = "a replay, perhaps";
    for bytes in [text.as_bytes().to_vec(), compressed(text)] {
        assert_eq!(read_text(bytes.clone(), text.len()).unwrap(), text);
        let error = read_text(bytes, text.len() - 1).unwrap_err().to_string();
        assert!(error.contains("at most 16 bytes"), "{error}");
    }
    let mut cut = compressed(text);
    cut.truncate(cut.len() - 9);
    for (bytes, expected) in [(cut, "expected a compressed replay"), (vec![0xff], "as text")] {
        let error = read_text(bytes, 100).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn viewers_are_seats_or_words() {
    assert_eq!(parse_viewer("public", 2), Ok(Viewer::Public));
    assert_eq!(parse_viewer("all", 2), Ok(Viewer::Everything));
    assert_eq!(parse_viewer("1", 2), Ok(Viewer::Seat(Seat::new(1))));
    for text in ["2", "-1", "", "one"] {
        let error = parse_viewer(text, 2).unwrap_err();
        assert!(error.contains(&format!("from 0 to 1, public or all, found '{text}'")), "{error}");
    }
}

#[test]
fn an_unknown_game_is_named() {
    let text = played(find_game("incan-gold").unwrap()).to_text().replacen("incan-gold", "chess", 1);
    let error = parse(&text).err().expect("there is no such game").to_string();
    assert!(error.contains("chess"), "{error}");
}

/// Moments are numbered as on the page: the page's last number is one below their count.
#[test]
fn moments_have_the_numbers_of_the_page() {
    for entry in games() {
        let replay = played(entry);
        let viewer = Viewer::Seat(Seat::new(1));
        let count = count_moments(entry, &replay, viewer).unwrap();
        let name = entry.info().id;
        assert!(moment(entry, &replay, viewer, count).unwrap().is_none(), "{name}");
        let last = moment(entry, &replay, viewer, count - 1).unwrap().unwrap();
        assert!(last.over, "{name}");
        assert_eq!(last.steps, replay.steps.len(), "{name}");
        let first = moment(entry, &replay, viewer, 0).unwrap().unwrap();
        assert!(!first.over && first.steps < last.steps, "{name}");
        let mut page = Page::new(viewer, &replay);
        let end = entry.replay(&replay, viewer, &mut |episode| page.add(episode)).unwrap();
        let html = page.to_html(&*end, &PageSurroundings::default());
        let (_, data) = html.split_once("id=\"data\">").expect("the page has data");
        let data: serde_json::Value =
            serde_json::from_str(data.split_once("</script>").unwrap().0).expect("it is JSON");
        assert_eq!(data["last"], count - 1, "{name}");
    }
}

/// Names come from strangers: no name acts as a placeholder of the template, or ends an element.
#[test]
fn names_are_only_text() {
    let entry = find_game("incan-gold").unwrap();
    let mut replay = played(entry);
    let name = "{{script}}</script><script>alert(1)</script>{{data}}\"'&";
    replay.players[0] = PlayerLabel { name: name.into(), color: None };
    let mut page = Page::new(Viewer::Everything, &replay);
    let end = entry.replay(&replay, Viewer::Everything, &mut |episode| page.add(episode)).unwrap();
    let around =
        PageSurroundings { script: Some("/player.js"), head: "<!--head-->", ..PageSurroundings::default() };
    let html = page.to_html(&*end, &around);
    assert!(!html.contains("<script>alert"), "a name is no markup");
    assert_eq!(html.matches("<script").count(), 2, "the data and the player");
    assert!(html.contains("<!--head-->") && html.contains("<script src=\"/player.js\">"));
    assert!(html.contains("{{script}}&lt;/script&gt;"), "the title tells the name as it is");
}

/// A law of every game: each viewer gets each fault of a finished episode once, in the page and by the
/// moments.
#[test]
fn every_view_tells_every_fault_once() {
    for entry in games() {
        let mut replay = played(entry);
        let steps = replay.steps.len();
        replay.players[0] = PlayerLabel::from("first\u{1b}[2J bot");
        let decisions = (0..steps).filter(|step| !replay.steps[*step].starts_with("c ")).collect::<Vec<_>>();
        let fault = |step: usize, kind: &str, took_us, then| {
            let seat = match replay.steps.get(step).map(|text| text.split(' ').next().unwrap().parse()) {
                Some(Ok(seat)) => Seat::new(seat),
                _ => Seat::new(0),
            };
            ReplayFault { took_us, ..ReplayFault::new(seat, step, kind, then) }
        };
        replay.faults = vec![
            fault(0, "NEVER_READY", None, Consequence::Fallback),
            fault(decisions[0], "TIMEOUT", Some(2_013_400), Consequence::Fallback),
            fault(decisions[decisions.len() / 2], "INVALID_MOVE", None, Consequence::Fallback),
            fault(steps, "CRASH", None, Consequence::Out),
        ];
        let read = Replay::parse(&replay.to_text()).unwrap();
        assert_eq!(read, replay);
        let name = entry.info().id;
        for viewer in [Viewer::Everything, Viewer::Public, Viewer::Seat(Seat::new(0))] {
            let mut page = Page::new(viewer, &replay);
            let end = entry.replay(&replay, viewer, &mut |episode| page.add(episode)).unwrap();
            let html = page.to_html(&*end, &PageSurroundings::default());
            // The reports of the faults, each with the number of its moment.
            let (mut log, mut number, mut reported) = (FaultLog::new(viewer, &replay), 0, Vec::new());
            entry
                .replay(&replay, viewer, &mut |episode| {
                    reported.extend(log.news(episode).into_iter().map(|line| (number, line)));
                    number += 1;
                })
                .unwrap();
            for (number, line) in &reported {
                let found = moment(entry, &replay, viewer, *number).unwrap().unwrap();
                assert!(found.news.contains(line), "{name}, {viewer:?}, moment {number}: {line}");
            }
            for fault in &replay.faults {
                let sentence = format!(": {}", fault.kind);
                assert_eq!(html.matches(&sentence).count(), 1, "{name}, {viewer:?}, {}: page", fault.kind);
                let lines = reported.iter().filter(|(_, line)| line.contains(&sentence)).count();
                assert_eq!(lines, 1, "{name}, {viewer:?}, {}: {reported:?}", fault.kind);
            }
            assert!(html.contains("TIMEOUT after 2.013 s; the fallback action stands in\""), "{name}");
        }
    }
}

/// The page's data of a portion.
fn data_of(entry: &dyn AnyEntry, replay: &Replay, viewer: Viewer, portion: Portion) -> (Value, usize) {
    let mut page = Page::with_portion(viewer, replay, portion);
    let end = entry.replay(replay, viewer, &mut |episode| page.add(episode)).unwrap();
    let html = page.to_html(&*end, &PageSurroundings::default());
    let (_, data) = html.split_once("id=\"data\">").expect("the page has data");
    let (data, _) = data.split_once("</script>").expect("the data end");
    let data: Value = serde_json::from_str(data).expect("it is JSON");
    let moments: Value = serde_json::from_str(&page.moments_to_json()).expect("it is JSON");
    for key in ["lines", "moments", "until"] {
        assert_eq!(data[key], moments[key], "{key}");
    }
    (data, html.len())
}

/// The moments of a portion as the page's script shows them: number, drawing, log and scores.
fn shown(data: &Value) -> Vec<(usize, String, Value, Value)> {
    let lines = data["lines"].as_array().unwrap();
    let (mut numbers, mut scores) = (Vec::new(), Value::Null);
    let moments = data["moments"].as_array().unwrap().iter();
    let show = |moment: &Value| {
        if let Some(whole) = moment["lines"].as_array() {
            numbers = whole.iter().map(|number| number.as_u64().unwrap() as usize).collect();
        }
        for change in moment["changes"].as_array().into_iter().flatten() {
            let (from, count, come): (usize, usize, Vec<usize>) =
                serde_json::from_value(change.clone()).unwrap();
            numbers.splice(from..from + count, come);
        }
        if !moment["scores"].is_null() {
            scores = moment["scores"].clone();
        }
        let text: Vec<&str> = numbers.iter().map(|number| lines[*number].as_str().unwrap()).collect();
        (moment["at"].as_u64().unwrap() as usize, text.join("\n"), moment["log"].clone(), scores.clone())
    };
    moments.map(show).collect()
}

/// The work for a page is bounded in advance for every legal replay, by the budget plus two drawings. Each
/// game is tried with its maximum of seats and parameters.
#[test]
fn pages_of_the_largest_replays_are_bounded() {
    const STEPS: usize = 300;
    let budget = PageBudget { bytes: 100 << 10, lines: 50_000 };
    for entry in games() {
        let info = entry.info();
        let seats = *info.seats.end();
        let mut settings = Vec::new();
        for param in entry.params() {
            let Domain::Int { max, .. } = param.domain else { continue };
            settings.push((param.name.to_owned(), max.to_string()));
            if entry.set_up(None, &settings, seats).is_err() {
                settings.pop();
            }
        }
        let replay = played_with(entry, &settings, seats, STEPS);
        let last = count_moments(entry, &replay, Viewer::Everything).unwrap() - 1;
        for from in [0, last / 2, last] {
            // Nothing is drawn before the portion starts, and at most two moments are drawn if they alone
            // exceed the budget.
            let (two, most) = data_of(
                entry,
                &replay,
                Viewer::Everything,
                Portion { from, budget: PageBudget { bytes: 0, lines: 0 } },
            );
            let (data, bytes) = data_of(entry, &replay, Viewer::Everything, Portion { from, budget });
            let count = |data: &Value| data["moments"].as_array().unwrap().len();
            assert!(count(&two) <= 2, "{}", info.id);
            assert!(bytes <= most + 2 * budget.bytes, "{}: {bytes} bytes, {most} of two moments", info.id);
            let lines: usize = shown(&data).iter().map(|moment| moment.1.lines().count()).sum();
            let alone: usize = shown(&two).iter().map(|moment| moment.1.lines().count()).sum();
            assert!(lines <= budget.lines + alone, "{}: {lines} lines", info.id);
        }
    }
}

#[test]
fn the_length_of_a_text_is_known_before_it_is_unpacked() {
    for text in ["", "a replay, perhaps", &"long ".repeat(10_000)] {
        assert_eq!(unpacked_length(&compressed(text)), text.len());
    }
    assert_eq!(unpacked_length(b"{}"), 2);
}
