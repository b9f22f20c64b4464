//! Messages of panics that a host has caught.

use std::any::Any;

/// The message of a panic, from its payload; "without a message" if the payload is no text.
///
/// ```
/// let payload = std::panic::catch_unwind(|| panic!("no {}", 7)).unwrap_err();
/// assert_eq!(meeple_core::panic_message(&*payload), "no 7");
/// ```
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
