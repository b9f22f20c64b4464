//! The search finds what is known of small games.

use std::collections::BTreeMap;

use meeple_core::{Budget, Game, NoEvents, Outcome, Phase, Seat};
use meeple_testkit::toys::{
    Fall, Goofspiel, Lines, LinesVariant, Mark, Nim, NimVariant, Pig, PigState, Posts, Take, Throw,
};

use crate::support::{after, agent, decide, mean, shares, value};

/// Only winning counts, which is what the exact values are of.
const PLAIN: &str = "margin=0";

fn best_of<G: meeple_core::Playable>(game: &G, spec: &str, state: &G::State, seat: usize) -> Vec<G::Action> {
    let mut agent = agent(game, spec);
    (0..8).map(|seed| decide(game, &mut *agent, state, Seat::new(seat), seed, Budget::Own).0).collect()
}

/// A mover wins unless the sticks are a multiple of four, and wins only by leaving such a multiple.
#[test]
fn nim_is_solved() {
    for sticks in [5, 6, 7, 9, 10, 11] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        for tree in ["maxn", "paranoid"] {
            let spec = format!("mcts:iterations=3000,tree={tree},{PLAIN}");
            let found = best_of(&nim, &spec, &nim.initial_state(), 0);
            assert_eq!(found, [Take(sticks % 4); 8], "{sticks} {tree}");
        }
    }
}

#[test]
fn nim_is_worth_what_it_is() {
    for (sticks, exact) in [(6, 1.0), (8, -1.0), (9, 1.0)] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        let found = value(&nim, &format!("mcts:iterations=20000,{PLAIN}"), &nim.initial_state(), 0);
        assert!((found - exact).abs() < 0.04, "{sticks}: {found}");
    }
}

/// The value of a position for the seat that moves, by trying everything.
fn exact(lines: &Lines, state: &<Lines as Game>::State, known: &mut BTreeMap<String, f64>) -> f64 {
    let Phase::Decide(seats) = lines.phase(state) else {
        unreachable!("asked only while somebody moves");
    };
    let key = format!("{state:?}");
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let seat = seats.lowest().unwrap();
    let best = children(lines, state, seat, known).into_iter().map(|(_, value)| value);
    let best = best.fold(-1.0, f64::max);
    known.insert(key, best);
    best
}

/// Every action of the seat that moves, with its exact value for it.
fn children(
    lines: &Lines,
    state: &<Lines as Game>::State,
    seat: Seat,
    known: &mut BTreeMap<String, f64>,
) -> Vec<(Mark, f64)> {
    let mut actions = Vec::new();
    lines.legal_actions(state, seat, &mut actions);
    let value = |action: Mark| {
        let mut next = *state;
        lines.apply(&mut next, seat, &action, &mut NoEvents).unwrap();
        if lines.phase(&next) == Phase::Over {
            let mut outcome = Outcome::default();
            lines.outcome(&next, &mut outcome);
            (action, outcome.utility(seat))
        } else {
            (action, -exact(lines, &next, known))
        }
    };
    actions.into_iter().map(value).collect()
}

