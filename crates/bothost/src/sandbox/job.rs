//! Jobs of a sandbox.

use std::path::{Path, PathBuf};

use super::groups::Groups;
use crate::limits::Limits;
use crate::readable::Readable;
use crate::targets::BotUser;

/// One bot to run in a sandbox.
pub(crate) struct Job<'a> {
    /// Program and arguments.
    pub words: &'a [String],
    /// The folder of the bot's files, its working directory.
    pub folder: &'a Path,
    /// The writable folder.
    pub scratch: &'a Path,
    /// Folders that its interpreter needs, beside those of the system.
    pub visible: &'a [PathBuf],
    /// The readable part of the system.
    pub readable: &'a Readable,
    pub limits: &'a Limits,
    /// The user that it runs as, if the host may choose one.
    pub user: Option<BotUser>,
    /// The control groups of its processes.
    pub groups: Option<&'a Groups>,
}
