//! Terminal screens and drawings.

use std::borrow::Cow;

use meeple_core::{Defined as _, Game, Phase, PlayerLabel, Present, Seat, Stream, View, Viewer};
use meeple_game17::{
    BoardStyle, Coin, Game17, Picture, ZOMBIE_COLOR, board_scene, board_screen, parse_color,
};
use meeple_scene::{Camera, Color, ColorMode, Line, Part, Room, Screen, SvgOptions};

use crate::table::{TestTable, game};

#[test]
fn r8_3_colours() {
    for (text, color) in [
        ("red", Color(255, 0, 0)),
        ("RebeccaPurple", Color(102, 51, 153)),
        ("#1a2b3c", Color(26, 43, 60)),
        ("#abc", Color(170, 187, 204)),
        ("rgb(1, 2, 3)", Color(1, 2, 3)),
        ("xkcd:dark purple", Color(53, 6, 62)),
        ("xkcd:Cloudy Blue", Color(172, 194, 217)),
        // Two colours of the survey whose names differ only in a slash.
        ("xkcd:blue green", Color(19, 126, 109)),
        ("xkcd:blue/green", Color(15, 155, 142)),
        ("XKCD:Red", Color(229, 0, 0)),
        // matplotlib's other forms.
        ("r", Color(255, 0, 0)),
        ("C1", Color(255, 127, 14)),
        ("tab:grey", Color(127, 127, 127)),
        ("0.5", Color(128, 128, 128)),
        // The last colour of the survey's list.
        ("xkcd:yellowy green", Color(191, 241, 40)),
    ] {
        assert_eq!(parse_color(text), Ok(color), "{text}");
        assert_eq!((Game17::definition().check_color.unwrap())(text), Ok(()), "{text}");
    }
    for text in ["", "reed", "#12", "xkcd:", "xkcd:no such name", "deep purple", "tab:teal", "q", "1.5", "Cx"]
    {
        let error = parse_color(text).unwrap_err();
        assert!(error.contains("unknown colour") && error.contains("hint:"), "{error}");
        assert_eq!((Game17::definition().check_color.unwrap())(text), Err(error));
    }
}

const OWNERS: [u16; 4] = [0, 1, 2, 0];
const NUMBERS: [i64; 4] = [12, 0, 3, 1];

fn picture() -> Picture<'static> {
    Picture { size: 2, owners: &OWNERS, numbers: Cow::Borrowed(&NUMBERS), caption: "round 1" }
}

#[test]
fn r8_1_ids_on_purple() {
    let screen = board_screen(&picture(), &BoardStyle::ids());
    assert_eq!(
        screen.to_plain().lines().take(4).collect::<Vec<_>>(),
        ["round 1", "    0   1", " 0  0   1", " 1  2   0"]
    );
    // 70 + 185 * 12 / 12 = 255, 70 + 0, 70 + 185 * 3 / 12 = 116; blue is twice that, at most 255.
    let ansi = screen.to_ansi(ColorMode::TrueColor);
    for code in ["48;2;255;255;255", "48;2;70;70;140", "48;2;116;116;232"] {
        assert!(ansi.contains(code), "{code}");
    }
    let counts = board_screen(&picture(), &BoardStyle::ids().with_counts()).to_plain();
    assert_eq!(counts.lines().nth(3), Some("   12   0"));
}

#[test]
fn r8_2_counts_on_player_colours() {
    let mut look = BoardStyle::ids();
    look.add(0, "hunter", Some(Color(1, 2, 3)));
    let screen = board_screen(&picture(), &look);
    assert_eq!(
        screen.to_plain().lines().take(4).collect::<Vec<_>>(),
        ["round 1", "    0   1", " 0 12A  0", " 1  3   1A"]
    );
    let ansi = screen.to_ansi(ColorMode::TrueColor);
    let Color(red, green, blue) = ZOMBIE_COLOR;
    assert!(ansi.contains("48;2;1;2;3") && ansi.contains(&format!("48;2;{red};{green};{blue}")));
}

