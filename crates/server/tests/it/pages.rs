//! Pages: their content and permissions.

use meeple_games::games;

use crate::client::{start, until};

#[test]
fn every_game_has_its_pages() {
    let server = start(None);
    let mut browser = server.browser();
    let home = browser.get("/");
    for entry in games() {
        let info = entry.info();
        assert!(home.body.contains(&format!("href=\"/new/{}\"", info.id)), "{}", info.id);
        let rules = browser.get(&format!("/rules/{}", info.id));
        assert_eq!(rules.status, 200);
        // Clauses are numbered `R1` in some texts and `1.1` in others.
        let clauses = info.rules.lines().filter_map(|line| {
            let word = line.trim_start_matches(['#', '-', ' ']).split(' ').next()?;
            let digits = word.strip_prefix('R').unwrap_or(word);
            let is_number = digits.split('.').all(|part| part.parse::<u32>().is_ok());
            (is_number && word.contains(['R', '.'])).then_some(word)
        });
        let clauses: Vec<&str> = clauses.collect();
        assert!(clauses.len() >= 3, "{} has clauses", info.id);
        for clause in clauses {
            assert!(rules.body.contains(&format!("id=\"{clause}\"")), "{} {clause}", info.id);
        }
        assert!(!rules.body.contains("<!--"), "{}", info.id);
        assert_eq!(browser.get(&format!("/guide/{}", info.id)).status, 200);
        for preset in info.presets {
            let form = browser.get(&format!("/new/{}?preset={}", info.id, preset.name));
            assert_eq!(form.status, 200);
            for param in entry.params() {
                assert!(form.body.contains(&format!("name=\"set.{}\"", param.name)), "{}", param.name);
            }
        }
    }
}

#[test]
fn a_form_that_nobody_changed_opens_the_preset() {
    let server = start(None);
    for entry in games() {
        let info = entry.info();
        for preset in info.presets {
            let mut browser = server.browser();
            let form = browser.get(&format!("/new/{}?preset={}", info.id, preset.name));
            let mut fields = vec![("preset", preset.name.to_owned()), ("agent.0", "me".to_owned())];
            fields.push(("agent.1", "random".to_owned()));
            let values = form.body.split("name=\"set.").skip(1).filter_map(|rest| {
                let (name, rest) = rest.split_once('"')?;
                // Inputs have a value, selects a selected option.
                let tag = rest.split('>').next()?;
                let value = match tag.split_once("value=\"") {
                    Some((_, value)) => value.split('"').next()?,
                    None => rest.split("<option selected>").nth(1)?.split('<').next()?,
                };
                Some((format!("set.{name}"), value.replace("&quot;", "\"")))
            });
            let values: Vec<(String, String)> = values.collect();
            assert_eq!(values.len(), entry.params().len(), "{}/{}", info.id, preset.name);
            let mut sent: Vec<(&str, &str)> =
                fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            sent.extend(values.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            let table = browser.open(info.id, &sent);
            assert_eq!(browser.get(&table).status, 200);
        }
    }
}

#[test]
fn a_friend_sits_down_by_a_link_and_both_play() {
    let server = start(None);
    let (mut host, mut friend, mut stranger) = (server.browser(), server.browser(), server.browser());
    let table =
        host.open("carcassonne", &[("seat.0", "me"), ("seat.1", "friend"), ("name", "Ann"), ("seed", "5")]);
    assert!(host.get(&table).body.contains(&format!("{table}/join/1")));
    assert!(friend.get(&format!("{table}/join/1")).body.contains("Sit down at seat 1"));
    assert_eq!(friend.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Ben")]).status, 303);
    assert!(host.get(&table).body.contains("Ben"));
    // Late visitors are spectators and cannot play for others.
    assert_eq!(stranger.post(&format!("{table}/join"), &[("seat", "1"), ("name", "Eve")]).status, 409);
    let seen = stranger.get(&table);
    assert!(seen.body.contains("You are spectating."), "{}", seen.body);
    let refused = stranger.post(&format!("{table}/act"), &[("seat", "0"), ("number", "0"), ("action", "x")]);
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("seat 0 is not yours"), "{}", refused.body);
    for _ in 0..3 {
        for browser in [&mut host, &mut friend] {
            let page = browser.get(&table);
            if page.is_asked() {
                let action = page.actions()[0].clone();
                assert_eq!(browser.answer(&table, &page, &action).status, 303);
            }
        }
    }
    assert!(host.get(&format!("{table}/at/last?as=0")).body.contains("moment"));
}

#[test]
fn a_refused_answer_says_why_and_changes_nothing() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:5"), ("seed", "1")]);
    let page = browser.until_asked(&table);
    let wrong = browser.answer(&table, &page, "fly");
    assert_eq!(wrong.status, 409);
    assert!(wrong.body.contains("role=\"alert\"") && wrong.body.contains("fly"), "{}", wrong.body);
    assert_eq!(browser.get(&table).hidden("number"), page.hidden("number"));
    assert_eq!(browser.answer(&table, &page, "stay").status, 303);
    // The same page again, as after a double click: the question is closed.
    let again = browser.answer(&table, &page, "stay");
    assert_eq!(again.status, 409);
    assert!(again.body.contains("is not open"), "{}", again.body);
}

