//! Wording of comments and names, as far as a machine can judge it.
//!
//! `xtask/words.toml` has the rules, and the number of findings allowed in each crate per rule. These numbers
//! only fall: a crate with fewer findings fails, too, until its number is lowered.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace::{Package, packages, root, rust_files};

/// Crates to list, and whether to write lower allowances.
#[derive(clap::Args)]
pub(crate) struct Request {
    /// Writes lower allowances where fewer findings are left
    #[arg(long)]
    lower: bool,
    /// Lists all findings in these crates, allowed or not; by the names of their folders
    crates: Vec<String>,
}

/// Path of the rules from the root of the workspace.
const FILE: &str = "xtask/words.toml";
/// The heading at which `--lower` begins to rewrite the file.
const ALLOWANCES: &str = "[allowed]\n";
/// Maximum number of findings shown in a message, per rule and crate.
const SHOWN: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    /// Maximum length of a comment line, in columns.
    columns: usize,
    /// Words that may not begin a doc comment.
    openings: Vec<String>,
    /// Constants that name neither a subject nor a unit.
    names: Vec<String>,
    /// Banned words in lower case, with what to write instead.
    instead: BTreeMap<String, String>,
    /// Allowed findings of a crate, by rule.
    allowed: BTreeMap<String, BTreeMap<Rule, usize>>,
    /// Allowed numbers of public types of one name outside games.
    types: BTreeMap<String, usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Rule {
    Openings,
    Columns,
    Words,
    Names,
}

impl Rule {
    const ALL: [Self; 4] = [Self::Openings, Self::Columns, Self::Words, Self::Names];

    fn key(self) -> &'static str {
        match self {
            Self::Openings => "openings",
            Self::Columns => "columns",
            Self::Words => "words",
            Self::Names => "names",
        }
    }
}

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    rule: Rule,
    /// Line number, from 1.
    line: usize,
    text: String,
}

pub(crate) fn words(request: &Request) -> Result<()> {
    let root = root()?;
    let path = root.join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
    let rules: Rules = toml::from_str(&text).context(FILE)?;
    let packages = packages(&root)?;
    let found = Found::search(&rules, &root, &packages)?;
    for name in &request.crates {
        let Some(findings) = found.crates.get(name) else {
            bail!("unknown crate '{name}'\nhint: expected the name of its folder, as in crates/core");
        };
        for (_, text) in findings {
            println!("{text}");
        }
    }
    if request.lower {
        let head = text.split(ALLOWANCES).next().unwrap_or_default();
        std::fs::write(&path, format!("{head}{}", found.allowances(&rules)))?;
        println!("{FILE}: the allowances are as low as they can be");
    }
    let wrong = if request.lower { Vec::new() } else { found.compare(&rules) };
    if !wrong.is_empty() {
        bail!("{} numbers of findings differ from {FILE}\n{}", wrong.len(), wrong.join("\n"));
    }
    Ok(())
}

struct Found {
    /// Findings by the name of the crate's folder, each as a text with file and line.
    crates: BTreeMap<String, Vec<(Rule, String)>>,
    /// Locations of public types of one name, for names that occur more than once.
    types: BTreeMap<String, Vec<String>>,
}

impl Found {
    fn search(rules: &Rules, root: &Path, packages: &[Package]) -> Result<Self> {
        let mut crates = BTreeMap::new();
        let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for package in packages {
            let mut findings = Vec::new();
            for folder in ["src", "tests", "benches"] {
                for (name, text) in rust_files(&root.join(&package.folder).join(folder))? {
                    let file = format!("{}/{folder}/{name}", package.folder);
                    for finding in rules.findings(&text) {
                        findings.push((finding.rule, format!("{file}:{}: {}", finding.line, finding.text)));
                    }
                    // Games have types of one name by design: state, action, observation.
                    if folder == "src" && !package.is_game() {
                        for (line, name) in public_types(&text) {
                            types.entry(name).or_default().push(format!("{file}:{line}"));
                        }
                    }
                }
            }
            crates.insert(package.short_name().to_owned(), findings);
        }
        types.retain(|_, places| places.len() > 1);
        Ok(Self { crates, types })
    }

    fn count(&self, name: &str, rule: Rule) -> usize {
        self.crates.get(name).into_iter().flatten().filter(|(broken, _)| *broken == rule).count()
    }

