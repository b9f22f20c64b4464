//! The board as text for terminals.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use meeple_core::{View, Viewer};
use meeple_scene::{Area, Ink, Part, Screen};

use crate::event::count;
use crate::game::Game17;
use crate::style::BoardStyle;

/// Upper bound on the side of boards whose squares are written out. Larger boards show one character per
/// square.
const WRITTEN_OUT: usize = 19;

const SIDES_SHOWN: usize = 10;

/// Width of a name in the list of sides, in columns.
const NAME_COLUMNS: usize = 10;

/// A board to display, from a game or a record.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub size: usize,
    /// Owner of each square, row by row; shorter while the board is being set up.
    pub owners: &'a [u16],
    /// Pieces on each square, row by row. Records of the original may have negative counts.
    pub numbers: Cow<'a, [i64]>,
    pub caption: &'a str,
}

impl<'a> Picture<'a> {
    pub(crate) fn of(view: &'a View<'_, Game17>, caption: &'a str) -> Self {
        let observation = &view.observation;
        Self {
            size: observation.size(),
            owners: observation.owners(),
            numbers: observation.numbers().iter().copied().map(i64::from).collect(),
            caption,
        }
    }

    /// Owners with their squares and pieces: by squares, then by pieces, both descending, then by id.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::new();
        let mut index = vec![usize::MAX; self.size * self.size];
        for (owner, number) in self.owners.iter().zip(self.numbers.iter()) {
            let slot = &mut index[usize::from(*owner)];
            if *slot == usize::MAX {
                *slot = sides.len();
                sides.push(Side { owner: *owner, squares: 0, pieces: 0 });
            }
            sides[*slot].squares += 1;
            sides[*slot].pieces = sides[*slot].pieces.saturating_add(*number);
        }
        sides.sort_by_key(|side| (std::cmp::Reverse((side.squares, side.pieces)), side.owner));
        sides
    }

    /// The sides that are named: players first, then the largest of the other owners, both by size.
    pub(crate) fn named_sides(&self, style: &BoardStyle, most: usize) -> Vec<Side> {
        let mut sides = self.sides();
        // The stable sort keeps the order by size.
        sides.sort_by_key(|side| style.letter(side.owner).is_none());
        sides.truncate(most);
        sides
    }

    /// The largest number of pieces on one square.
    pub(crate) fn most(&self) -> i64 {
        self.numbers.iter().copied().max().unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    pub(crate) owner: u16,
    pub(crate) squares: u32,
    pub(crate) pieces: i64,
}

impl Side {
    /// The number of squares and pieces, in words.
    pub(crate) fn size(&self) -> String {
        format!("{}, {}", count(self.squares.into(), "square"), count(self.pieces, "piece"))
    }
}

/// The board with numbered rows and columns, and a list of the players and the largest sides beside it.
pub fn board_screen(picture: &Picture<'_>, style: &BoardStyle) -> Screen {
    let mut screen = Screen::new();
    screen.line().push(picture.caption);
    let most = picture.most();
    let sides = picture.sides();
    let named = picture.named_sides(style, SIDES_SHOWN);
    let marks = Marks::new(&named, style);
    let written = picture.size <= WRITTEN_OUT;
    let label = (picture.size - 1).to_string().len().max(2);
    screen.panel(Part::Board).labels(1, label);
    screen.line().push(" ".repeat(label));
    for column in 0..picture.size {
        let text = if written { format!("{column:>3} ") } else { (column % 10).to_string() };
        screen.push_ink(text, Ink::plain().dim());
    }
    for row in 0..picture.size {
        screen.line().push_ink(format!("{row:>label$}"), Ink::plain().dim());
        let squares =
            || (row * picture.size..(row + 1) * picture.size).map(|square| square_of(picture, square));
        for (column, (owner, number)) in squares().enumerate() {
            match owner {
                None => screen.push(if written { "  . " } else { "." }),
                Some(owner) => {
                    let mut ink = Ink::bg(style.color(owner, number, most));
                    ink.bold = style.is_own(owner);
                    let line = screen.panels.last().map_or(0, |panel| panel.lines.len() - 1);
                    screen.push_ink(cell(picture, style, &marks, owner, number), ink);
                    if style.is_own(owner) && number > 0 {
                        let columns = if written { 4 } else { 1 };
                        screen.focus(Area { column: label + column * columns, line, columns, lines: 1 });
                    }
                    &mut screen
                }
            };
        }
        if style.counts() && written {
            screen.line().push(" ".repeat(label));
            for (owner, number) in squares() {
                let color = owner.map_or(Ink::plain(), |owner| Ink::bg(style.color(owner, number, most)));
                screen.push_ink(format!("{number:>3} "), color);
            }
        }
    }
    screen.panel(Part::Side);
    screen.line().push_ink(format!("{:<NAME_COLUMNS$}{:>3}{:>7}", "", "sq", "pieces"), Ink::plain().dim());
    for side in named {
        let mark = marks.of(side.owner);
        let player = style.player(side.owner).unwrap_or_default();
        let name = shortened(format!("{mark} {} {player}", side.owner).trim_end(), NAME_COLUMNS);
        screen.line().push_ink(format!("{name:<NAME_COLUMNS$}"), Ink::fg(style.legend_color(side.owner)));
        screen.push(format!("{:>3}{:>7}", side.squares, side.pieces));
    }
    if sides.len() > SIDES_SHOWN {
        screen.line().push(format!("and {} more", sides.len() - SIDES_SHOWN));
    }
    // R8.5: a film slows down as sides vanish, so each frame is shown for longer.
    let alive = sides.iter().filter(|side| side.pieces > 0).count();
    screen.hold = Some(Duration::from_secs(1) / alive.max(1) as u32);
    screen
}

