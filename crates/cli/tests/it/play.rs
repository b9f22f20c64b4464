//! `play`, `replay` and `render`.

use crate::{meeple, stdout};

#[test]
fn a_person_plays_a_whole_game() {
    // The input has more answers than any game needs: `y`, `n` and Enter, as in the original's script.
    let answers = "help\nwhat?\ny\n\nn\n".repeat(60);
    let output = meeple("play incan-gold human turn:4 --seed 3").write_stdin(answers).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Round 5 of 5"), "{text}");
    assert!(text.contains("wins (last round") || text.contains("share the win"), "{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("expected y (stay) or n (leave), found 'what?'"), "{errors}");
}

#[test]
fn quitting_is_clean() {
    for input in ["quit\n", "y\nq\n", ""] {
        let output = meeple("play incan-gold human never --seed 3").write_stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{input:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("you left the table"));
    }
}

#[test]
fn levels_of_watching() {
    let at =
        |level: &str| stdout(&format!("play incan-gold turn:4 random:0.3 --seed 5 -n 2 --level {level}"));
    let (totals, game, round, turn, detail) =
        (at("totals"), at("game"), at("round"), at("turn"), at("detail"));
    assert!(totals.contains("mean score") && !totals.contains("wins"));
    assert_eq!(game.matches("last round").count(), 2);
    assert!(round.contains("round 3 begins") && !round.contains("gem:"));
    assert!(turn.contains("gem:") && !turn.contains("decides:"));
    assert!(detail.contains("decides: leave"));
}

#[test]
fn replays_are_stored_checked_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["game.json", "game.json.gz"] {
        let replay = file(name);
        stdout(&format!("play incan-gold turn:4 backpack:9 --seed 5 --level totals --save {replay}"));
        assert!(stdout(&format!("replay {replay} --check")).contains("every step is right"));
        assert!(stdout(&format!("replay {replay} --level round")).contains("round 5 begins"));
        for output in ["table.svg", "table.png", "game.html"] {
            let output = file(output);
            meeple(&format!("render {replay} -o {output}")).assert().success();
            assert!(std::fs::metadata(&output).unwrap().len() > 1000, "{output}");
        }
    }
    let png = std::fs::read(file("table.png")).unwrap();
    assert_eq!(&png[1..4], b"PNG");
    let html = std::fs::read_to_string(file("game.html")).unwrap();
    assert!(html.contains("type=\"range\""));
    assert_eq!(
        html.matches("http").count(),
        html.matches("http://www.w3.org/2000/svg").count(),
        "self-contained"
    );
    let replay = file("game.json");
    meeple(&format!("render {replay} -o {} --at 9999", file("x.png"))).assert().code(2);
    meeple(&format!("render {replay} -o {}", file("x.gif"))).assert().code(2);
    meeple(&format!("render {replay} -o {} --viewer 7", file("x.png"))).assert().code(2);
    assert!(!folder.path().join("x.png").exists());
}

/// A decision forced by a fault is marked in every text view of a replay.
#[test]
fn faults_are_shown_in_every_view() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let replay = file("game.json");
    stdout(&format!("play incan-gold turn:4 backpack:9 --seed 5 --level totals --save {replay}"));
    let text = std::fs::read_to_string(&replay).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let steps = value["steps"].as_array().unwrap();
    let step = steps.iter().position(|step| step == "1 leave").unwrap();
    value["faults"] = serde_json::json!([
        { "seat": 1, "step": step, "kind": "TIMEOUT", "took_us": 2_013_400, "then": "fallback" },
        { "seat": 0, "step": steps.len(), "kind": "CRASH", "then": "out" },
    ]);
    std::fs::write(&replay, value.to_string()).unwrap();
    let sentences = [
        "fault of seat 1 backpack:9: TIMEOUT after 2.013 s; the fallback action stands in",
        "fault of seat 0 turn:4: CRASH; the fallback action stands in from here on",
    ];
    for flags in ["--level detail", "--level turn", "--level round", "--level game", "--check", "--film"] {
        let shown = stdout(&format!("replay {replay} {flags}"));
        for fault in sentences {
            assert_eq!(shown.matches(fault).count(), 1, "{flags}: {shown}");
        }
    }
    let detail = stdout(&format!("replay {replay} --level detail"));
    let (before, after) = detail.split_once(sentences[0]).unwrap();
    assert!(!before.contains("seat 1 backpack:9 decides: leave"), "{before}");
    assert!(after.contains("seat 1 backpack:9 decides: leave"), "{after}");
    meeple(&format!("render {replay} -o {}", file("game.html"))).assert().success();
    let html = std::fs::read_to_string(file("game.html")).unwrap();
    assert!(sentences.iter().all(|fault| html.matches(fault).count() == 1));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str| {
        let path = folder.path().join(name);
        stdout(&format!(
            "play incan-gold random:0.2 random:0.2 --seed 8 --level totals --save {}",
            path.display()
        ));
        std::fs::read(path).unwrap()
    };
    assert_eq!(play("a.json"), play("b.json"));
}

