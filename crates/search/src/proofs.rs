//! Proven values: wins, draws and losses that neither chance nor any player can change (Winands, Björnsson,
//! Saito 2008: Monte Carlo tree search solver).
//!
//! With perfect information and no chance draw since the root, a node of the tree is one state. The result of
//! an end there is certain, and so is that of every position that leads to it by force.

use meeple_core::{Game, Information, Outcome};

use crate::params::{MctsParams, TreeKind};

/// The deterministic beginning of an iteration's path.
pub(crate) struct Proofs {
    are_sought: bool,
    /// True while the path is deterministic.
    pub(crate) is_certain: bool,
    /// Entries of the path, each with a flag: true if every other legal action had been tried.
    pub(crate) way: Vec<(u32, bool)>,
    /// The same flag, for the current choice.
    is_complete: bool,
    pub(crate) outcome: Outcome,
}

impl Proofs {
    pub(crate) fn new<G: Game>(game: &G, params: &MctsParams) -> Self {
        let is_apt = match params.tree {
            TreeKind::MaxN => game.seats() > 1,
            TreeKind::Paranoid => game.seats() == 2,
            TreeKind::OwnOnly | TreeKind::Apart => false,
        };
        let knows_all = game.info().information == Information::Perfect;
        Self {
            are_sought: params.solver && params.margin < 1.0 && is_apt && knows_all,
            is_certain: false,
            way: Vec::new(),
            is_complete: false,
            outcome: Outcome::default(),
        }
    }

    #[inline]
    pub(crate) fn are_sought(&self) -> bool {
        self.are_sought
    }

    #[inline]
    pub(crate) fn begin(&mut self) {
        self.is_certain = self.are_sought;
        self.way.clear();
    }

    #[inline]
    pub(crate) fn end(&mut self) {
        self.is_certain = false;
    }

    /// Extends the path by the choice of a seat that decides alone.
    #[inline]
    pub(crate) fn follow(&mut self, entry: u32) {
        if self.is_certain {
            self.way.push((entry, self.is_complete));
        }
        self.is_complete = false;
    }

    #[inline]
    pub(crate) fn note_complete(&mut self, is_complete: bool) {
        self.is_complete = is_complete;
    }
}
