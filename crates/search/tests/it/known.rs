//! Exact values and best moves of small games.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::{Budget, Game, NoEvents, Outcome, Phase, Seat};
use meeple_testkit::toys::{
    Fall, Goofspiel, Lines, LinesVariant, Mark, Nim, NimVariant, Pig, PigState, PigVariant, Posts, Take,
    Throw,
};

use crate::support::{after, agent, decide, mean, shares, value};

/// Setting that counts shares of the win alone, as the exact values do.
const PLAIN: &str = "margin=0";

fn best_of<G: meeple_core::Defined>(game: &G, spec: &str, state: &G::State, seat: usize) -> Vec<G::Action> {
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

/// Proven values are exact to the last bit.
#[test]
fn nim_is_worth_what_it_is() {
    for (sticks, exact) in [(6, 1.0), (8, -1.0), (9, 1.0)] {
        let nim = Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap();
        let found = value(&nim, &format!("mcts:iterations=20000,{PLAIN}"), &nim.initial_state(), 0);
        assert_eq!(found, exact, "{sticks}");
        // Without proofs the value is the mean of the iterations.
        let spec = format!("mcts:iterations=20000,solver=off,{PLAIN}");
        let found = value(&nim, &spec, &nim.initial_state(), 0);
        assert!((found - exact).abs() < 0.04, "{sticks}: {found}");
    }
}

/// The exact value of a position for the seat that moves, by enumeration.
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

/// The search plays a move of the best exact value after these numbers of moves. On four by four only the end
/// is exact: a search of this length misses deeper wins.
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

/// Without proofs the search lost two of these games. Proofs are no guarantee after so few iterations. Of
/// 6,000 games against random play, 4 were lost with proofs and 10 without, because a refutation was found
/// too late.
#[test]
fn tic_tac_toe_is_never_lost() {
    let lines = || Lines::new(LinesVariant::default(), 2).unwrap();
    for spec in [format!("mcts:iterations=500,{PLAIN}"), "mcts:iterations=500".to_owned()] {
        let against_random = shares(lines(), &[&spec, "random"], 1000);
        let lost = against_random.iter().filter(|share| **share == 0.0).count();
        assert_eq!(lost, 0, "{spec}");
    }
    for spec in
        [format!("mcts:iterations=1500,{PLAIN}"), format!("mcts:iterations=500,transpositions=on,{PLAIN}")]
    {
        let against_itself = shares(lines(), &[&spec, &spec], 12);
        assert!(against_itself.iter().all(|share| *share == 0.5), "{spec}: {against_itself:?}");
    }
}

/// In every position of tic-tac-toe with a forced win it is taken, and a proven one has its exact value.
#[test]
fn wins_that_can_be_forced_are_taken() {
    let lines = Lines::new(LinesVariant::default(), 2).unwrap();
    let mut known = BTreeMap::new();
    exact(&lines, &lines.initial_state(), &mut known);
    let [mut early, mut late] =
        [4000, 1000].map(|iterations| agent(&lines, &format!("mcts:iterations={iterations},{PLAIN}")));
    let (mut seen, mut open) = (BTreeSet::new(), vec![lines.initial_state()]);
    let mut forced = 0;
    while let Some(state) = open.pop() {
        let Phase::Decide(seats) = lines.phase(&state) else { continue };
        if !seen.insert(format!("{state:?}")) {
            continue;
        }
        let seat = seats.lowest().unwrap();
        let values = children(&lines, &state, seat, &mut known);
        for (action, _) in &values {
            open.push(state);
            lines.apply(open.last_mut().unwrap(), seat, action, &mut NoEvents).unwrap();
        }
        if values.iter().all(|(_, value)| *value < 1.0) || values.iter().all(|(_, value)| *value == 1.0) {
            continue;
        }
        let searcher = if values.len() > 5 { &mut early } else { &mut late };
        let (found, analysis) = decide(&lines, &mut **searcher, &state, seat, 1, Budget::Own);
        assert!(values.contains(&(found, 1.0)), "{state:?}: {found}");
        let reported = analysis.actions.iter().find(|tried| tried.action == found).unwrap();
        assert_eq!((reported.value, reported.error), (1.0, Some(0.0)), "{state:?}: {found}");
        forced += 1;
    }
    assert!(forced > 1000, "{forced} positions");
}

/// A draw is worth a half and a forced win all, to 0.02 of the share of the win (0.04 of a utility).
#[test]
fn lines_are_worth_what_they_are() {
    let connect = LinesVariant { width: 4, height: 4, fall: Fall::Drops, ..Default::default() };
    for variant in [LinesVariant::default(), connect] {
        let lines = Lines::new(variant, 2).unwrap();
        let start = lines.initial_state();
        let exact = exact(&lines, &start, &mut BTreeMap::new());
        let found = value(&lines, &format!("mcts:iterations=20000,c=0.2,{PLAIN}"), &start, 0);
        assert!((found - exact).abs() < 0.04, "{found}, expected {exact}");
    }
}

/// Probabilities that the moving seat wins Pig for two: `[own points, other's points, points of the turn]`.
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

/// Exact values of holding and rolling.
fn pig_choices(values: &[Vec<Vec<f64>>], goal: usize, own: usize, other: usize, turn: usize) -> (f64, f64) {
    let hold = if own + turn >= goal { 1.0 } else { 1.0 - values[other][own + turn][0] };
    let after = |eyes: usize| {
        if own + turn + eyes >= goal { 1.0 } else { values[own][other][turn + eyes] }
    };
    let roll = (1.0 - values[other][own][0] + (2..=6).map(after).sum::<f64>()) / 6.0;
    (hold, roll)
}

/// Open-loop search meets one decision after different throws, and sees an average of them; the choice at the
/// root is right wherever it matters.
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

/// In a tree of positions throws are distinguished, and all paths to a position share its statistics. Values
/// are within 0.02 of the chance to win (0.04 of a utility). In a tree of action sequences they are up to
/// 0.09 off.
#[test]
fn pig_is_worth_what_it_is() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let values = pig_values(20);
    for (own, other, turn) in
        [(0, 0, 3), (0, 0, 18), (10, 15, 2), (10, 4, 9), (14, 14, 5), (5, 18, 4), (17, 2, 2), (12, 3, 6)]
    {
        let state = PigState {
            points: [own as u8, other as u8, 0, 0],
            turn_points: turn as u8,
            ..Default::default()
        };
        let spec = format!("mcts:iterations=20000,transpositions=on,{PLAIN}");
        let found = (value(&pig, &spec, &state, 0) + 1.0) / 2.0;
        let exact = values[own][other][turn];
        assert!((found - exact).abs() < 0.02, "{own} {other} {turn}: {found}, expected {exact}");
    }
}

