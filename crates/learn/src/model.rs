use crate::network::Network;
use crate::reservoir::Reservoir;

#[derive(Clone, Debug, PartialEq)]
pub struct LearnedModel {
    /// The value network, policy network, or readout over units.
    pub network: Network,
    pub reservoir: Option<Reservoir>,
    /// The critic of a policy: expected outcome at a decision.
    pub critic: Option<Network>,
}

impl LearnedModel {
    /// # Panics
    /// Without units.
    pub(crate) fn units(&self) -> &Reservoir {
        self.reservoir.as_ref().expect("only models with units are asked")
    }

    pub fn inputs(&self) -> usize {
        self.reservoir.as_ref().map_or(self.network.inputs(), |units| units.inputs)
    }

    /// Layer sizes: input features, hidden layers or units, and 1.
    pub fn sizes(&self) -> Vec<usize> {
        let features = self.reservoir.as_ref().map(|units| units.inputs);
        features.into_iter().chain(self.network.sizes().iter().copied()).collect()
    }
}
