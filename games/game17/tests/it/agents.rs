//! The built-in agents: exact rules where there are some, and comparisons of strength.

use meeple_core::{
    Agent, AgentSpec, AskedSeat, Defined as _, EpisodeSeed, Game, Playouts, Position, Seat, Seating, Turn,
    build_agents, find_agent,
};
use meeple_game17::{Action, Game17, State};

use crate::table::game;

fn agent(game: &Game17, spec: &str) -> Box<dyn Agent<Game17>> {
    let spec = AgentSpec::parse(spec);
    find_agent(game.info(), &Game17::definition().agents, &spec).unwrap().build(game, &spec).unwrap()
}

fn ask(game: &Game17, state: &State, agent: &mut dyn Agent<Game17>, seed: u64) -> Action {
    let seat = state.mover().unwrap();
    let mut asked = AskedSeat::new(EpisodeSeed::new(seed, 0), seat);
    agent.begin_episode(game, seat);
    let action = agent.act(Turn::new(&Position::new(game, state), &mut asked));
    assert_eq!(game.check(state, seat, &action), Ok(()));
    action
}

/// Mean counts that an agent sends n, s, e and w from the square 1,1 of a 3 x 3 board. The agent has `own`
/// pieces there, and its neighbours have the numbers `around`.
fn mean_sent(spec: &str, own: u32, around: [u32; 4], draws: u64) -> [f64; 4] {
    let game = game(&[("size", "3")]);
    let [n, s, e, w] = around;
    let numbers = [9, n, 9, w, own, e, 9, s, 9];
    let state = game.position(&[0, 1, 2, 3, 4, 5, 6, 7, 8], &numbers, &[4, 0, 1, 2, 3, 5, 6, 7, 8]).unwrap();
    let mut agent = agent(&game, spec);
    let mut sums = [0.0; 4];
    for seed in 0..draws {
        for departure in ask(&game, &state, agent.as_mut(), seed).0 {
            assert_eq!((departure.row, departure.column), (1, 1));
            for (sum, count) in sums.iter_mut().zip(departure.counts) {
                *sum += f64::from(count);
            }
        }
    }
    sums.map(|sum| sum / draws as f64)
}

#[test]
fn r6_1_zombies_move_every_piece_uniformly() {
    // These numbers cover both ways of drawing: few pieces at once, and many in portions.
    for own in [1, 4, 7, 16, 17, 33, 100] {
        let draws = 2000;
        let means = mean_sent("zombie", own, [1; 4], draws);
        assert!((means.iter().sum::<f64>() - f64::from(own)).abs() < 1e-9, "nobody stays");
        let expected = f64::from(own) / 4.0;
        // Five standard deviations of a mean of binomials.
        let bound = 5.0 * (f64::from(own) * 3.0 / 16.0 / draws as f64).sqrt();
        for mean in means {
            assert!((mean - expected).abs() < bound, "{own}: {means:?}");
        }
    }
}

#[test]
fn r6_1_zombie_counts_vary_like_a_multinomial() {
    // Variance of the number that goes north: c p (1 - p).
    let game = game(&[("size", "3")]);
    let ids = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    for own in [8u32, 40] {
        let mut numbers = [1; 9];
        numbers[0] = own;
        let state = game.position(&ids, &numbers, &ids).unwrap();
        let mut zombie = agent(&game, "zombie");
        let counts: Vec<f64> =
            (0..4000).map(|seed| ask(&game, &state, zombie.as_mut(), seed).0[0].counts[0].into()).collect();
        let mean = counts.iter().sum::<f64>() / 4000.0;
        let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 3999.0;
        let expected = f64::from(own) * 3.0 / 16.0;
        assert!((variance / expected - 1.0).abs() < 0.15, "{own}: {variance} against {expected}");
    }
}

#[test]
fn r6_2_t800_goes_only_where_the_expectation_matches() {
    for (own, around, expected, comment) in [
        (4, [4, 4, 4, 4], [0.0; 4], "the start: a fixed point"),
        (8, [5, 3, 3, 3], [0.0; 4], "no direction matches"),
        (4, [4, 4, 1, 0], [0.0, 0.0, 0.0, 4.0], "only the empty square is left"),
        (10, [9, 8, 1, 0], [0.0, 0.0, 0.0, 10.0], "three dropped at once"),
        // Dropping north first would leave 10 against 4 for the south; both are dropped together.
        (10, [9, 4, 8, 0], [0.0, 0.0, 0.0, 10.0], "all that fall short are dropped at once"),
        (3, [200, 200, 200, 3], [0.0; 4], "after dropping three the last does not match"),
        (7, [200, 200, 200, 7], [0.0; 4], "its share was below it before the others were dropped"),
    ] {
        assert_eq!(mean_sent("t800", own, around, 5), expected, "{comment}");
    }
}

