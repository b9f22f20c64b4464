//! The table as text: three by three letters per tile, coordinates around the board, the hand, and the
//! options.

use meeple_core::{View, Viewer};
use meeple_scene::{Area, Color, Ink, Part, Screen, palette};

use crate::action::Action;
use crate::board::{Board, node_of};
use crate::game::Carcassonne;
use crate::geometry::{Cell, FieldSpot, Side, Spot};
use crate::state::Stage;
use crate::tiles::{Kind, NONE, SegmentKind, Terrain, tables};
use crate::variant::Progress;

const GRASS: Color = Color::hex("#5f8f3e");
const CITY: Color = Color::hex("#c07a2c");
const ROAD: Color = Color::hex("#8a8a8a");
const WATER: Color = Color::hex("#3a86c8");
const STONE: Color = Color::hex("#9a5fb5");

#[derive(Clone, Copy)]
struct Letter(char, Ink);

type Block = [[Letter; 3]; 3];

fn letter(char: char, color: Color) -> Letter {
    Letter(char, Ink::fg(color))
}

/// Row and column of the letter in the middle of a side.
const fn edge(side: Side) -> (usize, usize) {
    match side {
        Side::N => (0, 1),
        Side::E => (1, 2),
        Side::S => (2, 1),
        Side::W => (1, 0),
    }
}

/// Row and column of the corner at the clockwise beginning of a side.
const fn corner(side: usize) -> (usize, usize) {
    [(0, 0), (0, 2), (2, 2), (2, 0)][side & 3]
}

fn block(kind: Kind, turns: u8) -> Block {
    let piece = tables().piece(kind, turns);
    let mut block = [[letter('.', GRASS); 3]; 3];
    for side in Side::ALL {
        let (row, column) = edge(side);
        let along = if matches!(side, Side::N | Side::S) { '|' } else { '-' };
        block[row][column] = match piece.terrain[side.index()] {
            Terrain::Field => letter('.', GRASS),
            Terrain::City => letter('#', CITY),
            Terrain::Road => letter(along, ROAD),
            Terrain::River => letter('~', WATER),
        };
        // A corner between two sides of one city is city.
        let (city, before) = (piece.at_side[side.index()], piece.at_side[side.turned(3).index()]);
        if city != NONE && city == before && piece.terrain[side.index()] == Terrain::City {
            let (row, column) = corner(side.index());
            block[row][column] = letter('#', CITY);
        }
    }
    block[1][1] = centre(kind, turns);
    for (number, segment) in kind.tile().segments.iter().enumerate() {
        if segment.banner
            && let Spot::City(side) = piece.spots[number]
        {
            let (row, column) = edge(side);
            block[row][column] = letter('*', CITY);
        }
    }
    block
}

fn centre(kind: Kind, turns: u8) -> Letter {
    let piece = tables().piece(kind, turns);
    let tile = kind.tile();
    let of = |wanted: SegmentKind| {
        let sides = (0..4).filter(move |side| {
            let segment = piece.at_side[*side];
            segment != NONE && tile.segments[usize::from(segment)].kind == wanted
        });
        sides.map(move |side| (side, piece.at_side[side]))
    };
    if tile.monastery().is_some() {
        return Letter('M', Ink::fg(palette::DANGER).bold());
    }
    if tile.foundation {
        return Letter('T', Ink::fg(STONE).bold());
    }
    if tile.river.count_ones() == 1 {
        return letter('O', WATER);
    }
    let roads: Vec<(usize, u8)> = of(SegmentKind::Road).collect();
    match roads[..] {
        _ if tile.river != 0 && !roads.is_empty() => return letter('=', ROAD),
        [_] => return letter('o', ROAD),
        [(one, a), (other, b)] if a == b => {
            return letter(
                match (one, other) {
                    (0, 2) => '|',
                    (1, 3) => '-',
                    (0, 1) | (2, 3) => '\\',
                    _ => '/',
                },
                ROAD,
            );
        }
        [] => {}
        _ => return letter('+', ROAD),
    }
    if tile.river != 0 {
        return letter('~', WATER);
    }
    // A city that reaches the opposite side also fills the centre.
    let across = of(SegmentKind::City).any(|(side, city)| {
        piece.at_side[(side + 2) & 3] == city && piece.terrain[(side + 2) & 3] == Terrain::City
    });
    if across { letter('#', CITY) } else { letter('.', GRASS) }
}

fn people(board: &Board, tile: usize, block: &mut Block) {
    let placed = board.tiles()[tile];
    let piece = placed.piece();
    let person = |seat: usize| {
        let digit = char::from_digit(seat as u32, 10).unwrap_or('?');
        Letter(digit, Ink::bg(palette::seat_color(seat)).bold())
    };
    for tower in board.towers().iter().filter(|tower| usize::from(tower.tile) == tile && tower.height > 0) {
        let height = char::from_digit(u32::from(tower.height), 36).unwrap_or('^').to_ascii_uppercase();
        block[1][1] = match tower.guard() {
            Some(seat) => person(seat),
            None => Letter(height, Ink::fg(STONE).bold().underline()),
        };
    }
    for segment in 0..usize::from(piece.segments) {
        let Some(seat) = board.owner(node_of(tile, segment)) else { continue };
        let (row, column) = match piece.spots[segment] {
            Spot::City(side) | Spot::Road(side) => edge(side),
            Spot::Monastery | Spot::Field(FieldSpot::Inside) => (1, 1),
            Spot::Field(FieldSpot::At(half)) => corner(half.index().div_ceil(2)),
        };
        block[row][column] = person(seat);
    }
}

