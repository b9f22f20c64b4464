//! Hints: a game's heuristics for search.

use crate::agent::Position;
use crate::game::Game;
use crate::seat::Seat;
use crate::stream::Stream;

/// A game's heuristics for search: action priors, evaluations of positions, and a quick rollout policy.
///
/// Hints see positions as agents do: determinized from an observation ([`Game::determinize`]) and viewed by
/// [`Position::observe`] as the deciding seat. Hints may be wrong: they only make a search faster. Advice
/// depends on the position and on earlier searches, never on the order of calls. Only [`act`](Self::act) may
/// draw at random.
pub trait Hints<G: Game>: Send {
    /// Fallback hints, used for every method not overridden, except for
    /// [`know_only_wins`](Self::know_only_wins).
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        None
    }

    /// Starts another episode, in which `seat` will search.
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

    /// Returns true if an evaluation of this position is reliable. The search plays on through unsettled
    /// positions, such as the middle of an exchange or of a turn.
    fn is_settled(&mut self, position: &Position<'_, G>) -> bool {
        self.others().is_none_or(|others| others.is_settled(position))
    }

    /// Appends the predicted final score of every seat, in the game's points, to `scores` (empty when
    /// called). Returns the standard deviation of the margin between two seats (above 0). Returns `None` if
    /// there is no prediction; the search then uses the current scores. Called only before the end of an
    /// episode.
    fn scores(&mut self, position: &Position<'_, G>, scores: &mut Vec<f64>) -> Option<f64> {
        self.others()?.scores(position, scores)
    }

    /// Appends the predicted win share of every seat to `shares` (empty when called): non-negative, summing
    /// to 1. These shares replace those derived from [`scores`](Self::scores). Returns false and appends
    /// nothing if there is no prediction. Called only before the end of an episode.
    fn shares(&mut self, position: &Position<'_, G>, shares: &mut Vec<f64>) -> bool {
        self.others().is_some_and(|others| others.shares(position, shares))
    }

    /// Returns true if these hints only predict [`shares`](Self::shares) and ignore points. A search for
    /// points alone skips such hints.
    fn know_only_wins(&self) -> bool {
        false
    }

    /// A legal rollout action for a seat that owes a decision; it must be fast. Without advice (`None`) the
    /// rollout draws an action.
    fn act(&mut self, position: &Position<'_, G>, seat: Seat, rng: &mut Stream) -> Option<G::Action> {
        self.others()?.act(position, seat, rng)
    }

    /// Appends up to `most` promising legal actions, the best first, to `candidates` (empty when called);
    /// none without advice. Called for actions that cannot be listed.
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

/// Hints without advice: all methods have their defaults.
pub struct NoHints;

impl<G: Game> Hints<G> for NoHints {}
