//! Parts of a game's original for the package: the files of its bot adapters, and its records.

use meeple_core::{NoHost, ToolRequest};
use meeple_games::parse_game;
use meeple_scene::{ColorMode, Screen};
use pyo3::prelude::*;

use crate::failure::{entry_error, guarded, usage};

/// The text of a file of a game's adapters, the same one that bot hosts use.
#[pyfunction]
pub(crate) fn adapter_file(game: &str, name: &str) -> PyResult<&'static str> {
    let entry = parse_game(game).map_err(usage)?.entry;
    let mut files = entry.adapters().iter().flat_map(|adapter| adapter.files);
    let found = files.find(|(file, _)| *file == name);
    found.map(|(_, text)| *text).ok_or_else(|| usage(format!("{game}: no adapter has a file '{name}'")))
}

/// The files that a tool of a game makes from a text. The text stands in for every file that the arguments
/// name.
#[pyfunction]
pub(crate) fn converted(
    py: Python<'_>,
    game: &str,
    tool: &str,
    arguments: Vec<String>,
    text: &str,
) -> PyResult<Vec<String>> {
    let name = parse_game(game).map_err(usage)?;
    let output = py.detach(|| {
        guarded(|| {
            let request = ToolRequest {
                arguments: &arguments,
                seed: 0,
                read_file: &mut |_| Ok(text.to_owned()),
                tell: &mut |_| {},
                host: &NoHost,
            };
            name.entry.run_tool(tool, name.preset, &[], request)
        })
    })?;
    Ok(output.map_err(entry_error)?.files.into_iter().map(|(_, content)| content).collect())
}

/// The screens of a record of a game's original, in order.
#[pyclass(unsendable, module = "meeple._meeple")]
pub(crate) struct RecordScreens {
    frames: Box<dyn Iterator<Item = Screen>>,
    mode: ColorMode,
}

#[pymethods]
impl RecordScreens {
    /// Reads a record. `looks` are the game's words for display; `colours` turns on terminal colours.
    #[new]
    fn new(game: &str, text: &str, looks: Vec<String>, colours: bool) -> PyResult<Self> {
        let entry = parse_game(game).map_err(usage)?.entry;
        let record = guarded(|| entry.foreign_record(text, &looks))?;
        let record = record.ok_or_else(|| usage(format!("expected a record of the original of {game}")))?;
        let mode = if colours { ColorMode::TrueColor } else { ColorMode::None };
        Ok(Self { frames: record.map_err(usage)?.frames, mode })
    }

    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__(&mut self) -> PyResult<Option<String>> {
        guarded(|| self.frames.next().map(|screen| screen.to_ansi(self.mode)))
    }
}
