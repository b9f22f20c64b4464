//! The board as text for terminals.

use std::time::Duration;

use meeple_core::View;
use meeple_scene::{Ink, Part, Screen};

use crate::look::Look;
use crate::rules::Game17;

/// Longest side of a board whose squares are written out; larger ones show one character for each square.
const WRITTEN_OUT: usize = 19;

/// Lines of the list of sides.
const SIDES_SHOWN: usize = 10;

/// A board to be shown: from a game or from a record.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Squares along each side.
    pub size: usize,
    /// Owner of each square, row by row; shorter while the board is being set up.
    pub owners: &'a [u16],
    /// Pieces on each square, row by row.
    pub numbers: &'a [u32],
    /// What is shown above it.
    pub caption: &'a str,
}

impl<'a> Picture<'a> {
    /// What a viewer of the game sees.
    pub(crate) fn of(view: &'a View<'_, Game17>, caption: &'a str) -> Self {
        let observation = &view.observation;
        Self {
            size: observation.size(),
            owners: observation.owners(),
            numbers: observation.numbers(),
            caption,
        }
    }

    /// Owners with their squares and pieces: most squares first, then most pieces, then the lowest id.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::new();
        let mut index = vec![usize::MAX; self.size * self.size];
        for (owner, number) in self.owners.iter().zip(self.numbers) {
            let slot = &mut index[usize::from(*owner)];
            if *slot == usize::MAX {
                *slot = sides.len();
                sides.push(Side { owner: *owner, squares: 0, pieces: 0 });
            }
            sides[*slot].squares += 1;
            sides[*slot].pieces += u64::from(*number);
        }
        sides.sort_by_key(|side| (std::cmp::Reverse((side.squares, side.pieces)), side.owner));
        sides
    }

    /// The sides worth naming: players first, then the largest of the others, both by size.
    pub(crate) fn named_sides(&self, look: &Look, most: usize) -> Vec<Side> {
        let mut sides = self.sides();
        // A stable sort keeps the order by size.
        sides.sort_by_key(|side| look.letter(side.owner).is_none());
        sides.truncate(most);
        sides
    }

    /// The most pieces on one square.
    pub(crate) fn most(&self) -> u32 {
        self.numbers.iter().copied().max().unwrap_or(0)
    }
}

/// An owner's share of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    pub(crate) owner: u16,
    pub(crate) squares: u32,
    pub(crate) pieces: u64,
}

impl Side {
    /// Squares and pieces in words.
    pub(crate) fn size(&self) -> String {
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        format!("{}, {}", plural(self.squares.into(), "square"), plural(self.pieces, "piece"))
    }
}

/// The board, and below it the players and the largest sides with a bar each.
pub fn board_screen(picture: &Picture<'_>, look: &Look) -> Screen {
    let mut screen = Screen::new();
    screen.line().push(picture.caption);
    screen.panel(Part::Board);
    let most = picture.most();
    for row in 0..picture.size {
        screen.line();
        let squares =
            || (row * picture.size..(row + 1) * picture.size).map(|square| square_of(picture, square));
        for (owner, number) in squares() {
            match owner {
                None => screen.push(if picture.size <= WRITTEN_OUT { "  . " } else { "." }),
                Some(owner) => {
                    let ink = Ink::bg(look.color(owner, number, most));
                    screen.push_ink(cell(picture, look, owner, number), ink)
                }
            };
        }
        if look.counts() && picture.size <= WRITTEN_OUT {
            screen.line();
            for (owner, number) in squares() {
                let color = owner.map_or(Ink::plain(), |owner| Ink::bg(look.color(owner, number, most)));
                screen.push_ink(format!("{number:>3} "), color);
            }
        }
    }
    screen.panel(Part::Side);
    let sides = picture.sides();
    let scale = sides.first().map_or(1, |side| side.squares.max(1));
    for side in picture.named_sides(look, SIDES_SHOWN) {
        let bar = "#".repeat((side.squares * 30).div_ceil(scale.max(30)) as usize);
        screen.line().push(format!("{:<24}", shortened(&look.name(side.owner), 23)));
        screen.push_ink(bar, Ink::fg(look.legend_color(side.owner)));
        screen.push(format!(" {}", side.size()));
    }
    if sides.len() > SIDES_SHOWN {
        screen.line().push(format!("and {} more", sides.len() - SIDES_SHOWN));
    }
    // R8.5: a film slows down as sides vanish.
    let alive = sides.iter().filter(|side| side.pieces > 0).count();
    screen.hold = Some(Duration::from_secs(1) / alive.max(1) as u32);
    screen
}

fn square_of(picture: &Picture<'_>, square: usize) -> (Option<u16>, u32) {
    (picture.owners.get(square).copied(), picture.numbers.get(square).copied().unwrap_or(0))
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// What is written on a square.
fn cell(picture: &Picture<'_>, look: &Look, owner: u16, number: u32) -> String {
    let letter = look.letter(owner);
    match (picture.size <= WRITTEN_OUT, look.has_players()) {
        (true, true) => format!("{number:>3}{}", letter.unwrap_or(' ')),
        (true, false) => format!("{owner:>3} "),
        (false, true) => letter.unwrap_or(if number > 0 { '·' } else { ' ' }).to_string(),
        // One digit has to do: how many pieces, 9 for more.
        (false, false) => number.min(9).to_string(),
    }
}

pub(crate) fn screen(_game: &Game17, view: &View<'_, Game17>) -> Screen {
    let look = Look::of_players(view.players);
    board_screen(&Picture::of(view, &caption(view, &look)), &look)
}

/// Where the game stands, in a line.
pub(crate) fn caption(view: &View<'_, Game17>, look: &Look) -> String {
    let observation = &view.observation;
    let rounds = observation.round() + 1 + observation.rounds_left();
    match observation.mover() {
        Some(mover) => format!(
            "round {} of {rounds}, player {}",
            observation.round() + 1,
            look.name(mover.index() as u16)
        ),
        None if observation.turn_order().len() < observation.numbers().len() => "set-up".to_owned(),
        None => match view.events.last() {
            Some(event) => event.to_string(),
            None => "over".to_owned(),
        },
    }
}
