//! The record of a table: everything it has accepted, in order.

use meeple_core::{AgentSpec, PlayerLabel, PublicName, ReplayFault};
use serde::{Deserialize, Serialize};

/// The player at a seat.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// Nobody yet: anybody may join.
    Open,
    /// A person.
    Person {
        /// The player's name, as others see it.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        name: PublicName,
    },
    /// An agent, in its text form.
    Agent(String),
}

impl Holder {
    /// The label at the seat: name without colour.
    pub fn label(&self) -> PlayerLabel {
        let name = match self {
            Self::Open => "open seat",
            Self::Person { name } => name,
            Self::Agent(spec) => spec,
        };
        PlayerLabel { name: name.into(), color: None }
    }

    /// The agent; `None` for people and open seats.
    pub fn agent(&self) -> Option<AgentSpec> {
        if let Self::Agent(text) = self { Some(AgentSpec::parse(text)) } else { None }
    }
}

/// An accepted event. Chance outcomes are not recorded, because they follow from the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A decision of a seat.
    Decision {
        /// The deciding seat.
        seat: usize,
        /// The action's text.
        action: String,
        /// The client's id of the message, by which a repeated message is recognised; `None` for agents.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A new player at a seat.
    Seated {
        /// The seat.
        seat: usize,
        /// The new player.
        holder: Holder,
    },
    /// A decision missed by the player of a seat. The next entry holds the substitute's decision, or the new
    /// player of the seat.
    Fault {
        /// The fault, as stored in the replay.
        fault: ReplayFault,
    },
}

/// A fault of a player who missed a decision, as reported by the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// Kind of fault, as in [`ReplayFault::kind`].
    pub kind: &'static str,
    /// Time used by a question that ran out of time, in µs.
    pub took_us: Option<u64>,
    /// Time of the fault in UTC, in RFC 3339 format.
    pub at: String,
}
