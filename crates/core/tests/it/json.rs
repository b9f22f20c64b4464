//! JSON equals that of `serde_json`, byte for byte.

use std::collections::BTreeMap;

use meeple_core::json;
use serde::{Serialize, Serializer};

fn check(value: &impl Serialize) {
    let expected = serde_json::to_string(value).map_err(drop);
    let mut written = b"[".to_vec();
    let found = json::write(value, &mut written).map(|()| String::from_utf8(written[1..].to_vec()).unwrap());
    assert_eq!(found.map_err(drop), expected);
    assert_eq!(written[0], b'[', "what stood there before stays");
}

#[test]
fn whole_numbers_write_their_own_digits() {
    (0..1_200u16).for_each(|number| check(&number));
    for digits in 3..19 {
        let power = 10i64.pow(digits);
        [power - 1, power, power + 1, 1 - power, -power].iter().for_each(check);
    }
    [u64::MAX, u64::from(u32::MAX)].iter().for_each(check);
    [i64::MIN, i64::MAX].iter().for_each(check);
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Pair(u8, Option<&'static str>);

#[derive(Serialize)]
struct Wrapped(i16);

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Shape {
    Point,
    Round(u8),
    LongLine(i8, i8),
    TallBox {
        #[serde(rename = "a \"side\"")]
        side: u8,
        lid: Option<Wrapped>,
    },
}

#[derive(Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    Point,
    TallBox { side: u8 },
}

/// A value that displays itself in pieces.
struct Shown(&'static str);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("<{}|{:>4}>", self.0, 7))
    }
}

/// Bytes, which have a serializer method of their own.
struct Bytes(&'static [u8]);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn numbers_and_truth_values() {
    for number in [0, 1, 9, 10, 99, 100, 12_345, u64::from(u32::MAX), u64::MAX] {
        check(&(number, number as u8, number as u16, number as u32));
        check(&(number as i64, number as i8, number as i16, number as i32));
        check(&(i64::MIN, i32::MIN, i16::MIN, i8::MIN));
    }
    check(&(u128::MAX, i128::MIN, true, false));
    check(&[0.0, -0.0, 1.5, 1e300, f64::NAN, f64::INFINITY]);
    check(&[0.1f32, f32::NEG_INFINITY]);
}

#[test]
fn texts() {
    for text in ["", "plain", "é → 山", "a \"word\"", "back\\slash", "line\nline\ttab\u{1}\u{1f}\u{7f}"] {
        check(&text);
        check(&Shown(text));
        check(&BTreeMap::from([(text, text)]));
    }
    for letter in ['a', '"', '\n', 'ß', '🂡'] {
        check(&letter);
    }
    check(&Bytes(&[0, 10, 255]));
}

#[test]
fn lists_objects_and_choices() {
    check(&Vec::<u8>::new());
    check(&vec![vec![1, 2], vec![], vec![3]]);
    check(&((), Unit, Pair(1, None), Pair(2, Some("two")), Wrapped(-3), None::<u8>, Some(Some(4))));
    check(&[Shape::Point, Shape::Round(1), Shape::LongLine(-1, 2)]);
    check(&Shape::TallBox { side: 3, lid: Some(Wrapped(4)) });
    check(&Shape::TallBox { side: 3, lid: None });
    check(&[Tagged::Point, Tagged::TallBox { side: 5 }]);
    check(&BTreeMap::<u8, u8>::new());
    check(&serde_json::json!({ "a": [1, { "b": null }], "c": { "d": "e" } }));
}

#[test]
fn keys_of_maps_are_texts_or_become_ones() {
    check(&BTreeMap::from([(1, 'a'), (20, 'b')]));
    check(&BTreeMap::from([(-1, 'a'), (0, 'b')]));
    check(&BTreeMap::from([(true, 'a'), (false, 'b')]));
    check(&BTreeMap::from([('x', 1), ('"', 2)]));
    check(&BTreeMap::from([((1, 2), 3)]));
    check(&BTreeMap::from([((), 3)]));
}
