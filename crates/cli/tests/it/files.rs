//! Files that are missing or cannot be read: the exit code is the same for every use.

use crate::meeple;

#[test]
fn files_that_cannot_be_read_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A link to itself cannot be read by any user, not even by root.
    std::os::unix::fs::symlink(path("loop"), path("loop")).unwrap();
    std::os::unix::fs::symlink(path("loop.toml"), path("loop.toml")).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    std::fs::create_dir(path("folder.toml")).unwrap();
    let verbs = [
        "replay FILE",
        "replay FILE --check",
        "replay FILE --film",
        "render FILE -o FOLDER/x.svg",
        "verify FILE",
        "rank FILE --game incan-gold",
        "tournament FILE.toml",
        "tournament --resume FILE",
        "check-bot FILE",
        "match incan-gold turn:7 FILE",
        "tournament incan-gold turn:7 FILE",
        "sim privateers trader*2 --set map=@FILE",
        "sweep privateers trader*2 --set map=@FILE -n 5",
        "sweep privateers trader*2 --set map=pocket,@FILE -n 5",
        "play privateers human trader --set map=@FILE",
        "match privateers trader pirate --set map=@FILE",
        "map privateers check FILE",
        "record game17 show FILE",
        "record game17 import FILE",
        "record game17 export FILE -o FOLDER/x.json",
    ];
    for verb in verbs {
        for name in ["none", "loop", "folder"] {
            // `rank` finds no bots in the empty folder, and `match` no main file.
            let words = verb.replace("FILE", &path(name)).replace("FOLDER", folder.path().to_str().unwrap());
            let output = meeple(&words).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "meeple {words}\n{errors}");
            assert!(output.stdout.is_empty() && errors.contains(name), "meeple {words}\n{errors}");
        }
    }
    assert!(
        !std::path::Path::new(&path("x.svg")).exists() && !std::path::Path::new(&path("x.json")).exists()
    );
}

/// A record on a read-only medium can be verified, with and without the write-ahead log that a kill leaves.
#[test]
fn records_are_proved_in_read_only_directories() {
    let mount = |folder: &std::path::Path| {
        let mut bwrap = std::process::Command::new("bwrap");
        bwrap.args(["--dev-bind", "/", "/", "--ro-bind"]).arg(folder).arg(folder);
        bwrap
    };
    let folder = tempfile::tempdir().unwrap();
    if !crate::has_python() || !mount(folder.path()).arg("true").status().is_ok_and(|status| status.success())
    {
        return;
    }
    let closed = folder.path().join("closed");
    crate::stdout(&format!("tournament incan-gold turn:7 never -n 4 --seed 3 -q --out {}", closed.display()));
    // Copies with a log: as a reader leaves it at the end, and as a kill leaves it, with and without its
    // index.
    let make = r#"
import os, shutil, sqlite3, sys
closed = sys.argv[1]
for name in ('header', 'killed', 'copied'):
    shutil.copytree(closed, closed + '/../' + name)
sqlite3.connect(closed + '/../header/tournament.db').execute('PRAGMA journal_mode = WAL').connection.close()
for name in ('killed', 'copied'):
    path = closed + '/../' + name + '/tournament.db'
    database = sqlite3.connect(path)
    database.execute('PRAGMA journal_mode = WAL')
    database.execute('UPDATE meta SET value = value')
    database.commit()
    kept = [path + end for end in ('-wal', '-shm')]
    for file in kept: shutil.copy(file, file + '.kept')
    database.close()
    for file in kept: os.rename(file + '.kept', file)
os.remove(closed + '/../copied/tournament.db-shm')
"#;
    let made = std::process::Command::new("python3").args(["-c", make]).arg(&closed).status();
    assert!(made.unwrap().success());
    for name in ["closed", "header", "killed", "copied"] {
        let record = folder.path().join(name);
        let program = assert_cmd::cargo::cargo_bin("meeple");
        let output = mount(folder.path()).arg(program).arg("verify").arg(&record).arg("-q").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("the standings follow from them"),
            "{name}: {output:?}"
        );
    }
}
