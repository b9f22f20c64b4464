//! The directory of results: who may write into it, and how.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::LabError;

/// How the files of a run are made.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// What to do with results that are there already.
    pub existing: Existing,
    /// The command that makes these results, for the report.
    pub command: String,
}

/// What to do with results that are there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuse a directory that is not empty.
    #[default]
    Refuse,
    /// Replace earlier results; other files stay.
    Replace,
    /// Continue the results of the same setting and seed; a directory without results begins new ones.
    Resume,
}

/// What the results are of. Results are continued only where this is the same.
pub(crate) const PLAN: &str = "plan.json";
/// The exact counts, from which results are continued.
pub(crate) const TALLY: &str = "tally.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const TIMING: &str = "timing.json";
pub(crate) const EPISODES: &str = "episodes.parquet";
pub(crate) const REPORT: &str = "report.html";
const PLOTS: &str = "plots";
const FILES: [&str; 6] = [PLAN, TALLY, SUMMARY, TIMING, EPISODES, REPORT];

/// An output directory that may be written to.
pub(crate) struct Directory {
    path: PathBuf,
    /// Whether results of the same plan are there and shall be continued.
    pub resumes: bool,
}

/// The name under which a file is written before it takes its place.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    path.with_file_name(format!(".{name}.tmp"))
}

impl Directory {
    /// Opens or makes the directory; nothing in it is changed.
    ///
    /// # Errors
    /// If it holds what must not be touched, holds other results than those to be continued, or cannot be
    /// written to.
    pub fn open(path: &Path, existing: Existing, plan: &Value) -> Result<Self, LabError> {
        if path.exists() && !path.is_dir() {
            return Err(LabError::Occupied {
                path: path.to_owned(),
                holds: "a file".into(),
                hint: "name another directory".into(),
            });
        }
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|error| LabError::write(path, error))?;
        let probe = path.join(".meeple.tmp");
        let written = fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe));
        written.map_err(|error| LabError::write(path, error))?;
        let directory = Self { path: path.to_owned(), resumes: false };
        if made {
            return Ok(directory);
        }
        let holds_plan = path.join(PLAN).exists();
        match existing {
            Existing::Refuse => directory.refuse_content(holds_plan)?,
            Existing::Resume if holds_plan => {
                directory.compare_plan(plan)?;
                return Ok(Self { resumes: true, ..directory });
            }
            Existing::Resume => directory.refuse_content(false)?,
            Existing::Replace => {}
        }
        Ok(directory)
    }

    fn refuse_content(&self, holds_plan: bool) -> Result<(), LabError> {
        let entries = fs::read_dir(&self.path).map_err(|error| LabError::read(&self.path, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| LabError::read(&self.path, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Left by a run that was killed: worth nothing to anybody.
            if name.starts_with('.') && name.ends_with(".tmp") {
                continue;
            }
            let (holds, hint) = if holds_plan {
                (
                    "earlier results".to_owned(),
                    "continue them with --resume, replace them with --force, or name another directory",
                )
            } else {
                (format!("'{name}'"), "name another directory, or write beside what is there with --force")
            };
            return Err(LabError::Occupied { path: self.path.clone(), holds, hint: hint.into() });
        }
        Ok(())
    }

    fn compare_plan(&self, plan: &Value) -> Result<(), LabError> {
        let stored: Value = self.read(PLAN)?;
        let (Some(stored), Some(wanted)) = (stored.as_object(), plan.as_object()) else {
            return Err(LabError::read(&self.path.join(PLAN), "expected an object"));
        };
        let keys = wanted.keys().chain(stored.keys());
        let differs = keys.into_iter().find(|key| stored.get(*key) != wanted.get(*key));
        match differs {
            None => Ok(()),
            Some(key) => {
                let show = |value: Option<&Value>| format!("{key} {}", value.unwrap_or(&Value::Null));
                Err(LabError::Resume {
                    path: self.path.clone(),
                    expected: show(wanted.get(key)),
                    found: show(stored.get(key)),
                    hint: "results are continued with the same game, variant, line-up, seed and seating; name another directory for others".into(),
                })
            }
        }
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads a JSON file of earlier results.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, LabError> {
        let path = self.file(name);
        let text = fs::read_to_string(&path).map_err(|error| LabError::read(&path, error))?;
        serde_json::from_str(&text).map_err(|error| LabError::read(&path, error))
    }

    /// Removes the files of earlier results that this run may not write again.
    pub fn clear(&self) -> Result<(), LabError> {
        let remove = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(LabError::write(path, error)),
            _ => Ok(()),
        };
        for name in FILES {
            remove(&self.file(name))?;
        }
        let plots = self.file(PLOTS);
        for entry in fs::read_dir(&plots).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "svg" || ending == "png") {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Writes a file as a whole: nobody ever sees a part of it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LabError> {
        let path = self.file(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| LabError::write(parent, error))?;
        }
        let temporary = temporary(&path);
        let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            LabError::write(&path, error)
        })
    }

    /// Writes a file of JSON, readable by people too.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        let mut text = serde_json::to_string_pretty(value).expect("results are plain data with text keys");
        text.push('\n');
        self.write(name, text.as_bytes())
    }

    /// Writes a file of JSON on one line, for programs.
    pub fn write_compact(&self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        let mut text = serde_json::to_string(value).expect("results are plain data with text keys");
        text.push('\n');
        self.write(name, text.as_bytes())
    }

    /// Writes plots as SVG and PNG.
    pub fn write_plots(&self, plots: &[crate::plots::Plot]) -> Result<(), LabError> {
        for plot in plots {
            self.write(&format!("{PLOTS}/{}.svg", plot.name), plot.svg.as_bytes())?;
            self.write(&format!("{PLOTS}/{}.png", plot.name), &plot.to_png()?)?;
        }
        Ok(())
    }
}
