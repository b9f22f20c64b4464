use meeple_core::{Game, Phase, Seat};

use super::Search;
use crate::tree::{NONE, Proof};

impl<G: Game> Search<G> {
    pub(super) fn won(&self, moment: u32, seat: Seat) -> Option<u32> {
        let won = self.tree.of_seat(moment, seat).find(|(_, entry)| entry.proof == Proof::Won);
        won.map(|(index, _)| index)
    }

    /// Removes proven losses from the selectable actions, unless all of them are lost.
    pub(super) fn avoid_losses(&mut self) {
        if !self.proofs.are_sought() {
            return;
        }
        let tree = &self.tree;
        let is_lost = |index: &u32| tree.entry(*index).proof == Proof::Lost;
        if !self.tried.iter().all(is_lost) {
            self.tried.retain(|index| !is_lost(index));
        }
    }

    /// Backs up a proof if the path is deterministic up to its end. Entries that are proven already are
    /// skipped, because entries above them may still be open.
    pub(super) fn prove(&mut self, game: &G) {
        if !self.proofs.is_certain || game.phase(&self.state) != Phase::Over {
            return;
        }
        let Some((last, _)) = self.proofs.way.last() else { return };
        let (mut child, seats) = (*last, game.seats());
        if self.tree.entry(child).proof == Proof::Open {
            let Some(proof) = self.proof_of_end(game, self.tree.entry(child).seat) else { return };
            self.tree.entry_mut(child).proof = proof;
        }
        for at in (1..self.proofs.way.len()).rev() {
            let (parent, is_complete) = (self.proofs.way[at - 1].0, self.proofs.way[at].1);
            if self.tree.entry(parent).proof == Proof::Open {
                let (mover, mut proof) = (self.tree.entry(child).seat, self.tree.entry(child).proof);
                if proof != Proof::Won {
                    let best = self.best_of_all(self.tree.entry(parent).after, mover);
                    let Some(best) = best.filter(|_| is_complete) else { return };
                    proof = best;
                }
                let above = self.tree.entry_mut(parent);
                above.proof = match proof {
                    same if above.seat == mover => same,
                    Proof::Won => Proof::Lost,
                    // With more than two seats a loss does not determine the winner.
                    Proof::Lost if seats == 2 => Proof::Won,
                    Proof::Lost => return,
                    same => same,
                };
            }
            child = parent;
        }
    }

    fn proof_of_end(&mut self, game: &G, seat: Seat) -> Option<Proof> {
        let outcome = &mut self.proofs.outcome;
        outcome.clear();
        game.outcome(&self.state, outcome);
        match (outcome.places[seat.index()], outcome.winners()) {
            (1, 1) => Some(Proof::Won),
            (1, 2) if game.seats() == 2 => Some(Proof::Drawn),
            (1, _) => None,
            _ => Some(Proof::Lost),
        }
    }

    pub(super) fn not_lost(&self) -> usize {
        if !self.proofs.are_sought() {
            return self.tried.len();
        }
        self.tried.iter().filter(|index| self.tree.entry(**index).proof != Proof::Lost).count()
    }

    /// The best proven result for a seat at a moment; `None` if any of its actions is open.
    fn best_of_all(&self, moment: u32, seat: Seat) -> Option<Proof> {
        if moment == NONE {
            return None;
        }
        let mut best = Proof::Lost;
        for (_, entry) in self.tree.of_seat(moment, seat) {
            match (entry.proof, best) {
                (Proof::Open, _) => return None,
                (Proof::Won, _) => best = Proof::Won,
                (Proof::Drawn, Proof::Lost) => best = Proof::Drawn,
                _ => {}
            }
        }
        Some(best)
    }
}
