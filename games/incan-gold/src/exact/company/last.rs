//! The last round, for two players who want to win: the player with more points in the end gets 1, the other
//! 0, and a draw is half.
//!
//! The lone explorer knows the other's final points. Its state is the number of points it still needs, the
//! cards on the path, and the cost of a bust; leaving is right as soon as it wins, and never while it loses.
//! While both explore, their difference before the round stays constant. For each difference every position
//! is therefore a 2×2 matrix game: the first of two values leaves or stays, and so does the second. The
//! solution is mixed where necessary.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::policy::{Position, seen_size};
use super::super::rules::{ExactError, Rules};
use super::super::start::{Start, all_starts};
use super::decisions::Mixes;
use super::margin::Size;
use super::rows::{Gems, Place, Round};

/// The value of a result, by the difference of the final points.
fn result(ahead: i64) -> f64 {
    match ahead.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// Starts are solved on first use.
pub struct LastRound {
    rules: Rules,
    gems: Gems,
    left: BTreeMap<Start, OnceLock<Left>>,
    /// By start and difference of the tents.
    plans: Mutex<BTreeMap<(Start, i64), Arc<Plan>>>,
}

impl fmt::Debug for LastRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LastRound").field("rules", &self.rules).finish_non_exhaustive()
    }
}

struct Left {
    /// By multiset, and one more at the end: start of its row. The index in a row is the number of points
    /// needed to be even, from 0 to the most that can still come.
    rows: Vec<usize>,
    /// By hazards seen: the chance before the next card, with no artifact on the path, if a bust
    /// loses.
    needing: Vec<Box<[f32]>>,
    /// By hazards seen, then multiset: the same with an empty backpack, if a bust is a draw.
    empty: Vec<Box<[f32]>>,
    /// By artifacts on the path, hazards seen, multiset: true if a draw is good enough, if a bust loses.
    draws: Vec<Box<[bool]>>,
}

/// The strategies of two explorers, by artifacts on the path and hazards seen.
struct Plan {
    leave: Vec<Mixes>,
    chance: f64,
}

struct Chance {
    /// Gain needed to be even.
    target: i64,
    backpack: u32,
    /// The probability that the next card ends the round.
    risk: f64,
}

impl Left {
    /// The chance before the next card.
    fn before_card(&self, seen: usize, multiset: usize, chance: &Chance) -> f64 {
        let missing = chance.target - i64::from(chance.backpack);
        match (chance.target, missing) {
            (..0, _) => 1.0,
            (0, 0) => self.empty[seen][multiset].into(),
            (0, _) => 1.0 - chance.risk / 2.0,
            (_, ..0) => 1.0 - chance.risk,
            (_, missing) => {
                let row = &self.needing[seen][self.rows[multiset]..self.rows[multiset + 1]];
                row.get(missing as usize).copied().unwrap_or(0.0).into()
            }
        }
    }
}

impl LastRound {
    /// Fails if the rules are too large.
    pub fn new(rules: &Rules) -> Result<Self, ExactError> {
        Size::of(rules)?;
        rules.check_ties()?;
        let starts = all_starts(rules)?.pop().unwrap_or_default();
        let left = starts.into_iter().map(|start| (start, OnceLock::new())).collect();
        Ok(Self { rules: rules.clone(), gems: Gems::new(rules), left, plans: Mutex::default() })
    }

    /// The winning chance of a player who is `ahead` points ahead (behind, if it is negative) before the last
    /// round. It assumes that no artifact was claimed and no round was a bust; artifacts from the path are
    /// back in the deck.
    pub fn chance(&self, ahead: i64) -> f64 {
        let mut start = Start::initial(&self.rules);
        for round in 1..=self.rules.rounds {
            start = if round == 1 { start } else { start.after(&self.rules, 0, 0) }.enter(&self.rules, round);
        }
        self.plan(start, ahead).chance
    }

