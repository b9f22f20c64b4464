//! No crate but the registry and the game itself names a game.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace::{Package, rust_files};

/// Lines that may name a game all the same: file, a part of the line, and why.
const ALLOWED: &[(&str, &str, &str)] = &[(
    "crates/cli/src/args.rs",
    "Start with `meeple games`",
    "the help's first example must be one that can be typed",
)];

/// Lines of code (comments apart) that name a game they should not know, one text each.
pub(crate) fn check(root: &Path, packages: &[Package]) -> Result<Vec<String>> {
    let games: Vec<&str> =
        packages.iter().filter_map(|package| package.folder.strip_prefix("games/")).collect();
    let mut wrong = Vec::new();
    for package in packages {
        // The registry names all games, and a bot, which is no part of the program, those it plays.
        if package.folder == "crates/games" || package.folder.starts_with("bots/") {
            continue;
        }
        let own = package.folder.strip_prefix("games/");
        let foreign: Vec<&str> = games.iter().copied().filter(|game| Some(*game) != own).collect();
        let source = root.join(&package.folder).join("src");
        for file in rust_files(&source)? {
            let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {name}"))?;
            for (line, game) in named(&text, &foreign) {
                let code = text.lines().nth(line - 1).unwrap_or_default();
                if ALLOWED.iter().any(|(file, part, _)| *file == name && code.contains(part)) {
                    continue;
                }
                wrong.push(format!("{name}:{line} names the game '{game}'"));
            }
        }
    }
    Ok(wrong)
}

/// Lines, counted from 1, whose code names one of the games, in any spelling.
fn named<'a>(text: &str, games: &[&'a str]) -> Vec<(usize, &'a str)> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = plain(code_of(line));
        found.extend(games.iter().filter(|game| code.contains(&plain(game))).map(|game| (index + 1, *game)));
    }
    found
}

/// The line without a comment that begins it or follows code. Strings with `//` in them are cut too, which
/// can only hide an address.
fn code_of(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
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
        let found = named(text, &["dice-tower", "chess"]);
        assert_eq!(
            found,
            [(3, "dice-tower"), (4, "dice-tower"), (6, "dice-tower"), (7, "dice-tower"), (9, "chess")]
        );
    }

    #[test]
    fn a_game_may_name_itself_the_registry_and_bots_all() {
        let root = std::env::temp_dir().join(format!("meeple-names-{}", std::process::id()));
        let package = |name: &str, folder: &str, code: &str| {
            fs::create_dir_all(root.join(folder).join("src/deep")).unwrap();
            fs::write(root.join(folder).join("src/deep/mod.rs"), code).unwrap();
            Package {
                name: name.into(),
                folder: folder.into(),
                dependencies: Vec::new(),
                mutants: Vec::new(),
                has_circles: false,
            }
        };
        let packages = [
            package("meeple-dice", "games/dice", "let dice = 1;"),
            package("meeple-chess", "games/chess", "let chess = 1;\nlet other = \"dice\";"),
            package("meeple-games", "crates/games", "dice; chess;"),
            package("meeple-bot", "bots/rust", "dice; chess;"),
            package("meeple-lab", "crates/lab", "// dice\nif id == \"chess\" {}"),
        ];
        let found = check(&root, &packages).unwrap();
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(
            found,
            [
                "games/chess/src/deep/mod.rs:2 names the game 'dice'",
                "crates/lab/src/deep/mod.rs:2 names the game 'chess'"
            ]
        );
    }
}
