//! Hints: a game's heuristics for search.

use crate::agent::Position;
use crate::game::Game;
use crate::seat::Seat;
use crate::stream::Stream;

/// A game's heuristics for search: action priors, evaluations of positions, and a quick rollout policy.
///
/// Hints see positions determinized from an observation ([`Game::determinize`]) through
/// [`Position::observe`] as the deciding seat, like agents. They may be wrong: a search without them is only
/// slower. After the same searches the same position must yield the same advice, in any order of calls. Only
/// [`act`](Self::act) may draw at random.
pub trait Hints<G: Game>: Send {
    /// Fallback hints, used for every method not overridden, except for
    /// [`know_only_wins`](Self::know_only_wins).
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        None
    }

    /// Starts another episode, in which `seat` is going to search.
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(others) = self.others() {
            others.begin_episode(game, seat);
        }
    }

    /// Starts a search for `seat` from its observation. Hints may remember the seat's observations in earlier
    /// searches of the episode, as agents do.
    fn begin(&mut self, game: &G, observation: &G::Observation<'_>, seat: Seat) {
        if let Some(others) = self.others() {
            others.begin(game, observation, seat);
        }
    }

    /// Starts another determinized episode. Caches about positions of the previous one are obsolete.
    fn imagine(&mut self, game: &G) {
        if let Some(others) = self.others() {
            others.imagine(game);
        }
    }

    /// Appends a prior weight for each of these legal actions of a seat that owes a decision to `weights`
    /// (empty when called): non-negative, of any scale, at least one above 0. Actions of weight 0 are
    /// skipped.
    fn prior(
        &mut self,
        position: &Position<'_, G>,
        seat: Seat,
        actions: &[G::Action],
        weights: &mut Vec<f64>,
    ) {
        match self.others() {
            Some(others) => others.prior(position, seat, actions, weights),
            None => weights.extend(actions.iter().map(|_| 1.0)),
        }
    }

    /// Returns true if an evaluation is reliable here. During an exchange or a turn it may not be: the search
    /// then plays on until it is.
    fn is_settled(&mut self, position: &Position<'_, G>) -> bool {
        self.others().is_none_or(|others| others.is_settled(position))
    }

    /// Appends the predicted final score of every seat, in the game's points, to `scores` (empty when
    /// called), and returns the standard deviation of the margin between two seats (above 0). `None` without
    /// a prediction: current scores count then. Called only where nobody has won.
    fn scores(&mut self, position: &Position<'_, G>, scores: &mut Vec<f64>) -> Option<f64> {
        self.others()?.scores(position, scores)
    }

    /// Appends the predicted win share of every seat to `shares` (empty when called): non-negative, summing
    /// to 1. They replace the shares derived from [`scores`](Self::scores). False, with nothing appended,
    /// without a prediction. Called only where nobody has won.
    fn shares(&mut self, position: &Position<'_, G>, shares: &mut Vec<f64>) -> bool {
        self.others().is_some_and(|others| others.shares(position, shares))
    }

    /// Returns true if these hints exist for their [`shares`](Self::shares) and ignore points. A search for
    /// points alone skips them.
    fn know_only_wins(&self) -> bool {
        false
    }

    /// A fast rollout action of a seat that owes a decision; legal. `None` without advice: the rollout then
    /// draws an action.
    fn act(&mut self, position: &Position<'_, G>, seat: Seat, rng: &mut Stream) -> Option<G::Action> {
        self.others()?.act(position, seat, rng)
    }

    /// Appends up to `most` promising legal actions where they cannot be listed, the best first, to
    /// `candidates` (empty when called); none without advice.
    fn candidates(
        &mut self,
        position: &Position<'_, G>,
        seat: Seat,
        most: usize,
        rng: &mut Stream,
        candidates: &mut Vec<G::Action>,
    ) {
        if let Some(others) = self.others() {
            others.candidates(position, seat, most, rng, candidates);
        }
    }
}

/// Empty hints.
pub struct NoHints;

impl<G: Game> Hints<G> for NoHints {}
