//! Widths of texts, estimated without a font.

use unicode_width::UnicodeWidthChar;

/// Distance between the baselines of two lines of a text, in font sizes.
pub const LINE_HEIGHT: f64 = 1.2;

/// Half the height of a capital letter of DejaVu Sans, in font sizes, for vertical centring.
pub const HALF_CAPITAL: f64 = 0.3645;

/// Units per font size of the tables below.
const EM: f64 = 2048.0;

/// Advance widths of DejaVu Sans 2.37 for the characters from space to `~`.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253,
    1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
];

/// Advance widths of DejaVu Sans Bold 2.37 for the characters from space to `~`.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    713, 934, 1067, 1716, 1425, 2052, 1786, 627, 936, 936, 1071, 1716, 778, 850, 778, 748,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1188,
    2048, 1585, 1561, 1503, 1700, 1399, 1399, 1681, 1714, 762, 762, 1587, 1305, 2038, 1714, 1741,
    1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1483, 1485, 936, 748, 936, 1716, 1024,
    1024, 1382, 1466, 1214, 1466, 1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407,
    1466, 1466, 1010, 1219, 979, 1458, 1335, 1892, 1321, 1335, 1192, 1458, 748, 1458, 1716,
];

/// Width of a text in the unit of `size`; for several lines, the width of the widest.
///
/// For ASCII in DejaVu Sans, the first font of every drawing, the width is exact up to kerning. Other
/// characters are estimated by kind, with errors of up to a third. In other fonts all widths are estimates:
/// Verdana is as wide, and most are narrower.
///
/// ```
/// let width = meeple_scene::text_width("Hello", 10.0, false);
/// assert!((width - 25.3).abs() < 0.1);
/// ```
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let widest = text.split('\n').map(|line| line.chars().map(|c| advance(c, bold)).sum()).max();
    let units: u64 = widest.unwrap_or(0);
    units as f64 / EM * size
}

fn advance(character: char, bold: bool) -> u64 {
    let table = if bold { &BOLD } else { &REGULAR };
    let ascii = (character as usize).checked_sub(0x20).and_then(|index| table.get(index));
    match (ascii, character.width(), character) {
        (Some(&units), _, _) => u64::from(units),
        // Combining characters have no width. Control characters have a width, because a replacement is
        // drawn.
        (None, Some(0), _) => 0,
        (None, Some(2), _) => 2048,
        // Arrows, mathematical signs, suits and other symbols are wide in this font.
        (None, _, '\u{2014}' | '\u{2026}' | '\u{fffd}') => 2048,
        (None, _, '\u{2190}'..='\u{2bff}' | '\u{d7}' | '\u{f7}' | '\u{b1}') => 1760,
        (None, _, _) if bold => 1440,
        (None, _, _) => 1290,
    }
}
