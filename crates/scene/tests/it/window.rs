//! Screens in limited room.

use meeple_scene::{
    Area, Camera, Fitted, Ink, Part, Room, Screen, Span, cropped, line_columns, line_to_ansi, wrapped,
};

fn plain(line: &[Span]) -> String {
    line_to_ansi(line, meeple_scene::ColorMode::None)
}

fn text(fitted: &Fitted) -> Vec<String> {
    fitted.lines.iter().map(|line| plain(line)).collect()
}

fn room(columns: usize, lines: usize) -> Room<'static> {
    Room { columns, lines: Some(lines), cut: "all", torn: "keys" }
}

/// Adds a board of `columns` by `lines` letters, with labels in a line above it and in two columns beside it.
fn board(screen: &mut Screen, columns: usize, lines: usize) {
    screen.panel(Part::Board).labels(1, 2);
    screen
        .line()
        .push("  ")
        .push((0..columns).map(|x| char::from(b'0' + (x % 10) as u8)).collect::<String>());
    for y in 0..lines {
        screen.line().push(format!("{:<2}", y % 10));
        screen.push((0..columns).map(|x| char::from(b'a' + ((x + y) % 26) as u8)).collect::<String>());
    }
}

#[test]
fn lines_break_at_words() {
    let check = |line: &str, columns: usize, expected: &[&str]| {
        let line = [Span { text: line.to_owned(), ink: Ink::plain() }];
        let pieces: Vec<String> = wrapped(&line, columns, 2).iter().map(|piece| plain(piece)).collect();
        assert_eq!(pieces, expected, "{line:?} in {columns} columns");
    };
    check("a plain line", 12, &["a plain line"]);
    check("a plain line", 11, &["a plain", "  line"]);
    check("    deep and long", 12, &["    deep and", "    long"]);
    check("abcdefghij", 4, &["abcd", " efg", " hij"]);
    check("中文中文", 4, &["中文", " 中", " 文"]);
    check("中文", 1, &["中", "文"]);
    check("two   blanks  here", 10, &["two", "  blanks", "  here"]);
    check("", 3, &[""]);
    check("e\u{301}e\u{301} e\u{301}", 3, &["e\u{301}e\u{301}", " e\u{301}"]);
}

#[test]
fn inks_outlive_a_break() {
    let red = Ink::fg(meeple_scene::Color(255, 0, 0));
    let line = [Span { text: "one ".into(), ink: Ink::plain() }, Span { text: "two three".into(), ink: red }];
    let pieces = wrapped(&line, 8, 2);
    assert_eq!(pieces[0].last().unwrap(), &Span { text: "two".into(), ink: red });
    assert_eq!(pieces[1].last().unwrap(), &Span { text: "three".into(), ink: red });
}

#[test]
fn pieces_of_lines_are_as_wide_as_asked() {
    let line = [Span { text: "a中b".into(), ink: Ink::plain() }];
    for (from, columns, expected) in
        [(0, 4, "a中b"), (0, 2, "a "), (1, 2, "中"), (2, 3, " b "), (4, 2, "  "), (0, 0, ""), (9, 1, " ")]
    {
        let piece = cropped(&line, from, columns);
        assert_eq!(
            piece.iter().map(|span| span.text.as_str()).collect::<String>(),
            expected,
            "{from}, {columns}"
        );
        assert_eq!(line_columns(&piece), columns);
    }
}

#[test]
fn what_fits_is_shown_whole() {
    let mut screen = Screen::new();
    screen.push("head");
    board(&mut screen, 6, 3);
    screen.panel(Part::Side).push("side").panel(Part::Foot).push("foot");
    let fitted = screen.fitted(room(30, 8), &mut Camera::default());
    assert_eq!(text(&fitted), ["head", "", "  012345  side", "0 abcdef", "1 bcdefg", "2 cdefgh", "", "foot"]);
    assert!(fitted.sight.unwrap().is_whole() && !fitted.is_cut);
    // One line less: the blank lines go.
    let fitted = screen.fitted(room(30, 7), &mut Camera::default());
    assert_eq!(text(&fitted), ["head", "  012345  side", "0 abcdef", "1 bcdefg", "2 cdefgh", "foot"]);
    // The room is too narrow for panels beside each other.
    let fitted = screen.fitted(room(11, 20), &mut Camera::default());
    assert_eq!(text(&fitted)[5..], ["2 cdefgh", "side", "", "foot"]);
}

