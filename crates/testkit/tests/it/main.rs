//! Tests of the test kit: sound games pass, and every flaw is noticed by the law it breaks.
#![allow(missing_docs)]

mod flaws;
mod sound;
