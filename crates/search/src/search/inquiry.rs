use meeple_core::{Foreseen, Game};

use super::Search;
use crate::tree::NONE;

/// Minimum number of visits of an expected action; actions with fewer visits count as explored only.
const EXPECTED: u32 = 4;

const MAX_LINE_ACTIONS: usize = 12;

impl<G: Game> Search<G> {
    /// As [`iterate`](Self::iterate), but the seat takes `action`, which must be legal.
    pub fn iterate_with(&mut self, game: &G, observation: &G::Observation<'_>, action: &G::Action) {
        self.fixed = self.tree.find_or_insert(self.root, self.seat, action);
        self.regrets.insert(self.fixed);
        self.iterate(game, observation);
        self.fixed = NONE;
    }

    /// Writes the principal variation that starts with `action`, as long as its entries have enough visits.
    pub fn expect(&self, action: &G::Action, line: &mut Vec<Foreseen<G::Action>>) {
        line.clear();
        line.push(Foreseen { seat: self.seat, action: action.clone() });
        let root = self.tree.of_seat(self.root, self.seat).find(|(_, entry)| entry.action == *action);
        let Some((root, _)) = root else { return };
        let mut path = self.tree.most_visited(self.root, root, EXPECTED, MAX_LINE_ACTIONS);
        // The seat's own action comes first, even before simultaneous ones.
        path.retain(|index| *index != root);
        line.extend(path.into_iter().take(MAX_LINE_ACTIONS - 1).map(|index| {
            let entry = self.tree.entry(index);
            Foreseen { seat: entry.seat, action: entry.action.clone() }
        }));
    }
}
