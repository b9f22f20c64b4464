//! Laws of states, chance outcomes and events as values.

use std::fmt::Display;

use meeple_core::{EventSink, Playable};
use serde::Serialize;

use super::fault::{Held, hold, short};
use super::memory::{Memory, Position};
use super::sight::hash_of;

/// Copies equal the original, whatever the buffer held before.
pub(crate) fn copies<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let copy = at.state.clone();
    hold!("clone-equals", copy == *at.state, "a clone of the state is not equal to it");
    hold!("clone-equals", hash_of(&copy) == hash_of(at.state), "a clone of the state has another hash");
    memory.used.clone_from(at.state);
    hold!(
        "clone-from-equals",
        memory.used == *at.state && hash_of(&memory.used) == hash_of(at.state),
        "`clone_from` into a used buffer does not give an equal state:\n  {}\n  {}",
        short(&format!("{:?}", at.state)),
        short(&format!("{:?}", memory.used))
    );
    if let Err(error) = serde_json::to_string(at.state) {
        hold!("state-serialises", false, "the state does not become JSON: {error}");
    }
    // The buffer gets another past, so that the next copy meets one.
    at.game.reset(&mut memory.used);
    hold!(
        "reset-equals-initial",
        memory.used == at.game.initial_state(),
        "`reset` of a used state is not the initial state:\n  {}",
        short(&format!("{:?}", memory.used))
    );
    memory.used.clone_from(at.state);
    at.game.reset(&mut memory.used);
    hold!(
        "reset-equals-initial",
        memory.used == at.game.initial_state() && hash_of(&memory.used) == hash_of(&at.game.initial_state()),
        "`reset` of a state in play is not the initial state:\n  {}",
        short(&format!("{:?}", memory.used))
    );
    memory.used.clone_from(at.state);
    Ok(())
}

/// The text of a chance outcome is its id in replays.
pub(crate) fn chance_text<C: PartialEq + std::fmt::Debug + Display + std::str::FromStr<Err: Display>>(
    chance: &C,
) -> Held {
    let text = chance.to_string();
    hold!(
        "chance-text-one-line",
        !text.is_empty() && text.trim() == text && !text.contains(['\n', '\r']),
        "a chance outcome's text must be one line without blanks around it, found {text:?}"
    );
    match text.parse::<C>() {
        Ok(parsed) => {
            hold!(
                "chance-text-round-trip",
                parsed == *chance,
                "{chance:?} prints as {text:?}, which parses to {parsed:?}"
            );
        }
        Err(error) => {
            hold!(
                "chance-text-round-trip",
                false,
                "{chance:?} prints as {text:?}, which is refused: {error}"
            );
        }
    }
    Ok(())
}

/// Events are a line of text each and become JSON.
pub(crate) fn event<E: Display + Serialize>(event: &E) -> Held {
    let text = event.to_string();
    hold!(
        "event-text-one-line",
        !text.trim().is_empty() && !text.contains('\n'),
        "an event's text must be one line, found {text:?}"
    );
    if let Err(error) = serde_json::to_string(event) {
        hold!("event-serialises", false, "the event '{text}' does not become JSON: {error}");
    }
    Ok(())
}

/// Counts what it is given and keeps nothing.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

impl<E> EventSink<E> for Counter {
    fn emit(&mut self, _audience: meeple_core::Audience, _event: impl FnOnce() -> E) {
        self.0 += 1;
    }
}
