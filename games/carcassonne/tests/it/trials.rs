//! Tiles that are laid to look what they do: the board is what the rules make of it, and afterwards what it was.

use crate::support::game;
use meeple_carcassonne::{
    Action, Board, Carcassonne, Fields, Kind, MAX_SEGMENTS, Observation, Undo, node_of,
};
use meeple_core::{ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Viewer};

/// Tries every legal placement of a random game; how many there were.
fn placements_tried(game: &Carcassonne, index: u64) -> usize {
    let seed = EpisodeSeed::new(21, index);
    let mut chance = ChanceStreams::new(seed);
    let mut rng = seed.agent(Seat::new(0));
    let mut state = game.initial_state();
    let (mut undo, mut legal, mut tried) = (Undo::default(), Vec::new(), 0);
    loop {
        let seat = match game.phase(&state) {
            Phase::Over => return tried,
            Phase::Chance => {
                game.resolve_chance(&mut state, &mut chance, &mut NoEvents);
                continue;
            }
            Phase::Decide(seats) => seats.lowest().unwrap(),
        };
        assert_placements_are_counted(&game.observe(&state, Viewer::Public));
        legal.clear();
        game.legal_actions(&state, seat, &mut legal);
        for action in &legal {
            let Action::Place { tile, cell, turns } = *action else { continue };
            let observation = game.observe(&state, Viewer::Public);
            let fields = if observation.variant().farms { Fields::Joined } else { Fields::Ignored };
            let before = *observation.board();
            let mut board = before;
            board.try_place(observation.tables(), (tile, cell, turns), fields, &mut undo);
            let mut laid = state;
            game.apply(&mut laid, seat, action, &mut NoEvents).unwrap();
            assert_same_table(&board, game.observe(&laid, Viewer::Public).board());
            board.take_back(&undo);
            assert!(board == before, "game {index}: {action} is not taken back");
            tried += 1;
        }
        let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
        game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
    }
}

/// The board counts the placements of each kind while tiles are laid: as many as there are, cell by cell.
fn assert_placements_are_counted(observation: &Observation<'_>) {
    let (board, tables) = (observation.board(), observation.tables());
    for (kind, fit) in tables.fit.iter().enumerate() {
        let there: u32 = board.codes().iter().map(|code| fit[usize::from(*code)].count()).sum();
        assert_eq!(board.count_placements(Kind::new(kind)), there, "{} on {board:?}", Kind::new(kind));
    }
}

/// What tells two boards apart for who looks at them: all but how ways to roots are shortened, and meeples, which go
/// home if nobody can claim anything.
fn assert_same_table(left: &Board, right: &Board) {
    assert_eq!(left.tiles(), right.tiles());
    assert_eq!(left.towers(), right.towers());
    assert_eq!(left.monasteries(), right.monasteries());
    assert_eq!((left.frontier(), left.codes()), (right.frontier(), right.codes()));
    for tile in 0..left.len() {
        let placed = left.tiles()[tile];
        let piece = placed.piece();
        assert_eq!(left.at(placed.cell), right.at(placed.cell));
        let segments = piece.buildings | piece.fields;
        for node in (0..MAX_SEGMENTS).filter(|segment| segments >> segment & 1 == 1).map(|s| node_of(tile, s))
        {
            assert_eq!(left.root(node), right.root(node));
            assert_eq!(left.open(left.root(node)), right.open(right.root(node)));
        }
    }
}

#[test]
fn every_placement_is_what_the_rules_make_of_it_and_is_taken_back_to_the_last_bit() {
    for (preset, set) in [
        ("river", &[][..]),
        ("farms", &[]),
        ("towers", &[]),
        ("classic", &[]),
        // Rivers that are broken off, and all tiles come down.
        ("farms", &[("uturn", "two-curves"), ("point-limit", "0")]),
    ] {
        for seats in [2, 5] {
            let game = game(preset, set, seats);
            let tried: usize = (0..4).map(|index| placements_tried(&game, index)).sum();
            assert!(tried > 1_000, "{preset}: {tried}");
        }
    }
}
