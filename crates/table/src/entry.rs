//! What a table has accepted: the whole of it, in order.

use meeple_core::{AgentSpec, PlayerLabel, PublicName, ReplayFault};
use serde::{Deserialize, Serialize};

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// Nobody yet: the table waits for whoever joins.
    Open,
    /// A person.
    Person {
        /// What the others call it.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        name: PublicName,
    },
    /// An agent, in its text form.
    Agent(String),
}

impl Holder {
    /// What is written at the seat.
    pub fn label(&self) -> PlayerLabel {
        let name = match self {
            Self::Open => "open seat",
            Self::Person { name } => name,
            Self::Agent(spec) => spec,
        };
        PlayerLabel { name: name.into(), color: None }
    }

    /// The agent, if it is one.
    pub fn agent(&self) -> Option<AgentSpec> {
        if let Self::Agent(text) = self { Some(AgentSpec::parse(text)) } else { None }
    }
}

/// Something that was accepted. Chance is not among it: it follows from the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A decision.
    Decision {
        /// Whose.
        seat: usize,
        /// The action's text.
        action: String,
        /// What the client called its message, by which the same message is known when it comes again; `None` of agents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// Somebody else plays a seat from now on.
    Seated {
        /// Which seat.
        seat: usize,
        /// Who.
        holder: Holder,
    },
    /// The player of a seat did not decide by itself. What decided in its place, or who sits there from then on, is the entry behind.
    Fault {
        /// The fault, as the replay has it.
        fault: ReplayFault,
    },
}

/// Why a player did not decide by itself, as its host tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// Its kind, as in [`ReplayFault`].
    pub kind: &'static str,
    /// Of a question that ran out of time: what it took, in microseconds.
    pub took_us: Option<u64>,
    /// The moment in UTC, as RFC 3339 writes it.
    pub at: String,
}
