//! Check that only the registry and the game itself name a game.

use std::path::Path;

use anyhow::Result;

use crate::workspace::{Package, text_files};

/// Exceptions: file, part of the line, and reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "crates/arena/src/schedule.rs",
        "\"vs-zombies\"",
        "the schedule's word in stored records and in tournament files; all else asks it for its name",
    ),
    (
        "crates/arena/competitions/original.toml",
        "alone = \"vs-zombies.txt\"",
        "a file that programs of an original read by this name; the file is data, and no game is chosen by it",
    ),
];

/// Extensions of text files. Python and TOML have their own comment syntax.
const TEXTS: &[&str] = &["rs", "py", "toml", "json", "md", "html", "js"];

/// Crates that must not contain words specific to one game.
const UNIVERSAL: &[&str] = &[
    "crates/core",
    "crates/scene",
    "crates/agents",
    "crates/lab",
    "crates/bothost",
    "crates/table",
    "crates/replay",
    "crates/arena",
    "crates/cli",
    "crates/py",
];

/// Crates whose doc comments are printed, by clap in helps and by schemars in schemas. There they count as
/// code.
const PRINTED: &[&str] = &["crates/bothost", "crates/cli", "crates/server", "crates/table"];

/// Parts of a crate that are not checked: folders outside its program, its manifest (which declares a game's
/// words), and lists of allowances.
const APART: &[&str] =
    &["tests/", "examples/", "benches/", "goldens/", "Cargo.toml", "clippy.toml", "words.toml"];

/// Lines of code (without comments) that name a foreign game, or use a word of one game in a universal crate;
/// one text each.
pub(crate) fn check(root: &Path, packages: &[Package]) -> Result<Vec<String>> {
    let games: Vec<&str> =
        packages.iter().filter_map(|package| package.folder.strip_prefix("games/")).collect();
    let mut wrong = Vec::new();
    for package in packages {
        // The registry names all games, and a separate bot names those it plays.
        if package.folder == "crates/games" || package.folder.starts_with("bots/") {
            continue;
        }
        let own = package.folder.strip_prefix("games/");
        let foreign: Vec<&str> = games.iter().copied().filter(|game| Some(*game) != own).collect();
        let words: Vec<&str> = match UNIVERSAL.contains(&package.folder.as_str()) {
            true => packages.iter().flat_map(|package| &package.words).map(String::as_str).collect(),
            false => Vec::new(),
        };
        for (file, text) in text_files(&root.join(&package.folder), TEXTS)? {
            if APART.iter().any(|apart| file.starts_with(apart)) {
                continue;
            }
            let name = format!("{}/{file}", package.folder);
            // Games are checked in Rust files only: their texts may mention other games.
            let is_rust = file.ends_with(".rs");
            if !is_rust && own.is_some() {
                continue;
            }
            let docs =
                if PRINTED.contains(&package.folder.as_str()) { Docs::Printed } else { Docs::ForReaders };
            let text = if is_rust { code_of_rust(&text, docs) } else { without_comments(&file, &text) };
            let named = named(&text, &foreign)
                .into_iter()
                .map(|(line, game)| (line, format!("names the game '{game}'")));
            let said = said(&text, &words)
                .into_iter()
                .map(|(line, word)| (line, format!("says '{word}', a word of one game")));
            for (line, what) in named.chain(said) {
                let code = text.lines().nth(line - 1).unwrap_or_default();
                if ALLOWED.iter().any(|(file, part, _)| *file == name && code.contains(part)) {
                    continue;
                }
                wrong.push(format!("{name}:{line} {what}"));
            }
        }
    }
    Ok(wrong)
}

/// Lines, counted from 1, with one of the games in their code, in any spelling.
fn named<'a>(text: &str, games: &[&'a str]) -> Vec<(usize, &'a str)> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = plain(line);
        found.extend(games.iter().filter(|game| code.contains(&plain(game))).map(|game| (index + 1, *game)));
    }
    found
}

/// Lines, counted from 1, with one of these words in their code, singular or plural, also as a part of a
/// name.
fn said<'a>(text: &str, words: &[&'a str]) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let parts = parts(line);
        let says = |word: &&&str| {
            parts
                .iter()
                .any(|part| part.strip_prefix(**word).is_some_and(|rest| rest.is_empty() || rest == "s"))
        };
        found.extend(words.iter().filter(says).map(|word| (index + 1, *word)));
    }
    found
}

/// The words of a line in lower case; `ATallTower` is three words, `T800` one.
fn parts(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_capitals = before.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (before.is_lowercase() || before.is_numeric() || ends_capitals);
        if begins || !letter.is_alphanumeric() {
            parts.push(String::new());
        }
        if letter.is_alphanumeric() {
            parts.last_mut().expect("there is always one").extend(letter.to_lowercase());
        }
        before = letter;
    }
    parts
}

/// Visibility of a program's doc comments to its users.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Docs {
    Printed,
    ForReaders,
}

