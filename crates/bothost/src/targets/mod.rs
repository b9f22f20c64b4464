//! Targets of kills and removals: types that hold only permitted ones.
//!
//! A host that runs as root can end every process and remove every file of the machine. One wrong bit in a
//! number is enough. Signals and removals therefore go through these types, which are checked on construction
//! and again on use. The system calls themselves are banned everywhere else (`clippy.toml` of this crate).
//!
//! * [`BotUser`]: a user reserved for bots.
//! * [`ProcessId`], [`GroupId`]: never ours, never init, never "all processes".
//! * [`OwnFolder`]: a folder that a host has made for a bot.
//! * [`ControlGroup`]: a control group that a host has made for a bot.

mod control_group;
mod folder;
mod process;
mod user;

pub use control_group::{ControlGroup, NoControlGroup};
pub use folder::OwnFolder;
pub use process::{GroupId, ProcessId};
pub use user::{BotUser, NotReserved};
