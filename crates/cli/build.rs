//! Lists the documentation for `meeple docs`, whose files become a part of the program.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // it lists files, and speaks to cargo by printing

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Pages outside the folders `docs` and `games`.
const PAGES: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = PAGES.map(PathBuf::from).into();
    walk(&root, Path::new("docs"), &mut files)?;
    println!("cargo::rerun-if-changed={}", root.join("games").display());
    for game in fs::read_dir(root.join("games"))? {
        let folder = Path::new("games").join(game?.file_name());
        files.extend(["GUIDE.md", "RULES.md"].map(|name| folder.join(name)));
    }
    files.sort();
    let mut list = "&[\n".to_owned();
    for name in files.iter().filter_map(|file| file.to_str()).map(|name| name.replace('\\', "/")) {
        let bytes = format!("include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../{name}\"))");
        writeln!(list, "(\"{name}\", {bytes}),").expect("a string takes everything");
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("docs.rs"), list)
}

/// Adds the pages, pictures and TOML files of a folder and its subfolders.
fn walk(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.join(folder).display());
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            walk(root, &path, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| ["md", "png", "svg", "toml"].iter().any(|own| ending == *own))
        {
            files.push(path);
        }
    }
    Ok(())
}
