//! The agents of a playout by seat, called at full speed.

use std::num::NonZeroU64;
use std::panic::resume_unwind;

use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AskedSeat, CancelToken, Position, Turn};
use crate::game::Game;
use crate::seat::{Seat, SeatSet};
use crate::stream::{EpisodeSeed, Stream};

/// Assignment of a line-up's players to the seats of an episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seating {
    /// Player p always sits at seat p.
    Fixed,
    /// Player p sits at seat (p + index) mod n: over n episodes every player has every seat once.
    #[default]
    Rotate,
    /// A uniform permutation, drawn from the episode's seed.
    Shuffle,
    /// Rotates as `Rotate` does, but n consecutive episodes share one deal, so every player plays the same
    /// cards from every seat. Episode i belongs to deal group i div n.
    #[serde(rename = "deals")]
    DealGroups,
}

impl Seating {
    /// Writes the player of each seat in episode `index` to `player_at`, `[seats]`. Returns the episode's
    /// seed.
    #[inline]
    pub fn arrange(self, root: u64, index: u64, player_at: &mut [u16]) -> EpisodeSeed {
        let seats = player_at.len() as u64;
        let (deal, rotation) = match self {
            Self::Fixed | Self::Shuffle => (index, 0),
            Self::Rotate => (index, index % seats),
            Self::DealGroups => (index / seats, index % seats),
        };
        let seed = EpisodeSeed::new(root, deal);
        let (first, last) = player_at.split_at_mut(rotation as usize);
        for (slot, player) in last.iter_mut().chain(first).zip(0..) {
            *slot = player;
        }
        if self == Self::Shuffle {
            shuffle(seed, player_at);
        }
        seed
    }
}

/// Not inlined, so that the other seatings can be inlined into the caller's loop.
#[inline(never)]
fn shuffle(seed: EpisodeSeed, player_at: &mut [u16]) {
    Stream::from_seed(seed.bits() ^ 0x5ea7).shuffle(player_at);
}

/// The agents of a playout at their seats.
pub struct PlayoutTable<G: Game> {
    /// Agents by seat. They are boxed because they change seats before every episode. The list is padded to
    /// [`SeatSet::SIMULTANEOUS`], so seat masks need no bounds checks.
    seated: Vec<Box<Seated<G>>>,
    /// Seats by player.
    seat_of: Vec<u16>,
    decisions: u64,
}

struct Seated<G: Game> {
    agent: Box<dyn Agent<G>>,
    asked: AskedSeat<G>,
    player: u16,
}

/// The payload of the unwinding that ends an episode without a result. It is no panic, and no hook reports
/// it.
pub(crate) struct EpisodeCancelled;

/// An agent whose episode ends at its next decision once the token is cancelled.
struct Cancellable<G: Game> {
    agent: Box<dyn Agent<G>>,
    token: CancelToken,
}

impl<G: Game> Agent<G> for Cancellable<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.agent.begin_episode(game, seat);
    }

    fn act(&mut self, turn: Turn<'_, G>) -> G::Action {
        let action = self.agent.act(turn);
        if self.token.is_cancelled() {
            resume_unwind(Box::new(EpisodeCancelled));
        }
        action
    }
}

/// Placeholder at the padding seats.
struct Nobody;

impl<G: Game> Agent<G> for Nobody {
    fn act(&mut self, turn: Turn<'_, G>) -> G::Action {
        unreachable!("nobody sits at seat {}", turn.seat())
    }
}

impl<G: Game> PlayoutTable<G> {
    pub(crate) fn new(agents: Vec<Box<dyn Agent<G>>>) -> Self {
        let seed = EpisodeSeed::new(0, 0);
        let seat_of = (0..agents.len() as u16).collect();
        let empty = SeatSet::SIMULTANEOUS.saturating_sub(agents.len());
        let nobody = (0..empty).map(|_| -> Box<dyn Agent<G>> { Box::new(Nobody) });
        let chair = |(index, agent)| {
            let asked = AskedSeat::new(seed, Seat::new(index));
            Box::new(Seated { agent, asked, player: index as u16 })
        };
        let seated = agents.into_iter().chain(nobody).enumerate().map(chair).collect();
        Self { seat_of, seated, decisions: 0 }
    }