#[test]
fn ruling_9_t800s_are_dark_purple_unless_set_otherwise() {
    let labels = |texts: [&str; 4]| texts.map(PlayerLabel::from).to_vec();
    let ansi = |texts: [&str; 4]| {
        board_screen(&picture(), &BoardStyle::of_players(&labels(texts))).to_ansi(ColorMode::TrueColor)
    };
    assert!(ansi(["t800", "zombie", "zombie", "zombie"]).contains("48;2;53;6;62"));
    assert!(ansi(["t800@red", "zombie", "zombie", "zombie"]).contains("48;2;255;0;0"));
    assert!(!BoardStyle::of_players(&labels(["zombie", "zombie", "", "zombie"])).has_players());
}

fn screen_of(table: &TestTable, players: &[PlayerLabel]) -> String {
    let episode = &table.episode;
    let observation = episode.game().observe(episode.state(), Viewer::Everything);
    let view = View { viewer: Viewer::Everything, observation, legal: &[], events: &[], players };
    episode.game().screen(&view).to_plain()
}

#[test]
fn a_usual_board_fits_80_columns() {
    let mut players = vec![PlayerLabel::from("zombie"); 196];
    players[5] = "a player with quite a long name, far longer than the line".into();
    let table = TestTable::plain(14, &[]);
    for players in [&players, &vec![PlayerLabel::from("zombie"); 196]] {
        let text = screen_of(&table, players);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.starts_with("round 1 of 50, player "), "{text}");
        assert!(text.contains("and 186 more"), "{text}");
        let named = players.iter().any(|player| player.name != "zombie");
        assert_eq!(text.contains("A 5 a pla…"), named, "players are always listed: {text}");
    }
}

#[test]
fn large_boards_take_one_column_for_each_square() {
    let text = screen_of(&TestTable::plain(64, &[]), &[]);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(text.contains(&"4".repeat(64)));
}

#[test]
fn set_up_can_be_shown() {
    let game = game(&[("size", "3")]);
    let mut state = game.initial_state();
    game.apply_chance(&mut state, &"place 7".parse().unwrap(), &mut meeple_core::NoEvents);
    let observation = game.observe(&state, Viewer::Public);
    let view = View { viewer: Viewer::Public, observation, legal: &[], events: &[], players: &[] };
    let text = game.screen(&view).to_plain();
    assert_eq!(
        text.lines().take(4).collect::<Vec<_>>(),
        ["set-up", "    0   1   2", " 0  7   .   .", " 1  .   .   ."]
    );
    assert!(game.draw(&view).to_svg(&options()).contains("set-up"));
}

fn options() -> SvgOptions {
    SvgOptions { pixels_per_unit: 40.0, interactive: false }
}

#[test]
fn the_drawing_shows_every_square_and_every_side() {
    let svg = board_scene(&picture(), &BoardStyle::ids()).to_svg(&options());
    for part in [
        "round 1",
        "row 0, column 0: 12 pieces of 0",
        "row 0, column 1: 0 pieces of 1",
        "0: 2 squares",
        "owner 2: 1 square, 3 pieces",
        "×12",
    ] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    let mut look = BoardStyle::ids();
    look.add(0, "hunter<>", None);
    let svg = board_scene(&picture(), &look).to_svg(&options());
    assert!(svg.contains("A 0 (hunter&lt;&gt;): 2 squares, 13 pieces") && svg.contains("zombie 1"));
}

/// The screen of a table's owner with these players.
fn seat_screen(table: &TestTable, owner: usize, players: &[PlayerLabel]) -> Screen {
    let viewer = Viewer::Seat(Seat::new(owner));
    table.episode.with_view(viewer, players, |view| table.episode.game().screen(view))
}