/// Probabilities to win Pig for three, in order from the moving seat, by the points of all and those of the
/// turn. Everybody maximises the own probability, and holds in a tie.
struct PigForThree {
    goal: usize,
    chances: Vec<[f64; 3]>,
}

impl PigForThree {
    fn solved(goal: usize) -> Self {
        let mut solving = Self { goal, chances: vec![[1.0 / 3.0; 3]; goal.pow(4)] };
        loop {
            let mut change: f64 = 0.0;
            for place in (0..goal.pow(4)).rev() {
                let [own, next, last, turn] = [3, 2, 1, 0].map(|digit| place / goal.pow(digit) % goal);
                if own + turn >= goal {
                    continue;
                }
                let best = solving.best([own, next, last], turn);
                for (new, old) in best.iter().zip(&solving.chances[place]) {
                    change = change.max((new - old).abs());
                }
                solving.chances[place] = best;
            }
            if change < 1e-6 {
                return solving;
            }
        }
    }

    fn place(&self, [own, next, last]: [usize; 3], turn: usize) -> usize {
        ((own * self.goal + next) * self.goal + last) * self.goal + turn
    }

    fn pass(&self, [own, next, last]: [usize; 3]) -> [f64; 3] {
        let [first, second, third] = self.chances[self.place([next, last, own], 0)];
        [third, first, second]
    }

    /// Probabilities to win after holding, and after rolling.
    fn choices(&self, points: [usize; 3], turn: usize) -> [[f64; 3]; 2] {
        let kept = points[0] + turn;
        let hold = if kept >= self.goal { [1.0, 0.0, 0.0] } else { self.pass([kept, points[1], points[2]]) };
        let mut roll = self.pass(points);
        for eyes in 2..=6 {
            let then = if kept + eyes >= self.goal {
                [1.0, 0.0, 0.0]
            } else {
                self.chances[self.place(points, turn + eyes)]
            };
            (0..3).for_each(|seat| roll[seat] += then[seat]);
        }
        [hold, roll.map(|sum| sum / 6.0)]
    }

