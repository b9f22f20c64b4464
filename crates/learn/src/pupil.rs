//! Players that learn a policy.

use std::sync::{Arc, Mutex, PoisonError};

use meeple_core::{Agent, Analysis, Playable, Seat, Stream, Turn};

use crate::chooser::Judged;
use crate::lessons::{Options, Tries};
use crate::policy::Policy;

/// Decides by a policy that is being learned, and remembers: as it is taught, or by trying.
pub(crate) struct Pupil<G: Playable> {
    pub(crate) policy: Policy<G>,
    pub(crate) teacher: Option<Teacher<G>>,
    pub(crate) tries: Arc<Mutex<Tries>>,
    /// By action, how much it was wanted.
    pub(crate) wanted: Vec<f32>,
}

/// Whoever teaches it.
pub(crate) struct Teacher<G: Playable> {
    pub(crate) agent: Box<dyn Agent<G>>,
    /// The share of decisions that are made as it would.
    pub(crate) guided: f64,
    /// Draws beside its own.
    pub(crate) draws: Stream,
}

impl<G: Playable> Agent<G> for Pupil<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.policy.begin_episode(game, seat);
        if let Some(teacher) = &mut self.teacher {
            teacher.agent.begin_episode(game, seat);
        }
        self.tries.lock().unwrap_or_else(PoisonError::into_inner).begin(seat);
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        let (game, seat, seen) = (turn.game(), turn.seat(), turn.observe());
        let decision = (game, seat, &seen);
        let Self { policy, teacher, tries, wanted } = self;
        wanted.clear();
        let (taken, chance) = match teacher {
            None => {
                if policy.find(decision, turn.rng(), None) == 1 {
                    return policy.take(0);
                }
                policy.weigh(game, seat);
                let taken = policy.draw(turn.rng());
                wanted.extend((0..policy.actions().len()).map(|action| f32::from(u8::from(action == taken))));
                (taken, Some(policy.chances()[taken] as f32))
            }
            Some(Teacher { agent, guided, draws }) => {
                let (action, told) = turn.overhear(&mut **agent);
                if policy.find(decision, draws, Some(&action)) == 1 {
                    return action;
                }
                policy.weigh(game, seat);
                let decided = policy.actions().iter().position(|other| *other == action);
                let decided = decided.expect("it was added if it was not there");
                want(policy.actions(), decided, &told, wanted);
                let taken = if draws.chance(*guided) { decided } else { policy.draw(draws) };
                (taken, None)
            }
        };
        let (value, before) = policy.expect(decision);
        let mut tries = tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.deeds.add(Judged { value, numbers: before });
        tries.choices.add(Options { numbers: policy.numbers(), wanted, chance }, 0.0);
        drop(tries);
        policy.take(taken)
    }
}

/// How much of each action a teacher wants: by the visits of a search, if it is one, else all of its decision.
fn want<A: PartialEq>(actions: &[A], decided: usize, told: &Analysis<A>, wanted: &mut Vec<f32>) {
    let visits = |action: &A| if told.iterations > 0 { told.of(action).map_or(0, |of| of.visits) } else { 0 };
    let whole: u64 = actions.iter().map(visits).sum();
    wanted.extend(actions.iter().enumerate().map(|(index, action)| match whole {
        0 => f32::from(u8::from(index == decided)),
        _ => visits(action) as f32 / whole as f32,
    }));
}
