//! `meeple new-game` writes a crate; `scripts/own-game` builds it and plays with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::meeple;

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The paths of all files below a folder.
fn files(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found
}

#[test]
fn a_crate_has_all_files_of_the_template_under_its_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/market");
    let words = format!("new-game night-market --rust --out {} --meeple {CLONE}", out.display());
    meeple(&words).assert().success();
    let mut template = files(&Path::new(CLONE).join("templates/rust-game"));
    template.retain(|path| !path.starts_with("target/") && path != "Cargo.lock");
    assert_eq!(files(&out), template);
    for path in &template {
        let text = fs::read_to_string(out.join(path)).unwrap();
        for left in ["template-game", "template_game", "TemplateGame", "Template game", "../../crates"] {
            assert!(!text.contains(left), "{path} has {left}");
        }
    }
    let main = fs::read_to_string(out.join("src/main.rs")).unwrap();
    assert!(main.contains("meeple::game::<night_market::NightMarket>()"), "{main}");
    let rules = fs::read_to_string(out.join("RULES.md")).unwrap();
    assert!(rules.starts_with("# Night market: rules\n"), "{rules}");
    let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
    let root = fs::canonicalize(CLONE).unwrap();
    let core = format!("meeple-core = {{ path = \"{}/crates/core\" }}", root.display());
    assert!(manifest.contains(&core), "{manifest}");
    // The parent folder has no unfinished files.
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1);
}

#[test]
fn a_repository_is_a_source_and_a_type_gets_a_name_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let url = "https://example.org/meeple.git";
    let out = folder.path().join("seat");
    meeple(&format!("new-game seat --rust --out {} --meeple {url}", out.display())).assert().success();
    let manifest = fs::read_to_string(out.join("Cargo.toml")).unwrap();
    assert!(
        manifest.contains(&format!("meeple = {{ git = \"{url}\", default-features = false }}")),
        "{manifest}"
    );
    assert!(manifest.contains(&format!("meeple-testkit = {{ git = \"{url}\" }}")), "{manifest}");
    // The contract has a type `Seat`.
    assert!(fs::read_to_string(out.join("src/lib.rs")).unwrap().contains("pub struct SeatGame {"));
}

/// Checks that `meeple new-game` with these words is bad usage, with `expected` in the message.
fn check(words: &str, expected: &str) {
    let output = meeple(&format!("new-game {words}")).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}: {message}");
    assert!(message.contains(expected) && output.stdout.is_empty(), "{words}: {message}");
}

#[test]
fn names_folders_and_sources_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("game");
    let rest = format!("--rust --out {} --meeple {CLONE}", out.display());
    for name in ["Night", "night--market", "night-", "7days", "night_market", "nacht-märkte", "a/b"] {
        check(&format!("{name} {rest}"), "expected a name of lower case letters");
    }
    check(&format!("{} {rest}", "a".repeat(41)), "at most 40");
    for name in [meeple_games::games()[0].info().id, "meeple", "meeple-core", "self", "serde", "test"] {
        check(&format!("{name} {rest}"), "expected a new name");
    }
    check("market", "--rust");
    check(&format!("market --rust --out {} --meeple /nowhere", out.display()), "expected a clone of Meeple");
    assert!(!out.exists());
    fs::create_dir(&out).unwrap();
    check(&format!("market {rest}"), "it is there already");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
}
