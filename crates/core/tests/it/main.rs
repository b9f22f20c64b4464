//! Tests of the contract's own parts, from outside. Games are tested by the laws of `meeple-testkit`.

mod agents;
mod batch;
mod driver;
mod entry;
mod episodes;
mod json;
mod names;
mod outcomes;
mod params;
mod parts;
mod replays;
mod seating;
mod seats;
mod small_table;
mod streams;
mod texts;
mod wording;
