//! What is run in a sandbox.

use std::path::{Path, PathBuf};

use super::groups::Groups;
use crate::limits::Limits;
use crate::readable::Readable;
use crate::targets::BotUser;

/// One bot to be run in a sandbox.
pub(crate) struct Job<'a> {
    /// Program and arguments.
    pub words: &'a [String],
    /// Where the bot's files are, and where it starts.
    pub folder: &'a Path,
    /// Where it may write.
    pub scratch: &'a Path,
    /// Folders that its interpreter needs, beside those of the system.
    pub visible: &'a [PathBuf],
    /// What of the system it may read.
    pub readable: &'a Readable,
    pub limits: &'a Limits,
    /// Who it runs as, if we may choose.
    pub user: Option<BotUser>,
    /// What its processes join.
    pub groups: Option<&'a Groups>,
}
