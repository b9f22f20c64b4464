//! Self-organising recurrent networks: binary units that hear a position, what changes in it, and what they said before.
//!
//! After Lazar, Pipa and Triesch (2009). So many units with the highest drive fire (`winners`). While it learns, a link grows
//! where one unit fired before the other and shrinks where it fired after it (STDP), what comes into a unit stays 1 in sum
//! (synaptic normalisation), and a unit that fires too often gets harder to excite (intrinsic plasticity). Nothing of that
//! knows what is wanted: only a readout learns from rewards ([`crate::sorn`]).

use meeple_core::Stream;
use serde::{Deserialize, Serialize};

/// How such a network is made, and how it organises itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SornPlan {
    /// Units,
    pub units: usize,
    /// of which so many fire at a time.
    pub winners: usize,
    /// Numbers of a position that a unit hears, and as many of how it changes.
    pub reads: usize,
    /// Units that a unit hears.
    pub links: usize,
    /// How loud these are beside the numbers.
    pub echo: f64,
    /// Step of links between units that fire one after the other.
    pub stdp: f64,
    /// Step of thresholds.
    pub intrinsic: f64,
    /// How evenly actions are drawn: their sums are divided by it.
    pub temperature: f64,
}

impl Default for SornPlan {
    fn default() -> Self {
        Self {
            units: 200,
            winners: 20,
            reads: 8,
            links: 10,
            echo: 0.5,
            stdp: 1e-3,
            intrinsic: 1e-3,
            temperature: 1.0,
        }
    }
}

/// Least weight of a link, so that none is lost.
const LEAST: f32 = 1e-4;

/// The units with what they hear.
#[derive(Clone, Debug, PartialEq)]
pub struct Reservoir {
    /// Numbers of a position.
    pub(crate) inputs: usize,
    /// Units that fire at a time.
    pub(crate) winners: usize,
    /// How loud other units are.
    pub(crate) echo: f32,
    /// How evenly actions are drawn.
    pub(crate) temperature: f32,
    /// For every number of a position, and then for how every number changes: weights to all units.
    pub(crate) reads: Vec<f32>,
    /// For every unit the weights to all units; 0 is no link.
    pub(crate) links: Vec<f32>,
    /// By unit.
    pub(crate) thresholds: Vec<f32>,
}

impl Reservoir {
    /// Wired at random.
    pub(crate) fn new(inputs: usize, plan: &SornPlan, rng: &mut Stream) -> Self {
        let units = plan.units;
        let mut reads = vec![0.0; 2 * inputs * units];
        let mut links = vec![0.0; units * units];
        for unit in 0..units {
            for half in 0..2 {
                for _ in 0..plan.reads.min(inputs) {
                    let number = half * inputs + rng.index(inputs);
                    reads[number * units + unit] = (rng.unit() * 2.0 - 1.0) as f32;
                }
            }
            for _ in 0..plan.links.min(units) {
                links[rng.index(units) * units + unit] = (rng.unit() as f32).max(LEAST);
            }
        }
        let thresholds = (0..units).map(|_| (rng.unit() * 0.1) as f32).collect();
        let (winners, echo, temperature) = (plan.winners, plan.echo as f32, plan.temperature as f32);
        let mut reservoir = Self { inputs, winners, echo, temperature, reads, links, thresholds };
        (0..units).for_each(|unit| reservoir.normalise(unit));
        reservoir
    }

    /// Of these parts, if they fit.
    pub(crate) fn from_parts(
        inputs: usize,
        setting: [f32; 3],
        reads: Vec<f32>,
        links: Vec<f32>,
        thresholds: Vec<f32>,
    ) -> Option<Self> {
        let [winners, echo, temperature] = setting;
        let units = thresholds.len();
        let fits = reads.len() == 2 * inputs * units && links.len() == units * units;
        let whole = winners.fract() == 0.0 && (1.0..=units as f32).contains(&winners);
        let sound = [&reads, &links, &thresholds].into_iter().flatten().all(|number| number.is_finite());
        let warm = temperature > 0.0 && temperature.is_finite();
        let of_range = units <= usize::from(u16::MAX) && echo.is_finite() && warm;
        let winners = winners as usize;
        let reservoir = Self { inputs, winners, echo, temperature, reads, links, thresholds };
        (fits && whole && sound && of_range).then_some(reservoir)
    }

