//! Safe display of file names: a name may contain any byte but `/` and zero.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Longest name that is shown whole, in characters.
const MAX_SHOWN_CHARS: usize = 200;

/// A name or path for people: one line, unable to control a terminal or reverse the text. Unprintable
/// characters are escaped as in Rust; long names keep their beginning and end.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    shown_within(name, MAX_SHOWN_CHARS)
}

/// Like [`shown`], with its own limit. A longer name is cut to `most` characters, with an ellipsis in the
/// middle.
pub(crate) fn shown_within(name: impl AsRef<OsStr>, most: usize) -> String {
    let mut text = String::new();
    for chunk in name.as_ref().as_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\'' | '"' | '\\' => text.push(letter),
                _ => text.extend(letter.escape_debug()),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    let letters = text.chars().count();
    if letters <= most {
        return text;
    }
    let beginning: String = text.chars().take((most - 1) / 2).collect();
    let end: String = text.chars().skip(letters - most / 2).collect();
    format!("{beginning}…{end}")
}
