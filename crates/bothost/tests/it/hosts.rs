//! Hosts of their own for tests: the same test again as an ordinary user, and hosts that are killed.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Who tests run as beside root: nobody has this number.
const ORDINARY: u32 = 61_234;

/// Says to the test that it is the second run, or only a host.
const ROLE: &str = "MEEPLE_TEST_ROLE";

/// This test binary, about to run one test in a process of its own.
fn alone(test: &str, role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, role);
    command
}

/// Whether this process was started to play a role.
pub fn plays(role: &str) -> bool {
    std::env::var(ROLE).is_ok_and(|own| own == role)
}

/// A folder that everybody may use, for a host that is another user.
pub struct Ground(tempfile::TempDir);

impl Ground {
    pub fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}

/// A host in a process of its own: as we are, or as an ordinary user.
pub fn host(test: &str, role: &str, ordinary: bool, ground: &Ground) -> Command {
    let mut command = alone(test, role);
    command.env("TMPDIR", ground.path()).current_dir(ground.path());
    if ordinary {
        drop_user(&mut command);
    }
    command
}

/// Has a command run as an ordinary user.
pub fn drop_user(command: &mut Command) {
    command.uid(ORDINARY).gid(ORDINARY);
}

/// The users that tests can run as here: root tests both.
pub fn users() -> Vec<bool> {
    if nix::unistd::geteuid().is_root() { vec![false, true] } else { vec![false] }
}

/// Runs a test here, and if we are root once more as an ordinary user.
#[track_caller]
pub fn for_every_user(test: &str, body: impl FnOnce()) {
    const ROLE: &str = "ordinary user";
    if plays(ROLE) {
        assert!(!nix::unistd::geteuid().is_root());
        return body();
    }
    if nix::unistd::geteuid().is_root() {
        let ground = Ground::new();
        let output = host(test, ROLE, true, &ground).output().unwrap();
        assert_passed(&output);
    }
    body();
}

/// Asserts that a test in another process has passed, and passes on what it skipped.
#[track_caller]
pub fn assert_passed(output: &Output) {
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for line in complained.lines().filter(|line| line.starts_with("SKIPPED")) {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "{line} (as another host)");
    }
    assert!(output.status.success(), "in a process of its own: {said}\n{complained}");
    assert!(said.contains("1 passed"), "the test exists under this name: {said}");
}
