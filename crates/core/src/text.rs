//! Fast text output from words and whole numbers, without format strings. Programs write actions by the
//! thousand.

use std::fmt::{self, Write as _};

use serde::Serializer;

/// A value whose text consists of words and numbers; its [`Display`](fmt::Display) calls [`show`]. The macros
/// [`choice!`](crate::choice!) and [`wording!`](crate::wording!) implement it.
pub trait WriteText {
    /// Appends the text.
    fn write_text(&self, text: &mut TextWriter<'_>);
}

/// Writes the text of a value, as the body of a [`Display`](fmt::Display). Width and fill are ignored.
///
/// # Errors
/// If the formatter fails.
pub fn show(value: &impl WriteText, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = TextWriter::new(f);
    value.write_text(&mut text);
    text.finish()
}

/// Serialises the text of a value, as the body of a `Serialize`.
///
/// # Errors
/// If the serializer fails.
pub fn serialize<S: Serializer>(value: &impl WriteText, serializer: S) -> Result<S::Ok, S::Error> {
    let mut long = String::new();
    let mut text = TextWriter::new(&mut long);
    value.write_text(&mut text);
    if text.flushed == 0 {
        return serializer.serialize_str(text.collected());
    }
    text.finish().map_err(serde::ser::Error::custom)?;
    serializer.serialize_str(&long)
}

/// Size of the buffer, in bytes.
const ROOM: usize = 128;

/// Writer that buffers words and numbers on the stack and flushes them in large pieces. Each flush is a
/// virtual call.
pub struct TextWriter<'a> {
    to: &'a mut (dyn fmt::Write + 'a),
    bytes: [u8; ROOM],
    length: usize,
    /// Number of bytes already flushed to `to`.
    flushed: usize,
    written: fmt::Result,
}

impl<'a> TextWriter<'a> {
    /// A writer that flushes to a formatter, a string, or another text sink.
    pub fn new(to: &'a mut (dyn fmt::Write + 'a)) -> Self {
        Self { to, bytes: [0; ROOM], length: 0, flushed: 0, written: Ok(()) }
    }

    /// Appends a word.
    #[inline]
    pub fn push(&mut self, word: &str) {
        let end = self.length + word.len();
        let Some(room) = self.bytes.get_mut(self.length..end) else { return self.push_in_parts(word) };
        // Most words are constants at the call site. Copied byte by byte they compile to one or two stores.
        let mut at = 0;
        while at < word.len() {
            room[at] = word.as_bytes()[at];
            at += 1;
        }
        self.length = end;
    }

    #[cold]
    fn push_in_parts(&mut self, word: &str) {
        self.pass_on();
        if word.len() <= ROOM {
            self.push(word);
        } else {
            self.written = self.written.and_then(|()| self.to.write_str(word));
            self.flushed += word.len();
        }
    }

    /// Appends packed letters.
    #[inline]
    pub fn push_letters(&mut self, letters: Letters) {
        if self.length + 8 > ROOM {
            self.pass_on();
        }
        // Writes all eight bytes, including unused ones: one store and no loop.
        if let Some(room) = self.bytes[self.length..].first_chunk_mut() {
            *room = letters.letters.to_le_bytes();
            self.length += letters.count();
        }
    }

    /// Appends the `Display` output of a value.
    pub fn push_shown(&mut self, value: &impl fmt::Display) {
        let shown = write!(self, "{value}");
        self.written = self.written.and(shown);
    }

    /// Number of bytes appended so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.flushed + self.length
    }

    /// Returns true if nothing has been appended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a whole number.
    #[inline]
    pub fn push_number(&mut self, number: i64) {
        // Most numbers are small: rows, columns, seats and counts.
        match number {
            0..10 => self.push_byte(b'0' + number as u8),
            10..100 => {
                self.push_byte(b'0' + number as u8 / 10);
                self.push_byte(b'0' + number as u8 % 10);
            }
            _ => self.push_long_number(number),
        }
    }

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
        // Up to four digits are one packed write: an entry of `NUMBERS`, and the last two digits.
        if let Some(short) =
            u32::try_from(left / 100).ok().and_then(|hundreds| NUMBERS.get(hundreds as usize))
        {
            let rest = (left % 100) as u8;
            if left < 100 {
                return self.push_letters(NUMBERS[usize::from(rest)]);
            }
            return self.push_letters(short.with(b'0' + rest / 10).with(b'0' + rest % 10));
        }
        let mut divisor = 10u64.pow(left.ilog10());
        while divisor > 0 {
            self.push_byte(b'0' + (left / divisor % 10) as u8);
            divisor /= 10;
        }
    }

    /// Flushes the buffer, after the last append.
    ///
    /// # Errors
    /// If any write to the receiver failed.
    pub fn finish(mut self) -> fmt::Result {
        self.pass_on();
        self.written
    }

    fn pass_on(&mut self) {
        let text = collected(&self.bytes[..self.length]);
        self.written = self.written.and_then(|()| self.to.write_str(text));
        self.flushed += self.length;
        self.length = 0;
    }

    fn collected(&self) -> &str {
        collected(&self.bytes[..self.length])
    }
}

/// Up to eight ASCII characters packed in a `u64`, for very frequent texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Letters {
    /// The first character is in the lowest byte; bytes after the last are zero.
    letters: u64,
    /// Number of bits used: eight per character.
    bits: usize,
}

/// The decimal texts of 0..100.
static NUMBERS: [Letters; 100] = {
    let mut numbers = [Letters { letters: 0, bits: 0 }; 100];
    let mut number = 0;
    while number < 100 {
        let (tens, ones) = (b'0' as u64 + number as u64 / 10, b'0' as u64 + number as u64 % 10);
        numbers[number] = match number {
            0..10 => Letters { letters: ones, bits: 8 },
            _ => Letters { letters: tens | ones << 8, bits: 16 },
        };
        number += 1;
    }
    numbers
};

impl Letters {
    /// Appends an ASCII character.
    #[inline]
    #[must_use]
    pub fn with(self, letter: u8) -> Self {
        debug_assert!(letter.is_ascii());
        self.then(Self { letters: letter.into(), bits: 8 })
    }

    /// Appends a number of at most two digits; `None` for larger ones.
    #[inline]
    #[must_use]
    pub fn with_number(self, number: u32) -> Option<Self> {
        NUMBERS.get(number as usize).map(|number| self.then(*number))
    }

    /// Appends other letters. Together they must be at most eight, which debug builds check.
    #[inline]
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        let bits = self.bits + other.bits;
        debug_assert!(bits <= 64, "there is room for eight letters");
        Self { letters: self.letters | other.letters << (self.bits % 64), bits }
    }

    /// Appends other letters if `is_meant`, without a branch, for hot loops.
    #[inline]
    #[must_use]
    pub fn then_if(self, is_meant: bool, other: Self) -> Self {
        let times = usize::from(is_meant);
        self.then(Self { letters: other.letters * times as u64, bits: other.bits * times })
    }

    #[inline]
    fn count(self) -> usize {
        (self.bits / 8).min(8)
    }

    /// Returns true if there are no letters.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Appends the letters to a byte buffer.
    #[inline]
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.letters.to_le_bytes());
        out.truncate(out.len() - 8 + self.count());
    }
}

impl fmt::Write for TextWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        match self.bytes.get_mut(self.length..end) {
            Some(room) => {
                room.copy_from_slice(text.as_bytes());
                self.length = end;
            }
            None => self.push_in_parts(text),
        }
        self.written
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
