//! `meeple docs`: the documentation as a site of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{meeple, stdout};

/// The values of an attribute in a page.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!(" {name}=\"");
    html.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

fn site(folder: &Path) -> BTreeMap<String, String> {
    let (mut pages, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                let text = if name.ends_with(".html") {
                    std::fs::read_to_string(&path).unwrap()
                } else {
                    String::new()
                };
                pages.insert(name, text);
            }
        }
    }
    pages
}

#[test]
fn every_link_of_the_site_leads_to_a_file_or_an_anchor_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let printed = stdout(&format!("docs --out {}", folder.path().display()));
    assert_eq!(Path::new(printed.trim()), folder.path().join("docs/README.html"));
    let files = site(folder.path());
    let pages: Vec<(&String, &String)> = files.iter().filter(|(name, _)| name.ends_with(".html")).collect();
    let mut checked = 0;
    for (name, html) in &pages {
        for address in attributes(html, "href").into_iter().chain(attributes(html, "src")) {
            if address.contains("://") || address.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
            let mut parts: Vec<&str> = name.split('/').collect();
            parts.pop();
            for part in path.split('/').filter(|part| !part.is_empty()) {
                match part {
                    ".." => parts.truncate(parts.len().saturating_sub(1)),
                    part => parts.push(part),
                }
            }
            let target = if path.is_empty() { (*name).clone() } else { parts.join("/") };
            let found = files.get(&target).unwrap_or_else(|| panic!("{name}: {address} leads nowhere"));
            let ids: BTreeSet<&str> = attributes(found, "id").into_iter().collect();
            assert!(anchor.is_empty() || ids.contains(anchor), "{name}: no anchor for {address} in {target}");
            checked += 1;
        }
    }
    assert!(pages.len() > 50 && checked > 2_000, "{} pages, {checked} links", pages.len());
    // Each page lists every page of the documentation; here that of the first page is checked.
    let (_, first) = pages.iter().find(|(name, _)| *name == "docs/README.html").unwrap();
    let listed = attributes(first, "href").len();
    assert!(listed >= pages.len(), "{listed} links, {} pages", pages.len());
    // A page has the headings, tables and examples of its Markdown.
    let bots = &files["docs/reference/bots.html"];
    assert!(
        ["<h1", "<table>", "<pre>", "aria-current=\"page\""].iter().all(|part| bots.contains(part)),
        "{bots}"
    );
}

#[test]
fn a_page_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display();
    for (name, page) in [
        ("sandbox", "docs/reference/sandbox.html"),
        ("tutorials/python", "docs/tutorials/python.html"),
        ("Carcassonne/rules", "games/carcassonne/RULES.html"),
        ("contributing", "CONTRIBUTING.html"),
    ] {
        let printed = stdout(&format!("docs {name} --no-open --out {out}"));
        assert_eq!(Path::new(printed.trim()), folder.path().join(page), "{name}");
    }
    let wrong = |name: &str| {
        let failed = meeple(&format!("docs {name} --out {out}")).assert().code(2);
        String::from_utf8(failed.get_output().stderr.clone()).unwrap()
    };
    let none = wrong("no-such-page");
    assert!(
        none.contains("found none")
            && none.contains("hint: one of")
            && none.contains("docs/reference/bots.md"),
        "{none}"
    );
    let several = wrong("python");
    assert!(several.contains("expected one page named 'python', found 3"), "{several}");
    assert!(
        several.contains("docs/tutorials/python.md") && !several.contains("docs/reference/bots.md"),
        "{several}"
    );
}
