//! A builder of positions, for puzzles, tests and the import of foreign records.

use meeple_core::NoEvents;

use crate::board::{Board, Content, Fields, MAX_MONASTERIES, MAX_TOWERS, node_of};
use crate::game::Carcassonne;
use crate::geometry::{Cell, Side, Spot};
use crate::state::{Hand, Stack, Stage, State};
use crate::tiles::{Kind, NONE};

/// A position of the land phase, described piece by piece. The turn order is seat 0, 1, 2, … . All other
/// defaults are those of the start of the land phase, with empty hands and an empty deck.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Position {
    tiles: Vec<(Kind, Cell, u8)>,
    meeples: Vec<(usize, Cell, Spot)>,
    towers: Vec<(Cell, u8, Option<usize>)>,
    points: Vec<(usize, i32)>,
    prisoners: Vec<(usize, usize, u8)>,
    floors: Vec<(usize, u8)>,
    hands: Vec<(usize, Kind)>,
    deck: Vec<Kind>,
    mover: usize,
}

impl Position {
    pub fn new() -> Self {
        Self::default()
    }

    /// Lays a tile. The first lies at the origin, each further one next to an earlier one.
    pub fn tile(mut self, kind: Kind, cell: Cell, turns: u8) -> Self {
        self.tiles.push((kind, cell, turns));
        self
    }

    /// Puts a meeple of a seat on a feature of the tile on a cell. Two meeples on one road are allowed, as
    /// after a join of two roads; a spot may be used only once.
    pub fn meeple(mut self, seat: usize, cell: Cell, spot: Spot) -> Self {
        self.meeples.push((seat, cell, spot));
        self
    }

    pub fn tower(mut self, cell: Cell, height: u8, guard: Option<usize>) -> Self {
        self.towers.push((cell, height, guard));
        self
    }

    pub fn points(mut self, seat: usize, points: i32) -> Self {
        self.points.push((seat, points));
        self
    }

    /// Gives `captor` this number of captured meeples of `owner`.
    pub fn prisoners(mut self, captor: usize, owner: usize, count: u8) -> Self {
        self.prisoners.push((captor, owner, count));
        self
    }

    pub fn floors(mut self, seat: usize, floors: u8) -> Self {
        self.floors.push((seat, floors));
        self
    }

    pub fn hand(mut self, seat: usize, kind: Kind) -> Self {
        self.hands.push((seat, kind));
        self
    }

    pub fn deck(mut self, kind: Kind) -> Self {
        self.deck.push(kind);
        self
    }

    pub fn mover(mut self, seat: usize) -> Self {
        self.mover = seat;
        self
    }

    /// Builds the state. The mover lays a tile if its hand holds one, and draws one otherwise. If no tiles
    /// are left, the game is over and scored. The error names the first piece that does not fit.
    pub fn build(&self, game: &Carcassonne) -> Result<State, String> {
        let mut state = *game.start;
        state.board = self.board(game)?;
        state.stack = Stack::EMPTY;
        state.river_end = None;
        state.lake_due = false;
        let seat_known = |seat: usize| match seat < game.seats {
            true => Ok(seat),
            false => Err(format!("there is no seat {seat}")),
        };
        state.order = std::array::from_fn(|seat| if seat < game.seats { seat as u8 } else { 0 });
        state.turn = seat_known(self.mover)? as u8;
        state.dealt = (game.variant.hand - 1) * game.seats as u8;
        for (captor, owner, count) in &self.prisoners {
            state.prisoners[seat_known(*captor)?][seat_known(*owner)?] += count;
            spend(&mut state.supply[*owner], *count)?;
        }
        for (seat, cell, spot) in &self.meeples {
            let tile = state.board.tile_at(*cell).ok_or_else(|| format!("no tile lies on {cell}"))?;
            let segment = state.board.tiles()[tile].piece().segment_at(*spot);
            let node = node_of(tile, segment.ok_or_else(|| format!("there is no '{spot}' on {cell}"))?);
            if state.board.owner(node).is_some() {
                return Err(format!("a meeple stands on '{spot}' of {cell} already"));
            }
            spend(&mut state.supply[seat_known(*seat)?], 1)?;
            state.board.man(node, *seat);
        }
        for (cell, height, guard) in &self.towers {
            let number = state.board.tower_at(*cell).ok_or_else(|| format!("no foundation on {cell}"))?;
            state.board.tower_mut(number).height = *height;
            if let Some(seat) = guard {
                spend(&mut state.supply[seat_known(*seat)?], 1)?;
                state.board.tower_mut(number).guard = Some(*seat as u8);
            }
        }
        for (seat, points) in &self.points {
            state.points[seat_known(*seat)?] = *points;
        }
        for (seat, floors) in &self.floors {
            state.floors[seat_known(*seat)?] = *floors;
        }
        for (seat, kind) in &self.hands {
            let hand: &mut Hand = &mut state.hands[seat_known(*seat)?];
            if hand.tiles().len() == usize::from(game.variant.hand) {
                return Err(format!("the hand of seat {seat} is full"));
            }
            hand.insert(*kind);
        }
        for kind in &self.deck {
            state.stack.add(*kind, 1);
        }
        state.stage = Stage::Draw;
        game.resume(&mut state, &mut NoEvents);
        Ok(state)
    }

    fn board(&self, game: &Carcassonne) -> Result<Board, String> {
        let mut board = Board::new();
        for (kind, cell, turns) in &self.tiles {
            if board.len() == game.tiles() {
                return Err("too many tiles".into());
            }
            if !matches!(board.at(*cell), Content::Frontier(_)) || *turns > 3 {
                return Err(format!("{kind} cannot lie on {cell} r{turns}"));
            }
            let piece = game.tables.piece(*kind, *turns);
            for side in Side::ALL {
                let near = board.tile_at(cell.step(side)).map(|tile| board.tiles()[tile].piece());
                let theirs = near.map(|near| near.terrain[side.opposite().index()]);
                if theirs.is_some_and(|theirs| theirs != piece.terrain[side.index()]) {
                    return Err(format!("{kind} on {cell} r{turns} does not match its {} side", side.word()));
                }
            }
            let full = (piece.monastery != NONE && board.monasteries().len() == MAX_MONASTERIES)
                || (piece.foundation && board.towers().len() == MAX_TOWERS);
            if full {
                return Err(format!("too many tiles like {kind}"));
            }
            board.place(game.tables, *kind, *cell, *turns, game.fields);
        }
        if board.is_empty() {
            board.place(game.tables, Kind::START, Cell::default(), 0, Fields::Joined);
        }
        Ok(board)
    }
}

fn spend(supply: &mut u8, count: u8) -> Result<(), String> {
    *supply = supply.checked_sub(count).ok_or("more meeples than a player has")?;
    Ok(())
}
