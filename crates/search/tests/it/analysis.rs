//! Analyses of a search: bounded values with intervals, lines that can be played, and answers to questions.

use std::sync::Arc;

use meeple_core::{
    Analysis, Budget, ChanceStreams, Defined, Episode, EpisodeSeed, Game, NoEvents, Phase, Seat, Stream,
    ValueUnit,
};
use meeple_search::RootTally;
use meeple_testkit::toys::{Goofspiel, Hands, Lines, Nim, Pig, Posts, Take};

use crate::support::{agent, decide};

const SPECS: [&str; 4] = [
    "mcts:iterations=300",
    "mcts:iterations=301,trees=3",
    "mcts:iterations=300,tree=paranoid",
    "mcts:iterations=300,tree=self",
];

fn for_decisions<G: Game>(game: &G, mut visit: impl FnMut(&G::State, Seat)) {
    let (mut rng, mut chance) = (Stream::from_seed(3), ChanceStreams::new(EpisodeSeed::new(3, 0)));
    let mut state = game.initial_state();
    loop {
        match game.phase(&state) {
            Phase::Over => return,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                for seat in seats {
                    visit(&state, seat);
                    let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                    game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                }
            }
        }
    }
}

fn check_numbers<A>(analysis: &Analysis<A>, seats: usize, iterations: u64, what: &str) {
    if analysis.iterations == 0 {
        assert_eq!(analysis.actions.len(), 1, "{what}: nothing else can be done");
        return;
    }
    assert_eq!((analysis.iterations, analysis.visits()), (iterations, iterations), "{what}");
    if seats > 1 {
        assert_eq!(analysis.unit, ValueUnit::Utility, "{what}");
        let lowest = -1.0 / (seats as f64 - 1.0);
        for tried in &analysis.actions {
            assert!((lowest - 1e-9..=1.0 + 1e-9).contains(&tried.value), "{what}: {}", tried.value);
            assert!(tried.error.is_some_and(|error| error > 0.0 && error < 1.0), "{what}: {:?}", tried.error);
        }
    } else {
        assert_eq!(analysis.unit, ValueUnit::Points, "{what}");
    }
}

fn check_decisions<G: Defined>(seats: usize) {
    let game = G::definition().by_default(seats).unwrap();
    for spec in SPECS {
        let mut searcher = agent(&game, spec);
        let iterations = if spec.contains("301") { 301 } else { 300 };
        for_decisions(&game, |state, seat| {
            let what = format!("{} at {seats}: {spec}", G::definition().info.id);
            let (action, analysis) = decide(&game, &mut *searcher, state, seat, 7, Budget::Own);
            check_numbers(&analysis, seats, iterations, &what);
            let first = analysis.line.first().expect("it has a line");
            assert!(
                first.seat == seat && first.action == action,
                "{what}: the line begins with the decision"
            );
            assert!(game.check(state, seat, &action).is_ok(), "{what}");
            assert!(analysis.of(&action).is_some(), "{what}");
        });
    }
}

#[test]
fn numbers_keep_their_bounds_and_lines_begin_with_the_decision() {
    check_decisions::<Nim>(2);
    check_decisions::<Lines>(2);
    check_decisions::<Pig>(1);
    check_decisions::<Pig>(3);
    check_decisions::<Goofspiel>(2);
    check_decisions::<Hands>(3);
    check_decisions::<Posts>(2);
}

/// Without chance draws and hidden information a line is a piece of a game.
#[test]
fn lines_can_be_played() {
    fn check<G: Defined>(least: usize) {
        let game = G::definition().by_default(2).unwrap();
        let mut longest = 0;
        for spec in
            ["mcts:iterations=2000", "mcts:iterations=2000,trees=2", "mcts:iterations=2000,tree=paranoid"]
        {
            let mut searcher = agent(&game, spec);
            for_decisions(&game, |state, seat| {
                let (_, analysis) = decide(&game, &mut *searcher, state, seat, 7, Budget::Own);
                let mut state = state.clone();
                for step in &analysis.line {
                    let played = game.apply(&mut state, step.seat, &step.action, &mut NoEvents);
                    played.unwrap_or_else(|illegal| panic!("{spec}: {illegal}"));
                }
                longest = longest.max(analysis.line.len());
            });
        }
        assert!(longest >= least, "it looks ahead: {longest}");
    }
    check::<Nim>(3);
    check::<Lines>(4);
}

/// A line of a tree of positions ends before a chance draw: its outcome is unknown. Without draws it goes on.
#[test]
fn lines_of_positions_end_before_luck() {
    let pig = Pig::new(Default::default(), 2).unwrap();
    let nim = Nim::new(Default::default(), 2).unwrap();
    let (mut rolls, mut longest) = (0, 0);
    for spec in ["mcts:iterations=2000,transpositions=on", "mcts:iterations=2000,transpositions=on,trees=2"] {
        for_decisions(&pig, |state, seat| {
            let (_, analysis) = decide(&pig, &mut *agent(&pig, spec), state, seat, 7, Budget::Own);
            let line: Vec<String> = analysis.line.iter().map(|step| step.action.to_string()).collect();
            let roll = line.iter().position(|action| action == "roll");
            assert!(roll.is_none_or(|roll| roll + 1 == line.len()), "{spec}: {line:?}");
            rolls += usize::from(roll.is_some());
        });
        for_decisions(&nim, |state, seat| {
            let (_, analysis) = decide(&nim, &mut *agent(&nim, spec), state, seat, 7, Budget::Own);
            longest = longest.max(analysis.line.len());
        });
    }
    assert!(rolls > 10 && longest > 3, "{rolls} lines end before luck, the longest without has {longest}");
}