pub(crate) fn screen(view: &View<'_, Carcassonne>) -> Screen {
    let mut screen = Screen::new();
    head(&mut screen, view);
    draw_board(&mut screen, view);
    hand(&mut screen, view);
    players(&mut screen, view);
    choices(&mut screen, view);
    screen
}

fn head(screen: &mut Screen, view: &View<'_, Carcassonne>) {
    let observation = &view.observation;
    let river = match observation.river_deck() {
        0 => String::new(),
        left => format!(", {left} of the river"),
    };
    screen.line().push(format!("{} tiles in the deck{river}. ", observation.deck()));
    screen.push_ink(observation.stage_text(), Ink::plain().bold());
}

fn players(screen: &mut Screen, view: &View<'_, Carcassonne>) {
    let observation = &view.observation;
    screen.panel(Part::Side);
    for seat in 0..observation.seats() {
        let name = view.players.get(seat).map_or("", |player| player.name.as_str());
        screen.line();
        screen.push(if observation.mover() == Some(seat) { "> " } else { "  " });
        screen.push_ink(seat.to_string(), Ink::bg(palette::seat_color(seat)).bold());
        screen.push(format!(" {name} ")).pad_to(22);
        screen.push_ink(format!("{:>3} points", observation.points(seat)), Ink::plain().bold());
        screen.line().push(format!("    {}", many(observation.supply(seat).into(), "meeple", "meeples")));
        if observation.variant().towers {
            screen.push(format!(", {}", many(observation.floors(seat).into(), "floor", "floors")));
        }
        screen.push(format!(", {}", many(observation.hand_size(seat) as u32, "tile", "tiles")));
        let prisoners: Vec<usize> = (0..observation.seats())
            .flat_map(|owner| vec![owner; usize::from(observation.prisoners(seat, owner))])
            .collect();
        if !prisoners.is_empty() {
            screen.line().push("    holds");
        }
        for owner in prisoners {
            screen.push(" ").push_ink(owner.to_string(), Ink::bg(palette::seat_color(owner)));
        }
    }
}

fn draw_board(screen: &mut Screen, view: &View<'_, Carcassonne>) {
    let board = view.observation.board();
    let spots: Vec<Cell> = view
        .legal
        .iter()
        .filter_map(|action| match action {
            Action::Place { cell, .. } => Some(*cell),
            _ => None,
        })
        .collect();
    let cells = || board.tiles().iter().map(|placed| placed.cell).chain(spots.iter().copied());
    let (west, east) =
        (cells().map(|cell| cell.x).min().unwrap_or(0), cells().map(|cell| cell.x).max().unwrap_or(0));
    let (north, south) =
        (cells().map(|cell| cell.y).min().unwrap_or(0), cells().map(|cell| cell.y).max().unwrap_or(0));
    // Each column has three letters and a gap. The gap is omitted if the board would be too wide.
    let wide = if (i32::from(east) - i32::from(west) + 1) * 4 + 8 <= 118 { 4 } else { 3 };
    screen.panel(Part::Board).labels(1, 4).step(wide);
    screen.origin(wide as i32 * i32::from(west), 3 * i32::from(north));
    screen.line().push("    ");
    for x in west..=east {
        screen.push_ink(format!("{x:^wide$}"), Ink::plain().dim());
    }
    let last = board.len().checked_sub(1).filter(|last| *last > 0);
    for y in north..=south {
        for row in 0..3 {
            screen.line();
            let label = if row == 1 { format!("{y:>3} ") } else { "    ".into() };
            screen.push_ink(label, Ink::plain().dim());
            for x in west..=east {
                let cell = Cell::new(x, y);
                match board.tile_at(cell) {
                    Some(tile) => {
                        let placed = board.tiles()[tile];
                        let mut block = block(placed.kind(), placed.turns());
                        people(board, tile, &mut block);
                        for Letter(char, mut ink) in block[row] {
                            ink.bold |= last == Some(tile);
                            screen.push_ink(char.to_string(), ink);
                        }
                    }
                    None if row == 1 && spots.contains(&cell) => {
                        screen.push_ink("[ ]", Ink::fg(palette::SPOT));
                    }
                    None => {
                        screen.push("   ");
                    }
                }
                if wide == 4 {
                    // The tile laid last is bracketed.
                    let mark = row == 1 && last.is_some() && board.tile_at(cell) == last;
                    screen.push(if mark { "<" } else { " " });
                }
            }
        }
    }
    // The order of importance if the view is too small: the last tile, possible placements, then the whole
    // board.
    let laid = board.len().checked_sub(1).map(|last| board.tiles()[last].cell);
    for cell in
        laid.into_iter().chain(spots.iter().copied()).chain(board.tiles().iter().map(|tile| tile.cell))
    {
        let (column, line) = (i32::from(cell.x) - i32::from(west), i32::from(cell.y) - i32::from(north));
        screen.focus(Area {
            column: 4 + wide * column as usize,
            line: 1 + 3 * line as usize,
            columns: wide,
            lines: 3,
        });
    }
}