    /// Differences from the allowances, one text each.
    fn compare(&self, rules: &Rules) -> Vec<String> {
        let mut wrong = Vec::new();
        let lower = |what: &str, allowed, count| {
            format!(
                "{what}: expected {allowed}, found {count}\nhint: `cargo xtask words --lower` and commit {FILE}"
            )
        };
        let names =
            self.crates.keys().chain(rules.allowed.keys().filter(|name| !self.crates.contains_key(*name)));
        for name in names {
            for rule in Rule::ALL {
                let (allowed, count) = (rules.allowance(name, rule), self.count(name, rule));
                if count > allowed {
                    let places = self.crates[name].iter().filter(|(broken, _)| *broken == rule);
                    let places: Vec<&str> = places.map(|(_, text)| text.as_str()).take(SHOWN).collect();
                    wrong.push(format!(
                        "{name}: expected at most {allowed} {}, found {count}\nhint: `cargo xtask words {name}` lists all\n{}",
                        rule.key(),
                        places.join("\n")
                    ));
                } else if count < allowed {
                    wrong.push(lower(&format!("{name}, {}", rule.key()), allowed, count));
                }
            }
        }
        for (name, places) in &self.types {
            let allowed = rules.types.get(name).copied().unwrap_or(1);
            if places.len() > allowed {
                wrong.push(format!(
                    "expected at most {allowed} public types called {name}, found {} at {}\nhint: qualify one by its \
                     subject, as in TrainingPlan",
                    places.len(),
                    places.join(", ")
                ));
            }
        }
        for (name, allowed) in &rules.types {
            let count = self.types.get(name).map_or(1, Vec::len);
            if count < *allowed {
                wrong.push(lower(&format!("public types called {name}"), *allowed, count));
            }
        }
        wrong
    }

    /// The allowances as text, lowered to the current findings and never raised.
    fn allowances(&self, rules: &Rules) -> String {
        let mut text = ALLOWANCES.to_owned();
        for name in self.crates.keys() {
            let counts =
                Rule::ALL.map(|rule| (rule, rules.allowance(name, rule).min(self.count(name, rule))));
            let counts = counts.iter().filter(|(_, count)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(rule, count)| format!("{} = {count}", rule.key())).collect();
            if !counts.is_empty() {
                let _ = writeln!(text, "{name} = {{ {} }}", counts.join(", "));
            }
        }
        text.push_str("\n[types]\n");
        for (name, places) in &self.types {
            let count = places.len().min(rules.types.get(name).copied().unwrap_or(1));
            if count > 1 {
                let _ = writeln!(text, "{name} = {count}");
            }
        }
        text
    }
}

impl Rules {
    fn allowance(&self, name: &str, rule: Rule) -> usize {
        self.allowed.get(name).and_then(|rules| rules.get(&rule)).copied().unwrap_or(0)
    }

    /// The findings in a file, in order.
    fn findings(&self, text: &str) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut before = "";
        for (index, line) in text.lines().enumerate() {
            let line_text = line.trim_start();
            let mut add = |rule, text| findings.push(Finding { rule, line: index + 1, text });
            let mark = doc_mark(line_text);
            if !mark.is_empty()
                && mark != before
                && let Some(opening) = self.opening(line_text[mark.len()..].trim_start())
            {
                add(
                    Rule::Openings,
                    format!(
                        "a doc comment begins with '{opening}': begin with a noun or a verb in the third person"
                    ),
                );
            }
            before = mark;
            let columns = line.chars().count();
            if line_text.starts_with("//") && columns > self.columns {
                add(Rule::Columns, format!("a comment of {columns} columns: break it at {}", self.columns));
            }
            for (word, instead) in &self.instead {
                for _ in 0..occurrences(line, word) {
                    add(Rule::Words, format!("'{word}': write {instead}"));
                }
            }
            if let Some(name) = self.names.iter().find(|name| declares(line_text, name)) {
                add(Rule::Names, format!("'{name}': name the subject and the unit, as in MAX_RETRIES"));
            }
        }
        findings
    }

    fn opening(&self, text: &str) -> Option<&str> {
        let begins = |opening: &&String| {
            let rest = text.strip_prefix(opening.as_str());
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
        };
        self.openings.iter().find(begins).map(String::as_str)
    }
}

fn doc_mark(line: &str) -> &'static str {
    match line {
        _ if line.starts_with("////") => "",
        _ if line.starts_with("///") => "///",
        _ if line.starts_with("//!") => "//!",
        _ => "",
    }
}

/// Number of occurrences of words in a line, in any case and as a part of a name between underscores.
fn occurrences(line: &str, words: &str) -> usize {
    let lower = line.to_lowercase();
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    lower
        .match_indices(words)
        .filter(|(start, found)| {
            !is_letter(lower[..*start].chars().next_back())
                && !is_letter(lower[start + found.len()..].chars().next())
        })
        .count()
}