/// A line names each simultaneous choice once, in order of seats after the decision.
#[test]
fn lines_tell_of_those_who_decide_at_once() {
    let game = Goofspiel::new(Default::default(), 2).unwrap();
    for_decisions(&game, |state, seat| {
        let other = Seat::new(1 - seat.index());
        let Phase::Decide(seats) = game.phase(state) else { panic!("somebody decides") };
        if seats.len() < 2 {
            return;
        }
        let (_, analysis) =
            decide(&game, &mut *agent(&game, "mcts:iterations=500"), state, seat, 7, Budget::Own);
        if analysis.iterations > 0 {
            assert_eq!(analysis.line.get(1).map(|step| step.seat), Some(other));
        }
    });
}

/// The search has to look two moves ahead: the opponent, who may take three sticks, loses with four left and
/// wins with three.
#[test]
fn lines_tell_the_winning_way() {
    let game = Arc::new(Nim::new(meeple_testkit::toys::NimVariant { sticks: 6, most: 3 }, 2).unwrap());
    let (action, analysis) = decide(
        &*game,
        &mut *agent(&*game, "mcts:iterations=3000"),
        &game.initial_state(),
        Seat::new(0),
        1,
        Budget::Own,
    );
    assert_eq!(action, Take(2));
    let seats: Vec<usize> = analysis.line.iter().map(|step| step.seat.index()).collect();
    assert_eq!(seats, [0, 1, 0], "take two, whatever comes, take the rest");
    let best = analysis.of(&action).unwrap();
    let others = analysis.actions.iter().filter(|tried| tried.action != action);
    for other in others {
        let apart = best.value - other.value;
        assert!(apart > 2.0 * (best.error.unwrap() + other.error.unwrap()), "{analysis:?}");
    }
}

/// A question changes no decision, now or later, and any action is evaluated, whether drawn or not.
#[test]
fn questions_change_nothing() {
    fn check<G: Defined>(seats: usize, spec: &str) {
        let game = Arc::new(G::definition().by_default(seats).unwrap());
        let mut judged = 0;
        let mut play = |asks: bool| {
            let mut searcher = agent(&*game, spec);
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(8, 0));
            let mut taken = Vec::new();
            loop {
                episode.settle_chance();
                let Phase::Decide(owing) = episode.phase() else { return (taken, judged) };
                let seat = owing.lowest().unwrap();
                let mut any = Stream::from_seed(taken.len() as u64);
                let about = game.sample_action(episode.state(), seat, &mut any, &mut Vec::new());
                let (action, analysis) = if asks {
                    episode.analyse_with(seat, &mut *searcher, Budget::Own, about.clone()).unwrap()
                } else {
                    episode.analyse(seat, &mut *searcher, Budget::Own)
                };
                if asks && analysis.iterations > 0 {
                    let reported = analysis.of(&about).expect("the requested action is reported");
                    let error = reported.error.expect("and was tried often enough");
                    assert!(error < 0.2, "{spec}: {error}");
                    assert_eq!(analysis.visits(), analysis.iterations, "{spec}: later tries are no visits");
                    judged += 1;
                }
                episode.act(seat, &action).unwrap();
                taken.push(action);
            }
        };
        let plain = play(false).0;
        let (asked, judged) = play(true);
        assert_eq!(asked, plain, "{} {spec}", G::definition().info.id);
        assert!(judged > 0, "{} {spec}", G::definition().info.id);
    }
    for spec in ["mcts:iterations=200", "mcts:iterations=200,trees=2", "mcts:iterations=200,samples=2"] {
        check::<Lines>(2, spec);
        check::<Pig>(2, spec);
        check::<Hands>(3, spec);
        check::<Posts>(2, spec);
    }
}

#[test]
fn errors_are_those_of_means() {
    let mut tally = RootTally::default();
    // 3 wins of 4, and 12 of 16 in another tree.
    tally.add(&1_u8, 4, 3.0, 3.0);
    tally.add(&2, 7, 7.0, 7.0);
    tally.add(&1, 16, 12.0, 12.0);
    let [first, second] = &tally.values().collect::<Vec<_>>()[..] else { panic!("two actions") };
    assert_eq!((first.visits, first.value), (20, 0.75));
    assert!((first.error.unwrap() - (0.75_f64 * 0.25 / 19.0).sqrt()).abs() < 1e-12, "{first:?}");
    assert_eq!(second.error, None, "as it was seen");
    // As utilities at two seats, differences and errors are twice as wide, and seven wins of seven have an
    // error above 0.
    let [first, second] = &tally.utilities(2).collect::<Vec<_>>()[..] else { panic!("two actions") };
    let share: f64 = 17.0 / 24.0;
    assert!((first.value - 0.5).abs() < 1e-12);
    assert!((first.error.unwrap() - 2.0 * (share * (1.0 - share) / 23.0).sqrt()).abs() < 1e-12, "{first:?}");
    let share: f64 = 9.0 / 11.0;
    assert!(
        (second.error.unwrap() - 2.0 * (share * (1.0 - share) / 10.0).sqrt()).abs() < 1e-12,
        "{second:?}"
    );
    // A lone seat's values stay points.
    assert_eq!(tally.utilities(1).collect::<Vec<_>>(), tally.values().collect::<Vec<_>>());
}
