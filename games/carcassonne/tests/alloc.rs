//! Playouts do not allocate once they are warm. In a binary of its own, because the allocator is global.
// A counting allocator cannot be written without `unsafe`; it only counts and passes on.
#![allow(missing_docs, unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use meeple_carcassonne::{Carcassonne, Variant};
use meeple_core::{AgentSpec, Game, Params, Playouts, Seating, build_agents};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn playouts_do_not_allocate() {
    for preset in Carcassonne::INFO.presets {
        for (seats, agent) in [(2, "random"), (4, "random"), (2, "greedy"), (2, "builder")] {
            let mut variant = Variant::default();
            for (name, value) in preset.set {
                variant.set(name, value).unwrap();
            }
            let game = Carcassonne::new(variant, seats).unwrap();
            let mut known = Carcassonne::agents();
            known.extend(meeple_agents::general());
            let agents = build_agents(&game, &known, &vec![AgentSpec::parse(agent); seats]).unwrap();
            let mut playouts = Playouts::new(&game, agents);
            (0..3).for_each(|index| drop(playouts.play(1, Seating::Rotate, index)));
            let before = COUNT.with(Cell::get);
            (0..3).for_each(|index| drop(playouts.play(1, Seating::Rotate, index)));
            assert_eq!(COUNT.with(Cell::get) - before, 0, "{} {seats} {agent}", preset.name);
        }
    }
}

#[test]
fn states_are_small() {
    let size = size_of::<<Carcassonne as Game>::State>();
    assert!(size <= 32 * 1024, "a state takes {size} bytes");
}
