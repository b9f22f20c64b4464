//! Files that are missing or cannot be read: one exit code, whatever they were for.

use crate::meeple;

#[test]
fn files_that_cannot_be_read_are_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A link to itself cannot be read by anybody, whoever runs the tests.
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
            // An empty folder is a folder of no bots, and no bot.
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
