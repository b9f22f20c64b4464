//! Parsing of typed actions.

use crate::action::Action;
use crate::geometry::Cell;
use crate::tiles::Kind;

pub(crate) fn read(text: &str) -> Result<Action, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else {
        return Ok(Action::Pass);
    };
    // "D 3,-1 r1" for "place D 3,-1 r1". A tile's letter may also abbreviate a verb.
    let tile = first.to_ascii_uppercase().parse::<Kind>().is_ok();
    let cell = rest.first().is_some_and(|word| word.parse::<Cell>().is_ok());
    let turns = rest.get(1).is_none_or(|word| word.trim_start_matches(['r', 'R']).parse::<u8>().is_ok());
    if tile && cell && turns && rest.len() <= 2 {
        return read(&format!("place {text}"));
    }
    let lower = first.to_ascii_lowercase();
    let verb = match lower.as_str() {
        "p" | "put" | "lay" | "place" => "place",
        "n" | "no" | "none" | "skip" | "pass" => "pass",
        "c" | "claim" => "claim",
        "build" | "floor" => "floor",
        "close" | "guard" => "close",
        "t" | "capture" | "take" => "take",
        "r" | "ransom" => "ransom",
        "d" | "discard" => "discard",
        "decline" => "decline",
        // "city N" for "claim city N".
        "city" | "road" | "field" | "monastery" => return read(&format!("claim {text}")),
        other => other,
    };
    let mut rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
    match verb {
        "place" | "discard" => {
            if let Some(tile) = rest.first_mut() {
                *tile = tile.to_ascii_uppercase();
            }
            if verb == "place" && rest.len() == 2 {
                rest.push("r0".into());
            }
            if let [tile, _, turns, ..] = &mut rest[..] {
                *turns = turns.to_ascii_lowercase();
                if turns.len() == 1 {
                    turns.insert(0, 'r');
                }
                turn_back(tile, turns);
            }
        }
        "claim" => spot(&mut rest),
        "take" => {
            if let Some(tail) = rest.get(1..) {
                let mut tail = tail.to_vec();
                spot(&mut tail);
                rest.truncate(1);
                rest.extend(tail);
            }
        }
        _ => {}
    }
    let text = if rest.is_empty() { verb.to_owned() } else { format!("{verb} {}", rest.join(" ")) };
    text.parse()
}

/// Replaces the turns of a symmetric tile by the smallest equivalent number.
fn turn_back(tile: &str, turns: &mut String) {
    let kind = tile.parse::<Kind>();
    if let (Ok(kind), Some(Ok(number @ 0..4))) = (kind, turns.strip_prefix('r').map(str::parse::<u8>)) {
        *turns = format!("r{}", number % kind.tile().rotations);
    }
}

/// Normalises a spot: sides in capitals, half-edges as `En`.
fn spot(words: &mut [String]) {
    if let Some(what) = words.first_mut() {
        *what = what.to_ascii_lowercase();
        if what == "cloister" {
            *what = "monastery".into();
        }
    }
    if let Some(place) = words.get_mut(1) {
        let lower = place.to_ascii_lowercase();
        *place = match lower.as_str() {
            "inside" => lower,
            _ => {
                let mut letters = lower.chars();
                letters
                    .next()
                    .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
            }
        };
    }
}
