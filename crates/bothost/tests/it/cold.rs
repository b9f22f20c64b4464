//! Files in memory: presence of a page is the same for all processes of a machine, and changes the time of a
//! read. Where deals are repeated, no bot may use pages to pass a message to its successor.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use meeple_bothost::{BotProcess, BotSpec, FaultCode, Limits, Player, Sandbox, SandboxLevel};
use meeple_games::adapters;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};

use crate::hostile::{POLITE, isolated};
use crate::hosts::alone;
use crate::support::{has, launch, limits, sandboxes, shell_bot};

/// All files below some folders, links left out, as far as we may look.
fn files_below(folders: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

/// Makes the kernel drop a file from memory, except mapped pages.
fn forget(file: &Path) {
    let _ = File::open(file).map(|file| posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED));
}

/// Bytes that this thread has read from disks.
fn read_from_disk() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/io").unwrap();
    text.lines().find_map(|line| line.strip_prefix("read_bytes: ")).unwrap().parse().unwrap()
}

/// Returns true if a part of a file was not in memory; the call loads it.
fn is_cold(path: &Path) -> bool {
    let before = read_from_disk();
    let _ = fs::read(path);
    read_from_disk() > before
}

/// The subset of these files that a bot may read, as found before its hello.
fn readable_files(candidates: &[PathBuf], sandbox: &Sandbox) -> (Vec<PathBuf>, Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let list = candidates.iter().filter_map(|path| path.to_str()).collect::<Vec<_>>().join("\n");
    fs::write(folder.path().join("candidates.txt"), list).unwrap();
    fs::write(folder.path().join("main.py"), POLITE.replace("ATTACK", WALK)).unwrap();
    let spec = BotSpec::parse(folder.path().to_str().unwrap(), adapters()).unwrap();
    let limits = Limits { stderr_tail_bytes: 64 << 20, stderr_bytes: 64 << 20, ..limits() };
    let mut bot = BotProcess::launch(&spec, sandbox, &limits).unwrap();
    let report = bot.fault(FaultCode::Crash, String::new()).stderr_tail;
    let cold = bot.cold_files().map(str::to_owned);
    assert!(report.trim_end().ends_with("END"), "{}: {}", sandbox.level(), &report[..report.len().min(300)]);
    (report.lines().filter(|line| line.starts_with('/')).map(PathBuf::from).collect(), cold)
}

const WALK: &str = r#"
for path in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "candidates.txt")).read().split("\n"):
    try: os.close(os.open(path, os.O_RDONLY))
    except OSError: continue
    sys.stderr.write(path + "\n")
sys.stderr.write("END\n")
sys.stderr.flush()
"#;

/// No readable file of a bot is cold when it starts.
#[test]
fn no_file_that_a_bot_may_read_is_cold_when_it_starts() {
    const TEST: &str = "cold::no_file_that_a_bot_may_read_is_cold_when_it_starts";
    const MAX_TRIES: usize = 5;
    if !has("python3") || !alone(TEST) {
        return;
    }
    let candidates = files_below(&["/usr", "/opt", "/etc", "/srv", "/var/lib"]);
    for sandbox in isolated().into_iter().map(Sandbox::with_files_in_memory) {
        let level = sandbox.level();
        let (readable, _) = readable_files(&candidates, &sandbox);
        assert!(readable.len() > 100, "{level}: {}", readable.len());
        for file in ["/usr/bin/perl", "/usr/bin/gcc", "/usr/share/dict/words", "/etc/passwd"] {
            assert!(!readable.contains(&PathBuf::from(file)), "{level}: {file}");
        }
        // The kernel may drop a file at any time. A file that no start reads is cold in each try.
        let mut cold: Option<BTreeSet<PathBuf>> = None;
        for _ in 0..MAX_TRIES {
            let some = || readable.iter().step_by(20);
            some().for_each(|file| forget(file));
            let forgotten = some().filter(|file| is_cold(file)).count();
            assert!(forgotten > 10, "{level}: {forgotten}");
            some().for_each(|file| forget(file));
            let (again, why) = readable_files(&candidates, &sandbox);
            assert_eq!((&again, why), (&readable, None), "{level}");
            let found = again.into_iter().filter(|file| is_cold(file));
            let before = cold.take();
            let still =
                found.filter(|file| before.as_ref().is_none_or(|before| before.contains(file))).collect();
            if cold.insert(still).is_empty() {
                break;
            }
        }
        assert_eq!(cold, Some(BTreeSet::new()), "{level}");
    }
}

/// The reason must be available if files cannot be kept in memory.
#[test]
fn files_not_kept_in_memory_are_reported() {
    const HELLO: &str = r#"cmd:perl -e '$| = 1; while (<>) { print qq({"t":"hello","v":1}\n) if /"hello"/; exit if /"bye"/ }'"#;
    if !has("perl") {
        return;
    }
    let (shell, perl) = (shell_bot(), BotSpec::parse(HELLO, adapters()).unwrap());
    for sandbox in sandboxes() {
        let (level, is_isolated) = (sandbox.level(), sandbox.level() <= SandboxLevel::InProcess);
        assert_eq!(launch(&perl, &sandbox).cold_files(), None, "{level}: nobody asked for it");
        let sandbox = sandbox.with_files_in_memory();
        let report = launch(&perl, &sandbox).cold_files().unwrap_or_default().to_owned();
        let expected = if is_isolated { "the system files that" } else { "all files of the machine" };
        assert!(report.contains(expected), "{level}: {report}");
        assert_eq!(launch(&shell.spec, &sandbox).cold_files().is_none(), is_isolated, "{level}");
    }
}

/// A script that runs another program may read that program's dependencies.
#[test]
fn a_shell_script_runs_the_programs_that_it_names() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main"), "#!/bin/sh\nexec python3 bot.py\n").unwrap();
    fs::write(folder.path().join("bot.py"), POLITE.replace("ATTACK", "import decimal, sqlite3")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path().join("main"), mode).unwrap();
    let spec = BotSpec::parse(folder.path().to_str().unwrap(), adapters()).unwrap();
    for sandbox in isolated() {
        let level = sandbox.level();
        let bot = launch(&spec, &sandbox.with_files_in_memory());
        assert_eq!((bot.hello().name.as_str(), bot.cold_files()), ("test", None), "{level}");
    }
}
