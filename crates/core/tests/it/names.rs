//! User-chosen names, and the characters dropped from them.

use meeple_core::{PlayerLabel, PublicName, is_hidden};

#[test]
fn what_hides_or_turns_text_around_is_dropped() {
    for (typed, shown) in [
        ("Zoë O'Hara-李 🦊", "Zoë O'Hara-李 🦊"),
        ("Bob\u{202e}(uoy)\u{202c}", "Bob(uoy)"),
        ("\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}", ""),
        ("a\u{1b}[2J\u{9b}b\nc\td\u{2028}e", "a[2Jbcde"),
        ("A\u{200b}n\u{200d}n\u{feff}\u{ad}\u{3164}\u{2800}\u{e0041}", "Ann"),
        ("", ""),
    ] {
        let name = PublicName::from(typed);
        assert_eq!(name, shown);
        // A name enters as a text, from a file or as a label of a seat. Each way drops the same characters.
        let read: PublicName = serde_json::from_value(typed.into()).unwrap();
        let label: PlayerLabel = serde_json::from_value(typed.into()).unwrap();
        assert_eq!((&read, &label.name, PublicName::from(typed.to_owned())), (&name, &name, name.clone()));
        assert_eq!(serde_json::to_value(&name).unwrap(), serde_json::Value::from(shown));
    }
    let label = PlayerLabel::from("Ann@\u{202e}red");
    assert_eq!((label.name.as_str(), label.color.as_deref()), ("Ann", Some("red")));
    assert_eq!(PublicName::from("  long name of somebody ").shortened(10), "long name");
    assert!(('\0'..=char::MAX).filter(|letter| letter.is_control()).all(is_hidden));
}
