//! JSON writer whose output equals that of `serde_json` byte for byte (a law compares both). It needs less
//! than half of the instructions. The difference matters because observations and events are written for
//! every question to a bot.

use std::fmt;

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Result};

/// Appends a value as JSON without blanks.
///
/// # Errors
/// If a map key is no text, number or boolean, or the value itself fails. The bytes written so far stay in
/// `out`.
pub fn write(value: &(impl Serialize + ?Sized), out: &mut Vec<u8>) -> Result<()> {
    value.serialize(&mut Writer { out })
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
}

/// Table by byte value: true if JSON escapes the byte.
const ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        escaped[byte] = true;
        byte += 1;
    }
    escaped[b'"' as usize] = true;
    escaped[b'\\' as usize] = true;
    escaped
};

impl Writer<'_> {
    #[inline]
    fn text(&mut self, text: &str) {
        self.out.push(b'"');
        self.inner_text(text);
        self.out.push(b'"');
    }

    #[inline]
    fn inner_text(&mut self, text: &str) {
        if text.bytes().fold(false, |escaped, byte| escaped | ESCAPED[usize::from(byte)]) {
            self.escaped(text);
        } else {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Texts with escapes are rare, so `serde_json` writes them; its quotes are removed.
    #[cold]
    fn escaped(&mut self, text: &str) {
        let quoted = serde_json::to_string(text).expect("a text is JSON");
        self.out.extend_from_slice(&quoted.as_bytes()[1..quoted.len() - 1]);
    }

    /// Out of line, so that callers stay small enough to be inlined.
    #[inline(never)]
    fn digits(&mut self, number: u64) {
        match number {
            0..10 => self.out.push(b'0' + number as u8),
            10..100 => {
                let number = number as u8;
                self.out.extend_from_slice(&[b'0' + number / 10, b'0' + number % 10]);
            }
            100..1000 => {
                let number = number as u16;
                let (hundreds, rest) = ((number / 100) as u8, (number % 100) as u8);
                self.out.extend_from_slice(&[b'0' + hundreds, b'0' + rest / 10, b'0' + rest % 10]);
            }
            _ => self.many_digits(number),
        }
    }

    fn many_digits(&mut self, mut left: u64) {
        let mut digits = [0; 20];
        let mut first = digits.len();
        while left > 0 {
            first -= 1;
            digits[first] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        self.out.extend_from_slice(&digits[first..]);
    }

    /// Writes a value of a rare type with `serde_json`.
    #[cold]
    fn other(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *self.out, value)
    }

    /// `{"NAME":`
    fn variant(&mut self, name: &str) {
        self.out.push(b'{');
        self.text(name);
        self.out.push(b':');
    }
}

/// Writes the `Display` output of a value as the inside of a JSON text.
struct Displayed<'w, 'o>(&'w mut Writer<'o>);

impl fmt::Write for Displayed<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.inner_text(text);
        Ok(())
    }
}

/// A list or an object in progress.
struct Parts<'w, 'o> {
    writer: &'w mut Writer<'o>,
    is_first: bool,
    end: &'static str,
}

impl Parts<'_, '_> {
    #[inline]
    fn comma(&mut self) {
        if !self.is_first {
            self.writer.out.push(b',');
        }
        self.is_first = false;
    }

    #[inline]
    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.comma();
        value.serialize(&mut *self.writer)
    }

    #[inline]
    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        // Reserves memory once, for the whole name.
        self.writer.out.reserve(name.len() + 4);
        self.comma();
        self.writer.text(name);
        self.writer.out.push(b':');
        value.serialize(&mut *self.writer)
    }

    #[inline]
    fn finish(self) -> Result<()> {
        // The brackets are known at compile time: one or two.
        for bracket in self.end.bytes() {
            self.writer.out.push(bracket);
        }
        Ok(())
    }
}

impl<'w, 'o> Writer<'o> {
    #[inline]
    fn parts(&'w mut self, start: u8, end: &'static str) -> Parts<'w, 'o> {
        self.out.push(start);
        Parts { writer: self, is_first: true, end }
    }
}

macro_rules! whole_numbers {
    ($($signed:ident($from_signed:ty) $unsigned:ident($from_unsigned:ty))+) => { $(
        #[inline]
        fn $signed(self, value: $from_signed) -> Result<()> {
            if value < 0 {
                self.out.push(b'-');
            }
            self.digits(value.unsigned_abs().into());
            Ok(())
        }

        #[inline]
        fn $unsigned(self, value: $from_unsigned) -> Result<()> {
            self.digits(value.into());
            Ok(())
        }
    )+ };
}

impl<'w, 'o> Serializer for &'w mut Writer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'w, 'o>;
    type SerializeTuple = Parts<'w, 'o>;
    type SerializeTupleStruct = Parts<'w, 'o>;
    type SerializeTupleVariant = Parts<'w, 'o>;
    type SerializeMap = Parts<'w, 'o>;
    type SerializeStruct = Parts<'w, 'o>;
    type SerializeStructVariant = Parts<'w, 'o>;

    whole_numbers! {
        serialize_i8(i8) serialize_u8(u8)
        serialize_i16(i16) serialize_u16(u16)
        serialize_i32(i32) serialize_u32(u32)
        serialize_i64(i64) serialize_u64(u64)
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.other(&value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.other(&value)
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.other(&value)
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.other(&value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<()> {
        self.text(text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.collect_seq(bytes)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.out.push(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _length: Option<usize>) -> Result<Parts<'w, 'o>> {
        Ok(self.parts(b'[', "]"))
    }

    #[inline]
    fn serialize_tuple(self, _length: usize) -> Result<Parts<'w, 'o>> {
        Ok(self.parts(b'[', "]"))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Parts<'w, 'o>> {
        Ok(self.parts(b'[', "]"))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Parts<'w, 'o>> {
        self.variant(variant);
        Ok(self.parts(b'[', "]}"))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Parts<'w, 'o>> {
        Ok(self.parts(b'{', "}"))
    }

    #[inline]
    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Parts<'w, 'o>> {
        Ok(self.parts(b'{', "}"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Parts<'w, 'o>> {
        self.variant(variant);
        Ok(self.parts(b'{', "}}"))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.out.push(b'"');
        fmt::Write::write_fmt(&mut Displayed(self), format_args!("{value}"))
            .map_err(serde::ser::Error::custom)?;
        self.out.push(b'"');
        Ok(())
    }
}

macro_rules! lists {
    ($($list:ident $element:ident)+) => { $(
        impl $list for Parts<'_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )+ };
}
lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! objects {
    ($($object:ident)+) => { $(
        impl $object for Parts<'_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.field(name, value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )+ };
}
objects!(SerializeStruct SerializeStructVariant);

impl SerializeMap for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.comma();
        let start = self.writer.out.len();
        key.serialize(&mut *self.writer)?;
        // Keys are texts; numbers and booleans are quoted, as in `serde_json`.
        match self.writer.out.get(start) {
            Some(b'"') => {}
            Some(b'0'..=b'9' | b'-' | b't' | b'f') => {
                self.writer.out.insert(start, b'"');
                self.writer.out.push(b'"');
            }
            _ => return Err(serde::ser::Error::custom("expected a text as the key of a map")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.writer.out.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
