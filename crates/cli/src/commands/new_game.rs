//! `meeple new-game`: a crate with a game to begin from.
//!
//! The files are those of `templates/rust-game`, a crate that builds, with its name replaced.

use std::path::{Path, PathBuf};

use anyhow::Context;
use meeple_games::find_game;

use crate::args::NewGameArgs;
use crate::failure::usage;
use crate::replay_file::write_atomically;
use crate::terminal;

/// Expands to pairs of path and text, one for each file of the template.
macro_rules! template {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../templates/rust-game/", $path)))),*]
    };
}

const FILES: &[(&str, &str)] = template![
    ".github/workflows/ci.yml",
    ".gitignore",
    "Cargo.toml",
    "GUIDE.md",
    "README.md",
    "RULES.md",
    "playthroughs/default.txt",
    "signature.txt",
    "src/agents.rs",
    "src/lib.rs",
    "src/look.rs",
    "src/main.rs",
    "strength.txt",
    "tests/rules.rs",
];

/// Begin of the path by which the template's `Cargo.toml` depends on a crate of Meeple.
const TEMPLATE_CRATES: &str = "path = \"../../crates/";

/// Maximal length of a name, in bytes.
const MAX_NAME: usize = 40;

/// Names that cargo or the crate's own dependencies need.
const RESERVED: [&str; 11] = [
    "alloc",
    "build",
    "core",
    "deps",
    "examples",
    "incremental",
    "meeple",
    "proc-macro",
    "serde",
    "std",
    "test",
];

/// Keywords of Rust that have no capitals; a crate cannot be named so.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

pub fn run(args: &NewGameArgs) -> anyhow::Result<()> {
    let names = Names::of(&args.name)?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(&args.name));
    let shown = folder.display();
    if folder.symlink_metadata().is_ok() {
        return Err(usage(format!(
            "cannot write {shown}: it is there already\nhint: choose another directory with --out DIR, or remove \
             it first"
        )));
    }
    let source = Source::of(args.meeple.as_deref())?;
    write(&folder, &names, &source)?;
    terminal::tell(format_args!(
        "meeple: wrote {shown}\n\nnext:\n  cd {}\n  cargo run -- play {name} human cautious\n  cargo test\n\nREADME.md has \
         every command.",
        meeple_bothost::quoted([shown.to_string()]),
        name = names.id
    ));
    Ok(())
}

/// The forms of a game's name.
struct Names {
    /// Name of the game and its crate: `night-market`.
    id: String,
    /// Name of the crate in Rust: `night_market`.
    module: String,
    /// Name of the type: `NightMarket`.
    type_name: String,
    /// Heading for people: `Night market`.
    title: String,
}

impl Names {
    fn of(id: &str) -> anyhow::Result<Self> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let wrong = |found: &str| {
            usage(format!(
                "expected a name of lower case letters and digits, words joined by '-', found {found}\nhint: as in \
                 night-market"
            ))
        };
        if !id.starts_with(|letter: char| letter.is_ascii_lowercase()) || !id.split('-').all(is_word) {
            return Err(wrong(&format!("'{id}'")));
        }
        if id.len() > MAX_NAME {
            return Err(wrong(&format!("{} letters instead of at most {MAX_NAME}", id.len())));
        }
        let taken = |whose: &str| {
            usage(format!("expected a new name, found '{id}', which {whose}\nhint: choose another one"))
        };
        if find_game(id).is_ok() {
            return Err(taken("is a game already"));
        }
        if id.starts_with("meeple-") || RESERVED.contains(&id) || KEYWORDS.contains(&id) {
            return Err(taken("Rust or Meeple needs"));
        }
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        let mut type_name: String = id.split('-').map(capital).collect();
        // The template itself may use a type of this name, for example `Seat`.
        if FILES.iter().any(|(_, text)| has_word(text, &type_name)) {
            type_name.push_str("Game");
        }
        Ok(Self {
            id: id.to_owned(),
            module: id.replace('-', "_"),
            type_name,
            title: capital(&id.replace('-', " ")),
        })
    }

    fn put_into(&self, text: &str) -> String {
        text.replace("template-game", &self.id)
            .replace("template_game", &self.module)
            .replace("TemplateGame", &self.type_name)
            .replace("Template game", &self.title)
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').any(|own| own == word)
}

