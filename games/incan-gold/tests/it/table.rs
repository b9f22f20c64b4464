//! A table on which a test lays the cards itself.

use std::sync::Arc;

use meeple_core::{Episode, EpisodeSeed, Game, Params, Phase, Seat};
use meeple_incan_gold::{Action, Event, IncanGold, Variant};

/// An episode whose cards and decisions are given as text.
pub struct TestTable {
    pub episode: Episode<IncanGold>,
}

impl TestTable {
    /// A table with this number of seats and these settings.
    pub fn new(seats: usize, set: &[(&str, &str)]) -> Self {
        let mut variant = Variant::default();
        for (key, value) in set {
            variant.set(key, value).unwrap();
        }
        let game = Arc::new(IncanGold::new(variant, seats).unwrap());
        Self { episode: Episode::new(game, EpisodeSeed::new(7, 7)) }
    }

    /// Reveals a card. Then the seats with an `l` in `decisions` leave and the others stay (`s`), in the
    /// order of the explorers. `decisions` is empty if the card ends the round.
    pub fn turn(&mut self, card: &str, decisions: &str) -> &mut Self {
        self.episode.force_chance(card.parse().unwrap()).unwrap();
        let seats: Vec<Seat> = match self.episode.phase() {
            Phase::Decide(seats) => seats.collect(),
            _ => Vec::new(),
        };
        assert_eq!(seats.len(), decisions.len(), "one decision for each of {seats:?}");
        for (seat, decision) in seats.into_iter().zip(decisions.chars()) {
            let action = if decision == 'l' { Action::Leave } else { Action::Stay };
            self.episode.act(seat, &action).unwrap();
        }
        self
    }

    /// Ends the round by two hazards of a kind; all explorers lose.
    pub fn bust(&mut self, hazard: &str, explorers: usize) -> &mut Self {
        self.turn(hazard, &"s".repeat(explorers)).turn(hazard, "")
    }

    pub fn scores(&self) -> Vec<i64> {
        let game = self.episode.game();
        Seat::all(game.seats()).map(|seat| game.score(self.episode.state(), seat)).collect()
    }

    /// The observation of seat 0.
    pub fn seen(&self) -> serde_json::Value {
        let viewer = meeple_core::Viewer::Seat(Seat::new(0));
        serde_json::to_value(self.episode.game().observe(self.episode.state(), viewer)).unwrap()
    }

    /// Copies of a card that are in the deck.
    pub fn in_deck(&self, card: &str) -> u64 {
        self.seen()["deck"][card].as_u64().unwrap_or(0)
    }

    pub fn events(&self) -> Vec<Event> {
        self.episode.events().entries().iter().map(|(_, event)| event.clone()).collect()
    }
}
