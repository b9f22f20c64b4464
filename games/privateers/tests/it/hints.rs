//! Hints for searches: legal, reproducible, and independent of hidden information.

use meeple_core::{
    AgentSpec, ChanceStreams, Defined as _, EpisodeSeed, Game, Hints, NoEvents, Phase, Playable, Playouts,
    Position, Seat, Seating, Stream, Viewer, build_agents,
};
use meeple_privateers::{Action, Privateers, Stage, State};

use crate::bench::game;

fn hints(game: &Privateers) -> Box<dyn Hints<Privateers>> {
    game.hints()
}

/// Positions from play by the hints' own policy: one in `every` decisions, and at most `most` positions.
fn positions(game: &Privateers, every: usize, most: usize) -> Vec<(State, Seat)> {
    let (mut advice, mut rng) = (hints(game), Stream::from_seed(4));
    let mut chance = ChanceStreams::new(EpisodeSeed::new(6, 0));
    let (mut state, mut found, mut count) = (game.initial_state(), Vec::new(), 0);
    advice.imagine(game);
    while found.len() < most {
        match game.phase(&state) {
            Phase::Over => break,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                if count % every == 0 {
                    found.push((state.clone(), seat));
                }
                count += 1;
                let action = advice.act(&Position::new(game, &state), seat, &mut rng).unwrap();
                game.apply(&mut state, seat, &action, &mut NoEvents).expect("advice is legal");
            }
        }
    }
    found
}

fn prior(
    advice: &mut dyn Hints<Privateers>,
    game: &Privateers,
    state: &State,
    seat: Seat,
) -> Vec<(Action, f64)> {
    let (mut legal, mut weights) = (Vec::new(), Vec::new());
    game.legal_actions(state, seat, &mut legal);
    advice.prior(&Position::new(game, state), seat, &legal, &mut weights);
    legal.into_iter().zip(weights).collect()
}

/// Games of both modes and several sizes, cut short.
fn games() -> impl Iterator<Item = Privateers> {
    [(1, "infinite"), (2, "infinite"), (4, "infinite"), (3, "survival"), (2, "survival")]
        .into_iter()
        .map(|(seats, mode)| game(seats, &[("mode", mode), ("map", "pocket"), ("max_rounds", "60")]))
}

#[test]
fn priors_are_finite_and_name_something() {
    for game in games() {
        let mut advice = hints(&game);
        let mut choices = 0;
        for (state, seat) in positions(&game, 3, 120) {
            let weighed = prior(&mut *advice, &game, &state, seat);
            assert!(weighed.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0), "{weighed:?}");
            let named = weighed.iter().filter(|(_, weight)| *weight > 0.0).count();
            assert!(named >= 1, "{weighed:?}");
            choices += usize::from(named > 1);
        }
        assert!(choices > 0, "there is nothing to search for");
    }
}

#[test]
fn the_same_position_gets_the_same_advice() {
    for game in games() {
        let found = positions(&game, 7, 60);
        let mut used = hints(&game);
        for (state, seat) in &found {
            prior(&mut *used, &game, state, *seat);
        }
        for (state, seat) in found.iter().rev() {
            let position = Position::new(&game, state);
            let mut fresh = hints(&game);
            let again = prior(&mut *used, &game, state, *seat);
            assert_eq!(again, prior(&mut *fresh, &game, state, *seat));
            let (mut one, mut other) = (Vec::new(), Vec::new());
            assert_eq!(used.scores(&position, &mut one), fresh.scores(&position, &mut other));
            assert_eq!(one, other);
        }
    }
}

/// Advice stays the same if all hidden information is sampled again.
#[test]
fn advice_depends_on_what_the_seat_sees() {
    for game in games() {
        let mut advice = hints(&game);
        for (state, seat) in positions(&game, 5, 80) {
            let expected = prior(&mut *advice, &game, &state, seat);
            for draw in 0..3 {
                let mut other = game.initial_state();
                let observation = game.observe(&state, Viewer::Seat(seat));
                game.determinize(&observation, &mut Stream::from_seed(draw), &mut other);
                assert_eq!(prior(&mut *advice, &game, &other, seat), expected);
                let mut rng = Stream::from_seed(0);
                let mut act = |state: &State| {
                    advice.imagine(&game);
                    advice.act(&Position::new(&game, state), seat, &mut rng)
                };
                assert_eq!(act(&other), act(&state));
            }
        }
    }
}

#[test]
fn scores_are_one_for_each_seat_and_near_the_truth_at_the_end() {
    for game in games() {
        let mut advice = hints(&game);
        for (state, _) in positions(&game, 4, 400) {
            let mut scores = Vec::new();
            let spread = advice.scores(&Position::new(&game, &state), &mut scores).unwrap();
            assert!(spread > 0.0 && spread.is_finite() && scores.len() == game.seats());
            let observation = game.observe(&state, Viewer::Everything);
            for seat in Seat::all(game.seats()) {
                let score = scores[seat.index()];
                assert!(score.is_finite() && score >= 0.0, "{scores:?}");
                assert!(observation.lives(seat) || score == 0.0, "who is out has nothing: {scores:?}");
            }
            if observation.rounds_left() == Some(1) {
                for seat in Seat::all(game.seats()).filter(|seat| observation.lives(*seat)) {
                    let (now, then) = (game.score(&state, seat) as f64, scores[seat.index()]);
                    assert!(
                        (then - now).abs() < 0.5 * now + 300.0,
                        "{now} $ with one round left, {then} expected"
                    );
                }
            }
        }
    }
}

#[test]
fn settled_is_where_a_turn_begins() {
    let game = game(2, &[("map", "pocket"), ("max_rounds", "60")]);
    let mut advice = hints(&game);
    let mut settled = 0;
    for (state, _) in positions(&game, 1, 300) {
        let observation = game.observe(&state, Viewer::Public);
        let begins =
            observation.stage() == Stage::Act && observation.moves_left() == game.variant().max_moves;
        assert_eq!(advice.is_settled(&Position::new(&game, &state)), begins);
        settled += usize::from(begins);
    }
    assert!((30..270).contains(&settled), "{settled} of 300");
}

/// Win rate of the first agent against the second, on a small chart.
fn share(line_up: [&str; 2], episodes: u64) -> f64 {
    let game = game(2, &[("map", "pocket"), ("max_rounds", "30")]);
    let known: Vec<_> = meeple_agents::general()
        .into_iter()
        .chain(meeple_search::agents(&Privateers::definition()))
        .chain(Privateers::definition().agents)
        .collect();
    let agents = build_agents(&game, &known, &line_up.map(AgentSpec::parse)).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let mut won = 0.0;
    for index in 0..episodes {
        let report = playouts.play(8, Seating::Rotate, index);
        let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
        won += report.outcome.win_share(Seat::new(seat));
    }
    won / episodes as f64
}

#[test]
fn a_search_with_hints_beats_one_without() {
    let won = share(["mcts:iterations=8", "flat:playouts=8"], 6);
    assert!(won > 0.7, "{won} of the games");
}
