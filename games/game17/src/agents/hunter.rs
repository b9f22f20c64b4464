//! The hunter: sure captures first.

use meeple_core::{Agent, Turn};

use crate::action::{Action, Departure};
use crate::game::Game17;

/// Takes every foreign square it can take for sure, then marches the rest towards the border.
#[derive(Default)]
pub(crate) struct Hunter {
    available: Vec<u32>,
    departures: Vec<Departure>,
    targets: Vec<(u32, usize)>,
    distance: Vec<u16>,
    queue: Vec<usize>,
}

impl Agent<Game17> for Hunter {
    fn act(&mut self, mut turn: Turn<'_, Game17>) -> Action {
        let mut action = turn.recycled_action();
        action.0.clear();
        let observation = turn.observe();
        let me = turn.seat();
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
        self.targets.sort_unstable_by(|a, b| b.cmp(a));
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
            let mut need = number + 1;
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
        for square in observation.squares(me) {
            let left = self.available[square];
            if left == 0 {
                continue;
            }
            let around = observation.neighbours(square);
            let threat =
                around.iter().filter(|other| owners[**other] != own).map(|other| numbers[*other]).max();
            if threat.is_none() {
                let best = (0..4).min_by_key(|direction| self.distance[around[*direction]]).unwrap_or(0);
                self.departures[square].counts[best] += left as i32;
            }
        }
        for square in observation.squares(me) {
            if self.departures[square].counts != [0; 4] {
                action.0.push(self.departures[square]);
            }
        }
        action
    }
}