#[test]
fn who_leaves_is_played_on_for() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    assert_eq!(browser.post(&format!("{table}/leave"), &[("seat", "0"), ("agent", "turn:4")]).status, 303);
    let late = browser.post(&format!("{table}/act"), &[("seat", "0"), ("number", "0"), ("action", "stay")]);
    assert_eq!(late.status, 400, "the key opens nothing now");
    until("the end of the game", || browser.get(&table).is_over());
}

#[test]
fn advice_is_a_legal_action() {
    let server = start(None);
    let mut browser = server.browser();
    for entry in games() {
        if entry.info().advisor.is_empty() {
            continue;
        }
        let seats = [("seat.0", "me"), ("agent.1", "random"), ("seed", "1")];
        let table = browser.open(entry.info().id, &seats);
        browser.until_asked(&table);
        let page = browser.get(&format!("{table}?as=0&hint=1"));
        let (_, advice) =
            page.body.split_once("would: <strong data-action=\"").expect("the hint is on the page");
        let advice = advice.split('"').next().unwrap().to_owned();
        assert!(
            page.body.contains("expected share of the win")
                && page.body.contains("looks, at what you can know")
        );
        assert_eq!(browser.answer(&table, &page, &advice).status, 303, "{advice}");
    }
}

#[test]
fn a_replay_waits_for_the_end() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("carcassonne", &[("seat.0", "me"), ("agent.1", "greedy")]);
    let refused = browser.get(&format!("{table}/replay.json"));
    assert_eq!(refused.status, 403);
    assert!(!refused.body.contains("\"seed\""));
}

#[test]
fn tables_are_found_if_their_owner_says_so() {
    let server = start(None);
    let mut browser = server.browser();
    let secret = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let open = browser.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3"), ("listed", "on")]);
    let home = browser.get("/");
    assert!(home.body.contains(&open) && !home.body.contains(&secret));
}

#[test]
fn two_people_at_one_screen_take_turns_and_do_not_see_each_others_hands() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("carcassonne", &[("seat.0", "me"), ("seat.1", "me"), ("name", "Ann")]);
    let mut asked = [0, 0];
    for _ in 0..8 {
        let page = browser.get(&table);
        // The device is handed over first.
        assert!(page.body.contains("Give the device to"), "{}", page.body);
        assert!(page.actions().is_empty() && !page.body.contains("<svg xmlns"), "{}", page.body);
        let (_, rest) = page.body.split_once("?as=").unwrap();
        let seat: usize = rest.split('"').next().unwrap().parse().unwrap();
        asked[seat] += 1;
        let page = browser.get(&format!("{table}?as={seat}"));
        assert!(page.is_asked(), "{}", page.body);
        let action = page.actions().pop().unwrap();
        assert_eq!(browser.answer(&table, &page, &action).status, 303);
    }
    assert!(asked.iter().all(|times| *times >= 2), "{asked:?}");
    let other = browser.get(&format!("{table}?as=watch"));
    assert!(!other.is_asked());
}

#[test]
fn a_seat_goes_on_at_another_device_by_its_link() {
    let server = start(None);
    let (mut computer, mut phone) = (server.browser(), server.browser());
    let table = computer.open("incan-gold", &[("seat.0", "me"), ("agent.1", "turn:3")]);
    let page = computer.until_asked(&table);
    let (_, rest) = page.body.split_once(&format!("{table}/seat/")).expect("the link is on the page");
    let link = format!("{table}/seat/{}", rest.split('"').next().unwrap());
    assert_eq!(phone.get(&link).status, 303);
    assert!(phone.get(&table).is_asked());
    let wrong = phone.get(&format!("{table}/seat/abc"));
    assert_eq!(wrong.status, 400);
    assert!(wrong.body.contains("opens no seat"));
}

