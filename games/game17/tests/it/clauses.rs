//! One test for each clause of RULES.md.

use std::sync::Arc;

use meeple_core::{
    AgentSpec, Answer, AnyEntry, ChanceStreams, Defined as _, Driver, Due, Episode, EpisodeSeed, EventLog,
    EventSink, Game, GameEntry, NoEvents, Params, Phase, Playouts, Question, Seat, Seating, build_agents,
};
use meeple_game17::{Chance, Coin, Event, Game17, TurnEvent, Variant};

use crate::table::{TestTable, game};

/// The result of one turn of the first mover on a 2 x 2 or 3 x 3 board.
fn after(
    owners: &[u16],
    numbers: &[u32],
    action: &str,
    coins: &[Coin],
) -> (Vec<u16>, Vec<u32>, Phase, EventLog<Event>) {
    let game = game(&[("size", &owners.len().isqrt().to_string())]);
    let order: Vec<u16> = (0..owners.len() as u16).collect();
    let mut state = game.position(owners, numbers, &order).unwrap();
    let mut events = EventLog::new();
    let mover = Seat::new(state.mover().unwrap().index());
    game.apply(&mut state, mover, &action.parse().unwrap(), &mut events).unwrap();
    for coin in coins {
        assert_eq!(game.phase(&state), Phase::Chance);
        game.apply_chance(&mut state, &Chance::Coin(*coin), &mut events);
    }
    (state.owners().to_vec(), state.numbers().to_vec(), game.phase(&state), events)
}

#[test]
fn r1_1_board_sizes_1_to_64() {
    for size in ["0", "65", "-1", "x", ""] {
        assert!(Variant::default().set("size", size).is_err(), "{size:?}");
    }
    for (size, squares) in [("1", 1), ("2", 4), ("14", 196), ("64", 4096)] {
        assert_eq!(game(&[("size", size)]).seats(), squares);
    }
}

#[test]
fn r1_2_torus_wraps() {
    // The corner 0,0 of a 3 x 3 board borders on 2,0 (north) and 0,2 (west).
    let owners = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let (now, numbers, ..) = after(&owners, &[9, 1, 1, 1, 1, 1, 1, 1, 1], "0,0:n2s2e2w2", &[]);
    assert_eq!(now, [0, 0, 0, 0, 4, 5, 0, 7, 8]);
    assert_eq!(numbers, [1, 3, 3, 3, 1, 1, 3, 1, 1]);
}

#[test]
fn r1_3_directions() {
    let owners = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let order = [4, 0, 1, 2, 3, 5, 6, 7, 8];
    for (letter, taken) in [("n", 1), ("s", 7), ("e", 5), ("w", 3)] {
        let game = game(&[("size", "3")]);
        let mut state = game.position(&owners, &[4; 9], &order).unwrap();
        // Four against four needs a coin; with single pieces there is none.
        assert_eq!(state.mover(), Some(Seat::new(4)));
        state = game.position(&owners, &[1, 1, 1, 1, 2, 1, 1, 1, 1], &order).unwrap();
        game.apply(&mut state, Seat::new(4), &format!("1,1:{letter}2").parse().unwrap(), &mut NoEvents)
            .unwrap();
        assert_eq!(state.owners()[taken], 4, "{letter}");
    }
}

#[test]
fn r1_4_every_square_has_a_seat_and_more_players_are_refused() {
    use meeple_core::{AnyEntry, GameEntry};
    let entry = GameEntry::new(Game17::definition(), Vec::new());
    assert_eq!(entry.set_up(None, &[], 0).unwrap().seats(), 196);
    assert_eq!(entry.set_up(None, &[], 196).unwrap().seats(), 196);
    let set = [("size".to_owned(), "2".to_owned())];
    assert_eq!(entry.set_up(None, &set, 4).unwrap().seats(), 4);
    let error = entry.set_up(None, &set, 5).err().unwrap().to_string();
    assert!(error.contains("at most 4 players, found 5"), "{error}");
    let error = Game17::new(Variant::default(), 2).unwrap_err().reason;
    assert!(error.contains("196 owners, found 2 seats"), "{error}");
}

