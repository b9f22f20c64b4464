//! Many drawings that are mostly the same: their lines, each kept once, and what changes from one to the next.

use std::collections::BTreeMap;
use std::ops::Range;

use meeple_scene::{Item, Scene, Shape, Splice, SvgOptions, splices};
use serde_json::{Value, json};

/// How many pieces before it may be gone, so that a piece is found again.
const NEAR: usize = 16;

/// Nothing in these pictures can be pressed.
pub const STILL: SvgOptions = SvgOptions { pixels_per_unit: 64.0, interactive: false };

/// Lines by number.
#[derive(Default)]
pub struct Lines {
    texts: Vec<String>,
    /// Of all texts.
    bytes: usize,
    number_of: BTreeMap<String, usize>,
}

/// A drawing as the numbers of its lines.
#[derive(Default)]
pub struct Drawing {
    pub numbers: Vec<usize>,
    parts: Vec<Part>,
    /// Lines that are those of the drawing before, in order.
    kept: Vec<Kept>,
}

/// The pieces of a part of a drawing, and where the lines of each are.
struct Part {
    pieces: Vec<Piece>,
    lines: Vec<Range<usize>>,
}

/// Groups of more items are gone through item by item: all of a board may stand in one.
const LARGE: usize = 16;

/// What is written at once.
#[derive(PartialEq)]
enum Piece {
    Whole(Item),
    /// Where a large group begins, without what is in it,
    Begin(Item),
    /// and where it ends.
    End,
}

impl Piece {
    fn all(items: Vec<Item>, pieces: &mut Vec<Piece>) {
        for mut item in items {
            match &mut item.shape {
                Shape::Group { items, .. } if items.len() > LARGE => {
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

/// So many lines that stand at these places of the old drawing and the new.
struct Kept {
    old: usize,
    new: usize,
    count: usize,
}

impl Lines {
    /// The lines, in the order of their numbers.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// How many bytes they have together.
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

    /// Adds a line to a drawing.
    pub fn add(&mut self, drawing: &mut Drawing, line: &str) {
        drawing.numbers.push(self.number(line));
    }

    /// Adds a part to a drawing, as a picture in SVG. Items that are as they were in the same part of the drawing
    /// before are not written again: of a game's table little changes at once.
    pub fn draw(&mut self, drawing: &mut Drawing, before: &Drawing, part: Scene) {
        let start = drawing.numbers.len();
        // Where tests run, each part of each page is held against the picture as a whole.
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
        // All that moves stands in one group, or in the drawing itself.
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
            match left.iter().take(NEAR).position(|old| old == piece) {
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
    /// Takes over a piece of the drawing before: the one with so many behind it in the part that is being drawn.
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

    /// What makes the drawing before this one: [from, how many go, what comes in their place], the last change first,
    /// so that every `from` counts in the drawing before.
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

/// The numbers with these changes, as the page makes them.
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
    // First things first: all changes are turned round together.
    changes.extend(found.into_iter().rev().map(|Splice { at, gone, come }| {
        let come = &new[new_lines.start + come.start..new_lines.start + come.end];
        json!([old_lines.start + at, gone, come])
    }));
}
