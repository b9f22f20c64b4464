//! Golden files: stored results that reveal every change.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Environment variable set by `cargo xtask bless`: goldens are then written instead of compared.
pub const BLESS: &str = "MEEPLE_BLESS";

/// Treatment of goldens: compare or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Goldens are compared; a difference is an error.
    Compare,
    /// Goldens are written; a difference is still an error, so that the run prints it.
    Bless,
}

impl Mode {
    /// The mode requested by the environment.
    pub fn from_environment() -> Self {
        if std::env::var(BLESS).is_ok_and(|value| value == "1") { Self::Bless } else { Self::Compare }
    }
}

/// Compares `fresh` with the golden at `path`.
///
/// # Errors
/// The difference, with a hint what to do.
pub fn hold_golden(path: &Path, fresh: &str, game: &str, mode: Mode) -> Result<(), String> {
    let name = path.display();
    let bless = bless_command(path, game);
    let fresh = &fresh.replace(&format!("`cargo xtask bless {game}`"), &format!("`{bless}`"));
    let stored = match fs::read_to_string(path) {
        Ok(stored) => Some(stored.replace("\r\n", "\n")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("cannot read {name}: {error}")),
    };
    if stored.as_deref() == Some(fresh) {
        return Ok(());
    }
    let what = match &stored {
        Some(stored) => format!("{name} differs (- as stored, + as played now)\n{}", changes(stored, fresh)),
        None => format!("{name} is missing"),
    };
    match mode {
        Mode::Compare => Err(format!("{what}\nhint: if the change is meant, run `{bless}`")),
        Mode::Bless => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| format!("cannot make {folder:?}: {error}"))?;
            }
            fs::write(path, fresh).map_err(|error| format!("cannot write {name}: {error}"))?;
            Err(format!("{what}\nblessed: {name} is written; the next run compares with it"))
        }
    }
}

/// The command that blesses the goldens of a game: `cargo xtask bless` in Meeple's repository, elsewhere the
/// game's tests. The nearest folder with a workspace decides.
pub(crate) fn bless_command(path: &Path, game: &str) -> String {
    let is_workspace = |folder: &&Path| {
        fs::read_to_string(folder.join("Cargo.toml"))
            .is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "[workspace]"))
    };
    match path.ancestors().find(is_workspace) {
        Some(root) if !root.join("xtask/Cargo.toml").is_file() => format!("{BLESS}=1 cargo test"),
        _ => format!("cargo xtask bless {game}"),
    }
}

/// The first lines that differ, with two lines of context before them.
fn changes(stored: &str, fresh: &str) -> String {
    const SHOWN: usize = 12;
    let (old, new): (Vec<&str>, Vec<&str>) = (stored.lines().collect(), fresh.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    for line in &old[same.saturating_sub(2)..same] {
        let _ = writeln!(text, "  {line}");
    }
    for (mark, lines) in [('-', &old[same..old.len() - tail]), ('+', &new[same..new.len() - tail])] {
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "{mark} {line}");
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "{mark} … {} more lines", lines.len() - SHOWN);
        }
    }
    let _ = write!(text, "  (from line {})", same + 1);
    text
}