    /// What its file says of it in a few numbers.
    pub(crate) fn setting(&self) -> [f32; 3] {
        [self.winners as f32, self.echo, self.temperature]
    }

    /// Number of units.
    pub fn units(&self) -> usize {
        self.thresholds.len()
    }

    /// Writes how much every unit is driven by the units that fired before.
    pub(crate) fn recall(&self, before: &[u16], drive: &mut Vec<f32>) {
        drive.clear();
        drive.extend(self.thresholds.iter().map(|threshold| -threshold));
        for unit in before {
            let row = &self.links[usize::from(*unit) * self.units()..][..self.units()];
            drive.iter_mut().zip(row).for_each(|(drive, link)| *drive += self.echo * link);
        }
    }

    /// Adds how much they are driven by a position that the numbers `before` have become `now`. What changes is small and counts
    /// by its root.
    pub(crate) fn hear(&self, before: &[f32], now: &[f32], drive: &mut [f32]) {
        let mut add = |number: usize, value: f32| {
            if value != 0.0 {
                let row = &self.reads[number * self.thresholds.len()..][..self.thresholds.len()];
                drive.iter_mut().zip(row).for_each(|(drive, weight)| *drive += value * weight);
            }
        };
        for (number, (before, now)) in before.iter().zip(now).enumerate() {
            add(number, *now);
            let change = now - before;
            add(self.inputs + number, change.abs().sqrt().copysign(change));
        }
    }

    /// Appends the units that fire, in their order. Of equal ones the first.
    pub(crate) fn fire(&self, drive: &[f32], order: &mut Vec<u16>, fired: &mut Vec<u16>) {
        order.clear();
        order.extend(0..self.units() as u16);
        let by_drive =
            |one: &u16, other: &u16| drive[usize::from(*other)].total_cmp(&drive[usize::from(*one)]);
        if self.winners < order.len() {
            order.select_nth_unstable_by(self.winners - 1, |one, other| {
                by_drive(one, other).then_with(|| one.cmp(other))
            });
        }
        let begin = fired.len();
        fired.extend_from_slice(&order[..self.winners]);
        fired[begin..].sort_unstable();
    }

    /// Organises itself: these units have fired, and those just before.
    pub(crate) fn adapt(&mut self, plan: &SornPlan, before: &[u16], now: &[u16]) {
        let (step, units) = (plan.stdp as f32, self.units());
        for (first, then, step) in [(before, now, step), (now, before, -step)] {
            for from in first {
                for to in then {
                    let link = &mut self.links[usize::from(*from) * units + usize::from(*to)];
                    if *link > 0.0 {
                        *link = (*link + step).max(LEAST);
                    }
                }
            }
        }
        before.iter().chain(now).for_each(|unit| self.normalise(usize::from(*unit)));
        let rate = plan.intrinsic as f32;
        let usual = rate * self.winners as f32 / units as f32;
        self.thresholds.iter_mut().for_each(|threshold| *threshold -= usual);
        now.iter().for_each(|unit| self.thresholds[usize::from(*unit)] += rate);
    }

    /// Makes what comes into a unit 1 in sum.
    fn normalise(&mut self, unit: usize) {
        let units = self.units();
        let sum: f32 = self.links[unit..].iter().step_by(units).sum();
        if sum > 0.0 {
            self.links[unit..].iter_mut().step_by(units).for_each(|link| *link /= sum);
        }
    }

    /// How much more links and thresholds are than those of `other`, in their order.
    pub(crate) fn less(&self, other: &Self) -> Vec<f32> {
        let own = self.links.iter().chain(&self.thresholds);
        own.zip(other.links.iter().chain(&other.thresholds)).map(|(own, other)| own - other).collect()
    }

    /// Adds a share of such a difference.
    pub(crate) fn add(&mut self, share: f32, difference: &[f32]) {
        let own = self.links.iter_mut().chain(&mut self.thresholds);
        own.zip(difference).for_each(|(own, more)| *own += share * more);
    }
}
