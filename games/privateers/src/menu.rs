//! Legal actions as a set of ids.

use crate::action::{Action, FIRST_ATTACK};
use crate::goods::{Product, Products};
use crate::variant::MAX_SEATS;
use crate::wind::Heading;

const IDS: usize = FIRST_ATTACK as usize + MAX_SEATS;
const _: () = assert!(IDS <= 64, "ids fit into a word");

const ACTIONS: [Action; IDS] = {
    let mut actions = [Action::EndTurn; IDS];
    let mut id = 0;
    while id < IDS {
        actions[id] = Action::of_id(id as u32).expect("ids are those of actions");
        id += 1;
    }
    actions
};

/// A set of actions by id. Actions have the order of their ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Menu(u64);

impl Menu {
    #[inline]
    pub(crate) fn insert(&mut self, action: Action) {
        self.0 |= 1 << action.id();
    }

    #[inline]
    pub(crate) fn insert_if(&mut self, legal: bool, action: Action) {
        self.0 |= u64::from(legal) << action.id();
    }

    /// Inserts moves in these headings, given as bits by index.
    #[inline]
    pub(crate) fn insert_moves(&mut self, headings: u8) {
        self.0 |= u64::from(headings) << Action::Move(Heading::North).id();
    }

    #[inline]
    pub(crate) fn insert_trades(&mut self, products: Products, action: fn(Product) -> Action) {
        self.0 |= u64::from(products.bits()) << action(Product::Lumber).id();
    }

    /// Inserts attacks on these seats, given as bits.
    #[inline]
    pub(crate) fn insert_attacks(&mut self, seats: u16) {
        self.0 |= u64::from(seats) << FIRST_ATTACK;
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The action at this index. Panics if the set is smaller.
    #[inline]
    pub(crate) fn nth(self, place: usize) -> Action {
        let mut left = self.0;
        for _ in 0..place {
            left &= left.wrapping_sub(1);
        }
        ACTIONS[left.trailing_zeros() as usize]
    }

    /// Number of attacks. They have the highest ids.
    #[inline]
    pub(crate) fn attacks(self) -> usize {
        match self.0 >> FIRST_ATTACK {
            // The usual case needs no bit count.
            0 => 0,
            attacks => attacks.count_ones() as usize,
        }
    }

    /// The ids in ascending order.
    #[inline]
    pub(crate) fn ids(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let id = (left != 0).then(|| left.trailing_zeros());
            left &= left.wrapping_sub(1);
            id
        })
    }

    #[inline]
    pub(crate) fn actions(self) -> impl Iterator<Item = Action> {
        self.ids().map(|id| ACTIONS[id as usize])
    }
}