/// The letters that distinguish owners without colours. The viewer has `*`, other players have capital
/// letters, and the largest of the other owners have small letters. Owners of a single square have none.
struct Marks(BTreeMap<u16, char>);

impl Marks {
    fn new(named: &[Side], style: &BoardStyle) -> Self {
        let mut small = 'a'..='z';
        let mark = |side: &Side| {
            let own = style.is_own(side.owner).then_some('*');
            let mark = own.or(style.letter(side.owner));
            let rest = if side.squares > 1 && mark.is_none() { small.next() } else { None };
            Some((side.owner, mark.or(rest)?))
        };
        Self(named.iter().filter_map(mark).collect())
    }

    fn of(&self, owner: u16) -> char {
        self.0.get(&owner).copied().unwrap_or(' ')
    }
}

fn square_of(picture: &Picture<'_>, square: usize) -> (Option<u16>, i64) {
    (picture.owners.get(square).copied(), picture.numbers.get(square).copied().unwrap_or(0))
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn cell(picture: &Picture<'_>, style: &BoardStyle, marks: &Marks, owner: u16, number: i64) -> String {
    let mark = match marks.of(owner) {
        // Players beyond the list keep their letters.
        ' ' => style.letter(owner).unwrap_or(' '),
        mark => mark,
    };
    match (picture.size <= WRITTEN_OUT, style.has_players()) {
        (true, true) => format!("{number:>3}{mark}"),
        (true, false) => format!("{owner:>3} "),
        (false, true) => match mark {
            ' ' => if number > 0 { '·' } else { ' ' }.to_string(),
            mark => mark.to_string(),
        },
        // A single digit: the number of pieces, capped at 9.
        (false, false) => number.clamp(0, 9).to_string(),
    }
}

pub(crate) fn screen(view: &View<'_, Game17>) -> Screen {
    let mut style = BoardStyle::of_players(view.players);
    let observation = &view.observation;
    let Viewer::Seat(seat) = view.viewer else {
        return board_screen(&Picture::of(view, &caption(view, &style)), &style);
    };
    style.set_own(seat.index() as u16);
    let mut screen = board_screen(&Picture::of(view, &caption(view, &style)), &style);
    if let Some(text) = crate::briefing::since_last_turn(observation, view.events, seat, &style) {
        screen.panel(Part::News).line().push(text);
    }
    if observation.mover() == Some(seat) {
        let squares = count(observation.squares_of(seat).into(), "square");
        let pieces = observation.pieces_of(seat);
        screen
            .panel(Part::Foot)
            .line()
            .push(format!("your turn: {squares} (*), {pieces} pieces; row first, as in '3,4 north 2'"));
        let targets = crate::briefing::targets(observation, seat, &style);
        screen.panel(Part::Choices);
        for target in &targets {
            screen.line().push(format!("{:<14} {}", target.text, target.effect));
        }
        if targets.is_empty() {
            screen.line().push("none of your squares is strong enough to take a neighbour by itself");
        }
    }
    screen
}

/// The status of the game, as one line.
pub(crate) fn caption(view: &View<'_, Game17>, style: &BoardStyle) -> String {
    let observation = &view.observation;
    let rounds = observation.round() + 1 + observation.rounds_left();
    match observation.mover() {
        Some(mover) => format!(
            "round {} of {rounds}, player {}",
            observation.round() + 1,
            style.name(mover.index() as u16)
        ),
        None if observation.turn_order().len() < observation.numbers().len() => "set-up".to_owned(),
        None => match view.events.last() {
            Some(event) => event.to_string(),
            None => "over".to_owned(),
        },
    }
}