#[test]
fn a_torn_board_keeps_its_labels_and_says_where_it_goes_on() {
    let mut screen = Screen::new();
    board(&mut screen, 40, 30);
    screen.focus(Area { column: 2 + 20, line: 1 + 15, columns: 1, lines: 1 });
    let fitted = screen.fitted(room(12, 7), &mut Camera::default());
    let sight = fitted.sight.unwrap();
    assert_eq!((sight.seen.columns, sight.seen.lines, sight.columns, sight.lines), (10, 5, 40, 30));
    assert_eq!((sight.seen.column, sight.seen.line), (15, 13), "the focus stands in the middle");
    assert_eq!(text(&fitted)[..2], ["  5678901234", "3 cdefghijkl"]);
    assert_eq!(text(&fitted)[6], "◂▸▴▾ more le");
    let wide = screen.fitted(room(42, 7), &mut Camera::default());
    assert_eq!(text(&wide)[6], "▴▾ more up, down (keys)");
}

#[test]
fn the_camera_follows_and_stands_still_while_it_can() {
    let at = |camera: &mut Camera, column: usize, line: usize| {
        let mut screen = Screen::new();
        board(&mut screen, 60, 60);
        screen.focus(Area { column: 2 + column, line: 1 + line, columns: 1, lines: 1 });
        let seen = screen.fitted(room(32, 22), camera).sight.unwrap().seen;
        (seen.column, seen.line)
    };
    let camera = &mut Camera::default();
    assert_eq!(at(camera, 30, 30), (15, 20));
    assert_eq!(at(camera, 33, 33), (15, 20), "still in sight");
    assert_eq!(at(camera, 50, 33), (30, 20), "followed, and no further than the edge");
    assert_eq!(at(camera, 59, 33), (30, 20), "at the edge there is no margin");
    camera.pan(-10, 3);
    assert_eq!(at(camera, 59, 33), (20, 23), "moved by hand");
    camera.pan(-1000, -1000);
    assert_eq!(at(camera, 59, 33), (0, 0));
    camera.follow();
    assert_eq!(at(camera, 59, 33), (30, 23));
}

#[test]
fn what_is_asked_for_beyond_the_board_is_its_edge() {
    let seen = |area: Area, columns: usize, lines: usize| {
        let mut screen = Screen::new();
        board(&mut screen, 60, 60);
        screen.focus(area).focus(area);
        let mut camera = Camera::default();
        // At the first call the camera has no position, at the second one it has.
        let first = screen.fitted(room(columns, lines), &mut camera).sight.unwrap();
        assert_eq!(screen.fitted(room(columns, lines), &mut camera).sight.unwrap(), first);
        let small = screen.overview(&first, 20, 6);
        assert!(
            small.iter().flatten().any(|span| span.text.contains('@')),
            "it is marked in the small picture"
        );
        (first.seen.column, first.seen.line)
    };
    const FAR: usize = usize::MAX;
    assert_eq!(seen(Area { column: 100, line: 100, columns: 1, lines: 1 }, 32, 22), (30, 40));
    assert_eq!(seen(Area { column: FAR, line: FAR, columns: 1, lines: 1 }, 32, 22), (30, 40));
    assert_eq!(seen(Area { column: FAR, line: FAR, columns: FAR, lines: FAR }, 32, 22), (30, 40));
    assert_eq!(seen(Area { column: 0, line: FAR, columns: FAR, lines: 0 }, 32, 22), (15, 40));
    assert_eq!(seen(Area { column: FAR, line: 3, columns: 0, lines: FAR }, 32, 22), (30, 21));
    assert_eq!(seen(Area { column: FAR, line: FAR, columns: FAR, lines: FAR }, 80, 30).1, 32);
}