/// Positions with a decision that matters, after so many moves: the search plays a move of the best value. Four by four
/// are looked at towards the end, where everything can be seen: a search of this length misses wins that lie deeper.
#[test]
fn lines_are_played_as_well_as_possible() {
    let connect = LinesVariant { width: 4, height: 4, fall: Fall::Drops, ..Default::default() };
    for (variant, moves) in [(LinesVariant::default(), 0..7), (connect, 9..13)] {
        let lines = Lines::new(variant, 2).unwrap();
        let mut known = BTreeMap::new();
        let mut searcher = agent(&lines, &format!("mcts:iterations=4000,{PLAIN}"));
        let mut positions = vec![lines.initial_state()];
        let mut checked = 0;
        for done in 0..moves.end {
            let mut next = Vec::new();
            for state in &positions {
                let Phase::Decide(seats) = lines.phase(state) else { continue };
                let seat = seats.lowest().unwrap();
                let mut actions = Vec::new();
                lines.legal_actions(state, seat, &mut actions);
                for action in &actions {
                    let mut child = *state;
                    lines.apply(&mut child, seat, action, &mut NoEvents).unwrap();
                    next.push(child);
                }
                if !moves.contains(&done) {
                    continue;
                }
                let values = children(&lines, state, seat, &mut known);
                let best = values.iter().map(|(_, value)| *value).fold(-1.0, f64::max);
                let worst = values.iter().map(|(_, value)| *value).fold(1.0, f64::min);
                if best == worst {
                    continue;
                }
                let (found, _) = decide(&lines, &mut *searcher, state, seat, checked, Budget::Own);
                let (_, value) = values.iter().find(|(action, _)| *action == found).unwrap();
                assert_eq!(*value, best, "{state:?}: {found}");
                checked += 1;
            }
            let every = next.len().div_ceil(30);
            positions = next.into_iter().step_by(every.max(1)).collect();
        }
        assert!(checked > 20, "{checked} positions");
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    let spec = format!("mcts:iterations=1500,{PLAIN}");
    let lines = || Lines::new(LinesVariant::default(), 2).unwrap();
    let against_random = shares(lines(), &[&spec, "random"], 100);
    assert!(against_random.iter().all(|share| *share > 0.0), "{against_random:?}");
    let against_itself = shares(lines(), &[&spec, &spec], 12);
    assert!(against_itself.iter().all(|share| *share == 0.5), "{against_itself:?}");
}

/// Chances to win of the seat that moves in Pig for two: by points of both, and of the turn.
fn pig_values(goal: usize) -> Vec<Vec<Vec<f64>>> {
    let mut values = vec![vec![vec![0.5; goal]; goal]; goal];
    for _ in 0..2000 {
        let mut change: f64 = 0.0;
        for own in 0..goal {
            for other in 0..goal {
                for turn in 0..goal - own {
                    let (hold, roll) = pig_choices(&values, goal, own, other, turn);
                    // The first throw is no choice.
                    let best = if turn == 0 { roll } else { hold.max(roll) };
                    change = change.max((best - values[own][other][turn]).abs());
                    values[own][other][turn] = best;
                }
            }
        }
        if change < 1e-9 {
            break;
        }
    }
    values
}

/// What holding and rolling are worth.
fn pig_choices(values: &[Vec<Vec<f64>>], goal: usize, own: usize, other: usize, turn: usize) -> (f64, f64) {
    let hold = if own + turn >= goal { 1.0 } else { 1.0 - values[other][own + turn][0] };
    let after = |eyes: usize| {
        if own + turn + eyes >= goal { 1.0 } else { values[own][other][turn + eyes] }
    };
    let roll = (1.0 - values[other][own][0] + (2..=6).map(after).sum::<f64>()) / 6.0;
    (hold, roll)
}

/// Open-loop search meets the same decision after different throws, and so sees it from an average; the choice at the root
/// is right wherever it matters.
#[test]
fn pig_is_played_right_where_it_matters() {
    let goal = 20;
    let pig = Pig::new(Default::default(), 2).unwrap();
    let values = pig_values(goal);
    let mut searcher = agent(&pig, &format!("mcts:iterations=5000,{PLAIN}"));
    let mut checked = 0;
    for (own, other, turn) in
        [(0, 0, 3), (0, 0, 18), (10, 15, 2), (10, 4, 9), (14, 14, 5), (5, 18, 4), (17, 2, 2)]
    {
        let (hold, roll) = pig_choices(&values, goal, own, other, turn);
        if (hold - roll).abs() < 0.05 {
            continue;
        }
        let state = PigState {
            points: [own as u8, other as u8, 0, 0],
            turn_points: turn as u8,
            ..Default::default()
        };
        let (found, _) = decide(&pig, &mut *searcher, &state, Seat::new(0), checked, Budget::Own);
        assert_eq!(found, if hold > roll { Throw::Hold } else { Throw::Roll }, "{own} {other} {turn}");
        checked += 1;
    }
    assert!(checked >= 4, "{checked} positions");
}

/// Rolling wins now unless the die shows a one. Whoever knew the next throw would think it certain, or lost.
#[test]
fn the_next_throw_is_not_known() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let (_, roll) = pig_choices(&pig_values(20), 20, 17, 2, 2);
    let state = PigState { points: [17, 2, 0, 0], turn_points: 2, ..Default::default() };
    let spec = format!("mcts:iterations=20000,{PLAIN}");
    let (_, analysis) = decide(&pig, &mut *agent(&pig, &spec), &state, Seat::new(0), 1, Budget::Own);
    let tried = analysis.actions.iter().find(|tried| tried.action == Throw::Roll).unwrap();
    let found = (tried.value + 1.0) / 2.0;
    assert!((found - roll).abs() < 0.03, "{found}, expected {roll}");
}