#[test]
fn a_place_for_the_replay_is_found_out_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let play = |path: &str| {
        meeple(&format!("play incan-gold turn:4 --seed 5 --level game --save {path}")).output().unwrap()
    };
    std::fs::write(file("letter.txt"), "Hello Ann").unwrap();
    let (missing, shown) = (file("missing/game.json"), folder.path().to_str().unwrap().to_owned());
    for (path, expected) in [
        (file("letter.txt"), "something else than a replay is there\nhint: "),
        (shown.clone(), "found a directory\nhint: name a file in it, as in "),
        (missing.clone(), "cannot write "),
        (format!("{shown}/.."), "cannot write "),
        ("/dev/null".to_owned(), "something else than a replay is there"),
    ] {
        let output = play(&path);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{path}: {errors}");
        assert!(errors.contains(expected), "{path}: expected {expected:?} in\n{errors}");
        assert!(output.stdout.is_empty(), "{path}: nothing is played");
    }
    assert_eq!(std::fs::read_to_string(file("letter.txt")).unwrap(), "Hello Ann");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");

    for name in ["game.json", "game.json.gz"] {
        assert!(play(&file(name)).status.success());
        assert!(play(&file(name)).status.success(), "a replay may be replaced");
    }
    // The person's word `save` is equally careful.
    let words = format!("save {}\nsave {}\nquit\n", file("letter.txt"), file("mine.json"));
    let output = meeple("play incan-gold human --seed 3").write_stdin(words).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("something else than a replay is there"));
    assert_eq!(std::fs::read_to_string(file("letter.txt")).unwrap(), "Hello Ann");
    assert!(stdout(&format!("replay {} --check", file("mine.json"))).contains("broken off"));
}

#[test]
fn names_in_a_replay_cannot_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let shown = path.to_str().unwrap();
    stdout(&format!("play incan-gold turn:4 turn:5 --seed 5 --level totals --save {shown}"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"turn:4\"", "\"Ann\\u001b[2J\\r\\u0007\"", 1)).unwrap();
    for flags in ["--level detail", "--level round", "--level game", "--check", "--film"] {
        let shown = stdout(&format!("replay {shown} {flags}"));
        assert!(shown.contains("Ann[2J"), "{flags}: {shown:?}");
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{flags}: {shown:?}");
    }
}

/// Views from one seat omit the private events of all other seats.
#[test]
fn a_hidden_game_seen_from_one_seat_shows_nothing_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let replay = file("game.json");
    stdout(&format!(
        "play privateers trader trader mixed --set map=pocket --set max_rounds=12 --seed 5 --level totals --save {replay}"
    ));
    // The words that mark private events, which other seats may not see.
    let all = stdout(&format!("replay {replay} --level detail"));
    let private = |line: &&str| {
        [" buys ", " sells ", " sees the prices of ", " throws one ", " fight points", " takes from "]
            .iter()
            .any(|words| line.contains(words))
            && !line.contains("buys a ")
    };
    let seat_of = |line: &str| line.split("seat ").nth(1).and_then(|rest| rest.chars().next());
    for viewer in ['0', '1', '2'] {
        let others: Vec<&str> = all
            .lines()
            .filter(private)
            .filter(|line| seat_of(line) != Some(viewer) && !line.contains(&format!("seat {viewer}")))
            .map(|line| line.trim_start_matches("* ").trim())
            .collect();
        assert!(others.len() > 10, "the game must have secrets: {}", others.len());
        let own = all.lines().filter(private).find(|line| seat_of(line) == Some(viewer)).unwrap();
        let html = file(&format!("seat{viewer}.html"));
        meeple(&format!("render {replay} --viewer {viewer} -o {html}")).assert().success();
        let html = std::fs::read_to_string(html).unwrap();
        let turns = stdout(&format!("replay {replay} --viewer {viewer} --level detail"));
        let rounds = stdout(&format!("replay {replay} --viewer {viewer} --level round"));
        let page = own.trim_start_matches("* ").trim();
        assert!(html.contains(page) && turns.contains(page), "the seat's own events are shown: {page}");
        for (what, text) in [("html", &html), ("detail", &turns), ("round", &rounds)] {
            for secret in &others {
                assert!(!text.contains(secret), "seat {viewer}, {what}: '{secret}'");
            }
            // Decisions that another seat has taken in secret are omitted too.
            let decisions = text.lines().flat_map(|line| line.split('"'));
            for line in decisions.filter(|line| line.contains("decides:") || line.contains(": buy ")) {
                let hidden = ["buy ", "buy-max", "sell ", "sell-all", "discard"];
                let shown = hidden.iter().any(|word| line.contains(&format!(": {word}")));
                assert!(!shown || line.contains(&format!("seat {viewer}")), "seat {viewer}, {what}: {line}");
            }
        }
        // Before the end, only the viewer's own value is shown.
        let before_the_end = rounds.split("round limit").next().unwrap();
        let pages =
            before_the_end.lines().filter(|line| line.starts_with("  seat") || line.starts_with("  ("));
        for line in pages.clone() {
            for other in ['0', '1', '2'].into_iter().filter(|other| *other != viewer) {
                assert!(!line.contains(&format!("seat {other} ")), "seat {viewer}: {line}");
            }
        }
        assert!(pages.count() > 5, "{rounds}");
    }
    // The public sees no private event at all.
    let public = stdout(&format!("replay {replay} --viewer public --level detail"));
    assert!(!public.lines().any(|line| private(&line)), "{public}");
}

