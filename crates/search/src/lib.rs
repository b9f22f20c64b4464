//! Tree search for every game: open-loop Monte Carlo tree search from a seat's observation.
//!
//! Every iteration samples a state that agrees with the observation ([`Game::determinize`]) and plays an
//! episode from there. Hidden information therefore cannot leak into the search. Edges of the tree are
//! actions; chance outcomes and hidden information differ from iteration to iteration. An action may thus be
//! legal in one iteration and illegal in another. The tree counts how often each action was available; the
//! upper confidence bound of an action is Q + c √(ln available / visits). This is information set MCTS with
//! one tree, that of the searching seat (Cowling, Powley, Whitehouse 2012).
//!
//! * **Nodes of the tree** are sequences of actions. With `transpositions`, in games without hidden
//!   information, they are positions. All paths to a position then share its statistics, and chance outcomes
//!   are distinguished.
//! * **Many seats.** The end of an episode has a value for every seat. Either all seats maximise their own
//!   value (max-n), or the others minimise that of the searching seat (paranoid). Alternatively only the
//!   searching seat has decisions in the tree, or each seat has its own tree.
//! * **Simultaneous decisions.** Every seat chooses from its own table, without knowing the others' choices
//!   (decoupled UCT). The next node depends on all choices. Mixed equilibria need regret matching.
//! * **Actions that cannot be listed.** Every node searches among a limited number of sampled actions, the
//!   first from the rollout policy. If the samples are random, the search selects among them but can hardly
//!   plan.
//! * **Hidden decisions of others** are edges as if the seat saw them. Deeper nodes therefore use information
//!   that the seat will not have (strategy fusion).
//! * **Proven values.** With perfect information and no chance draws, wins and losses are proven up to the
//!   root (MCTS-Solver).
//! * **Reproducible.** A decision is a function of the observation, the settings, one draw of the agent's
//!   stream and the number of iterations. Its arithmetic gives the same bits on every machine.
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
//! The crate is pure and starts no threads. A [`Search`] is one tree. Callers may grow several trees on their
//! own threads and add them up in a [`RootTally`], with the same result as [`Mcts`].

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
pub use params::{CutValue, MctsParams, PriorSource, Selection, TreeKind};
pub use search::{Search, SearchStart};
pub use tally::RootTally;

/// Loads the hints in the file with this name.
///
/// # Errors
/// If the file has another content; the error describes it.
pub type LoadHints<G> = fn(&G, &str) -> Result<Box<dyn Hints<G>>, String>;

/// Loads priors from the policy in a file, and takes everything else from the given hints.
///
/// # Errors
/// If the file has another content; the error describes it.
pub type LoadPolicy<G> = fn(&G, &str, Box<dyn Hints<G>>) -> Result<Box<dyn Hints<G>>, String>;

/// The searching agents. The game's own agents may decide in rollouts. No files are read.
pub fn agents<G: Playable>(definition: &Definition<G>) -> Vec<AgentInfo<G>> {
    let no_value =
        |_: &G, file: &str| Err(format!("expected {}, found '{file}'", CutValue::WORDS.join(" or ")));
    agents_that_load(definition, no_value, |_, file, _| Err(format!("expected hints, found '{file}'")))
}

/// Like [`agents`], with loaders for the files named as `value` and `policy`.
pub fn agents_that_load<G: Playable>(
    definition: &Definition<G>,
    load: LoadHints<G>,
    load_policy: LoadPolicy<G>,
) -> Vec<AgentInfo<G>> {
    let own = definition.agents.clone();
    vec![AgentInfo::with_settings(
        "mcts",
        "Monte Carlo tree search in determinized states: plays the most visited action",
        definition.search_settings,
        move |game: &G, params: MctsParams| {
            let valued = || match &params.value {
                CutValue::File(file) => match load(game, file) {
                    Ok(hints) if hints.know_only_wins() && params.margin == 1.0 => Err(format!(
                        "margin: expected less than 1, found 1, which counts points alone: '{file}' predicts only \
                         wins\nhint: value={file},margin=0 counts the win alone"
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
                PriorSource::Hints => valued(),
                PriorSource::File(file) if params.prior == 0.0 && params.select != Selection::Puct => {
                    Err(format!(
                        "policy: expected a search that uses priors, found prior=0\n\
                     hint: policy={file},prior=1, or select=puct"
                    ))
                }
                PriorSource::File(file) => {
                    load_policy(game, file, valued()?).map_err(|error| format!("policy: {error}"))
                }
            };
            Mcts::new(game, &params, &own, hints)
        },
    )]
}
