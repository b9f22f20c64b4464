//! The parameters of the admiral.

use meeple_core::{defaults_with, params};

use crate::game::Privateers;

params! {
    pub struct AdmiralParams {
        /// Extra money that must be left where rivals are hostile: this for a frigate, a third of it for a
        /// galleon, times the expected number of hostile rivals (at most 1).
        pub outfit: f64 = 0.0 => "outfit", real(0.0, 100_000.0);
        /// Money that must be left after buying a galleon.
        pub galleon: i64 = 100 => "galleon", int(0, 100_000);
        /// Money that must be left after buying a frigate.
        pub frigate: i64 = 300 => "frigate", int(0, 100_000);
        /// Working capital, in holds of spice, above which cannons are bought.
        pub capital: f64 = 1.0 => "capital", real(0.0, 100.0);
        /// Weight of the risk of being robbed where a turn ends; 1 is the estimate itself.
        pub caution: f64 = 0.1 => "caution", real(0.0, 100.0);
        /// Probability that a ship attacks if it can, before it has had a turn.
        pub suspicion: f64 = 0.15 => "suspicion", real(0.0, 1.0);
        /// Lets a poor schooner sell its cannons for capital.
        pub disarm: bool = true => "disarm", switch();
        /// Reduction of the working capital by hostile rivals: it is divided by 1 plus this times their
        /// expected number.
        pub alarm: f64 = 20.0 => "alarm", real(0.0, 1000.0);
        /// The same reduction where sunk ships do not return, by the share of hostile rivals.
        pub mortal: f64 = 120.0 => "mortal", real(0.0, 10_000.0);
        /// Expected number of hostile rivals from which a schooner keeps its cannons.
        pub peace: f64 = 0.4 => "peace", real(0.0, 100.0);
        /// Minimal gain in winning probability for an attack, in percentage points.
        pub boldness: f64 = 0.0 => "boldness", real(0.0, 100.0);
        /// Minimal gain in winning probability for which the ship sails to an attack within this turn, in
        /// percentage points.
        pub strike: f64 = 4.0 => "strike", real(0.0, 100.0);
        /// Minimal probability of winning a fight for an attack, until the last rounds.
        pub nerve: f64 = 0.5 => "nerve", real(0.0, 1.0);
        /// The same minimum for a schooner, which is soon replaced.
        pub reckless: f64 = 0.3 => "reckless", real(0.0, 1.0);
        /// The same minimum where sunk ships do not return.
        pub mortal_nerve: f64 = 0.98 => "mortal_nerve", real(0.0, 1.0);
        /// Number of last rounds without these minima.
        pub hurry: u32 = 15 => "hurry", int(0, 1000);
        /// Value of seeing an unknown port, in percent of the ship's value.
        pub curiosity: f64 = 6.0 => "curiosity", real(0.0, 1000.0);
        /// Cells per turn that plans assume.
        pub pace: f64 = 3.5 => "pace", real(0.5, 12.0);
    }
}

/// Parameters tuned by the commands in docs/internals/learning.md, rounded. By game: sunk ships return, or
/// not; then two seats, or more. Parameters that are not listed have their declared defaults.
const TUNED: [[&str; 2]; 2] = [
    [
        "outfit=984,galleon=102,frigate=905,capital=0.556,caution=0.0413,suspicion=0.588,alarm=5.6,mortal=138,peace=1.16,\
         boldness=1.28,strike=4.42,nerve=1,reckless=0.22,mortal_nerve=0.958,hurry=3,curiosity=10.9,pace=2.98",
        "outfit=928,galleon=40,frigate=236,capital=0.644,caution=0.0259,suspicion=0.228,alarm=21.9,mortal=50.9,\
         peace=3.4,boldness=0,strike=1.02,nerve=0.797,reckless=0.267,mortal_nerve=0.925,hurry=18,\
         curiosity=5.28,pace=2.51",
    ],
    [
        "outfit=328,galleon=383,frigate=1122,capital=3.56,caution=0.0149,suspicion=0.363,alarm=27.5,\
         mortal=176,peace=0.142,boldness=0,strike=3.59,nerve=0,reckless=0,mortal_nerve=0.738,hurry=42,\
         curiosity=5.54,pace=3.53",
        "outfit=1370,galleon=101,frigate=407,capital=1.57,caution=0.0824,suspicion=0.106,alarm=28,mortal=190,\
         peace=0.261,boldness=0.264,strike=2.75,nerve=0.39,reckless=0.31,mortal_nerve=0.669,hurry=14,\
         curiosity=4.4,pace=1.84",
    ],
];

impl AdmiralParams {
    /// The parameters tuned for a game of this kind.
    pub(crate) fn tuned(game: &Privateers) -> Self {
        defaults_with(TUNED[usize::from(!game.respawns())][usize::from(game.seats > 2)])
    }
}
