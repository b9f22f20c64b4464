//! The planner: builds whole turns from habits about targets, force, and the remaining pieces.

use meeple_core::Seat;

use crate::action::{Action, Departure};
use crate::board::by_class;
use crate::observe::Observation;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Habits {
    pub(crate) order: TargetOrder,
    pub(crate) force: Force,
    pub(crate) risk: Risk,
    pub(crate) threat: Threat,
}

/// The order in which certain captures are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetOrder {
    Strongest,
    /// Squares with the fewest pieces first, which brings more squares for the same pieces.
    Weakest,
}

/// The number of pieces that take a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Force {
    /// One more than the defenders.
    Least,
    All,
}

/// The squares that are spared although they can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Risk {
    /// No square is spared.
    Bold,
    /// Squares that a single adjacent owner could take back at once.
    Shy,
}

/// The fate of unused pieces on a border square that has a stronger foreign neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threat {
    Stand,
    /// The pieces go to the strongest adjacent own square.
    Retreat,
}

impl Habits {
    pub(crate) const HUNTER: Self =
        Self { order: TargetOrder::Strongest, force: Force::Least, risk: Risk::Bold, threat: Threat::Stand };

    /// All combinations; the hunter's is the first.
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

/// Plans turns. Its lists have an entry per square, padded to the size class of the board.
#[derive(Default)]
pub(crate) struct Planner {
    own: Vec<u16>,
    /// Pieces without a move yet, by square; 0 on foreign squares.
    available: Vec<u32>,
    /// Pieces sent, by square and direction; valid on own squares.
    counts: Vec<[i32; 4]>,
    /// Pieces and index of each foreign square that can certainly be taken.
    targets: Vec<(u32, u16)>,
    /// Steps from each square to a foreign one over own squares; `u16::MAX` if there is no path.
    distance: Vec<u16>,
    queue: Vec<u16>,
}

struct View<'a, const N: usize> {
    numbers: &'a [u32; N],
    owners: &'a [u16; N],
    neighbours: &'a [[u16; 4]; N],
    own: u16,
}

impl<const N: usize> View<'_, N> {
    /// The neighbours of a square. Indices below `N`, a power of two, need no bounds check.
    #[inline]
    fn around(&self, square: u16) -> [usize; 4] {
        self.neighbours[usize::from(square) % N].map(|near| usize::from(near) % N)
    }
}

const PADDED: &str = "lists by square are padded to the class of the board";

impl Planner {
    pub(crate) fn plan(
        &mut self,
        observation: &Observation<'_>,
        me: Seat,
        habits: Habits,
        action: &mut Action,
    ) {
        by_class!(observation.class(), Self::plan_on(self, observation, me, habits, action));
    }

