//! What a game knows that a search would be long in finding out.

use crate::agent::Position;
use crate::game::Game;
use crate::seat::Seat;
use crate::stream::Stream;

/// Advice of a game to whoever searches in it: which actions to look at first, what a position is worth, and how people
/// go on from it who know the game a little.
///
/// Hints are about positions that were imagined from an observation ([`Game::determinize`]), and see them through
/// [`Position::observe`], as agents do: with the eyes of the seat that decides. A search is right without them, and only
/// slower; so they may err, but after the same searches the same position must give the same advice whatever was asked
/// before (but for [`act`](Self::act), which may draw).
pub trait Hints<G: Game>: Send {
    /// Hints that say whatever these do not, but for [`know_only_wins`](Self::know_only_wins).
    fn others(&mut self) -> Option<&mut dyn Hints<G>> {
        None
    }

    /// Another episode begins, in which `seat` is going to search.
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        if let Some(others) = self.others() {
            others.begin_episode(game, seat);
        }
    }

    /// A search for `seat` begins from what it sees. What the seat has seen in the searches before it, since the episode
    /// began, may be remembered, as agents do.
    fn begin(&mut self, game: &G, observation: &G::Observation<'_>, seat: Seat) {
        if let Some(others) = self.others() {
            others.begin(game, observation, seat);
        }
    }

    /// Another imagined episode begins. What was remembered of the positions of the one before is of no use.
    fn imagine(&mut self, game: &G) {
        if let Some(others) = self.others() {
            others.imagine(game);
        }
    }

    /// How promising these legal actions of a seat that owes a decision are: appends a number for each to `weights`
    /// (empty when called), not negative, of any scale; at least one is above 0. Where one is, those with 0 are not looked
    /// at.
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

    /// Whether a value says much here. In the midst of an exchange or of a turn it may not: who searches plays on then,
    /// as long as that takes.
    fn is_settled(&mut self, position: &Position<'_, G>) -> bool {
        self.others().is_none_or(|others| others.is_settled(position))
    }

    /// What every seat is thought to have in the end, in the game's points: appends a number for each to `scores` (empty
    /// when called), and returns how far the margin between two seats may still move (one standard deviation, above 0).
    /// `None` if the game cannot tell; scores as they stand count then. Called only where nobody has won.
    fn scores(&mut self, position: &Position<'_, G>, scores: &mut Vec<f64>) -> Option<f64> {
        self.others()?.scores(position, scores)
    }

    /// What share of the win every seat is thought to have: appends a number for each to `shares` (empty when called), not
    /// negative, 1 in sum. It stands in for the share that follows from [`scores`](Self::scores). False, with nothing
    /// appended, if the game cannot tell. Called only where nobody has won.
    fn shares(&mut self, position: &Position<'_, G>, shares: &mut Vec<f64>) -> bool {
        self.others().is_some_and(|others| others.shares(position, shares))
    }

    /// Whether [`shares`](Self::shares) are what these hints are there for, and points count for nothing with them: who searches for
    /// points alone would not ask them.
    fn know_only_wins(&self) -> bool {
        false
    }

    /// What a seat that owes a decision might do, quickly, for rollouts; a legal action. `None` if the game has no
    /// advice: an action is drawn then.
    fn act(&mut self, position: &Position<'_, G>, seat: Seat, rng: &mut Stream) -> Option<G::Action> {
        self.others()?.act(position, seat, rng)
    }

    /// For games whose actions cannot be listed: appends up to `most` legal ones to `candidates` (empty when called) that
    /// are worth a look, the most promising first. None if the game has no advice: actions are drawn then.
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

/// No hints.
pub struct NoHints;

impl<G: Game> Hints<G> for NoHints {}
