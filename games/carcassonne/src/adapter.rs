//! The adapter for bots of the original competition: recognition, the modules that the bots import, and a
//! simulation of their matches.

use meeple_core::{AdapterKind, BotAdapter, MatchSimulator};

use crate::syncs;

macro_rules! files {
    ($($name:literal),*) => {
        &[$((concat!("_meeple_syncs2025/", $name), include_str!(concat!("../adapter/syncs2025/", $name)))),*]
    };
}

/// Bots of SYNCS 2025: programs in a folder that communicate over pipes.
pub(crate) const ADAPTERS: &[BotAdapter] = &[BotAdapter {
    id: "syncs2025",
    prefix: Some("syncs"),
    recognises: |text| text.lines().any(imports_the_helper),
    mark: "imports helper.game",
    kind: AdapterKind::Launcher,
    files: files!(
        "launch.py",
        "_meeple_transport.py",
        "_meeple_feed.py",
        "helper/__init__.py",
        "helper/client_state.py",
        "helper/game.py",
        "helper/interface.py",
        "helper/state_mutator.py",
        "helper/utils.py",
        "lib/__init__.py",
        "lib/logic.py",
        "lib/messages.py",
        "lib/pieces.py"
    ),
    simulator: Some(MatchSimulator {
        doc: "SYNCS 2025: folder, pipes and events as its bots expect them",
        start_wall_ms: 3_000,
        move_wall_ms: 2_000,
        game_wall_ms: 8_000,
        tool: syncs::TOOL,
        // The original bans a crashed bot for its timeout, and reports unknown faults as a broken pipe.
        bans: &[
            ("CRASH", "TIMEOUT"),
            ("OUTPUT_LIMIT", "BROKEN_PIPE"),
            ("MEMORY_LIMIT", "BROKEN_PIPE"),
            ("PROTOCOL_VERSION", "BROKEN_PIPE"),
        ],
    }),
}];

/// Returns true if the line, at any indentation, imports the package that opens the pipes.
fn imports_the_helper(line: &str) -> bool {
    let line = line.trim_start();
    let module = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
    module.is_some_and(|module| module.starts_with("helper.game") || module.starts_with("helper import game"))
}
