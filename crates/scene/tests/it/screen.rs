use meeple_scene::{Color, ColorMode, Ink, Screen, Span, text_columns};

fn two_inks() -> Screen {
    let mut screen = Screen::new();
    screen.line().push("a ").push_ink("b", Ink::fg(Color(255, 0, 0)).bold()).push(" c ");
    screen.blank();
    screen.line().push_ink("d", Ink::bg(Color(0, 0, 0)).underline()).push_ink("e", Ink::plain().dim());
    screen
}

#[test]
fn plain_text_has_no_trailing_blanks() {
    assert_eq!(two_inks().to_plain(), "a b c\n\nde\n");
    assert_eq!(two_inks().to_ansi(ColorMode::None), "a b c\n\nde\n");
    assert_eq!(Screen::new().to_plain(), "");
}

#[test]
fn true_color() {
    let expected = "a \x1b[1;38;2;255;0;0mb\x1b[0m c \n\n\
        \x1b[4;38;2;255;255;255;48;2;0;0;0md\x1b[0m\x1b[2me\x1b[0m\n";
    assert_eq!(two_inks().to_ansi(ColorMode::TrueColor), expected);
}

#[test]
fn nearest_of_256_colors() {
    let check = |color: Color, code: u8| {
        let mut screen = Screen::new();
        screen.push_ink("x", Ink::fg(color));
        assert_eq!(screen.to_ansi(ColorMode::Ansi256), format!("\x1b[38;5;{code}mx\x1b[0m\n"), "{color}");
    };
    check(Color(0, 0, 0), 16);
    check(Color(255, 255, 255), 231);
    check(Color(255, 0, 0), 196);
    check(Color(95, 135, 175), 67);
    check(Color(128, 128, 128), 244);
    check(Color(9, 8, 8), 232);
    check(Color(238, 238, 238), 255);
    check(Color(0, 114, 178), 25);
}

#[test]
fn line_breaks_start_lines() {
    let mut screen = Screen::new();
    screen.push("a\r\nb\n\nc").push("d\n");
    assert_eq!(screen.to_plain(), "a\nb\n\ncd\n\n");
}

#[test]
fn text_cannot_steer_the_terminal() {
    let mut screen = Screen::new();
    screen.push("a\x1b[2Jb\tc\u{9b}d\u{202e}e\x07");
    screen.panels[0].lines.push(vec![Span { text: "x\ny\r".into(), ink: Ink::default() }]);
    let expected = "a\u{fffd}[2Jb c\u{fffd}d\u{fffd}e\u{fffd}\nx\u{fffd}y\u{fffd}\n";
    assert_eq!(screen.to_plain(), expected);
    assert_eq!(screen.to_ansi(ColorMode::TrueColor), expected);
}

#[test]
fn columns_are_those_of_the_terminal() {
    for (text, columns) in
        [("", 0), ("abc", 3), ("中文", 4), ("e\u{301}", 1), ("♥", 1), ("\x1b", 1), ("a\tb", 3)]
    {
        assert_eq!(text_columns(text), columns, "{text:?}");
    }
}

#[test]
fn padding_and_stacking() {
    let mut screen = Screen::new();
    screen.pad_to(2).push("a").pad_to(1).pad_to(5).push("b");
    let below = screen.clone();
    screen.below(below);
    assert_eq!(screen.to_plain(), "  a  b\n  a  b\n");
}