#[test]
fn r1_6_pieces_are_conserved_and_never_negative() {
    let game = game(&[("size", "6"), ("rounds", "40")]);
    for index in 0..6 {
        let mut episode = Episode::new(game.clone().into(), EpisodeSeed::new(3, index));
        loop {
            match episode.phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(seats) => {
                    let seat = seats.lowest().unwrap();
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).unwrap();
                }
            }
            let state = episode.state();
            // An underflow would be a count near four billion.
            assert!(state.numbers().iter().all(|number| *number <= 144));
            assert_eq!(state.numbers().iter().sum::<u32>(), 144);
            assert_eq!(Seat::all(36).map(|seat| state.pieces_of(seat)).sum::<u32>(), 144);
            assert_eq!(Seat::all(36).map(|seat| state.squares_of(seat)).sum::<u32>(), 36);
            let holders = Seat::all(36).filter(|seat| state.pieces_of(*seat) > 0).count();
            assert_eq!(state.sides() as usize, holders);
        }
    }
}

#[test]
fn r2_1_and_r2_3_set_up_is_two_uniform_independent_permutations() {
    let game = game(&[("size", "2")]);
    let (mut at_corner, mut first, mut both) = ([0u32; 4], [0u32; 4], 0u32);
    let episodes = 4000;
    for index in 0..episodes {
        let mut episode = Episode::new(game.clone().into(), EpisodeSeed::new(11, index));
        episode.settle_chance();
        let (owners, order) = (episode.state().owners(), episode.state().turn_order());
        for list in [owners, order] {
            let mut ids = list.to_vec();
            ids.sort_unstable();
            assert_eq!(ids, [0, 1, 2, 3]);
        }
        at_corner[usize::from(owners[0])] += 1;
        first[usize::from(order[0])] += 1;
        both += u32::from(owners[0] == order[0]);
    }
    // The expected counts are 1000 with a standard deviation of 27. The bounds are five of these deviations
    // away.
    for count in at_corner.into_iter().chain(first).chain([both]) {
        assert!((863..=1137).contains(&count), "{at_corner:?} {first:?} {both}");
    }
}

#[test]
fn r2_2_the_same_number_everywhere() {
    assert_eq!(TestTable::plain(3, &[]).numbers(), [4; 9]);
    assert_eq!(TestTable::plain(3, &[("pieces", "7")]).numbers(), [7; 9]);
}

#[test]
fn r2_4_turns_follow_the_order_and_the_dead_are_skipped() {
    // Owner 2 attacks the square of owner 3 with 4 pieces against 4 and wins the coin. Then owner 3 has no
    // more turns.
    let mut table = TestTable::new(&[0, 1, 2, 3], &[2, 0, 3, 1], &[("pieces", "4")]);
    table.turns(&[(2, "1,0:n0"), (0, "-"), (3, "-"), (1, "-"), (2, "1,0:e4")]);
    table.coin(Coin::Mover);
    assert_eq!(table.owners(), [0, 1, 2, 2]);
    table.turns(&[(0, "-"), (1, "-"), (2, "-"), (0, "-")]);
}

#[test]
fn r3_2_who_has_only_empty_squares_has_an_empty_turn() {
    let game = game(&[("size", "2")]);
    // Owner 1 has an empty square; it comes between 0 and 2.
    let mut state = game.position(&[0, 1, 2, 3], &[2, 0, 2, 2], &[0, 1, 2, 3]).unwrap();
    let mut events = EventLog::new();
    game.apply(&mut state, Seat::new(0), &"-".parse().unwrap(), &mut events).unwrap();
    assert_eq!(game.phase(&state), Phase::turn(Seat::new(2)));
    let turns: Vec<String> = events.entries().iter().map(|(_, event)| event.to_string()).collect();
    assert_eq!(turns, ["round 1, player 0: nothing changes", "round 1, player 1: nothing changes"]);
}

#[test]
fn r3_3_arrivals_cannot_go_on() {
    let mut table = TestTable::plain(3, &[]);
    // Player 0 sends four pieces to 0,1, but cannot send pieces on from there in the same turn.
    assert!(table.refused("0,0:e4 0,1:e1").contains("found one of player 1"));
}