/// The place where cargo finds the crates of Meeple.
enum Source {
    Git(String),
    Clone(PathBuf),
}

impl Source {
    fn of(given: Option<&str>) -> anyhow::Result<Self> {
        match given {
            Some(url) if url.contains("://") || url.starts_with("git@") => Ok(Self::Git(url.to_owned())),
            Some(path) => match std::fs::canonicalize(path) {
                Ok(root) if is_clone(&root) => Ok(Self::Clone(root)),
                _ => Err(usage(format!(
                    "--meeple: expected a clone of Meeple or the address of a git repository, found '{path}'\nhint: \
                     a clone has the folder crates/cli; an address begins with https://"
                ))),
            },
            None => Self::of_this_program(),
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the program knows its clone by its own path")]
    fn of_this_program() -> anyhow::Result<Self> {
        let repository = env!("CARGO_PKG_REPOSITORY");
        if !repository.is_empty() {
            return Ok(Self::Git(repository.to_owned()));
        }
        let program = std::env::current_exe().and_then(std::fs::canonicalize).unwrap_or_default();
        let root = program.ancestors().find(|folder| is_clone(folder));
        root.map(|root| Self::Clone(root.to_owned())).ok_or_else(|| {
            usage(
                "expected the source of Meeple, found none beside this program\nhint: --meeple PATH names a clone, \
                 --meeple URL a git repository",
            )
        })
    }

    /// A manifest whose dependencies on crates of Meeple lead to this source.
    fn put_into(&self, manifest: &str) -> anyhow::Result<String> {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Git(url) => {
                // Cargo finds a crate in a repository by its name, so the path is dropped.
                let mut parts = manifest.split(TEMPLATE_CRATES);
                let mut text = parts.next().unwrap_or_default().to_owned();
                for part in parts {
                    let (_, rest) =
                        part.split_once('"').context("a path in the template ends with a quote")?;
                    text.push_str(&format!("git = {}{rest}", quoted(url)));
                }
                Ok(text)
            }
            Self::Clone(root) => {
                let root = root.to_str().ok_or_else(|| {
                    usage(format!(
                        "--meeple: expected a path in UTF-8, found {}\nhint: move the clone, or name a git \
                         repository",
                        root.display()
                    ))
                })?;
                let root = quoted(root);
                // Quoting of JSON is valid TOML. The closing quote follows the crate's name in the manifest.
                let open = root.trim_end_matches('"');
                Ok(manifest.replace(TEMPLATE_CRATES, &format!("path = {open}/crates/")))
            }
        }
    }
}

fn is_clone(folder: &Path) -> bool {
    ["crates/cli/Cargo.toml", "crates/testkit/Cargo.toml"].iter().all(|file| folder.join(file).is_file())
}

/// Writes the crate as a whole: into a temporary folder beside `folder`, which is renamed at the end.
fn write(folder: &Path, names: &Names, source: &Source) -> anyhow::Result<()> {
    let shown = folder.display();
    let failed = || format!("cannot write {shown}");
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).with_context(failed)?;
    let stage = tempfile::Builder::new().prefix(".new-game-").tempdir_in(parent).with_context(failed)?;
    let whole = stage.path().join("game");
    for (path, text) in FILES {
        let mut text = names.put_into(text);
        if *path == "Cargo.toml" {
            text = source.put_into(&text)?;
        }
        let path = whole.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(&whole)).with_context(failed)?;
        write_atomically(&path, text.as_bytes())?;
    }
    std::fs::rename(&whole, folder).with_context(failed)
}
