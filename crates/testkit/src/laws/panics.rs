//! Panics of the game's code as faults.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use super::fault::Fault;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns true if panics of this thread are caught and reported as faults.
pub(super) fn are_caught() -> bool {
    CATCHING.get()
}

/// Calls `run`; a panic in it becomes a fault, with its place in the text.
pub(super) fn catch<T>(run: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.get() {
                CAUGHT.set(info.to_string());
            } else {
                usual(info);
            }
        }));
    });
    CATCHING.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(false);
    result.unwrap_or_else(|_| Err(Fault { law: "no-panic", what: CAUGHT.take() }))
}
