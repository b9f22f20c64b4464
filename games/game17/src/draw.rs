//! The board as a drawing.

use meeple_core::{PlayerLabel, View};
use meeple_scene::{Color, Key, Scene, Transform, palette};

use crate::game::Game17;
use crate::screen::{Picture, caption};
use crate::style::{BoardStyle, ZOMBIE_COLOR};

/// Margin around the board for the numbers of rows and columns.
const MARGIN: f64 = 0.8;

/// Distance between text lines below the board.
const LINE: f64 = 0.68;

/// Size of the smallest text. It is legible if a square is as wide as a thumb.
const SMALL: f64 = 0.46;

/// Grey that is legible on paper.
const QUIET: Color = Color(0x5f, 0x64, 0x6a);

const LISTED: usize = 6;

/// The drawing of a board, with a bar of squares per side below it.
pub fn board_scene(picture: &Picture<'_>, style: &BoardStyle) -> Scene {
    let size = picture.size as f64;
    let width = full_width(picture.size);
    let sides = picture.sides();
    let listed = sides.len().min(LISTED);
    let height = 1.6 + size + 0.5 + 1.0 + 0.3 + LINE * listed as f64 + LINE;
    let mut scene = Scene::new(width, height);
    scene.title = "game17".into();
    scene.description = describe(picture, style);
    let (left, top) = corner(picture.size);
    scene.begin_board("board", [0.0, 0.0, width, top + size + 0.2], Transform::at(left, top));
    scene.text(MARGIN, 0.75, 0.55, picture.caption).bold().fit(width - 2.0 * MARGIN);
    for index in 0..picture.size {
        let middle = index as f64 + 0.5;
        let number = index.to_string();
        scene.text(left + middle, top - 0.3, SMALL, number.clone()).centered().fill(QUIET);
        scene.text(left - 0.4, top + middle, SMALL, number).centered().fill(QUIET);
    }
    draw_squares(&mut scene, picture, style, left, top);
    draw_borders(&mut scene, picture, left, top);
    draw_bar(&mut scene, picture, style, top + size + 0.5);
    scene
}

/// The width of the drawing. Small boards get additional width for the text below.
fn full_width(size: usize) -> f64 {
    (size as f64).max(8.0) + 2.0 * MARGIN
}

fn corner(size: usize) -> (f64, f64) {
    ((full_width(size) - size as f64) / 2.0, 1.6)
}

fn draw_squares(scene: &mut Scene, picture: &Picture<'_>, style: &BoardStyle, left: f64, top: f64) {
    let most = picture.most();
    for square in 0..picture.size * picture.size {
        let (row, column) = (square / picture.size, square % picture.size);
        let (x, y) = (left + column as f64, top + row as f64);
        let Some(owner) = picture.owners.get(square).copied() else {
            scene.rect(x, y, 1.0, 1.0).fill(palette::PAPER).stroke(palette::LINE, 0.03);
            continue;
        };
        let number = picture.numbers.get(square).copied().unwrap_or(0);
        let color = style.color(owner, number, most);
        let ink = color.contrasting();
        scene
            .rect(x, y, 1.0, 1.0)
            .fill(color)
            .stroke(palette::WHITE, 0.04)
            .tooltip(format!("row {row}, column {column}: {number} pieces of {}", style.name(owner)));
        if style.has_players() {
            let (lower, large) = if style.letter(owner).is_some() { (0.24, SMALL) } else { (0.0, 0.52) };
            scene
                .text(x + 0.5, y + 0.5 + lower, large, number.to_string())
                .bold()
                .fit(0.85)
                .centered()
                .fill(ink);
            if let Some(letter) = style.letter(owner) {
                scene.text(x + 0.5, y + 0.27, SMALL, letter.to_string()).centered().fill(ink);
            }
        } else {
            scene.text(x + 0.5, y + 0.3, SMALL, owner.to_string()).bold().fit(0.9).centered().fill(ink);
            scene.text(x + 0.5, y + 0.76, SMALL, format!("×{number}")).fit(0.9).centered().fill(ink);
        }
    }
}

/// Draws lines between squares of different owners, except across the edges of the torus.
fn draw_borders(scene: &mut Scene, picture: &Picture<'_>, left: f64, top: f64) {
    let size = picture.size;
    let mut border = |x1: usize, y1: usize, x2: usize, y2: usize| {
        let (x1, y1) = (left + x1 as f64, top + y1 as f64);
        scene.line(x1, y1, left + x2 as f64, top + y2 as f64).stroke(palette::INK, 0.05);
    };
    for (square, owner) in picture.owners.iter().enumerate() {
        let (row, column) = (square / size, square % size);
        let differs = |other: usize| picture.owners.get(other).is_some_and(|other| other != owner);
        if column + 1 < size && differs(square + 1) {
            border(column + 1, row, column + 1, row + 1);
        }
        if row + 1 < size && differs(square + size) {
            border(column, row + 1, column + 1, row + 1);
        }
    }
}

