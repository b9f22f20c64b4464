//! Atomic replacement of files, and removal of files that killed writers left unfinished.

use std::io::Write;
use std::path::Path;

use meeple_lab::{NewFile, remove_leftovers};

fn names(folder: &Path) -> Vec<String> {
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_new_file_takes_its_place_or_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.json");
    std::fs::write(&target, "old").unwrap();
    let mut file = NewFile::beside(&target, 0o666).unwrap();
    file.write_all(b"new").unwrap();
    drop(file);
    assert_eq!((std::fs::read_to_string(&target).unwrap().as_str(), names(folder.path()).len()), ("old", 1));
    let mut file = NewFile::beside(&target, 0o666).unwrap();
    file.write_all(b"new").unwrap();
    file.persist().unwrap();
    assert_eq!((std::fs::read_to_string(&target).unwrap().as_str(), names(folder.path()).len()), ("new", 1));
    let long = folder.path().join("ä".repeat(120));
    NewFile::beside(&long, 0o666).unwrap().persist().unwrap();
    assert!(long.exists());
}

#[test]
fn what_killed_writers_left_goes_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // A live writer, here or in another process, holds a lock on its file.
    let held = NewFile::beside(&at("b"), 0o666).unwrap();
    let others = [
        ".a.meeple-abc12.tmp",
        ".a.meeple-abc1234.tmp",
        ".a.meeple-abc12_.tmp",
        "a.meeple-abc123.tmp",
        ".a.abc123.tmp",
        ".tmpabc123",
    ];
    for name in others.iter().chain(&[".a.meeple-abc123.tmp", ".c.meeple-XYZ987.tmp"]) {
        std::fs::write(at(name), "half").unwrap();
    }
    std::fs::create_dir(at(".d.meeple-abc123.tmp")).unwrap();
    remove_leftovers(folder.path());
    let mut expected: Vec<String> = others.iter().map(|name| (*name).to_owned()).collect();
    expected.push(".d.meeple-abc123.tmp".to_owned());
    expected.push(held.path().file_name().unwrap().to_str().unwrap().to_owned());
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    // The first new file of a process in a folder removes leftovers, too.
    let second = tempfile::tempdir().unwrap();
    std::fs::write(second.path().join(".a.meeple-abc123.tmp"), "half").unwrap();
    NewFile::beside(&second.path().join("other"), 0o666).unwrap().persist().unwrap();
    assert_eq!(names(second.path()), ["other"]);
    drop(held);
}
