use meeple_scene::text_width;

#[track_caller]
fn check(text: &str, bold: bool, expected: f64) {
    let width = text_width(text, 100.0, bold);
    assert!((width - expected).abs() < 0.05 * expected.max(1.0), "{text:?}: {width}, expected {expected}");
}

// Expected: widths as a browser sets them in DejaVu Sans at 100 px, without kerning.
#[test]
fn text_is_as_wide_as_its_letters() {
    check("", false, 0.0);
    check("0123456789", false, 636.2);
    check("0123456789", true, 695.8);
    check("The quick brown fox", false, 1018.0);
    check("iiii", false, 111.1);
    check("WWWW", true, 441.2);
}

#[test]
fn the_widest_line_counts() {
    assert_eq!(text_width("a\nWWW\nb", 1.0, false), text_width("WWW", 1.0, false));
}

#[test]
fn any_character_has_a_width() {
    for text in ["\u{301}", "\0", "中", "\u{10ffff}", "\u{7f}", "→"] {
        assert!(text_width(text, 1.0, true).is_finite());
    }
    assert_eq!(text_width("e\u{301}", 1.0, false), text_width("e", 1.0, false));
}
