//! A viewer's complete view of a position, as comparable text.

use meeple_core::{Information, Phase, Playable, Seat, Viewer, json};
use serde::Serialize;

use super::fault::{Fault, Held, difference, granted, hold};

pub(crate) fn viewer_text(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => format!("seat {seat}"),
        Viewer::Public => "the public".into(),
        Viewer::Everything => "somebody who sees everything".into(),
    }
}

/// A viewer's complete view of a position, as text: observation, key, legal actions, own score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub(crate) observation: String,
    pub(crate) key: u128,
    pub(crate) legal: Vec<String>,
    pub(crate) score: Option<i64>,
    pub(crate) owes: bool,
    /// Seats that owe a decision, in games of hidden information where this is always public.
    pub(crate) owing: Vec<Seat>,
    pub(crate) over: bool,
}

/// The JSON of a value as sent to bots.
fn written(value: &impl Serialize) -> String {
    let mut json = Vec::new();
    match json::write(value, &mut json) {
        Ok(()) => String::from_utf8_lossy(&json).into_owned(),
        Err(error) => format!("nothing: {error}"),
    }
}

impl Sight {
    pub(crate) fn of<G: Playable>(game: &G, state: &G::State, viewer: Viewer) -> Result<Self, Fault> {
        let phase = game.phase(state);
        let (mut legal, mut score, mut owes) = (Vec::new(), None, false);
        if let Viewer::Seat(seat) = viewer {
            score = Some(game.score(state, seat));
            owes = phase.owes(seat);
            if owes {
                let mut actions = Vec::new();
                game.legal_actions(state, seat, &mut actions);
                // Ids must not reveal more than the seat knows, either.
                let action_text = |action| format!("{action} (id {})", game.action_id(state, seat, action));
                legal = actions.iter().map(action_text).collect();
            }
        }
        let observation = serde_json::to_string(&game.observe(state, viewer));
        let observation = granted("observation-serialises", observation, || {
            format!("the observation of {} does not become JSON", viewer_text(viewer))
        })?;
        let written = written(&game.observe(state, viewer));
        hold!(
            "observation-serialises",
            written == observation,
            "bots get another observation of {} than others {}",
            viewer_text(viewer),
            difference(&written, &observation)
        );
        let key = game.information_key(state, viewer);
        // In games without hidden information only the content of simultaneous decisions is secret, not their
        // occurrence.
        let claims = game.decides_openly() && game.info().information == Information::Hidden;
        let owing = match phase {
            Phase::Decide(seats) if claims => seats.collect(),
            _ => Vec::new(),
        };
        Ok(Self { observation, key, legal, score, owes, owing, over: phase == Phase::Over })
    }

    /// Checks that `other` looks the same.
    pub(crate) fn hold_equal(&self, law: &'static str, other: &Sight, why: &str) -> Held {
        hold!(
            law,
            self.observation == other.observation,
            "{why}, but the observation differs {}",
            difference(&self.observation, &other.observation)
        );
        let parts = |sight: &Self| {
            let Self { key, legal, score, owes, owing, over, .. } = sight;
            [
                ("information key", format!("{key:032x}")),
                ("list of legal actions", format!("{legal:?}")),
                ("own score", format!("{score:?}")),
                ("word on whether the viewer owes a decision", owes.to_string()),
                ("list of who owes a decision", format!("{owing:?}")),
                ("word on whether the episode is over", over.to_string()),
            ]
        };
        for ((what, one), (_, two)) in parts(self).into_iter().zip(parts(other)) {
            hold!(law, one == two, "{why}, but the {what} differs: {one} and {two}");
        }
        Ok(())
    }
}
