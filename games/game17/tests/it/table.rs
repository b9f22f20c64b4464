//! A table for tests that set up the board and toss the coins themselves.

use std::sync::Arc;

use meeple_core::{Defined as _, Episode, EpisodeSeed, Outcome, Params, Phase, Seat};
use meeple_game17::{Chance, Coin, Event, Game17, Variant};

/// An episode with a given set-up.
pub struct TestTable {
    pub episode: Episode<Game17>,
}

impl TestTable {
    /// A table with these owners, row by row, and this turn order.
    pub fn new(owners: &[u16], order: &[u16], set: &[(&str, &str)]) -> Self {
        let size = owners.len().isqrt();
        let mut settings = vec![("size", size.to_string())];
        settings.extend(set.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let game = game(&settings.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>());
        let mut episode = Episode::new(Arc::new(game), EpisodeSeed::new(7, 7));
        for owner in owners {
            episode.force_chance(Chance::Place(*owner)).unwrap();
        }
        for owner in order {
            episode.force_chance(Chance::Next(*owner)).unwrap();
        }
        Self { episode }
    }

    /// A board in the order of the ids, with the ids' turn order.
    pub fn plain(size: usize, set: &[(&str, &str)]) -> Self {
        let ids: Vec<u16> = (0..size * size).map(|id| id as u16).collect();
        Self::new(&ids, &ids, set)
    }

    pub fn mover(&self) -> u16 {
        match self.episode.phase() {
            Phase::Decide(seats) => seats.lowest().unwrap().index() as u16,
            phase => panic!("expected somebody's turn, found {phase:?}"),
        }
    }

    pub fn turn(&mut self, action: &str) -> &mut Self {
        let seat = Seat::new(self.mover().into());
        self.episode.act(seat, &action.parse().unwrap()).unwrap();
        self
    }

    /// Plays turns of owners in order, who must be the movers.
    pub fn turns(&mut self, turns: &[(u16, &str)]) -> &mut Self {
        for (owner, action) in turns {
            assert_eq!(self.mover(), *owner);
            self.turn(action);
        }
        self
    }

    /// The reason why the mover's turn is illegal; nothing may have changed.
    pub fn refused(&mut self, action: &str) -> String {
        let before = self.episode.state().clone();
        let seat = Seat::new(self.mover().into());
        let error = self.episode.act(seat, &action.parse().unwrap()).unwrap_err();
        assert_eq!(&before, self.episode.state());
        error.reason
    }

    pub fn coin(&mut self, coin: Coin) -> &mut Self {
        self.episode.force_chance(Chance::Coin(coin)).unwrap();
        self
    }

    pub fn owners(&self) -> &[u16] {
        self.episode.state().owners()
    }

    pub fn numbers(&self) -> &[u32] {
        self.episode.state().numbers()
    }

    pub fn last_event(&self) -> &Event {
        &self.episode.events().entries().last().unwrap().1
    }

    pub fn outcome(&self) -> Outcome {
        self.episode.outcome().expect("the game is over")
    }
}

pub fn game(set: &[(&str, &str)]) -> Game17 {
    let mut variant = Variant::default();
    for (name, value) in set {
        variant.set(name, value).unwrap();
    }
    let seats = (Game17::definition().seats_for)(&variant, 0);
    Game17::new(variant, seats).unwrap()
}
