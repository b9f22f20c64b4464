//! Actions as people choose them, part by part: tile, place, orientation.

use meeple_core::{ActionPart, View};

use crate::action::{Action, Post};
use crate::game::Carcassonne;
use crate::geometry::{Cell, FieldSpot, Side, Spot};
use crate::tiles::{Kind, Terrain};

pub(crate) fn parts(view: &View<'_, Carcassonne>, action: &Action) -> Vec<ActionPart> {
    let part = |name, label: String| ActionPart::new(name, label);
    match *action {
        Action::Place { tile, cell, turns } => vec![
            part("Tile", format!("place tile {tile}")),
            part("Where", at(cell)),
            part("Turned", turned(view, tile, turns)),
        ],
        Action::Discard { tile } => vec![part("Tile", format!("discard tile {tile}: nothing fits"))],
        Action::Pass => vec![part("Nothing", "do nothing with this tile".into())],
        Action::Claim(spot) => vec![part("Meeple", format!("put a meeple {}", on(spot)))],
        Action::Floor(cell) => vec![part("Tower", "add a floor to a tower".into()), part("Where", at(cell))],
        Action::Close(cell) => {
            vec![part("Tower", "close a tower with a meeple as its guard".into()), part("Where", at(cell))]
        }
        Action::Take { cell, post } => {
            let mut reached = view.observation.in_range();
            let owner = reached.find(|(place, stands, _)| (*place, *stands) == (cell, post));
            let whose = owner.map_or(String::new(), |(_, _, seat)| format!(" of {}", seat_name(view, seat)));
            let stands = match post {
                Post::On(spot) => on(spot),
                Post::Guard => "on top of the tower".into(),
            };
            vec![
                part("Prisoner", format!("capture a meeple{whose}")),
                part("Where", format!("{}, {stands}", at(cell))),
            ]
        }
        Action::Decline => vec![part("Nothing", "capture nobody".into())],
        Action::Ransom(captor) => {
            let price = view.observation.variant().ransom;
            let captor = seat_name(view, captor.index());
            vec![part("Ransom", format!("buy a meeple back from {captor} for {price} points"))]
        }
    }
}

pub(crate) fn at(cell: Cell) -> String {
    let number = |number: i8| number.to_string().replace('-', "−");
    format!("at column {}, row {}", number(cell.x), number(cell.y))
}

/// The orientation of a tile, and the sides of its city, road or river.
fn turned(view: &View<'_, Carcassonne>, tile: Kind, turns: u8) -> String {
    let how = ["as it is", "turned a quarter right", "turned half", "turned a quarter left"];
    let terrain = view.observation.tables().piece(tile, turns).terrain;
    let mut sides_in_words = Vec::new();
    for kind in [Terrain::City, Terrain::Road, Terrain::River] {
        let sides = Side::ALL.iter().filter(|side| terrain[side.index()] == kind);
        let sides: Vec<&str> = sides.map(|side| side.word()).collect();
        if !sides.is_empty() {
            sides_in_words.push(format!("{} {}", kind.word(), sides.join(" and ")));
        }
    }
    let sides_in_words =
        if sides_in_words.is_empty() { "fields all around".to_owned() } else { sides_in_words.join(", ") };
    format!("{}: {sides_in_words}", how[usize::from(turns) % 4])
}

fn on(spot: Spot) -> String {
    match spot {
        Spot::City(side) => format!("in the city as a knight ({})", side.word()),
        Spot::Road(side) => format!("on the road as a robber ({})", side.word()),
        Spot::Monastery => "in the monastery as a monk".into(),
        Spot::Field(FieldSpot::Inside) => "on the field between the cities as a farmer".into(),
        Spot::Field(FieldSpot::At(half)) => {
            // Clockwise, in the order of the half-edges.
            let edges = [
                "north edge, western half",
                "north edge, eastern half",
                "east edge, northern half",
                "east edge, southern half",
                "south edge, eastern half",
                "south edge, western half",
                "west edge, southern half",
                "west edge, northern half",
            ];
            format!("on the field as a farmer ({})", edges[half.index()])
        }
    }
}

fn seat_name(view: &View<'_, Carcassonne>, seat: usize) -> String {
    match view.players.get(seat) {
        Some(player) if !player.name.is_empty() => format!("seat {seat} ({})", player.name),
        _ => format!("seat {seat}"),
    }
}
