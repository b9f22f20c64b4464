//! Output to the terminal: colours, width, wrapping, warnings and errors.

use std::fmt::Display;
use std::io::{IsTerminal, Write};

pub use meeple_lab::table::plain as table;
use meeple_scene::{ColorMode, Line, line_to_ansi};

/// Colour mode of stdout. There are no colours if it is no terminal, if `NO_COLOR` is set, or if `TERM` is
/// `dumb`.
pub fn colors() -> ColorMode {
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || !std::io::stdout().is_terminal()
    {
        return ColorMode::None;
    }
    let says = |name: &str, words: &[&str]| {
        std::env::var(name).is_ok_and(|value| words.iter().any(|word| value.contains(word)))
    };
    if says("TERM", &["dumb"]) {
        ColorMode::None
    } else if says("COLORTERM", &["truecolor", "24bit"]) || says("TERM", &["direct"]) {
        ColorMode::TrueColor
    } else {
        ColorMode::Ansi256
    }
}

/// Columns and lines of the terminal on stdout; `None` without one.
pub fn size() -> Option<(u16, u16)> {
    terminal_size::terminal_size().map(|(width, height)| (width.0, height.0))
}

/// Returns true if stdout is a terminal that supports full-screen mode.
pub fn is_painted() -> bool {
    let is_dumb = std::env::var("TERM").is_ok_and(|name| name.is_empty() || name == "dumb");
    std::io::stdout().is_terminal() && !is_dumb
}

/// Returns true for interactive use: stdin is a terminal, and stdout one that supports full-screen mode.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && is_painted()
}

/// Columns of the terminal on stdout; `None` without one.
pub fn width() -> Option<u16> {
    size().map(|(width, _)| width)
}

/// Columns for running text: 40 to 120, following the terminal's width; 100 without a terminal.
pub fn text_width() -> usize {
    usize::from(width().unwrap_or(100).clamp(40, 120))
}

/// Wraps a text to `width` columns, and indents each line by `margin`, which counts as part of the width.
pub fn wrapped(text: &str, width: usize, margin: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // A number and its percent sign stay on one line.
    let text = text.replace(" %", "\u{a0}%");
    for word in text.split([' ', '\n']).filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{margin}{word}")),
        }
    }
    lines.join("\n").replace('\u{a0}', " ")
}

/// Prints to stdout; a closed pipe is an error, not a panic.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Keys of a summary that hold timings, which differ between runs.
const TIMES: [&str; 3] = ["seconds", "episodes_per_second", "decisions_per_second"];

/// Prints the JSON of one or more summaries, without timings if `no_times` is set.
pub fn print_summary(mut value: serde_json::Value, no_times: bool) -> anyhow::Result<()> {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.retain(|name, _| !TIMES.contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    if no_times {
        strip(&mut value);
    }
    print_json(&value)
}

pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Prints lines to stdout, in colour if [`colors`] allows.
pub fn print_lines(lines: &[Line]) -> anyhow::Result<()> {
    let colors = colors();
    let text: String = lines.iter().map(|line| line_to_ansi(line, colors) + "\n").collect();
    if text.is_empty() { Ok(()) } else { print(&text) }
}

/// Removes control characters from untrusted text, such as file names or output of bots, because they could
/// control the terminal. Line breaks are kept.
pub fn harmless(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(meeple_scene::cleaned).collect();
    lines.join("\n")
}

/// Prints an error to stderr. It may quote untrusted text.
pub fn error(error: &anyhow::Error) {
    warn(&format!("{error:#}"));
}

/// Prints a warning to stderr. It may quote untrusted text.
pub fn warn(text: &str) {
    tell(format_args!("meeple: {text}"));
}

/// Writes one or more lines to stderr, made [`harmless`].
pub fn tell(text: impl Display) {
    say(&(harmless(&text.to_string()) + "\n"));
}

/// Writes a prompt to stderr; the answer follows on the same line.
pub fn prompt(text: impl Display) {
    say(&harmless(&text.to_string()));
}

/// The only function that writes to stderr. It writes the text in one piece, so that lines of several threads
/// do not mix. Write errors are ignored, because they cannot be reported and results do not depend on them.
#[expect(clippy::disallowed_methods, reason = "the one place")]
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
