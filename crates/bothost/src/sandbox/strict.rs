//! The level *strict*: bubblewrap gives the bot its own files, network and processes. Inside, the launcher is
//! the first process. A second instance below it adds limits, the filter for system calls and the
//! unprivileged user.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::calls::NamelessSharing;
use super::confine::{Confinement, LauncherTask, ZERO};
use super::job::Job;
use super::launcher::Launcher;
use crate::readable::settings;
use crate::runtime::SYSTEM;

pub(crate) const BWRAP: &str = "bwrap";
/// Path of the launcher inside.
pub(crate) const LAUNCHER: &str = "/run/meeple-launch";
/// The folder of the bot's files inside.
pub(crate) const FOLDER: &str = "/bot";
/// Writable folder inside.
pub(crate) const SCRATCH: &str = "/tmp";

/// Generations between the supervisor and the bot: bubblewrap, the first process inside, the bot.
pub(crate) const DEPTH: usize = 3;

/// The devices that programs need, without terminals.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];
/// Links below /dev that programs expect. Shared memory of libraries goes to the scratch folder.
const LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    (SCRATCH, "/dev/shm"),
];

/// The command line of bubblewrap: it runs the launcher, which runs the bot.
///
/// As root, no user namespace is made: the launcher drops to a user of the bot's own, whose limit of
/// processes counts. Otherwise the user namespace gives the right to make the other namespaces.
pub(crate) fn words(launcher: &Launcher, confinement: Confinement, job: &Job<'_>) -> Vec<OsString> {
    let mut command = Command::new(BWRAP);
    command.args([
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]);
    command.args(["--die-with-parent", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "bot"]);
    if confinement.user.is_some() {
        command.args(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]);
    } else {
        command.args(["--unshare-user", "--disable-userns"]);
    }
    // Real folders are mounted, links are recreated.
    for folder in SYSTEM.map(Path::new) {
        match std::fs::read_link(folder) {
            Ok(target) => command.arg("--symlink").arg(target).arg(folder),
            Err(_) => command.arg("--ro-bind-try").args([folder, folder]),
        };
    }
    for folder in ["/dev", "/etc", "/run"] {
        command.args(["--perms", "0755", "--dir", folder]);
    }
    for file in settings() {
        command.arg("--ro-bind-try").args([&file, &file]);
    }
    // The scratch folder is mounted before the folders below it.
    let size = (job.limits.disk_mib << 20).to_string();
    command.args(["--perms", "1777", "--size", &size, "--tmpfs", SCRATCH]);
    // The scratch folder and the folders above it are never shown, even for a program in them.
    let is_shown = |folder: &&PathBuf| !folder.starts_with("/usr") && !Path::new(SCRATCH).starts_with(folder);
    for folder in job.visible.iter().filter(is_shown) {
        // Folders above are made traversable, whatever their outside permissions, because the bot is another
        // user.
        let mut above: Vec<&Path> =
            folder.ancestors().skip(1).filter(|above| above.parent().is_some()).collect();
        above.reverse();
        for above in above.into_iter().filter(|above| *above != Path::new(SCRATCH)) {
            command.args(["--perms", "0755", "--dir"]).arg(above);
        }
        command.arg("--ro-bind").args([folder, folder]);
    }
    command.args(["--proc", "/proc"]);
    let zero = (confinement.sharing == NamelessSharing::Allowed).then_some(ZERO);
    for device in DEVICES.into_iter().chain(zero) {
        command.args(["--dev-bind", device, device]);
    }
    for (target, link) in LINKS {
        command.args(["--symlink", target, link]);
    }
    command.arg("--ro-bind").arg(&launcher.program).arg(LAUNCHER);
    command.arg("--ro-bind").arg(job.folder).arg(FOLDER);
    command.args(["--remount-ro", "/", "--chdir", FOLDER, "--"]);
    let inside = Launcher { program: LAUNCHER.into(), arguments: launcher.arguments.clone() };
    command.args(inside.words(&LauncherTask::Begin));
    command.args(inside.words(&LauncherTask::Confine(Box::new(confinement))));
    // The bot's own files have another name inside.
    let outside = job.folder.display().to_string();
    command.args(job.words.iter().map(|word| match word.strip_prefix(&outside) {
        Some(rest) if rest.starts_with('/') => format!("{FOLDER}{rest}"),
        _ => word.clone(),
    }));
    [command.get_program()].into_iter().chain(command.get_args()).map(OsString::from).collect()
}
