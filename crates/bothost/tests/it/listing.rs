//! Folders of bots: bots, and entries that only look like one.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use meeple_bothost::{Listing, list_bots};
use meeple_games::adapters;
use nix::sys::stat::Mode;

/// The listing of a folder, with bots as paths inside it.
fn listing(fill: impl FnOnce(&Path)) -> Listing {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("bots");
    fs::create_dir(&folder).unwrap();
    fs::write(above.path().join("outside.py"), "").unwrap();
    fs::write(above.path().join("readme"), "").unwrap();
    for name in ["a.py", "b.js", "notes.txt", ".hidden.py", "_shared.py"] {
        fs::write(folder.join(name), "").unwrap();
    }
    fs::create_dir(folder.join("c")).unwrap();
    fs::write(folder.join("c/main.py"), "").unwrap();
    fs::create_dir(folder.join("data")).unwrap();
    fill(&folder);
    let mut found = list_bots(&folder, adapters()).unwrap();
    let prefix = format!("{}/", folder.display());
    for bot in &mut found.bots {
        *bot = bot.strip_prefix(&prefix).unwrap().to_owned();
    }
    found
}

#[test]
fn whatever_can_be_run_is_a_bot() {
    let found = listing(|_| ());
    assert_eq!((found.bots, found.left_out), (["a.py", "b.js", "c"].map(String::from).to_vec(), vec![]));
}

/// Each odd thing costs nobody but itself.
#[test]
fn odd_things_are_left_out_by_name() {
    type Fill = fn(&Path);
    let odd: [(Fill, &str, &str); 6] = [
        (
            |folder| nix::unistd::mkfifo(&folder.join("z.py"), Mode::S_IRWXU).unwrap(),
            "z.py",
            "it is a FIFO\nhint:",
        ),
        (
            |folder| drop(std::os::unix::net::UnixListener::bind(folder.join("z.py")).unwrap()),
            "z.py",
            "it is a socket\nhint:",
        ),
        (|folder| symlink("nowhere.py", folder.join("z.py")).unwrap(), "z.py", "does not exist"),
        (|folder| symlink("../outside.py", folder.join("z.py")).unwrap(), "z.py", "a link that leads out"),
        (|folder| symlink("/bin/sh", folder.join("z")).unwrap(), "z", "--with"),
        (
            |folder| fs::write(folder.join(OsStr::from_bytes(b"\xff\x1b[2J.py")), "").unwrap(),
            r"\xff\u{1b}[2J.py",
            "not UTF-8\nhint:",
        ),
    ];
    for (fill, name, why) in odd {
        let found = listing(fill);
        assert_eq!(found.bots, ["a.py", "b.js", "c"], "{name}");
        let [left_out] = &found.left_out[..] else { panic!("{name}: {found:#?}") };
        assert!(left_out.name == name && left_out.why.contains(why), "{left_out:#?}");
        assert!(!left_out.why.contains('\u{1b}'), "{left_out:#?}");
    }
}

#[test]
fn links_within_the_folder_are_bots() {
    let found = listing(|folder| {
        symlink("a.py", folder.join("newest.py")).unwrap();
        symlink("c", folder.join("d")).unwrap();
        // A link that leads out and names no bot is ignored.
        symlink("../readme", folder.join("README")).unwrap();
    });
    assert_eq!((found.bots.len(), found.left_out.len()), (5, 0), "{found:#?}");
}
