//! Networks of other programs as players, if the program was built with them.

use meeple_core::{AgentInfo, Hints, Playable, params};

params! {
    pub struct OnnxParams {
        /// The network, an ONNX file; docs/reference/learning.md describes its inputs and outputs.
        pub file: String = String::new() => "file", file();
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 60 => "samples", int(1, 10_000);
    }
}

/// The agent `onnx`. It exists in every build, so that a build without networks can report what is missing.
pub(crate) fn agent<G: Playable>() -> AgentInfo<G> {
    AgentInfo::new("onnx", "a network of another program, a file of ONNX", player)
}

/// The hints of a game, with position values by the network in `file`, which is an ONNX file or written by
/// `meeple learn`.
pub(crate) fn value_hints<G: Playable>(game: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
    if file.ends_with(".onnx") { valued(game, file) } else { meeple_learn::value_hints(game, file) }
}

#[cfg(feature = "onnx")]
fn player<G: Playable>(game: &G, params: OnnxParams) -> Result<meeple_onnx::OnnxPlayer<G>, String> {
    meeple_onnx::OnnxPlayer::new(game, &params.file, params.samples).map_err(|error| error.to_string())
}

#[cfg(feature = "onnx")]
fn valued<G: Playable>(game: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
    meeple_onnx::value_hints(game, file)
}

#[cfg(not(feature = "onnx"))]
use without::{player, valued};

#[cfg(not(feature = "onnx"))]
mod without {
    use meeple_core::{Agent, Hints, Playable, Turn};

    use crate::onnx::OnnxParams;

    /// An uninhabited player.
    pub(super) enum Nobody {}

    impl<G: Playable> Agent<G> for Nobody {
        fn act(&mut self, _: Turn<'_, G>) -> G::Action {
            match *self {}
        }
    }

    pub(super) fn player<G: Playable>(_: &G, params: OnnxParams) -> Result<Nobody, String> {
        Err(needed(&params.file))
    }

    pub(super) fn valued<G: Playable>(_: &G, file: &str) -> Result<Box<dyn Hints<G>>, String> {
        Err(needed(file))
    }

    fn needed(file: &str) -> String {
        format!(
            "{file}: expected a program with networks of ONNX, found one without\n\
             hint: `cargo build --release --features onnx` in the clone builds one"
        )
    }
}
