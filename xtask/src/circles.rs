//! Check for cyclic dependencies between the files of a crate.
//!
//! Inside a crate, too, dependencies point one way: the files used by a file can be read and changed without
//! it. Paths are read from the tokens (`crate::`, `super::`, `self::` and the names of modules declared in
//! the file). Macros and generated code therefore count; comments and `#[cfg(test)]` modules do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};

use crate::workspace::{Package, rust_files};

/// The cycles of every package, one text each.
pub(crate) fn check(root: &Path, packages: &[Package]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in packages {
        let mut files = rust_files(&root.join(&package.folder).join("src"))?;
        // Separate binaries use the crate from outside.
        files.retain(|name, _| !name.starts_with("bin/"));
        let program = program_beside(&mut files);
        let told = |circle: Vec<&str>| -> String {
            format!("{}: {} use each other", package.folder, circle.join(", "))
        };
        wrong.extend(circles(&files)?.into_iter().map(told));
        wrong.extend(circles(&program)?.into_iter().map(told));
    }
    Ok(wrong)
}

/// Removes the program beside a library from its files, with the files that only the program uses.
fn program_beside(files: &mut BTreeMap<String, String>) -> BTreeMap<String, String> {
    if !files.contains_key("lib.rs") {
        return BTreeMap::new();
    }
    let declared = |root: &str| -> BTreeSet<String> {
        let lines = files.get(root).map_or("", String::as_str).lines().map(str::trim);
        let lines = lines.map(|line| line.trim_start_matches("pub(crate) ").trim_start_matches("pub "));
        lines.filter_map(|line| Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())).collect()
    };
    let (of_library, of_program) = (declared("lib.rs"), declared("main.rs"));
    let top = |name: &str| name.split('/').next().unwrap_or(name).trim_end_matches(".rs").to_owned();
    let is_of =
        |name: &str, root: &str, modules: &BTreeSet<String>| name == root || modules.contains(&top(name));
    let program = files.iter().filter(|(name, _)| is_of(name, "main.rs", &of_program));
    let program = program.map(|(name, text)| (name.clone(), text.clone())).collect();
    files.retain(|name, _| !is_of(name, "main.rs", &of_program) || is_of(name, "lib.rs", &of_library));
    program
}

/// The strongly connected sets of files, given by name and text.
fn circles(files: &BTreeMap<String, String>) -> Result<Vec<Vec<&str>>> {
    let modules: BTreeMap<Vec<&str>, &str> =
        files.keys().map(|name| (module_path(name), name.as_str())).collect();
    let mut used = BTreeMap::new();
    for (name, text) in files {
        let mut uses = uses(&module_path(name), text, &modules)?;
        uses.remove(name.as_str());
        used.insert(name.as_str(), uses);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        used.keys().map(|name| (*name, reachable(name, &used))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for name in used.keys() {
        if reached[name].contains(name) && !circles.iter().any(|circle| circle.contains(name)) {
            let both = |other: &&str| reached[name].contains(other) && reached[other].contains(name);
            circles.push(used.keys().copied().filter(both).collect());
        }
    }
    Ok(circles)
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

/// The files that a module's text uses, without tests, which stand at the end of a file.
fn uses<'a>(
    module: &[&str],
    text: &str,
    modules: &BTreeMap<Vec<&str>, &'a str>,
) -> Result<BTreeSet<&'a str>> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let tokens: TokenStream = code.parse().map_err(|error| anyhow!("{}: {error}", module.join("::")))?;
    let mut found = Vec::new();
    paths(tokens, &[], &mut found);
    let mut used = BTreeSet::new();
    for path in &found {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let is_relative = matches!(path[0], "crate" | "super" | "self");
        if is_relative || modules.contains_key(&[module, &path[..1]].concat()) {
            used.extend(file_of(module, &path, modules));
        }
    }
    Ok(used)
}

/// Adds the paths among tokens, each of which continues the prefix `begun`: `a::{b, c::d}` gives two paths.
fn paths(tokens: TokenStream, begun: &[String], found: &mut Vec<Vec<String>>) {
    let mut path = begun.to_vec();
    let mut between = "::".to_owned();
    for token in tokens.into_iter().map(Some).chain([None]) {
        match token {
            Some(TokenTree::Punct(mark)) => between.push(mark.as_char()),
            Some(TokenTree::Group(group)) if between == "::" => {
                paths(group.stream(), &path, found);
                (path, between) = (begun.to_vec(), String::new());
            }
            Some(TokenTree::Ident(name)) if between == "::" => {
                path.push(name.to_string());
                between.clear();
            }
            other => {
                let is_path = path.len() > 1 || between.starts_with("::");
                // An exported macro has its path from the root, regardless of its file.
                let is_macro = path.len() == 2 && between.starts_with('!');
                if path.len() > begun.len() && is_path && !is_macro {
                    found.push(path);
                }
                path = begun.to_vec();
                match other {
                    // Paths in a macro's expansion begin with `$crate` and are no uses of its own file.
                    Some(TokenTree::Ident(name)) if between.ends_with('$') => path.push(format!("${name}")),
                    Some(TokenTree::Ident(name)) => path.push(name.to_string()),
                    Some(TokenTree::Group(group)) => paths(group.stream(), &[], found),
                    _ => {}
                }
                between.clear();
            }
        }
    }
}

/// The file of a path in `module`: the file of the longest prefix of the path that is a module.
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
        circles(&files).unwrap().into_iter().map(|circle| circle.join(" ")).collect()
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
    fn a_program_beside_a_library_has_a_root_of_its_own() {
        let named = |files: &[(&str, &str)]| -> BTreeMap<String, String> {
            files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        // The library's root is used by its own file: a cycle that the program's root must not hide.
        let mut files = named(&[
            ("a.rs", "use crate::A;"),
            ("lib.rs", "mod a;\npub use a::A;"),
            ("main.rs", "mod b;\nfn main() { b::run() }"),
            ("b.rs", "use crate::main;"),
        ]);
        let program = program_beside(&mut files);
        assert_eq!(circles(&files).unwrap(), [["a.rs", "lib.rs"]]);
        assert_eq!(circles(&program).unwrap(), [["b.rs", "main.rs"]]);
        let mut alone = named(&[("main.rs", "mod b;"), ("b.rs", "")]);
        assert!(
            program_beside(&mut alone).is_empty() && alone.len() == 2,
            "without a library nothing is taken out"
        );
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
