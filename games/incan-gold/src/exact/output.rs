//! The output of the tools.

use meeple_core::{TextTable, ToolOutput};
use serde_json::{Value, json};

/// A table and the same rows as JSON.
pub(super) fn output(table: TextTable, rows: Vec<Value>) -> ToolOutput {
    ToolOutput {
        tables: vec![table],
        json: json!({ "format": 1, "game": crate::info::INFO.id, "rows": rows }),
        files: Vec::new(),
    }
}
