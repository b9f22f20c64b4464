//! A person at a terminal: the painted page, keys, scrolling, and the terminal afterwards.

use nix::sys::signal::Signal;

use crate::pty::Terminal;
use crate::stdout;

const PROMPT: &str = "your action (help";

/// A line-up for a person in every game.
const TABLES: [&str; 5] = [
    "incan-gold human turn:7 backpack:20 hazards:2",
    "game17 human hunter t800",
    "carcassonne human builder greedy",
    "cartolan human merchant pirate trader",
    "privateers human trader mixed admiral",
];

/// Checks a page at a prompt: the prompt is the last line, and the first line is not empty.
fn check_page(terminal: &Terminal, what: &str) {
    let lines = terminal.lines();
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap();
    assert!(lines[last].contains(PROMPT), "{what}: the prompt is last\n{}", lines.join("\n"));
    assert!(!lines[0].is_empty(), "{what}: the first line is on top\n{}", lines.join("\n"));
}

#[test]
fn tables_of_every_game_fit_the_window() {
    for (columns, lines) in [(80, 24), (120, 40), (60, 15)] {
        for table in TABLES {
            let what = format!("{table} at {columns} x {lines}");
            let mut terminal = Terminal::start(&format!("play {table} --seed 5"), columns, lines);
            terminal.wait_for(PROMPT);
            check_page(&terminal, &what);
            for _ in 0..12 {
                // The advisor's choice is legal in every game.
                terminal.enter("hint");
                check_page(&terminal, &what);
                let text = terminal.text();
                let hint = text.split("hint: ").last().unwrap().split(" would choose ").nth(1).unwrap();
                let number =
                    hint.split_once(')').map(|(number, _)| number).filter(|text| text.parse::<u16>().is_ok());
                terminal.enter(number.unwrap_or("-"));
                if terminal.text().contains("the game is over") {
                    break;
                }
                check_page(&terminal, &what);
            }
            terminal.line("quit");
            let (status, text, terminal) = terminal.end();
            assert!(status.success() && !terminal.is_painted(), "{what}: {text}");
        }
    }
}

#[test]
fn the_line_can_be_edited_recalled_and_completed() {
    let mut terminal = Terminal::start("play incan-gold human never --seed 8", 80, 24);
    terminal.wait_for(PROMPT);
    terminal.send("stax");
    terminal.send("\x7f");
    terminal.send("y\x1b[D\x1b[D\x1b[Cz");
    terminal.wait_for("> stazy");
    terminal.send("\x7f\r");
    terminal.wait_for("turn 2");
    terminal.send("\x1b[A");
    terminal.wait_for("> stay");
    terminal.send("\x15lea\t");
    terminal.wait_for("> leave");
    terminal.send("\x15l\t");
    terminal.wait_for("list  log  leave");
    terminal.send("\x15");
    terminal.wait_until("an empty line", |terminal| terminal.text().ends_with('>'));
    terminal.send("中文é");
    terminal.wait_for("> 中文é");
    terminal.send(b"\x15\xff\xfe\xc3\x28");
    terminal.send("\x15");
    terminal.enter("what");
    terminal.wait_for("expected y (stay) or n (leave)");
    terminal.send("\x04");
    let (status, text, _) = terminal.end();
    assert!(status.success() && text.contains("you left the table"), "Ctrl-D leaves: {text}");
}

#[test]
fn the_window_may_change_its_size() {
    let mut terminal = Terminal::start("play carcassonne human builder --seed 5", 80, 24);
    terminal.wait_for(PROMPT);
    terminal.send("half a line");
    terminal.wait_for("half a line");
    for (columns, lines) in [(120, 40), (50, 14), (20, 5), (80, 24)] {
        terminal.resize(columns, lines);
        terminal.wait_until("a page of this size", |terminal| {
            let lines = terminal.lines();
            let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or(0);
            lines[last].contains('>') && lines[0].contains(" tiles in")
        });
    }
    terminal.wait_for("half a line");
}

