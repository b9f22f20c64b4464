//! Licences, bans and sources of dependencies, by the lists of `deny.toml`.
//!
//! cargo-deny reads the same file and checks more, but takes minutes to install.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::workspace::metadata;

/// The checked parts of `deny.toml`.
#[derive(Deserialize)]
struct Rules {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Graph {
    targets: Vec<String>,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Entry>,
    skip: Vec<Entry>,
}

#[derive(Deserialize)]
struct Sources {
    #[serde(rename = "allow-registry")]
    allow_registry: Vec<String>,
}

/// A crate as `name` or `name@version`, where `0.2` matches every `0.2.x`.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "crate")]
    name: String,
    /// Crates that may depend on a banned one.
    #[serde(default)]
    wrappers: BTreeSet<String>,
    reason: String,
}

impl Entry {
    fn matches(&self, package: &Package) -> bool {
        let (name, version) = self.name.split_once('@').unwrap_or((&self.name, ""));
        let rest = package.version.strip_prefix(version);
        name == package.name
            && (version.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }
}

#[derive(Clone, Debug)]
struct Package {
    name: String,
    version: String,
    /// The SPDX expression; empty if the crate gives none.
    license: String,
    /// `None` for crates of the workspace.
    source: Option<String>,
    dependencies: BTreeSet<String>,
}

/// Violations of `deny.toml`, one text each.
pub(crate) fn check(root: &Path) -> Result<Vec<String>> {
    let path = root.join("deny.toml");
    let text = std::fs::read_to_string(&path).context("cannot read deny.toml")?;
    let rules: Rules = toml::from_str(&text).context("deny.toml")?;
    let mut packages = BTreeMap::new();
    for target in &rules.graph.targets {
        let metadata = metadata(root, &["--locked", "--all-features", "--filter-platform", target])?;
        packages
            .extend(read(&metadata).context("expected packages and their resolution from cargo metadata")?);
    }
    let packages: Vec<Package> = packages.into_values().collect();
    Ok([licenses(&rules, &packages), bans(&rules, &packages), sources(&rules, &packages)].concat())
}

/// The crates of a build by id, with their used dependencies.
fn read(metadata: &Value) -> Option<BTreeMap<String, Package>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut packages = BTreeMap::new();
    for package in metadata["packages"].as_array()? {
        let read = Package {
            name: text(&package["name"])?,
            version: text(&package["version"])?,
            license: text(&package["license"]).unwrap_or_default(),
            source: text(&package["source"]),
            dependencies: BTreeSet::new(),
        };
        packages.insert(text(&package["id"])?, read);
    }
    let names: BTreeMap<String, String> =
        packages.iter().map(|(id, package)| (id.clone(), package.name.clone())).collect();
    for node in metadata["resolve"]["nodes"].as_array()? {
        let dependencies = node["dependencies"].as_array()?.iter().filter_map(Value::as_str);
        let dependencies = dependencies.filter_map(|id| names.get(id).cloned());
        packages.get_mut(node["id"].as_str()?)?.dependencies.extend(dependencies);
    }
    Some(packages)
}

fn licenses(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let refused =
        |package: &&Package| package.source.is_some() && !satisfied(&package.license, &rules.licenses.allow);
    let packages = packages.iter().filter(refused);
    packages
        .map(|package| {
            format!(
                "deny.toml: expected a licence of [licenses] allow, found '{}' at {} {}\nhint: choose another crate, or \
                 allow the licence if a program under MIT or Apache-2.0 may contain it",
                package.license, package.name, package.version
            )
        })
        .collect()
}

/// Checks an SPDX expression for an allowed choice. `/` is the old form of OR.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    any(&mut words, allowed) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut found = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        found |= all(words, allowed);
    }
    found
}

fn all(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut found = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        found &= one(words, allowed);
    }
    found
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let found = any(words, allowed);
        return words.next() == Some(")") && found;
    }
    let Some(name) = words.next() else { return false };
    match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
        Some(exception) => allowed.contains(&format!("{name} WITH {exception}")),
        None => allowed.contains(name),
    }
}

