//! Texts composed of words and numbers.

use std::fmt::{self, Write};

use meeple_core::{Letters, Seat, TextWriter, WriteText, show_text};

struct Many(Vec<(String, i64)>);

impl WriteText for Many {
    fn write_text(&self, text: &mut TextWriter<'_>) {
        for (word, number) in &self.0 {
            text.push(word);
            number.write_text(text);
        }
    }
}

impl fmt::Display for Many {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_text(self, f)
    }
}

#[test]
fn words_and_numbers_of_any_length() {
    for length in [0, 1, 2, 63, 107, 108, 109, 127, 128, 129, 300] {
        for number in [0, 7, -7, 10, 99, 100, -100, 999, 1_000, 4_095, 9_999, 10_000, i64::MAX, i64::MIN] {
            let pair = ("é".repeat(length / 2) + &"x".repeat(length % 2), number);
            let many = Many(vec![pair; 5]);
            let expected: String = many.0.iter().map(|(word, number)| format!("{word}{number}")).collect();
            assert_eq!(many.to_string(), expected);
        }
    }
}

#[test]
fn a_full_receiver_is_an_error() {
    struct Full;
    impl fmt::Write for Full {
        fn write_str(&mut self, _: &str) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    let mut full = Full;
    let mut text = TextWriter::new(&mut full);
    text.push("word");
    assert!(text.finish().is_err());
    let mut text = TextWriter::new(&mut full);
    (0..100).for_each(|number| text.push_number(number));
    assert!(text.finish().is_err());
    let mut out = String::new();
    write!(out, "{}", Seat::new(12)).unwrap();
    assert_eq!(out, "12");
}

#[test]
fn letters_stand_where_words_would() {
    let place = |row, column| {
        let place = Letters::default().with_number(row)?.with(b',');
        place.with_number(column)
    };
    assert_eq!(place(100, 1), None);
    assert!(Letters::default().is_empty() && !Letters::default().with(b'x').is_empty());
    // The texts fill the writer's buffer from every offset.
    for before in 0..9 {
        let (mut expected, mut bytes) = ("-".repeat(before), b"-".repeat(before));
        let mut collected = String::new();
        let mut text = TextWriter::new(&mut collected);
        text.push(&expected);
        for number in 0..100 {
            let letters = place(number, 99 - number).unwrap();
            let meant = number % 3 == 0;
            let letters = letters.then_if(meant, Letters::default().with(b'!'));
            text.push_letters(letters);
            letters.write(&mut bytes);
            expected += &format!("{number},{}{}", 99 - number, if meant { "!" } else { "" });
            assert_eq!(text.len(), expected.len());
        }
        text.push_shown(&format_args!("{:>130}", "end"));
        expected += &format!("{:>130}", "end");
        assert_eq!(text.len(), expected.len());
        text.finish().unwrap();
        assert_eq!(collected, expected);
        assert_eq!(String::from_utf8(bytes).unwrap(), expected[..expected.len() - 130]);
    }
}
