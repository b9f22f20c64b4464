//! Tree search for every game: open-loop Monte Carlo tree search over what a seat may know.
//!
//! Every iteration imagines a state that agrees with the observation ([`Game::determinize`]), so that a search cannot be
//! leaked to, and plays an episode from there. The tree's branches are actions; what chance draws, and what the seat cannot
//! know, differs from iteration to iteration. So an action may be legal in one and not in another: it counts how often it
//! could have been taken, and its upper bound of confidence is Q + c √(ln available / visits) (Cowling, Powley, Whitehouse
//! 2012: information set MCTS with one tree, that of the seat that searches).
//!
//! * **Places of the tree** are what was done; with `transpositions`, where everybody knows the same, they are positions: ways
//!   to one share what is found there, and draws of chance are told apart.
//! * **Many seats.** An end is worth something to every seat; everybody wants the best for itself (max-n), or all others
//!   the worst for the seat that searches (paranoid), or others have no decisions in the tree at all.
//! * **Decisions at once.** Every seat has a table of its own and chooses without knowing the others' choices (decoupled
//!   UCT). What follows depends on all of them. This need not find mixed equilibria; regret matching comes near them.
//! * **Actions that cannot be listed.** At every place of the tree up to a number of them is drawn, the first being what the
//!   rollouts' agent would do; the search is among those. With random ones it is a selection, not a plan.
//! * **Hidden decisions of others** are branches of the tree as if they were seen: a weakness of one tree. In deeper
//!   places the search supposes to know what it will not (strategy fusion).
//! * **What is certain.** Where everybody knows everything and chance does not draw, wins and losses that were found are
//!   proven up to the root (MCTS-Solver): such a win is taken, such a loss avoided.
//! * **The same bytes**: a decision is a function of the observation, the settings, one draw of the agent's stream and the
//!   number of iterations. Arithmetic is limited to operations that are exact by definition.
//!
//! ```
//! use meeple_core::{AgentSpec, Defined, Playouts, Seating, build_agents};
//! use meeple_testkit::toys::Nim;
//!
//! let nim = Nim::new(Default::default(), 2).unwrap();
//! let line_up = ["mcts:iterations=200", "mcts:iterations=10"].map(AgentSpec::parse);
//! let agents = build_agents(&nim, &meeple_search::agents(&Nim::definition()), &line_up).unwrap();
//! assert_eq!(Playouts::new(&nim, agents).play(1, Seating::Fixed, 0).outcome.places.len(), 2);
//! ```
//!
//! Files use those before them: `params`, `logarithm`, `worth`, `squares`, `tree`, `halving`, `regret`, `tally`, `averages`,
//! `positions`, `proofs`, `rollout`, `search`, `mcts`. The crate is
//! pure, so it starts no threads: [`Search`] is one tree, whoever wants may grow several on threads of its own and add
//! them up in a [`Tally`] with the same result as [`Mcts`].

mod averages;
mod halving;
mod logarithm;
mod mcts;
mod params;
mod positions;
mod proofs;
mod regret;
mod rollout;
mod search;
mod squares;
mod tally;
mod tree;
mod worth;

use meeple_core::{AgentInfo, Definition, Hints, Playable};

#[cfg(doc)]
use meeple_core::Game;

pub use mcts::Mcts;
pub use params::{CutValue, MctsParams, Promise, Selection, TreeKind};
pub use search::{Search, Start};
pub use tally::Tally;

/// Makes hints from a file for whoever names one as `value`.
///
/// # Errors
/// What the file is instead, in words.
pub type LoadHints<G> = fn(&G, &str) -> Result<Box<dyn Hints<G>>, String>;

/// Makes hints in which the policy in a file says how promising actions are, of hints that say all else.
///
/// # Errors
/// What the file is instead, in words.
pub type LoadPolicy<G> = fn(&G, &str, Box<dyn Hints<G>>) -> Result<Box<dyn Hints<G>>, String>;

/// The agents that search, for any game, as it advises. In rollouts the game's own agents may decide. No
/// files are read.
pub fn agents<G: Playable>(definition: &Definition<G>) -> Vec<AgentInfo<G>> {
    let no_value =
        |_: &G, file: &str| Err(format!("expected {}, found '{file}'", CutValue::WORDS.join(" or ")));
    agents_that_load(definition, no_value, |_, file, _| Err(format!("expected hints, found '{file}'")))
}

/// The same, where `load` reads the files that they name as `value`, and `load_policy` those that they name
/// as `policy`.
pub fn agents_that_load<G: Playable>(
    definition: &Definition<G>,
    load: LoadHints<G>,
    load_policy: LoadPolicy<G>,
) -> Vec<AgentInfo<G>> {
    let own = definition.agents.clone();
    vec![AgentInfo::with_settings(
        "mcts",
        "Monte Carlo tree search over what it may know: plays what it looked at most, in imagined states",
        definition.search_settings,
        move |game: &G, params: MctsParams| {
            let valued = || match &params.value {
                CutValue::File(file) => match load(game, file) {
                    Ok(hints) if hints.know_only_wins() && params.margin == 1.0 => Err(format!(
                        "margin: expected less than 1, found 1, which counts points alone: '{file}' says who wins and nothing \
                         of points\nhint: value={file},margin=0 counts the win alone"
                    )),
                    Ok(hints) => Ok(hints),
                    Err(error) => {
                        let hint = "\nhint: value is one of scores, hints, or the file of a network";
                        Err(format!("value: {error}{}", if error.contains("\nhint:") { "" } else { hint }))
                    }
                },
                CutValue::Scores | CutValue::Hints => Ok(game.hints()),
            };
            let hints = || match &params.policy {
                Promise::Hints => valued(),
                Promise::File(file) if params.prior == 0.0 && params.select != Selection::Puct => {
                    Err(format!(
                        "policy: expected a search that asks what is promising, found prior=0\n\
                     hint: policy={file},prior=1, or select=puct"
                    ))
                }
                Promise::File(file) => {
                    load_policy(game, file, valued()?).map_err(|error| format!("policy: {error}"))
                }
            };
            Mcts::new(game, &params, &own, hints)
        },
    )]
}