#[test]
fn a_board_that_grows_to_the_west_stands_still() {
    let camera = &mut Camera::default();
    let column = |camera: &mut Camera, grown: usize| {
        let mut screen = Screen::new();
        board(&mut screen, 60 + grown, 10);
        screen.origin(-(grown as i32), 0);
        screen.focus(Area { column: 2 + 30 + grown, line: 1, columns: 1, lines: 1 });
        screen.fitted(room(32, 20), camera).sight.unwrap().seen.column
    };
    let first = column(camera, 0);
    assert_eq!(column(camera, 5), first + 5, "the same piece, five columns further");
}

#[test]
fn more_is_seen_of_what_matters_as_far_as_it_fits() {
    let mut screen = Screen::new();
    board(&mut screen, 60, 60);
    for column in [30, 36, 5, 33, 59] {
        screen.focus(Area { column: 2 + column, line: 1 + 10, columns: 1, lines: 1 });
    }
    let seen = screen.fitted(room(14, 10), &mut Camera::default()).sight.unwrap().seen;
    let sees = |column: usize| (seen.column..seen.column + seen.columns).contains(&column);
    assert!(sees(30) && sees(36) && sees(33) && !sees(5) && !sees(59), "{seen:?}");
}

#[test]
fn details_give_way_first_and_say_so() {
    let mut screen = Screen::new();
    screen.push("head");
    board(&mut screen, 20, 4);
    screen.panel(Part::Details).push("one\ntwo\nthree\nfour").panel(Part::Foot).push("foot");
    let fitted = screen.fitted(room(40, 9), &mut Camera::default());
    assert_eq!(text(&fitted)[6..], ["one", "… 3 more lines (all)", "foot"]);
    assert!(fitted.is_cut);
    let fitted = screen.fitted(room(40, 7), &mut Camera::default());
    assert_eq!(text(&fitted)[5..], ["3 defghijklmnopqrstuvw", "foot"]);
}

#[test]
fn any_room_is_kept() {
    let mut screen = Screen::new();
    screen.push("a head of several words");
    board(&mut screen, 50, 20);
    screen.focus(Area { column: 40, line: 12, columns: 8, lines: 3 });
    for part in [Part::Side, Part::Side, Part::Details, Part::News, Part::Foot, Part::Choices] {
        screen.panel(part).push("several words that are broken\nand another line\nand one more");
    }
    for columns in 1..70 {
        for lines in 1..40 {
            let fitted = screen.fitted(room(columns, lines), &mut Camera::default());
            let widest = fitted.lines.iter().map(|line| line_columns(line)).max().unwrap_or(0);
            assert!(
                widest <= columns && fitted.lines.len() <= lines,
                "{columns} x {lines}: {:?}",
                text(&fitted)
            );
        }
    }
    let fitted = screen.fitted(Room { columns: 200, lines: None, cut: "", torn: "" }, &mut Camera::default());
    assert!(!fitted.is_cut && fitted.sight.unwrap().is_whole());
}

#[test]
fn the_overview_shows_all_in_small() {
    let mut screen = Screen::new();
    screen.panel(Part::Board).labels(1, 2);
    screen.line().push("  labels");
    for y in 0..20 {
        let row = if y < 10 { "~".repeat(40) } else { "~".repeat(20) + &"#".repeat(20) };
        screen.line().push(format!("{y:<2}{row}"));
    }
    screen.focus(Area { column: 2 + 30, line: 1 + 15, columns: 2, lines: 1 });
    let sight = screen.fitted(room(22, 10), &mut Camera::default()).sight.unwrap();
    let small: Vec<String> = screen.overview(&sight, 10, 5).iter().map(|line| plain(line)).collect();
    assert_eq!(small, ["~~~~~~~~~~", "~~~~~~~~~~", "~~~~~┌~~~┐", "~~~~~##@##", "~~~~~└###┘"]);
}
