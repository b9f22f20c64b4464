//! No two files of a crate know each other, directly or through others.
//!
//! Inside a crate, too, arrows point one way: what a file uses can be read and changed without it. Paths are read
//! from the text (`crate::`, `super::`, `self::` and the names of modules declared in the file), so macros and
//! generated code count; comments and `#[cfg(test)]` modules do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use crate::workspace::{Package, rust_files};

/// The circles of every package, one text each.
pub(crate) fn check(root: &Path, packages: &[Package]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in packages {
        let mut files = rust_files(&root.join(&package.folder).join("src"))?;
        // Programs of their own use the crate from outside.
        files.retain(|name, _| !name.starts_with("bin/"));
        let told = |circle: Vec<&str>| format!("{}: {} use each other", package.folder, circle.join(", "));
        wrong.extend(circles(&files).into_iter().map(told));
    }
    Ok(wrong)
}

/// The sets of files, given by name and text, each of which can be reached from the others.
fn circles(files: &BTreeMap<String, String>) -> Vec<Vec<&str>> {
    let modules: BTreeMap<Vec<&str>, &str> =
        files.keys().map(|name| (module_path(name), name.as_str())).collect();
    let used: BTreeMap<&str, BTreeSet<&str>> = files
        .iter()
        .map(|(name, text)| {
            let uses = uses(&module_path(name), &code(text), &modules);
            (name.as_str(), uses.into_iter().filter(|used| used != name).collect())
        })
        .collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        used.keys().map(|name| (*name, reachable(name, &used))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for name in used.keys() {
        if reached[name].contains(name) && !circles.iter().any(|circle| circle.contains(name)) {
            circles.push(used.keys().copied().filter(|other| both(&reached, name, other)).collect());
        }
    }
    circles
}

fn both(reached: &BTreeMap<&str, BTreeSet<&str>>, one: &str, other: &str) -> bool {
    reached[one].contains(other) && reached[other].contains(one)
}

fn reachable<'a>(from: &str, used: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = used[from].iter().copied().collect();
    while let Some(name) = next.pop() {
        if reached.insert(name) {
            next.extend(&used[name]);
        }
    }
    reached
}

/// `draw/panel.rs` is the module `draw::panel`, `draw/mod.rs` is `draw`, `lib.rs` the root.
fn module_path(file: &str) -> Vec<&str> {
    let mut path: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(path.last(), Some(&("mod" | "lib" | "main"))) {
        path.pop();
    }
    path
}

/// The text without comments, strings and what follows `#[cfg(test)]` (tests stand at the end of a file).
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    text.lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The files that a module's code uses.
fn uses<'a>(module: &[&str], code: &str, modules: &BTreeMap<Vec<&str>, &'a str>) -> BTreeSet<&'a str> {
    let words = words(code);
    let mut used = BTreeSet::new();
    let mut at = 0;
    while at < words.len() {
        // What a macro writes for others begins with `$crate` and is none of its own file's business.
        let begins = at == 0 || !matches!(words[at - 1], "::" | "$");
        let is_path = begins && words.get(at + 1) == Some(&"::");
        let child = [module, &[words[at]]].concat();
        if is_path && (matches!(words[at], "crate" | "super" | "self") || modules.contains_key(&child)) {
            let mut paths = Vec::new();
            at = tree(&words, at, &[], &mut paths);
            for path in paths {
                used.extend(file_of(module, &path, modules));
            }
        } else {
            at += 1;
        }
    }
    used
}

/// Names, `::` and all other characters, one by one.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match name {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            name => name,
        };
        if !first.is_whitespace() {
            words.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    words
}

/// Adds the paths that begin at a word, `a::{b, c::d}` being two, and returns the word after them.
fn tree<'a>(words: &[&'a str], mut at: usize, begun: &[&'a str], paths: &mut Vec<Vec<&'a str>>) -> usize {
    let mut path = begun.to_vec();
    loop {
        match words.get(at) {
            Some(&"{") => {
                at += 1;
                while let Some(word) = words.get(at) {
                    match *word {
                        "}" => return at + 1,
                        "," => at += 1,
                        _ => at = tree(words, at, &path, paths).max(at + 1),
                    }
                }
                return at;
            }
            // A macro that is exported has its path from the root, wherever it stands.
            Some(name) if words.get(at + 1) == Some(&"!") && path.len() == 1 && *name != "!" => {
                return at + 2;
            }
            Some(name) => path.push(name),
            None => {}
        }
        if words.get(at + 1) != Some(&"::") {
            paths.push(path);
            return at + 1;
        }
        at += 2;
    }
}

/// The file that a path in `module` leads to: that of its longest part which is a module.
fn file_of<'a>(module: &[&str], path: &[&str], modules: &BTreeMap<Vec<&str>, &'a str>) -> Option<&'a str> {
    let mut full: Vec<&str> = match path.first() {
        Some(&"crate") => Vec::new(),
        _ => module.to_vec(),
    };
    for (index, name) in path.iter().enumerate() {
        match *name {
            "crate" | "self" if index == 0 => {}
            "super" => drop(full.pop()),
            name => full.push(name),
        }
    }
    while !full.is_empty() {
        if let Some(file) = modules.get(&full) {
            return Some(file);
        }
        full.pop();
    }
    modules.get(&full).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        circles(&files).into_iter().map(|circle| circle.join(" ")).collect()
    }

    #[test]
    fn arrows_one_way_are_fine() {
        let none = Vec::<String>::new();
        assert_eq!(
            found(&[
                ("lib.rs", "mod a;\npub use a::A;"),
                ("a.rs", "use core::fmt;"),
                ("b.rs", "use crate::a::A;")
            ]),
            none
        );
        assert_eq!(
            found(&[("a.rs", "// crate::b\n/// [`x`](crate::b)"), ("b.rs", "use crate::a::A;")]),
            none
        );
        assert_eq!(found(&[("a/mod.rs", "mod b; struct A;"), ("a/b.rs", "use super::A;")]), none);
        assert_eq!(
            found(&[("a.rs", "#[cfg(test)]\nmod tests { use crate::b::B; }"), ("b.rs", "crate::a::A")]),
            none
        );
        assert_eq!(found(&[("lib.rs", "pub use a::A;"), ("a.rs", "crate::params! { struct P {} }")]), none);
    }

    #[test]
    fn every_circle_is_found() {
        for (files, circle) in [
            (&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")][..], "a.rs b.rs"),
            (&[("a.rs", "use crate::{c, b::{B, D}};"), ("b.rs", "fn f() { crate::a::f() }")], "a.rs b.rs"),
            (&[("lib.rs", "pub use a::A;"), ("a.rs", "use crate::A;")], "a.rs lib.rs"),
            (&[("a/mod.rs", "fn f() { b::f() }"), ("a/b.rs", "use super::A;")], "a/b.rs a/mod.rs"),
            (&[("a/b.rs", "use super::c::C;"), ("a/c.rs", "use crate::a::b::B;")], "a/b.rs a/c.rs"),
            (&[("a.rs", "crate::b::X"), ("b.rs", "crate::c::X"), ("c.rs", "crate::a::X")], "a.rs b.rs c.rs"),
        ] {
            assert_eq!(found(files), [circle], "{files:?}");
        }
    }
}