fn bans(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for entry in &rules.bans.deny {
        for banned in packages.iter().filter(|package| entry.matches(package)) {
            let users = packages.iter().filter(|user| user.dependencies.contains(&banned.name));
            let users = users.filter(|user| !entry.wrappers.contains(&user.name));
            wrong.extend(users.map(|user| {
                format!(
                    "deny.toml: expected no {}, found it below {} {}\nhint: {}",
                    banned.name, user.name, user.version, entry.reason
                )
            }));
        }
    }
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        if !rules.bans.skip.iter().any(|entry| entry.matches(package)) {
            versions.entry(&package.name).or_default().push(&package.version);
        }
    }
    wrong.extend(versions.iter().filter(|(_, versions)| versions.len() > 1).map(|(name, versions)| {
        format!(
            "deny.toml: expected one version of {name}, found {}\nhint: update what uses the older one, or name it in \
             [bans] skip with the reason",
            versions.join(" and ")
        )
    }));
    let unused = |entry: &&Entry| !packages.iter().any(|package| entry.matches(package));
    wrong.extend(rules.bans.skip.iter().filter(unused).map(|entry| {
        format!(
            "deny.toml: expected {} of [bans] skip in the build, found none\nhint: remove the entry",
            entry.name
        )
    }));
    wrong
}

fn sources(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let known = |source: &String| {
        let address = source.strip_prefix("registry+");
        address.is_some_and(|address| rules.sources.allow_registry.iter().any(|known| known == address))
    };
    let foreign = packages.iter().filter_map(|package| Some((package, package.source.as_ref()?)));
    let unknown = foreign.filter(|(_, source)| !known(source));
    unknown
        .map(|(package, source)| {
            format!(
                "deny.toml: expected a source of [sources] allow-registry, found '{source}' at {} {}",
                package.name, package.version
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        toml::from_str(
            r#"
            graph.targets = []
            licenses.allow = ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"]
            bans.deny = [{ crate = "dice", wrappers = ["socket"], reason = "ours are fixed" }]
            bans.skip = [{ crate = "old@0.2", reason = "socket" }]
            sources.allow-registry = ["https://index"]
            "#,
        )
        .unwrap()
    }

    fn package(name: &str, version: &str, dependencies: &[&str]) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            license: "MIT".into(),
            source: Some("registry+https://index".into()),
            dependencies: dependencies.iter().map(|name| (*name).into()).collect(),
        }
    }

    #[test]
    fn a_licence_is_a_choice_or_several_together() {
        let allowed = rules().licenses.allow;
        for expression in [
            "MIT",
            "GPL-3.0 OR MIT",
            "GPL-3.0/MIT",
            "(MIT OR GPL-3.0) AND BSD-3-Clause",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(satisfied(expression, &allowed), "{expression}");
        }
        for expression in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "GPL-3.0 OR Apache-2.0",
            "(MIT",
            "MIT)",
            "MIT WITH LLVM-exception",
        ] {
            assert!(!satisfied(expression, &allowed), "{expression}");
        }
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let sound = [
            package("socket", "1.0.0", &["dice", "old"]),
            package("dice", "0.9.1", &[]),
            package("old", "0.2.7", &[]),
            package("old", "0.3.0", &[]),
            Package { source: None, license: String::new(), ..package("ours", "0.1.0", &["socket"]) },
        ];
        let found = |packages: &[Package]| {
            [licenses(&rules(), packages), bans(&rules(), packages), sources(&rules(), packages)].concat()
        };
        assert_eq!(found(&sound), Vec::<String>::new());
        for (more, expected) in [
            (
                Package { license: "GPL-3.0".into(), ..package("a", "1.0.0", &[]) },
                "found 'GPL-3.0' at a 1.0.0",
            ),
            (package("a", "1.0.0", &["dice"]), "found it below a 1.0.0\nhint: ours are fixed"),
            (package("old", "0.20.0", &[]), "found 0.3.0 and 0.20.0"),
            (
                Package { source: Some("git+https://x".into()), ..package("a", "1.0.0", &[]) },
                "found 'git+https://x' at a 1.0.0",
            ),
        ] {
            let wrong = found(&[&sound[..], &[more]].concat());
            assert!(wrong.len() == 1 && wrong[0].contains(expected), "{expected}: {wrong:?}");
        }
        let stale = found(&[package("old", "0.3.0", &[])]);
        assert!(stale.len() == 1 && stale[0].contains("old@0.2 of [bans] skip"), "{stale:?}");
    }
}
