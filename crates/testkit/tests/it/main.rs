//! Tests of the test kit: sound games pass, and every flaw is detected by the law it breaks.

mod agents;
mod dice;
mod encodings;
mod every_law;
#[macro_use] // `misdeclared!`
mod facts;
mod flaws;
mod fuzz;
mod goldens;
mod sound;
mod toys;
mod twins;