    fn plan_on<const N: usize, const W: usize>(
        &mut self,
        observation: &Observation<'_>,
        me: Seat,
        habits: Habits,
        action: &mut Action,
    ) {
        let view: View<'_, N> = View {
            numbers: observation.padded_numbers().first_chunk().expect(PADDED),
            owners: observation.padded_owners().first_chunk().expect(PADDED),
            neighbours: observation.padded_neighbours().first_chunk().expect(PADDED),
            own: me.index() as u16,
        };
        action.0.clear();
        self.own.clear();
        self.own.extend(observation.squares(me).map(|square| square as u16));
        self.look(&view);
        self.take(&view, habits);
        self.move_rest(&view, habits.threat);
        for square in &self.own {
            let counts = self.counts[usize::from(*square)];
            if counts != [0; 4] {
                let place = observation.place(usize::from(*square));
                action.0.push(Departure { row: place.row.into(), column: place.column.into(), counts });
            }
        }
    }

    /// Finds the foreign squares at the border, and the distance of each own square from them.
    fn look<const N: usize>(&mut self, view: &View<'_, N>) {
        self.available.clear();
        self.available.resize(N, 0);
        self.distance.clear();
        self.distance.resize(N, u16::MAX);
        self.counts.resize(N, [0; 4]);
        self.targets.clear();
        self.queue.clear();
        let available: &mut [u32; N] = self.available.first_chunk_mut().expect(PADDED);
        let distance: &mut [u16; N] = self.distance.first_chunk_mut().expect(PADDED);
        let counts: &mut [_; N] = self.counts.first_chunk_mut().expect(PADDED);
        for square in &self.own {
            let square = usize::from(*square) % N;
            available[square] = view.numbers[square];
            counts[square] = [0; 4];
        }
        for square in &self.own {
            let mut is_at_border = false;
            for target in view.around(*square) {
                if view.owners[target] == view.own {
                    continue;
                }
                is_at_border = true;
                if distance[target] != 0 {
                    distance[target] = 0;
                    let number = view.numbers[target];
                    if supply(available, view.around(target as u16)) > number {
                        self.targets.push((number, target as u16));
                    }
                }
            }
            if is_at_border {
                distance[usize::from(*square) % N] = 1;
                self.queue.push(*square);
            }
        }
        let mut head = 0;
        while let Some(&square) = self.queue.get(head) {
            head += 1;
            let next = distance[usize::from(square) % N] + 1;
            for near in view.around(square) {
                // Foreign squares already have a distance.
                if distance[near] == u16::MAX {
                    distance[near] = next;
                    self.queue.push(near as u16);
                }
            }
        }
    }

    fn take<const N: usize>(&mut self, view: &View<'_, N>, habits: Habits) {
        match habits.order {
            TargetOrder::Strongest => self.targets.sort_unstable_by(|a, b| b.cmp(a)),
            TargetOrder::Weakest => self.targets.sort_unstable(),
        }
        let available: &mut [u32; N] = self.available.first_chunk_mut().expect(PADDED);
        let counts: &mut [[i32; 4]; N] = self.counts.first_chunk_mut().expect(PADDED);
        for &(number, target) in &self.targets {
            let around = view.around(target);
            let supply = supply(available, around);
            if supply <= number {
                continue;
            }
            let mut need = match habits.force {
                Force::Least => number + 1,
                Force::All => supply,
            };
            if habits.risk == Risk::Shy && number + need < threat_to(view, around) {
                continue;
            }
            for (direction, source) in around.into_iter().enumerate() {
                let sent = need.min(available[source]);
                if sent > 0 {
                    // A target lies north of its southern neighbour, so the direction is reversed.
                    counts[source][direction ^ 1] += sent as i32;
                    available[source] -= sent;
                    need -= sent;
                }
            }
        }
    }

    fn move_rest<const N: usize>(&mut self, view: &View<'_, N>, threat: Threat) {
        let available: &[u32; N] = self.available.first_chunk().expect(PADDED);
        let distance: &[u16; N] = self.distance.first_chunk().expect(PADDED);
        let counts: &mut [[i32; 4]; N] = self.counts.first_chunk_mut().expect(PADDED);
        for square in &self.own {
            let at = usize::from(*square) % N;
            let (left, steps) = (available[at], distance[at]);
            if left == 0 || (steps == 1 && threat == Threat::Stand) {
                continue;
            }
            let around = view.around(*square);
            let to = if steps > 1 {
                // Without foreign squares, all directions are equally good.
                around.iter().position(|near| distance[*near] < steps).or(Some(0))
            } else {
                let is_own = |near: &usize| view.owners[*near] == view.own;
                let foreign = around.iter().filter(|near| !is_own(near));
                let is_stronger = foreign.map(|near| view.numbers[*near]).any(|number| number > left);
                let own_ones = (0..4).filter(|direction| is_own(&around[*direction]));
                let refuge = own_ones.max_by_key(|direction| view.numbers[around[*direction]]);
                refuge.filter(|_| is_stronger)
            };
            if let Some(to) = to {
                counts[at][to] += left as i32;
            }
        }
    }
}

/// The available pieces around a square. On the smallest boards, opposite sides may have the same neighbour.
#[inline]
fn supply<const N: usize>(available: &[u32; N], around: [usize; 4]) -> u32 {
    let [north, south, east, west] = around.map(|near| near % N);
    let south_too = if south == north { 0 } else { available[south] };
    let west_too = if west == east { 0 } else { available[west] };
    available[north] + available[east] + south_too + west_too
}

/// The largest number of pieces that a single other owner has around a square.
fn threat_to<const N: usize>(view: &View<'_, N>, around: [usize; 4]) -> u32 {
    let of = |owner: u16| -> u32 {
        around.iter().filter(|other| view.owners[**other] == owner).map(|other| view.numbers[*other]).sum()
    };
    let others = around.iter().map(|other| view.owners[*other]);
    others.filter(|owner| *owner != view.own).map(of).max().unwrap_or(0)
}