    /// Moves the players to the seats in `player_at`, and starts an episode.
    pub(crate) fn sit_down(&mut self, game: &G, seed: EpisodeSeed, player_at: &[u16]) {
        self.decisions = 0;
        for (index, player) in player_at.iter().enumerate() {
            let occupant = self.seated[index].player;
            if occupant != *player {
                let other = usize::from(self.seat_of[usize::from(*player)]);
                self.seated.swap(index, other);
                self.seat_of[usize::from(occupant)] = other as u16;
                self.seat_of[usize::from(*player)] = index as u16;
            }
            let chair = &mut self.seated[index];
            chair.asked.restart(seed, Seat::new(index));
            chair.agent.begin_episode(game, Seat::new(index));
        }
    }

    pub(crate) fn open_cards(&mut self, player: usize) {
        let seat = usize::from(self.seat_of[player]);
        self.seated[seat].asked.open_cards();
    }

    /// Lets this token end episodes from within, by an unwinding with [`EpisodeCancelled`].
    pub(crate) fn cancel_by(&mut self, token: &CancelToken) {
        for chair in &mut self.seated {
            chair.asked.cancel_by(token.clone());
            let agent = std::mem::replace(&mut chair.agent, Box::new(Nobody));
            chair.agent = Box::new(Cancellable { agent, token: token.clone() });
        }
    }

    /// Asks the agent at `seat`, which must owe a decision; the caller applies the action.
    #[inline]
    pub fn ask(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Action {
        self.decisions += 1;
        let Seated { agent, asked, .. } = &mut *self.seated[seat.index()];
        agent.act(Turn::new(&Position::new(game, state), asked))
    }

    /// Access to the seats of a table with simultaneous decisions; see [`SmallTable`].
    #[inline]
    pub fn small(&mut self) -> SmallTable<'_, G> {
        let seated = self.seated.first_chunk_mut().expect("tables are padded");
        SmallTable { seated, decisions: &mut self.decisions }
    }

    /// Number of decisions since the last [`sit_down`](Self::sit_down).
    #[inline]
    pub(crate) fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Reclaims the memory of an applied action of `seat`.
    #[inline]
    pub fn recycle(&mut self, seat: Seat, action: G::Action) {
        self.seated[seat.index()].asked.recycle(action);
    }
}

/// The first [`SeatSet::SIMULTANEOUS`] seats of a table, for the fastest simultaneous decisions.
pub struct SmallTable<'t, G: Game> {
    seated: &'t mut [Box<Seated<G>>; SeatSet::SIMULTANEOUS],
    decisions: &'t mut u64,
}

impl<G: Game> SmallTable<'_, G> {
    /// Asks the agents at the seats of `mask` in order (bit i = seat i) and passes their actions to `take`.
    /// All these seats must owe a decision. The caller counts the decisions with [`count`](Self::count).
    #[inline]
    pub fn ask_all(
        &mut self,
        game: &G,
        state: &G::State,
        mask: NonZeroU64,
        mut take: impl FnMut(usize, G::Action),
    ) {
        let position = Position::new(game, state);
        let mut next = Some(mask);
        while let Some(left) = next {
            let seat = left.trailing_zeros() as usize;
            let Seated { agent, asked, .. } = &mut *self.seated[seat];
            take(seat, agent.act(Turn::new(&position, asked)));
            next = NonZeroU64::new(left.get() & (left.get() - 1));
        }
    }

    /// Counts decisions made through [`ask_all`](Self::ask_all).
    #[inline]
    pub fn count(&mut self, decisions: u64) {
        *self.decisions += decisions;
    }
}