fn draw_bar(scene: &mut Scene, picture: &Picture<'_>, style: &BoardStyle, top: f64) {
    let sides = picture.sides();
    let total = sides.iter().map(|side| side.squares).sum::<u32>().max(1);
    let full = scene.width - 2.0 * MARGIN;
    scene.begin_part("sides", 0.0, top - 0.2, scene.width, scene.height - top + 0.2);
    let mut x = MARGIN;
    for side in &sides {
        let width = full * f64::from(side.squares) / f64::from(total);
        let color = style.legend_color(side.owner);
        let gap = if width > 0.15 { 0.03 } else { 0.0 };
        scene.rect(x, top, width - gap, 0.8).fill(color).tooltip(format!(
            "{}: {} squares",
            style.name(side.owner),
            side.squares
        ));
        if width > 1.1 {
            scene
                .text(x + width / 2.0, top + 0.4, SMALL, side.squares.to_string())
                .bold()
                .centered()
                .fill(color.contrasting());
        }
        x += width;
    }
    for (line, side) in picture.named_sides(style, LISTED).into_iter().enumerate() {
        let y = top + 1.5 + LINE * line as f64;
        scene.rect(MARGIN, y - 0.38, 0.44, 0.44).fill(style.legend_color(side.owner)).corner(0.08);
        let text = format!("{}: {}", player_name(style, side.owner), side.size());
        scene.text(MARGIN + 0.7, y, SMALL, text).cut(full - 0.7);
    }
    if sides.len() > LISTED {
        let y = top + 1.5 + LINE * LISTED as f64;
        scene.text(MARGIN + 0.7, y, SMALL, format!("and {} more", sides.len() - LISTED)).fill(QUIET);
    }
}

fn player_name(style: &BoardStyle, owner: u16) -> String {
    match style.letter(owner) {
        Some(_) => style.name(owner),
        None if style.has_players() => format!("zombie {owner}"),
        None => format!("owner {owner}"),
    }
}

fn describe(picture: &Picture<'_>, style: &BoardStyle) -> String {
    let sides = picture.sides();
    let largest: Vec<String> = sides
        .iter()
        .take(3)
        .map(|side| format!("{} with {} squares", player_name(style, side.owner), side.squares))
        .collect();
    format!(
        "{} A board of {size} by {size} squares with {} sides; largest: {}.",
        picture.caption,
        sides.len(),
        largest.join(", "),
        size = picture.size
    )
}

pub(crate) fn draw(view: &View<'_, Game17>) -> Scene {
    let style = BoardStyle::of_players(view.players);
    let mut scene = board_scene(&Picture::of(view, &caption(view, &style)), &style);
    let seen = &view.observation;
    let (left, top) = corner(seen.size());
    for square in crate::compose::squares_in_question(view) {
        let place = seen.place(square);
        let (x, y) = (left + f64::from(place.column), top + f64::from(place.row));
        scene.target(crate::compose::target(seen, square), [x, y, 1.0, 1.0]);
    }
    scene
}

/// The legend, without colours.
pub(crate) fn legend(players: &[PlayerLabel]) -> Vec<Key> {
    let style = BoardStyle::of_players(players);
    let mut keys = Vec::new();
    let square = |scene: &mut Scene, color: Color, number: &str| {
        scene.rect(0.0, 0.0, 1.0, 1.0).fill(color);
        scene.text(0.5, 0.5, 0.6, number).bold().centered().fill(color.contrasting());
    };
    let owner = (0..players.len() as u16).find(|owner| style.letter(*owner).is_some());
    if let Some(owner) = owner {
        keys.push(Key::new("a player's square: its letter, and the pieces there", |scene| {
            let color = style.legend_color(owner);
            scene.rect(0.0, 0.0, 1.0, 1.0).fill(color);
            let letter = style.letter(owner).unwrap_or(' ').to_string();
            scene.text(0.5, 0.27, SMALL, letter).centered().fill(color.contrasting());
            scene.text(0.5, 0.74, SMALL, "4").bold().centered().fill(color.contrasting());
        }));
        keys.push(Key::new("a zombie's square, and the pieces there", |scene| {
            square(scene, ZOMBIE_COLOR, "4");
        }));
    } else {
        keys.push(Key::new("a square: its owner's number above, its pieces below", |scene| {
            let color = style.legend_color(0);
            scene.rect(0.0, 0.0, 1.0, 1.0).fill(color);
            scene.text(0.5, 0.3, SMALL, "17").bold().centered().fill(color.contrasting());
            scene.text(0.5, 0.76, SMALL, "×4").centered().fill(color.contrasting());
        }));
    }
    keys.push(Key::new("a border between two owners; the board's edges join up", |scene| {
        scene.rect(0.0, 0.0, 1.0, 1.0).fill(ZOMBIE_COLOR);
        scene.line(0.5, 0.0, 0.5, 1.0).stroke(palette::INK, 0.08);
    }));
    keys.push(Key::new("below the board: the squares of each side, the largest first", |scene| {
        for (x, width, color) in [(0.0, 0.5, palette::seat_color(0)), (0.53, 0.47, ZOMBIE_COLOR)] {
            scene.rect(x, 0.3, width, 0.4).fill(color);
        }
    }));
    keys
}
