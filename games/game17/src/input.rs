//! Typed turns, such as `3,4 north 2, east 1; 5,6 up`.

use crate::action::Action;
use crate::board::Direction;
use crate::observe::Observation;

const FORMS: &str = "expected a square and directions, as in '3,4 north 2' or '3,4 up; 5,6 e1 s3', or 'stay'";

/// Parses a turn. It has squares as `ROW,COLUMN` (or `all` for every square of the mover), each with one or
/// more directions, each with a count or `all`. Without a count, all remaining pieces go.
pub(crate) fn read(seen: &Observation<'_>, text: &str) -> Result<Action, String> {
    let text = text.trim().to_lowercase();
    if ["", "stay", "pass", "-"].contains(&text.as_str()) {
        return Ok(Action::default());
    }
    if let Ok(action) = text.parse() {
        return Ok(action);
    }
    let mut action = Action::default();
    let mut squares: Vec<Square> = Vec::new();
    let mut directions = 0;
    let mut words = words(&text).into_iter().peekable();
    while let Some(word) = words.next() {
        if let Some(direction) = direction(&word) {
            if squares.is_empty() {
                return Err(format!("{FORMS}, found '{word}' before any square"));
            }
            directions += 1;
            let count = words.next_if(|word| word == "all" || word.parse::<i32>().is_ok());
            for square in &mut squares {
                square.send(direction, count.as_deref(), &mut action)?;
            }
        } else if directions == 0 && !squares.is_empty() {
            return Err(format!("{FORMS}, found '{word}' where a direction was due"));
        } else {
            squares = square_or_all(seen, &word).ok_or_else(|| format!("{FORMS}, found '{word}'"))?;
            directions = 0;
        }
    }
    if directions == 0 {
        return Err(format!("{FORMS}, found a square without a direction"));
    }
    Ok(action)
}

struct Square {
    row: i16,
    column: i16,
    left: u32,
}

impl Square {
    fn send(&mut self, direction: Direction, count: Option<&str>, action: &mut Action) -> Result<(), String> {
        let count = match count {
            None | Some("all") => self.left as i32,
            Some(count) => count.parse().map_err(|_| format!("{FORMS}, found the count '{count}'"))?,
        };
        self.left = self.left.saturating_sub(count.max(0) as u32);
        action.push(self.row, self.column, direction, count);
        Ok(())
    }
}

/// The words of a line, separated by blanks, semicolons and colons; counts are split from directions. Commas
/// and parentheses around a word are removed.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ';' || c == ':') {
        let word = word.trim_matches(|c: char| matches!(c, ',' | '(' | ')'));
        let letters = word.len() - word.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (head, tail) = word.split_at(letters);
        words.extend([head, tail].iter().filter(|part| !part.is_empty()).map(|part| (*part).to_owned()));
    }
    words.retain(|word| word != "and");
    words
}

fn direction(word: &str) -> Option<Direction> {
    Some(match word {
        "n" | "north" | "up" => Direction::North,
        "s" | "south" | "down" => Direction::South,
        "e" | "east" | "right" => Direction::East,
        "w" | "west" | "left" => Direction::West,
        _ => return None,
    })
}

fn square_or_all(seen: &Observation<'_>, word: &str) -> Option<Vec<Square>> {
    let size = seen.size();
    if word == "all" {
        let own = seen.squares(seen.mover()?).filter(|square| seen.numbers()[*square] > 0);
        let square = |square| {
            let place = seen.place(square);
            Square { row: place.row.into(), column: place.column.into(), left: seen.numbers()[square] }
        };
        return Some(own.map(square).collect());
    }
    let (row, column) = word.split_once(',')?;
    let (row, column): (i16, i16) = (row.parse().ok()?, column.parse().ok()?);
    // A square outside the board has no pieces to send. The rules report the error.
    let inside = usize::try_from(row).ok().zip(usize::try_from(column).ok());
    let inside = inside.filter(|(row, column)| *row < size && *column < size);
    let left = inside.and_then(|(row, column)| seen.numbers().get(row * size + column)).copied().unwrap_or(0);
    Some(vec![Square { row, column, left }])
}