/// The moments of a page, assembled as its script does. Each has the number by which `render --at` names it.
fn moments(page: &str) -> Vec<(usize, String)> {
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let numbers = |list: &serde_json::Value| -> Vec<usize> { serde_json::from_value(list.clone()).unwrap() };
    let mut lines = Vec::new();
    let moments = data["moments"].as_array().unwrap().iter().map(|moment| {
        let at = moment["at"].as_u64().unwrap() as usize;
        match &moment["lines"] {
            serde_json::Value::Null => {
                for change in moment["changes"].as_array().unwrap() {
                    let at = |index: usize| change[index].as_u64().unwrap() as usize;
                    lines.splice(at(0)..at(0) + at(1), numbers(&change[2]));
                }
            }
            whole => lines = numbers(whole),
        }
        let text = lines.iter().map(|number| data["lines"][number].as_str().unwrap().to_owned() + "\n");
        (at, text.collect())
    });
    moments.collect()
}

/// The texts of a drawing, sorted, so that their order and grouping do not matter.
fn words(drawing: &str) -> Vec<&str> {
    let texts =
        drawing.split("<text").skip(1).filter_map(|rest| rest.split_once('>')?.1.split_once("</text>"));
    let mut words: Vec<&str> = texts.map(|(text, _)| text).collect();
    words.sort_unstable();
    words
}

#[test]
fn pages_show_every_moment_as_it_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (replay, page, picture) = (file("game.json"), file("game.html"), file("table.svg"));
    stdout(&format!("play incan-gold turn:6*4 --seed 3 --level totals --save {replay}"));
    meeple(&format!("render {replay} -o {page}")).assert().success();
    let moments = moments(&std::fs::read_to_string(page).unwrap());
    let ended = |round: usize| {
        let heading = format!("Round {round} of 5 is over");
        moments.iter().any(|(_, moment)| moment.contains(&heading))
    };
    assert!((1..5).all(ended), "every round is shown as it ended");
    assert!(moments.len() > 100, "some are stored whole, others as changes: {}", moments.len());
    let steps = {
        let replay: serde_json::Value = serde_json::from_slice(&std::fs::read(&replay).unwrap()).unwrap();
        replay["steps"].as_array().unwrap().len()
    };
    assert_eq!(moments.last().map(|(at, _)| *at), Some(steps), "the last moment");
    assert!(moments.is_sorted_by(|one, other| one.0 < other.0), "in order");
    for (at, moment) in moments.iter().step_by(9).chain(moments.last()) {
        meeple(&format!("render {replay} -o {picture} --at {at}")).assert().success();
        let picture = std::fs::read_to_string(&picture).unwrap();
        assert_eq!(words(moment), words(&picture), "moment {at}");
    }
}

#[test]
fn what_is_typed_may_be_anything() {
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("game.json");
    let mut input = b"y\n\xff\nsave\n".to_vec();
    input.extend(vec![b'x'; 100_000]);
    input.extend(b"\n\x1b[2J\nn\n");
    let words = format!("play incan-gold human --seed 3 --save {}", replay.display());
    let output = meeple(&words).write_stdin(input).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("found '\u{fffd}'") && errors.contains("expected a file name"), "{errors}");
    assert!(errors.len() < 10_000 && !errors.contains('\x1b'), "long and steering texts are cleaned");
    assert!(replay.exists());
}

#[test]
fn steps_wait_after_every_game() {
    for (input, games) in [("\n\n", 3), ("\nq\n", 2), ("q\n", 1)] {
        let words = "play incan-gold turn:7 turn:8 --seed 5 -n 3 --level game --step";
        let output = meeple(words).write_stdin(input).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_eq!(shown.matches("last round;").count(), games, "{shown}");
    }
}

