//! The game with its prepared tables.

use meeple_core::SetupError;

use crate::board::Board;
use crate::state::State;
use crate::variant::Variant;

#[derive(Clone, Debug)]
pub struct Game17 {
    pub(crate) variant: Variant,
    pub(crate) board: Board,
    pub(crate) initial: State,
}

impl Game17 {
    pub fn rounds(&self) -> u16 {
        self.variant.rounds
    }

    /// A custom position in the first round, for puzzles and tests. The mover is the first owner in the turn
    /// order that has pieces.
    ///
    /// # Errors
    /// If a list does not have one entry per square, or an id does not exist. Also if the turn order does not
    /// name every owner once, if there is no piece, or if there are more than 4 billion.
    pub fn position(&self, owners: &[u16], numbers: &[u32], order: &[u16]) -> Result<State, SetupError> {
        let count = self.board.squares();
        for (name, found) in [("owners", owners.len()), ("numbers", numbers.len()), ("order", order.len())] {
            if found != count {
                return Err(SetupError::new(format!("{name}: expected {count} entries, found {found}")));
            }
        }
        if let Some(owner) = owners.iter().find(|owner| usize::from(**owner) >= count) {
            return Err(SetupError::new(format!("owners: expected ids below {count}, found {owner}")));
        }
        let mut ids = order.to_vec();
        ids.sort_unstable();
        if !ids.into_iter().map(usize::from).eq(0..count) {
            return Err(SetupError::new(format!("order: expected the ids 0 to {} once each", count - 1)));
        }
        let pieces: u64 = numbers.iter().map(|number| u64::from(*number)).sum();
        if pieces == 0 || pieces > u64::from(u32::MAX) {
            return Err(SetupError::new(format!(
                "numbers: expected 1 to {} pieces on the board, found {pieces}",
                u32::MAX
            )));
        }
        let mut state = self.initial.clone();
        state.arrange(owners, numbers, order);
        Ok(state)
    }
}
