//! The last round for two players who want to win. The player with more final points gets 1 and the other 0;
//! a draw gives each 1/2.
//!
//! The lone explorer knows the other's final points. Its state is the number of points it still needs, the
//! cards on the path, and the cost of a bust. Leaving is right as soon as it wins, and wrong while it loses.
//!
//! While both explore, their difference before the round stays constant. So for each difference, every
//! position is a 2×2 matrix game: each player leaves or stays. Its solution is mixed where necessary.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::induction::{Layers, Round};
use super::super::party::{Level, Party};
use super::super::policy::{Position, seen_size};
use super::super::rules::{ExactError, Rules};
use super::super::start::{Start, all_starts};
use super::decisions::Mixes;
use super::margin::Size;

/// The value of a result, by the difference of the final points.
fn result(ahead: i64) -> f64 {
    match ahead.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// The equilibrium of two players who want to win, in the last round. Starts are solved on first use.
pub struct LastRound {
    rules: Rules,
    party: Party,
    left: BTreeMap<Start, OnceLock<Left>>,
    /// The plan of two explorers, by start and by the first player's lead.
    plans: Mutex<BTreeMap<(Start, i64), Arc<Plan>>>,
}

impl fmt::Debug for LastRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LastRound").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The solution for the lone explorer.
struct Left {
    /// The rows of `needing`. Each cell stands for a number of points that the explorer needs to be even. The
    /// numbers fall from the most that can still come to 0. Then follow `won` cells, for explorers who need
    /// fewer than 0.
    level: Level,
    won: usize,
    /// By hazards seen: the chance of winning before the next card, if no artifact is on the path and a bust
    /// loses.
    needing: Vec<Box<[f32]>>,
    /// By hazards seen, then by multiset: the chance of winning before the next card, if the backpack is
    /// empty and a bust is a draw.
    empty: Vec<Box<[f32]>>,
    /// By artifacts on the path and hazards seen, then by multiset: true if leaving with a draw is best,
    /// where a bust loses.
    draws: Vec<Box<[bool]>>,
}

/// The strategies of two explorers, by artifacts on the path and hazards seen.
struct Plan {
    leave: Vec<Mixes>,
    chance: f64,
}

/// The situation of the lone explorer.
struct Chance {
    /// The number of points that it needs in this round to be even.
    target: i64,
    backpack: u32,
    /// The probability that the next card ends the round.
    risk: f64,
}

impl Left {
    /// The chance of winning before the next card.
    fn before_card(&self, seen: usize, multiset: usize, chance: &Chance) -> f64 {
        let missing = chance.target - i64::from(chance.backpack);
        match (chance.target, missing) {
            (..0, _) => 1.0,
            (0, 0) => self.empty[seen][multiset].into(),
            (0, _) => 1.0 - chance.risk / 2.0,
            (_, ..0) => 1.0 - chance.risk,
            (_, missing) => {
                let row = &self.needing[seen][self.level.block(multiset)];
                let even = row.len() - 1 - self.won;
                even.checked_sub(missing as usize).map_or(0.0, |cell| row[cell].into())
            }
        }
    }
}

impl LastRound {
    /// Prepares the solver for these rules.
    ///
    /// # Errors
    /// If the rules are too large.
    pub fn new(rules: &Rules) -> Result<Self, ExactError> {
        let (_, party) = Size::with_party(rules)?;
        rules.check_ties()?;
        let starts = all_starts(rules)?.pop().unwrap_or_default();
        let left = starts.into_iter().map(|start| (start, OnceLock::new())).collect();
        Ok(Self { rules: rules.clone(), party, left, plans: Mutex::default() })
    }

    /// The chance of winning of a player who is `ahead` points ahead before the last round, or behind if
    /// `ahead` is negative. It assumes that no artifact was claimed and no round was a bust, and that
    /// artifacts from the path are back in the deck.
    pub fn chance(&self, ahead: i64) -> f64 {
        let mut start = Start::initial(&self.rules);
        for round in 1..=self.rules.rounds {
            start = if round == 1 { start } else { start.after(&self.rules, 0, 0) }.enter(&self.rules, round);
        }
        self.plan(start, ahead).chance
    }

    /// The probability that an explorer leaves in the last round. `ahead` is its tent minus the other's.
    /// `gems` are the values of the gem cards on the path, in any order. `None` if no game reaches the
    /// position.
    pub fn odds(
        &self,
        position: &Position<'_>,
        explorers: u32,
        ahead: i64,
        gems: impl IntoIterator<Item = u32>,
    ) -> Option<f64> {
        let (start, seen) = position.place()?;
        let on_path = position.artifacts_on_path as usize;
        let multiset = self.party.table.index(gems)?;
        let place = on_path * seen_size(&start.kinds) + seen;
        self.left.get(&start)?;
        if explorers == 2 {
            return Some(self.plan(start, ahead).leave.get(place)?.at(multiset));
        }
        let worth = i64::from(start.worth(&self.rules, 0, on_path));
        let has = i64::from(position.backpack) + worth;
        let leaves = match has + ahead {
            // The explorer has nothing to lose, because a bust is a draw.
            0 if ahead == 0 => false,
            0 => *self.left(start).draws.get(place)?.get(multiset)?,
            more => more > 0,
        };
        Some(if leaves { 1.0 } else { 0.0 })
    }

    fn left(&self, start: Start) -> &Left {
        self.left[&start].get_or_init(|| self.alone(start))
    }

    /// Solves for a lone explorer.
    fn alone(&self, start: Start) -> Left {
        let Self { rules, party, .. } = self;
        // The two cases: a bust loses, or a bust is a draw.
        let [losing, drawing] = [-1, 0].map(|ahead| Round::new(rules, start, &|_| result(ahead)));
        let in_deck = usize::from(start.artifacts);
        let most = start.worth(rules, 0, in_deck) as usize;
        let won = party.table.values.last().map_or(0, |value| *value as usize);
        let widths = (0..party.multisets()).map(|multiset| party.left(multiset) as usize + most + 1 + won);
        let values = party.table.values.iter();
        let level = Level::new(widths.map(|width| (width, 1)), values.clone().map(|_| (0, 0)));
        // Two cells: an empty backpack, and any other backpack, which wins.
        let two_cells = Level::new(
            (0..party.multisets()).map(|_| (2, 1)),
            values.map(|value| (usize::from(*value > 0), 0)),
        );
        let (mut layers, mut empty_layers) =
            (Layers::<1>::new(&party.table, &level), Layers::<1>::new(&party.table, &two_cells));
        layers.prepare(&losing);
        empty_layers.prepare(&drawing);
        let mut needing: Vec<Box<[f32]>> = vec![Box::default(); losing.seen.len()];
        let mut empty = needing.clone();
        let mut draws = Vec::new();
        let mut drawn = vec![0.0; level.cells()];
        let mut empty_drawn = vec![0.0; party.multisets()];
        for (place, drawing) in losing.places().zip(drawing.places()) {
            let worth = place.worth as usize;
            let has_cards = |multiset| place.deck(&party.table, multiset) > 0;
            let mut draw_is_enough = vec![false; party.multisets()];
            layers.visit(&place, |multiset, mut draw| {
                let [row] = draw.block();
                let even = row.len() - 1 - won - worth;
                let sums = &mut drawn[level.block(multiset)][..even + worth + 1];
                if has_cards(multiset) {
                    draw.values_after(0, sums);
                } else {
                    (0..).zip(&mut *sums).for_each(|(cell, sum)| *sum = result(cell - even as i64));
                }
                let [row] = draw.block();
                row[..=even].copy_from_slice(&sums[..=even]);
                draw_is_enough[multiset] = !has_cards(multiset) || sums[even] <= 0.5;
                row[even] = row[even].max(0.5);
                // Leaving is right as soon as it wins.
                row[even + 1..].fill(1.0);
            });
            empty_layers.visit(&drawing, |multiset, mut draw| {
                let leaving = result(worth as i64);
                let mut stay = [leaving];
                // If a gem on the path gave a share, no backpack is empty.
                if party.least[multiset] == 0 && has_cards(multiset) {
                    draw.values_after(0, &mut stay);
                }
                empty_drawn[multiset] = stay[0];
                draw.block()[0].copy_from_slice(&[stay[0].max(leaving), 1.0]);
            });
            if place.on_path == 0 {
                let rounded = |values: &[f64]| values.iter().map(|value| *value as f32).collect();
                needing[place.seen] = rounded(&drawn);
                empty[place.seen] = rounded(&empty_drawn);
            }
            draws.push(draw_is_enough.into());
        }
        draws.reverse();
        Left { level, won, needing, empty, draws }
    }

    /// The plan of two explorers, if the first is `ahead` points ahead.
    fn plan(&self, start: Start, ahead: i64) -> Arc<Plan> {
        let known = self.plans.lock().unwrap_or_else(PoisonError::into_inner).get(&(start, ahead)).cloned();
        known.unwrap_or_else(|| {
            let plan = Arc::new(self.together(start, ahead));
            let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(plans.entry((start, ahead)).or_insert(plan))
        })
    }

    fn together(&self, start: Start, ahead: i64) -> Plan {
        let party = &self.party;
        let even = result(ahead);
        let round = Round::new(&self.rules, start, &|_| even);
        let mut layers = Layers::<1>::of(party, 2);
        layers.prepare(&round);
        let mut leave: Vec<Mixes> = Vec::new();
        let mut odds = vec![0.0f32; party.multisets()];
        for place in round.places() {
            let left = self.left(start.claimed_earlier(place.on_path as u8));
            layers.visit(&place, |multiset, mut draw| {
                let cards = place.deck(&party.table, multiset) as f64;
                let drawn = if cards > 0.0 { draw.value_after(0) } else { even };
                let (half, spare) = (party.least[multiset], party.spare[multiset]);
                let taken = i64::from(half + spare + place.worth);
                let risk = if cards > 0.0 { place.risk / cards } else { 0.0 };
                let chance =
                    |target| left.before_card(place.seen, multiset, &Chance { target, backpack: half, risk });
                let leaving = [even, 1.0 - chance(taken + ahead)];
                let staying = [chance(taken - ahead), drawn];
                let (mine, value) =
                    if place.is_fresh(multiset) { (0.0, drawn) } else { solved(leaving, staying) };
                odds[multiset] = mine as f32;
                draw.set(value);
            });
            leave.push(Mixes::new(&odds));
        }
        leave.reverse();
        Plan { leave, chance: layers.first()[0] }
    }
}

/// Solves a 2×2 matrix game: the smallest optimal probability of the row player's first row, and the value.
fn solved(first: [f64; 2], second: [f64; 2]) -> (f64, f64) {
    let least = |row: [f64; 2]| row[0].min(row[1]);
    let (low, high) = (least(first).max(least(second)), first[0].max(second[0]).min(first[1].max(second[1])));
    if low >= high {
        return (if least(second) >= low { 0.0 } else { 1.0 }, low);
    }
    let all = first[0] + second[1] - first[1] - second[0];
    ((second[1] - second[0]) / all, (first[0] * second[1] - first[1] * second[0]) / all)
}
