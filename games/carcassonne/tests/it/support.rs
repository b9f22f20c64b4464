//! Helpers that tests share.

use std::sync::Arc;

use meeple_carcassonne::{Action, Carcassonne, Cell, Chance, Kind, Position, Spot, Stage, State, Variant};
use meeple_core::{Defined as _, Game, NoEvents, Params, Phase, Seat, Viewer};

/// The game of a preset with settings on top.
pub fn game(preset: &str, set: &[(&str, &str)], seats: usize) -> Arc<Carcassonne> {
    let mut variant = Variant::default();
    let known = Carcassonne::definition().info.presets.iter().find(|known| known.name == preset).unwrap();
    for (name, value) in known.set.iter().chain(set) {
        variant.set(name, value).unwrap();
    }
    Arc::new(Carcassonne::new(variant, seats).unwrap())
}

pub fn kind(id: &str) -> Kind {
    id.parse().unwrap()
}

pub fn spot(text: &str) -> Spot {
    text.parse().unwrap()
}

/// Tiles as `"E 0,0 r1; H 1,0 r0"`.
pub fn tiles(list: &str) -> Position {
    list.split(';').map(str::trim).filter(|item| !item.is_empty()).fold(Position::new(), |position, item| {
        let words: Vec<&str> = item.split_whitespace().collect();
        let turns = words.get(2).map_or(0, |turns| turns[1..].parse().unwrap());
        position.tile(kind(words[0]), words[1].parse().unwrap(), turns)
    })
}

/// Meeples as `"0 1,0 city N; 1 2,0 field En"`.
pub fn with_meeples(position: Position, list: &str) -> Position {
    list.split(';').map(str::trim).filter(|item| !item.is_empty()).fold(position, |position, item| {
        let (seat, rest) = item.split_once(' ').unwrap();
        let (cell, on) = rest.split_once(' ').unwrap();
        position.meeple(seat.parse().unwrap(), cell.parse().unwrap(), spot(on))
    })
}

pub fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}

pub fn mover(game: &Carcassonne, state: &State) -> Seat {
    match game.phase(state) {
        Phase::Decide(seats) => seats.lowest().unwrap(),
        other => panic!("nobody decides: {other:?}"),
    }
}

/// The texts of the legal actions.
pub fn legal(game: &Carcassonne, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    if let Phase::Decide(seats) = game.phase(state) {
        game.legal_actions(state, seats.lowest().unwrap(), &mut actions);
    }
    actions.iter().map(Action::to_string).collect()
}

#[track_caller]
pub fn act(game: &Carcassonne, state: &mut State, action: &str) {
    let seat = mover(game, state);
    let parsed: Action = action.parse().unwrap_or_else(|error| panic!("'{action}': {error}"));
    game.apply(state, seat, &parsed, &mut NoEvents).unwrap_or_else(|error| panic!("'{action}': {error}"));
}

#[track_caller]
pub fn draw(game: &Carcassonne, state: &mut State, tile: &str) {
    assert_eq!(game.phase(state), Phase::Chance, "chance draws");
    let chance = Chance::Draw(kind(tile));
    game.check_chance(state, &chance).unwrap();
    game.apply_chance(state, &chance, &mut NoEvents);
}

#[track_caller]
pub fn refusal(game: &Carcassonne, state: &State, action: &str) -> String {
    let seat = mover(game, state);
    let mut copy = *state;
    let refused = game.apply(&mut copy, seat, &action.parse().unwrap(), &mut NoEvents).unwrap_err();
    assert_eq!(&copy, state, "a refused action changes nothing");
    refused.reason
}

pub fn points(game: &Carcassonne, state: &State) -> Vec<i64> {
    Seat::all(game.seats()).map(|seat| game.score(state, seat)).collect()
}

pub fn seen(game: &Carcassonne, state: &State) -> serde_json::Value {
    serde_json::to_value(game.observe(state, meeple_core::Viewer::Everything)).unwrap()
}

pub fn supply(game: &Carcassonne, state: &State, seat: usize) -> u8 {
    game.observe(state, meeple_core::Viewer::Public).supply(seat)
}

/// Starts an episode in seat order.
pub fn start(game: &Carcassonne) -> State {
    let mut state = game.initial_state();
    let order: Vec<String> = (0..game.seats()).map(|seat| seat.to_string()).collect();
    let chance: Chance = format!("order {}", order.join(",")).parse().unwrap();
    game.check_chance(&state, &chance).unwrap();
    game.apply_chance(&mut state, &chance, &mut NoEvents);
    state
}

pub fn stage(game: &Carcassonne, state: &State) -> Stage {
    game.observe(state, Viewer::Public).stage()
}

/// Lays the river north in a straight line as far as straight tiles go, without claims, and then the curves.
/// It ends when the first hands are dealt.
pub fn run_river(game: &Carcassonne, state: &mut State) {
    for tile in ["R1", "R2", "R2", "R4", "R6", "R8", "R3", "R5", "R7", "R9"] {
        draw(game, state, tile);
        let placement = legal(game, state).into_iter().find(|action| action.starts_with("place")).unwrap();
        act(game, state, &placement);
        if stage(game, state) == Stage::Action {
            act(game, state, "pass");
        }
    }
}
