//! Others on the machine: protection of their files and processes beside filters and namespaces, and
//! information about them.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use meeple_bothost::{BotProcess, BotSpec, FaultCode, Limits, SandboxLevel};
use meeple_games::adapters;

use crate::hostile::{at_turn, fault_of, host, policy};
use crate::hosts::for_every_user;
use crate::support::{has, limits, sandbox};

/// Tries attacks one after another, reports those that worked on stderr, and crashes so that the report is
/// read. `HOST` is the process of the host; `SECRET` and `OPEN` are files of its user, private and public.
const ATTEMPTS: &str = r#"
import resource
libc = ctypes.CDLL(None, use_errno=True)

def traced():
    if libc.ptrace(16, HOST, 0, 0) != 0: raise OSError(ctypes.get_errno(), "ptrace")

attempts = {
    "read": lambda: open(SECRET).read(),
    "environment of the host": lambda: open("/proc/HOST/environ", "rb").read(),
    "memory of the host": lambda: open("/proc/HOST/mem", "rb").read(1),
    "write": lambda: open(OPEN, "a").write("x"),
    "truncate": lambda: os.truncate(OPEN, 0),
    "chmod": lambda: os.chmod(OPEN, 0o777),
    "chown": lambda: os.chown(OPEN, os.getuid(), os.getgid()),
    "utime": lambda: os.utime(OPEN, (1, 1)),
    "setxattr": lambda: os.setxattr(OPEN, "user.x", b"x"),
    "rename": lambda: os.rename(OPEN, OPEN + "2"),
    "unlink": lambda: os.unlink(OPEN),
    "kill": lambda: os.kill(HOST, 0),
    "prlimit": lambda: resource.prlimit(HOST, resource.RLIMIT_CORE, (0, 0)),
    "affinity": lambda: os.sched_setaffinity(HOST, {0}),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, HOST, 7),
    "scheduler": lambda: os.sched_setscheduler(HOST, os.SCHED_IDLE, os.sched_param(0)),
    "ptrace": traced,
}
for name, attempt in attempts.items():
    try: attempt()
    except OSError: continue
    print("ALLOWED", name, file=sys.stderr)
print("TRIED", len(attempts), file=sys.stderr)
os._exit(9)
"#;

/// If a bot has a user of its own, permissions alone keep it from closed files and processes of others.
#[test]
fn a_user_of_its_own_keeps_others_out_of_reach() {
    let limited = sandbox(SandboxLevel::LimitsOnly).unwrap();
    if !has("python3") || !nix::unistd::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let files = [("secret", 0o600), ("open", 0o644)].map(|(name, mode)| {
        let file = folder.path().join(name);
        std::fs::write(&file, "42").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        file
    });
    let look = || {
        files.each_ref().map(|file| {
            let found = std::fs::metadata(file).unwrap();
            (found.mode(), found.mtime_nsec(), found.ctime_nsec(), found.uid(), found.len())
        })
    };
    let before = look();
    let attack = ATTEMPTS
        .replace("HOST", &std::process::id().to_string())
        .replace("SECRET", &format!("{:?}", files[0]))
        .replace("OPEN", &format!("{:?}", files[1]));
    let fault = fault_of(&at_turn(&attack), &limited, &limits(), &policy());
    let said = &fault.stderr_tail;
    assert_eq!(fault.code, FaultCode::Crash, "{fault:#?}");
    assert!(said.contains("TRIED 17") && !said.contains("ALLOWED"), "{said}");
    assert_eq!(look(), before, "the files are as they were");
}

/// In a file system of its own a bot cannot name anything outside.
#[test]
fn what_is_there_is_hidden() {
    if !has("python3") {
        return;
    }
    for_every_user("others::what_is_there_is_hidden", || {
        let Some(strict) = sandbox(SandboxLevel::Strict) else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("standings.sqlite");
        std::fs::write(&file, "42").unwrap();
        let asks = format!(
            "for path in ({file:?}, {:?}, '/etc/passwd', '/etc/hostname', '/home', '/var', '/sys'):\n    \
             assert not os.path.lexists(path), path\n\
             assert len([pid for pid in os.listdir('/proc') if pid.isdigit()]) <= 2, 'more than bubblewrap and the bot'",
            folder.path()
        );
        assert_eq!(host(&at_turn(&asks), &strict, &limits(), &policy()).faults, []);
    });
}

/// A bot sees the folder of its program, but never the folder that all programs of the machine write to.
#[test]
fn a_program_among_everybodys_files_sees_none_of_them() {
    let Some(strict) = sandbox(SandboxLevel::Strict) else { return };
    let secret = tempfile::NamedTempFile::new_in("/tmp").unwrap();
    let says_hello = format!(
        "#!/bin/sh\n[ -e '{}' ] && echo '{{\"t\":\"hello\",\"v\":1}}'\ncat >/dev/null\n",
        secret.path().display()
    );
    let everybodys = std::fs::Permissions::from_mode(0o755);
    let program =
        tempfile::Builder::new().permissions(everybodys).tempfile_in("/tmp").unwrap().into_temp_path();
    std::fs::write(&program, says_hello).unwrap();
    let spec = BotSpec::parse(&format!("cmd:{}", program.display()), adapters()).unwrap();
    let launched = BotProcess::launch(&spec, &strict, &Limits { launch_ms: 5_000, ..limits() });
    assert!(launched.is_err(), "it has seen a file of somebody else");
}
