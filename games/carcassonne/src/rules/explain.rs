//! Explanations of illegal actions. They are computed only after the rules have rejected an action.

use crate::action::{Action, Post};
use crate::board::{Content, Tower, node_of};
use crate::game::Carcassonne;
use crate::geometry::{Cell, Spot};
use crate::state::{Stage, State};
use crate::tiles::{Kind, misfit};

impl Carcassonne {
    /// Checks an action of the mover; the error is the reason.
    pub(crate) fn explain(&self, state: &State, action: &Action) -> Result<(), String> {
        let expected = match state.stage {
            Stage::Tile => "expected a tile to be laid (place TILE X,Y rTURNS)",
            Stage::Action => "expected pass, a claim or a tower action",
            Stage::Capture => "expected a capture (take X,Y WHAT) or decline",
            Stage::Order | Stage::Draw => return Err("chance draws first".into()),
            Stage::Over => return Err("the game is over".into()),
        };
        match (state.stage, *action) {
            (Stage::Tile, Action::Place { tile, cell, turns }) => {
                self.explain_place(state, tile, cell, turns)
            }
            (Stage::Tile, Action::Discard { tile }) => self.explain_discard(state, tile),
            (Stage::Action, Action::Pass) | (Stage::Capture, Action::Decline) => Ok(()),
            (Stage::Action, Action::Claim(spot)) => self.explain_claim(state, spot),
            (Stage::Action, Action::Floor(cell)) => self.explain_floor(state, cell),
            (Stage::Action, Action::Close(cell)) => self.explain_close(state, cell),
            (Stage::Capture, Action::Take { cell, post }) => self.explain_take(state, cell, post),
            (_, Action::Ransom(captor)) => self.explain_ransom(state, captor.index()),
            _ => Err(format!("{expected}, found {action}")),
        }
    }

    fn in_hand(&self, state: &State, tile: Kind) -> Result<(), String> {
        let hand = state.hands[state.mover()].tiles();
        if hand.contains(&tile) {
            return Ok(());
        }
        let held: Vec<String> = hand.iter().map(Kind::to_string).collect();
        Err(format!("tile {tile} is not in the hand ({})", held.join(", ")))
    }

    fn explain_place(&self, state: &State, tile: Kind, cell: Cell, turns: u8) -> Result<(), String> {
        self.in_hand(state, tile)?;
        if turns < 4 && self.turns_on(state, tile, cell) >> turns & 1 == 1 {
            return Ok(());
        }
        let board = &state.board;
        let code = match board.at(cell) {
            Content::Tile(other) => {
                return Err(format!("tile {} lies on {cell} already", board.tiles()[other].kind()));
            }
            Content::Nothing if tile.is_river() => 0,
            Content::Nothing => return Err(format!("no tile lies next to {cell}")),
            Content::Dead => return Err(format!("{cell} stays empty: the river was broken off there")),
            Content::Frontier(slot) => board.codes()[slot],
        };
        let rotations = tile.tile().rotations;
        if turns >= rotations {
            let same = turns % rotations;
            return Err(format!("tile {tile} looks the same at r{turns} as at r{same}: use r{same}"));
        }
        let piece = self.tables.piece(tile, turns);
        if tile.is_river() {
            let Some(end) = state.river_end else {
                return Err("the river has no open end".into());
            };
            if end.cell != cell {
                return Err(format!("a river tile goes to the river's open end on {}", end.cell));
            }
            if !end.joins(piece) {
                return Err(format!("the river must go on from the {} side of {cell}", end.from.word()));
            }
        }
        if let Some(side) = misfit(&piece.terrain, code)
            && let Some(other) = board.tile_at(cell.step(side))
        {
            let near = board.tiles()[other];
            return Err(format!(
                "edge mismatch on the {} side of {cell}: {tile} r{turns} has {} there, {} on {} has {}",
                side.word(),
                piece.terrain[side.index()].word(),
                near.kind(),
                near.cell,
                near.piece().terrain[side.opposite().index()].word()
            ));
        }
        let uturn = self.bend_refused(state, tile, turns);
        Err(uturn
            .map_or_else(|| format!("{tile} r{turns} does not fit on {cell}"), |reason| reason.to_string()))
    }

    fn explain_discard(&self, state: &State, tile: Kind) -> Result<(), String> {
        self.in_hand(state, tile)?;
        let hand = &state.hands[state.mover()];
        match hand.distinct().find(|kind| self.count_placements(state, *kind) > 0) {
            Some(kind) => {
                Err(format!("a tile may be discarded only if none in the hand fits, and {kind} does"))
            }
            None => Ok(()),
        }
    }

