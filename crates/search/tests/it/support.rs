//! Helpers that ask agents for decisions in positions.

use std::sync::Arc;

use meeple_core::{
    Agent, AgentInfo, AgentSpec, Analysis, AskedSeat, Budget, Defined, EpisodeSeed, Game, Playable, Playouts,
    Position, Seat, Seating, Turn, build_agents,
};

pub fn known<G: Defined>() -> Vec<AgentInfo<G>> {
    let game = G::definition();
    let search = meeple_search::agents(&game);
    game.agents.into_iter().chain(meeple_agents::general()).chain(search).collect()
}

pub fn agent<G: Defined>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    build_agents(game, &known(), &[AgentSpec::parse(spec)]).unwrap().remove(0)
}

/// An agent's decision and analysis in a state.
pub fn decide<G: Playable>(
    game: &G,
    agent: &mut dyn Agent<G>,
    state: &G::State,
    seat: Seat,
    seed: u64,
    budget: Budget,
) -> (G::Action, Analysis<G::Action>) {
    let mut asked = AskedSeat::new(EpisodeSeed::new(seed, 0), seat);
    asked.expect(budget, true);
    let action = agent.act(Turn::new(&Position::new(game, state), &mut asked));
    (action, asked.take_analysis().unwrap())
}

/// An agent's value of its decision in a state.
pub fn value<G: Defined>(game: &G, spec: &str, state: &G::State, seat: usize) -> f64 {
    let (action, analysis) = decide(game, &mut *agent(game, spec), state, Seat::new(seat), 1, Budget::Own);
    analysis.actions.iter().find(|tried| tried.action == action).unwrap().value
}

/// Mean over all visits: an agent's value of the position.
pub fn mean<A>(analysis: &Analysis<A>) -> f64 {
    let visits: u64 = analysis.actions.iter().map(|tried| tried.visits).sum();
    analysis.actions.iter().map(|tried| tried.value * tried.visits as f64).sum::<f64>() / visits as f64
}

/// Win share of player 0 in each episode.
pub fn shares<G: Defined>(game: G, line_up: &[&str], episodes: u64) -> Vec<f64> {
    let line_up: Vec<AgentSpec> = line_up.iter().map(|text| AgentSpec::parse(text)).collect();
    let agents = build_agents(&game, &known(), &line_up).unwrap();
    let mut playouts = Playouts::new(Arc::new(game), agents);
    let share = |index| {
        let report = playouts.play(3, Seating::Rotate, index);
        let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
        report.outcome.win_share(Seat::new(seat))
    };
    (0..episodes).map(share).collect()
}

/// The state after these actions, taken in turn by whoever owes a decision.
pub fn after<G: Game>(game: &G, actions: &[G::Action]) -> G::State {
    let mut state = game.initial_state();
    for action in actions {
        let meeple_core::Phase::Decide(seats) = game.phase(&state) else { panic!("nobody decides") };
        let seat = seats.lowest().unwrap();
        game.apply(&mut state, seat, action, &mut meeple_core::NoEvents).unwrap();
    }
    state
}
