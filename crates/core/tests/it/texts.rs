//! Texts that are put together from words and numbers.

use std::fmt::{self, Write};

use meeple_core::{Seat, TextWriter, WriteText, show_text};

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
        for number in [0, 7, -7, 10, 4_095, i64::MAX, i64::MIN] {
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
