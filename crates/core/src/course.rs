//! The course of an episode: its leaders over time, turns and forced decisions.

use crate::game::Game;
use crate::info::ActionKind;
use crate::phase::Phase;
use crate::playable::Playable;
use crate::seat::Seat;
use crate::stream::ChanceStreams;
use crate::table::PlayoutTable;

/// The course of an episode, recorded while it is played.
///
/// A seat leads if it alone has the highest current score ([`Game::score`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    decisions: u64,
    forced: Option<u64>,
    turns: u64,
    /// Changes of the leader, oldest first, each with the number of decisions before it. A start without a
    /// leader is not stored.
    leads: Vec<Lead>,
    last: Option<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lead {
    from: u64,
    leader: Option<Seat>,
}

impl Course {
    /// Number of decisions.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Number of decisions with a single legal action; `None` if actions cannot be listed.
    pub fn forced(&self) -> Option<u64> {
        self.forced
    }

    /// Number of turns: runs of consecutive decisions of one seat. Each simultaneous decision is a turn of
    /// its own.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Number of times that one seat took the lead from another; intervals without a leader are skipped.
    pub fn lead_changes(&self) -> u64 {
        let mut leaders = self.leads.iter().filter_map(|lead| lead.leader);
        let Some(mut last) = leaders.next() else { return 0 };
        leaders.filter(|leader| std::mem::replace(&mut last, *leader) != *leader).count() as u64
    }

    /// The leader after `decisions` decisions; `None` if several seats shared the highest score.
    pub fn leader_after(&self, decisions: u64) -> Option<Seat> {
        let reached = self.leads.partition_point(|lead| lead.from <= decisions);
        reached.checked_sub(1).and_then(|last| self.leads[last].leader)
    }

    fn clear(&mut self, counts_forced: bool) {
        self.leads.clear();
        *self = Self {
            forced: counts_forced.then_some(0),
            leads: std::mem::take(&mut self.leads),
            ..Self::default()
        };
    }

    fn note_leader<G: Game>(&mut self, game: &G, state: &G::State) {
        let (mut most, mut leader) = (i64::MIN, None);
        for seat in Seat::all(game.seats()) {
            let score = game.score(state, seat);
            if score > most {
                (most, leader) = (score, Some(seat));
            } else if score == most {
                leader = None;
            }
        }
        // A lead that ends before the next decision does not count.
        self.leads.pop_if(|lead| lead.from == self.decisions);
        if self.leads.last().and_then(|lead| lead.leader) != leader {
            self.leads.push(Lead { from: self.decisions, leader });
        }
    }

    /// As [`Playable::play_out`], but also records the course.
    pub(crate) fn play_out<G: Playable>(
        &mut self,
        game: &G,
        state: &mut G::State,
        table: &mut PlayoutTable<G>,
        streams: &mut ChanceStreams,
    ) {
        self.clear(game.info().actions == ActionKind::Listed);
        let mut actions = Vec::new();
        loop {
            self.note_leader(game, state);
            match game.phase(state) {
                Phase::Chance => game.resolve_chance(state, streams, &mut crate::event::NoEvents),
                Phase::Decide(seats) => {
                    let alone = seats.len() == 1;
                    for seat in seats {
                        if let Some(forced) = &mut self.forced {
                            actions.clear();
                            game.legal_actions(state, seat, &mut actions);
                            *forced += u64::from(actions.len() == 1);
                        }
                        self.turns += u64::from(!alone || self.last != Some(seat));
                        self.last = alone.then_some(seat);
                        let action = table.ask(game, state, seat);
                        game.apply_unchecked(state, seat, &action, &mut crate::event::NoEvents);
                        table.recycle(seat, action);
                        self.decisions += 1;
                    }
                }
                Phase::Over => return,
            }
        }
    }
}
