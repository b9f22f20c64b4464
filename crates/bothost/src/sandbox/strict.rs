//! The level *strict*: bubblewrap gives the bot its own files, network and processes; inside, the launcher
//! adds limits, the filter for system calls and the unprivileged user.

use std::path::Path;
use std::process::Command;

use super::confine::Confinement;
use super::{Job, Launcher};

/// The program.
pub(crate) const BWRAP: &str = "bwrap";
/// Where the launcher is inside.
pub(crate) const LAUNCHER: &str = "/run/meeple-launch";
/// Where the bot's files are inside.
pub(crate) const FOLDER: &str = "/bot";

/// Folders of the system that programs need: real ones are shown, links are made anew.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/// Files below /etc that the dynamic linker needs, if they exist.
const LINKER: [&str; 2] = ["/etc/ld.so.cache", "/etc/alternatives"];

/// The command line of bubblewrap around the launcher around the bot.
///
/// As root no user namespace is made: the launcher drops to a user of the bot's own, for whom the limit of
/// processes counts. Otherwise the user namespace is what gives the right to make the others.
pub(crate) fn command(launcher: &Launcher, confinement: &Confinement, job: &Job<'_>) -> Command {
    let mut command = Command::new(BWRAP);
    command.args([
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]);
    command.args(["--die-with-parent", "--cap-drop", "ALL", "--hostname", "bot"]);
    if confinement.user.is_some() {
        command.args(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]);
    } else {
        command.args(["--unshare-user", "--disable-userns"]);
    }
    for folder in SYSTEM.map(Path::new) {
        match std::fs::read_link(folder) {
            Ok(target) => command.arg("--symlink").arg(target).arg(folder),
            Err(_) => command.arg("--ro-bind-try").args([folder, folder]),
        };
    }
    for folder in ["/etc", "/run"] {
        command.args(["--perms", "0755", "--dir", folder]);
    }
    for file in LINKER {
        command.args(["--ro-bind-try", file, file]);
    }
    for folder in job.visible.iter().filter(|folder| !folder.starts_with("/usr")) {
        // The folders above it can be passed, whatever they are outside: the bot is another user.
        let mut above: Vec<&Path> =
            folder.ancestors().skip(1).filter(|above| above.parent().is_some()).collect();
        above.reverse();
        for above in above {
            command.args(["--perms", "0755", "--dir"]).arg(above);
        }
        command.arg("--ro-bind").args([folder, folder]);
    }
    command.args(["--proc", "/proc", "--dev", "/dev"]);
    command.args(["--perms", "1777", "--size", &(job.limits.disk_mib << 20).to_string(), "--tmpfs", "/tmp"]);
    command.arg("--ro-bind").arg(&launcher.program).arg(LAUNCHER);
    command.arg("--ro-bind").arg(job.folder).arg(FOLDER);
    command.args(["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", FOLDER, "--", LAUNCHER]);
    command.args(&launcher.arguments).arg(confinement.to_argument()).arg("--");
    // The bot's own files have another name inside.
    let outside = job.folder.display().to_string();
    command.args(job.words.iter().map(|word| match word.strip_prefix(&outside) {
        Some(rest) if rest.starts_with('/') => format!("{FOLDER}{rest}"),
        _ => word.clone(),
    }));
    command
}
