//! The adapter for bots of the original: recognition, and the files that run them unchanged.

use meeple_core::python_source::defines;
use meeple_core::{AdapterKind, BotAdapter};

/// Recognises functions that move an owner's pieces. One file replaces the library that the bots use for
/// boards.
pub(crate) const ADAPTERS: &[BotAdapter] = &[BotAdapter {
    id: "movers",
    prefix: None,
    recognises: |text| defines(text, "make_moves") || defines(text, "get_mover"),
    mark: "defines make_moves or get_mover",
    kind: AdapterKind::Functions,
    files: &[
        ("_meeple_movers.py", include_str!("../adapter/movers.py")),
        ("_meeple_numpy.py", include_str!("../adapter/numpy_stand_in.py")),
    ],
    simulator: None,
}];
