//! Lines that fit: wrapped at words, or cropped.

use unicode_width::UnicodeWidthChar;

use crate::screen::{Ink, Line, Span, cleaned, is_simple, line_columns};

/// A character with its combining marks, as displayed in a terminal.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) text: String,
    pub(crate) ink: Ink,
    pub(crate) columns: usize,
}

impl Letter {
    pub(crate) fn blank() -> Self {
        Self { text: " ".to_owned(), ink: Ink::default(), columns: 1 }
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text == " "
    }
}

/// The letters of a line, cleaned for a terminal.
pub(crate) fn letters(line: &[Span]) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for span in line {
        for character in cleaned(&span.text).chars() {
            let columns = character.width().unwrap_or(0);
            match letters.last_mut() {
                Some(last) if columns == 0 => last.text.push(character),
                _ => letters.push(Letter { text: character.to_string(), ink: span.ink, columns }),
            }
        }
    }
    letters
}

/// Letters as a line of spans, one per ink.
pub(crate) fn joined(letters: &[Letter]) -> Line {
    let mut line: Line = Vec::new();
    for letter in letters {
        match line.last_mut() {
            Some(span) if span.ink == letter.ink => span.text.push_str(&letter.text),
            _ => line.push(Span { text: letter.text.clone(), ink: letter.ink }),
        }
    }
    line
}

/// The line in pieces of at most `columns` columns, broken at blanks. A word longer than a line is cut.
/// Continuation lines are indented `hang` columns deeper than the line.
///
/// ```
/// use meeple_scene::{Ink, Span, wrapped};
/// let line = [Span { text: "  trade, rest or go on".into(), ink: Ink::plain() }];
/// let pieces: Vec<String> = wrapped(&line, 14, 2).iter().map(|piece| piece[0].text.clone()).collect();
/// assert_eq!(pieces, ["  trade, rest", "    or go on"]);
/// ```
pub fn wrapped(line: &[Span], columns: usize, hang: usize) -> Vec<Line> {
    if line_columns(line) <= columns {
        return vec![line.to_vec()];
    }
    let letters = letters(line);
    let indent = letters.iter().take_while(|letter| letter.is_blank()).count();
    let hang = (indent + hang).min(columns / 3);
    let mut pieces = Vec::new();
    let mut rest = &letters[..];
    while !rest.is_empty() {
        let before = if pieces.is_empty() { 0 } else { hang };
        let end = piece_end(rest, columns.saturating_sub(before), pieces.is_empty());
        let mut piece = vec![Letter::blank(); before];
        let filled = rest[..end].iter().rposition(|letter| !letter.is_blank()).map_or(0, |last| last + 1);
        piece.extend_from_slice(&rest[..filled]);
        pieces.push(joined(&piece));
        let next = rest[end..].iter().position(|letter| !letter.is_blank());
        rest = next.map_or(&[], |next| &rest[end + next..]);
    }
    pieces
}

/// Index after the first piece of these letters: at the last blank that keeps the piece within `columns`.
fn piece_end(letters: &[Letter], columns: usize, is_first: bool) -> usize {
    let mut used = 0;
    let mut fits = letters.len();
    for (index, letter) in letters.iter().enumerate() {
        used += letter.columns;
        if used > columns {
            fits = index;
            break;
        }
    }
    if fits == letters.len() || letters[fits].is_blank() {
        return fits;
    }
    // Leading blanks are no break points.
    let start = match is_first {
        true => letters.iter().take_while(|letter| letter.is_blank()).count(),
        false => 0,
    };
    let blank = letters[..fits].iter().rposition(Letter::is_blank).filter(|blank| *blank > start);
    // At least one letter per piece ensures termination.
    blank.unwrap_or(fits).max(1)
}

/// The section of a line from column `from`, exactly `columns` wide. A wide letter that is cut becomes
/// blanks.
pub fn cropped(line: &[Span], from: usize, columns: usize) -> Line {
    if line.iter().all(|span| is_simple(&span.text)) {
        return cropped_simple(line, from, columns);
    }
    let mut piece: Vec<Letter> = Vec::new();
    let mut column = 0;
    for letter in letters(line) {
        let end = column + letter.columns;
        let inside = end.min(from + columns).saturating_sub(column.max(from));
        if inside == letter.columns && column >= from {
            piece.push(letter);
        } else {
            piece.extend(vec![Letter::blank(); inside]);
        }
        column = end;
    }
    let missing = (from + columns).saturating_sub(column.max(from));
    piece.extend(vec![Letter::blank(); missing]);
    joined(&piece)
}

/// [`cropped`] for text with one byte per column.
fn cropped_simple(line: &[Span], from: usize, columns: usize) -> Line {
    let mut piece: Line = Vec::new();
    let (mut column, mut taken) = (0, 0);
    for span in line {
        let end = column + span.text.len();
        let (first, last) = (from.clamp(column, end), (from + columns).clamp(column, end));
        if first < last {
            piece.push(Span { text: span.text[first - column..last - column].to_owned(), ink: span.ink });
            taken += last - first;
        }
        column = end;
    }
    if taken < columns {
        let blanks = " ".repeat(columns - taken);
        match piece.last_mut() {
            Some(span) if span.ink == Ink::default() => span.text.push_str(&blanks),
            _ => piece.push(Span { text: blanks, ink: Ink::default() }),
        }
    }
    piece
}