    fn best(&self, points: [usize; 3], turn: usize) -> [f64; 3] {
        let [hold, roll] = self.choices(points, turn);
        if turn > 0 && hold[0] >= roll[0] { hold } else { roll }
    }
}

/// Values are within 0.02 of the exact shares of the win, and the choice is right where it matters.
#[test]
fn pig_for_three_is_worth_what_it_is() {
    let solved = PigForThree::solved(10);
    let pig = Pig::new(PigVariant { goal: 10 }, 3).unwrap();
    let spec = format!("mcts:iterations=20000,transpositions=on,{PLAIN}");
    let mut searcher = agent(&pig, &spec);
    let mut mattered = 0;
    for (points, turn) in
        [([0, 0, 0], 3), ([0, 0, 0], 8), ([5, 0, 8], 2), ([8, 2, 2], 1), ([2, 8, 5], 4), ([7, 7, 7], 2)]
    {
        let [own, next, last] = points.map(|points| points as u8);
        let state = PigState { points: [own, next, last, 0], turn_points: turn as u8, ..Default::default() };
        let (found, analysis) = decide(&pig, &mut *searcher, &state, Seat::new(0), 1, Budget::Own);
        let exact = solved.best(points, turn)[0];
        let reported = analysis.actions.iter().find(|tried| tried.action == found).unwrap().value;
        // A utility is 1 for a win, and -1/2 for a loss.
        let share = (2.0 * reported + 1.0) / 3.0;
        assert!((share - exact).abs() < 0.02, "{points:?} {turn}: {share}, expected {exact}");
        let [hold, roll] = solved.choices(points, turn).map(|chances| chances[0]);
        if (hold - roll).abs() > 0.02 {
            let expected = if hold > roll { Throw::Hold } else { Throw::Roll };
            assert_eq!(found, expected, "{points:?} {turn}: {hold} or {roll}");
            mattered += 1;
        }
    }
    assert!(mattered >= 3, "{mattered} positions");
}

/// Rolling wins now unless the die shows a one. If the search knew the next throw, rolling would look
/// certain, or lost.
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

/// The leader expects a margin above 0, the other one below.
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
    // A lone player wins any episode.
    assert_eq!(shares(pig(1), &[&spec], 3), [1.0; 3]);
}

/// The game is symmetric, so its value is 0; knowledge of the other's bid would bring much.
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
    let found = shares(posts, &["mcts:iterations=300", "random"], 800);
    let won = found.iter().sum::<f64>() / 800.0;
    assert!(won > 0.54, "won {won} of 800; the standard error is below 0.018");
}

/// The winning first move, which leaves four sticks, is found without rollouts, and with few actions tried.
#[test]
fn rollouts_may_be_cut_short() {
    let nim = Nim::new(NimVariant { sticks: 7, most: 3 }, 2).unwrap();
    let state = after(&nim, &[]);
    let cut = best_of(&nim, &format!("mcts:iterations=3000,depth=0,{PLAIN}"), &state, 0);
    assert_eq!(cut, [Take(3); 8], "the tree alone reaches the end");
    let narrow = best_of(&nim, &format!("mcts:iterations=3000,widening=1,{PLAIN}"), &state, 0);
    assert_eq!(narrow, [Take(3); 8]);
}

/// Twice the iterations are never worse: they win at least half of 200 games, less two standard errors.
#[test]
fn more_iterations_are_not_worse() {
    fn check<G: meeple_core::Defined>(variant: impl Fn() -> G::Variant) {
        for iterations in [25, 50, 100, 200] {
            let game = G::definition().set_up(variant(), 2).unwrap();
            let twice = format!("mcts:iterations={}", 2 * iterations);
            let found = shares(game, &[&twice, &format!("mcts:iterations={iterations}")], 200);
            let mean = found.iter().sum::<f64>() / 200.0;
            let variance = found.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / 199.0;
            let least = 0.5 - 1.96 * (variance / 200.0).sqrt();
            assert!(
                mean >= least,
                "{}, {iterations}: {mean}, expected at least {least}",
                G::definition().info.id
            );
        }
    }
    check::<Lines>(|| LinesVariant { width: 4, height: 4, fall: Fall::Drops, ..Default::default() });
    check::<Pig>(Default::default);
    check::<Goofspiel>(Default::default);
    check::<Nim>(|| NimVariant { sticks: 31, most: 5 });
}
