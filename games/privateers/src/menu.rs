//! Legal actions as a set of ids.

use crate::action::{Action, FIRST_ATTACK};
use crate::variant::MAX_SEATS;

const _: () = assert!(FIRST_ATTACK as usize + MAX_SEATS <= 64, "ids fit into a word");

/// Actions by id: in the order of the ids, which is theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Menu(u64);

impl Menu {
    #[inline]
    pub(crate) fn insert(&mut self, action: Action) {
        self.0 |= 1 << action.id();
    }

    /// Puts an action on it if `legal`.
    #[inline]
    pub(crate) fn insert_if(&mut self, legal: bool, action: Action) {
        self.0 |= u64::from(legal) << action.id();
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The action at this place of the order.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub(crate) fn nth(self, place: usize) -> Action {
        let mut left = self.0;
        for _ in 0..place {
            left &= left.wrapping_sub(1);
        }
        Action::of_id(left.trailing_zeros()).expect("places are below the number of actions")
    }

    /// How many of them are attacks; these come last.
    #[inline]
    pub(crate) fn attacks(self) -> usize {
        (self.0 >> FIRST_ATTACK).count_ones() as usize
    }

    /// The ids, rising.
    #[inline]
    pub(crate) fn ids(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let id = (left != 0).then(|| left.trailing_zeros());
            left &= left.wrapping_sub(1);
            id
        })
    }

    /// The actions, in order.
    #[inline]
    pub(crate) fn actions(self) -> impl Iterator<Item = Action> {
        self.ids().map(|id| Action::of_id(id).expect("ids are those of actions"))
    }
}
