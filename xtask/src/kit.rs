//! Check that the tests of every game use the whole test kit.

use std::path::Path;

use anyhow::Result;

use crate::workspace::{Package, rust_files};

/// Required calls in a game's tests, each with the part of the test kit that it runs.
const CALLS: &[(&str, &str)] = &[
    ("for_every_preset::<", "the laws"),
    ("fuzz::<", "the search among all parameters"),
    ("playthroughs", "golden playthroughs"),
    ("signature::<", "the signature"),
];

/// Finds the parts of the test kit that a game's tests do not run, with one message for each.
pub(crate) fn check(root: &Path, packages: &[Package]) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for package in packages.iter().filter(|package| package.is_game()) {
        let tests: String = rust_files(&root.join(&package.folder).join("tests/it"))?.into_values().collect();
        missing.extend(
            uncalled(&tests)
                .map(|(call, what)| format!("the tests of {} do not call {call}…: {what}", package.folder)),
        );
    }
    Ok(missing)
}

fn uncalled(tests: &str) -> impl Iterator<Item = &(&'static str, &'static str)> {
    CALLS.iter().filter(move |(call, _)| !tests.contains(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_called_is_named() {
        let calls = |tests: &str| uncalled(tests).map(|(call, _)| *call).collect::<Vec<_>>();
        assert_eq!(calls(""), ["for_every_preset::<", "fuzz::<", "playthroughs", "signature::<"]);
        assert_eq!(calls("for_every_preset::<G>(); playthroughs_also(); signature::<G>()"), ["fuzz::<"]);
    }
}
