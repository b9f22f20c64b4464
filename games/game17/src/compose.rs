//! The composer: builds a turn move by move, each from square, direction and count.
//!
//! The text of an unfinished turn has its moves, such as `3,4:n2`, separated by blanks. The last move may be
//! incomplete: `3,4` has only a square, `3,4:n` a square and a direction.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::{ActionPart, Addition, Composition, View, Viewer};

use crate::action::Action;
use crate::board::Direction;
use crate::event::count;
use crate::game::Game17;
use crate::observe::Observation;
use crate::style::BoardStyle;

const SUGGESTED: usize = 6;

/// If there are more squares than this, the row is chosen first.
const MAX_SQUARES: usize = 24;

/// If there are at most this many pieces, every count is offered.
const MAX_COUNTS: u32 = 20;

struct Move {
    square: usize,
    direction: Direction,
    count: u32,
}

enum Open {
    Square(usize),
    Direction(usize, Direction),
}

struct Draft<'v, 'a> {
    seen: &'v Observation<'a>,
    style: BoardStyle,
    moves: Vec<Move>,
    open: Option<Open>,
    /// Pieces that leave, by square.
    leaving: BTreeMap<usize, u32>,
    /// Pieces that arrive, by square.
    coming: BTreeMap<usize, u32>,
}

/// The possible continuations of a turn; `None` for viewers who owe no decision.
pub(crate) fn compose(view: &View<'_, Game17>, text: &str) -> Result<Option<Composition>, String> {
    let seen = &view.observation;
    let Viewer::Seat(seat) = view.viewer else { return Ok(None) };
    if seen.mover() != Some(seat) {
        return Ok(None);
    }
    let mut style = BoardStyle::of_players(view.players);
    style.set_own(seat.index() as u16);
    let (moves, open, leaving, coming) = (Vec::new(), None, BTreeMap::new(), BTreeMap::new());
    let mut draft = Draft { seen, style, moves, open, leaving, coming };
    for word in text.split_whitespace() {
        draft.read(word)?;
    }
    Ok(Some(draft.composition(text)))
}

/// The name of a square in the drawing.
pub(crate) fn target(seen: &Observation<'_>, square: usize) -> String {
    let place = seen.place(square);
    format!("{},{}", place.row, place.column)
}

/// The squares from which or to which the viewer can send pieces now.
pub(crate) fn squares_in_question(view: &View<'_, Game17>) -> BTreeSet<usize> {
    let seen = &view.observation;
    let asked = |seat: &meeple_core::Seat| view.viewer == Viewer::Seat(*seat);
    let own = seen.mover().filter(asked).into_iter().flat_map(|seat| seen.squares(seat));
    let sends = own.filter(|square| seen.numbers()[*square] > 0);
    sends.flat_map(|square| seen.neighbours(square).into_iter().chain([square])).collect()
}

impl Draft<'_, '_> {
    fn read(&mut self, word: &str) -> Result<(), String> {
        if self.open.is_some() {
            return Err(format!("expected nothing after a move that is open, found '{word}'"));
        }
        let (origin, rest) = word.split_once(':').unwrap_or((word, ""));
        let square = self.square(origin)?;
        if rest.is_empty() {
            self.open = Some(Open::Square(square));
            return Ok(());
        }
        let wrong = || format!("expected a direction (n, s, e, w) and perhaps a count, found '{rest}'");
        let (letter, number) = rest.split_at_checked(1).ok_or_else(wrong)?;
        let direction: Direction = letter.parse().map_err(|_| wrong())?;
        if number.is_empty() {
            self.open = Some(Open::Direction(square, direction));
            return Ok(());
        }
        let left = self.left(square);
        let count = number.parse().ok().filter(|count| (1..=left).contains(count));
        let count = count.ok_or_else(|| format!("expected 1 to {left} pieces, found '{number}'"))?;
        *self.leaving.entry(square).or_default() += count;
        *self.coming.entry(self.towards(square, direction)).or_default() += count;
        self.moves.push(Move { square, direction, count });
        Ok(())
    }

    /// Parses a square of the mover that still has unsent pieces.
    fn square(&self, text: &str) -> Result<usize, String> {
        let wrong = || format!("expected one of your squares as ROW,COLUMN with pieces left, found '{text}'");
        let size = self.seen.size();
        let (row, column) = text.split_once(',').ok_or_else(wrong)?;
        let (row, column): (usize, usize) = row.parse().ok().zip(column.parse().ok()).ok_or_else(wrong)?;
        let inside = row < size && column < size;
        let square = inside.then(|| row * size + column).ok_or_else(wrong)?;
        if self.is_own(square) && self.left(square) > 0 { Ok(square) } else { Err(wrong()) }
    }

