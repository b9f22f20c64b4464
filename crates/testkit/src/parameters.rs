//! The table of variant parameters in a game's RULES.md, generated from their declarations.

use std::fs;
use std::path::Path;

use meeple_core::{Defined, ParamSpec, Params as _};

use crate::golden::Mode;

/// The line before the table.
pub const BEGIN: &str = "<!-- parameters -->";
/// The line after the table.
pub const END: &str = "<!-- /parameters -->";

/// The parameters as a Markdown table.
pub fn parameters_table(specs: &[ParamSpec]) -> String {
    let mut text = "| parameter | takes | default | meaning |\n|---|---|---|---|\n".to_owned();
    for spec in specs {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let default =
            if spec.default.is_empty() { String::new() } else { format!("`{}`", cell(&spec.default)) };
        text.push_str(&format!(
            "| `{}` | {} | {default} | {} |\n",
            cell(spec.name),
            cell(&spec.domain.to_string()),
            cell(&spec.doc)
        ));
    }
    text
}

/// The rules with a regenerated table between the marks.
///
/// # Errors
/// Unless each mark stands on a line of its own, once and in order.
pub fn with_parameters(rules: &str, specs: &[ParamSpec]) -> Result<String, String> {
    let lines: Vec<&str> = rules.lines().map(str::trim_end).collect();
    let only = |mark: &str| {
        let mut places = lines.iter().enumerate().filter(|(_, line)| **line == mark).map(|(place, _)| place);
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (None, _) => Err(format!(
                "expected a line '{mark}', found none\nhint: the table of parameters is written between the \
                 lines '{BEGIN}' and '{END}'"
            )),
            (Some(_), Some(_)) => Err(format!("expected one line '{mark}', found more")),
        }
    };
    let (begin, end) = (only(BEGIN)?, only(END)?);
    if end < begin {
        return Err(format!("expected '{BEGIN}' before '{END}'"));
    }
    let mut text = String::new();
    for line in &lines[..=begin] {
        text.push_str(line);
        text.push('\n');
    }
    // Without blank lines Markdown takes the table for a part of the comment.
    text.push_str(&format!("\n{}\n", parameters_table(specs)));
    for line in &lines[end..] {
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// Compares the parameter table in the RULES.md at `path` with the variant's declarations.
///
/// # Panics
/// If the table is missing or differs.
pub fn rules_table<G: Defined>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    if let Err(wrong) = check_rules(path, &G::definition().variant.specs(), Mode::from_environment()) {
        panic!("{wrong}");
    }
}

/// Compares the table in the file at `path` with declarations, and rewrites it if the mode says so.
///
/// # Errors
/// The difference, or the notice that the table was rewritten.
pub fn check_rules(path: &Path, specs: &[ParamSpec], mode: Mode) -> Result<(), String> {
    let name = path.display();
    let stored = fs::read_to_string(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let fresh = with_parameters(&stored, specs).map_err(|error| format!("{name}: {error}"))?;
    if fresh == stored {
        return Ok(());
    }
    match mode {
        Mode::Compare => Err(format!(
            "{name}: the table of parameters is not that of the code\nhint: run `cargo xtask rules`, or \
             `MEEPLE_BLESS=1 cargo test` outside Meeple's repository"
        )),
        Mode::Bless => {
            fs::write(path, fresh).map_err(|error| format!("cannot write {name}: {error}"))?;
            Err(format!("blessed: the table of parameters in {name} was rewritten"))
        }
    }
}
