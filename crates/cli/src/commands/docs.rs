//! `meeple docs`: the documentation in the browser, without a network.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::DocsArgs;
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::site::{self, DocPage};
use crate::{host, terminal};

pub fn run(args: &DocsArgs) -> anyhow::Result<()> {
    let page = match &args.page {
        Some(name) => named(name)?,
        None => site::first_page(),
    };
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => own_folder()?,
    };
    for (path, bytes) in site::files() {
        write(&folder.join(path), &bytes)?;
    }
    let place = folder.join(page.address());
    let place = std::path::absolute(&place).unwrap_or(place);
    terminal::print(&place.display().to_string())?;
    // No browser is opened for a program that reads the output.
    if !args.no_open && std::io::stdout().is_terminal() && open::that_detached(&place).is_err() {
        terminal::tell(format_args!("meeple: no browser was found here; open the file above in one"));
    }
    Ok(())
}

/// The page with this path or file name; else the only page whose path or title contains `name`.
fn named(name: &str) -> anyhow::Result<DocPage> {
    let wanted = name.trim_end_matches(".md").to_lowercase();
    let stem = |page: &DocPage| page.path.trim_end_matches(".md").to_lowercase();
    let is_named = |page: &DocPage| stem(page) == wanted || stem(page).ends_with(&format!("/{wanted}"));
    let holds =
        |page: &DocPage| stem(page).contains(&wanted) || page.title().to_lowercase().contains(&wanted);
    let exact: Vec<DocPage> = site::pages().filter(is_named).collect();
    let found = if exact.is_empty() { site::pages().filter(holds).collect() } else { exact };
    match found.as_slice() {
        [page] => Ok(*page),
        found => {
            let all: Vec<DocPage> = site::pages().collect();
            let (count, shown) = match found.len() {
                0 => ("none".to_owned(), all.as_slice()),
                several => (several.to_string(), found),
            };
            let paths: Vec<&str> = shown.iter().map(|page| page.path).collect();
            Err(usage(format!(
                "expected one page named '{name}', found {count}\nhint: one of {}",
                paths.join(", ")
            )))
        }
    }
}

/// The folder of this release's site: in the user's caches, or among temporary files if there are none.
fn own_folder() -> anyhow::Result<PathBuf> {
    let caches = host::caches().unwrap_or_else(std::env::temp_dir);
    Ok(caches.join(concat!("docs-", env!("CARGO_PKG_VERSION"))))
}

/// Writes a file, unless it holds these bytes already.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: expected to make the directory", folder.display()))?;
    write_atomically(path, bytes)
}
