//! The program that isolates bots.

use std::ffi::OsString;
use std::path::PathBuf;

use super::confine::LauncherTask;

/// The program that restricts itself and then becomes the bot. It is our own binary, with arguments that make
/// it run [`launcher_main`](crate::launcher_main).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    /// Path of the executable.
    pub program: PathBuf,
    /// Arguments before those of the launcher.
    pub arguments: Vec<String>,
}

impl Launcher {
    /// The prefix of a command line, which makes the launcher run the rest.
    pub(super) fn words(&self, order: &LauncherTask) -> Vec<OsString> {
        let words = self.arguments.iter().map(OsString::from);
        let order = [serde_json::to_string(order).expect("plain data").into(), "--".into()];
        [self.program.clone().into()].into_iter().chain(words).chain(order).collect()
    }
}
