//! The library that Python loads. Python tests (`scripts/python-tests`) test its behaviour. Because of this
//! test, the workspace's tests build the library, so the engines compile once for both.

// This test is about files.
#![allow(clippy::disallowed_methods)]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// Returns true if `bytes` contain the text.
fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn python_finds_its_entry_and_the_library_needs_no_python_to_be_linked() {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap();
    let library = std::fs::read(folder.join(format!("{DLL_PREFIX}_meeple{DLL_SUFFIX}"))).unwrap();
    assert!(contains(&library, "PyInit__meeple"));
    assert!(!contains(&library, "libpython"));
}
