//! Complete random episodes, inspected at every decision. They reach late positions, where the laws with
//! their few samples rarely look.

use std::collections::BTreeSet;
use std::sync::Arc;

use meeple_core::{Episode, EpisodeSeed, Game, Phase, Seat, Viewer};

/// Number of seats whose view is inspected besides that of the deciding seat; tables can have thousands.
const VIEWERS: usize = 8;

/// Plays a random episode until it is over or `longest` decisions are taken. `look` sees every moment with an
/// owed decision and may choose the action. Returns the number of decisions.
fn walk<G: Game>(
    game: Arc<G>,
    longest: usize,
    mut look: impl FnMut(&Episode<G>, Seat) -> Option<G::Action>,
) -> usize {
    let mut episode = Episode::new(game, EpisodeSeed::new(5, 0));
    for decisions in 0..longest {
        episode.settle_chance();
        let Phase::Decide(seats) = episode.phase() else { return decisions };
        let seat = seats.lowest().expect("somebody decides");
        let action = look(&episode, seat).unwrap_or_else(|| episode.sample_action(seat));
        episode.act(seat, &action).expect("it is legal");
    }
    longest
}

/// Checks that all legal actions of an episode have distinct ids below the bound, and that the ids of a
/// sample lead back to their actions. `prefer` may choose among the legal actions. Returns the length of the
/// longest list.
///
/// # Panics
/// If an id is shared, is too large, or does not lead back.
pub fn ids_lead_back<G: Game>(game: Arc<G>, prefer: impl Fn(&[G::Action]) -> Option<G::Action>) -> usize {
    let bound = game.action_bound();
    let mut longest = 0;
    walk(game, usize::MAX, |episode, seat| {
        let (game, state) = (episode.game(), episode.state());
        let legal = episode.legal_actions(seat);
        let ids: BTreeSet<u32> = legal.iter().map(|action| game.action_id(state, seat, action)).collect();
        assert_eq!(ids.len(), legal.len(), "ids are distinct");
        assert!(ids.last().is_some_and(|highest| *highest < bound), "{ids:?} are below {bound}");
        for action in legal.iter().step_by(1 + legal.len() / 20) {
            let id = game.action_id(state, seat, action);
            assert_eq!(game.action_of(state, seat, id).as_ref(), Some(action), "{id}");
        }
        longest = longest.max(legal.len());
        prefer(&legal)
    });
    longest
}

/// Checks that information keys allocate nothing, for several viewers, at every owed decision of an episode,
/// or of its first `longest` ones. `allocations` counts the allocations of a closure. Returns the number of
/// decisions.
///
/// # Panics
/// If a key allocates.
pub fn keys_allocate_nothing<G: Game>(
    game: Arc<G>,
    longest: usize,
    allocations: impl Fn(&mut dyn FnMut()) -> u64,
) -> usize {
    let seats = game.seats().min(VIEWERS);
    walk(game, longest, |episode, seat| {
        let viewers = Seat::all(seats).chain([seat]).map(Viewer::Seat);
        for viewer in viewers.chain([Viewer::Public, Viewer::Everything]) {
            let mut key = 0;
            let count = allocations(&mut || key = episode.game().information_key(episode.state(), viewer));
            assert_eq!(count, 0, "{viewer:?} after {} steps", episode.steps().len());
            assert_ne!(key, 0, "a hash of 128 bits");
        }
        None
    })
}
