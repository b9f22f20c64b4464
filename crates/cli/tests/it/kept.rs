//! Long computations of tools: cached, resumed, and never mistaken for others.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use meeple_testkit::waits::{output_of, until_while_running};

/// A computation of about a second, stored in sixty parts.
const LONG: &str = "exact incan-gold equilibrium --seats 3 --goal gems --set gems=2,3,5,7,9,11,14 --json";
const SHORT: &str = "exact incan-gold equilibrium --seats 2 --goal gems --set gems=3,8 --set rounds=2 --json";

fn start(folder: &Path, words: &str) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.env("NO_COLOR", "1").env("MEEPLE_CACHE", folder).args(words.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Stdout and stderr of a call that must succeed.
fn run(folder: &Path, words: &str) -> (String, String) {
    let output = start(folder, words).wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

/// The only file in the cache.
fn kept(folder: &Path) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(folder).ok()?.map(|file| file.unwrap().path());
    // An unfinished file has another extension.
    files.find(|path| path.extension().is_some_and(|end| end == "values"))
}

#[test]
fn a_computation_that_was_stopped_goes_on() {
    let whole = tempfile::tempdir().unwrap();
    let (expected, _) = run(whole.path(), &format!("{LONG} --threads 2"));
    let bytes = std::fs::read(kept(whole.path()).unwrap()).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &format!("{LONG} --threads 1"));
    until_while_running(&mut child, "a kept file", || kept(folder.path()).is_some());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = output_of(child, "a computation that was interrupted");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("stopped with ") && shown.contains("the same command goes on"), "{shown}");
    let part = std::fs::read(kept(folder.path()).unwrap()).unwrap();
    assert!(part.len() < bytes.len(), "it was stopped before the end");

    let (found, errors) = run(folder.path(), &format!("{LONG} --threads 1"));
    assert!(errors.contains("goes on from incan-gold-"), "{errors}");
    assert_eq!(found, expected, "on any number of threads, and after a stop");
    assert_eq!(std::fs::read(kept(folder.path()).unwrap()).unwrap(), bytes);
}

#[test]
fn files_that_are_damaged_or_of_something_else_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let (expected, _) = run(folder.path(), SHORT);
    let path = kept(folder.path()).unwrap();
    let good = std::fs::read_to_string(&path).unwrap();

    let other = tempfile::tempdir().unwrap();
    run(other.path(), &SHORT.replace("rounds=2", "rounds=1"));
    let foreign = std::fs::read_to_string(kept(other.path()).unwrap()).unwrap();
    for (text, said) in [
        (good.replacen("rounds 2", "rounds 3", 1).into_bytes(), "expected the checksum"),
        (foreign.into_bytes(), "expected values of 'rounds 2', found 'rounds 1'"),
        (b"another file".to_vec(), "expected a last line with a checksum"),
        (vec![0xff, 0xfe], "UTF-8"),
    ] {
        std::fs::write(&path, text).unwrap();
        let (found, errors) = run(folder.path(), SHORT);
        assert!(errors.contains("cannot be used and is computed again") && errors.contains(said), "{errors}");
        assert_eq!(found, expected);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), good, "{said}");
    }
}

#[test]
fn without_a_folder_nothing_is_kept_and_all_is_computed() {
    let (found, errors) = run(Path::new(""), SHORT);
    assert!(found.contains("\"gems\"") && errors.contains("cannot be kept"), "{errors}");
    let file = tempfile::NamedTempFile::new().unwrap();
    let (again, errors) = run(&file.path().join("folder"), SHORT);
    assert_eq!(again, found);
    assert!(errors.contains("cannot be kept"), "{errors}");
}
