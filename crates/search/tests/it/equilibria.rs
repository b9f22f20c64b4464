//! Regret matching approaches mixed equilibria; the distance is computed, not played.

use std::collections::BTreeMap;

use meeple_core::{
    AgentSpec, Defined as _, Game, NoEvents, NoHints, Outcome, Params, Phase, Playable, Seat, Viewer,
};
use meeple_search::{MctsParams, RootTally, Search, SearchStart};
use meeple_testkit::toys::{Goofspiel, GoofspielState, Matrix, MatrixVariant};

const OWN: Seat = Seat::new(0);
const OTHER: Seat = Seat::new(1);

/// The average strategy of the first seat, in order of its actions.
fn mixture<G: Playable>(game: &G, state: &G::State, settings: &str, iterations: u32) -> Vec<f64> {
    let params: MctsParams = AgentSpec::parse(&format!("mcts:{settings}")).params().unwrap();
    let mut search = Search::new(game, params, &[], Box::new(NoHints)).unwrap();
    let observation = game.observe(state, Viewer::Seat(OWN));
    search.begin(game, &observation, SearchStart { seat: OWN, seed: 3, tree: 0, iterations });
    (0..iterations).for_each(|_| search.iterate(game, &observation));
    let mut tally = RootTally::default();
    search.count(&mut tally);
    tally.strategy().map(|(_, share)| share).collect()
}

/// Gain of a best response to this mixture above the value; wins count 1, losses -1.
fn exploitability(mixture: &[f64], columns: usize, gains: &[i64], value: f64) -> f64 {
    let against = |column: usize| -> f64 {
        mixture
            .iter()
            .enumerate()
            .map(|(row, share)| share * gains[row * columns + column].signum() as f64)
            .sum()
    };
    value - (0..columns).map(against).fold(f64::INFINITY, f64::min)
}

#[test]
fn regret_matching_comes_near_equilibria() {
    for (name, rows, columns, gains, value) in [
        ("matching pennies", 2, 2, &[1, -1, -1, 1][..], 0.0),
        ("rock, paper, scissors", 3, 3, &[0, -1, 1, 1, 0, -1, -1, 1, 0], 0.0),
        // The equilibrium plays the first row in a third of the games.
        ("a draw in the corner", 2, 2, &[1, -1, -1, 0], -1.0 / 3.0),
    ] {
        let game = Matrix::new(MatrixVariant { rows, columns, gains: gains.to_vec() }, 2).unwrap();
        let found = mixture(&game, &game.initial_state(), "select=rm,margin=0", 10_000);
        let lost = exploitability(&found, columns.into(), gains, value);
        assert!((-1e-9..0.05).contains(&lost), "{name}: {found:?} loses {lost}");
    }
}

/// In this rock, paper, scissors, rock wins two points of scissors. The equilibrium of points plays rock and
/// scissors a quarter each. The loss is measured in units of two points, the most that can be won.
#[test]
fn regret_matching_comes_near_unequal_prizes() {
    let mut variant = MatrixVariant::default();
    let preset = Matrix::definition().info.presets.iter().find(|preset| preset.name == "rock").unwrap();
    preset.set.iter().for_each(|(name, text)| variant.set(name, text).unwrap());
    let gains = variant.gains.clone();
    let game = Matrix::new(variant, 2).unwrap();
    let found = mixture(&game, &game.initial_state(), "select=rm,margin=1,bend=off", 10_000);
    let against = |column: usize| (0..3).map(|row| found[row] * gains[3 * row + column] as f64).sum::<f64>();
    let lost = -(0..3).map(against).fold(f64::INFINITY, f64::min) / 2.0;
    assert!((-1e-9..0.05).contains(&lost), "{found:?} loses {lost}");
}

/// Best response of the second seat in Goofspiel to the search at every decision, by enumeration. Everything
/// but the current bids is public, so its best bid is the best response to the mixture there.
struct BestAnswer<'a> {
    game: &'a Goofspiel,
    settings: &'a str,
    /// Iterations of a search by number of cards left in a hand, from one on.
    iterations: [u32; 4],
    known: BTreeMap<u128, f64>,
}

impl BestAnswer<'_> {
    /// Mean share of the win of the second seat, from this state on.
    fn value(&mut self, state: &GoofspielState) -> f64 {
        let game = self.game;
        match game.phase(state) {
            Phase::Over => {
                let mut outcome = Outcome::default();
                game.outcome(state, &mut outcome);
                outcome.win_share(OTHER)
            }
            Phase::Chance => {
                let after = |(prize, odds)| {
                    let mut next = *state;
                    game.apply_chance(&mut next, &prize, &mut NoEvents);
                    odds * self.value(&next)
                };
                game.chance_outcomes(state).unwrap().into_iter().map(after).sum()
            }
            Phase::Decide(_) => {
                let key = game.information_key(state, Viewer::Everything);
                if let Some(value) = self.known.get(&key) {
                    return *value;
                }
                let (mut own, mut others) = (Vec::new(), Vec::new());
                game.legal_actions(state, OWN, &mut own);
                game.legal_actions(state, OTHER, &mut others);
                let iterations = self.iterations[own.len() - 1];
                let mixture = match own.len() {
                    1 => vec![1.0],
                    _ => mixture(game, state, self.settings, iterations),
                };
                let mut best = f64::NEG_INFINITY;
                for other in &others {
                    let mut worth = 0.0;
                    for (bid, share) in own.iter().zip(&mixture).filter(|(_, share)| **share > 0.0) {
                        let mut next = *state;
                        game.apply(&mut next, OWN, bid, &mut NoEvents).unwrap();
                        game.apply(&mut next, OTHER, other, &mut NoEvents).unwrap();
                        worth += share * self.value(&next);
                    }
                    best = best.max(worth);
                }
                self.known.insert(key, best);
                best
            }
        }
    }
}

/// Goofspiel is symmetric, so the search loses what the other seat wins above one half. Regret matching
/// distinguishes chance outcomes by default; without that it lost 0.117, with the same mixture for all prizes
/// to come.
#[test]
fn regret_matching_comes_near_an_equilibrium_of_goofspiel() {
    let game = Goofspiel::new(Default::default(), 2).unwrap();
    let lost = |settings: &str, iterations: [u32; 4]| {
        let mut answer = BestAnswer { game: &game, settings, iterations, known: BTreeMap::new() };
        answer.value(&game.initial_state()) - 0.5
    };
    for settings in ["select=rm,margin=0", "select=rm,margin=0,transpositions=on"] {
        let found = [100, 1000, 10_000].map(|most| lost(settings, [1, most / 10, most * 3 / 10, most]));
        assert!(found[0] > found[1] && found[1] > found[2], "it falls: {found:?} with {settings}");
        assert!(found[2] < 0.05, "{found:?} with {settings}");
    }
}