    fn explain_claim(&self, state: &State, spot: Spot) -> Result<(), String> {
        let placed = state.board.tiles()[state.board.len() - 1];
        let (tile, cell) = (placed.kind(), placed.cell);
        let piece = self.tables.piece(tile, placed.turns());
        if matches!(spot, Spot::Field(_)) && !self.variant.farms {
            return Err("fields cannot be claimed without farms".into());
        }
        let Some(segment) = piece.segment_at(spot) else {
            return Err(format!("there is no '{spot}' on {tile} at {cell}"));
        };
        let name = piece.spots[segment];
        if name != spot {
            return Err(format!("'{spot}' of {tile} at {cell} is called '{name}': claim {name}"));
        }
        if self.claims(state) >> segment & 1 == 1 {
            return Ok(());
        }
        if state.supply[state.mover()] == 0 {
            return Err("no meeple is left in the supply".into());
        }
        let feature = state.board.feature(node_of(state.board.len() - 1, segment));
        let holders = (0..self.seats).filter(|seat| feature.meeples[*seat] > 0);
        let holders: Vec<String> = holders.map(|seat| seat.to_string()).collect();
        Err(format!(
            "the {} is claimed already: a meeple of seat {} stands on it",
            spot.word(),
            holders.join(" and of seat ")
        ))
    }

    /// The tower on a cell, if one can be built there.
    fn tower_on<'a>(&self, state: &'a State, cell: Cell) -> Result<&'a Tower, String> {
        if !self.variant.towers {
            return Err("towers are not played".into());
        }
        let number = state.board.tower_at(cell);
        number
            .map(|number| &state.board.towers()[number])
            .ok_or_else(|| format!("there is no tower foundation on {cell}"))
    }

    fn explain_floor(&self, state: &State, cell: Cell) -> Result<(), String> {
        let tower = self.tower_on(state, cell)?;
        if self.may_build(state, tower) {
            return Ok(());
        }
        Err(closed(tower, cell).unwrap_or_else(|| "no tower floor is left".into()))
    }

    fn explain_close(&self, state: &State, cell: Cell) -> Result<(), String> {
        let tower = self.tower_on(state, cell)?;
        if self.may_close(state, tower) {
            return Ok(());
        }
        Err(closed(tower, cell).unwrap_or_else(|| match tower.height {
            0 => format!("the foundation on {cell} has no floor yet, so it cannot be closed"),
            _ => "no meeple is left in the supply".into(),
        }))
    }

    fn explain_take(&self, state: &State, cell: Cell, post: Post) -> Result<(), String> {
        let found = || state.board.in_range(self.tables, usize::from(state.tower));
        let there = || found().filter(|(near, ..)| *near == cell).map(|(_, post, _)| post);
        if there().any(|standing| standing == post) {
            return Ok(());
        }
        if there().next().is_some() {
            let posts: Vec<String> = there().map(|post| post.to_string()).collect();
            return Err(format!("no meeple stands on '{post}' of {cell}, only on '{}'", posts.join("', '")));
        }
        let tower = state.board.towers()[usize::from(state.tower)];
        let from = state.board.tiles()[usize::from(tower.tile)].cell;
        if Tower::reaches(from, tower.height, cell) {
            return Err(format!("no meeple stands on {cell}"));
        }
        Err(format!(
            "{cell} is out of range: the tower on {from} reaches {} tiles straight in each direction",
            tower.height
        ))
    }

    fn explain_ransom(&self, state: &State, captor: usize) -> Result<(), String> {
        if self.ransoms(state).any(|able| able == captor) {
            return Ok(());
        }
        let mover = state.mover();
        if !self.variant.towers {
            return Err("towers are not played".into());
        }
        if captor >= self.seats {
            return Err(format!("there is no seat {captor}"));
        }
        if state.prisoners[captor][mover] == 0 {
            return Err(format!("seat {captor} holds no meeple of seat {mover}"));
        }
        if state.ransoms >= self.variant.ransoms {
            return Err(format!("at most {} ransoms may be paid in a turn", self.variant.ransoms));
        }
        Err(format!(
            "a ransom costs {} points, and seat {mover} has {}",
            self.variant.ransom, state.points[mover]
        ))
    }
}

fn closed(tower: &Tower, cell: Cell) -> Option<String> {
    tower.guard().map(|guard| format!("the tower on {cell} is closed by a guard of seat {guard}"))
}
