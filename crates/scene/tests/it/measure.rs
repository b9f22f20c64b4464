use meeple_scene::{Scene, Shape, text_width};

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

#[test]
fn cut_texts_are_the_longest_beginnings_that_fit() {
    for whole in ["Anna Bella", "WWWWWWWW", "Zoë →→→", "x"] {
        for room in [0.0, 0.4, 1.0, 2.5, 4.0, 100.0] {
            let mut scene = Scene::new(9.0, 9.0);
            let item = scene.text(0.0, 0.0, 1.0, whole).cut(room);
            let Shape::Text { text, .. } = &item.shape else { panic!("it is a text") };
            let fits = |text: &str| text_width(text, 1.0, false) <= room;
            let mut expected = whole.to_owned();
            if !fits(whole) {
                while !expected.is_empty() && !fits(&format!("{expected}…")) {
                    expected.pop();
                }
                expected = format!("{}…", expected.trim_end());
            }
            assert_eq!(*text, expected, "{whole} in {room}");
        }
    }
    // A very long name is cut quickly, by a binary search.
    let mut scene = Scene::new(9.0, 9.0);
    let item = scene.text(0.0, 0.0, 1.0, "a".repeat(1 << 20)).cut(3.0);
    assert!(matches!(&item.shape, Shape::Text { text, .. } if text.len() < 20));
}
