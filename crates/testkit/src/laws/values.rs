//! Laws of states, chance outcomes and events as values.

use meeple_core::{EventSink, Playable};

use super::fault::{Held, difference, granted, hold, hold_same};
use super::memory::{Memory, Position};

/// Copies equal the original, whatever the buffer held before.
pub(crate) fn copies<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let different = |what: &'static str| move || what.to_owned();
    hold_same(
        "clone-equals",
        at.state,
        &at.state.clone(),
        different("a clone of the state is not equal to it"),
    )?;
    memory.used.clone_from(at.state);
    let what = different("`clone_from` into a used buffer does not give an equal state");
    hold_same("clone-from-equals", at.state, &memory.used, what)?;
    let json = serde_json::to_string(at.state);
    granted("state-serialises", json, different("the state does not become JSON"))?;
    // The buffer gets other content, which the next copy must overwrite.
    at.game.reset(&mut memory.used);
    let what = different("`reset` of a state in play is not the initial state");
    hold_same("reset-equals-initial", &at.game.initial_state(), &memory.used, what)?;
    memory.used.clone_from(at.state);
    Ok(())
}

/// Law: an event has a text of one line, and serialises to JSON that `write_event` equals.
pub(crate) fn event<G: Playable>(event: &G::Event) -> Held {
    let text = event.to_string();
    hold!(
        "event-text-one-line",
        !text.trim().is_empty() && !text.contains('\n'),
        "an event's text must be one line, found {text:?}"
    );
    let json = serde_json::to_string(event);
    let json = granted("event-serialises", json, || format!("the event '{text}' does not become JSON"))?;
    let mut written = Vec::new();
    G::write_event(event, &mut written);
    let written = String::from_utf8_lossy(&written).into_owned();
    hold!(
        "event-serialises",
        written == json,
        "bots get another event than others {}",
        difference(&written, &json)
    );
    Ok(())
}

/// Counts events and discards them.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

impl<E> EventSink<E> for Counter {
    fn emit(&mut self, _audience: meeple_core::Audience, _event: impl FnOnce() -> E) {
        self.0 += 1;
    }
}