#[test]
fn r6_2_t800_spreads_by_the_neighbours_numbers() {
    let draws = 4000;
    for (own, around, shares) in [
        // Nothing is dropped: (m + 0.01) / (sum + 0.04).
        (12, [3, 2, 1, 0], [3.01 / 6.04, 2.01 / 6.04, 1.01 / 6.04, 0.01 / 6.04]),
        // 6.01 / 12.04 of 10 is below 6: north and south are dropped, east and west share equally.
        (10, [6, 6, 0, 0], [0.0, 0.0, 0.5, 0.5]),
        (5, [0, 0, 0, 0], [0.25; 4]),
    ] {
        let means = mean_sent("t800", own, around, draws);
        for (mean, share) in means.into_iter().zip(shares) {
            let own = f64::from(own);
            let bound = 5.0 * (own * share * (1.0 - share) / draws as f64).sqrt() + 1e-9;
            assert!((mean - own * share).abs() <= bound, "{means:?} {shares:?}");
        }
    }
}

#[test]
fn r6_2_t800_drops_until_all_that_is_left_matches() {
    // Eight pieces against 5, 1, 1 and 1, with the sum 8.04: north gets 4.98 < 5 and is dropped. The other
    // three get shares of a third.
    let means = mean_sent("t800", 8, [5, 1, 1, 1], 3000);
    assert_eq!(means[0], 0.0);
    for mean in &means[1..] {
        assert!((mean - 8.0 / 3.0).abs() < 0.15, "{means:?}");
    }
}

#[test]
fn r6_2_t800_prior_is_a_parameter() {
    // With a large prior the shares are nearly equal, so 4 pieces cannot match a neighbour of 2.
    assert_eq!(mean_sent("t800:1000", 4, [2, 2, 2, 2], 3), [0.0; 4]);
    let game = game(&[]);
    let spec = AgentSpec::parse("t800:prior=-1");
    assert!(
        find_agent(game.info(), &Game17::definition().agents, &spec).unwrap().build(&game, &spec).is_err()
    );
}

#[test]
fn r6_3_still_never_moves() {
    assert_eq!(mean_sent("still", 9, [0, 0, 0, 0], 3), [0.0; 4]);
}

#[test]
fn r6_4_hunter_takes_what_is_sure() {
    // Nine pieces against neighbours of 3, 3, 2 and 9: the 9 is too strong. Four pieces each take the two 3s,
    // and the last piece cannot take the 2.
    assert_eq!(mean_sent("hunter", 9, [3, 3, 2, 9], 1), [4.0, 4.0, 0.0, 0.0]);
    assert_eq!(mean_sent("hunter", 10, [3, 3, 2, 9], 1), [0.0, 0.0, 0.0, 10.0]);
    assert_eq!(mean_sent("hunter", 3, [3, 3, 3, 3], 1), [0.0; 4]);
}

/// Shares of the first place of two players among zombies: when the first moves earlier, and when later.
fn duel(first: &str, second: &str, episodes: u64) -> [(f64, f64, f64); 2] {
    let game = game(&[]);
    let mut line_up = vec![AgentSpec::parse(first), AgentSpec::parse(second)];
    line_up.resize(196, AgentSpec::parse("zombie"));
    let agents = build_agents(&game, &Game17::definition().agents, &line_up).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let mut orders = [(0.0, 0.0, 0.0); 2];
    for index in 0..episodes {
        let report = playouts.play(170, Seating::Shuffle, index);
        let seat_of = |player: u16| report.player_at.iter().position(|other| *other == player).unwrap();
        let (one, two) = (seat_of(0), seat_of(1));
        let turn = |seat: usize| report.figures.seat_values()[2 * seat + 1];
        let (share_one, share_two) =
            (report.outcome.win_share(Seat::new(one)), report.outcome.win_share(Seat::new(two)));
        let order = &mut orders[usize::from(turn(one) > turn(two))];
        order.0 += share_one;
        order.1 += share_two;
        order.2 += 1.0;
    }
    orders
}

#[test]
fn hunter_beats_t800_in_both_orders() {
    for (hunter, t800, games) in duel("hunter", "t800", 400) {
        assert!(games > 150.0);
        // About 0.95 against 0.05; 0.8 is nine standard deviations below.
        assert!(hunter / games > 0.8 && t800 / games < 0.2, "{hunter} {t800} of {games}");
    }
}

#[test]
fn t800_beats_zombies() {
    let [early, late] = duel("t800", "zombie", 200);
    // 0.936 in 4,000 games; 0.85 is five standard deviations below.
    assert!((early.0 + late.0) / 200.0 > 0.85);
}

#[test]
fn zombies_only_means() {
    let game = game(&[]);
    let line_up = vec![AgentSpec::parse("zombie"); 196];
    let mut playouts =
        Playouts::new(&game, build_agents(&game, &Game17::definition().agents, &line_up).unwrap());
    let (mut sides, mut most) = (0.0, 0.0);
    for index in 0..200 {
        let report = playouts.play(1, Seating::Fixed, index);
        sides += report.figures.episode_values()[0];
        most += report.figures.episode_values()[2];
    }
    // RULES.md: 4.19 (sd 1.19) and 98.8 (sd 30.8); five standard deviations of a mean of 200.
    assert!((sides / 200.0 - 4.19f64).abs() < 0.43, "{sides}");
    assert!((most / 200.0 - 98.8f64).abs() < 11.0, "{most}");
}
