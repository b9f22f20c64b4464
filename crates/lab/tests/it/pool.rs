//! The pool: order, bounds, panics, and ends of all kinds.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Barrier, Mutex};

use meeple_lab::pool::{self, Panicked, Pool, PoolWorker};

/// Gives the numbers below `count` and takes all results.
fn take_all<O>(pool: &mut Pool<'_, u64, O>, count: u64) -> Vec<Result<O, Panicked>> {
    let (mut next, mut taken) = (0, Vec::new());
    loop {
        while next < count && pool.has_room() {
            pool.give(next);
            next += 1;
        }
        match pool.take() {
            Some(result) => taken.push(result),
            None => return taken,
        }
    }
}

#[test]
fn results_come_in_order_however_long_items_take() {
    for threads in [1, 2, 7] {
        let work = |_: &mut PoolWorker<'_, u64, ()>, item: u64| {
            // Early items are the slow ones.
            (0..(100 - item) * 50).fold(item, |value, step| std::hint::black_box(value ^ step ^ step))
        };
        let taken = pool::run(0..threads, 9, work, |pool| take_all(pool, 100));
        let expected: Vec<Result<u64, Panicked>> = (0..100).map(Ok).collect();
        assert_eq!(taken, expected, "{threads} threads");
    }
}

#[test]
fn one_slow_item_lets_others_run_ahead_so_far_and_no_further() {
    let (began, largest) = (AtomicU64::new(0), AtomicU64::new(0));
    let (release, held) = channel::<()>();
    let held = Mutex::new(held);
    let work = |_: &mut PoolWorker<'_, u64, ()>, item: u64| {
        largest.fetch_max(item, SeqCst);
        began.fetch_add(1, SeqCst);
        if item == 0 {
            held.lock().unwrap().recv().unwrap();
        }
    };
    pool::run(0..3, 8, work, |pool| {
        let mut given = 0;
        while pool.has_room() {
            pool.give(given);
            given += 1;
        }
        assert_eq!(given, 8);
        // The other seven items are begun while the first one waits; no result can be taken yet.
        while began.load(SeqCst) < 8 {
            std::thread::yield_now();
        }
        assert!(!pool.has_room());
        assert_eq!(largest.load(SeqCst), 7);
        release.send(()).unwrap();
        for _ in 0..8 {
            assert_eq!(pool.take(), Some(Ok(())));
        }
        assert_eq!(pool.take(), None);
        assert!(pool.has_room() && pool.is_idle());
    });
}

#[test]
fn idle_threads_are_known() {
    let barrier = Barrier::new(3);
    let work = |_: &mut PoolWorker<'_, u64, ()>, _item: u64| {
        barrier.wait();
    };
    pool::run(0..2, 100, work, |pool| {
        assert!(pool.is_idle());
        pool.give(0);
        assert!(pool.is_idle());
        pool.give(1);
        assert!(!pool.is_idle() && pool.has_room());
        barrier.wait();
        assert_eq!(pool.take(), Some(Ok(())));
        assert!(pool.is_idle());
        assert_eq!(pool.take(), Some(Ok(())));
    });
}

#[test]
fn a_panic_is_the_result_of_its_item_alone() {
    for threads in [1, 3] {
        let work = |worker: &mut PoolWorker<'_, u64, u64>, item: u64| {
            // The kept state counts the items since its creation.
            worker.kept += 1;
            match item {
                3 => panic!("item three"),
                5 => panic!("item {item}"),
                8 => std::panic::panic_any(8u8),
                _ => (item, worker.kept),
            }
        };
        let taken = pool::run(0..threads, 4, work, |pool| take_all(pool, 20));
        assert_eq!(taken.len(), 20);
        let said = |index: usize| taken[index].as_ref().unwrap_err().message.as_str();
        assert_eq!([said(3), said(5), said(8)], ["item three", "item 5", "without a message"]);
        for (index, result) in taken.iter().enumerate().filter(|(index, _)| ![3, 5, 8].contains(index)) {
            assert_eq!(result.as_ref().unwrap().0, index as u64);
        }
        if threads == 1 {
            let kept = |index: usize| taken[index].as_ref().unwrap().1;
            assert_eq!([kept(0), kept(2), kept(4), kept(6), kept(9), kept(19)], [1, 3, 1, 1, 1, 11]);
        }
    }
}

/// State that panics when dropped after its first use.
#[derive(Default)]
struct Fragile(bool);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(!self.0, "dropped in disorder");
    }
}

#[test]
fn who_panics_at_every_item_and_when_cleaning_up_still_answers() {
    let work = |worker: &mut PoolWorker<'_, u64, Fragile>, item: u64| -> u64 {
        worker.kept.0 = true;
        panic!("item {item}")
    };
    let taken = pool::run(0..2, 3, work, |pool| take_all(pool, 10));
    assert!(taken.len() == 10 && taken.iter().all(Result::is_err));
}

#[test]
fn tools_are_kept_over_a_panic() {
    let mut tools = [0u64; 2];
    let work = |worker: &mut PoolWorker<'_, &mut u64, ()>, item: u64| {
        *worker.tool += 1;
        assert!(item.is_multiple_of(2));
    };
    pool::run(&mut tools, 3, work, |pool| take_all(pool, 50));
    assert_eq!(tools.iter().sum::<u64>(), 50);
}

#[test]
fn who_leaves_early_waits_only_for_what_is_begun() {
    let (begun, cancelled) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = |worker: &mut PoolWorker<'_, u64, ()>, item: u64| {
        begun.fetch_add(1, SeqCst);
        // Every item but 0 ends only once nobody waits for results.
        while item > 0 && !worker.over.is_stopped() {
            std::thread::yield_now();
        }
        cancelled.fetch_or(item > 0, SeqCst);
    };
    let first = pool::run(0..2, 1000, work, |pool| {
        (0..1000).for_each(|item| pool.give(item));
        pool.take()
    });
    assert_eq!(first, Some(Ok(())));
    assert!(begun.load(SeqCst) <= 3, "{begun:?} items begun");
}

#[test]
fn a_panic_of_who_directs_ends_the_pool_and_travels_on() {
    let work = |worker: &mut PoolWorker<'_, u64, ()>, _item: u64| {
        while !worker.over.is_stopped() {
            std::thread::yield_now();
        }
    };
    let caught = std::panic::catch_unwind(|| {
        pool::run(0..2, 10, work, |pool| {
            (0..10).for_each(|item| pool.give(item));
            panic!("director")
        })
    });
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"director"));
}

#[test]
fn without_threads_every_item_fails_and_nothing_hangs() {
    let taken =
        pool::run(0..0, 4, |_: &mut PoolWorker<'_, u64, ()>, item: u64| item, |pool| take_all(pool, 9));
    assert!(taken.len() == 9 && taken.iter().all(Result::is_err));
}

#[test]
#[should_panic(expected = "without room")]
fn more_than_there_is_room_for_cannot_be_given() {
    pool::run(
        0..1,
        2,
        |_: &mut PoolWorker<'_, u64, ()>, item: u64| item,
        |pool| {
            (0..3).for_each(|item| pool.give(item));
        },
    );
}