    fn is_own(&self, square: usize) -> bool {
        self.seen.mover().is_some_and(|seat| usize::from(self.seen.owners()[square]) == seat.index())
    }

    /// The number of unsent pieces on a square.
    fn left(&self, square: usize) -> u32 {
        self.seen.numbers()[square] - self.leaving.get(&square).copied().unwrap_or(0)
    }

    fn towards(&self, square: usize, direction: Direction) -> usize {
        self.seen.neighbours(square)[direction as usize]
    }

    fn at(&self, square: usize) -> String {
        let place = self.seen.place(square);
        format!("row {}, column {}", place.row, place.column)
    }

    /// The effect, in words, if `coming` pieces arrive at a square in total.
    fn effect(&self, square: usize, coming: u32) -> String {
        let stands = self.seen.numbers()[square];
        if self.is_own(square) {
            return "joins your own".into();
        }
        let owner = self.style.title(self.seen.owners()[square]);
        match coming.cmp(&stands) {
            // R3.7, R3.8: the majority takes the square, and a coin decides ties.
            std::cmp::Ordering::Greater => format!("takes it from {owner}"),
            std::cmp::Ordering::Equal => format!("a coin decides between you and {owner}"),
            std::cmp::Ordering::Less => format!("too few, {owner} keeps it and your pieces"),
        }
    }

    fn composition(&self, text: &str) -> Composition {
        let words: Vec<&str> = text.split_whitespace().collect();
        let base = words[..words.len() - usize::from(self.open.is_some())].join(" ");
        let back = match &self.open {
            Some(Open::Direction(square, _)) => Some(joined(&base, &target(self.seen, *square))),
            Some(Open::Square(_)) => Some(base.clone()),
            None => words.split_last().map(|(_, before)| before.join(" ")),
        };
        let squares = |moved: &Move| [moved.square, self.towards(moved.square, moved.direction)];
        let used: BTreeSet<usize> = self.moves.iter().flat_map(squares).collect();
        let name = |square: &usize| target(self.seen, *square);
        let chosen = match &self.open {
            None => Vec::new(),
            Some(Open::Square(square)) => vec![name(square)],
            Some(Open::Direction(square, direction)) => {
                vec![name(square), name(&self.towards(*square, *direction))]
            }
        };
        let additions = match &self.open {
            None => self.suggestions(&base).into_iter().chain(self.squares(&base)).collect(),
            Some(Open::Square(square)) => self.directions(&base, *square),
            Some(Open::Direction(square, direction)) => self.counts(&base, *square, *direction),
        };
        let is_whole = self.open.is_none();
        let words = match self.moves.len() {
            0 => "Move nothing".to_owned(),
            1 => "Make this move".to_owned(),
            many => format!("Make these {many} moves"),
        };
        Composition {
            lines: self.moves.iter().map(|moved| self.line(moved)).collect(),
            chosen,
            used: used.iter().map(name).collect(),
            back,
            additions,
            action: is_whole.then(|| self.action().to_string()),
            words: if is_whole { words } else { String::new() },
        }
    }

    fn action(&self) -> Action {
        let mut action = Action::default();
        for Move { square, direction, count } in &self.moves {
            let place = self.seen.place(*square);
            let (row, column) = (i16::from(place.row), i16::from(place.column));
            action.push(row, column, *direction, i32::try_from(*count).unwrap_or(i32::MAX));
        }
        action
    }

    fn line(&self, moved: &Move) -> String {
        let to = self.towards(moved.square, moved.direction);
        format!(
            "{} from {} {} to {}: {}",
            count(moved.count.into(), "piece"),
            self.at(moved.square),
            long(moved.direction),
            self.at(to),
            self.effect(to, self.coming[&to])
        )
    }

