//! The crates of the workspace and their dependencies, from `cargo metadata`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Path from the root of the workspace, with `/`.
    pub(crate) folder: String,
    pub(crate) dependencies: Vec<Dependency>,
    /// Files for mutation testing, from the root of the workspace: `[package.metadata.mutants]`.
    pub(crate) mutants: Vec<String>,
    /// Words specific to this game: `[package.metadata.layering] words = [...]`.
    pub(crate) words: Vec<String>,
}

impl Package {
    /// The last part of its folder, which is a game's name.
    pub(crate) fn short_name(&self) -> &str {
        self.folder.rsplit('/').next().unwrap_or(&self.folder)
    }

    /// True for games, including the examples.
    pub(crate) fn is_game(&self) -> bool {
        self.folder.starts_with("games/") || self.folder.starts_with("examples/")
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) need: Need,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Needed by the crate itself, or by its build script.
    Use,
    /// Needed by the tests and examples of the crate.
    Test,
}

pub(crate) fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_owned).context("xtask lies in the workspace")
}

/// A command of the running cargo.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

pub(crate) fn packages(root: &Path) -> Result<Vec<Package>> {
    read(&metadata(root, &["--no-deps", "--offline"])?)
}

/// Output of `cargo metadata`.
pub(crate) fn metadata(root: &Path, flags: &[&str]) -> Result<Value> {
    let mut told = cargo();
    told.args(["metadata", "--format-version", "1"]).args(flags).current_dir(root);
    let output = told.output().context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("cargo metadata gave no JSON")
}

pub(crate) fn read(metadata: &Value) -> Result<Vec<Package>> {
    let root = Path::new(metadata["workspace_root"].as_str().context("no workspace_root")?);
    let packages = metadata["packages"].as_array().context("no packages")?;
    packages.iter().map(|package| read_package(root, package)).collect()
}

fn read_package(root: &Path, package: &Value) -> Result<Package> {
    let name = package["name"].as_str().context("a package without a name")?.to_owned();
    let manifest = Path::new(package["manifest_path"].as_str().context("a package without a manifest")?);
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root).ok());
    let folder = folder.with_context(|| format!("{name} lies outside the workspace"))?;
    let folder = folder.to_string_lossy().replace('\\', "/");
    let dependency = |value: &Value| {
        let need = if value["kind"] == "dev" { Need::Test } else { Need::Use };
        Some(Dependency { name: value["name"].as_str()?.to_owned(), need })
    };
    let words = |list: &Value| -> Vec<String> {
        list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let dependencies = package["dependencies"].as_array().context("a package without dependencies")?;
    let mutants = words(&package["metadata"]["mutants"]["files"]);
    Ok(Package {
        name,
        dependencies: dependencies.iter().filter_map(dependency).collect(),
        mutants: mutants.iter().map(|file| format!("{folder}/{file}")).collect(),
        words: words(&package["metadata"]["layering"]["words"]),
        folder,
    })
}

/// All Rust files below a folder: relative names with `/`, and texts. Empty if the folder does not exist.
pub(crate) fn rust_files(folder: &Path) -> Result<BTreeMap<String, String>> {
    text_files(folder, &["rs"])
}

/// The text files below a folder with one of these extensions, by relative path.
pub(crate) fn text_files(folder: &Path, endings: &[&str]) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).into_iter().flatten() {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| endings.iter().any(|ending| extension == *ending))
            {
                let text = fs::read_to_string(&path);
                let text = text.with_context(|| format!("cannot read {}", path.display()))?;
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                files.insert(name, text);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read() {
        let metadata = serde_json::json!({
            "workspace_root": "/w",
            "packages": [{
                "name": "meeple-dice",
                "manifest_path": "/w/games/dice/Cargo.toml",
                "dependencies": [
                    { "name": "meeple-core", "kind": null },
                    { "name": "cc", "kind": "build" },
                    { "name": "meeple-testkit", "kind": "dev" },
                ],
                "metadata": { "mutants": { "files": ["src/rules.rs"] } },
            }],
        });
        let on = |name: &str, need| Dependency { name: name.into(), need };
        let expected = Package {
            name: "meeple-dice".into(),
            folder: "games/dice".into(),
            dependencies: vec![
                on("meeple-core", Need::Use),
                on("cc", Need::Use),
                on("meeple-testkit", Need::Test),
            ],
            mutants: vec!["games/dice/src/rules.rs".into()],
            words: Vec::new(),
        };
        assert_eq!(read(&metadata).unwrap(), [expected]);
        assert!(read(&serde_json::json!({})).is_err());
    }

    #[test]
    fn this_workspace_has_its_core() {
        let packages = packages(&root().unwrap()).unwrap();
        assert!(packages.iter().any(|package| package.folder == "crates/core"), "{packages:?}");
    }
}