fn check_session(words: &str, typed: &str, expected: &[&str]) {
    let output = meeple(words).write_stdin(typed.to_owned()).output().unwrap();
    let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{words}: {errors}");
    for part in expected {
        assert!(
            shown.contains(part) || errors.contains(part),
            "{words}: expected {part:?} in\n{shown}\n{errors}"
        );
    }
}

#[test]
fn a_decision_is_taken_back_until_something_new_has_come() {
    // A tile was laid and its claim is still owed, so the person has learned nothing new.
    check_session(
        "play carcassonne/classic human greedy --seed 2",
        "undo\nplace J 1,0 r3\nundo\nplace J 1,0 r3\nclaim city W\nundo\nquit\n",
        &[
            "you have decided nothing",
            "taken back: place J 1,0 r3",
            "chance has drawn since your last decision",
        ],
    );
    // A card has been drawn by chance.
    check_session(
        "play incan-gold human --seed 8",
        "stay\nundo\nquit\n",
        &["chance has drawn since your last decision"],
    );
    // Another seat has answered.
    check_session(
        "play incan-gold human turn:7 --seed 8",
        "stay\nundo\nquit\n",
        &["seat 1 has decided since your last decision"],
    );
    // Several steps are taken back, one after the other.
    check_session(
        "play cartolan/beginner human explorer --seed 2",
        "n\nundo\ne\nundo\nundo\nquit\n",
        &["taken back: go n", "taken back: go e", "you have decided nothing"],
    );
    // A port reveals its prices to a ship that enters it for the first time. Other moves can be taken back.
    check_session(
        "play privateers human trader --seed 10",
        "buy tobacco\ne\nundo\ne\nn\nn\nn\ne\nn\nn\nw\nundo\nquit\n",
        &["taken back: move east", "your last decision has revealed something to you"],
    );
}

#[test]
fn an_undone_decision_leaves_no_trace_in_the_replay() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for (name, typed) in [("plain", "n\nend\n"), ("undone", "e\nundo\nn\nundo\nn\nend\n")] {
        let words = format!("play cartolan/beginner human explorer --seed 2 --save {}", file(name).display());
        let output = meeple(&words).write_stdin(typed).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    assert!(text("plain").contains("0 go n"));
    assert!(text("plain") == text("undone"), "{}", text("undone"));
}

#[test]
fn hints_change_nothing() {
    for (table, rest) in [
        ("incan-gold human turn:7", "n"),
        ("carcassonne human greedy", "1"),
        ("cartolan human explorer", "end"),
        ("privateers human trader", "end"),
        ("game17 human --set size=5", "-"),
    ] {
        let hint_of = |line: &str| line.split_once("hint: ").map(|(_, hint)| hint.to_owned());
        let typed = format!("hint\nhint\n{rest}\nquit\n");
        let output = meeple(&format!("play {table} --seed 4")).write_stdin(typed).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let hints: Vec<String> = errors.lines().filter_map(hint_of).collect();
        assert!(hints.len() == 2 && hints[0] == hints[1], "{table}: {errors}");
        assert!(hints[0].contains(" would choose "), "{table}: {errors}");
        // Hints leave the game unchanged: it is the same game without them.
        let asked = String::from_utf8(output.stdout).unwrap();
        let output = meeple(&format!("play {table} --seed 4"))
            .write_stdin(format!("{rest}\nquit\n"))
            .output()
            .unwrap();
        assert_eq!(asked, String::from_utf8(output.stdout).unwrap(), "{table}");
    }
}

#[test]
fn news_are_printed_once_and_short() {
    let play = |typed: &str| {
        let table = "play game17 human --set size=8 --seed 2";
        let output = meeple(table).write_stdin(format!("{typed}quit\n")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = play("-\n");
    assert!(
        printed.contains("your squares since your last turn"),
        "the game tells the news itself: {printed}"
    );
    let events = |text: &str| text.lines().filter(|line| line.starts_with("* ")).count();
    let log = play("-\nlog\n");
    assert!(log.starts_with(&printed));
    let log = &log[printed.len()..];
    assert_eq!(events(&printed), 0, "{printed}");
    assert!(events(log) > 60, "the log has it all: {log}");
    assert_eq!(events(&play("-\nlog 3\n")[printed.len()..]), 3);
    check_session(
        "play incan-gold human --seed 8",
        "stay\nboard\nlog 2\nlog x\nscroll up\nfollow\noverview\nquit\n",
        &["expected a number of lines, found 'x'", "there is no board"],
    );
}

#[test]
fn pipes_get_whole_boards() {
    let output = meeple("play cartolan human merchant pirate trader --seed 5")
        .write_stdin("end\n".repeat(400))
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(!shown.contains("more left") && !shown.contains("more right"), "nothing is torn");
    assert!(shown.lines().any(|line| line.chars().count() > 80), "the map has grown");
}
