//! What a player has learned: a network, and the units that it listens to, or what it expects, if it has any.

use crate::network::Network;
use crate::reservoir::Reservoir;

/// What a player plays by.
#[derive(Clone, Debug, PartialEq)]
pub struct Mind {
    /// A network: over the numbers of a position, or over units.
    pub network: Network,
    /// The units.
    pub reservoir: Option<Reservoir>,
    /// Of a policy: what says how much is to be expected where it decides.
    pub critic: Option<Network>,
}

impl Mind {
    /// Its units.
    pub(crate) fn units(&self) -> &Reservoir {
        self.reservoir.as_ref().expect("only minds with units are asked")
    }

    /// Numbers of a position that it hears.
    pub fn inputs(&self) -> usize {
        self.reservoir.as_ref().map_or(self.network.inputs(), |units| units.inputs)
    }

    /// Numbers in, hidden ones or units, and 1.
    pub fn sizes(&self) -> Vec<usize> {
        let numbers = self.reservoir.as_ref().map(|units| units.inputs);
        numbers.into_iter().chain(self.network.sizes().iter().copied()).collect()
    }
}