/// Who is far ahead expects a margin above 0, and who is far behind one below.
#[test]
fn margins_are_those_of_the_own_seat() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let expects = |points| {
        let state = PigState { points, turn_points: 2, ..Default::default() };
        value(&pig, "mcts:iterations=1000,margin=1", &state, 0)
    };
    let (ahead, behind) = (expects([18, 2, 0, 0]), expects([2, 18, 0, 0]));
    assert!(ahead > 0.2 && behind < -0.2, "ahead {ahead}, behind {behind}");
}

#[test]
fn three_seats_and_one_play_pig() {
    let pig = |seats| Pig::new(Default::default(), seats).unwrap();
    let spec = format!("mcts:iterations=200,{PLAIN}");
    for tree in ["maxn", "paranoid", "self"] {
        let spec = format!("{spec},tree={tree}");
        let found = shares(pig(3), &[&spec, "random", "random"], 200);
        let won = found.iter().sum::<f64>() / 200.0;
        assert!(won > 0.5, "{tree} won {won} of 200; the standard error is below 0.036");
    }
    // Alone there is nobody to beat: any episode is won.
    assert_eq!(shares(pig(1), &[&spec], 3), [1.0; 3]);
}

/// The game is the same for both seats, and so worth nothing to either; whoever knew the other's bid would gain much.
#[test]
fn goofspiel_is_worth_nothing() {
    let game = Goofspiel::new(Default::default(), 2).unwrap();
    let mut state = game.initial_state();
    game.apply_chance(&mut state, &meeple_testkit::toys::Bid(4), &mut NoEvents);
    for seat in 0..2 {
        let spec = format!("mcts:iterations=20000,{PLAIN}");
        let (_, analysis) = decide(&game, &mut *agent(&game, &spec), &state, Seat::new(seat), 1, Budget::Own);
        let found = mean(&analysis);
        assert!(found.abs() < 0.1, "seat {seat}: {found}");
    }
    let found = shares(game, &["mcts:iterations=500", "random"], 200);
    let won = found.iter().sum::<f64>() / 200.0;
    assert!(won > 0.65, "won {won} of 200");
}

#[test]
fn plans_are_chosen_among_those_drawn() {
    let posts = Posts::new(Default::default(), 2).unwrap();
    let found = shares(posts, &["mcts:iterations=300", "random"], 200);
    let won = found.iter().sum::<f64>() / 200.0;
    assert!(won > 0.55, "won {won} of 200; the standard error is below 0.036");
}

/// A first move that leaves four sticks is found by looking, and by following an agent that knows.
#[test]
fn rollouts_may_be_cut_short() {
    let nim = Nim::new(NimVariant { sticks: 7, most: 3 }, 2).unwrap();
    let state = after(&nim, &[]);
    let cut = best_of(&nim, &format!("mcts:iterations=3000,depth=0,{PLAIN}"), &state, 0);
    assert_eq!(cut, [Take(3); 8], "the tree alone reaches the end");
    let narrow = best_of(&nim, &format!("mcts:iterations=3000,widening=1,{PLAIN}"), &state, 0);
    assert_eq!(narrow, [Take(3); 8]);
}
