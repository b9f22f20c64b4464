//! Terminal screens and drawings.

use meeple_core::{Game, View, Viewer};
use meeple_game17::{Look, Picture, ZOMBIE_COLOR, board_scene, board_screen, parse_color};
use meeple_scene::{Color, ColorMode, SvgOptions};

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
        // Two colours of the survey.
        ("xkcd:blue green", Color(19, 126, 109)),
        ("xkcd:blue/green", Color(15, 155, 142)),
        // The last one of the list.
        ("xkcd:yellowy green", Color(191, 241, 40)),
    ] {
        assert_eq!(parse_color(text), Ok(color), "{text}");
    }
    for text in ["", "reed", "#12", "xkcd:", "xkcd:no such name", "deep purple"] {
        let error = parse_color(text).unwrap_err();
        assert!(error.contains("unknown colour") && error.contains("hint:"), "{error}");
    }
}

const OWNERS: [u16; 4] = [0, 1, 2, 0];
const NUMBERS: [u32; 4] = [12, 0, 3, 1];

fn picture() -> Picture<'static> {
    Picture { size: 2, owners: &OWNERS, numbers: &NUMBERS, caption: "round 1" }
}

#[test]
fn r8_1_ids_on_purple() {
    let screen = board_screen(&picture(), &Look::ids());
    assert_eq!(screen.to_plain().lines().take(3).collect::<Vec<_>>(), ["round 1", "  0   1", "  2   0"]);
    // 70 + 185 * 12 / 12 = 255, 70 + 0, 70 + 185 * 3 / 12 = 116; blue is twice that, at most 255.
    let ansi = screen.to_ansi(ColorMode::TrueColor);
    for code in ["48;2;255;255;255", "48;2;70;70;140", "48;2;116;116;232"] {
        assert!(ansi.contains(code), "{code}");
    }
    let counts = board_screen(&picture(), &Look::ids().with_counts()).to_plain();
    assert_eq!(counts.lines().nth(2), Some(" 12   0"));
}

#[test]
fn r8_2_counts_on_player_colours() {
    let mut look = Look::ids();
    look.add(0, "hunter", Some(Color(1, 2, 3)));
    let screen = board_screen(&picture(), &look);
    assert_eq!(screen.to_plain().lines().take(3).collect::<Vec<_>>(), ["round 1", " 12A  0", "  3   1A"]);
    let ansi = screen.to_ansi(ColorMode::TrueColor);
    let Color(red, green, blue) = ZOMBIE_COLOR;
    assert!(ansi.contains("48;2;1;2;3") && ansi.contains(&format!("48;2;{red};{green};{blue}")));
}

#[test]
fn ruling_9_t800s_are_dark_purple_unless_told_otherwise() {
    let labels = |texts: [&str; 4]| texts.map(str::to_owned).to_vec();
    let ansi = |texts: [&str; 4]| {
        board_screen(&picture(), &Look::of_players(&labels(texts))).to_ansi(ColorMode::TrueColor)
    };
    assert!(ansi(["t800", "zombie", "zombie", "zombie"]).contains("48;2;53;6;62"));
    assert!(ansi(["t800@red", "zombie", "zombie", "zombie"]).contains("48;2;255;0;0"));
    assert!(!Look::of_players(&labels(["zombie", "zombie", "", "zombie"])).has_players());
}

/// The text of a table's screen for a spectator.
fn screen_of(table: &TestTable, players: &[String]) -> String {
    let episode = &table.episode;
    let observation = episode.game().observe(episode.state(), Viewer::Everything);
    let view = View { viewer: Viewer::Everything, observation, legal: &[], events: &[], players };
    episode.game().screen(&view).to_plain()
}

#[test]
fn a_usual_board_fits_80_columns() {
    let mut players = vec!["zombie".to_owned(); 196];
    players[5] = "a player with quite a long name, far longer than the line".to_owned();
    let table = TestTable::plain(14, &[]);
    for players in [&players, &vec!["zombie".to_owned(); 196]] {
        let text = screen_of(&table, players);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.starts_with("round 1 of 50, player "), "{text}");
        assert!(text.contains("and 186 more"), "{text}");
        let named = players.iter().any(|player| player != "zombie");
        assert_eq!(text.contains("A 5 (a player with"), named, "players are always listed: {text}");
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
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), ["set-up", "  7   .   .", "  .   .   ."]);
    assert!(game.draw(&view).to_svg(&options()).contains("set-up"));
}

fn options() -> SvgOptions {
    SvgOptions { pixels_per_unit: 40.0, interactive: false }
}

#[test]
fn the_drawing_shows_every_square_and_every_side() {
    let svg = board_scene(&picture(), &Look::ids()).to_svg(&options());
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
    let mut look = Look::ids();
    look.add(0, "hunter<>", None);
    let svg = board_scene(&picture(), &look).to_svg(&options());
    assert!(svg.contains("A 0 (hunter&lt;&gt;): 2 squares, 13 pieces") && svg.contains("zombie 1"));
}
