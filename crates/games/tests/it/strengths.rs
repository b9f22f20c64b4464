//! The strengths in docs/internals/strength.md equal those of `meeple agents`.
#![allow(clippy::disallowed_methods)] // it reads a document

use std::fmt::Write as _;

use meeple_games::games;

/// The tournament of a game as a table in Markdown.
fn table(strengths: &str) -> String {
    let mut lines = strengths.lines();
    let command = lines.next().unwrap().trim_start_matches("# ");
    let mut text = format!("\n`{command}`\n\n| agent | points, 95 % | share of the win |\n|---|---|---|\n");
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [points, low, high, share, agent] = line.splitn(5, ' ').collect::<Vec<_>>()[..] else {
            panic!("expected points, an interval, a share and an agent, found: {line}")
        };
        writeln!(text, "| `{agent}` | {points} [{low}, {high}] | {share} |").unwrap();
    }
    text + "\n"
}

#[test]
fn the_ratings_in_the_document_are_those_of_the_games() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/internals/strength.md");
    let stored = std::fs::read_to_string(path).unwrap();
    let mut fresh = stored.clone();
    for entry in games() {
        let info = entry.info();
        if info.strengths.is_empty() {
            continue;
        }
        let begin = format!("<!-- strength {} -->\n", info.id);
        let (before, rest) =
            fresh.split_once(&begin).unwrap_or_else(|| panic!("expected '{begin}' in {path}"));
        let (_, after) = rest.split_once("<!-- /strength -->").unwrap();
        fresh = format!("{before}{begin}{}<!-- /strength -->{after}", table(info.strengths));
    }
    if fresh != stored && std::env::var("MEEPLE_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(path, &fresh).unwrap();
    }
    assert!(
        fresh == stored,
        "the tables of docs/internals/strength.md are not those of games/*/strength.txt\n\
         hint: MEEPLE_BLESS=1 cargo test -p meeple-games writes them"
    );
}