    /// Moves of all unsent pieces of a square that take another square or lead to a coin, best first.
    fn suggestions(&self, base: &str) -> Vec<Addition> {
        let mut found = Vec::new();
        for square in self.senders() {
            for direction in Direction::ALL {
                let to = self.towards(square, *direction);
                let (came, stands) = (self.coming.get(&to).copied().unwrap_or(0), self.seen.numbers()[to]);
                let coming = came + self.left(square);
                if self.is_own(to) || came > stands || coming < stands {
                    continue;
                }
                found.push((coming == stands, std::cmp::Reverse(coming - stands), square, *direction));
            }
        }
        found.sort_by_key(|(coin, ahead, square, direction)| (*coin, *ahead, *square, *direction as usize));
        let suggest = |(_, std::cmp::Reverse(ahead), square, direction): (bool, _, usize, Direction)| {
            let to = self.towards(square, direction);
            let (left, name) = (self.left(square), target(self.seen, square));
            let coming = self.seen.numbers()[to] + ahead;
            let all = if left > 1 { "all " } else { "" };
            let label = format!(
                "{all}{left} from {} {}: {}",
                self.at(square),
                long(direction),
                self.effect(to, coming)
            );
            Addition {
                text: joined(base, &format!("{name}:{}{left}", direction.word())),
                parts: vec![ActionPart::new("Worth a thought", label)],
                target: None,
            }
        };
        found.into_iter().take(SUGGESTED).map(suggest).collect()
    }

    /// The mover's squares with unsent pieces.
    fn senders(&self) -> impl Iterator<Item = usize> + '_ {
        let own = self.seen.mover().into_iter().flat_map(|seat| self.seen.squares(seat));
        own.filter(|square| self.left(*square) > 0)
    }

    fn squares(&self, base: &str) -> Vec<Addition> {
        let senders: Vec<usize> = self.senders().collect();
        let by_rows = senders.len() > MAX_SQUARES;
        let addition = |square: &usize| {
            let place = self.seen.place(*square);
            let parts = if by_rows {
                let left = count(self.left(*square).into(), "piece");
                vec![
                    ActionPart::new("Send pieces from", format!("row {}", place.row)),
                    ActionPart::new("Square", format!("column {}: {left}", place.column)),
                ]
            } else {
                vec![self.origin(*square)]
            };
            let name = target(self.seen, *square);
            Addition { text: joined(base, &name), parts, target: Some(name) }
        };
        senders.iter().map(addition).collect()
    }

    fn origin(&self, square: usize) -> ActionPart {
        let left = count(self.left(square).into(), "piece");
        ActionPart::new("Send pieces from", format!("{}: {left}", self.at(square)))
    }

    fn heading(&self, square: usize, direction: Direction) -> ActionPart {
        let to = self.towards(square, direction);
        let stands = match self.seen.numbers()[to] {
            0 => "empty".to_owned(),
            number => count(number.into(), "piece"),
        };
        let whose = if self.is_own(to) {
            "your own".to_owned()
        } else {
            format!("of {}", self.style.title(self.seen.owners()[to]))
        };
        ActionPart::new("Direction", format!("{} to {}: {stands}, {whose}", long(direction), self.at(to)))
    }

    fn directions(&self, base: &str, square: usize) -> Vec<Addition> {
        let addition = |direction: &Direction| {
            let to = self.towards(square, *direction);
            let name = target(self.seen, square);
            Addition {
                text: joined(base, &format!("{name}:{}", direction.word())),
                parts: vec![self.origin(square), self.heading(square, *direction)],
                target: Some(target(self.seen, to)),
            }
        };
        Direction::ALL.iter().map(addition).collect()
    }

    fn counts(&self, base: &str, square: usize, direction: Direction) -> Vec<Addition> {
        let (left, to) = (self.left(square), self.towards(square, direction));
        let came = self.coming.get(&to).copied().unwrap_or(0);
        // These counts take the square, lead to a coin, leave one piece behind, or send half.
        let needed = self.seen.numbers()[to].saturating_sub(came);
        let mut counts: BTreeSet<u32> = (1..=left.min(MAX_COUNTS)).collect();
        counts.extend([needed, needed + 1, left / 2, left - 1]);
        let others = counts.into_iter().filter(|number| (1..left).contains(number));
        let addition = |number: u32| {
            let all = if number == left && left > 1 { "all " } else { "" };
            let pieces = count(number.into(), "piece");
            let name = target(self.seen, square);
            Addition {
                text: joined(base, &format!("{name}:{}{number}", direction.word())),
                parts: vec![
                    self.origin(square),
                    self.heading(square, direction),
                    ActionPart::new("How many", format!("{all}{pieces}: {}", self.effect(to, came + number))),
                ],
                target: (number == left).then(|| target(self.seen, to)),
            }
        };
        [left].into_iter().chain(others).map(addition).collect()
    }
}

fn joined(base: &str, word: &str) -> String {
    if base.is_empty() { word.to_owned() } else { format!("{base} {word}") }
}

const fn long(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::South => "south",
        Direction::East => "east",
        Direction::West => "west",
    }
}
