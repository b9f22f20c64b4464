//! Hosts of their own for tests: the same test again in another process, as another user, and hosts that are
//! killed.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::{LAUNCHER, launcher};

/// The user of a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum User {
    /// The user of the tests.
    Own,
    /// A user without privileges.
    Ordinary,
}

/// The id of an unprivileged user, different each time. At levels where bots run as their host, an attack on
/// all processes of its user must not reach other tests. No account has these ids, but containers permit
/// them.
fn somebody() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    20_000 + std::process::id().wrapping_mul(61).wrapping_add(number) % 40_000
}

/// The variable that tells a test that it is the second run, or only a host.
const ROLE: &str = "MEEPLE_TEST_ROLE";

impl User {
    /// The users that tests can run as here: root tests both.
    pub fn all() -> Vec<Self> {
        if nix::unistd::geteuid().is_root() { vec![Self::Own, Self::Ordinary] } else { vec![Self::Own] }
    }

    /// Makes a command run as this user.
    pub fn runs(self, command: &mut Command) {
        if self == Self::Ordinary {
            let id = somebody();
            command.uid(id).gid(id);
        }
    }
}

/// A folder for hosts of all users.
pub struct Ground(tempfile::TempDir);

impl Ground {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A copy of a program that everybody may run, since build folders may be private.
    fn twin(&self, program: &Path) -> PathBuf {
        let twin = self.path().join(program.file_name().unwrap());
        std::fs::hard_link(program, &twin).or_else(|_| std::fs::copy(program, &twin).map(drop)).unwrap();
        twin
    }

    /// A host in a process of its own: this test binary, about to run one test.
    pub fn host(&self, test: &str, role: &str, user: User) -> Command {
        let own = std::env::current_exe().unwrap();
        let mut command = match user {
            User::Own => Command::new(own),
            User::Ordinary => {
                let mut command = Command::new(self.twin(&own));
                command.env(LAUNCHER, self.twin(&launcher().program));
                command
            }
        };
        command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, role);
        command.env("TMPDIR", self.path()).current_dir(self.path());
        user.runs(&mut command);
        command
    }
}

/// Returns true if this process was started to play a role.
pub fn plays(role: &str) -> bool {
    std::env::var(ROLE).is_ok_and(|own| own == role)
}

/// Runs a test in a process of its own, which the test may change. True in that process; false in this one,
/// once the test has passed there.
#[track_caller]
pub fn alone(test: &str) -> bool {
    const ALONE: &str = "alone";
    if !plays(ALONE) {
        assert_passed(&Ground::new().host(test, ALONE, User::Own).output().unwrap());
    }
    plays(ALONE)
}

/// Runs a test here; if this is root, also in another process as an unprivileged user.
#[track_caller]
pub fn for_every_user(test: &str, body: impl FnOnce()) {
    const ORDINARY: &str = "ordinary user";
    let is_root = nix::unistd::geteuid().is_root();
    if plays(ORDINARY) {
        assert!(!is_root);
    } else if is_root {
        assert_passed(&Ground::new().host(test, ORDINARY, User::Ordinary).output().unwrap());
    }
    body();
}

/// Asserts that a test in another process has passed, and passes on its skip messages.
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
