//! Fights: the effect of a roll, and exact probabilities of winning.

use crate::ship::Class;
use crate::variant::DIE;

/// R6.3: the fight points that a roll takes from initiator and defender. The higher die takes the difference
/// from the other side. A defender whose range does not reach the initiator takes nothing.
#[inline]
pub fn hit(initiator: u8, defender: u8, defender_reaches: bool) -> [u8; 2] {
    let taken = defender.saturating_sub(initiator);
    [if defender_reaches { taken } else { 0 }, initiator.saturating_sub(defender)]
}

/// Exact probabilities that the initiator wins, for fight points and free rolls up to a limit. In a free roll
/// the defender's range does not reach the initiator.
#[derive(Clone, Debug)]
pub struct FightTable {
    points: usize,
    free: usize,
    /// Probabilities by free rolls, then initiator's points, then defender's points.
    win: Vec<f64>,
}

impl FightTable {
    /// Computes all entries up to `points` points of each side and `free` free rolls.
    pub fn new(points: usize, free: usize) -> Self {
        let mut table = Self { points, free, win: Vec::with_capacity((free + 1) * (points + 1).pow(2)) };
        for free in 0..=free {
            for a in 0..=points {
                for b in 0..=points {
                    let win = table.step(a, b, free);
                    table.win.push(win);
                }
            }
        }
        table
    }

    /// Computes an entry from entries with fewer points or free rolls.
    fn step(&self, a: usize, b: usize, free: usize) -> f64 {
        let sides = f64::from(DIE);
        let tie = 1.0 / sides;
        let mut win = 0.0;
        for k in 1..usize::from(DIE) {
            let chance = (sides - k as f64) / (sides * sides);
            let rest = free.saturating_sub(1);
            win += chance * if k > b { 1.0 } else { self.at(a, b - k, rest) };
            win += chance
                * match free {
                    0 if k > a => 0.0,
                    0 => self.at(a - k, b, 0),
                    _ => self.at(a, b, rest),
                };
        }
        // Equal dice repeat the roll. In a free roll they still reduce the distance.
        if free == 0 { win / (1.0 - tie) } else { win + tie * self.at(a, b, free - 1) }
    }

    #[inline]
    fn at(&self, a: usize, b: usize, free: usize) -> f64 {
        self.win[(free * (self.points + 1) + a) * (self.points + 1) + b]
    }

    /// Probability that the initiator wins with `a` points against `b`, if the next `free` rolls cannot hit
    /// the initiator. Numbers above the table's limits count as the limits.
    #[inline]
    pub fn win(&self, a: usize, b: usize, free: usize) -> f64 {
        self.at(a.min(self.points), b.min(self.points), free.min(self.free))
    }
}

/// Probability that the initiator wins with `a` points against `b`, if the next `free` rolls cannot hit the
/// initiator. The fight is broken off after `rolls` rolls. Then the side with more points wins; at equal
/// points it is the defender (R6.9).
///
/// The result is exact up to rounding of 64-bit floats. The sum over undecided fights stops when their
/// probability is below 10^-18.
pub fn win_in_rolls(a: usize, b: usize, free: usize, rolls: usize) -> f64 {
    const NOTHING: f64 = 1e-18;
    let sides = f64::from(DIE);
    // Probability of each state, by points left of initiator and defender.
    let mut now = vec![0.0; (a + 1) * (b + 1)];
    now[a * (b + 1) + b] = 1.0;
    let mut won = 0.0;
    for roll in 0..rolls {
        let mut next: Vec<f64> = now.iter().map(|share| share / sides).collect();
        for (index, share) in now.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let (own, theirs) = (index / (b + 1), index % (b + 1));
            for k in 1..usize::from(DIE) {
                let share = share * (sides - k as f64) / (sides * sides);
                match theirs.checked_sub(k) {
                    Some(theirs) => next[own * (b + 1) + theirs] += share,
                    None => won += share,
                }
                // In a free roll the initiator loses nothing.
                let lost = if roll < free { 0 } else { k };
                if let Some(own) = own.checked_sub(lost) {
                    next[own * (b + 1) + theirs] += share;
                }
            }
        }
        now = next;
        if now.iter().sum::<f64>() < NOTHING {
            break;
        }
    }
    let ahead = now.iter().enumerate().filter(|(index, _)| index / (b + 1) > index % (b + 1));
    won + ahead.map(|(_, share)| share).sum::<f64>()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    pub class: Class,
    pub mounted: u16,
}

impl Fighter {
    pub const fn new(class: Class, mounted: u16) -> Self {
        Self { class, mounted }
    }
}