/// The text with its comments blanked, except printed doc comments; line numbers stay. Strings with `//` in
/// them are cut too, which can only hide an address.
fn code_of_rust(text: &str, docs: Docs) -> String {
    let code = |line: &str| match line.trim_start().strip_prefix("///") {
        Some(doc) if docs == Docs::Printed => doc.to_owned(),
        _ => line.split_once("//").map_or(line, |(code, _)| code).to_owned(),
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

/// The text without comments of Python or TOML; line numbers stay.
fn without_comments(file: &str, text: &str) -> String {
    if !file.ends_with(".py") && !file.ends_with(".toml") {
        return text.to_owned();
    }
    let code = |line: &str| line.split_once('#').map_or(line, |(code, _)| code).to_owned();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_spelling_but_not_in_comments() {
        let text = "\
//! As in dice-tower.
fn main() {
    let game = \"dice-tower\"; // dice-tower
    let other = DiceTower::new(); 
    /// dice_tower
    use meeple_dice_tower::X;
    let title = \"Dice Tower\";
    let dice = tower;
    chess()
}";
        let found = named(&code_of_rust(text, Docs::ForReaders), &["dice-tower", "chess"]);
        assert_eq!(
            found,
            [(3, "dice-tower"), (4, "dice-tower"), (6, "dice-tower"), (7, "dice-tower"), (9, "chess")]
        );
        let found = named(&code_of_rust(text, Docs::Printed), &["dice-tower"]);
        let lines: Vec<usize> = found.into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [3, 4, 5, 6, 7], "what is printed is code");
    }

    #[test]
    fn comments_of_other_languages_are_none_of_the_code() {
        let python = "dice = 1  # chess\n# dice\nchess()";
        assert_eq!(named(&without_comments("a.py", python), &["dice", "chess"]), [(1, "dice"), (3, "chess")]);
        assert_eq!(without_comments("a.md", "# Dice"), "# Dice", "a title is no comment");
    }

    #[test]
    fn words_of_a_game_are_found_whole() {
        let text =
            "let zombies = 1;\n// zombie\nlet zombielike = 2;\nlet x = \"a-zombie\";\nfn zombie_count() {}";
        let found = said(&code_of_rust(text, Docs::ForReaders), &["zombie"]);
        assert_eq!(found, [(1, "zombie"), (4, "zombie"), (5, "zombie")]);
    }

    #[test]
    fn words_of_a_game_are_found_in_names_of_types() {
        for (line, word) in [
            ("Kind::VsZombies => 1,", "zombie"),
            ("use x::ZombieCount;", "zombie"),
            ("let t = T800::new();", "t800"),
            ("struct OldT800Agent;", "t800"),
            ("const MAX_ZOMBIES: u8 = 3;", "zombie"),
            ("HTTPZombie", "zombie"),
        ] {
            assert_eq!(said(line, &[word]), [(1, word)], "{line}");
        }
        assert_eq!(said("Remover, removers, AT800, Zombielike", &["mover", "t800", "zombie"]), []);
    }

    #[test]
    fn a_game_may_name_itself_the_registry_and_bots_all() {
        let root = std::env::temp_dir().join(format!("meeple-names-{}", std::process::id()));
        let package = |name: &str, folder: &str, code: &str| {
            std::fs::create_dir_all(root.join(folder).join("src/deep")).unwrap();
            std::fs::write(root.join(folder).join("src/deep/mod.rs"), code).unwrap();
            Package {
                name: name.into(),
                folder: folder.into(),
                dependencies: Vec::new(),
                mutants: Vec::new(),
                words: Vec::new(),
            }
        };
        let packages = [
            package("meeple-dice", "games/dice", "let dice = 1;"),
            package("meeple-chess", "games/chess", "let chess = 1;\nlet other = \"dice\";"),
            package("meeple-games", "crates/games", "dice; chess;"),
            package("meeple-bot", "bots/rust", "dice; chess;"),
            package("meeple-lab", "crates/lab", "// dice\n/// dice\nif id == \"chess\" {}"),
            package("meeple", "crates/cli", "//! dice\n/// As in `meeple sim chess`\nfn f() {}"),
        ];
        // Data files of a crate are checked in any folder, except tests and manifests.
        for folder in ["rules", "tests/it"] {
            std::fs::create_dir_all(root.join("crates/lab").join(folder)).unwrap();
            std::fs::write(root.join("crates/lab").join(folder).join("of.toml"), "game = 'dice'").unwrap();
        }
        std::fs::write(root.join("crates/lab/Cargo.toml"), "words = ['dice']").unwrap();
        // Files in other languages are checked, too.
        std::fs::write(root.join("crates/lab/src/page.py"), "# dice\nprint('dice')").unwrap();
        let found = check(&root, &packages).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(
            found,
            [
                "games/chess/src/deep/mod.rs:2 names the game 'dice'",
                "crates/lab/rules/of.toml:1 names the game 'dice'",
                "crates/lab/src/deep/mod.rs:3 names the game 'chess'",
                "crates/lab/src/page.py:2 names the game 'dice'",
                "crates/cli/src/deep/mod.rs:2 names the game 'chess'",
            ]
        );
    }
}
