//! Agents that play every game through the generic interface. They determinize a state from their observation
//! and try their actions in it.
//!
//! | name | plays |
//! |---|---|
//! | `random` | any legal action |
//! | `greedy` | the action after which the own score is best, one step ahead |
//! | `flat` | the action after which random play does best |
//!
//! ```
//! use meeple_core::{AgentSpec, Game, Playouts, Seat, Seating, build_agents};
//! use meeple_testkit::toys::Nim;
//!
//! let nim = Nim::new(Default::default(), 2).unwrap();
//! let line_up = ["flat:playouts=60", "random"].map(AgentSpec::parse);
//! let agents = build_agents(&nim, &meeple_agents::general(), &line_up).unwrap();
//! let report_places = Playouts::new(&nim, agents).play(1, Seating::Fixed, 0).outcome.places.clone();
//! assert_eq!(report_places.len(), 2);
//! ```

mod candidates;
mod flat;
mod greedy;
mod random;
mod world;

use meeple_core::{AgentInfo, Game, NoParams};

pub use flat::{Flat, FlatParams, PlayoutGoal};
pub use greedy::{Greedy, GreedyParams};
pub use random::Random;

/// All general agents, for any game. In the registry a game's own agent of the same name takes precedence.
pub fn general<G: Game>() -> Vec<AgentInfo<G>> {
    vec![
        AgentInfo::new("random", "any legal action, drawn at random", |_: &G, _: NoParams| Ok(Random)),
        AgentInfo::new(
            "greedy",
            "the action with the best own score at the next decision, in imagined states",
            |game: &G, params: GreedyParams| Ok(Greedy::new(game, params)),
        ),
        AgentInfo::new(
            "flat",
            "flat Monte Carlo: the action after which random players do best, in imagined states",
            |game: &G, params: FlatParams| Ok(Flat::new(game, params)),
        ),
    ]
}