#[test]
fn r3_4_legality_is_all_or_nothing() {
    for (action, reason) in [
        ("0,0:n5", "at most 4 pieces to leave 0,0, found 5"),
        ("0,0:n2e3", "at most 4 pieces to leave 0,0, found 5"),
        ("0,0:n2 0,0:n1 0,0:s2", "at most 4 pieces to leave 0,0, found 5"),
        ("0,0:n1 0,1:n1", "found one of player 1"),
        ("0,0:n-1", "counts of 0 or more, found -1"),
        ("0,0:n-1e5", "counts of 0 or more, found -1"),
        ("3,0:n1", "row and a column from 0 to 2, found 3,0"),
        ("0,-1:n1", "row and a column from 0 to 2, found 0,-1"),
        ("0,0:n2147483647s2147483647e2147483647", "found 6442450941"),
    ] {
        let found = TestTable::plain(3, &[]).refused(action);
        assert!(found.contains(reason) && found.contains("R3.4"), "{action}: {found}");
    }
    for action in ["-", "0,0:n0", "0,0:n1 0,0:n1", "0,0:n4", "0,0:n1s1e1w1"] {
        TestTable::plain(3, &[]).turn(action);
    }
}

#[test]
fn r3_5_departures_are_subtracted_first() {
    // Owner 0 swaps pieces between its own squares: both groups leave before both arrive.
    let (_, numbers, ..) =
        after(&[0, 0, 2, 3, 4, 5, 6, 7, 8], &[4, 1, 1, 1, 1, 1, 1, 1, 1], "0,0:e4 0,1:w1", &[]);
    assert_eq!(numbers[..2], [1, 4]);
}

#[test]
fn r3_6_arrivals_at_an_own_square_stay() {
    let (owners, numbers, ..) = after(&[0, 0, 2, 3], &[3, 1, 9, 9], "0,0:e2", &[]);
    assert_eq!((owners, numbers), (vec![0, 0, 2, 3], vec![1, 3, 9, 9]));
}

/// The worked example: A owns three squares of a 2 x 2 board, B the last, and A attacks it from the north.
#[test]
fn r3_7_worked_example() {
    const A: u16 = 0;
    const B: u16 = 1;
    let board = [A, A, A, B];
    let attack = |defenders, action, coins: &[Coin]| {
        let (owners, numbers, phase, _) = after(&board, &[8, 8, 8, defenders], action, coins);
        (owners[3], numbers[3], phase == Phase::Over)
    };
    for (defenders, action, coins, expected, comment) in [
        (1, "0,1:s3", &[][..], (A, 4, true), "more: A owns everything, the game is over"),
        (3, "0,1:s3", &[Coin::Mover], (A, 6, true), "as many, the coin falls for A"),
        (3, "0,1:s3", &[Coin::Owner], (B, 6, false), "as many, the coin falls for B"),
        (3, "0,1:s2", &[], (B, 5, false), "fewer: B has them all"),
        (3, "0,1:n2", &[], (B, 5, false), "north leads there too"),
        (3, "0,1:n1s1 1,0:e1w1", &[], (A, 7, true), "four ways add up"),
        (0, "0,1:s1", &[], (A, 1, true), "an empty square falls to whoever comes"),
    ] {
        assert_eq!(attack(defenders, action, coins), expected, "{comment}");
    }
}

#[test]
fn r3_7_the_losers_pieces_change_sides() {
    let mut table = TestTable::plain(3, &[]);
    // Owner 0 loses two pieces to owner 1.
    table.turn("0,0:e2");
    let state = table.episode.state();
    assert_eq!((state.pieces_of(Seat::new(0)), state.pieces_of(Seat::new(1))), (2, 6));
    assert_eq!(table.numbers()[..2], [2, 6]);
}

