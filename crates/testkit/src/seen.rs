//! Observations as text, recorded as changes since the last record.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use meeple_core::{Episode, Playable, Seat, Viewer};
use serde_json::Value;

use crate::digest::Digest;

/// Maximum number of seats whose observations are recorded.
const MAX_SEATS: usize = 8;
/// Maximum JSON length in bytes of lists and objects recorded as a whole.
const WHOLE: usize = 40;
/// Maximum columns of a line.
const COLUMNS: usize = 118;
/// Maximum lines per page: more changes at once are recorded as a fingerprint.
const PAGE: usize = 60;

/// A part of an observation: its path in the JSON, and its value.
type Part = (String, String);

#[derive(Default)]
pub(crate) struct Seen {
    public: Vec<Part>,
    /// Differences of a seat's observation from the public one.
    private: BTreeMap<usize, Vec<Part>>,
}

impl Seen {
    /// Records the changes of the public observation, and of these seats' differences from it.
    pub(crate) fn tell<G: Playable>(&mut self, text: &mut String, episode: &Episode<G>, seats: &[Seat]) {
        let parts = |viewer: Viewer| {
            let json = serde_json::to_value(episode.game().observe(episode.state(), viewer));
            let mut parts = Vec::new();
            flatten("", &json.expect("observations serialise: a law checks it"), &mut parts);
            parts
        };
        let public = parts(Viewer::Public);
        page(text, "public", &changes(&self.public, &public, "gone"));
        // Seats with equal changes are grouped.
        let mut groups: Vec<(String, Vec<Part>)> = Vec::new();
        for seat in seats.iter().take(MAX_SEATS) {
            let private = changes(&public, &parts(Viewer::Seat(*seat)), "hidden");
            let known = self.private.insert(seat.index(), private.clone()).unwrap_or_default();
            let items = changes(&known, &private, "as public");
            match groups.iter_mut().find(|(_, others)| *others == items) {
                Some((who, _)) => *who += &format!(", {seat}"),
                None => groups.push((seat.to_string(), items)),
            }
        }
        self.public = public;
        for (who, items) in groups {
            page(text, &who, &items);
        }
    }
}

/// Splits JSON into parts, down to short values.
fn flatten(path: &str, value: &Value, parts: &mut Vec<Part>) {
    let whole = value.to_string();
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Array(items) if whole.len() > WHOLE => {
            for (index, item) in items.iter().enumerate() {
                flatten(&below(&index.to_string()), item, parts);
            }
        }
        Value::Object(fields) if whole.len() > WHOLE || path.is_empty() => {
            for (name, field) in fields {
                flatten(&below(name), field, parts);
            }
        }
        _ => parts.push((path.to_owned(), whole)),
    }
}

fn by_path(parts: &[Part]) -> BTreeMap<&str, &str> {
    parts.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect()
}

/// The parts of `now` that are new or changed since `before`, then the paths that only `before` has, with the
/// word `lost`.
fn changes(before: &[Part], now: &[Part], lost: &str) -> Vec<Part> {
    let (old, new) = (by_path(before), by_path(now));
    let changed = now.iter().filter(|(path, value)| old.get(path.as_str()) != Some(&value.as_str()));
    let gone = before.iter().filter(|(path, _)| !new.contains_key(path.as_str()));
    changed.cloned().chain(gone.map(|(path, _)| (path.clone(), lost.to_owned()))).collect()
}

/// Writes items side by side in lines, or their fingerprint if they exceed a page.
fn page(text: &mut String, who: &str, items: &[Part]) {
    if items.is_empty() {
        return;
    }
    let mut lines = vec![format!("  {who} sees ")];
    for (index, (path, value)) in items.iter().enumerate() {
        let item = format!("{path} {value}");
        let end = if index + 1 < items.len() { "; " } else { "" };
        let last = lines.last_mut().expect("there is a line");
        if index > 0 && last.len() + item.len() > COLUMNS {
            last.truncate(last.trim_end().len());
            lines.push(format!("    {item}{end}"));
        } else {
            last.push_str(&format!("{item}{end}"));
        }
    }
    if lines.len() > PAGE {
        let fingerprint = Digest::of(&lines.join("\n")).short();
        lines = vec![format!("  {who} sees {} changes: {fingerprint}", items.len())];
    }
    let _ = writeln!(text, "{}", lines.join("\n"));
}
