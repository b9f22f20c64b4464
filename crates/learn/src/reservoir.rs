//! Self-organising recurrent networks (SORN): binary units driven by a position, its change, and their own
//! last activity.
//!
//! After Lazar, Pipa and Triesch (2009): the `winners` units of the highest drive fire. In training, a link
//! grows if its first unit fires before the second, and shrinks if it fires after it (STDP). The incoming
//! links of a unit sum to 1 (synaptic normalisation). The threshold of a unit that fires often rises
//! (intrinsic plasticity). Only the readout learns from rewards ([`crate::sorn`]).

use meeple_core::Stream;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SornPlan {
    pub units: usize,
    /// Number of units that fire at a time.
    pub winners: usize,
    /// Number of features that drive a unit; as many changes of features drive it, too.
    pub reads: usize,
    /// Number of incoming links of a unit.
    pub links: usize,
    /// Gain of recurrent links.
    pub echo: f64,
    /// Learning rate of links (STDP).
    pub stdp: f64,
    /// Learning rate of thresholds (intrinsic plasticity).
    pub intrinsic: f64,
    /// Softmax temperature of actions.
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

/// Minimum weight of a link: 0 would mean no link.
const MIN_LINK: f32 = 1e-4;

#[derive(Clone, Debug, PartialEq)]
pub struct Reservoir {
    pub(crate) inputs: usize,
    pub(crate) winners: usize,
    pub(crate) echo: f32,
    pub(crate) temperature: f32,
    /// `[2 * inputs, units]`: weights of the features, then of their changes.
    pub(crate) reads: Vec<f32>,
    /// `[units from, units to]`; 0 is no link.
    pub(crate) links: Vec<f32>,
    /// `[units]`.
    pub(crate) thresholds: Vec<f32>,
}

impl Reservoir {
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
                links[rng.index(units) * units + unit] = (rng.unit() as f32).max(MIN_LINK);
            }
        }
        let thresholds = (0..units).map(|_| (rng.unit() * 0.1) as f32).collect();
        let (winners, echo, temperature) = (plan.winners, plan.echo as f32, plan.temperature as f32);
        let mut reservoir = Self { inputs, winners, echo, temperature, reads, links, thresholds };
        (0..units).for_each(|unit| reservoir.normalise(unit));
        reservoir
    }

    /// A reservoir from its parts; `None` if they do not fit each other or are not finite.
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

    /// Winners, echo and temperature, as files store them.
    pub(crate) fn setting(&self) -> [f32; 3] {
        [self.winners as f32, self.echo, self.temperature]
    }

    pub fn units(&self) -> usize {
        self.thresholds.len()
    }

    /// Replaces `drive`, `[units]`, by the recurrent drive from the units that fired last, minus the
    /// thresholds.
    pub(crate) fn recurrent_drive(&self, before: &[u16], drive: &mut Vec<f32>) {
        drive.clear();
        drive.extend(self.thresholds.iter().map(|threshold| -threshold));
        for unit in before {
            let row = &self.links[usize::from(*unit) * self.units()..][..self.units()];
            drive.iter_mut().zip(row).for_each(|(drive, link)| *drive += self.echo * link);
        }
    }

    /// Adds the drive of features that change from `before` to `now`. Changes are small, and therefore count
    /// by the square root of their size.
    pub(crate) fn add_input_drive(&self, before: &[f32], now: &[f32], drive: &mut [f32]) {
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

    /// Appends the units of the highest drive, the first among equals, in ascending order.
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

    /// Adapts links and thresholds to the units that fired now, and those just before.
    pub(crate) fn adapt(&mut self, plan: &SornPlan, before: &[u16], now: &[u16]) {
        let (step, units) = (plan.stdp as f32, self.units());
        for (first, then, step) in [(before, now, step), (now, before, -step)] {
            for from in first {
                for to in then {
                    let link = &mut self.links[usize::from(*from) * units + usize::from(*to)];
                    if *link > 0.0 {
                        *link = (*link + step).max(MIN_LINK);
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

    /// Scales the incoming links of a unit to a sum of 1.
    fn normalise(&mut self, unit: usize) {
        let units = self.units();
        let sum: f32 = self.links[unit..].iter().step_by(units).sum();
        if sum > 0.0 {
            self.links[unit..].iter_mut().step_by(units).for_each(|link| *link /= sum);
        }
    }

    /// Links and thresholds minus those of `other`.
    pub(crate) fn difference(&self, other: &Self) -> Vec<f32> {
        let own = self.links.iter().chain(&self.thresholds);
        own.zip(other.links.iter().chain(&other.thresholds)).map(|(own, other)| own - other).collect()
    }

    pub(crate) fn add(&mut self, share: f32, difference: &[f32]) {
        let own = self.links.iter_mut().chain(&mut self.thresholds);
        own.zip(difference).for_each(|(own, more)| *own += share * more);
    }
}