fn panel(screen: &Screen, part: Part) -> String {
    let panel = screen.panels.iter().find(|panel| panel.part == part);
    let lines = panel.map(|panel| panel.lines.clone()).unwrap_or_default();
    let text = |line: &Line| line.iter().map(|span| span.text.as_str()).collect::<String>();
    lines.iter().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_player_learns_what_became_of_its_squares() {
    let mut players = vec![PlayerLabel::from("zombie"); 9];
    players[0] = "human".into();
    players[3] = "hunter".into();
    let mut table = TestTable::plain(3, &[]);
    let news = |table: &TestTable| panel(&seat_screen(table, 0, &players), Part::News);
    assert_eq!(news(&table), "your squares since your last turn: nobody came");
    table.turns(&[(0, "0,0:s4")]).coin(Coin::Mover);
    // A coin of one's own turn is no news.
    assert_eq!(news(&table), "your squares since your last turn: nobody came");
    table.turns(&[(1, "-"), (2, "-"), (4, "1,1:w3"), (5, "1,2:e4"), (6, "2,0:s4"), (7, "-"), (8, "-")]);
    // Owner 4 sent 3 pieces against 8, owner 5 sent 4 more against 11, and owner 6 took the empty 0,0.
    assert_eq!(news(&table), "your squares since your last turn: lost 0,0 to zombie 6; 1,0 withstood, +7");
    let shown = panel(&seat_screen(&table, 0, &players), Part::Foot);
    assert!(shown.contains("1 square (*), 15 pieces"), "{shown}");
    let choices = panel(&seat_screen(&table, 0, &players), Part::Choices);
    let first = choices.lines().next().unwrap();
    assert!(first.starts_with("1,0 ") && first.ends_with("takes it"), "{choices}");
    assert_eq!(choices.lines().count(), 4, "{choices}");
}

#[test]
fn what_the_choices_say_is_what_happens() {
    // Every line that promises a capture makes it, and no other does, on any board.
    let ids = vec![PlayerLabel::from("zombie"); 25];
    let mut table = TestTable::plain(5, &[("rounds", "12")]);
    let mut rng = Stream::from_seed(5);
    let (mut certain, mut coins) = (0, 0);
    while let Phase::Decide(_) = table.episode.phase() {
        let (mover, before) = (table.mover(), table.owners().to_vec());
        let choices = panel(&seat_screen(&table, mover.into(), &ids), Part::Choices);
        let lines: Vec<&str> = choices.lines().filter(|line| line.contains(" to ")).collect();
        if lines.is_empty() {
            table.turn("-");
            continue;
        }
        let line = lines[rng.index(lines.len())];
        let (typed, rest) = line.split_at(14);
        let target = rest.split(" to ").nth(1).unwrap().split(", where").next().unwrap();
        let (row, column) = target.split_once(',').unwrap();
        let square = row.parse::<usize>().unwrap() * 5 + column.parse::<usize>().unwrap();
        assert_ne!(before[square], mover, "{line}");
        let game = table.episode.game();
        let seen = game.observe(table.episode.state(), Viewer::Public);
        let action = game.read_input(&seen, typed).unwrap();
        table.episode.act(Seat::new(mover.into()), &action).unwrap();
        if line.ends_with("takes it") {
            certain += 1;
            assert_eq!(table.owners()[square], mover, "{line}");
        } else {
            coins += 1;
            assert_eq!(table.episode.phase(), Phase::Chance, "{line}");
        }
        while table.episode.phase() == Phase::Chance {
            table.coin(if rng.coin() { Coin::Mover } else { Coin::Owner });
        }
    }
    assert!(certain > 20 && coins > 5, "{certain} certain, {coins} coins");
}

#[test]
fn the_table_of_a_player_fits_80_columns_and_24_lines() {
    let mut players = vec![PlayerLabel::from("zombie"); 196];
    players[5] = "human".into();
    players[77] = "a player with quite a long name".into();
    let ids: Vec<u16> = (0..196).collect();
    let order: Vec<u16> = (0..196).map(|turn| (turn + 5) % 196).collect();
    let table = TestTable::new(&ids, &order, &[]);
    let screen = seat_screen(&table, 5, &players);
    let room = Room { columns: 80, lines: Some(23), cut: "", torn: "" };
    let fitted = screen.fitted(room, &mut Camera::default());
    assert!(fitted.sight.unwrap().is_whole(), "{:?}", fitted.sight);
    let text = |line: &Line| line.iter().map(|span| span.text.as_str()).collect::<String>();
    let lines: Vec<String> = fitted.lines.iter().map(text).collect();
    assert!(lines.iter().any(|line| line.contains("your turn")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("your squares since")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("* 5 human")), "{lines:#?}");
}
