//! Solved games without their types.

use std::ops::ControlFlow;
use std::sync::Arc;

use meeple_core::{AnyGame, Game, NoEvents, Phase, Playable, Seat, Viewer};
use serde::Serialize;
use serde_json::Value;

use crate::error::SolveError;
use crate::pay_off::PayOff;
use crate::tree::Tree;
use crate::unroll::{estimate_histories, unroll};

/// An information set as a reader wants it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Situation {
    /// Who decides.
    pub seat: Seat,
    /// The number of the seat's information set before this one and the action that it took there, if it has decided before.
    pub after: Option<(usize, String)>,
    /// What the seat sees now.
    pub sees: Value,
    /// The legal actions, in order.
    pub actions: Vec<String>,
}

/// A game unrolled, without its type.
pub trait Unrolled {
    /// All histories.
    fn tree(&self) -> &Tree;
    /// What an information set is about.
    ///
    /// # Panics
    /// If there is none of this number.
    fn situation(&self, set: usize) -> Situation;
}

/// Unrolls a game of which it is known that it is this one; see [`unroll`].
///
/// # Errors
/// As there.
pub fn unroll_any<G: Playable>(
    game: &dyn AnyGame,
    pay_off: PayOff,
    histories: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError> {
    let game = typed::<G>(game);
    let tree = unroll(&*game, pay_off, histories, watch)?;
    Ok(Box::new(Of { game, tree }))
}

/// About how many histories a game has, of which it is known that it is this one; see [`estimate_histories`].
///
/// # Errors
/// As there.
pub fn estimate_any<G: Playable>(game: &dyn AnyGame) -> Result<f64, SolveError> {
    estimate_histories(&*typed::<G>(game))
}

/// # Panics
/// If the game is of another type.
fn typed<G: Playable>(game: &dyn AnyGame) -> Arc<G> {
    game.typed::<G>().expect("the caller knows its type").game
}

/// What an information set of a game's tree is about.
///
/// # Panics
/// If the tree has none of this number, or is another game's.
pub fn situation<G: Game>(game: &G, tree: &Tree, set: usize) -> Situation {
    let seat = tree.seat_of(set);
    let state = state_after(game, tree, tree.sets[set].example);
    let after = tree.before(set).map(|(before, action)| {
        let state = state_after(game, tree, tree.sets[before].example);
        (before, texts(game, &state, seat).swap_remove(action))
    });
    let sees = serde_json::to_value(game.observe(&state, Viewer::Seat(seat)));
    let sees = sees.expect("observations serialise: a law checks it");
    Situation { seat, after, sees, actions: texts(game, &state, seat) }
}

/// The state after a history, played again.
fn state_after<G: Game>(game: &G, tree: &Tree, node: u32) -> G::State {
    let mut state = game.initial_state();
    let mut actions = Vec::new();
    for step in tree.steps_to(node) {
        match game.phase(&state) {
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("the tree has been there");
                actions.clear();
                game.legal_actions(&state, seat, &mut actions);
                game.apply_unchecked(&mut state, seat, &actions[step as usize], &mut NoEvents);
            }
            _ => {
                let outcomes = game.chance_outcomes(&state).expect("the tree has listed them");
                game.apply_chance(&mut state, &outcomes[step as usize].0, &mut NoEvents);
            }
        }
    }
    state
}

/// The legal actions as texts.
fn texts<G: Game>(game: &G, state: &G::State, seat: Seat) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    actions.iter().map(ToString::to_string).collect()
}

struct Of<G: Game> {
    game: Arc<G>,
    tree: Tree,
}

impl<G: Game> Unrolled for Of<G> {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn situation(&self, set: usize) -> Situation {
        situation(&*self.game, &self.tree, set)
    }
}
