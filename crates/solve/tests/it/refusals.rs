//! Unsolvable games, and their error messages.

use std::ops::ControlFlow;

use meeple_core::Game;
use meeple_solve::{Objective, Profile, Settings, SolveError, estimate_histories, solve, unroll};
use meeple_testkit::toys::{Flaw, Goofspiel, GoofspielVariant, Hands, HandsVariant, Pig, PigVariant, Posts};

use crate::support::{kuhn, tree, unrolled};

fn refusal(game: &impl Game) -> String {
    unrolled(game, Objective::Win, 100_000).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_unrolled_is_refused_with_a_reason() {
    let posts = Posts::new(Default::default(), 2).unwrap();
    assert!(refusal(&posts).contains("actions can be listed, found posts"), "{}", refusal(&posts));
    assert!(matches!(estimate_histories(&posts), Err(SolveError::Structured("posts"))));
    let draws = Hands::with_flaw(Flaw::ChanceUnchecked, 2);
    assert!(refusal(&draws).contains("one of hands after 0 steps"), "{}", refusal(&draws));
    let pig = Pig::new(PigVariant { goal: 2 }, 2).unwrap();
    let message = unrolled(&pig, Objective::Win, 1_000_000_000).unwrap_err().to_string();
    assert!(message.contains("at most 1000 steps"), "{message}");
    let variant = HandsVariant { rounds: 1, cards: 4, flaw: Flaw::LegalActionsPeek };
    let message = refusal(&Hands::new(variant, 2).unwrap());
    assert!(message.contains("legal actions differ where a seat sees no difference"), "{message}");
}

#[test]
fn limits_are_kept() {
    let game = Goofspiel::new(GoofspielVariant { cards: 8 }, 2).unwrap();
    let SolveError::TooLarge { limit, estimate } = unrolled(&game, Objective::Win, 5000).unwrap_err() else {
        panic!("it is too large")
    };
    assert_eq!(limit, 5000);
    // There are 8!³ ends: orders of the prizes and of both hands. The last three steps of an episode have no
    // choice, so there are three inner histories per end. All earlier steps add less than one.
    assert!(estimate > 4.0 * 40_320_f64.powi(3) && estimate < 5.0 * 40_320_f64.powi(3), "{estimate}");
    assert!(refusal(&game).contains("at most 100000 histories, found about 3e14"), "{}", refusal(&game));
    assert!(unrolled(&kuhn(), Objective::Win, 58).is_ok());
    assert!(matches!(unrolled(&kuhn(), Objective::Win, 57), Err(SolveError::TooLarge { limit: 57, .. })));
    assert!(unrolled(&kuhn(), Objective::Win, 0).is_err());
}

#[test]
fn unrolling_can_be_broken_off() {
    let game = Goofspiel::new(GoofspielVariant { cards: 4 }, 2).unwrap();
    let broken = |calls: usize| {
        let mut reports = Vec::new();
        let broken = unroll(&game, Objective::Win, 1_000_000, &mut |histories| {
            reports.push(histories);
            if reports.len() == calls { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (broken.err(), reports)
    };
    // While histories are counted, 68,245 of them, none is unrolled.
    assert_eq!(broken(3), (Some(SolveError::Stopped { histories: 0 }), vec![0; 3]));
    let (stopped, reports) = broken(8);
    assert_eq!(stopped, Some(SolveError::Stopped { histories: reports[7] }));
    assert!(reports[..6] == [0; 6] && reports[6] > 0 && reports[7] > reports[6], "{reports:?}");
    assert_eq!(broken(1000).0, None);
}

#[test]
fn nothing_is_learned_in_no_time() {
    let settings = Settings { iterations: 0, seed: 1 };
    let refused = solve(&tree(&kuhn()), &settings, |_, _| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(refused.to_string(), "expected at least 1 iteration, found 0");
}

#[test]
fn strategies_must_be_some() {
    let tree = tree(&kuhn());
    for wrong in [vec![], vec![1.0], vec![0.5, 0.4], vec![1.5, -0.5], vec![f64::NAN, 1.0]] {
        let message = Profile::new(&tree, |_| wrong.clone()).unwrap_err().to_string();
        assert!(
            message.contains("expected 2 probabilities with the sum 1 in information set 0"),
            "{message}"
        );
    }
}
