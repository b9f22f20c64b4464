//! Type-erased unrolled games.

use std::ops::ControlFlow;
use std::sync::Arc;

use meeple_core::{AnyGame, Game, NoEvents, Phase, Playable, Seat, Viewer};
use serde::Serialize;
use serde_json::Value;

use crate::error::SolveError;
use crate::pay_off::Objective;
use crate::tree::Tree;
use crate::unroll::{estimate_histories, unroll};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Situation {
    pub seat: Seat,
    /// The seat's previous information set, and its action there.
    pub after: Option<(usize, String)>,
    pub sees: Value,
    pub actions: Vec<String>,
}

pub trait Unrolled {
    fn tree(&self) -> &Tree;
    /// # Panics
    /// If there is no such set.
    fn situation(&self, set: usize) -> Situation;
}

/// [`unroll`] for a game of type `G`.
pub fn unroll_any<G: Playable>(
    game: &dyn AnyGame,
    pay_off: Objective,
    histories: usize,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Box<dyn Unrolled>, SolveError> {
    let game = typed::<G>(game);
    let tree = unroll(&*game, pay_off, histories, watch)?;
    Ok(Box::new(Of { game, tree }))
}

/// [`estimate_histories`] for a game of type `G`.
pub fn estimate_any<G: Playable>(game: &dyn AnyGame) -> Result<f64, SolveError> {
    estimate_histories(&*typed::<G>(game))
}

/// # Panics
/// If the game is of another type.
fn typed<G: Playable>(game: &dyn AnyGame) -> Arc<G> {
    game.typed::<G>().expect("the caller knows its type").game
}

/// # Panics
/// If the tree has no such set, or belongs to another game.
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

/// The state of a history, made by replaying the path to it.
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
