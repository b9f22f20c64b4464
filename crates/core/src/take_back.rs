//! Take-backs of decisions, for any game.

use thiserror::Error;

use crate::episode::{Episode, Step, StepOf};
use crate::event::NoEvents;
use crate::game::Game;
use crate::info::Information;
use crate::phase::{Phase, Viewer};
use crate::seat::Seat;
use crate::stream::Stream;

/// Number of determinizations that test whether a decision has revealed something to its seat. The test
/// misses only revealed values that are the same in nearly all determinizations.
const WORLDS: u64 = 32;

/// Reason why a seat's last decision cannot be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Final {
    /// The seat has no decision that could be taken back.
    #[error("you have decided nothing that could be taken back")]
    Nothing,
    /// Chance has drawn since the decision.
    #[error("chance has drawn since your last decision")]
    Chance,
    /// Another seat has decided since the decision.
    #[error("seat {0} has decided since your last decision")]
    Other(Seat),
    /// Several seats decide at this moment. Which of them have decided already is secret.
    #[error("several seats are deciding now, and some may have decided already")]
    Together,
    /// The fallback action has decided for the seat, or does so from now on.
    #[error("the fallback action stands in for you")]
    StoodIn,
    /// The decision has revealed something to the seat.
    #[error("your last decision has revealed something to you")]
    Shown,
}

impl<G: Game> Episode<G> {
    /// Checks that `seat` may return to `before`, an earlier moment of this episode. All steps since then
    /// must be its own decisions, and they must have revealed nothing to it.
    ///
    /// # Errors
    /// The reason why the seat may not return.
    pub fn may_return(&self, before: &Episode<G>, seat: Seat) -> Result<(), Final> {
        let since = self.steps().get(before.steps().len()..).unwrap_or_default();
        if since.is_empty() {
            return Err(Final::Nothing);
        }
        only_own(since, seat)?;
        if self.game().info().information == Information::Hidden && self.has_learned(before, seat) {
            Err(Final::Shown)
        } else {
            Ok(())
        }
    }

    /// Replays the seat's decisions since `before` from other states consistent with its knowledge. Returns
    /// true if a result differs: then the decisions have revealed something.
    fn has_learned(&self, before: &Episode<G>, seat: Seat) -> bool {
        let (game, viewer) = (self.game(), Viewer::Seat(seat));
        let after = |state: &G::State| (game.phase(state), game.information_key(state, viewer));
        let found = after(self.state());
        let known = game.observe(before.state(), viewer);
        (0..WORLDS).any(|world| {
            let mut state = before.state().clone();
            game.determinize(&known, &mut Stream::from_seed(world), &mut state);
            for step in &self.steps()[before.steps().len()..] {
                let Step::Action(_, action) = step else { continue };
                if !game.phase(&state).owes(seat) || game.check(&state, seat, action).is_err() {
                    return true;
                }
                game.apply_unchecked(&mut state, seat, action, &mut NoEvents);
            }
            after(&state) != found
        })
    }
}

fn only_own<C, A>(steps: &[Step<C, A>], seat: Seat) -> Result<(), Final> {
    steps.iter().try_for_each(|step| match step {
        Step::Chance(_) => Err(Final::Chance),
        Step::Action(other, _) if *other != seat => Err(Final::Other(*other)),
        Step::Action(..) => Ok(()),
    })
}

/// Maximum number of kept moments; each holds a whole episode.
const MAX_MOMENTS: usize = 64;

/// Moments of an episode for take-backs, oldest first: the seat that decided, and the episode before.
pub(crate) struct Moments<G: Game>(pub(crate) Vec<(Seat, Episode<G>)>);

impl<G: Game> Moments<G> {
    pub(crate) fn keep(&mut self, before: Episode<G>, seat: Seat) {
        // Moments before a chance draw are useless now. Moments before decisions of other seats are kept,
        // because those decisions may be taken back, too.
        let is_chance = |step: &StepOf<G>| matches!(step, Step::Chance(_));
        self.0.retain(|(_, moment)| !before.steps()[moment.steps().len()..].iter().any(is_chance));
        if self.0.len() == MAX_MOMENTS {
            self.0.remove(0);
        }
        self.0.push((seat, before));
    }

    pub(crate) fn forget(&mut self, seat: Seat) -> Option<()> {
        let last = self.0.iter().rposition(|(own, _)| *own == seat)?;
        self.0.remove(last);
        Some(())
    }

    /// Drops all moments of `seat`: none of its decisions so far can be taken back.
    pub(crate) fn forget_all(&mut self, seat: Seat) {
        self.0.retain(|(own, _)| *own != seat);
    }

    pub(crate) fn take_back(&mut self, episode: &Episode<G>, seat: Seat) -> Result<Episode<G>, Final> {
        let own = |step: &StepOf<G>| matches!(step, Step::Action(other, _) if *other == seat);
        let last = episode.steps().iter().rposition(own).ok_or(Final::Nothing)?;
        only_own(&episode.steps()[last..], seat)?;
        if matches!(episode.phase(), Phase::Decide(owing) if owing.len() > 1) {
            return Err(Final::Together);
        }
        let index = self.0.iter().rposition(|(own, _)| *own == seat).ok_or(Final::Nothing)?;
        episode.may_return(&self.0[index].1, seat)?;
        Ok(self.0.remove(index).1)
    }
}