#[test]
fn boards_are_scrolled_by_keys_and_words() {
    let mut terminal = Terminal::start("play privateers human trader --seed 5 --set map=archipelago", 44, 20);
    terminal.wait_for(PROMPT);
    let heads = |terminal: &Terminal| {
        let lines = terminal.lines();
        lines
            .into_iter()
            .skip(1)
            .find(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            .unwrap()
    };
    let first = terminal.text();
    assert!(first.contains("more ") && first.contains("(Shift and arrows)"), "a torn board says so: {first}");
    terminal.enter("scroll left 200");
    terminal.enter("scroll up 200");
    let corner = terminal.text();
    assert_ne!(first, corner);
    assert!(heads(&terminal).trim_start().starts_with('1'), "labels go along: {corner}");
    terminal.send("\x1b[1;2C");
    terminal.wait_until("another piece", |terminal| terminal.text() != corner);
    terminal.enter("scroll down 3");
    terminal.enter("scroll sideways");
    terminal.wait_for("expected left, right, up or down");
    terminal.enter("follow");
    assert!(terminal.text().contains("E0"), "the ship is in sight again: {}", terminal.text());
    terminal.line("overview");
    terminal.wait_for("the board in small");
    assert!(terminal.text().contains('@'), "{}", terminal.text());
    terminal.send("q");
    terminal.wait_for(PROMPT);
}

#[test]
fn long_texts_are_read_page_by_page() {
    let mut terminal = Terminal::start("play cartolan human explorer --seed 5", 80, 24);
    terminal.wait_for(PROMPT);
    for (word, footer) in
        [("guide", "guide: 1–23 of "), ("rules", "rules: 1–23 of "), ("help", "help: 1–23 of ")]
    {
        terminal.line(word);
        terminal.wait_for(footer);
        let first = terminal.text();
        terminal.send(" ");
        terminal.wait_for(": 24–46 of ");
        terminal.send("b");
        terminal.wait_for(footer);
        assert_eq!(terminal.text(), first);
        terminal.send("/agent\r");
        terminal.wait_until("the place", |terminal| terminal.lines()[0].to_lowercase().contains("agent"));
        terminal.send("q");
        terminal.wait_for(PROMPT);
    }
    for (word, footer) in [("list", "all actions: "), ("log", "log: "), ("board", "the whole table: ")] {
        terminal.line(word);
        terminal.wait_for(footer);
        terminal.send("\x1b");
        terminal.wait_for(PROMPT);
    }
}

#[test]
fn texts_of_games_are_paged_for_people() {
    let mut terminal = Terminal::start("rules cartolan", 80, 24);
    terminal.wait_for("rules of Cartolan");
    assert!(terminal.is_painted());
    terminal.send("q");
    let (status, text, terminal) = terminal.end();
    assert!(status.success() && text.is_empty() && !terminal.is_painted(), "{text}");
    // `PAGER` names a pager of the user's own, or disables paging.
    let mut terminal = Terminal::with("guide incan-gold", 80, 24, &[("PAGER", "sed s/^/:/")]);
    terminal.wait_for(":Tips");
    assert!(terminal.end().0.success());
    let terminal = Terminal::with("guide incan-gold", 80, 24, &[("PAGER", "cat")]);
    let (status, text, _) = terminal.end();
    assert!(status.success() && text.contains("optimal-solo"), "{text}");
}

#[test]
fn the_terminal_is_given_back_and_the_game_saved() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game.json");
    let shown = save.display();
    let begin = || {
        let mut terminal =
            Terminal::start(&format!("play incan-gold human never --seed 8 --save {shown}"), 80, 24);
        terminal.wait_for(PROMPT);
        terminal.enter("stay");
        assert!(terminal.is_painted());
        terminal
    };
    for how in ["Ctrl-C", "Ctrl-C in a text", "SIGTERM", "SIGHUP"] {
        let mut terminal = begin();
        match how {
            "Ctrl-C" => terminal.send("\x03"),
            "SIGTERM" => terminal.signal(Signal::SIGTERM),
            "SIGHUP" => terminal.signal(Signal::SIGHUP),
            _ => {
                terminal.line("guide");
                terminal.wait_for("guide: 1–23");
                terminal.send("\x03");
            }
        }
        let (status, text, terminal) = terminal.end();
        assert_eq!(status.code(), Some(1), "{how}: {text}");
        assert!(!terminal.is_painted() && !terminal.screen_hides_cursor(), "{how}");
        assert!(text.contains("you left the table") && text.contains("wrote "), "{how}: {text}");
        assert!(stdout(&format!("replay {shown} --check")).contains("broken off"), "{how}");
        std::fs::remove_file(&save).unwrap();
    }
}

