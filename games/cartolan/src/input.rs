//! Parsing of typed actions.

use crate::action::Action;

pub(crate) fn read(text: &str) -> Result<Action, String> {
    let text = text.trim().to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let full = match words.as_slice() {
        ["n" | "e" | "s" | "w"] => format!("go {}", words[0]),
        ["g", dir] => format!("gust {dir}"),
        ["."] => "wait".into(),
        ["pass"] => "done".into(),
        ["hire"] => "hire adventurer".into(),
        ["attack", target] if *target != "agent" => format!("attack adventurer {target}"),
        _ => words.join(" "),
    };
    full.parse()
}
