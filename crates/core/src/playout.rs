//! The playout loop: whole episodes as fast as they go. Nothing is checked, recorded or allocated.

use std::num::NonZeroU64;

use crate::agent::{Agent, AgentInfo, AskedSeat, Desk, Turn, find_agent};
use crate::game::{FigureSheet, Game};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};
use crate::spec::{AgentError, AgentSpec};
use crate::stream::{ChanceStreams, EpisodeSeed, Stream};

/// How the players of a line-up are put on the seats of an episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seating {
    /// Player p sits at seat p, always.
    Fixed,
    /// Player p sits at seat (p + index) mod n: over n episodes everybody sits everywhere once.
    #[default]
    Rotate,
    /// A uniform permutation, drawn from the episode's seed.
    Shuffle,
    /// As `Rotate`, but n episodes in a row share their deal, so that everybody plays the same cards from
    /// every seat: episode i belongs to deal group i div n.
    DealGroups,
}

impl Seating {
    /// Writes who sits at each seat in episode `index`, and returns the episode's seed.
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

/// Out of line, so that the other seatings become part of the caller's loop.
#[inline(never)]
fn shuffle(seed: EpisodeSeed, player_at: &mut [u16]) {
    Stream::from_seed(seed.bits() ^ 0x5ea7).shuffle(player_at);
}

/// Builds the agents of a line-up, one per player.
///
/// # Errors
/// The first agent that does not exist or cannot be built.
pub fn build_agents<G: Game>(
    game: &G,
    known: &[AgentInfo<G>],
    line_up: &[AgentSpec],
) -> Result<Vec<Box<dyn Agent<G>>>, AgentError> {
    line_up.iter().map(|spec| find_agent(known, spec)?.build(game, spec)).collect()
}

/// The agents of a playout on their seats.
pub struct Table<G: Game> {
    /// By seat; boxed, because they change places before every episode, and padded with empty chairs to
    /// [`SeatSet::SIMULTANEOUS`], so that a mask of seats needs no check of its range.
    chairs: Vec<Box<Chair<G>>>,
    /// Where each player sits, by player.
    seat_of: Vec<u16>,
    decisions: u64,
}

struct Chair<G: Game> {
    agent: Box<dyn Agent<G>>,
    asked: AskedSeat<G>,
    player: u16,
}

/// Who sits on an empty chair.
struct Nobody;

impl<G: Game> Agent<G> for Nobody {
    fn act(&mut self, turn: Turn<'_, G>) -> G::Action {
        unreachable!("nobody sits at seat {}", turn.seat())
    }
}

impl<G: Game> Table<G> {
    fn new(agents: Vec<Box<dyn Agent<G>>>) -> Self {
        let seed = EpisodeSeed::new(0, 0);
        let seat_of = (0..agents.len() as u16).collect();
        let empty = SeatSet::SIMULTANEOUS.saturating_sub(agents.len());
        let nobody = (0..empty).map(|_| -> Box<dyn Agent<G>> { Box::new(Nobody) });
        let chair = |(index, agent)| {
            let asked = AskedSeat::new(seed, Seat::new(index));
            Box::new(Chair { agent, asked, player: index as u16 })
        };
        let chairs = agents.into_iter().chain(nobody).enumerate().map(chair).collect();
        Self { seat_of, chairs, decisions: 0 }
    }

    /// Puts everybody on the seat given, and begins an episode.
    fn sit_down(&mut self, game: &G, seed: EpisodeSeed, player_at: &[u16]) {
        self.decisions = 0;
        for (index, player) in player_at.iter().enumerate() {
            let occupant = self.chairs[index].player;
            if occupant != *player {
                let other = usize::from(self.seat_of[usize::from(*player)]);
                self.chairs.swap(index, other);
                self.seat_of[usize::from(occupant)] = other as u16;
                self.seat_of[usize::from(*player)] = index as u16;
            }
            let chair = &mut self.chairs[index];
            chair.asked.restart(seed, Seat::new(index));
            chair.agent.begin_episode(game, Seat::new(index));
        }
    }

    /// Asks the agent at `seat`, which owes a decision, without applying what it says.
    #[inline]
    pub fn ask(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Action {
        self.decisions += 1;
        let Chair { agent, asked, .. } = &mut *self.chairs[seat.index()];
        agent.act(Turn::new(&Desk::new(game, state), asked))
    }

    /// The seats of a table with simultaneous decisions; see [`SmallTable`].
    #[inline]
    pub fn small(&mut self) -> SmallTable<'_, G> {
        let chairs = self.chairs.first_chunk_mut().expect("tables are padded");
        SmallTable { chairs, decisions: &mut self.decisions }
    }

