use std::path::{Path, PathBuf};

use super::groups::Groups;
use crate::limits::Limits;
use crate::readable::Readable;
use crate::targets::BotUser;

/// One bot to run in a sandbox.
pub(crate) struct Job<'a> {
    pub words: &'a [String],
    /// The folder of the bot's files, its working directory.
    pub folder: &'a Path,
    pub scratch: &'a Path,
    /// Folders that its interpreter needs, beside those of the system.
    pub visible: &'a [PathBuf],
    pub readable: &'a Readable,
    pub limits: &'a Limits,
    /// The user that it runs as, if the host may choose one.
    pub user: Option<BotUser>,
    pub groups: Option<&'a Groups>,
}
