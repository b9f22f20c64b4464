//! How likely an empty cell is to be filled, from the tiles nobody has seen.

use crate::board::Board;
use crate::geometry::Cell;
use crate::observe::Observation;
use crate::tiles::{LAND_KINDS, Tables, tables};

/// Counts of unseen tiles that fit an edge code, computed when first asked for.
pub(crate) struct Chances {
    tables: &'static Tables,
    unseen: [u32; LAND_KINDS],
    total: u32,
    by_code: [Option<f64>; 256],
    /// Tiles that will come into the agent's own hand.
    draws: f64,
}

impl Chances {
    pub(crate) fn new() -> Self {
        Self { tables: tables(), unseen: [0; LAND_KINDS], total: 0, by_code: [None; 256], draws: 0.0 }
    }

    /// Takes the tiles of the deck, of hands that cannot be seen, and of the own hand.
    pub(crate) fn prepare(&mut self, observation: &Observation<'_>, me: usize) {
        let unseen = observation.unseen();
        self.by_code = [None; 256];
        self.total = 0;
        for (number, count) in self.unseen.iter_mut().enumerate() {
            *count = unseen.count(crate::Kind::new(number));
            self.total += *count;
        }
        for kind in observation.hand(me).unwrap_or(&[]).iter().filter(|kind| !kind.is_river()) {
            self.unseen[kind.index()] += 1;
            self.total += 1;
        }
        self.draws =
            f64::from(observation.deck()) / observation.seats() as f64 + observation.hand_size(me) as f64;
    }

    /// Own tiles still to come.
    pub(crate) fn draws(&self) -> f64 {
        self.draws
    }

    /// Share of the unseen tiles that fit these edges.
    fn share(&mut self, code: u8) -> f64 {
        if let Some(share) = self.by_code[usize::from(code)] {
            return share;
        }
        let fits = |kind: usize| self.tables.fit[kind][usize::from(code)] != 0;
        let fitting: u32 = (0..LAND_KINDS).filter(|kind| fits(*kind)).map(|kind| self.unseen[kind]).sum();
        let share = f64::from(fitting) / f64::from(self.total.max(1));
        self.by_code[usize::from(code)] = Some(share);
        share
    }

    /// The chance that a tile that fits an empty cell comes along in so many draws.
    pub(crate) fn fill(&mut self, board: &Board, cell: Cell, draws: f64) -> f64 {
        let code = match board.at(cell) {
            crate::board::Content::Frontier(slot) => board.codes()[slot],
            crate::board::Content::Nothing => 0,
            crate::board::Content::Dead | crate::board::Content::Tile(_) => return 0.0,
        };
        let share = self.share(code);
        if share >= 1.0 { f64::from(draws > 0.0) } else { 1.0 - (draws * (1.0 - share).ln()).exp() }
    }
}