#[test]
fn r3_8_coins_fall_row_by_row() {
    // The owner 4 in the middle of 3 x 3 ties with the squares north, west, east and south of it.
    let owners = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let game = game(&[("size", "3")]);
    let numbers = [9, 1, 9, 1, 4, 1, 9, 1, 9];
    let mut state = game.position(&owners, &numbers, &[4, 0, 1, 2, 3, 5, 6, 7, 8]).unwrap();
    let mut events = EventLog::new();
    game.apply(&mut state, Seat::new(4), &"1,1:n1s1e1w1".parse().unwrap(), &mut events).unwrap();
    assert_eq!(state.tied_squares().collect::<Vec<_>>(), [1, 3, 5, 7]);
    for coin in [Coin::Mover, Coin::Owner, Coin::Owner, Coin::Mover] {
        assert_eq!(game.phase(&state), Phase::Chance);
        assert_eq!(game.chance_outcomes(&state).unwrap().len(), 2);
        game.apply_chance(&mut state, &Chance::Coin(coin), &mut events);
    }
    assert_eq!(state.owners(), [0, 4, 2, 3, 4, 5, 6, 4, 8]);
    assert_eq!(state.numbers(), [9, 2, 9, 2, 0, 2, 9, 2, 9]);
    assert_eq!(game.phase(&state), Phase::turn(Seat::new(0)));
    let texts: Vec<String> = events.entries()[1..].iter().map(|(_, event)| event.to_string()).collect();
    assert_eq!(
        texts,
        [
            "coin at 0,1: goes from 1 to 4",
            "coin at 1,0: stays with 3",
            "coin at 1,2: stays with 5",
            "coin at 2,1: goes from 7 to 4",
        ]
    );
}

#[test]
fn r3_8_the_coin_is_fair() {
    let game = game(&[("size", "2")]);
    let mut mover = 0u32;
    for index in 0..4000 {
        let mut state = game.position(&[0, 1, 2, 3], &[3, 3, 3, 3], &[0, 1, 2, 3]).unwrap();
        game.apply_unchecked(&mut state, Seat::new(0), &"0,0:e3".parse().unwrap(), &mut NoEvents);
        let mut streams = ChanceStreams::new(EpisodeSeed::new(1, index));
        mover += u32::from(game.sample_chance(&state, &mut streams) == Chance::Coin(Coin::Mover));
    }
    // The expected count is 2000 with a standard deviation of 32. The bounds are five of these deviations
    // away.
    assert!((1842..=2158).contains(&mover), "{mover}");
}

#[test]
fn r3_9_an_abandoned_square_keeps_its_owner() {
    let (owners, numbers, ..) = after(&[0, 0, 2, 3], &[3, 1, 9, 9], "0,0:e3", &[]);
    assert_eq!((owners[0], numbers[0]), (0, 0));
}

#[test]
fn r3_10_only_mover_and_owner_meet() {
    // Random play: every square that changes hands goes to the mover.
    let game = game(&[("size", "5"), ("rounds", "30")]);
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(5, 5));
    episode.settle_chance();
    while let Phase::Decide(seats) = episode.phase() {
        let seat = seats.lowest().unwrap();
        let before = episode.state().owners().to_vec();
        let action = episode.sample_action(seat);
        episode.act(seat, &action).unwrap();
        episode.settle_chance();
        for (was, is) in before.iter().zip(episode.state().owners()) {
            assert!(was == is || usize::from(*is) == seat.index());
        }
    }
}

#[test]
fn r4_1_the_game_ends_when_one_side_has_all_pieces() {
    let (.., phase, events) = after(&[0, 0, 0, 3], &[8, 8, 8, 1], "0,1:s3", &[]);
    assert_eq!(phase, Phase::Over);
    let last = events.entries().last().unwrap().1.to_string();
    assert_eq!(last, "over (one side): 0 with 4 squares");
    // A loss also ends the game: owner 0 gives its last pieces away.
    let (owners, _, phase, _) = after(&[0, 3, 3, 3], &[1, 8, 8, 8], "0,0:e1", &[]);
    assert_eq!((owners[0], phase), (0, Phase::Over));
    // After a tie, the game ends with the last coin and not before.
    let (.., phase, _) = after(&[0, 0, 0, 3], &[8, 8, 8, 3], "0,1:s3", &[]);
    assert_eq!(phase, Phase::Chance);
}