fn hand(screen: &mut Screen, view: &View<'_, Carcassonne>) {
    let observation = &view.observation;
    let seat = match view.viewer {
        Viewer::Seat(seat) => Some(seat.index()),
        Viewer::Public | Viewer::Everything => observation.mover(),
    };
    let Some((seat, tiles)) = seat.and_then(|seat| Some((seat, observation.hand(seat)?))) else { return };
    if tiles.is_empty() || observation.stage() == Stage::Over {
        return;
    }
    screen.panel(Part::Side);
    screen.line().push(format!("hand of seat {seat} (at r0):"));
    for row in 0..3 {
        screen.line().push("  ");
        for kind in tiles {
            let name = if row == 1 { kind.to_string() } else { String::new() };
            screen.push(format!("  {name:>3} "));
            for Letter(char, ink) in block(*kind, 0)[row] {
                screen.push_ink(char.to_string(), ink);
            }
        }
    }
}

/// Lists placements by tile and cell, then all other actions. Claims and captures include their features.
fn choices(screen: &mut Screen, view: &View<'_, Carcassonne>) {
    let legal = view.legal;
    if legal.is_empty() {
        return;
    }
    screen.panel(Part::Choices);
    let mut groups: Vec<(Kind, Vec<(Cell, String)>)> = Vec::new();
    for action in legal {
        let Action::Place { tile, cell, turns } = action else { continue };
        if groups.last().is_none_or(|(known, _)| known != tile) {
            groups.push((*tile, Vec::new()));
        }
        let Some((_, cells)) = groups.last_mut() else { continue };
        match cells.last_mut() {
            Some((known, list)) if known == cell => list.push_str(&format!(" r{turns}")),
            _ => cells.push((*cell, format!("r{turns}"))),
        }
    }
    for (tile, cells) in &groups {
        let texts: Vec<String> = cells.iter().map(|(cell, turns)| format!("{cell} {turns}")).collect();
        screen.line().push_ink(format!("place {tile}: "), Ink::plain().bold()).push(texts.join("; "));
    }
    let others: Vec<String> = legal
        .iter()
        .filter(|action| !matches!(action, Action::Place { .. } | Action::Claim(_) | Action::Take { .. }))
        .map(Action::to_string)
        .collect();
    if !others.is_empty() {
        screen.line().push_ink("you may: ", Ink::plain().bold()).push(others.join(" | "));
    }
    for action in legal {
        let about = match action {
            Action::Claim(spot) => claim(view, *spot),
            Action::Take { cell, post } => {
                let found = view.observation.in_range().find(|found| (found.0, found.1) == (*cell, *post));
                found.map(|(_, _, owner)| match view.viewer {
                    Viewer::Seat(seat) if seat.index() == owner => "your own, which goes home".into(),
                    _ => format!("a meeple of seat {owner}"),
                })
            }
            _ => None,
        };
        let Some(about) = about else { continue };
        screen.line().push_ink(format!("  {action}"), Ink::plain().bold()).pad_to(26);
        screen.push(about);
    }
}

fn claim(view: &View<'_, Carcassonne>, spot: Spot) -> Option<String> {
    let (board, variant) = (view.observation.board(), view.observation.variant());
    let tile = board.len().checked_sub(1)?;
    let node = node_of(tile, board.tiles()[tile].piece().segment_at(spot)?);
    let root = board.root(node);
    let feature = board.feature(root);
    let open = board.open(root);
    let ends = |points: i32| match open {
        0 => format!("complete: {points} points now"),
        _ => format!("open on {}", many(open, "side", "sides")),
    };
    let tiles = many(feature.tiles, "tile", "tiles");
    Some(match spot {
        Spot::City(_) => {
            let banners = match feature.banners {
                0 => String::new(),
                count => format!(" and {}", many(count, "banner", "banners")),
            };
            let points = variant.city_value(feature.tiles, feature.banners, Progress::Complete);
            format!("a city of {tiles}{banners}, {}", ends(points))
        }
        Spot::Road(_) => {
            format!("a road of {tiles}, {}", ends(variant.road_value(feature.tiles, Progress::Complete)))
        }
        Spot::Monastery => match open {
            0 => format!("complete: {} points now", variant.monastery_value(0)),
            _ => format!("{} of the 8 around it lie", 8 - open),
        },
        Spot::Field(_) => {
            let cities = many(board.farm_cities(root), "complete city", "complete cities");
            format!("a field on {tiles} with {cities} so far")
        }
    })
}

fn many(count: u32, one: &str, more: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {more}"),
    }
}
