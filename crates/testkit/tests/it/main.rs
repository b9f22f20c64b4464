//! Tests of the test kit: sound games pass, and every flaw is noticed by the law it breaks.
#![allow(missing_docs)]

mod agents;
mod facts;
mod flaws;
mod goldens;
mod sound;
mod twins;
