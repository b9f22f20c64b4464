//! Tests of networks of other programs. `tests/data/make.py` made those in `tests/data`, with onnxruntime's
//! outputs.
#![allow(clippy::disallowed_methods)] // tests read and write files

mod files;
mod parity;
mod playing;

use std::path::PathBuf;

use meeple_core::{AnyGame, Field};
use meeple_games::{environment, find_game};
use meeple_learn::{Checkpoint, CheckpointInfo};
use meeple_onnx::Wanted;

/// A file of `tests/data`.
fn data(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")).join(name)
}

/// The network for two seats that comes with Incan Gold.
fn shipped() -> Checkpoint {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");
    Checkpoint::from_bytes(&std::fs::read(file).unwrap(), file).unwrap()
}

fn game(name: &str, seats: usize) -> Box<dyn AnyGame> {
    find_game(name).unwrap().set_up(None, &[], seats).unwrap()
}

/// Requirements for a network of Incan Gold for two seats, with inputs between -1 and 1.
fn wanted() -> Wanted {
    let about: CheckpointInfo = environment(&*game("incan-gold", 2)).unwrap().required_info();
    let numbers = Field { name: "numbers", size: about.sizes[0], low: -1.0, high: 1.0, unit: "", doc: "" };
    Wanted { about, fields: vec![numbers], actions: 2 }
}
