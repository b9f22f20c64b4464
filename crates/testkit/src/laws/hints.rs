//! Laws of hints: a game's heuristics for search.

use meeple_core::{ActionKind, Game, Hints, Phase, Playable, Position, Seat, Stream, Viewer};

use super::fault::{Fault, Held, hold};

/// A game's hints, reused across many positions.
pub(crate) struct Adviser<G: Playable> {
    used: Box<dyn Hints<G>>,
}

/// Hints about a position.
#[derive(PartialEq, Debug)]
struct Advice {
    weights: Vec<f64>,
    is_settled: bool,
    scores: Vec<f64>,
    spread: Option<f64>,
}

impl<G: Playable> Adviser<G> {
    pub(crate) fn new(game: &G) -> Self {
        Self { used: game.hints() }
    }

    /// Checks the advice to a seat that owes a decision: well-formed, legal, and independent of earlier
    /// episodes.
    pub(crate) fn advises(&mut self, game: &G, state: &G::State, seat: Seat, seed: u64) -> Held {
        let position = Position::new(game, state);
        let mut legal = Vec::new();
        game.legal_actions(state, seat, &mut legal);
        let advice = ask(&mut *self.used, &position, seat, &legal);
        let weights = &advice.weights;
        hold!(
            "hints-weigh-every-action",
            weights.len() == legal.len()
                && weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0)
                && (legal.is_empty() || weights.iter().any(|weight| *weight > 0.0)),
            "of {} actions the hints say {weights:?}; each has a number that is not negative, and one is above 0",
            legal.len()
        );
        if let Some(spread) = advice.spread {
            let scores = &advice.scores;
            let in_form = scores.len() == game.seats()
                && scores.iter().all(|score| score.is_finite())
                && spread.is_finite()
                && spread > 0.0;
            hold!("hints-score-every-seat", in_form, "the hints tell scores {scores:?} with spread {spread}");
        }
        let mut fresh = game.hints();
        let again = ask(&mut *fresh, &position, seat, &legal);
        hold!(
            "hints-do-not-remember",
            advice == again,
            "who was asked before says {advice:?}, and who was not {again:?}"
        );
        let mut rng = Stream::from_seed(seed);
        if let Some(action) = self.used.act(&position, seat, &mut rng) {
            legal_advice(game, state, seat, &action)?;
        }
        if game.info().actions == ActionKind::Structured {
            let mut candidates = Vec::new();
            self.used.candidates(&position, seat, 5, &mut rng, &mut candidates);
            hold!("hints-are-legal", candidates.len() <= 5, "of 5 candidates there are {}", candidates.len());
            for action in &candidates {
                legal_advice(game, state, seat, action)?;
            }
        }
        Ok(())
    }

    /// The action weights are equal in states that the seat cannot distinguish.
    pub(crate) fn hold_alike(
        &mut self,
        game: &G,
        states: [&G::State; 2],
        seat: Seat,
        why: impl FnOnce() -> String,
    ) -> Held {
        let Phase::Decide(seats) = game.phase(states[0]) else { return Ok(()) };
        if !seats.contains(seat) {
            return Ok(());
        }
        let mut legal = Vec::new();
        game.legal_actions(states[0], seat, &mut legal);
        let [one, two] =
            states.map(|state| ask(&mut *self.used, &Position::new(game, state), seat, &legal).weights);
        hold!(
            "hints-see-the-observation-only",
            one == two,
            "{}, but the hints weigh {one:?} and {two:?}",
            why()
        );
        Ok(())
    }
}

fn legal_advice<G: Game>(game: &G, state: &G::State, seat: Seat, action: &G::Action) -> Held {
    game.check(state, seat, action).map_err(|illegal| Fault {
        law: "hints-are-legal",
        what: format!("the hints advise seat {seat} to {action}: {illegal}"),
    })
}

fn ask<G: Game>(
    hints: &mut dyn Hints<G>,
    position: &Position<'_, G>,
    seat: Seat,
    legal: &[G::Action],
) -> Advice {
    hints.begin_episode(position.game(), seat);
    hints.begin(position.game(), &position.observe(Viewer::Seat(seat)), seat);
    hints.imagine(position.game());
    let (mut weights, mut scores) = (Vec::new(), Vec::new());
    if !legal.is_empty() {
        hints.prior(position, seat, legal, &mut weights);
    }
    let spread = hints.scores(position, &mut scores);
    Advice { weights, is_settled: hints.is_settled(position), scores, spread }
}
