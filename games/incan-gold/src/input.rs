//! Parsing of typed actions.

use crate::action::Action;

/// Parses `y` or `n`, the words for them, or nothing, which means stay.
pub(crate) fn read(text: &str) -> Result<Action, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "y" | "yes" | "stay" => Ok(Action::Stay),
        "n" | "no" | "leave" => Ok(Action::Leave),
        _ => Err(format!("expected y (stay) or n (leave), found '{}'", text.trim())),
    }
}
