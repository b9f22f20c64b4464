//! What may be killed and removed: types that can hold nothing else.
//!
//! A host that runs as root can end every process and remove every file of the machine, and one wrong bit in a
//! number is enough. So signals and removals go through these types, which are checked when they are made and
//! again when they are used; the system calls themselves are banned everywhere else (`clippy.toml` of this
//! crate).
//!
//! * [`BotUser`]: a user that only a bot can be.
//! * [`ProcessId`], [`GroupId`]: never ours, never init, never "everybody".
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
