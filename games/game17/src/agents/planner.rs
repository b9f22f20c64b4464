//! Whole turns by a few habits: which foreign squares are taken, with how much, and what the rest does.

use meeple_core::Seat;

use crate::action::{Action, Departure};
use crate::observe::Observation;

/// Habits of a planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Habits {
    pub(crate) order: TargetOrder,
    pub(crate) force: Force,
    pub(crate) risk: Risk,
    pub(crate) threat: Threat,
}

/// Which of the squares that can surely be taken are taken first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetOrder {
    /// Those with most pieces.
    Strongest,
    /// Those with fewest: more squares for the same pieces.
    Weakest,
}

/// How many pieces take a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Force {
    /// One more than stand there.
    Least,
    /// All that stand around and are not needed elsewhere.
    All,
}

/// Which squares are left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Risk {
    /// None.
    Bold,
    /// Those that a single owner around could take back at once.
    Shy,
}

/// What pieces do on a border square with a stronger foreign one beside it, if nobody needs them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threat {
    /// They stay.
    Stand,
    /// They go to the strongest own square beside them.
    Retreat,
}

impl Habits {
    /// Those of the hunter.
    pub(crate) const HUNTER: Self =
        Self { order: TargetOrder::Strongest, force: Force::Least, risk: Risk::Bold, threat: Threat::Stand };

    /// All habits, those of the hunter first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [TargetOrder::Strongest, TargetOrder::Weakest].into_iter().flat_map(|order| {
            [Force::Least, Force::All].into_iter().flat_map(move |force| {
                [Risk::Bold, Risk::Shy].into_iter().flat_map(move |risk| {
                    [Threat::Stand, Threat::Retreat].into_iter().map(move |threat| Self {
                        order,
                        force,
                        risk,
                        threat,
                    })
                })
            })
        })
    }
}

/// Makes plans; keeps the memory that it works in.
#[derive(Default)]
pub(crate) struct Planner {
    available: Vec<u32>,
    departures: Vec<Departure>,
    targets: Vec<(u32, usize)>,
    distance: Vec<u16>,
    queue: Vec<usize>,
}

impl Planner {
    /// Writes the turn of `me` by these habits.
    pub(crate) fn plan(
        &mut self,
        observation: &Observation<'_>,
        me: Seat,
        habits: Habits,
        action: &mut Action,
    ) {
        action.0.clear();
        self.look(observation, me);
        self.take(observation, me, habits);
        self.move_rest(observation, me, habits.threat);
        for square in observation.squares(me) {
            if self.departures[square].counts != [0; 4] {
                action.0.push(self.departures[square]);
            }
        }
    }

    /// Finds foreign squares at the border, and how far own ones are from them.
    fn look(&mut self, observation: &Observation<'_>, me: Seat) {
        let own = me.index() as u16;
        let (numbers, owners) = (observation.numbers(), observation.owners());
        self.available.clear();
        self.available.resize(numbers.len(), 0);
        self.departures.clear();
        self.departures.resize(numbers.len(), Departure::default());
        self.targets.clear();
        self.distance.clear();
        self.distance.resize(numbers.len(), u16::MAX);
        self.queue.clear();
        for square in observation.squares(me) {
            self.available[square] = numbers[square];
            let place = observation.place(square);
            self.departures[square].row = place.row.into();
            self.departures[square].column = place.column.into();
        }
        for square in observation.squares(me) {
            for target in observation.neighbours(square) {
                if owners[target] != own && self.distance[target] != 0 {
                    self.distance[target] = 0;
                    self.queue.push(target);
                    self.targets.push((numbers[target], target));
                }
            }
        }
        let mut head = 0;
        while let Some(&square) = self.queue.get(head) {
            head += 1;
            for next in observation.neighbours(square) {
                if owners[next] == own && self.distance[next] == u16::MAX {
                    self.distance[next] = self.distance[square] + 1;
                    self.queue.push(next);
                }
            }
        }
    }

    /// Takes what can surely be taken.
    fn take(&mut self, observation: &Observation<'_>, me: Seat, habits: Habits) {
        let own = me.index() as u16;
        let owners = observation.owners();
        self.targets.sort_unstable_by(|a, b| b.cmp(a));
        if habits.order == TargetOrder::Weakest {
            self.targets.reverse();
        }
        for &(number, target) in &self.targets {
            let around = observation.neighbours(target);
            let mut sources = around;
            sources.sort_unstable();
            let mut supply = 0;
            for (index, source) in sources.iter().enumerate() {
                if owners[*source] == own && (index == 0 || sources[index - 1] != *source) {
                    supply += self.available[*source];
                }
            }
            if supply <= number {
                continue;
            }
            let mut need = match habits.force {
                Force::Least => number + 1,
                Force::All => supply,
            };
            if habits.risk == Risk::Shy && number + need < threat_to(observation, target, own) {
                continue;
            }
            for (direction, source) in around.into_iter().enumerate() {
                if owners[source] != own {
                    continue;
                }
                let sent = need.min(self.available[source]);
                // The target lies north of its southern neighbour.
                self.departures[source].counts[direction ^ 1] += sent as i32;
                self.available[source] -= sent;
                need -= sent;
            }
        }
    }

    /// Marches what is left towards the border, and there lets it stand or go back.
    fn move_rest(&mut self, observation: &Observation<'_>, me: Seat, threat: Threat) {
        let own = me.index() as u16;
        let (numbers, owners) = (observation.numbers(), observation.owners());
        for square in observation.squares(me) {
            let left = self.available[square];
            if left == 0 {
                continue;
            }
            let around = observation.neighbours(square);
            let strongest =
                around.iter().filter(|other| owners[**other] != own).map(|other| numbers[*other]).max();
            let to = match strongest {
                None => (0..4).min_by_key(|direction| self.distance[around[*direction]]),
                Some(strongest) if threat == Threat::Retreat && strongest > left => {
                    let own_ones = (0..4).filter(|direction| owners[around[*direction]] == own);
                    own_ones.max_by_key(|direction| numbers[around[*direction]])
                }
                Some(_) => continue,
            };
            if let Some(to) = to {
                self.departures[square].counts[to] += left as i32;
            }
        }
    }
}

/// Most pieces that a single other owner has around a square.
fn threat_to(observation: &Observation<'_>, square: usize, own: u16) -> u32 {
    let (numbers, owners) = (observation.numbers(), observation.owners());
    let around = observation.neighbours(square);
    let of = |owner: u16| -> u32 {
        around.iter().filter(|other| owners[**other] == owner).map(|other| numbers[*other]).sum()
    };
    let others = around.iter().map(|other| owners[*other]);
    others.filter(|owner| *owner != own).map(of).max().unwrap_or(0)
}
