//! The tests of the bot host, one binary.

mod episodes;
