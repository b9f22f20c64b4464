//! The program that shuts bots in.

use std::ffi::OsString;
use std::path::PathBuf;

use super::confine::Order;

/// The program that restricts itself and then becomes the bot: ours, called with arguments that make it run
/// [`launcher_main`](crate::launcher_main).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its arguments before ours.
    pub arguments: Vec<String>,
}

impl Launcher {
    /// The beginning of a command line: what follows is run by it.
    pub(super) fn words(&self, order: &Order) -> Vec<OsString> {
        let words = self.arguments.iter().map(OsString::from);
        let order = [serde_json::to_string(order).expect("plain data").into(), "--".into()];
        [self.program.clone().into()].into_iter().chain(words).chain(order).collect()
    }
}
