//! Deduplicated drawings: each distinct line is stored once, and drawings as changes from the previous one.

use std::collections::BTreeMap;
use std::ops::Range;

use meeple_scene::{Item, Scene, Shape, Splice, SvgOptions, splices};
use serde_json::{Value, json};

/// Number of pieces of the previous drawing that are searched for an equal one.
const SEARCH_WINDOW: usize = 16;

pub const STILL: SvgOptions = SvgOptions { pixels_per_unit: 64.0, interactive: false };

#[derive(Default)]
pub struct DistinctLines {
    texts: Vec<String>,
    bytes: usize,
    number_of: BTreeMap<String, usize>,
}

/// A drawing, as the numbers of its lines.
#[derive(Default)]
pub struct Drawing {
    pub numbers: Vec<usize>,
    parts: Vec<Part>,
    /// Runs of lines shared with the previous drawing, in order.
    kept: Vec<Kept>,
}

/// Pieces of a part, with the range of lines of each piece.
struct Part {
    pieces: Vec<Piece>,
    lines: Vec<Range<usize>>,
}

/// Groups with more items are compared item by item, because a whole board may be one group.
const MIN_LARGE_GROUP: usize = 16;

#[derive(PartialEq)]
enum Piece {
    Whole(Item),
    /// Opening tag of a large group.
    Begin(Item),
    End,
}

impl Piece {
    fn all(items: Vec<Item>, pieces: &mut Vec<Piece>) {
        for mut item in items {
            match &mut item.shape {
                Shape::Group { items, .. } if items.len() > MIN_LARGE_GROUP => {
                    let items = std::mem::take(items);
                    pieces.push(Piece::Begin(item));
                    Piece::all(items, pieces);
                    pieces.push(Piece::End);
                }
                _ => pieces.push(Piece::Whole(item)),
            }
        }
    }

    fn write(&self, mut add: impl FnMut(&str)) {
        match self {
            Piece::Whole(item) => item.to_svg().lines().for_each(add),
            Piece::Begin(item) => item.to_svg().lines().take(1).for_each(add),
            Piece::End => add("</g>"),
        }
    }
}

struct Kept {
    old: usize,
    new: usize,
    count: usize,
}

impl DistinctLines {
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.number_of.get(line) {
            return *number;
        }
        let number = self.texts.len();
        self.bytes += line.len();
        self.texts.push(line.to_owned());
        self.number_of.insert(line.to_owned(), number);
        number
    }

    pub fn add(&mut self, drawing: &mut Drawing, line: &str) {
        drawing.numbers.push(self.number(line));
    }

    /// Adds a part to a drawing, as an SVG picture. Items equal to those of the same part in the previous
    /// drawing are not written again, because most of a table stays the same.
    pub fn draw(&mut self, drawing: &mut Drawing, before: &Drawing, part: Scene) {
        let start = drawing.numbers.len();
        let whole = cfg!(debug_assertions).then(|| part.to_svg(&STILL));
        self.draw_what_changed(drawing, before, part);
        if let Some(whole) = whole {
            let drawn = drawing.numbers[start..].iter().map(|number| self.texts[*number].as_str());
            assert!(
                drawn.eq(whole.trim_end().lines()),
                "a part is the same whether it is drawn at once or not"
            );
        }
    }

    fn draw_what_changed(&mut self, drawing: &mut Drawing, before: &Drawing, mut part: Scene) {
        // The items of the only group, or else those of the drawing itself.
        let items = match &mut part.items[..] {
            [Item { shape: Shape::Group { items, .. }, .. }] => std::mem::take(items),
            _ => std::mem::take(&mut part.items),
        };
        let closing_tags = 1 + part.items.len();
        let frame = part.to_svg(&STILL);
        let frame: Vec<&str> = frame.trim_end().lines().collect();
        let (head, tail) = frame.split_at(frame.len() - closing_tags);
        head.iter().for_each(|line| self.add(drawing, line));
        let mut left = before.parts.get(drawing.parts.len()).map_or(&[][..], |part| &part.pieces);
        let mut pieces = Vec::with_capacity(items.len());
        Piece::all(items, &mut pieces);
        let mut part = Part { lines: Vec::with_capacity(pieces.len()), pieces };
        for piece in &part.pieces {
            let start = drawing.numbers.len();
            match left.iter().take(SEARCH_WINDOW).position(|old| old == piece) {
                Some(place) => {
                    left = &left[place + 1..];
                    drawing.keep(before, left.len());
                }
                None => piece.write(|line| self.add(drawing, line)),
            }
            part.lines.push(start..drawing.numbers.len());
        }
        drawing.parts.push(part);
        tail.iter().for_each(|line| self.add(drawing, line));
    }
}

impl Drawing {
    /// Takes a piece over from the previous drawing. `behind` is the number of pieces after it in the current
    /// part.
    fn keep(&mut self, before: &Drawing, behind: usize) {
        let lines = &before.parts[self.parts.len()].lines;
        let old = lines[lines.len() - 1 - behind].clone();
        let new = self.numbers.len();
        self.numbers.extend_from_slice(&before.numbers[old.clone()]);
        match self.kept.last_mut() {
            Some(last) if last.old + last.count == old.start && last.new + last.count == new => {
                last.count += old.len();
            }
            _ => self.kept.push(Kept { old: old.start, new, count: old.len() }),
        }
    }

    /// Changes from the previous drawing to this one: `[from, number of removed lines, inserted lines]`. The
    /// last change comes first, so every `from` refers to the previous drawing.
    pub fn changes(&self, before: &Drawing) -> Vec<Value> {
        let end = Kept { old: before.numbers.len(), new: self.numbers.len(), count: 0 };
        let mut changes = Vec::new();
        let (mut old, mut new) = (0, 0);
        for kept in self.kept.iter().chain([&end]) {
            changes_between(&before.numbers, old..kept.old, &self.numbers, new..kept.new, &mut changes);
            (old, new) = (kept.old + kept.count, kept.new + kept.count);
        }
        changes.reverse();
        if cfg!(debug_assertions) {
            assert_eq!(changed(&before.numbers, &changes), self.numbers, "changes make the drawing");
        }
        changes
    }
}

fn changed(numbers: &[usize], changes: &[Value]) -> Vec<usize> {
    let mut numbers = numbers.to_vec();
    for change in changes {
        let (from, count, come): (usize, usize, Vec<usize>) =
            serde_json::from_value(change.clone()).expect("changes are two numbers and a list");
        numbers.splice(from..from + count, come);
    }
    numbers
}

fn changes_between(
    old: &[usize],
    old_lines: Range<usize>,
    new: &[usize],
    new_lines: Range<usize>,
    changes: &mut Vec<Value>,
) {
    let found = splices(&old[old_lines.clone()], &new[new_lines.clone()]);
    // The changes are ascending here; `Drawing::changes` reverses the list.
    changes.extend(found.into_iter().rev().map(|Splice { at, gone, come }| {
        let come = &new[new_lines.start + come.start..new_lines.start + come.end];
        json!([old_lines.start + at, gone, come])
    }));
}