#[test]
fn r4_2_the_game_ends_after_the_last_round() {
    let mut table = TestTable::plain(2, &[("rounds", "2")]);
    for round in 0..2 {
        assert_eq!(table.episode.length(), round);
        table.turns(&[(0, "-"), (1, "-"), (2, "-"), (3, "-")]);
    }
    let outcome = table.outcome();
    assert_eq!(Game17::definition().info.ends[outcome.end], "last round");
    assert_eq!(table.episode.length(), 2);
}

#[test]
fn r4_3_empty_squares_count() {
    let game = game(&[("size", "2")]);
    let mut state = game.position(&[0, 0, 0, 3], &[8, 0, 0, 1], &[0, 1, 2, 3]).unwrap();
    assert_eq!(game.score(&state, Seat::new(0)), 3);
    game.apply(&mut state, Seat::new(0), &"0,0:e1".parse().unwrap(), &mut NoEvents).unwrap();
    assert_eq!(game.score(&state, Seat::new(0)), 3);
}

#[test]
fn r4_4_most_squares_win_and_ties_share() {
    let mut table = TestTable::plain(2, &[("rounds", "1")]);
    table.turns(&[(0, "-"), (1, "-"), (2, "-"), (3, "-")]);
    assert_eq!(table.outcome().places, [1, 1, 1, 1]);

    let mut table = TestTable::plain(3, &[("rounds", "1")]);
    // Owner 0 takes 0,1 by the coin. Owner 1 then has no square, and all others have one.
    table.turns(&[(0, "0,0:e4")]).coin(Coin::Mover);
    table.turns(&[(2, "-"), (3, "-"), (4, "-"), (5, "-"), (6, "-"), (7, "-"), (8, "-")]);
    let outcome = table.outcome();
    assert_eq!(outcome.scores, [2, 0, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(outcome.places, [1, 9, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(table.last_event(), &Event::End { reason: "last round", winners: vec![0], squares: 2 });
}

#[test]
fn r4_4_all_pieces_are_not_by_themselves_most_squares() {
    // Owner 3 has seven empty squares. After a capture, owner 0 has two squares and all pieces.
    let game = game(&[("size", "3")]);
    let owners = [0, 1, 3, 3, 3, 3, 3, 3, 3];
    let mut state =
        game.position(&owners, &[8, 1, 0, 0, 0, 0, 0, 0, 0], &[0, 1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    game.apply(&mut state, Seat::new(0), &"0,0:e2".parse().unwrap(), &mut NoEvents).unwrap();
    let mut outcome = meeple_core::Outcome::default();
    game.outcome(&state, &mut outcome);
    assert_eq!(outcome.places[3], 1);
    assert_eq!(outcome.places[0], 2);
    assert_eq!(Game17::definition().info.ends[outcome.end], "one side");
}

#[test]
fn r5_2_agents_do_not_shift_the_set_up_or_the_coins() {
    // Two line-ups share a seed. Board, turn order and the coin of a round and place are the same, whatever
    // random numbers the agents have drawn before.
    let game = std::sync::Arc::new(game(&[("size", "4")]));
    let mut compared = 0;
    for seed in 0..40 {
        let play = |draws: usize| {
            let mut episode = Episode::new(game.clone(), EpisodeSeed::new(seed, 2));
            episode.settle_chance();
            let start = (episode.state().owners().to_vec(), episode.state().turn_order().to_vec());
            let first = episode.state().turn_order()[0];
            let Phase::Decide(movers) = episode.phase() else { panic!("somebody moves first") };
            let mover = movers.lowest().unwrap();
            assert_eq!(mover.index(), usize::from(first));
            for _ in 0..draws {
                episode.sample_action(mover);
            }
            // All pieces go to the right, which is a tie, so a coin is tossed.
            let square = episode.state().owners().iter().position(|owner| *owner == first).unwrap();
            let action = format!("{},{}:e4", square / 4, square % 4);
            episode.act(mover, &action.parse().unwrap()).unwrap();
            episode.settle_chance();
            let next = match episode.phase() {
                Phase::Decide(seats) => seats.lowest().unwrap(),
                phase => panic!("expected the next turn, found {phase:?}"),
            };
            (start, episode.state().owners().to_vec(), next, episode.sample_action(next))
        };
        let (quiet, noisy) = (play(0), play(5));
        assert_eq!(quiet, noisy, "seed {seed}");
        compared += usize::from(quiet.1 != quiet.0.0);
    }
    // Both sides of the coin have occurred.
    assert!((5..=35).contains(&compared), "{compared} of 40 squares fell");
}

#[test]
fn r1_5_and_r4_4_every_zombie_is_a_side_of_its_own_and_may_win() {
    let game = game(&[("size", "3"), ("rounds", "30")]);
    let line_up = vec![AgentSpec::parse("zombie"); game.seats()];
    let mut playouts =
        Playouts::new(&game, build_agents(&game, &Game17::definition().agents, &line_up).unwrap());
    let mut alone = 0;
    for index in 0..30 {
        let outcome = playouts.play(5, Seating::Fixed, index).outcome.clone();
        let winners = outcome.places.iter().filter(|place| **place == 1).count();
        alone += usize::from(winners == 1);
        assert!(outcome.scores.iter().sum::<i64>() == 9, "every square has one owner: {outcome:?}");
    }
    assert!(alone > 20, "a zombie alone has most squares in {alone} of 30 games");
}

/// A sink that notes the kinds of events in the order in which they are emitted.
struct Order(Vec<&'static str>);

impl EventSink<Event> for Order {
    fn emit(&mut self, _audience: meeple_core::Audience, event: impl FnOnce() -> Event) {
        self.0.push(match event() {
            Event::Board { .. } => "board",
            Event::TurnOrder { .. } => "order",
            Event::Turn(_) => "turn",
            Event::Coin { .. } => "coin",
            Event::End { .. } => "end",
        });
    }
}

#[test]
fn events_come_in_order() {
    let game = game(&[("size", "2"), ("rounds", "1")]);
    let mut events = Order(Vec::new());
    let mut state = game.initial_state();
    for owner in 0..4 {
        game.apply_chance(&mut state, &Chance::Place(owner), &mut events);
    }
    for owner in 0..4 {
        game.apply_chance(&mut state, &Chance::Next(owner), &mut events);
    }
    game.apply(&mut state, Seat::new(0), &"0,0:e4".parse().unwrap(), &mut events).unwrap();
    game.apply_chance(&mut state, &Chance::Coin(Coin::Owner), &mut events);
    for owner in 1..4 {
        game.apply(&mut state, Seat::new(owner), &"-".parse().unwrap(), &mut events).unwrap();
    }
    assert_eq!(events.0, ["board", "order", "turn", "coin", "turn", "turn", "turn", "end"]);
}

#[test]
fn ruling_8_as_many_players_as_squares() {
    let game = game(&[("rounds", "3")]);
    let mut agents: Vec<_> = (0..196)
        .map(|_| {
            let spec = meeple_core::AgentSpec::parse("t800");
            meeple_core::find_agent(game.info(), &Game17::definition().agents, &spec)
                .unwrap()
                .build(&game, &spec)
                .unwrap()
        })
        .collect();
    let mut episode = Episode::new(game.into(), EpisodeSeed::new(1, 1));
    let outcome = episode.finish(&mut agents).unwrap();
    assert_eq!(outcome.winners(), 196, "T800s among themselves never move");
}

#[test]
fn ruling_15_boards_of_side_1_and_2() {
    let mut table = TestTable::plain(1, &[]);
    // Every move returns home, and the game is over after the first turn.
    table.turn("0,0:n1s1e1w1");
    assert_eq!((table.owners(), table.numbers()), (&[0][..], &[4][..]));
    assert_eq!((table.outcome().places, table.episode.length()), (vec![1], 1));

    let mut table = TestTable::plain(2, &[]);
    table.turn("0,0:n1s1");
    assert_eq!(table.numbers(), [2, 4, 6, 4]);
}

#[test]
fn ruling_16_zombies_are_in_the_turn_order() {
    let table = TestTable::new(&[0, 1, 2, 3], &[3, 2, 1, 0], &[]);
    assert_eq!(table.mover(), 3);
}

#[test]
fn positions_of_ones_own_making_are_checked() {
    let game = game(&[("size", "2")]);
    let reason = |owners: &[u16], numbers: &[u32], order: &[u16]| {
        game.position(owners, numbers, order).unwrap_err().reason
    };
    assert!(reason(&[0; 3], &[1; 4], &[0, 1, 2, 3]).contains("owners: expected 4 entries, found 3"));
    assert!(reason(&[9; 4], &[1; 4], &[0, 1, 2, 3]).contains("below 4, found 9"));
    assert!(reason(&[0; 4], &[1; 4], &[0, 1, 2, 2]).contains("once each"));
    assert!(reason(&[0; 4], &[0; 4], &[0, 1, 2, 3]).contains("found 0"));
}

/// Events are computed from the squares that a turn can reach, whose sets differ on large boards. They must
/// equal the difference of the boards before and after.
#[test]
fn the_event_of_a_turn_tells_all_that_has_changed() {
    for (size, turns) in [(1, 3), (2, 40), (3, 60), (8, 80), (14, 80), (17, 60), (33, 30)] {
        let game = game(&[("size", &size.to_string()), ("pieces", "3")]);
        let mut episode = Episode::new(Arc::new(game), EpisodeSeed::new(3, size as u64));
        let mut changes = 0;
        for _ in 0..turns {
            episode.settle_chance();
            let Phase::Decide(mut seats) = episode.phase() else { break };
            let seat = seats.next().unwrap();
            let (round, before) = (episode.state().round(), episode.state().clone());
            let action = episode.sample_action(seat);
            let event_index = episode.events().len();
            episode.act(seat, &action).unwrap();
            // Coins come later: the state is as the turn left it.
            let after = episode.state();
            let place = |square: usize| ((square / size) as u8, (square % size) as u8);
            let changed = |one: &dyn Fn(usize) -> u32, other: &dyn Fn(usize) -> u32| {
                let changed = (0..size * size).filter(|square| one(*square) != other(*square));
                changed.map(|square| (place(square).0, place(square).1, other(square))).collect::<Vec<_>>()
            };
            let expected = Event::Turn(TurnEvent::new(
                round,
                seat.index() as u16,
                changed(&|at| before.owners()[at].into(), &|at| after.owners()[at].into()),
                changed(&|at| before.numbers()[at], &|at| after.numbers()[at]),
                after.tied_squares().map(place),
            ));
            assert_eq!(episode.events().entries()[event_index].1, expected, "{size} x {size}: {action}");
            changes += usize::from(before.numbers() != after.numbers());
        }
        assert!(changes > 0 || size == 1, "{size} x {size}");
    }
}

#[test]
fn who_has_no_pieces_gets_no_more_news() {
    let entry = GameEntry::new(Game17::definition(), Vec::new());
    let set = [("size".to_owned(), "4".to_owned())];
    let game = entry.set_up(None, &set, 1).unwrap();
    let mut ended_early = 0;
    for index in 0..20 {
        let play = |is_heard: bool| {
            let mut driver = Driver::new(game.episode(EpisodeSeed::new(7, index)));
            for seat in Seat::all(16).skip(1) {
                driver.seat_agent(seat, &AgentSpec::parse("zombie")).unwrap();
            }
            if is_heard {
                driver.keep_events_for(vec![Seat::new(0)]);
            }
            let mut heard = Vec::new();
            loop {
                driver.play_on().unwrap();
                match driver.due() {
                    Due::Decide(questions) => {
                        driver.write_news(Seat::new(0), &mut heard);
                        for Question { seat, number } in questions {
                            driver.answer(seat, number, Answer::Fallback).unwrap();
                        }
                    }
                    due => {
                        assert_eq!(due, Due::Over);
                        let last = driver.news(Seat::new(0)).len();
                        return (heard, driver.view().replay(&[], None), last);
                    }
                }
            }
        };
        let (all, one) = (play(false), play(true));
        // Both plays are the same, and so is the news that seat 0 hears.
        assert_eq!((&all.0, &all.1), (&one.0, &one.1), "episode {index}");
        assert!(one.2 == all.2 || one.2 == 0);
        ended_early += usize::from(one.2 < all.2);
    }
    assert!(ended_early > 0, "in some episode it loses all pieces before the end");
}
