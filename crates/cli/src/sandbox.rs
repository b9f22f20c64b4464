//! Sandbox for bots of the command line.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::bail;
use meeple_bothost::{Launcher, Sandbox, SandboxLevel};

use crate::failure::usage;
use crate::terminal;

static LAUNCHER: OnceLock<Option<Launcher>> = OnceLock::new();

pub fn begin_with(launcher: Option<Launcher>) {
    // Only the first call of a process counts; later calls come from the same program.
    let _ = LAUNCHER.set(launcher);
}

pub fn launcher() -> anyhow::Result<Launcher> {
    match LAUNCHER.get().cloned().flatten() {
        Some(launcher) => Ok(launcher),
        None => bail!(
            "expected the program meeple to start bots, found only its library\nhint: bots run in the \
             sandbox of the program; build it in the clone: cargo build --release"
        ),
    }
}

/// The sandbox of `--sandbox`, or else the strongest that works here, with the interpreter of `--python`.
/// Prints a warning if it is weak.
pub fn choose(level: Option<&str>, python: Option<&Path>) -> anyhow::Result<Sandbox> {
    let sandbox = match level {
        Some(text) => {
            let level: SandboxLevel = text.parse().map_err(|error| usage(format!("--sandbox: {error}")))?;
            Sandbox::of_level(level, &launcher()?)?
        }
        None => Sandbox::best(&launcher()?),
    };
    if let Some(warning) = sandbox.level().warning() {
        terminal::tell(format_args!("warning: {warning}"));
    }
    Ok(sandbox.with_python(python.map(Path::to_owned)))
}
