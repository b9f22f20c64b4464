//! Searches do not allocate once they are warm. This test is alone in its binary, because the counting crate
//! brings its own allocator.

use meeple_core::{
    AgentSpec, AskedSeat, ChanceStreams, Defined, EpisodeSeed, Game, NoEvents, Phase, Position, Seat, Stream,
    Turn, build_agents,
};
use meeple_testkit::toys::{Goofspiel, Lines, Nim, Pig};

/// Every decision of a random episode.
fn decisions<G: Game>(game: &G) -> Vec<(G::State, Seat)> {
    let (mut rng, mut chance) = (Stream::from_seed(1), ChanceStreams::new(EpisodeSeed::new(1, 0)));
    let (mut state, mut found) = (game.initial_state(), Vec::new());
    loop {
        match game.phase(&state) {
            Phase::Over => return found,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                for seat in seats {
                    found.push((state.clone(), seat));
                    let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                    game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                }
            }
        }
    }
}

fn check<G: Defined>(seats: usize, spec: &str) {
    let game = G::definition().by_default(seats).unwrap();
    let known = meeple_search::agents(&G::definition());
    let mut agent = build_agents(&game, &known, &[AgentSpec::parse(spec)]).unwrap().remove(0);
    let decisions = decisions(&game);
    let mut asked = AskedSeat::new(EpisodeSeed::new(1, 0), Seat::new(0));
    let mut decide = || {
        let mut last = None;
        for (state, seat) in &decisions {
            asked.restart(EpisodeSeed::new(1, 0), *seat);
            last = Some(agent.act(Turn::new(&Position::new(&game, state), &mut asked)));
        }
        last
    };
    let warm = decide();
    let mut again = None;
    let measured = allocation_counter::measure(|| again = decide());
    assert_eq!(warm, again);
    assert_eq!(measured.count_total, 0, "{} {spec}", G::definition().info.id);
}

#[test]
fn searches_do_not_allocate() {
    for spec in [
        "mcts:iterations=100",
        "mcts:iterations=100,tree=self",
        "mcts:iterations=99,trees=3",
        "mcts:iterations=100,tree=multi,mast=0.5,common=on",
        "mcts:iterations=100,select=puct,halving=3,rescale=on,widening=1",
        "mcts:iterations=100,select=rm",
        "mcts:iterations=100,select=rm,transpositions=on",
    ] {
        check::<Nim>(2, spec);
        check::<Lines>(2, spec);
        check::<Pig>(3, spec);
        // With `select=rm` the game allocates lists of its chance outcomes.
        if !spec.ends_with("select=rm") {
            check::<Goofspiel>(2, spec);
        }
    }
}
