//! Texts put together from words and whole numbers, without formats in between: actions are written by the thousand, for
//! questions to bots and for replays.

use std::fmt;

use serde::Serializer;

/// A value whose text is put together from words and numbers. Types that have a text form implement it beside
/// [`Display`](fmt::Display), which calls [`show`]; [`choice!`](crate::choice!) and [`wording!`](crate::wording!) do so
/// for theirs.
pub trait WriteText {
    /// Appends the text.
    fn write_text(&self, text: &mut TextWriter<'_>);
}

/// The body of a [`Display`](fmt::Display): the text of the value, without regard to widths.
///
/// # Errors
/// If the formatter takes no more.
pub fn show(value: &impl WriteText, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = TextWriter::new(f);
    value.write_text(&mut text);
    text.finish()
}

/// The body of a `Serialize`: the text of the value.
///
/// # Errors
/// If the serializer takes no more.
pub fn serialize<S: Serializer>(value: &impl WriteText, serializer: S) -> Result<S::Ok, S::Error> {
    let mut long = String::new();
    let mut text = TextWriter::new(&mut long);
    value.write_text(&mut text);
    // Hardly any text is passed on in parts.
    if text.is_whole {
        return serializer.serialize_str(text.collected());
    }
    text.finish().map_err(serde::ser::Error::custom)?;
    serializer.serialize_str(&long)
}

/// Bytes that are collected before they are passed on.
const ROOM: usize = 128;

/// Collects words and numbers on the stack and passes them on in large pieces, each of which costs its receiver a call.
pub struct TextWriter<'a> {
    to: &'a mut (dyn fmt::Write + 'a),
    bytes: [u8; ROOM],
    length: usize,
    /// Whether nothing has been passed on yet.
    is_whole: bool,
    written: fmt::Result,
}

impl<'a> TextWriter<'a> {
    /// A writer that passes on to a formatter, a string, or what else takes text.
    pub fn new(to: &'a mut (dyn fmt::Write + 'a)) -> Self {
        Self { to, bytes: [0; ROOM], length: 0, is_whole: true, written: Ok(()) }
    }

    /// Appends a word.
    #[inline]
    pub fn push(&mut self, word: &str) {
        let end = self.length + word.len();
        let Some(room) = self.bytes.get_mut(self.length..end) else { return self.push_in_parts(word) };
        // Most words are known where they are appended: byte by byte they become a store or two, and no call.
        let mut at = 0;
        while at < word.len() {
            room[at] = word.as_bytes()[at];
            at += 1;
        }
        self.length = end;
    }

    /// Appends a word that there is no room for.
    #[cold]
    fn push_in_parts(&mut self, word: &str) {
        self.pass_on();
        if word.len() <= ROOM {
            self.push(word);
        } else {
            self.written = self.written.and_then(|()| self.to.write_str(word));
        }
    }

    /// Appends a whole number.
    #[inline]
    pub fn push_number(&mut self, number: i64) {
        // Rows, columns, seats and counts are small.
        match number {
            0..10 => self.push_byte(b'0' + number as u8),
            _ => self.push_long_number(number),
        }
    }

    /// Appends a letter, digit or sign of ASCII.
    #[inline]
    fn push_byte(&mut self, byte: u8) {
        if self.length == ROOM {
            self.pass_on();
        }
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    fn push_long_number(&mut self, number: i64) {
        if number < 0 {
            self.push_byte(b'-');
        }
        let left = number.unsigned_abs();
        if left < 100 {
            if left >= 10 {
                self.push_byte(b'0' + (left / 10) as u8);
            }
            return self.push_byte(b'0' + (left % 10) as u8);
        }
        let mut divisor = 10u64.pow(left.ilog10());
        while divisor > 0 {
            self.push_byte(b'0' + (left / divisor % 10) as u8);
            divisor /= 10;
        }
    }

    /// Passes on what has been collected, once all is appended.
    ///
    /// # Errors
    /// If the receiver did not take something.
    pub fn finish(mut self) -> fmt::Result {
        self.pass_on();
        self.written
    }

    fn pass_on(&mut self) {
        let text = collected(&self.bytes[..self.length]);
        self.written = self.written.and_then(|()| self.to.write_str(text));
        self.length = 0;
        self.is_whole = false;
    }

    fn collected(&self) -> &str {
        collected(&self.bytes[..self.length])
    }
}

fn collected(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("only whole words are collected")
}

macro_rules! whole_numbers {
    ($($number:ty)+) => { $(
        impl WriteText for $number {
            #[inline]
            fn write_text(&self, text: &mut TextWriter<'_>) {
                text.push_number((*self).into());
            }
        }
    )+ };
}
whole_numbers!(u8 u16 u32 i8 i16 i32 i64);
