//! Perfect recall: seats remember their own decisions although no observation repeats them.

use meeple_core::{
    ChanceStreams, EventSink, Game, GameInfo, Information, NoParams, Outcome, Phase, Seat, Stream, Viewer,
};
use meeple_solve::{Objective, nash_conv, situation};
use meeple_testkit::toys::MatrixLine;
use serde::Serialize;

use crate::support::{close, learned, tree_for};

/// The first seat chooses twice, the second guesses the first choice, and the first seat chooses twice again.
/// The first seat wins if it repeats its choices and its first choice was not guessed. Observations show only
/// the number of choices.
struct Echo;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
struct Choices {
    made: u8,
    /// The choices in order: 0 if not made yet, and always 0 in observations.
    lines: [u8; 5],
}

/// Number of choices before the guess of the second seat.
const GUESS: u8 = 2;

static INFO: GameInfo = GameInfo {
    information: Information::Hidden,
    ..GameInfo::new("echo", "Echo", "R1: everything is in the code.")
};

impl Game for Echo {
    type Variant = NoParams;
    type State = Choices;
    type Action = MatrixLine;
    type Chance = MatrixLine;
    type Event = MatrixLine;
    type Observation<'a> = Choices;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &NoParams {
        &NoParams {}
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> Choices {
        Choices::default()
    }

    fn phase(&self, state: &Choices) -> Phase {
        match state.made {
            5 => Phase::Over,
            GUESS => Phase::turn(Seat::new(1)),
            _ => Phase::turn(Seat::new(0)),
        }
    }

    fn legal_actions(&self, _state: &Choices, _seat: Seat, actions: &mut Vec<MatrixLine>) {
        actions.extend([MatrixLine(1), MatrixLine(2)]);
    }

    fn action_bound(&self) -> u32 {
        2
    }

    fn action_id(&self, _state: &Choices, _seat: Seat, action: &MatrixLine) -> u32 {
        u32::from(action.0).saturating_sub(1)
    }

    fn apply_unchecked(
        &self,
        state: &mut Choices,
        _seat: Seat,
        action: &MatrixLine,
        _events: &mut impl EventSink<MatrixLine>,
    ) {
        state.lines[usize::from(state.made)] = action.0;
        state.made += 1;
    }

    fn sample_chance(&self, _state: &Choices, _streams: &mut ChanceStreams) -> MatrixLine {
        unreachable!("there is no chance")
    }

    fn apply_chance(
        &self,
        _state: &mut Choices,
        _chance: &MatrixLine,
        _events: &mut impl EventSink<MatrixLine>,
    ) {
        unreachable!("there is no chance")
    }

    fn chance_outcomes(&self, _state: &Choices) -> Option<Vec<(MatrixLine, f64)>> {
        None
    }

    fn observe<'a>(&'a self, state: &'a Choices, _viewer: Viewer) -> Choices {
        Choices { made: state.made, lines: [0; 5] }
    }

    fn determinize(&self, observation: &Choices, _rng: &mut Stream, state: &mut Choices) {
        *state = *observation;
    }

    fn score(&self, state: &Choices, seat: Seat) -> i64 {
        let [first, second, guess, first_again, second_again] = state.lines;
        let wins = [first, second] == [first_again, second_again] && guess != first;
        i64::from(wins == (seat.index() == 0))
    }

    fn outcome(&self, state: &Choices, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(2).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }
}

#[test]
fn a_seat_knows_all_that_it_did() {
    let tree = tree_for(&Echo, Objective::Win);
    // One set per own history: zero, one, two and three binary choices. The guesser knows of none.
    assert_eq!(tree.size().information_sets, [1 + 2 + 4 + 8, 1]);
    for set in 0..tree.sets() {
        let own = tree.seat_of(set).index() == 0;
        // Follows `before` back to the first decision.
        let (mut before, mut known) = (tree.before(set), 0);
        while let Some((earlier, _)) = before {
            (before, known) = (tree.before(earlier), known + 1);
        }
        let made = situation(&Echo, &tree, set).sees["made"].as_u64().unwrap();
        assert_eq!(known, if own { made - u64::from(made > 2) } else { 0 }, "set {set}");
    }
}

/// With recall the first seat repeats its choices and is guessed in half of the games; without recall it
/// would win less often.
#[test]
fn who_remembers_wins_half() {
    let tree = tree_for(&Echo, Objective::Win);
    let solution = learned(&tree, 20_000, 1);
    close(solution.values[0], 0.5, 0.02);
    assert!(nash_conv(&tree, &solution.profile) < 0.04, "{}", solution.nash_conv());
}
