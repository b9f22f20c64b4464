//! The game: its variant, its seats, and tables computed from them.

use meeple_core::{Seat, SetupError, Viewer};

use crate::board::{Board, Fields};
use crate::geometry::Cell;
use crate::state::{Hand, RiverEnd, Stack, Stage, State};
use crate::tiles::{KINDS, Kind, Set, Tables, tables};
use crate::variant::{MAX_SEATS, Variant};

#[derive(Clone)]
pub struct Carcassonne {
    pub(crate) variant: Variant,
    pub(crate) seats: usize,
    pub(crate) tables: &'static Tables,
    pub(crate) fields: Fields,
    pub(crate) start: Box<State>,
}

impl Carcassonne {
    /// Fails if the number of seats is out of range, or parameters contradict each other or that number.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        if !(2..=MAX_SEATS).contains(&seats) {
            return Err(SetupError::new(format!(
                "carcassonne takes 2 to {MAX_SEATS} players, found {seats}"
            )));
        }
        let fields = if variant.farms { Fields::Joined } else { Fields::Ignored };
        let start = Box::new(Self::start_state(&variant, seats, fields));
        Ok(Self { variant, seats, tables: tables(), fields, start })
    }

    fn start_state(variant: &Variant, seats: usize, fields: Fields) -> State {
        let tables = tables();
        let mut stack = Stack::EMPTY;
        for kind in Kind::all().filter(|kind| *kind != Kind::SPRING && *kind != Kind::LAKE) {
            let tile = kind.tile();
            let wanted = match tile.set {
                Set::Base => true,
                Set::Tower => variant.towers,
                Set::River => variant.river,
            };
            if wanted {
                stack.add(kind, tile.count);
            }
        }
        let first = if variant.river { Kind::SPRING } else { Kind::START };
        if !variant.river {
            // R2.2: without the river, one tile D is the first tile.
            stack.take(first);
        }
        let mut board = Board::new();
        board.place(tables, first, Cell::default(), 0, fields);
        let floors = if variant.towers { variant.floors[seats - 2] } else { 0 };
        let by_seat = |value: u8| std::array::from_fn(|seat| if seat < seats { value } else { 0 });
        let mut state = State {
            board,
            hands: [Hand::default(); MAX_SEATS],
            stack,
            discarded: [0; KINDS],
            stage: Stage::Order,
            order: [0; MAX_SEATS],
            turn: 0,
            river_end: None,
            lake_due: variant.river,
            dealt: 0,
            claimable: 0,
            tower: 0,
            ransoms: 0,
            end: 0,
            points: [0; MAX_SEATS],
            sources: Default::default(),
            supply: by_seat(variant.meeples),
            floors: by_seat(floors),
            prisoners: Default::default(),
            captures: [0; MAX_SEATS],
            last: None,
            turns: 0,
            discards: 0,
            placements: 0,
            laid: 0,
        };
        if variant.river {
            state.river_end = RiverEnd::after(first, 0, Cell::default(), None);
        }
        state
    }

    /// Upper bound on tiles on the board.
    pub(crate) fn tiles(&self) -> usize {
        let start = &self.start;
        start.board.len() + (start.stack.land() + start.stack.river()) as usize + usize::from(start.lake_due)
    }

    /// Returns true if hands are public: with a hand of one tile.
    pub(crate) fn open_hands(&self) -> bool {
        self.variant.hand == 1
    }

    /// Returns true if `viewer` may see the hand of `seat`.
    pub(crate) fn shows_hand(&self, viewer: Viewer, seat: usize) -> bool {
        self.open_hands() || viewer == Viewer::Everything || viewer.sees(Seat::new(seat))
    }
}
