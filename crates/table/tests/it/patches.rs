//! Viewers who receive patches see the same frames as all others.

use std::collections::BTreeMap;
use std::sync::Arc;

use meeple_core::Stream;
use meeple_table::{Frame, Ring, Table};

use crate::laws::walk;
use crate::{for_every_preset, table};

/// A viewer that looks only now and then.
struct Viewer {
    seat: Option<usize>,
    ring: Ring,
    /// The last frame of the viewer.
    shown: Frame,
    patched: usize,
}

impl Viewer {
    fn look(&mut self, live: &Table, name: &str) {
        let fresh = live.frame(self.seat);
        self.ring.push(&Arc::new(fresh.clone()));
        match self.ring.since(self.shown.moment()) {
            None => self.shown = fresh,
            Some(patches) => {
                self.patched += patches.len();
                for patch in patches {
                    assert_eq!((patch.since, patch.since_revision), self.shown.moment(), "{name}: no gaps");
                    self.shown = self.shown.patched(&patch);
                }
                assert_eq!(self.shown, fresh, "{name}: {:?}", self.seat);
            }
        }
    }
}

#[test]
fn a_patched_frame_is_a_fresh_one() {
    for_every_preset(|_, game, name| {
        let mut live = table(game, 8);
        let mut viewers: BTreeMap<(Option<usize>, u64), Viewer> = BTreeMap::new();
        for seat in [None, Some(0), Some(1)] {
            // One viewer looks at every step, the other misses some.
            for every in [1, 5] {
                let (ring, shown) = (Ring::new(&Arc::new(live.frame(seat))), live.frame(seat));
                viewers.insert((seat, every), Viewer { seat, ring, shown, patched: 0 });
            }
        }
        walk(&mut live, &mut Stream::from_seed(21), |live, step| {
            for ((_, every), viewer) in &mut viewers {
                // Other viewers fill the ring; only this viewer's own look comes later.
                viewer.ring.push(&Arc::new(live.frame(viewer.seat)));
                if (step as u64).is_multiple_of(*every) {
                    viewer.look(live, name);
                }
            }
        });
        let patched: Vec<usize> = viewers.values().map(|viewer| viewer.patched).collect();
        assert!(patched.iter().all(|count| *count > 0), "{name}: {patched:?}");
    });
}

#[test]
fn who_was_away_for_long_is_shown_everything() {
    let game = meeple_games::find_game("carcassonne").expect("it is registered");
    let mut live = table(&*game.set_up(None, &[], 3).expect("three play"), 8);
    live.join(1, "Bob").expect("it is open");
    let mut ring = Ring::new(&Arc::new(live.frame(None)));
    let first = ring.moment();
    let mut kept = 0;
    walk(&mut live, &mut Stream::from_seed(3), |live, _| {
        let fresh = Arc::new(live.frame(None));
        let before = ring.moment();
        ring.push(&fresh);
        assert!(ring.since(before).is_some() || fresh.ending.is_some(), "who has seen the last one");
        kept += usize::from(ring.since(first).is_some());
    });
    assert!(kept > 0 && ring.since(first).is_none());
    assert_eq!(ring.since(ring.moment()).map(|patches| patches.len()), Some(0));
    assert!(ring.since((999, 0)).is_none() && ring.since((1, 7)).is_none(), "there was no such frame");
}

#[test]
fn a_frame_is_kept_by_whoever_looks_at_it() {
    let game = meeple_games::find_game("carcassonne").expect("it is registered");
    let live = table(&*game.set_up(None, &[], 3).expect("three play"), 8);
    let frame = Arc::new(live.frame(None));
    let mut ring = Ring::new(&frame);
    assert_eq!(ring.frame().as_deref(), Some(&*frame));
    drop(frame);
    assert_eq!(ring.frame(), None, "nobody holds it");
    let again = Arc::new(live.frame(None));
    ring.push(&again);
    assert_eq!(ring.frame().as_deref(), Some(&*again));
    assert_eq!(ring.since(ring.moment()).map(|patches| patches.len()), Some(0), "it is the same one");
}