#[test]
fn colours_can_be_turned_off() {
    for (variables, expected) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let mut terminal = Terminal::with("play carcassonne human builder --seed 5", 80, 24, variables);
        terminal.wait_for(PROMPT);
        let text = String::from_utf8_lossy(&terminal.bytes).into_owned();
        assert_eq!(text.contains("\x1b[38;5;"), expected, "{variables:?}");
        assert_eq!(text.contains("\x1b[1m"), expected, "{variables:?}");
    }
}

#[test]
fn lines_follow_lines_where_that_is_wanted() {
    for (words, variables) in [("--plain", &[][..]), ("", &[("TERM", "dumb")][..])] {
        let mut terminal =
            Terminal::with(&format!("play carcassonne human builder --seed 5 {words}"), 80, 24, variables);
        terminal.wait_for(PROMPT);
        assert!(!terminal.is_painted());
        let text = String::from_utf8_lossy(&terminal.bytes).into_owned();
        assert!(!text.contains("\x1b[H") && !text.contains("\x1b[?"), "{text:?}");
    }
}

#[test]
fn a_game_ends_on_the_screen_and_below_it() {
    let mut terminal = Terminal::start("play incan-gold human never --seed 8 --set rounds=1", 80, 24);
    terminal.wait_for(PROMPT);
    terminal.enter("leave");
    terminal.wait_for("the game is over");
    assert!(terminal.text().contains("wins (last round"), "{}", terminal.text());
    terminal.line("log");
    terminal.wait_for("log: ");
    terminal.send("q");
    terminal.wait_for("the game is over (Enter");
    terminal.line("");
    let (status, text, terminal) = terminal.end();
    assert!(status.success() && !terminal.is_painted(), "{text}");
    assert!(text.contains("wins (last round") && text.contains("tent"), "{text}");
}

#[test]
fn films_fit_stop_and_go_back() {
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("game.json.gz");
    let shown = replay.display();
    stdout(&format!("play cartolan merchant pirate trader explorer --seed 5 --level totals --save {shown}"));
    for (columns, lines) in [(80, 24), (120, 40)] {
        // The film is so slow that only keys turn pages.
        let mut terminal = Terminal::start(&format!("replay {shown} --film --speed 0.01"), columns, lines);
        terminal.wait_for("page 1 ");
        for page in 2..60 {
            terminal.send("n");
            terminal.wait_for(&format!("page {page} "));
            let screen = terminal.lines();
            assert!(screen[0].starts_with("Round "), "{}", screen.join("\n"));
            assert!(
                screen.iter().any(|line| line.contains('↗') || line.contains('↘')),
                "{}",
                screen.join("\n")
            );
        }
        terminal.send("b");
        terminal.wait_for("page 58 ");
        terminal.send("+++++++++++++++++++++++++ ");
        terminal.wait_until("the end", |terminal| !terminal.is_painted() && terminal.text().contains("wins"));
        let (status, text, _) = terminal.end();
        assert!(status.success() && text.contains("wins"), "{text}");
    }
    let mut terminal = Terminal::start(&format!("replay {shown} --step"), 80, 24);
    terminal.wait_for("page 1 ");
    terminal.send("\r\r\r");
    terminal.wait_for("page 4 ");
    terminal.send("q");
    assert!(terminal.end().0.success());
    // A signal ends the film as a key does.
    let mut terminal = Terminal::start(&format!("replay {shown} --film --speed 0.01"), 80, 24);
    terminal.wait_for("page 1 ");
    terminal.signal(Signal::SIGTERM);
    assert!(!terminal.end().2.is_painted());
}

#[test]
fn the_bar_never_says_that_nothing_is_left() {
    let terminal = Terminal::start("sim carcassonne builder greedy -n 300", 120, 24);
    let (status, _, terminal) = terminal.end();
    let bytes = String::from_utf8_lossy(&terminal.bytes).into_owned();
    assert!(status.success() && bytes.contains("episodes  "), "the bar was shown: {bytes:?}");
    assert!(!bytes.contains(" 0s left"), "{bytes:?}");
}
