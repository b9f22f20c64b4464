//! Classification of errors into bad usage and failures.

use meeple_arena::ArenaError;
use meeple_bothost::{SandboxError, SpecError};
use meeple_core::{AgentError, EntryError, ParamError, SetupError};
use meeple_games::{NameTaken, UnknownGame};
use meeple_lab::LabError;
use meeple_solve::SolveError;

/// Bad usage that no library reports: the message, with a hint.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

pub fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// The error for a named file that cannot be read. For any reason it is bad usage, like an unknown name.
pub fn unreadable(what: &str, error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => usage(format!("cannot read {what}: it does not exist")),
        _ => usage(format!("cannot read {what}: {error}")),
    }
}

/// Exit code: 2 for bad usage, 1 for everything else.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let bad_usage = error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.is::<UnknownGame>()
            || cause.is::<NameTaken>()
            || cause.is::<AgentError>()
            || cause.is::<ParamError>()
            || cause.is::<SetupError>()
            || cause.downcast_ref::<ArenaError>().is_some_and(ArenaError::is_usage)
            || cause.is::<SpecError>()
            || cause.is::<SandboxError>()
            || load_is_usage(cause)
            || cause.downcast_ref::<SolveError>().is_some_and(SolveError::is_usage)
            || cause.downcast_ref::<EntryError>().is_some_and(EntryError::is_usage)
            || cause.downcast_ref::<LabError>().is_some_and(LabError::is_usage)
    });
    if bad_usage { 2 } else { 1 }
}

#[cfg(feature = "load")]
fn load_is_usage(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<meeple_load::LoadError>().is_some_and(meeple_load::LoadError::is_usage)
}

#[cfg(not(feature = "load"))]
fn load_is_usage(_: &(dyn std::error::Error + 'static)) -> bool {
    false
}

/// True if the reader of our output closed the pipe.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