    /// The probability that an explorer leaves in the last round. `ahead` is its tent less the other's;
    /// `gems` are the values of the gem cards on the path, in any order. `None` if no game comes to such a
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
        let multiset = self.gems.table.index(gems)?;
        let place = on_path * seen_size(&start.kinds) + seen;
        self.left.get(&start)?;
        if explorers == 2 {
            return Some(self.plan(start, ahead).leave.get(place)?.at(multiset));
        }
        let worth = i64::from(start.worth(&self.rules, 0, on_path));
        let has = i64::from(position.backpack) + worth;
        let leaves = match has + ahead {
            // Nothing to lose: a bust is a draw.
            0 if ahead == 0 => false,
            0 => *self.left(start).draws.get(place)?.get(multiset)?,
            more => more > 0,
        };
        Some(if leaves { 1.0 } else { 0.0 })
    }

    fn left(&self, start: Start) -> &Left {
        self.left[&start].get_or_init(|| self.alone(start))
    }

    fn alone(&self, start: Start) -> Left {
        let gems = &self.gems;
        let round = Round::new(&self.rules, start, &|_| 0.0);
        let in_deck = usize::from(start.artifacts);
        let most = start.worth(&self.rules, 0, in_deck);
        let mut rows = vec![0];
        for sum in &gems.table.sums {
            rows.push(rows[rows.len() - 1] + (gems.all() - sum + most + 1) as usize);
        }
        let cells = rows[gems.len()];
        let seen = round.seen.len();
        let mut layers = vec![vec![0.0; cells]; seen];
        let mut empty_layers = vec![vec![0.0; gems.len()]; seen];
        let mut left = Left {
            rows,
            needing: vec![Box::default(); seen],
            empty: vec![Box::default(); seen],
            draws: vec![Box::default(); (in_deck + 1) * seen],
        };
        let mut drawn = vec![0.0; cells];
        let mut empty_drawn = vec![0.0; gems.len()];
        for on_path in (0..=in_deck).rev() {
            for seen_index in (0..seen).rev() {
                let place = round.place(on_path, seen_index);
                let mut values = std::mem::take(&mut layers[seen_index]);
                let mut empty = std::mem::take(&mut empty_layers[seen_index]);
                let mut draws = vec![false; gems.len()];
                for multiset in (0..gems.len()).rev() {
                    let row = left.rows[multiset]..left.rows[multiset + 1];
                    let worth = place.worth as usize;
                    let leaving = |missing: usize| result(worth as i64 - missing as i64);
                    let cards = place.deck(&gems.table, multiset);
                    let sums = &mut drawn[row.clone()];
                    if cards == 0 {
                        sums.iter_mut().enumerate().for_each(|(missing, sum)| *sum = leaving(missing));
                        empty_drawn[multiset] = leaving(0);
                    } else {
                        self.draw(&left.rows, &place, multiset, &values, &layers, sums);
                        empty_drawn[multiset] = self.draw_empty(&place, multiset, &empty, &empty_layers);
                    }
                    let mine = &mut values[row];
                    mine.copy_from_slice(sums);
                    // Leaving is right as soon as it wins.
                    mine[..worth].fill(1.0);
                    draws[multiset] = cards == 0 || sums[worth] <= 0.5;
                    mine[worth] = mine[worth].max(0.5);
                    empty[multiset] = if worth > 0 { 1.0 } else { empty_drawn[multiset].max(0.5) };
                }
                if on_path == 0 {
                    let rounded = |values: &[f64]| values.iter().map(|value| *value as f32).collect();
                    left.needing[seen_index] = rounded(&drawn);
                    left.empty[seen_index] = rounded(&empty_drawn);
                }
                left.draws[on_path * seen + seen_index] = draws.into();
                (layers[seen_index], empty_layers[seen_index]) = (values, empty);
            }
        }
        left
    }

    /// The chances after one more card, by points needed before it, if a bust loses.
    fn draw(
        &self,
        rows: &[usize],
        place: &Place,
        multiset: usize,
        values: &[f64],
        others: &[Vec<f64>],
        sums: &mut [f64],
    ) {
        sums.fill(0.0);
        let table = &self.gems.table;
        let add = |sums: &mut [f64], row: &[f64], cards: f64| {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += cards * value;
            }
        };
        for (&value, (next, cards)) in table.values.iter().zip(table.more(multiset)) {
            if cards > 0.0 {
                let (enough, short) = sums.split_at_mut(value as usize);
                enough.iter_mut().for_each(|sum| *sum += cards);
                add(short, &values[rows[next]..rows[next + 1]], cards);
            }
        }
        let row = rows[multiset]..rows[multiset + 1];
        for &(other, cards) in &place.hazards {
            add(sums, &others[other][row.clone()], cards);
        }
        if place.artifacts > 0.0 {
            add(sums, &values[row], place.artifacts);
        }
        let share = 1.0 / place.deck(table, multiset) as f64;
        sums.iter_mut().for_each(|sum| *sum *= share);
    }

    /// The chance after one more card with nothing in the backpack, if a bust is a draw.
    fn draw_empty(&self, place: &Place, multiset: usize, values: &[f64], others: &[Vec<f64>]) -> f64 {
        let table = &self.gems.table;
        let mut sum = 0.5 * place.risk + place.artifacts * values[multiset];
        for (&value, (next, cards)) in table.values.iter().zip(table.more(multiset)) {
            sum += cards * if value > 0 { 1.0 } else { values[next] };
        }
        sum += place.hazards.iter().map(|&(other, cards)| cards * others[other][multiset]).sum::<f64>();
        sum / place.deck(table, multiset) as f64
    }

    fn plan(&self, start: Start, ahead: i64) -> Arc<Plan> {
        let known = self.plans.lock().unwrap_or_else(PoisonError::into_inner).get(&(start, ahead)).cloned();
        known.unwrap_or_else(|| {
            let plan = Arc::new(self.together(start, ahead));
            let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(plans.entry((start, ahead)).or_insert(plan))
        })
    }

    fn together(&self, start: Start, ahead: i64) -> Plan {
        let gems = &self.gems;
        let even = result(ahead);
        let round = Round::new(&self.rules, start, &|_| even);
        let seen = round.seen.len();
        let in_deck = usize::from(start.artifacts);
        let mut layers = vec![vec![even; gems.len()]; seen];
        let mut leave: Vec<Mixes> = Vec::new();
        let mut odds = vec![0.0f32; gems.len()];
        for on_path in (0..=in_deck).rev() {
            let left = self.left(start.claimed_earlier(on_path as u8));
            for seen_index in (0..seen).rev() {
                let place = round.place(on_path, seen_index);
                let mut values = std::mem::take(&mut layers[seen_index]);
                for multiset in (0..gems.len()).rev() {
                    let cards = place.deck(&gems.table, multiset) as f64;
                    let drawn = if cards > 0.0 {
                        let mut sum = place.busts + place.artifacts * values[multiset];
                        sum +=
                            gems.table.more(multiset).map(|(next, cards)| cards * values[next]).sum::<f64>();
                        let other = |&(other, cards): &(usize, f64)| cards * layers[other][multiset];
                        (sum + place.hazards.iter().map(other).sum::<f64>()) / cards
                    } else {
                        even
                    };
                    let (half, spare) = (gems.half[multiset], gems.spare[multiset]);
                    let taken = i64::from(half + spare + place.worth);
                    let risk = if cards > 0.0 { place.risk / cards } else { 0.0 };
                    let chance = |target| {
                        left.before_card(seen_index, multiset, &Chance { target, backpack: half, risk })
                    };
                    let leaving = [even, 1.0 - chance(taken + ahead)];
                    let staying = [chance(taken - ahead), drawn];
                    let is_fresh = place.path == 0 && multiset == 0;
                    let (mine, value) = if is_fresh { (0.0, drawn) } else { solved(leaving, staying) };
                    (odds[multiset], values[multiset]) = (mine as f32, value);
                }
                leave.push(Mixes::new(&odds));
                layers[seen_index] = values;
            }
        }
        leave.reverse();
        Plan { leave, chance: layers[0][0] }
    }
}

/// Solves a 2×2 matrix game: the smallest optimal probability of the first row for the row player, and the
/// value.
fn solved(first: [f64; 2], second: [f64; 2]) -> (f64, f64) {
    let least = |row: [f64; 2]| row[0].min(row[1]);
    let (low, high) = (least(first).max(least(second)), first[0].max(second[0]).min(first[1].max(second[1])));
    if low >= high {
        return (if least(second) >= low { 0.0 } else { 1.0 }, low);
    }
    let all = first[0] + second[1] - first[1] - second[0];
    ((second[1] - second[0]) / all, (first[0] * second[1] - first[1] * second[0]) / all)
}