/// Returns true if a line declares a constant with this name, or with it between underscores.
fn declares(line: &str, name: &str) -> bool {
    let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let mut is_constant = false;
    words.any(|word| {
        let declared = is_constant && word.split('_').any(|part| part == name);
        is_constant = word == "const" || word == "static";
        declared
    })
}

/// The public types that a file declares, with their lines; its unit tests do not count.
fn public_types(text: &str) -> Vec<(usize, String)> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let declared = |(index, line): (usize, &str)| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| rest.strip_prefix(kind))?;
        // A type of an impl block belongs to its trait.
        let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
        Some((index + 1, name.to_owned()))
    };
    code.lines().enumerate().filter_map(declared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        toml::from_str(
            r#"
            columns = 40
            openings = ["What", "With this"]
            names = ["SOME"]
            instead = { anew = "again", "hangs on" = "depends on" }
            allowed = { dice = { openings = 1, words = 2 } }
            types = { Plan = 2, Job = 2 }
            "#,
        )
        .unwrap()
    }

    #[test]
    fn every_rule_finds_its_place() {
        let found = |text: &str| -> Vec<(Rule, usize)> {
            rules().findings(text).iter().map(|finding| (finding.rule, finding.line)).collect()
        };
        for (text, expected) in [
            ("/// What it is.\n/// What more.", &[(Rule::Openings, 1)][..]),
            ("//! A file.\n\n/// With this one.", &[(Rule::Openings, 3)]),
            ("    /// Whatever.\n/// A noun.\n// What: not a doc comment.", &[]),
            ("//// What is no doc comment", &[]),
            ("let x = 1;\n// A comment that goes on beyond its columns.", &[(Rule::Columns, 2)]),
            ("let long = \"no comment, but text beyond its columns\";", &[]),
            ("let made_anew = Anew; // anew, canew", &[(Rule::Words, 1), (Rule::Words, 1), (Rule::Words, 1)]),
            ("// It Hangs on that.", &[(Rule::Words, 1)]),
            ("pub(crate) const SOME: u32 = 1;\nconst SOMEBODY: u32 = SOME;", &[(Rule::Names, 1)]),
            (
                "const SOME_DICE: u8 = 1;\nconst NO_SOME: u8 = SOME_DICE;",
                &[(Rule::Names, 1), (Rule::Names, 2)],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
        let wrong = &rules().findings("\n// anew")[0];
        assert_eq!((wrong.line, wrong.text.as_str()), (2, "'anew': write again"));
    }

    #[test]
    fn public_types_are_found() {
        let text = "pub struct A<T>(T);\npub(crate) struct B;\n    pub enum C {}\nstruct D;\npub fn e() {}\n\
                    #[cfg(test)]\nmod tests { pub struct F; }";
        assert_eq!(public_types(text), [(1, "A".to_owned()), (3, "C".to_owned())]);
    }

    fn with(openings: usize, words: usize, plans: usize) -> Found {
        let findings = |rule, number| (0..number).map(move |line| (rule, format!("a.rs:{line}: {rule:?}")));
        let dice = findings(Rule::Openings, openings).chain(findings(Rule::Words, words)).collect();
        let places = |number| (0..number).map(|line| format!("a.rs:{line}")).collect();
        Found {
            crates: [("dice".to_owned(), dice), ("cards".to_owned(), Vec::new())].into(),
            types: [("Plan".to_owned(), places(plans)), ("Job".to_owned(), places(2))].into(),
        }
    }

    #[test]
    fn allowances_are_exact_and_only_fall() {
        assert_eq!(with(1, 2, 2).compare(&rules()), Vec::<String>::new());
        for (found, expected) in [
            (
                with(2, 2, 2),
                "dice: expected at most 1 openings, found 2\nhint: `cargo xtask words dice` lists all\na.rs:0",
            ),
            (with(1, 1, 2), "dice, words: expected 2, found 1\nhint: `cargo xtask words --lower`"),
            (with(1, 2, 3), "expected at most 2 public types called Plan, found 3 at a.rs:0"),
            (with(1, 2, 1), "public types called Plan: expected 2, found 1"),
        ] {
            let wrong = found.compare(&rules());
            assert!(wrong.len() == 1 && wrong[0].starts_with(expected), "{expected}: {wrong:?}");
        }
        assert_eq!(
            with(5, 1, 1).allowances(&rules()),
            "[allowed]\ndice = { openings = 1, words = 1 }\n\n[types]\nJob = 2\n",
            "lower where it fell, never higher"
        );
    }
}