    /// Takes back the memory of an action of `seat` that was applied.
    #[inline]
    pub fn recycle(&mut self, seat: Seat, action: G::Action) {
        self.chairs[seat.index()].asked.recycle(action);
    }
}

/// The first [`SeatSet::SIMULTANEOUS`] seats of a table, all of which may owe a decision at once: the fastest
/// way to ask them.
pub struct SmallTable<'t, G: Game> {
    chairs: &'t mut [Box<Chair<G>>; SeatSet::SIMULTANEOUS],
    decisions: &'t mut u64,
}

impl<G: Game> SmallTable<'_, G> {
    /// Asks the agents at the seats of `mask` (bit i = seat i), which all owe a decision, in order, and hands
    /// what they say to `take`. Nothing is applied meanwhile. The caller counts: see [`count`](Self::count).
    #[inline]
    pub fn ask_all(
        &mut self,
        game: &G,
        state: &G::State,
        mask: NonZeroU64,
        mut take: impl FnMut(usize, G::Action),
    ) {
        let desk = Desk::new(game, state);
        let mut next = Some(mask);
        while let Some(left) = next {
            let seat = left.trailing_zeros() as usize;
            let Chair { agent, asked, .. } = &mut *self.chairs[seat];
            take(seat, agent.act(Turn::new(&desk, asked)));
            next = NonZeroU64::new(left.get() & (left.get() - 1));
        }
    }

    /// Counts the decisions that [`ask_all`](Self::ask_all) has asked for.
    #[inline]
    pub fn count(&mut self, decisions: u64) {
        *self.decisions += decisions;
    }
}

/// A game, its players and everything that playing needs, reused from episode to episode.
pub struct Playouts<'g, G: Game> {
    game: &'g G,
    table: Table<G>,
    player_at: Vec<u16>,
    state: G::State,
    chance: ChanceStreams,
    outcome: Outcome,
    figures: FigureSheet,
    turn_places: Vec<u16>,
}

/// One finished episode, as the laboratory sees it.
#[derive(Debug)]
pub struct EpisodeReport<'a> {
    /// The episode's index in its run.
    pub index: u64,
    /// Who sat where: the player (index into the line-up) by seat.
    pub player_at: &'a [u16],
    /// Scores, places, end reason.
    pub outcome: &'a Outcome,
    /// Its length, in the game's length unit.
    pub length: u64,
    /// Decisions made in it.
    pub decisions: u64,
    /// The game's own figures.
    pub figures: &'a FigureSheet,
    /// Place in the order of turns by seat, from 0; empty if turns go in the order of the seats.
    pub turn_places: &'a [u16],
}

impl<'g, G: Game> Playouts<'g, G> {
    /// Playouts of `game` by these agents, one per seat.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    pub fn new(game: &'g G, agents: Vec<Box<dyn Agent<G>>>) -> Self {
        assert_eq!(agents.len(), game.seats(), "one agent per seat");
        Self {
            game,
            player_at: (0..agents.len() as u16).collect(),
            table: Table::new(agents),
            state: game.initial_state(),
            chance: ChanceStreams::new(EpisodeSeed::new(0, 0)),
            outcome: Outcome::default(),
            figures: FigureSheet::default(),
            turn_places: Vec::new(),
        }
    }

    /// Plays episode `index` of the run with this root seed.
    #[inline]
    pub fn play(&mut self, root: u64, seating: Seating, index: u64) -> EpisodeReport<'_> {
        let seed = seating.arrange(root, index, &mut self.player_at);
        self.play_seated(seed, index)
    }

    /// Plays the episode with this seed, player p at seat p, whatever run it belongs to. `index` is what its report
    /// calls it.
    pub fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        for (slot, player) in self.player_at.iter_mut().zip(0..) {
            *slot = player;
        }
        self.play_seated(seed, index)
    }

    #[inline]
    fn play_seated(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        self.table.sit_down(self.game, seed, &self.player_at);
        self.chance.restart(seed);
        self.game.reset(&mut self.state);
        self.game.play_out(&mut self.state, &mut self.table, &mut self.chance);
        let decisions = self.table.decisions;
        self.outcome.clear();
        self.game.outcome(&self.state, &mut self.outcome);
        self.figures.clear();
        self.game.figures(&self.state, &mut self.figures);
        if self.game.draws_turn_order() {
            let (game, state) = (self.game, &self.state);
            self.turn_places.clear();
            self.turn_places.extend(Seat::all(game.seats()).map(|seat| game.turn_place(state, seat) as u16));
        }
        EpisodeReport {
            index,
            player_at: &self.player_at,
            outcome: &self.outcome,
            length: self.game.length(&self.state, decisions),
            decisions,
            figures: &self.figures,
            turn_places: &self.turn_places,
        }
    }

    /// The last state: of the finished episode, after [`play`](Self::play).
    pub fn state(&self) -> &G::State {
        &self.state
    }
}
