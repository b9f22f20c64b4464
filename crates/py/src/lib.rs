//! Meeple in Python: the engines below the typed and documented package in `python/meeple`.
//!
//! A thin layer: it parses arguments from Python, calls a library, and returns texts, JSON and arrays. Errors
//! have the texts of the command line (`failure`). Work runs without the interpreter lock, and a panic in it
//! becomes an exception. Only one thread at a time may use an object; a second thread gets an error.
//!
//! Arrays are read and written through the buffer protocol (`arrays`), so only the Python side depends on
//! numpy.
// This crate is at the edge of the program: it may use files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod arrays;
mod batch;
mod episode;
mod failure;
mod game;
mod lab;
mod lanes;
mod originals;
mod outside;
mod phases;
mod pixels;
mod rows;
mod shards;
mod tournament;
mod watch;
mod words;

use pyo3::prelude::*;

/// The module `meeple._meeple`.
#[pymodule]
fn _meeple(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<episode::Episode>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<lanes::Lanes>()?;
    module.add_class::<lab::Simulated>()?;
    module.add_class::<lab::Swept>()?;
    module.add_function(wrap_pyfunction!(lab::games_json, module)?)?;
    module.add_function(wrap_pyfunction!(lab::agents_json, module)?)?;
    module.add_function(wrap_pyfunction!(lab::sim, module)?)?;
    module.add_function(wrap_pyfunction!(lab::sweep_parameters, module)?)?;
    module.add_class::<rows::EpisodeRows>()?;
    module.add_class::<tournament::Tournament>()?;
    module.add_function(wrap_pyfunction!(tournament::play, module)?)?;
    module.add_function(wrap_pyfunction!(shards::sim_part, module)?)?;
    module.add_function(wrap_pyfunction!(shards::sim_of_parts, module)?)?;
    module.add_function(wrap_pyfunction!(shards::sweep_part, module)?)?;
    module.add_function(wrap_pyfunction!(shards::sweep_of_parts, module)?)?;
    module.add_function(wrap_pyfunction!(shards::tournament_part, module)?)?;
    module.add_function(wrap_pyfunction!(shards::tournament_of_parts, module)?)?;
    module.add_function(wrap_pyfunction!(lab::tool, module)?)?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(lab::render, module)?)?;
    module.add_class::<originals::RecordScreens>()?;
    module.add_function(wrap_pyfunction!(originals::adapter_file, module)?)?;
    module.add_function(wrap_pyfunction!(originals::converted, module)?)?;
    Ok(())
}

/// Runs the command line with these words and returns its exit code. Call it once per process, because it
/// takes over the process's signals.
#[pyfunction]
fn command_line(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| {
        let code = meeple::main(words, None);
        // A library does not flush at exit. Errors such as a full disk have been reported already.
        let _ = std::io::Write::flush(&mut std::io::stdout());
        code
    })
}