/// Strangers must not learn which files exist, wherever an agent can be named.
#[test]
fn agents_that_read_files_are_refused() {
    let server = start(None);
    let mut browser = server.browser();
    for word in ["net:/etc/hostname", "net:file=/etc/hostname", "x=net:/etc/hostname", "net:samples=5"] {
        let page = browser.post("/new/incan-gold", &[("agent.0", "me"), ("agent.1", word)]);
        assert!(page.body.contains("which may name files"), "{word}: {}", page.body);
        let page = browser.post("/lab/incan-gold", &[("agent.0", "turn:7"), ("agent.1", word)]);
        assert!(page.body.contains("which may name files"), "{word}: {}", page.body);
    }
    // Parameters that take words or files: only unknown words are refused.
    let words = [
        "mcts:value=/etc/hostname",
        "mcts:10, value=hints2",
        "x=mcts:value=scores,value= hints",
        "mcts:policy=x",
    ];
    for word in words {
        let page = browser.post("/new/incan-gold", &[("agent.0", "me"), ("agent.1", word)]);
        assert!(page.body.contains("are not read here"), "{word}: {}", page.body);
    }
    browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "mcts:iterations=9,value=scores")]);
    let table = browser.open("incan-gold", &[("agent.0", "me"), ("agent.1", "turn:7")]);
    let page = browser.post(&format!("{table}/leave"), &[("seat", "0"), ("agent", "net:/etc/hostname")]);
    assert!(page.body.contains("which may name files"), "{}", page.body);
}

#[test]
fn what_is_asked_is_asked_part_by_part_in_words() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("carcassonne", &[("seat.0", "me"), ("agent.1", "greedy"), ("seed", "5")]);
    let page = browser.until_asked(&table);
    assert!(page.body.contains("place tile") && page.body.contains("at column "), "{}", page.body);
    assert!(page.body.contains("<h3>"), "{}", page.body);
    // The drawing's spots have the same texts, and none is labelled with an action's text form.
    assert!(!page.body.contains("aria-label=\"place R"), "{}", page.body);
}

#[test]
fn a_turn_is_put_together_by_requests_that_keep_nothing() {
    let server = start(None);
    let mut browser = server.browser();
    let seats =
        [("seat.0", "me"), ("agent.1", "zombie"), ("set.size", "3"), ("set.rounds", "2"), ("seed", "1")];
    let table = browser.open("game17", &seats);
    let page = browser.until_asked(&table);
    assert!(page.body.contains("id=\"composer\"") && page.body.contains("class=\"target\""), "{}", page.body);
    let answer = browser.get(&format!("{table}/compose?as=0&data=1"));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let answer: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(Some(answer["number"].to_string()), page.hidden("number"));
    let additions = answer["composition"]["additions"].as_array().unwrap();
    let square = additions.last().unwrap()["text"].as_str().unwrap();
    // The part alone for the script, the whole page without one.
    let part = browser.get(&format!("{table}/compose?as=0&so-far={square}:n1"));
    assert!(
        part.body.starts_with("<div id=\"composer\"") && part.body.contains("Make this move"),
        "{}",
        part.body
    );
    let whole = browser.get(&format!("{table}?as=0&so-far={square}:n1"));
    assert!(whole.body.contains("Make this move") && whole.body.contains("Take back"), "{}", whole.body);
    // Errors are reported, and visitors without a seat compose nothing.
    let wrong = browser.get(&format!("{table}/compose?as=0&so-far=9,9"));
    assert_eq!(wrong.status, 409);
    assert!(wrong.body.contains("one of your squares"), "{}", wrong.body);
    assert!(browser.get(&format!("{table}?as=0&so-far=9,9")).body.contains("one of your squares"));
    assert_eq!(server.browser().get(&format!("{table}/compose?as=0")).status, 400);
    assert_eq!(browser.get(&table).hidden("number"), page.hidden("number"));
    let action = format!("{square}:n1");
    assert_eq!(browser.answer(&table, &page, &action).status, 303);
}

#[test]
fn guides_show_the_table_after_every_piece_of_the_first_game() {
    let server = start(None);
    let mut browser = server.browser();
    for entry in meeple_games::games() {
        let page = browser.get(&format!("/guide/{}", entry.info().id));
        let played = entry.info().guide.split("\n```").skip(1).step_by(2);
        let played =
            played.filter(|piece| piece.contains("\n$ meeple play") || piece.contains("\n> ")).count();
        assert!(played > 0, "{}", entry.info().id);
        assert_eq!(page.body.matches("<figure class=\"drawn\"").count(), played, "{}", entry.info().id);
        assert_eq!(page.body.matches("<svg").count(), played, "{}", entry.info().id);
        assert_eq!(browser.get(&format!("/guide/{}", entry.info().id)).body, page.body);
    }
}
